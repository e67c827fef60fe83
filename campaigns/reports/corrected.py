"""What a correction tells otherwise than the result that stands, and which points go with it.

The ledger's lines alone do not say it: one who fell and one who was taken leave their unit alike,
and points are a figure of their own that nobody moves by moving the fallen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from campaigns import engine, scored
from campaigns.engine import BattleResult, ElementFate, Scenario
from campaigns.reports.ends import fate_in_words


@dataclass(frozen=True)
class Changed:
    """One figure or fate that is told otherwise."""

    side: str
    """The key of the side it is of; empty for what is of both."""
    unit: str
    """The unit's key; empty for what everybody may know."""
    who: str
    what: str
    was: str
    will: str


def changes(scenario: Scenario, was: BattleResult, will: BattleResult) -> tuple[Changed, ...]:
    """Every fate and every figure that two results of one battle tell differently."""
    return (
        *_fates(scenario, was, will),
        *_spent(scenario, was, will),
        *_figures(scenario, was, will),
    )


def _fates(scenario: Scenario, was: BattleResult, will: BattleResult) -> Iterable[Changed]:
    units = {unit.id: (force.side, unit.name) for force in scenario.forces for unit in force.units}
    home = {fate.element: fate.unit for fate in was.elements}
    stood = {fate.element: fate for fate in was.elements}

    def words(fate: ElementFate) -> str:
        taker = units.get(home.get(fate.merged_into, ""), ("", ""))[1]
        return fate_in_words(scenario.ruleset, msgspec.to_builtins(fate), taker)

    found: Counter[tuple[str, str, str, str]] = Counter()
    for fate in will.elements:
        old = stood.get(fate.element, fate)
        if fate != old and fate.unit in units:
            # Another taker in the same unit reads alike, and yet it is told otherwise.
            other = " of another element" if words(fate) == words(old) else ""
            found[fate.unit, fate.type, words(old), words(fate) + other] += 1
    for (unit, kind, before, after), count in found.items():
        title = engine.title_of(scenario.ruleset, kind)
        side, name = units[unit]
        yield Changed(side, unit, name, f"{count} × {title}" if count > 1 else title, before, after)


def _spent(scenario: Scenario, was: BattleResult, will: BattleResult) -> Iterable[Changed]:
    units = {unit.id: (force.side, unit.name) for force in scenario.forces for unit in force.units}
    sums: dict[tuple[str, str], list[int]] = {}
    for place, document in enumerate((was, will)):
        for spent in document.spent:
            sums.setdefault((spent.unit, spent.item), [0, 0])[place] += spent.quantity
    for (unit, item), (before, after) in sums.items():
        if before != after and unit in units:
            side, name = units[unit]
            title = engine.title_of(scenario.ruleset, item)
            yield Changed(side, unit, name, f"{title} used up", str(before), str(after))


def _figures(scenario: Scenario, was: BattleResult, will: BattleResult) -> Iterable[Changed]:
    names = {side.key: side.name for side in scenario.sides}

    def ending(document: BattleResult) -> str:
        winner = document.ending.winner
        return f"{names.get(winner, winner)} won" if winner else document.ending.kind

    pairs = [
        ("Who won", ending(was), ending(will)),
        ("How", was.ending.how, will.ending.how),
        ("Turns played", str(was.turns), str(will.turns)),
    ]
    for what, before, after in pairs:
        if before != after:
            yield Changed("", "", "The battle", what, before, after)
    sums: dict[tuple[str, str, str], list[int]] = {}
    for place, document in enumerate((was, will)):
        for points in document.points:
            row = sums.setdefault((points.side, points.what, points.why), [0, 0])
            row[place] += points.quantity
    for (side, kind, why), (first, last) in sums.items():
        if first != last:
            what = f"{kind.capitalize()} points: {why}"
            yield Changed(side, "", names.get(side, side), what, str(first), str(last))
    held = [{h.place: h.side for h in document.holdings} for document in (was, will)]
    titles = {h.place: h.name for document in (was, will) for h in document.holdings}
    for at, name in titles.items():
        first_, last_ = (
            names.get(rows[at], rows[at]) or "nobody" if at in rows else "not reported"
            for rows in held
        )
        if first_ != last_:
            yield Changed("", "", name, "Held by", first_, last_)


# --- points for losses -------------------------------------------------------------------------


def points_behind(scenario: Scenario, was: BattleResult, will: BattleResult) -> list[str]:
    """Sentences about points that the plan's own doubts cannot tell, which see one result alone:
    what was entered did not follow the losses, or may hold points of losses that changed."""
    before, now = scored.losses(scenario, was), scored.losses(scenario, will)
    told = []
    for side in scenario.sides:
        other = next(s for s in scenario.sides if s.key != side.key)
        old, new = before[other.key], now[other.key]
        stood = scored.total(was, side.key, "casualty")
        if scored.counts_losses(scenario) and stood != old:
            told.append(
                f"{side.name}: the casualty points before the correction, {stood}, did not follow"
                f" the losses of {other.name}, which came to {old}. By the corrected losses they"
                f" come to {new}."
            )
        each = scored.rate(scenario)
        points = [scored.total(result, side.key, "victory") for result in (was, will)]
        mixed = not scored.losses_alone(scenario, side.key)
        split = any(p.why == scored.ENEMY_LOSSES for p in will.points if p.side == side.key)
        if each and old != new and points[0] == points[1] and mixed and not split:
            told.append(
                f"{side.name}: victory points stay {points[1]}. Losses of {other.name} made"
                f" {each * old} before and make {each * new} now: look whether {points[1]} is"
                " with them."
            )
    return told
