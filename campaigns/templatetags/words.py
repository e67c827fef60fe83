"""Filters that turn figures and codes into words."""

from __future__ import annotations

from datetime import date

from django import template
from django.utils.formats import date_format

from campaigns.reports.history import scored_for

register = template.Library()
register.filter(scored_for)

MINUS = "−"


@register.filter
def signed(value: int) -> str:
    """+3, −2, 0: with a real minus sign."""
    if value > 0:
        return f"+{value}"
    return f"{MINUS}{-value}" if value < 0 else "0"


@register.filter
def of_which(head_start: int) -> str:
    """What of a score was given before a shot was fired: of which 7 head start."""
    if head_start < 0:
        return f"{-head_start} less, the other side's head start"
    return f"of which {head_start} head start"


@register.filter
def pips(value: float) -> str:
    """A sum of dice that may end in a half: 1041.5, 12."""
    return f"{value:.1f}".removesuffix(".0")


@register.filter
def signed_pips(value: float) -> str:
    """The same with its sign: +3.5, −2, 0."""
    words = pips(abs(value))
    return words if words == "0" else f"{'+' if value > 0 else MINUS}{words}"


@register.filter
def short(digest: str) -> str:
    """The first twelve digits of a hash, enough to compare by eye."""
    return digest[:12] + ("…" if len(digest) > 12 else "")


@register.filter
def day(text: str) -> str:
    """A date of a scenario, 1944-12-19, as 19 December 1944; other words as they are."""
    try:
        return date_format(date.fromisoformat(str(text)), "j F Y")
    except ValueError:
        return str(text)


@register.filter
def get(mapping: dict[str, object], key: str) -> object:
    """A dictionary's value by a key that is itself a variable."""
    return mapping.get(key, "")


@register.filter
def sentence(text: str) -> str:
    """The same words with a capital to begin with and a full stop at the end."""
    text = str(text).strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?…" else ".")


@register.filter
def sentence_case(text: str) -> str:
    """The same words with a capital to begin with."""
    text = str(text)
    return text[:1].upper() + text[1:]


@register.filter
def percent(hundredths: int) -> str:
    """Hundredths of a percent as per cent with one figure after the point: 3333 as 33.3 %."""
    return f"{hundredths / 100:.1f}\u202f%"


@register.filter
def thousandths(value: int) -> str:
    """Thousandths as a number with two figures after the point."""
    return f"{value / 1000:.2f}"


@register.filter
def lasting(seconds: int) -> str:
    """A time as a person says it: 40 seconds, 3 minutes, 1 hour 5 minutes."""
    if seconds < 90:
        return f"{seconds} second{'' if seconds == 1 else 's'}"
    hours, minutes = divmod(round(seconds / 60), 60)
    parts = [(hours, "hour"), (minutes, "minute")]
    return " ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in parts if n)
