"""What a result of the Vehicle Combat Table does (OST 29.3 to 29.6): damage, nerve, the crew."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulesengine.chance import Spread, certain, over_falls
from rulesengine.rulesets.ost.casualties import falls_to, passes
from rulesengine.rulesets.ost.state import BROKEN, GOOD, SHAKEN

NOTHING, S, B, D, D_S, D_B, X = range(7)
"""Results of the Vehicle Combat Table, in the order of `charts.VCT_RESULTS`."""

MORALE_PART = (0, SHAKEN, BROKEN, 0, SHAKEN, BROKEN, 0)

WHOLE, MGS, MAIN, IMMOBILE, ABANDONED, DESTROYED = range(6)
DAMAGE_WORDS = (
    "",
    "machine guns out",
    "main armament out",
    "immobilized",
    "abandoned",
    "destroyed",
)

CREW_SURVIVES = 6
VEHICLE, CREW = 1, 1
"""Casualty points. OST 9.0.8."""


@dataclass(frozen=True)
class Hull:
    """A vehicle as far as damage goes."""

    armaments: int = 2
    """A main one and machine guns are two; with one, either result takes that one (29.4.1)."""
    has_main: bool = True
    soft: bool = False
    """An unarmed soft vehicle: any damage but minor destroys it (29.4.2)."""
    damage: int = WHOLE
    morale: int = GOOD
    gut_check: int = 7


def after(hull: Hull, result: int) -> Spread[Hull]:
    """Exact chances of how a vehicle comes out of one result. OST 29.3."""
    if result == NOTHING:
        return certain(hull)
    if result == X:
        return certain(replace(hull, damage=DESTROYED))
    hurt = certain(hull) if result in (S, B) else _damaged(hull)
    level = MORALE_PART[result]
    return hurt.then(lambda found: _shocked(found, level)) if level else hurt


def _damaged(hull: Hull) -> Spread[Hull]:
    return over_falls(6, 1, lambda faces: faces[0]).then(lambda die: damaged_by(hull, die))


def damaged_by(hull: Hull, die: int) -> Spread[Hull]:
    """What a damage roll of 1 to 6 does. OST 29.3.p4 to 29.3.p9, 29.4."""
    if die <= 2:
        return certain(hull)
    if hull.soft:
        return certain(replace(hull, damage=DESTROYED))
    if hull.damage != WHOLE:
        return certain(replace(hull, damage=ABANDONED))
    if die == 6:
        return over_falls(
            6,
            2,
            lambda faces: (
                hull if passes(sum(faces), hull.gut_check) else replace(hull, damage=ABANDONED)
            ),
        )
    if die == 5:
        return certain(replace(hull, damage=IMMOBILE))
    main = die == 4
    if hull.armaments == 1:
        main = hull.has_main
    return certain(replace(hull, damage=MAIN if main else MGS))


def _shocked(hull: Hull, level: int) -> Spread[Hull]:
    """A gut check against Shaken or Broken, of a crew that is still there. OST 17.4, 17.3.6."""
    if hull.damage >= ABANDONED or hull.morale == BROKEN:
        return certain(hull)
    worse = replace(hull, morale=falls_to(hull.morale, level))
    return over_falls(6, 2, lambda faces: hull if passes(sum(faces), hull.gut_check) else worse)


def casualty_points(hull: Hull, *, crew_rolls: bool = True) -> Spread[int]:
    """Casualty points for a vehicle as it is now, the crew's roll included. OST 9.0.8, 9.0.9,
    29.5.2, 29.6. `crew_rolls`: not a truck, not an armoured carrier, not in a melee."""
    if hull.damage == ABANDONED:
        return certain(VEHICLE)
    if hull.damage != DESTROYED:
        return certain(0)
    if not crew_rolls:
        return certain(VEHICLE)
    return over_falls(6, 1, lambda faces: VEHICLE if faces[0] >= CREW_SURVIVES else VEHICLE + CREW)
