"""What a pack prints otherwise on counters, checked: known counters, figures that they have."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from rulesengine.rulesets.ost.catalogue import BY_KEY, ROWS, UnitType
from rulesengine.rulesets.ost.map_check import Found, add, near
from rulesengine.rulesets.ost.recasts import CARRIES, MAKES_IT_WHAT_IT_IS, Recast

MOST = 40
"""Of any figure: no gun reaches farther, nothing is stronger."""
TRAITS_KNOWN = frozenset(trait for t in ROWS for trait in t.traits)


def check_recasts(counters: Any, found: Found) -> None:
    """Add every fault of the counters a scenario prints otherwise."""
    if counters is UNSET:
        return
    seen: set[str] = set()
    for index, recast in enumerate(counters):
        where = f'counters[{index}] ("{recast.key}")'
        if recast.key not in BY_KEY:
            what = f'no counter "{recast.key}" in the catalogue.'
            add(found, f"{where}.key", what, near(recast.key, BY_KEY))
            continue
        if recast.key in seen:
            add(found, where, "it is recast twice.", "Write its figures in one entry.")
        seen.add(recast.key)
        _check_figures(recast, ROWS[BY_KEY[recast.key]], where, found)


def _check_figures(recast: Recast, printed: UnitType, where: str, found: Found) -> None:
    figures = recast.figures
    if not figures:
        add(
            found, where, "it names no figure, so it changes nothing.", "Name one, or leave it out."
        )
    carries = CARRIES[printed.category]
    for name, value in figures.items():
        place = f"{where}.{name}"
        if name not in carries:
            what = f"a {printed.category} has no {name.replace('_', ' ')}."
            add(found, place, what, f"It has: {', '.join(carries)}.")
        elif name == "traits":
            _check_traits(value, printed, place, found)
        elif name == "ap" and printed.ap_at and "ap_at" not in figures:
            what = "the AP of this counter changes with the range."
            add(found, place, what, "Write ap_at, five figures for 0, 5, 10, 15 and 20 hexes.")
        else:
            _check_bounds(value, place, found)


def _check_bounds(value: Any, place: str, found: Found) -> None:
    numbers = value if isinstance(value, tuple) else (value,)
    for number in numbers:
        if not 0 <= number <= MOST:
            add(found, place, f"{number}; a figure of a counter is 0 to {MOST}")


def _check_traits(traits: tuple[str, ...], printed: UnitType, place: str, found: Found) -> None:
    for trait in traits:
        if trait not in TRAITS_KNOWN:
            add(found, place, f'no trait "{trait}".', near(trait, TRAITS_KNOWN))
    moved = MAKES_IT_WHAT_IT_IS & (set(traits) ^ set(printed.traits))
    for trait in sorted(moved):
        word = "lose" if trait in printed.traits else "become"
        what = f'a {printed.category} cannot {word} "{trait}": it would be another counter'
        add(found, place, what)
