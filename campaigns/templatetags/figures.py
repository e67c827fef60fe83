"""The small pictures between the words: unit symbols, strength bars, odds bars, sparklines, QR.

All are inline SVG of fixed user units and classes, never a style attribute, so that the
strict content security policy holds and they print.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import segno
from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

NEAREST = {
    "antitank-rifle": "anti-tank",
    "antitank-rocket-launcher": "anti-tank",
    "cavalry": "reconnaissance",
    "explosives": "engineer",
    "flamethrower": "engineer",
}
"""Words of the catalogues for which APP-6 has no sign of their own."""


@cache
def atlas() -> dict[str, Any]:
    """Which symbols exist."""
    index = settings.BASE_DIR / "static" / "symbols" / "index.json"
    loaded: dict[str, Any] = json.loads(index.read_text())
    return loaded


def kind_key(kind: str) -> str:
    """An atlas kind from a catalogue's word: "armoured infantry" is "armoured-infantry"."""
    key = kind.strip().lower().replace(" ", "-")
    key = NEAREST.get(key, key)
    return key if key in atlas()["kinds"] else "infantry"


def symbol_name(kind: str, affiliation: str, echelon: str) -> str:
    """The atlas id for a kind, a frame and an echelon; what is unknown falls back."""
    known = atlas()
    kind = kind_key(kind)
    frame = affiliation if affiliation in known["frames"] else "friend"
    parts = [kind, frame] + ([echelon] if echelon in known["echelons"] else [])
    return "-".join(parts)


def symbol_words(kind: str, affiliation: str, echelon: str) -> str:
    """What the symbol says, in words."""
    known = atlas()
    words = [known["kinds"][kind_key(kind)]]
    if echelon:
        words.append(echelon)
    frame = known["frames"].get(affiliation, "friendly")
    return f"{' '.join(words)}, {frame}"


@register.simple_tag
def symbol(
    kind: str, affiliation: str = "friend", echelon: str = "", size: str = "", silent: bool = False
) -> SafeString:
    """A unit symbol. `silent` where the words stand beside it anyway."""
    says: SafeString = (
        mark_safe('aria-hidden="true"')
        if silent
        else format_html('role="img" aria-label="{}"', symbol_words(kind, affiliation, echelon))
    )
    return format_html(
        '<svg class="symbol {}" {}><use href="{}#{}"></use></svg>',
        size,
        says,
        static("symbols/atlas.svg"),
        symbol_name(kind, affiliation, echelon),
    )


@register.simple_tag
def strength(authorised: int, on_hand: int, reduced: int = 0) -> SafeString:
    """On hand against authorised as a bar and in figures: fit solid, reduced light."""
    whole = max(authorised, on_hand, 1)
    fit = on_hand - reduced
    words = f"{on_hand} of {authorised} on hand" + (f", {reduced} reduced" if reduced else "")
    return format_html(
        '<span class="strength"><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><rect class="fit" x="0" y="0" width="{}" height="10"></rect>'
        '<rect class="reduced" x="{}" y="0" width="{}" height="10"></rect>'
        '<rect class="whole" x="0" y="0" width="{}" height="10"></rect></svg>'
        '<span aria-hidden="true">{} / {}</span></span>',
        words,
        round(100 * fit / whole, 1),
        round(100 * fit / whole, 1),
        round(100 * reduced / whole, 1),
        round(100 * authorised / whole, 1),
        on_hand,
        authorised,
    )


@register.simple_tag
def sparkline(values: Sequence[int], says: str, size: str = "") -> SafeString:
    """A line over equal steps, from zero to the highest value; the last point is marked."""
    if not values:
        return mark_safe("")
    low, high = min(0, *values), max(1, *values)
    step = 100 / max(1, len(values) - 1)
    points = [
        (round(i * step, 1), round(36 - 32 * (v - low) / (high - low), 1))
        for i, v in enumerate(values)
    ]
    zero = round(36 - 32 * (0 - low) / (high - low), 1)
    if len(points) == 1:
        points = [(0.0, points[0][1]), (100.0, points[0][1])]
    line = " ".join(f"{x},{y}" for x, y in points)
    return format_html(
        '<svg class="spark {}" viewBox="0 0 100 40" preserveAspectRatio="none" role="img"'
        ' aria-label="{}: {}"><path class="base" d="M0,{} H100"></path>'
        '<polyline class="line" points="{}"></polyline></svg>',
        size,
        says,
        ", ".join(str(v) for v in values),
        zero,
        line,
    )


