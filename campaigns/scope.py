"""Whether a result speaks only of its own battle: its places, its units, what they could spend.

A result that names others is refused when it arrives, at the field that does. What the engine
itself spent or held in that battle came with the scenario, so a result entered after it may
name that too.
"""

from __future__ import annotations

from collections.abc import Iterable

from campaigns import engine
from campaigns.engine import BattleResult, Scenario
from campaigns.refusals import Refused


def refuse_strangers(
    scenario: Scenario, document: BattleResult, before: Iterable[BattleResult] = ()
) -> None:
    """Refuse a holding of a place that is not of this battle, and a spending of what its unit
    did not have. `before` are results of the same forces that stand already."""
    before = tuple(before)
    _refuse_places(scenario, document, before)
    _refuse_stocks(scenario, document, before)


def _refuse_places(
    scenario: Scenario, document: BattleResult, before: tuple[BattleResult, ...]
) -> None:
    named = {place.hex: place.name for place in getattr(scenario, "control", ())}
    named |= {held.place: held.name for result in before for held in result.holdings}
    for index, holding in enumerate(document.holdings):
        if holding.place in named:
            continue
        by_name = next((key for key, name in named.items() if name == holding.place), "")
        if by_name:
            mend = f'Its place is "{by_name}".'
        elif named:
            mend = engine.did_you_mean(holding.place, named)
        else:
            mend = "It has none to hold: leave the holdings out."
        raise Refused(
            f'This battle has no place "{holding.place}". {mend}',
            path=f"holdings[{index}].place",
        )


def _refuse_stocks(
    scenario: Scenario, document: BattleResult, before: tuple[BattleResult, ...]
) -> None:
    units = {unit.id: unit for force in scenario.forces for unit in force.units}
    stocks = {key: {element.type for element in unit.elements} for key, unit in units.items()}
    for result in before:
        for spent in result.spent:
            stocks.setdefault(spent.unit, set()).add(spent.item)
    for index, spent in enumerate(document.spent):
        if spent.unit not in stocks:
            mend = engine.did_you_mean(spent.unit, stocks)
            raise Refused(
                f'"{spent.unit}" spent {spent.item}, but was not in the battle. {mend}',
                path=f"spent[{index}].unit",
            )
        if spent.item not in stocks[spent.unit]:
            name = units[spent.unit].name if spent.unit in units else spent.unit
            mend = engine.did_you_mean(spent.item, stocks[spent.unit])
            raise Refused(
                f'{name} had no "{spent.item}" to spend. {mend}', path=f"spent[{index}].item"
            )
        if spent.quantity <= 0:
            raise Refused(
                f"{spent.quantity} {spent.item} cannot be spent: say how many, or leave it out.",
                path=f"spent[{index}].quantity",
            )
