"""From the air to the ground (OST 26.3.3 to 26.3.7): where a drift ends, what ground does to who
comes down in it, what waits there for him."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import TERRAIN, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.flights import ahead
from rulesengine.rulesets.ost.going import take_control
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import CATEGORY, VEHICLE
from rulesengine.rulesets.ost.mines import sprung
from rulesengine.rulesets.ost.state import OFF, State
from rulesengine.rulesets.ost.works import flatten_wire

HARD, ROUGH = -3, -5
"""Columns of a hard landing. OST 26.3.5."""
OPEN = frozenset(TERRAIN_BY_KEY[key] for key in ("open", "hill", "road"))
BREAKING = frozenset(TERRAIN_BY_KEY[key] for key in ("woods", "orchard", "stream", "deep water"))
"""Beside structures; a deep river is of the same chapter as a stream. OST 26.3.5, 14.8.1."""


def drift(battle: Battle[State], h: int) -> tuple[tuple[Roll, Roll], int, bool]:
    """Direction and distance as for artillery, but the map's edge stops it. OST 26.3.3, 26.3.4,
    26.4.2, 26.4.12, 33.3."""
    direction, distance = battle.dice.roll(6, 1), battle.dice.roll(6, 1)
    there, edge = blown(battle.state.ground, h, direction.total, distance.total)
    return (direction, distance), there, edge


def blown(ground: Ground, h: int, direction: int, distance: int) -> tuple[int, bool]:
    """(hex so far in a direction or the last playable one, whether that came first)."""
    for _ in range(distance):
        there = ahead(ground, h, direction - 1)
        if there < 0:
            return h, True
        h = there
    return h, False


def arrive(battle: Battle[State], units: tuple[int, ...]) -> None:
    """What waits on the ground, and control of the hex. OST 13.3.1, 13.6.5, 3.2.2."""
    settle_in(battle, units)
    take_control(battle, units)


def settle_in(battle: Battle[State], units: tuple[int, ...]) -> None:
    """Mines go off under who has come down, wire is driven flat. OST 13.3.1, 13.6.5."""
    state = battle.state
    here = tuple(c for c in units if state.hex[c] != OFF)
    for c in here:
        if CATEGORY[state.kind[c]] == VEHICLE:
            flatten_wire(battle, c)
    if here:
        sprung(battle, here)


def harm(ground: Ground, h: int) -> int:
    """The column of a hard landing in a hex: -3, -5, or 0 in the open. OST 26.3.5, 26.3.7."""
    terrain = ground.terrain[h]
    if ground.structure[h] or any(k in BREAKING or TERRAIN[k].collapse for k in terrain):
        return HARD
    return ROUGH if any(k not in OPEN for k in terrain) else 0