@register.simple_tag
def odds_bar(
    win: int, draw: int, loss: int, failed: int = 0, colour: str = "", other: str = ""
) -> SafeString:
    """Counts of a forecast as shares of all runs, in the colours of the two sides if named."""
    counts = (("win", win), ("draw", draw), ("loss", loss), ("failed", failed))
    looks = {"win": colour and f" side-{colour}", "loss": other and f" side-{other}"}
    total = max(1, win + draw + loss + failed)
    edges, at = [], 0.0
    for name, count in counts:
        width = 1000 * count / total
        edges.append((name + looks.get(name, ""), round(at, 1), round(width, 1)))
        at += width
    bars = format_html_join(
        "", '<rect class="{}" x="{}" y="0" width="{}" height="20"></rect>', edges
    )
    words = ", ".join(f"{count} {name}" for name, count in counts)
    return format_html(
        '<svg viewBox="0 0 1000 20" preserveAspectRatio="none" role="img"'
        ' aria-label="Of {} runs: {}">{}</svg>',
        total,
        words,
        bars,
    )


@register.simple_tag
def histogram(counts: Sequence[tuple[int, int]], says: str) -> SafeString:
    """How often each value came, as bars side by side; in words for who does not see them."""
    if not counts:
        return mark_safe("")
    first, last = counts[0][0], counts[-1][0]
    width = 100 / (last - first + 1)
    most = max(count for _, count in counts)
    bars = format_html_join(
        "",
        '<rect x="{}" y="{}" width="{}" height="{}"></rect>',
        (
            (
                round((value - first) * width, 2),
                round(20 - 20 * count / most, 2),
                round(width * 0.9, 2),
                round(20 * count / most, 2),
            )
            for value, count in counts
        ),
    )
    words = ", ".join(f"{value} in {count}" for value, count in counts[:12])
    return format_html(
        '<svg class="histogram" viewBox="0 0 100 20" preserveAspectRatio="none" role="img"'
        ' aria-label="{}: {}{}">{}</svg>',
        says,
        words,
        " ..." if len(counts) > 12 else "",
        bars,
    )


@register.simple_tag
def luck_bar(gain: float, fair: float) -> SafeString:
    """Where luck lies against fair dice: a band that holds 95 of 100, a mark for what came."""
    reach = 2 * fair or 1
    at = 50 + 50 * max(-1.0, min(1.0, gain / reach))
    return format_html(
        '<svg class="luck" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="band" x="25" y="3" width="50" height="14"></rect>'
        '<path class="base" d="M50,0 V20"></path>'
        '<path class="came" d="M{},0 V20"></path></svg>',
        round(at, 1),
    )


@register.simple_tag
def qr(address: str, says: str) -> SafeString:
    """A QR code of an address, as inline SVG in black on white."""
    code = segno.make(address, error="m").svg_inline(scale=1, border=2, omitsize=True)
    return format_html('<div class="qr" role="img" aria-label="{}">{}</div>', says, mark_safe(code))


@register.simple_tag
def boxes(count: int) -> SafeString:
    """Empty boxes to tick with a pencil, ten to a row at most."""
    count = min(count, 40)
    across, rows = min(count, 10), (count + 9) // 10
    squares = format_html_join(
        "",
        '<rect class="box" x="{}" y="{}" width="10" height="10"></rect>',
        ((1 + 13 * (n % 10), 1 + 13 * (n // 10)) for n in range(count)),
    )
    return format_html(
        '<svg class="boxes" width="{}" height="{}" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>',
        16 * across,
        16 * max(rows, 1),
        13 * across + 1,
        13 * max(rows, 1) + 1,
        squares,
    )
