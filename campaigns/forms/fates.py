"""How elements ended: from the counts of a form to single fates.

What an end is, and how a fate is counted under one, says `reports.ends`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaigns import engine, scored
from campaigns.engine import ELIMINATED, UNKNOWN, Element, Scenario
from campaigns.refusals import Refused
from campaigns.reports.ends import BECAME, GONE, MERGED, end_of

COMBAT = "combat"

Fate = dict[str, Any]
"""An element's fate as the result document has it."""


def ends_of(ruleset: str, kind: str, start: Iterable[str], told: Iterable[str] = ()) -> list[str]:
    """Every end an element type can come to, best condition first; `told` adds those in use."""
    known = engine.element_type(ruleset, kind)
    ends = list(known.conditions if known else dict.fromkeys(start))
    if known:
        ends += [f"{BECAME}{b.type}:{b.condition}" for b in known.becomes]
    ends += [end for end in dict.fromkeys(told) if end not in ends and _can_become(ruleset, end)]
    if merges_as(ruleset, kind):
        ends.append(MERGED)
    return [*ends, *GONE, UNKNOWN]


def merges_as(ruleset: str, kind: str) -> str:
    """The type as which an element can merge into another: its own, or what it may become
    first (a gun without ammunition is a squad); empty where it cannot."""
    known = engine.element_type(ruleset, kind)
    if known is None:
        return ""
    if known.merges:
        return kind
    later = (engine.element_type(ruleset, b.type) for b in known.becomes)
    return next((k.key for k in later if k and k.merges), "")


def _can_become(ruleset: str, end: str) -> bool:
    """Whether an end names a type that the catalogue knows, in a condition of that type."""
    if not end.startswith(BECAME):
        return False
    kind, _, condition = end.removeprefix(BECAME).partition(":")
    known = engine.element_type(ruleset, kind)
    return known is not None and condition in known.conditions


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
    stands = morale_of(ruleset, [fate for fate in kept.values() if fate["unit"] == unit])
    fates = _standing(elements, free_ends, kept, "" if morale == stands else morale)
    ranked = sorted(elements, key=lambda e: (_rank(conditions, e.condition), e.id))
    free = [element for element in ranked if element.id not in fates]
    for element, end in zip(free, free_ends, strict=True):
        fates[element.id] = _fate(ruleset, unit, element, end, morale)
    return [fates[element.id] for element in elements]


def _fate(ruleset: str, unit: str, element: Element, end: str, morale: str) -> Fate:
    fate = {"unit": unit, "element": element.id, "type": element.type, "before": element.condition}
    if end in (*GONE, MERGED):
        fate |= {"after": ELIMINATED, "cause": COMBAT if end == ELIMINATED else end}
        if end == MERGED and merges_as(ruleset, element.type) != element.type:
            fate["became"] = merges_as(ruleset, element.type)
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


def worth_of(
    types: Mapping[str, engine.ElementType], ruleset: str, kind: str, condition: str, end: str
) -> int:
    """Casualty points of an element that began in a condition and came to an end."""
    element = Element(id="", type=kind, condition=condition)
    fate = _fate(ruleset, "", element, end, "")
    if end == MERGED:
        fate["merged_into"] = "another"
    return scored.worth(types, engine.ElementFate(**fate))


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
    """The standing fates that the form does not change, by element; their ends leave `ends`.
    `morale` is set where the form says another than stood of the unit."""
    fates = {}
    for fate in (kept[element.id] for element in elements if element.id in kept):
        end = end_of(fate)
        if end in ends:
            ends.remove(end)
            anew = morale and fate["after"] != ELIMINATED
            fates[fate["element"]] = {**fate, "morale": morale} if anew else fate
    return fates


def morale_of(ruleset: str, fates: Iterable[Fate]) -> str:
    """A unit's morale as its form shows it: that of its worst element that is left."""
    words = engine.catalogue(ruleset).morale
    told = {fate.get("morale", "") for fate in fates if fate["after"] != ELIMINATED}
    return next((word for word in reversed(words) if word in told), "")


def _rank(conditions: Sequence[str], condition: str) -> int:
    return list(conditions).index(condition) if condition in conditions else len(conditions)


# --- who merged into whom --------------------------------------------------------------------


def merge(
    scenario: Scenario,
    fates: list[Fate],
    into: Mapping[tuple[str, str], str],
    kept: Mapping[str, Fate],
) -> list[Fate]:
    """Say of each merged element of one side which other took it in.

    `into`: (unit, type) -> the unit whose element it is; else the element's own unit first, then
    any of the side. One that came out better than it went in is taken first. What the standing
    fates `kept` say of it holds, whatever became of the taker afterwards: he may have fallen or
    merged in turn. Refused where nobody is left to take it in.
    """
    takers = [f for f in fates if end_of(f) not in (*GONE, MERGED)]
    taken = {f["merged_into"] for f in fates if f.get("merged_into")}
    now = {fate["element"]: fate for fate in fates}
    done = []
    for fate in fates:
        unit = into.get((fate["unit"], fate["type"]), "")
        if not _went_into(fate) or _holds(fate, now, kept, unit):
            done.append(fate)
            continue
        taker = _taker(fate, takers, taken, unit)
        if taker is None:
            name = next(u.name for f in scenario.forces for u in f.units if u.id == fate["unit"])
            title = engine.title_of(scenario.ruleset, _now(fate))
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


def _holds(fate: Fate, now: Mapping[str, Fate], kept: Mapping[str, Fate], into: str) -> bool:
    """Whether what is said already of who took it in can stand: as told, or he is still there;
    and the form does not name a unit that took in nobody of this row."""
    taker = now.get(fate.get("merged_into", ""))
    if taker is None:
        return False
    if taker != kept.get(taker["element"]) and end_of(taker) in (*GONE, MERGED):
        return False
    row = (fate["unit"], fate["type"])
    named = {
        now[other["merged_into"]]["unit"]
        for other in now.values()
        if (other["unit"], other["type"]) == row and other.get("merged_into") in now
    }
    return into in ("", *named)


def _now(fate: Fate) -> str:
    return str(fate.get("became") or fate["type"])


def _taker(fate: Fate, takers: list[Fate], taken: set[str], unit: str) -> Fate | None:
    def order(taker: Fate) -> tuple[bool, bool, bool]:
        return (
            taker.get("cause") != MERGED,
            taker["element"] in taken,
            taker["unit"] != fate["unit"],
        )

    fitting = [t for t in takers if _now(t) == _now(fate) and unit in ("", t["unit"])]
    return min(fitting, key=order, default=None)
