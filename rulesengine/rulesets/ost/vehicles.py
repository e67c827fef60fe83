"""What a vehicle or a gun is and can do (OST 9, 8.0, 23.4): figures by type, facts of one counter.

Facing is a hexside, 0 (north) to 5. The front arc is what lies through the hexside faced and the
two beside it; the lines between front and flank belong to the flank.
"""

from __future__ import annotations

from rulesengine.geometry.hexes import DIRECTIONS
from rulesengine.rulesets.ost.actions import Fire
from rulesengine.rulesets.ost.catalogue import TYPES, column
from rulesengine.rulesets.ost.charts import TO_HIT
from rulesengine.rulesets.ost.fire import in_arc
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    ARC,
    BLOWBACK,
    CATEGORY,
    CREWED,
    DUAL,
    ENGINEER,
    ENGINEERS_ONLY,
    FLAME,
    GUN,
    LIMITED,
    OPEN_TOP,
    OWN_RANGE,
    RANGE,
    SOFT,
    SQUAD,
    THROWN,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.state import (
    HULL_OUT,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    NONE,
    STUCK,
    State,
)
from rulesengine.rulesets.ost.works import CRAMPED, work_of

FRONT = column(lambda t: t.front)
FLANK = column(lambda t: t.flank)
AP = column(lambda t: t.ap_at or ((t.ap,) * 5 if t.ap else ()))
"""By type; at 0, 5, 10, 15 and 20 hexes, each to the next; empty without AP."""
HE = column(lambda t: t.fp)
MAIN_RANGE = column(lambda t: t.range)
MG = column(lambda t: t.mg_fp)
MG_RANGE = column(lambda t: t.mg_range)
HULL_AP = column(lambda t: t.hull_ap_at)
HULL_HE = column(lambda t: t.hull_fp)
HULL_RANGE = column(lambda t: t.hull_range)
WHEELED, TRACKED = 1, 2
DRIVE = column(lambda t: {"": 0, "wheeled": WHEELED, "tracked": TRACKED}[t.drive])
HAS_MAIN = column(lambda t: bool(t.category == "vehicle" and (t.fp or t.ap)))

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
    return armored(state.kind[c])


def armored(kind: int) -> bool:
    return CATEGORY[kind] == VEHICLE and not TRAITS[kind] & SOFT


def is_lorry(kind: int) -> bool:
    """A soft vehicle without any armament: any damage but a minor one destroys it. OST 29.4.2,
    30.3.10."""
    soft = CATEGORY[kind] == VEHICLE and TRAITS[kind] & SOFT
    return bool(soft) and not (HAS_MAIN[kind] or MG[kind])


def is_gun(state: State, c: int) -> bool:
    """A crewed anti-tank gun."""
    kind = state.kind[c]
    return CATEGORY[kind] == CREWED and bool(TRAITS[kind] & GUN)


def works(kind: int, out: int) -> tuple[bool, bool, bool]:
    """Whether the main armament, the second one in the hull and the machine guns of a type can
    fire, `out` being the bits of its damage. OST 29.3.p6, 9.3."""
    return main_fires(kind, out), hull_fires(kind, out), mgs_fire(kind, out)


def main_fires(kind: int, out: int) -> bool:
    return HAS_MAIN[kind] and not out & MAIN_OUT


def hull_fires(kind: int, out: int) -> bool:
    return bool(TRAITS[kind] & DUAL) and not out & HULL_OUT


def mgs_fire(kind: int, out: int) -> bool:
    return bool(MG[kind]) and not out & MGS_OUT


def main_works(state: State, c: int) -> bool:
    """Whether the main armament, of two that in the turret, can fire. OST 29.3.p6."""
    return main_fires(state.kind[c], state.damage[c])


def hull_works(state: State, c: int) -> bool:
    """Whether there is a second main armament in the hull and it can fire. OST 9.3."""
    return hull_fires(state.kind[c], state.damage[c])


def mgs_work(state: State, c: int) -> bool:
    return mgs_fire(state.kind[c], state.damage[c])


def is_armed(state: State, c: int) -> bool:
    """Whether any armament of a vehicle still works. OST 25.0.11, 30.2.5."""
    return main_works(state, c) or hull_works(state, c) or mgs_work(state, c)


def main_left(state: State, c: int) -> bool:
    """Whether a main armament may be fired again this turn. OST 9.4.1."""
    return not (TRAITS[state.kind[c]] & LIMITED and state.main_fired[c])


def is_immobile(state: State, c: int) -> bool:
    """Bogged, immobilised: it cannot leave its hex."""
    return bool(state.bogged[c] or state.damage[c] & (IMMOBILE | STUCK))


