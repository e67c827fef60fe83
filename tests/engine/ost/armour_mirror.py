"""The armour battle made fair: both sides have the same counters, those of one nation and then of
the other. As it is printed the Germans win nine in ten, whoever plays them."""

from __future__ import annotations

from functools import cache

import msgspec

from rulesengine.documents import Element, Force, Unit
from rulesengine.rulesets.ost.scenario import OstScenario
from tests.engine.ost.battles import ARMOUR, scenario


@cache
def even(kit: str) -> OstScenario:
    """The armour battle in which both sides have the counters of side `kit`."""
    battle = scenario(ARMOUR)
    units = next(force.units for force in battle.forces if force.side == kit)
    forces = tuple(
        Force(side=force.side, units=tuple(_copy(force.side, unit) for unit in units))
        for force in battle.forces
    )
    return msgspec.structs.replace(battle, forces=forces, key=f"armour-even-{kit}")


def _copy(side: str, unit: Unit) -> Unit:
    elements = tuple(
        Element(id=f"{side}-{unit.id}/{n}", type=element.type)
        for n, element in enumerate(unit.elements)
    )
    return msgspec.structs.replace(unit, id=f"{side}-{unit.id}", elements=elements)
