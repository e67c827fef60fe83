"""Answers to questions about vehicles: exact chances from the rules that resolve (OST 29, 31)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rulesengine.chance import Spread, certain, over_falls
from rulesengine.contract import Answer, Chance
from rulesengine.documents import BadDocument
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost import casualties, damage, gunnery
from rulesengine.rulesets.ost.casualties import falls_to, passes
from rulesengine.rulesets.ost.catalogue import BY_KEY, TYPES
from rulesengine.rulesets.ost.charts import (
    COLUMNS,
    column,
)
from rulesengine.rulesets.ost.fire import firepower
from rulesengine.rulesets.ost.fire import look_up as look_up_foot
from rulesengine.rulesets.ost.hex_fire import CHARGE, SHAKEN_SATCHEL
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    CREWED,
    DUAL,
    FLAME,
    MORTAR,
    OPEN_TOP,
    RANGE,
    SOFT,
    THROWN,
    TRAITS,
    TRANSPORT,
    VEHICLE,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.shelter_asked import markers_of, shelter, terrain_of
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    HULL_OUT,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    MORALE_NAMES,
    SHAKEN,
)
from rulesengine.rulesets.ost.tally import Tally, words, words_of
from rulesengine.rulesets.ost.throwing import OPEN_TOP_THROWN
from rulesengine.rulesets.ost.vehicle_questions import (
    SHELL_FIRING,
    ToHitRoll,
    VehicleAttack,
)
from rulesengine.rulesets.ost.vehicles import (
    AP,
    FLANK,
    FRONT,
    HE,
    HULL_AP,
    HULL_HE,
    HULL_RANGE,
    MAIN_RANGE,
    ap_at,
    is_lorry,
)

HEIGHTS = {"higher": 1, "level": 0, "lower": -1}
QUALITIES = {"elite": 1, "regular": 0, "poor": -1}
HIT_RULES = ("29.0.1", "29.0.3", "29.0.4", "29.0.5")
BROKE = {
    MGS_OUT: "machine guns out",
    MAIN_OUT: "main gun out",
    HULL_OUT: "hull gun out",
    IMMOBILE: "immobilised",
}


class Fate(NamedTuple):
    """What an attack leaves of a vehicle."""

    gone: str = ""
    """How it became a wreck, empty if it did not."""
    broke: int = 0
    morale: int = GOOD


def checked(before: int, level: int, gut_check: int) -> Spread[int]:
    if not level or before == BROKEN:
        return certain(before)
    worse = falls_to(before, level)
    return over_falls(6, 2, lambda faces: before if passes(sum(faces), gut_check) else worse)


def fates(
    result: int, kind: int, gut_check: int, morale: int, *, damaged: bool, melee: bool = False
) -> Spread[Fate]:
    """Exact chances of what a result of the Vehicle Combat Table does. OST 29.3 to 29.6."""
    if result == gunnery.DESTROY:
        if TRAITS[kind] & TRANSPORT or melee:
            return certain(Fate("destroyed"))
        return over_falls(
            6,
            1,
            lambda faces: Fate(
                "destroyed, the crew get out"
                if damage.crew_gets_out(kind, faces[0])
                else "destroyed"
            ),
        )
    level = damage.MORALE_PART[result]
    if result not in damage.DAMAGES:
        return checked(morale, level, gut_check).then(lambda now: certain(Fate(morale=now)))
    hurt = over_falls(6, 1, lambda faces: faces[0]).then(
        lambda face: _hurt(face, kind, gut_check, damaged)
    )
    return hurt.then(
        lambda fate: (
            certain(fate)
            if fate.gone
            else checked(morale, level, gut_check).then(
                lambda now: certain(Fate(broke=fate.broke, morale=now))
            )
        )
    )


def _hurt(face: int, kind: int, gut_check: int, damaged: bool) -> Spread[Fate]:
    """OST 29.3, 29.4."""
    if face <= damage.MINOR:
        return certain(Fate())
    if is_lorry(kind):
        return certain(Fate("destroyed"))
    if damaged:
        return certain(Fate("abandoned"))
    if face == damage.CREW_WAVERS:
        return over_falls(
            6,
            2,
            lambda faces: Fate() if passes(sum(faces), gut_check) else Fate("abandoned"),
        )
    if face == damage.MAIN and TRAITS[kind] & DUAL:
        return over_falls(
            6,
            1,
            lambda faces: Fate(broke=MAIN_OUT if faces[0] <= damage.TURRET_UP_TO else HULL_OUT),
        )
    return certain(Fate(broke=damage.damage_of(kind, face)[0]))


def named(fate: Fate, before: int) -> str:
    if fate.gone:
        return fate.gone
    parts = [BROKE[fate.broke]] if fate.broke else []
    if fate.morale != before:
        parts.append(MORALE_NAMES[fate.morale])
    return ", ".join(parts) or "no effect"


def chances(spread: Spread[Any], name: Callable[[Any], str]) -> tuple[Chance, ...]:
    weights: dict[str, int] = {}
    for outcome, weight in spread.weights.items():
        weights[name(outcome)] = weights.get(name(outcome), 0) + weight
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Chance(outcome, weight, spread.of) for outcome, weight in ordered)


def key_of(key: str, field: str) -> int:
    if key not in BY_KEY:
        raise BadDocument(f'{field}: no element type "{key}"')
    return BY_KEY[key]


def vehicle_of(key: str, field: str) -> int:
    kind = key_of(key, field)
    if CATEGORY[kind] != VEHICLE:
        raise BadDocument(f'{field}: "{key}" is no vehicle')
    return kind


def _aim(q: ToHitRoll | VehicleAttack) -> tuple[Tally, Tally]:
    """(changes to the roll to hit alone, changes to both rolls)."""
    aim = gunnery.to_hit_modifiers(
        captured=q.captured,
        shaken=q.shaken,
        reduced=q.reduced,
        quality=QUALITIES[q.quality],
        immobile=q.immobile,
        acquired=q.acquired,
        adjacent=q.distance == 1,
        degraded=q.degraded,
    )
    return aim, _both(q)


def _both(q: ToHitRoll | VehicleAttack) -> Tally:
    return gunnery.both_rolls(
        moved=q.moved,
        leader=q.leader,
        armor_leader=q.armor_leader,
        ambush=q.ambush,
        intensive=q.intensive,
        height=HEIGHTS[q.from_ground],
    )


def to_hit(q: ToHitRoll) -> Answer:
    """Whether a shot hits. OST 29.0.5, 29.0.11."""
    _check_line(q)
    aim, both = _aim(q)
    needed = gunnery.needed_to_hit(q.distance)
    change = aim.value + both.value
    spread = over_falls(6, 2, lambda faces: _struck(faces, q.distance, change))
    return Answer(
        question="to hit",
        text=f"{needed} or more on 2D6 {change:+d} at {hex_count(q.distance)}",
        rules=(*HIT_RULES, "29.0.11", "29.2.2") if q.acquired else (*HIT_RULES, "29.0.11"),
        modifiers=words((*aim.parts, *both.parts)),
        chances=chances(spread, str),
        value=needed,
    )


def _struck(faces: tuple[int, ...], distance: int, change: int) -> str:
    if faces == gunnery.CRITICAL:
        return "critical hit"
    return "hit" if gunnery.is_hit(sum(faces) + change, distance) else "miss"


def _check_line(q: ToHitRoll | VehicleAttack) -> None:
    if not 0 <= q.degraded <= 2:
        raise BadDocument("degraded: 0, 1 or 2; a third degrading hex blocks the line (12.3.2)")
    if q.distance < 1:
        raise BadDocument("distance: 1 hex or more; in one hex there is melee (30)")


class Strength(NamedTuple):
    """Of an attack on a vehicle: its firepower, whether it rolls to hit, the rules."""

    power: Tally
    rolls: bool
    rules: tuple[str, ...]


def _strength(q: VehicleAttack, target: int) -> Strength:
    soft = bool(TRAITS[target] & SOFT)
    near: dict[str, Any] = {
        "adjacent": q.distance == 1,
        "degraded": q.degraded,
        "shaken": q.shaken,
        "intensive": q.intensive,
    }
    if not q.weapon:
        return _small_arms(q, target, near)
    if q.firepower:
        raise BadDocument("weapon, firepower: small arms have no part in it; name one (10.1.1)")
    kind = key_of(q.weapon, "weapon")
    if TRAITS[kind] & MORTAR:
        raise BadDocument("weapon: a mortar strikes a hex, and armour not at all (10.3.9)")
    if TRAITS[kind] & (THROWN | FLAME):
        return _thrown(q, kind, target)
    if q.weapon not in SHELL_FIRING:
        raise BadDocument(f'weapon: "{q.weapon}" is small arms; give its FP as firepower (9.2.2)')
    ap = HULL_AP[kind] if q.hull else AP[kind]
    he = HULL_HE[kind] if q.hull else HE[kind]
    if q.reduced and CATEGORY[kind] == CREWED:  # the HE of its reduced side, 8.0.1
        he = TYPES[kind].reduced_fp
    raw = he if soft else ap_at(ap, q.distance)
    if not raw:
        raise BadDocument(f'weapon: "{q.weapon}" has nothing against such a target')
    reach = HULL_RANGE[kind] if q.hull else MAIN_RANGE[kind] or RANGE[kind][1]
    if q.distance > reach + (q.from_ground == "higher"):
        raise BadDocument(f"distance: its range is {hex_count(reach)} (29.0.2, 12.4.6)")
    support = ("10.1.1",) if TYPES[kind].category == "support weapon" else ()
    rules = ("29.0.10", "9.2.3") if soft else ("29.0.6",)
    return Strength(firepower(raw, **near), True, (*HIT_RULES, "29.0.7", *rules, *support))


def _thrown(q: VehicleAttack, kind: int, target: int) -> Strength:
    """Half of it, a satchel charge half of ten whoever throws it. OST 10.0.8, 10.2.3, 10.2.4."""
    if q.distance != 1:
        raise BadDocument("distance: thrown weapons reach the next hex")
    exposed = ("9.1.5",) if TRAITS[target] & OPEN_TOP else ()
    if TRAITS[kind] & WHOLE_HEX:
        charge = gunnery.thrown(CHARGE, adjacent=False)
        return Strength(charge, False, ("10.0.8", "10.2.3", *exposed))
    power = gunnery.thrown(TYPES[kind].fp, shaken=q.shaken, intensive=q.intensive)
    return Strength(power, False, ("10.0.8", *exposed))


def _small_arms(q: VehicleAttack, target: int, near: dict[str, Any]) -> Strength:
    soft = bool(TRAITS[target] & SOFT)
    if not q.firepower:
        raise BadDocument("weapon, firepower: name a weapon, or the firepower of small arms")
    if not soft and not TRAITS[target] & OPEN_TOP:
        raise BadDocument("firepower: small arms do nothing to closed armour (29.0.1)")
    halved = gunnery.SMALL_ARMS_AT_SOFT if soft else gunnery.SMALL_ARMS_AT_OPEN_TOP
    weapons = gunnery.small_arms(sum(q.firepower), halved)
    power = firepower(weapons.value, **near)
    power.parts = weapons.parts + power.parts
    return Strength(power, False, ("9.2.1", "9.2.2") if soft else ("9.1.1", "9.1.2"))


def _exposed(result: int, gut_check: int, morale: int) -> Spread[Fate]:
    """OST 9.1.2."""
    if result == casualties.X:
        return certain(Fate(morale=BROKEN))
    if result >= casualties.C:
        morale = max(morale, falls_to(morale, SHAKEN))
        if result != casualties.C_B:
            return certain(Fate(morale=morale))
    level = casualties.MORALE_PART[result]
    return checked(morale, level, gut_check).then(lambda now: certain(Fate(morale=now)))


def _against(q: VehicleAttack, target: int, strength: Strength, printed: int) -> Tally:
    """Its Defense where it is; what is thrown into an open top comes from above, 9.1.5."""
    markers = markers_of(q.markers)
    tally = shelter(printed, terrain_of(q.terrain), q.hexside, markers, mounted=True)
    if "10.0.8" in strength.rules and TRAITS[target] & OPEN_TOP:
        tally.add(OPEN_TOP_THROWN)
    return tally


def _hitting(q: VehicleAttack, change: int, *, rolls: bool) -> tuple[str, ...]:
    """The roll to hit, of what takes one, as a step of the answer."""
    if not rolls:
        return ()
    needed = gunnery.needed_to_hit(q.distance)
    return (f"to hit: {needed} or more on 2D6 {change:+d} at {hex_count(q.distance)}",)


def vehicle_attack(q: VehicleAttack) -> Answer:
    """One attack, with its roll to hit where it takes one. OST 29.0."""
    _check_line(q)
    target = vehicle_of(q.target, "target")
    strength = _strength(q, target)
    exposed = not q.weapon and not TRAITS[target] & SOFT
    side, printed = ("flank", FLANK[target]) if q.flank else ("front", FRONT[target])
    if exposed:
        side, printed = "the crew's", gunnery.EXPOSED_CREW
    against = _against(q, target, strength, printed)
    aim, both = _aim(q) if strength.rolls else (Tally(0), _both(q))
    if "10.2.3" in strength.rules and q.shaken:
        both.add(SHAKEN_SATCHEL)
    at = column(strength.power.value, against.value)
    morale = MORALE_NAMES.index(q.morale)

    def attack(where: int) -> Spread[Fate]:
        look = look_up_foot if exposed else gunnery.look_up
        results = over_falls(6, 2, lambda faces: look(where, sum(faces) + both.value))
        if exposed:
            return results.then(lambda r: _exposed(r, q.gut_check, morale))
        return results.then(lambda r: fates(r, target, q.gut_check, morale, damaged=q.damaged))

    if strength.rolls:
        change = aim.value + both.value
        shots = over_falls(6, 2, lambda faces: _struck(faces, q.distance, change))
        spread: Spread[Any] = shots.then(
            lambda shot: (
                certain(Fate("missed"))
                if shot == "miss"
                else attack(gunnery.column_shift(at, critical=shot == "critical hit"))
            )
        )
    else:
        spread = attack(at)
    facing = "23.4.2" if q.flank else "23.4.1"
    what = "AP" if strength.rolls and not TRAITS[target] & SOFT else "FP"
    table = "Infantry Combat Table" if exposed else "Vehicle Combat Table"
    return Answer(
        question="vehicle attack",
        text=f"{what} {strength.power.value} - Defense {against.value} = column {COLUMNS[at]}",
        rules=(*strength.rules, facing, "29.3.p1", "29.3.p2", "29.3.p3", "29.6.1"),
        steps=(
            *_hitting(q, aim.value + both.value, rolls=strength.rolls),
            f"{what} with its modifiers {strength.power.value}",
            f"{side} Defense {printed}, with its modifiers {against.value}",
            f"column {COLUMNS[at]} of the {table}",
        ),
        modifiers=words_of(
            roll_to_hit=aim.parts,
            **{what: strength.power.parts},
            Defense=against.parts,
            **{"each roll" if strength.rolls else "roll": both.parts},
        ),
        chances=chances(spread, lambda fate: named(fate, morale)),
        value=strength.power.value - against.value,
    )