def held_by(state: State, c: int) -> str:
    """The rule that keeps an immobile vehicle where it is."""
    if state.bogged[c]:
        return "23.5.4"
    return "23.5.7" if state.damage[c] & STUCK else "29.3.p7"


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


def shells(state: State, fire: Fire) -> bool:
    """Whether a fire action is that of an anti-tank gun or weapon. OST 29.0.10, 10.1.1."""
    weapon = fire.weapon
    return is_gun(state, fire.firer) or (
        weapon != NONE and bool(TRAITS[state.kind[weapon]] & ANTITANK)
    )


def lets_small_arms_in(state: State, c: int) -> bool:
    """Whether small arms can be fired at a vehicle at all. OST 9.1.1, 9.2.1."""
    return bool(TRAITS[state.kind[c]] & (OPEN_TOP | SOFT))


def useful_weapon(state: State, c: int, target: int, distance: int) -> int:
    """The anti-tank weapon of a squad that reaches a vehicle, or NONE. OST 10.1.1,
    10.1.3."""
    weapon = state.weapon[c]
    if weapon == NONE or CATEGORY[state.kind[c]] != SQUAD:
        return NONE
    kind = state.kind[weapon]
    if not TRAITS[kind] & ANTITANK or distance > RANGE[kind][1]:
        return NONE
    if TRAITS[kind] & BLOWBACK and work_of(state, c) in CRAMPED:
        return NONE
    return weapon if state.firer_of[weapon] in (NONE, c) else NONE


def can_throw(state: State, c: int, target: int) -> bool:
    """Whether a squad has something to throw at a vehicle in the next hex, however high it stands.
    OST 10.0.8."""
    weapon = state.weapon[c]
    if weapon == NONE or CATEGORY[state.kind[c]] != SQUAD:
        return False
    if state.ground.grid.distance(state.hex[c], state.hex[target]) != 1:
        return False
    traits = TRAITS[state.kind[weapon]]
    if traits & ENGINEERS_ONLY and not TRAITS[state.kind[c]] & ENGINEER:
        return False
    return bool(traits & (THROWN | FLAME)) and state.firer_of[weapon] in (NONE, c)


def can_fire_at_vehicle(state: State, c: int, target: int, distance: int) -> bool:
    """Whether a foot unit has anything against a vehicle at a distance. OST 29.0.1, 9.1, 9.2."""
    if is_gun(state, c):
        return distance <= MAIN_RANGE[state.kind[c]]
    if useful_weapon(state, c, target, distance) != NONE or can_throw(state, c, target):
        return True
    return lets_small_arms_in(state, target) and distance <= small_arms_reach(state, c)


def small_arms_reach(state: State, c: int) -> int:
    """The range of a unit's small arms, or of its machine gun that fires alone. OST 10.0.5."""
    own, weapon = state.figures(c)[1], state.weapon[c]
    if weapon == NONE or state.firer_of[weapon] not in (NONE, c):
        return own
    kind = state.kind[weapon]
    return max(own, RANGE[kind][1]) if TRAITS[kind] & OWN_RANGE else own


def main_reaches(state: State, c: int, target: int, there: int, distance: int, hull: bool) -> bool:
    """Whether a main armament works, is not spent, reaches and bears. OST 9.0.6, 9.3.3, 9.4.1."""
    works = hull_works(state, c) if hull else main_works(state, c)
    if not works or not main_left(state, c):
        return False
    he, ap, reach = figures_of(state, c, hull=hull)
    if distance > reach or not (ap if is_armored(state, target) else he):
        return False
    fixed = hull or TRAITS[state.kind[c]] & ARC
    return not fixed or in_arc(state.ground, state.hex[c], there, state.facing[c])


def mgs_reach(state: State, c: int, target: int, distance: int) -> bool:
    """Whether the machine guns work, reach, and can hurt it. OST 29.1.3, 9.0.4."""
    if not mgs_work(state, c) or distance > MG_RANGE[state.kind[c]]:
        return False
    return not is_vehicle(state, target) or lets_small_arms_in(state, target)


def can_engage(state: State, c: int, target: int, there: int, distance: int) -> bool:
    """Whether a vehicle has any armament that can fire at an enemy."""
    return mgs_reach(state, c, target, distance) or any(
        main_reaches(state, c, target, there, distance, hull) for hull in (False, True)
    )


def reach(state: State, c: int) -> int:
    """The farthest a vehicle can fire with what works."""
    kind = state.kind[c]
    return max(
        MAIN_RANGE[kind] if main_works(state, c) else 0,
        HULL_RANGE[kind] if hull_works(state, c) else 0,
        MG_RANGE[kind] if mgs_work(state, c) else 0,
    )
