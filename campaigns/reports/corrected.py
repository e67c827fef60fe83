"""What a correction tells otherwise than the result that stands, and which points go with it.

The ledger's lines alone do not say it: one who fell and one who was taken leave their unit alike,
and points are a figure of their own that nobody moves by moving the fallen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from campaigns import engine
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
    """Sentences about points for enemy losses that stay while the losses change.

    Losses are counted by the points of each element type; only the difference between the two
    results counts, so what else the game scored for a loss is kept.
    """
    of_unit = {unit.id: force.side for force in scenario.forces for unit in force.units}
    names = {side.key: side.name for side in scenario.sides}
    worth: Counter[str] = Counter()
    for document, sign in ((will, 1), (was, -1)):
        for fate in document.elements:
            if fate.unit in of_unit:
                worth[of_unit[fate.unit]] += sign * _worth(scenario.ruleset, fate)
    told = []
    for side in scenario.sides:
        other = next(s.key for s in scenario.sides if s.key != side.key)
        if not worth[other]:
            continue
        rates = {"casualty": 1, "victory": _per_loss(scenario)}
        for what, rate in rates.items():
            stood, stands = (_sum(document, side.key, what) for document in (was, will))
            if not rate or stood != stands:
                continue
            losses = _sum(was, side.key, what, "enemy losses")
            told.append(
                f"{names[side.key]}: {what} points for enemy losses stay {losses}; by the new"
                f" losses they would be {losses + rate * worth[other]}. To have it so, change"
                f" the figure and set {what} points to {stood + rate * worth[other]}"
                f" (now {stood})."
            )
    return told


def _sum(document: BattleResult, side: str, what: str, why: str = "") -> int:
    return sum(
        p.quantity
        for p in document.points
        if (p.side, p.what) == (side, what) and p.why.startswith(why)
    )


def _per_loss(scenario: Scenario) -> int:
    """Victory points for each casualty point of the enemy; 0 where the scenario has none."""
    return int(getattr(getattr(scenario, "victory", None), "per_casualty", 0))


def _worth(ruleset: str, fate: ElementFate) -> int:
    """Casualty points of what became of one element."""
    kind, before, worth = fate.type, fate.before, 0
    if fate.became and fate.became != fate.type:
        known = engine.element_type(ruleset, fate.type)
        later = engine.element_type(ruleset, fate.became)
        change = next((b for b in known.becomes if b.type == fate.became), None) if known else None
        kind, before = fate.became, change.condition if change else fate.after
        # Who leaves a vehicle leaves a wreck; who leaves a gun without ammunition lost nothing.
        if known and not (later and later.merges):
            worth = known.points
    return worth + _lost(ruleset, kind, fate.after) - _lost(ruleset, kind, before)


def _lost(ruleset: str, kind: str, condition: str) -> int:
    """Points lost of an element in a condition: each step down is one where there are as many
    conditions as points; other damage scores nothing."""
    known = engine.element_type(ruleset, kind)
    if known is None:
        return 0
    if condition == engine.ELIMINATED:
        return known.points
    stepped = len(known.conditions) == known.points and condition in known.conditions
    return known.conditions.index(condition) if stepped else 0
