"""Mobile troops (OST 6.2): motorcycles and cavalry, foot units that heavy ground stops."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.charts import HEXSIDES, TERRAIN
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import MOBILE, TRAITS
from rulesengine.rulesets.ost.state import NONE, OFF, State
from rulesengine.rulesets.ost.transport_events import HALTS, Dismounted, MountedMove


def is_mobile(state: State, unit: int) -> bool:
    return bool(TRAITS[state.kind[unit]] & MOBILE)


def halted_by(ground: Ground, here: int, there: int, streets: tuple[int, ...] = ()) -> str:
    """What stops mobile troops that come from one hex into the next, a key of HALTS; "" for
    nothing. Who keeps to a road, between houses to the street, is stopped by bocage alone. OST
    6.2.2, 6.2.3, 14.5.2, 15.3.10,
    16.1.4, 16.2.4, 16.5.5."""
    by_road = bool(ground.road[there])
    if here != OFF:
        d = ground.grid.direction(here, there)
        edge = ground.edge[here * 6 + d]
        if edge and HEXSIDES[edge - 1].stops_mobile:
            return HEXSIDES[edge - 1].key
        by_road = bool(ground.road[here] >> d & 1)
    if by_road and (there in streets or not ground.structure[there]):
        return ""
    return next((TERRAIN[k].key for k in ground.terrain[there] if TERRAIN[k].stops_mobile), "")


def rule_of(what: str) -> str:
    """The rule of the terrain itself."""
    return HALTS[what][-1]


def as_far_as(
    state: State, unit: int, path: tuple[int, ...], streets: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """A path cut off where it stops mobile troops; for others as it is."""
    if not is_mobile(state, unit):
        return path
    here = state.hex[unit]
    for number, there in enumerate(path, 1):
        if halted_by(state.ground, here, there, streets):
            return path[:number]
        here = there
    return path


def _mounted(state: State, units: tuple[int, ...]) -> tuple[int, ...]:
    kinds = state.kind
    return tuple([c for c in units if TRAITS[kinds[c]] & MOBILE])


def set_out(battle: Battle[State], units: tuple[int, ...]) -> None:
    """Tell of a move of mobile troops. OST 6.2.1, 6.2.4, 6.2.6."""
    state = battle.state
    mounted = _mounted(state, units)
    if mounted:
        laden = any(state.leader[c] != NONE or state.weapon[c] != NONE for c in mounted)
        battle.emit(MountedMove(units=mounted, laden=laden))


def come_into(battle: Battle[State], units: tuple[int, ...], here: int) -> None:
    """Whoever is mobile dismounts in what stops him."""
    state = battle.state
    mounted = _mounted(state, units)
    if not mounted:
        return
    streets = state.frames[-1].streets
    what = halted_by(state.ground, here, state.hex[mounted[0]], streets)
    if what:
        battle.emit(Dismounted(units=mounted, hex=state.hex[mounted[0]], what=what))
