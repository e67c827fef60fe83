"""What a vehicle or a gun is and can do (OST 9, 8.0, 23.4): figures by type, facts of one counter.

Facing is a hexside, 0 (north) to 5. The front arc is what lies through the hexside faced and the
two beside it; the lines between front and flank belong to the flank.
"""

from __future__ import annotations

from rulesengine.geometry.hexes import DIRECTIONS
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.charts import TO_HIT
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.state import (
    BROKEN,
    CATEGORY,
    CREWED,
    DUAL,
    GUN,
    HULL_OUT,
    IMMOBILE,
    LIMITED,
    MAIN_OUT,
    MGS_OUT,
    NONE,
    SOFT,
    STUCK,
    TRAITS,
    VEHICLE,
    State,
)

FRONT = [t.front for t in TYPES]
FLANK = [t.flank for t in TYPES]
AP = [t.ap_at or ((t.ap,) * 5 if t.ap else ()) for t in TYPES]
"""By type; at 0, 5, 10, 15 and 20 hexes, each to the next; empty without AP."""
HE = [t.fp for t in TYPES]
MAIN_RANGE = [t.range for t in TYPES]
MG = [t.mg_fp for t in TYPES]
MG_RANGE = [t.mg_range for t in TYPES]
HULL_AP = [t.hull_ap_at for t in TYPES]
HULL_HE = [t.hull_fp for t in TYPES]
HULL_RANGE = [t.hull_range for t in TYPES]
WHEELED, TRACKED = 1, 2
DRIVE = [{"": 0, "wheeled": WHEELED, "tracked": TRACKED}[t.drive] for t in TYPES]
HAS_MAIN = [bool(t.category == "vehicle" and (t.fp or t.ap)) for t in TYPES]

LONGEST = TO_HIT[-1].up_to
NEEDED = [next(r.needed for r in TO_HIT if d <= r.up_to) for d in range(LONGEST + 1)]
"""To hit a vehicle, by distance. OST 29.0.4."""


def ap_at(figures: tuple[int, ...], distance: int) -> int:
    """AP of a weapon at a distance; 0 if it has none. OST 29.0.6."""
    return figures[min(4, distance // 5)] if figures else 0


def in_front(ground: Ground, target: int, facing: int, firer: int) -> bool:
    """Whether hex `firer` lies in the front arc of a vehicle in hex `target`. OST 23.4.1, 23.4.2.

    The arc is half of the plane; its border, a line along hexsides, is flank.
    """
    grid = ground.grid
    dq, dr = grid.q[firer] - grid.q[target], grid.r[firer] - grid.r[target]
    fq, fr = DIRECTIONS[facing]
    return 2 * (dq * fq + dr * fr) + dq * fr + dr * fq > 0


def is_vehicle(state: State, c: int) -> bool:
    return CATEGORY[state.kind[c]] == VEHICLE


def is_armored(state: State, c: int) -> bool:
    """A hard target. OST 9.0.p1."""
    kind = state.kind[c]
    return CATEGORY[kind] == VEHICLE and not TRAITS[kind] & SOFT


def is_gun(state: State, c: int) -> bool:
    """A crewed anti-tank gun."""
    kind = state.kind[c]
    return CATEGORY[kind] == CREWED and bool(TRAITS[kind] & GUN)


def main_works(state: State, c: int) -> bool:
    """Whether the main armament, of two that in the turret, can fire. OST 29.3.p6."""
    return HAS_MAIN[state.kind[c]] and not state.damage[c] & MAIN_OUT


def hull_works(state: State, c: int) -> bool:
    """Whether there is a second main armament in the hull and it can fire. OST 9.3."""
    return bool(TRAITS[state.kind[c]] & DUAL) and not state.damage[c] & HULL_OUT


def mgs_work(state: State, c: int) -> bool:
    return bool(MG[state.kind[c]]) and not state.damage[c] & MGS_OUT


def is_armed(state: State, c: int) -> bool:
    """Whether any armament of a vehicle still works. OST 25.0.11, 30.2.5."""
    return main_works(state, c) or hull_works(state, c) or mgs_work(state, c)


def main_left(state: State, c: int) -> bool:
    """Whether a main armament may be fired again this turn. OST 9.4.1."""
    return not (TRAITS[state.kind[c]] & LIMITED and state.main_fired[c])


def is_immobile(state: State, c: int) -> bool:
    """Bogged, immobilised: it cannot leave its hex."""
    return bool(state.bogged[c] or state.damage[c] & (IMMOBILE | STUCK))


def shocks(state: State, c: int) -> bool:
    """Whether a vehicle brings tank shock to a melee. OST 30.2.5."""
    return is_armored(state, c) and state.morale[c] == 0 and is_armed(state, c)


def figures_of(state: State, c: int, *, hull: bool) -> tuple[int, tuple[int, ...], int]:
    """(HE, AP, range) of a main armament of a vehicle, or of a gun."""
    kind = state.kind[c]
    if hull:
        return HULL_HE[kind], HULL_AP[kind], HULL_RANGE[kind]
    he = HE[kind] if state.steps[c] != 1 or CATEGORY[kind] == VEHICLE else TYPES[kind].reduced_fp
    return he, AP[kind], MAIN_RANGE[kind]


def facing_defense(state: State, target: int, firer_hex: int) -> tuple[int, bool]:
    """(printed Defense, whether it is the flank) against fire from a hex. OST 23.4.1, 23.4.2."""
    kind, h = state.kind[target], state.hex[target]
    flank = not in_front(state.ground, h, state.facing[target], firer_hex)
    return (FLANK if flank else FRONT)[kind], flank


def crew_of(state: State, c: int) -> int:
    """The armor leader in a vehicle, or NONE."""
    return state.leader[c]


def can_act(state: State, c: int) -> bool:
    return state.morale[c] != BROKEN and not state.done[c]


def good_armor_leader(state: State, c: int) -> bool:
    """Whether a good order armor leader rides in a vehicle. OST 7.4.4, 7.2.6."""
    return state.leader[c] != NONE and state.good_leader(c) != NONE
