"""Whether a result can be of its own battle: its forces, places, sides, turns and stocks.

One that cannot is refused when it arrives, at the field that says so, whether it is a whole or
one side's half. What the engine itself spent or held in that battle came with the scenario, so a
result entered after it may name that too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from campaigns import engine, fates
from campaigns.engine import ELIMINATED, BattleResult, Scenario
from campaigns.fates import Fault
from campaigns.refusals import Refused

Before = tuple[BattleResult, ...]


def settled(
    scenario: Scenario,
    document: BattleResult,
    before: Iterable[BattleResult] = (),
    side: str = "",
) -> BattleResult:
    """The document with the places named as the scenario names them. Refuses what cannot be.

    `before` are results of the same forces that stand already; with a `side` it is that side's
    half, and nothing told of a fault names the other's forces.
    """
    before = tuple(before)
    if document.scenario and document.scenario != engine.digest(scenario):
        raise Refused("This result is of other forces than those that locked.", path="scenario")
    if side:
        own = tuple(force for force in scenario.forces if force.side == side)
        scenario = msgspec.structs.replace(scenario, forces=own)
    told = (*faults(scenario, document, before), *fates.faults(scenario, document))
    fault = next((fault for fault in told if not fault.waits), None)
    if fault is not None:
        raise Refused(fault.why, path=fault.path)
    named = _places(scenario, before)
    holdings = tuple(
        msgspec.structs.replace(held, name=named[held.place]) for held in document.holdings
    )
    return msgspec.structs.replace(document, holdings=holdings)


def faults(scenario: Scenario, document: BattleResult, before: Before = ()) -> Iterator[Fault]:
    """What the document says of all but its elements, and cannot be."""
    sides = [side.key for side in scenario.sides]
    yield from _ending(document, sides)
    yield from _turns(scenario, document)
    yield from _points(scenario, document, sides)
    yield from _holdings(document, sides, _places(scenario, before))
    yield from _stocks(scenario, document, before)


def _ending(document: BattleResult, sides: list[str]) -> Iterator[Fault]:
    ending = document.ending
    if ending.kind == "failed":
        why = f"The battle failed: {ending.how}. There is nothing to post."
        yield Fault("ending.kind", f"{why} A battle that was fought is a win or a draw.")
    elif ending.kind != "win" and ending.winner:
        why = f"The result says {ending.kind}, and yet that a side won."
        yield Fault("ending.winner", why)
    elif ending.kind == "win" and ending.winner not in sides:
        mend = engine.did_you_mean(ending.winner, sides)
        why = f"The result says that somebody won, but not which side. {mend}"
        yield Fault("ending.winner", why)


def _turns(scenario: Scenario, document: BattleResult) -> Iterator[Fault]:
    most = scenario.most_turns
    if document.turns < 0:
        why = f"{document.turns} turns were played; it cannot be less than none."
        yield Fault("turns", why)
    elif most is not None and document.turns > most:
        played = engine.many(document.turns, "turn")
        yield Fault("turns", f"{played} played; this battle has {most} at most.")


def _points(scenario: Scenario, document: BattleResult, sides: list[str]) -> Iterator[Fault]:
    """A side scores some points or none; only who starts behind can have fewer victory points."""
    behind = dict(zip(sides, scenario.head_start, strict=True))
    for index, points in enumerate(document.points):
        if points.side not in sides:
            mend = engine.did_you_mean(points.side, sides)
            why = f'Points are scored by "{points.side}", which is no side here. {mend}'
            yield Fault(f"points[{index}].side", why)
        elif points.quantity < 0:
            left = min(0, behind[points.side]) if points.what == "victory" else 0
            if points.quantity < left:
                least = f"it starts with {left}" if left else "a side scores some or none"
                why = f"{points.quantity} {points.what} points cannot be scored: {least}."
                yield Fault(f"points[{index}].quantity", why)
            elif points.what == "victory":
                behind[points.side] -= points.quantity


def _places(scenario: Scenario, before: Before) -> Mapping[str, str]:
    """What can be held: place -> its name."""
    told = {held.place: held.name for result in before for held in result.holdings}
    return told | {place.hex: place.name for place in getattr(scenario, "control", ())}


def _holdings(
    document: BattleResult, sides: list[str], named: Mapping[str, str]
) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, holding in enumerate(document.holdings):
        path = f"holdings[{index}]"
        if holding.place not in named:
            mend = _place_meant(holding.place, named)
            yield Fault(f"{path}.place", f'This battle has no place "{holding.place}". {mend}')
            continue
        name = named[holding.place]
        if holding.place in seen:
            why = f"{name} ({holding.place}) is reported twice: one side holds it, or nobody."
            yield Fault(f"{path}.place", why)
        seen.add(holding.place)
        if holding.side and holding.side not in sides:
            mend = engine.did_you_mean(holding.side, sides)
            yield Fault(f"{path}.side", f'{name} is held by "{holding.side}", no side here. {mend}')


def _place_meant(place: str, named: Mapping[str, str]) -> str:
    by_name = next((key for key, name in named.items() if engine.alike(name, place)), "")
    if by_name:
        return f'Its place is "{by_name}".'
    if named:
        return engine.did_you_mean(place, named)
    return "It has none to hold: leave the holdings out."


def _stocks(scenario: Scenario, document: BattleResult, before: Before) -> Iterator[Fault]:
    units = {unit.id: unit for force in scenario.forces for unit in force.units}
    brought = Counter((key, e.type) for key, unit in units.items() for e in unit.elements)
    used = Counter[tuple[str, str]]()
    for spent in (spent for result in before for spent in result.spent):
        used[spent.unit, spent.item] += spent.quantity
    stocks: dict[str, set[str]] = {key: set() for key in units}
    for key, item in (*brought, *used):
        stocks.setdefault(key, set()).add(item)
    gone = Counter((f.unit, f.type) for f in document.elements if _is_gone(f))
    taken = Counter[tuple[str, str]]()
    for index, spent in enumerate(document.spent):
        path, stock = f"spent[{index}]", (spent.unit, spent.item)
        if spent.unit not in stocks:
            mend = engine.did_you_mean(spent.unit, stocks)
            why = f'"{spent.unit}" spent {spent.item}, but was not in the battle. {mend}'
            yield Fault(f"{path}.unit", why)
            continue
        name = units[spent.unit].name if spent.unit in units else spent.unit
        if spent.item not in stocks[spent.unit]:
            mend = engine.did_you_mean(spent.item, stocks[spent.unit])
            yield Fault(f"{path}.item", f'{name} had no "{spent.item}" to spend. {mend}')
            continue
        if spent.quantity <= 0:
            why = f"{spent.quantity} {spent.item} cannot be spent: say how many, or leave it out."
            yield Fault(f"{path}.quantity", why)
            continue
        taken[stock] += spent.quantity
        if brought[stock] and taken[stock] > brought[stock] - gone[stock] + used[stock]:
            title = engine.title_of(scenario.ruleset, spent.item)
            lost = f", {gone[stock]} of them reported lost" if gone[stock] else ""
            why = f"{name} had {brought[stock]} {title}{lost}: {taken[stock]} cannot be spent."
            yield Fault(f"{path}.quantity", why)


def _is_gone(fate: engine.ElementFate) -> bool:
    """Whether an element leaves its unit as what it was, so that it cannot be spent besides."""
    return fate.after == ELIMINATED or bool(fate.became and fate.became != fate.type)
