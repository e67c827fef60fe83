"""Glider landings (OST 26.4): the drift, the way along the ground, the crash."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import blast
from rulesengine.rulesets.ost.airborne_events import CrashRolled, GliderDown, GliderReleased
from rulesengine.rulesets.ost.charts import TERRAIN, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.descent import OPEN, drift, harm, settle_in
from rulesengine.rulesets.ost.events import MeleeMarked, Revealed
from rulesengine.rulesets.ost.fire import BOCAGE
from rulesengine.rulesets.ost.flights import ahead
from rulesengine.rulesets.ost.going import hidden_enemies, take_control
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.state import NONE, OFF, State

RUN = 4
"""Hexes of a landing. OST 26.4.5."""
CRASHED, LANDED = -3, -5
"""Columns of the attack on each unit aboard. OST 26.4.8, 26.4.9."""
WOODS = TERRAIN_BY_KEY["woods"]
HEAVY = ("blocks", "structure")
"""What blocks sight. OST 26.4.6."""


def come_down(battle: Battle[State], number: int, *, moved: bool) -> None:
    """One glider, from its drift to the men on the ground. OST 26.4."""
    state = battle.state
    flight = state.flights[number]
    rolls, here, edge = drift(battle, state.flown[number])
    way = battle.dice.roll(6, 1)
    facing = way.total - 1
    battle.emit(
        GliderReleased(
            flight=number,
            side=flight.side,
            rolls=(*rolls, way),
            hex=here,
            facing=facing,
            edge=edge,
        )
    )
    path, why = _run(battle, number, here, facing)
    h = path[-1] if path else here
    met = hidden_enemies(state, flight.side, h)
    if met:
        battle.emit(Revealed(units=met, why="met"))
    battle.emit(
        GliderDown(
            flight=number,
            side=flight.side,
            hex=h,
            path=path,
            why=why,
            units=flight.units,
            facing=facing,
            wreck=leaves_wreck(state.ground, h),
            edge=len(path) < RUN and not why,
            moved=moved,
        )
    )
    for unit in flight.units:
        if state.hex[unit] != OFF:
            column = CRASHED if why else LANDED
            blast.strike_at(battle, unit, column, "glider crash" if why else "glider landing")
    alive = tuple(c for c in flight.units if state.hex[c] == h)
    settle_in(battle, alive)
    both = state.in_hex(h, flight.side) and state.in_hex(h, 1 - flight.side)
    if both and h not in state.melees:
        battle.emit(MeleeMarked(hex=h, side=flight.side, crash=True))
    take_control(battle, alive)


def _run(battle: Battle[State], number: int, here: int, facing: int) -> tuple[tuple[int, ...], str]:
    """(hexes passed along the ground, what stopped it). A glider that has no hex before it comes
    down where it is. OST 26.4.5, 26.4.12, 26.4.13."""
    path: list[int] = []
    why = ""
    while len(path) < RUN and not why:
        there = ahead(battle.state.ground, here, facing)
        if there < 0:
            break
        why = _stops(battle, number, here, there)
        path.append(there)
        here = there
    if not path:
        why = _stops(battle, number, NONE, here)
    return tuple(path), why


def _stops(battle: Battle[State], number: int, here: int, there: int) -> str:
    """What wrecks a glider on its way into a hex, "" if nothing does: a key of CRASHES. OST
    26.4.6, 26.4.7, 26.4.14."""
    state = battle.state
    side = state.flights[number].side
    if state.in_hex(there, 1 - side):
        return "enemy"
    rolls = state.options.gliders_roll_for_bocage is True
    why, certain = hazard(state.ground, here, there, rolls_for_bocage=rolls)
    if certain or not why:
        return why
    roll = battle.dice.roll(6, 1)
    rolled = CrashRolled(flight=number, side=side, hex=there, roll=roll, hexside=why == "hexside")
    battle.emit(rolled)
    return why if rolled.crashes else ""


def hazard(ground: Ground, here: int, there: int, *, rolls_for_bocage: bool) -> tuple[str, bool]:
    """(what can wreck a glider on its way into a hex, whether it does so without a roll). The
    ground of the hex is rolled for before its hexside. OST 26.4.6, 26.4.7."""
    if is_heavy(ground, there):
        return "heavy terrain", True
    hexside = edge_between(ground, here, there)
    if hexside == BOCAGE and not rolls_for_bocage:
        return "hexside", True
    if harm(ground, there):
        return "terrain", False
    return ("hexside", False) if hexside else ("", False)


def is_heavy(ground: Ground, h: int) -> bool:
    """Whether nothing gets through: terrain that blocks sight. OST 26.4.6. A hill, however it is
    drawn, is open ground."""
    return any(TERRAIN[k].sight in HEAVY and k not in OPEN for k in ground.terrain[h])


def edge_between(ground: Ground, here: int, there: int) -> int:
    """The hexside terrain crossed, as `sight.shield` numbers it; 0 for none."""
    if here == NONE:
        return 0
    return ground.edge[here * 6 + ground.grid.direction(here, there)]


def leaves_wreck(ground: Ground, h: int) -> bool:
    """OST 26.4.11."""
    return not ground.structure[h] and WOODS not in ground.terrain[h]
