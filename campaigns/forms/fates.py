"""How elements ended: from the counts of a form to single fates, and back to an end's name.

An end is what one counter of the form counts: a condition, `eliminated`, `captured`, `merged`,
`unknown`, or what an element became, written `became:<type>:<condition>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaigns import engine
from campaigns.engine import ELIMINATED, UNKNOWN, Element, Scenario
from campaigns.refusals import Refused

CAPTURED = "captured"
COMBAT = "combat"
MERGED = "merged"
BECAME = "became:"
GONE = (ELIMINATED, CAPTURED)
"""The ends that are losses."""

Fate = dict[str, Any]
"""An element's fate as the result document has it."""

_WORDS = {
    ELIMINATED: "destroyed",
    CAPTURED: "captured",
    UNKNOWN: "not known",
    MERGED: "merged into another",
}


def ends_of(ruleset: str, kind: str, start: Iterable[str], told: Iterable[str] = ()) -> list[str]:
    """Every end an element type can come to, best condition first; `told` adds those in use."""
    known = engine.element_type(ruleset, kind)
    ends = list(known.conditions if known else dict.fromkeys(start))
    if known:
        ends += [f"{BECAME}{b.type}:{b.condition}" for b in known.becomes]
    ends += [end for end in dict.fromkeys(told) if end not in ends and _can_become(ruleset, end)]
    if known and known.merges:
        ends.append(MERGED)
    return [*ends, *GONE, UNKNOWN]


def _can_become(ruleset: str, end: str) -> bool:
    """Whether an end names a type that the catalogue knows, in a condition of that type."""
    if not end.startswith(BECAME):
        return False
    kind, _, condition = end.removeprefix(BECAME).partition(":")
    known = engine.element_type(ruleset, kind)
    return known is not None and condition in known.conditions


def words_of(ruleset: str, end: str) -> str:
    """An end in words."""
    if end.startswith(BECAME):
        kind, condition = end.removeprefix(BECAME).split(":")
        return f"now {engine.title_of(ruleset, kind)}, {condition}"
    return _WORDS.get(end, end)


def end_of(fate: Mapping[str, Any]) -> str:
    """The end that a fate is counted under."""
    after = str(fate["after"])
    became = fate.get("became", "")
    if after == ELIMINATED:
        if fate.get("merged_into"):
            return MERGED
        return CAPTURED if CAPTURED in fate.get("cause", "").lower() else ELIMINATED
    return f"{BECAME}{became}:{after}" if became and became != fate["type"] else after


def fates_of(
    ruleset: str,
    unit: str,
    elements: Sequence[Element],
    ends: Sequence[str],
    kept: Mapping[str, Fate],
    morale: str,
) -> list[Fate]:
    """The fates of a unit's elements of one type. Who ended as `kept` says is taken from it; to
    the rest the ends, best first, are given in the order of their conditions."""
    known = engine.element_type(ruleset, elements[0].type)
    conditions = known.conditions if known else ()
    free_ends = list(ends)
    fates = _standing(elements, free_ends, kept, morale)
    ranked = sorted(elements, key=lambda e: (_rank(conditions, e.condition), e.id))
    free = [element for element in ranked if element.id not in fates]
    for element, end in zip(free, free_ends, strict=True):
        fates[element.id] = _fate(ruleset, unit, element, end, morale)
    return [fates[element.id] for element in elements]


def _fate(ruleset: str, unit: str, element: Element, end: str, morale: str) -> Fate:
    fate = {"unit": unit, "element": element.id, "type": element.type, "before": element.condition}
    if end in (*GONE, MERGED):
        fate |= {"after": ELIMINATED, "cause": COMBAT if end == ELIMINATED else end}
    elif end.startswith(BECAME):
        became, condition = end.removeprefix(BECAME).split(":")
        cause = _why_became(ruleset, element.type, became)
        fate |= {"after": condition, "became": became, "cause": cause}
    else:
        fate |= {"after": end}
        if end != element.condition:
            fate["cause"] = MERGED if _mended(ruleset, element, end) else COMBAT
    if morale and fate["after"] != ELIMINATED:
        fate["morale"] = morale
    return fate


def _why_became(ruleset: str, kind: str, became: str) -> str:
    known = engine.element_type(ruleset, kind)
    return next((b.cause for b in known.becomes if b.type == became), COMBAT) if known else COMBAT


def _mended(ruleset: str, element: Element, end: str) -> bool:
    """Whether an element came out better than it went in: only another can have joined it."""
    known = engine.element_type(ruleset, element.type)
    if known is None or not known.merges or end == UNKNOWN:
        return False
    return _rank(known.conditions, end) < _rank(known.conditions, element.condition)


def _standing(
    elements: Iterable[Element], ends: list[str], kept: Mapping[str, Fate], morale: str
) -> dict[str, Fate]:
    """The standing fates that the form does not change, by element; their ends leave `ends`."""
    known = [kept[element.id] for element in elements if element.id in kept]
    told = {fate.get("morale", "") for fate in known if end_of(fate) not in GONE}
    fates = {}
    for fate in known:
        end = end_of(fate)
        if end in ends:
            ends.remove(end)
            anew = morale and morale not in told and fate["after"] != ELIMINATED
            fates[fate["element"]] = {**fate, "morale": morale} if anew else fate
    return fates


def _rank(conditions: Sequence[str], condition: str) -> int:
    return list(conditions).index(condition) if condition in conditions else len(conditions)


# --- who merged into whom --------------------------------------------------------------------


def merge(scenario: Scenario, fates: list[Fate], into: Mapping[tuple[str, str], str]) -> list[Fate]:
    """Say of each merged element of one side which other took it in.

    `into`: (unit, type) -> the unit whose element it is; else the element's own unit first, then
    any of the side. One that came out better than it went in is taken first. Refused where
    nobody is left to take it in.
    """
    takers = [f for f in fates if end_of(f) not in (*GONE, MERGED)]
    taken = {f["merged_into"] for f in fates if f.get("merged_into")}
    done = []
    for fate in fates:
        if not _went_into(fate) or _told(fate, takers):
            done.append(fate)
            continue
        unit = into.get((fate["unit"], fate["type"]), "")
        taker = _taker(fate, takers, taken, unit)
        if taker is None:
            name = next(u.name for f in scenario.forces for u in f.units if u.id == fate["unit"])
            title = engine.title_of(scenario.ruleset, fate["type"])
            raise Refused(
                f"{name}: a {title} merged into another, but no {title}"
                f"{' of that unit' if unit else ''} was left for it to merge into.",
                path=f"{fate['unit']}:{fate['type']}",
            )
        taken.add(taker["element"])
        done.append({**fate, "merged_into": taker["element"]})
    return done


def _went_into(fate: Fate) -> bool:
    merged = fate.get("merged_into") or fate.get("cause") == MERGED
    return bool(merged) and fate["after"] == ELIMINATED


def _told(fate: Fate, takers: Iterable[Fate]) -> bool:
    """Whether it is said already into whom, and he is still there."""
    return any(fate.get("merged_into") == taker["element"] for taker in takers)


def _taker(fate: Fate, takers: list[Fate], taken: set[str], unit: str) -> Fate | None:
    def order(taker: Fate) -> tuple[bool, bool, bool]:
        return (
            taker.get("cause") != MERGED,
            taker["element"] in taken,
            taker["unit"] != fate["unit"],
        )

    fitting = [t for t in takers if t["type"] == fate["type"] and unit in ("", t["unit"])]
    return min(fitting, key=order, default=None)
