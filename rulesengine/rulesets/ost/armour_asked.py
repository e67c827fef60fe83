"""Questions about armour: one shot at a vehicle, and a tank duel, with exact chances."""

from __future__ import annotations

from typing import Any

from rulesengine.chance import Spread, certain
from rulesengine.contract import Answer, Chance
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import damage, duel, gunnery, vehicles
from rulesengine.rulesets.ost.charts import COLUMNS, HEXSIDE_BY_KEY, TERRAIN_BY_KEY
from rulesengine.rulesets.ost.damage import ABANDONED, DAMAGE_WORDS, MGS, WHOLE, Hull
from rulesengine.rulesets.ost.duel import Tank
from rulesengine.rulesets.ost.fire import defense, firepower
from rulesengine.rulesets.ost.questions import Duellist, TankDuel, VehicleShot
from rulesengine.rulesets.ost.state import MORALE_NAMES
from rulesengine.rulesets.ost.tally import Tally, code, words
from rulesengine.rulesets.ost.vehicles import VehicleCard

SMALL_ARMS = code("SMALL_ARMS_AT_SOFT_VEHICLE")
THROWN = code("THROWN_AT_VEHICLE")
ADJACENT_TARGET = code("ADJACENT_TARGET")

HITTING = ("29.0.3", "29.0.4", "29.0.5", "1.9.p34")
TABLE = ("29.0.p1", "29.0.6", "29.0.7", "29.0.8", "29.0.9", "27.2.2")
DAMAGE = ("29.3.p2", "29.3.p3", "29.3.p4", "29.3.p5", "29.3.p6", "29.3.p7", "29.3.p8", "29.3.p9")
NERVE = ("29.3.p10", "29.3.p11", "29.3.p13", "17.4.1")


def _card(key: str, field: str) -> VehicleCard:
    if key not in vehicles.BY_KEY:
        known = ", ".join(sorted(vehicles.BY_KEY))
        raise BadDocument(f'{field}: no vehicle "{key}"; there are: {known}')
    return vehicles.BY_KEY[key]


def _code(known: dict[str, int], word: str, field: str) -> int:
    if word not in known:
        raise BadDocument(f'{field}: no "{word}"; there are: {", ".join(sorted(known))}')
    return known[word]


# --- one shot --------------------------------------------------------------------------------


def shot(q: VehicleShot) -> Answer:
    """The chances of one shot at a vehicle."""
    if not 0 <= q.degraded <= 2:
        raise BadDocument("degraded: 0, 1 or 2; a third degrading hex blocks the line (12.3.2)")
    if q.distance < 1:
        raise BadDocument("distance: 1 or more hexes; in one hex it is a melee or a duel")
    aim = _aim(q)
    strength, needed, rules = _weapon(q)
    resistance, hull, more = _target(q)
    rules += more
    both = gunnery.both_rolls(aim)
    hitting = gunnery.to_hit(aim)
    if needed:
        rolled = gunnery.chances_to_hit(hitting.value, needed)
        steps = [f"to hit: {needed} or more on 2D6 {hitting.value:+d}"]
        rules += [*HITTING, "29.0.11"]
        parts = tuple(hitting.parts)
    else:
        rolled = certain(gunnery.HIT)
        steps = ["hits by itself"]
        parts = tuple(both.parts)
    at = gunnery.column_of(strength.value, resistance.value)
    steps += [
        f"firepower with its modifiers: {strength.value}",
        f"Defense with terrain: {resistance.value}",
        f"column {COLUMNS[at]} of the Vehicle Combat Table, 2D6 {both.value:+d}",
    ]

    def comes(hit: int) -> Spread[Hull | None]:
        if hit == gunnery.MISS:
            return certain(None)
        column = gunnery.column_of(strength.value, resistance.value, hit)
        found = gunnery.results(column, both.value)
        return found.then(lambda result: _maybe(damage.after(hull, result)))

    ends = rolled.then(comes)
    rules += [*TABLE, *DAMAGE, *NERVE]
    if q.acquired:
        rules += ["29.2.1", "29.2.2"]
    return Answer(
        question="vehicle shot",
        text=(
            f"{_to_hit_words(needed)}; FP {strength.value} - Defense {resistance.value}"
            f" = column {COLUMNS[at]}"
        ),
        rules=tuple(dict.fromkeys(rules)),
        steps=tuple(steps),
        modifiers=words((*strength.parts, *resistance.parts, *parts)),
        chances=_chances(ends, lambda end: "missed" if end is None else _words(hull, end)),
        value=strength.value - resistance.value,
    )


def _maybe(spread: Spread[Hull]) -> Spread[Hull | None]:
    return spread.then(_perhaps)


def _perhaps(hull: Hull) -> Spread[Hull | None]:
    return certain(hull)


def _to_hit_words(needed: int) -> str:
    return f"{needed} or more to hit" if needed else "hits by itself"


def _aim(q: VehicleShot) -> gunnery.Aim:
    return gunnery.Aim(
        moved=q.moved,
        armor_leader=q.armor_leader,
        leader=q.leader,
        ambush=q.ambush,
        intensive=q.intensive,
        height={"higher": 1, "level": 0, "lower": -1}[q.from_ground],
        shaken=q.shaken,
        reduced=q.reduced,
        captured=q.captured,
        quality=q.quality,
        immobile=q.target_immobile,
        acquired=q.acquired,
        adjacent=q.distance == 1,
        degraded=q.degraded,
    )


def _weapon(q: VehicleShot) -> tuple[Tally, int, list[str]]:
    """Firepower with its modifiers, the to-hit number (0: none is rolled), the rules."""
    given, needed, rules = q.firepower, q.needed, []
    if q.firer:
        card = _card(q.firer, "firer")
        try:
            needed = vehicles.NEEDED[vehicles.reach(q.distance)]
        except ValueError as error:
            raise BadDocument(f"distance: {error}") from error
        given = card.he if q.soft else card.piercing(q.distance)
        rules += ["9.0.3", "29.0.1", "29.0.2", "29.0.13", "11.0.1"]
        if not given:
            what = "high-explosive" if q.soft else "armour-piercing"
            raise BadDocument(f"firer: {card.title} has no {what} firepower (29.0.1)")
    if given < 1:
        raise BadDocument("firepower: 1 or more, or name the firer's card")
    if q.thrown or q.small_arms:
        needed = 0
    tally = firepower(
        given,
        adjacent=q.distance == 1,
        degraded=q.degraded,
        intensive=q.intensive,
        shaken=q.shaken,
    )
    if q.thrown:
        tally.halve(THROWN)
        rules.append("10.0.8")
    if q.small_arms:
        if not q.soft:
            raise BadDocument("small_arms: only a soft vehicle can be attacked so (9.2.1)")
        tally.halve(SMALL_ARMS)
        rules += ["9.2.1", "9.2.2"]
    elif q.soft:
        rules += ["9.2.3", "29.0.10"]
    return tally.at_least(1), needed, rules


def _target(q: VehicleShot) -> tuple[Tally, Hull, list[str]]:
    """Defense with its terrain, the vehicle as far as damage goes, the rules."""
    terrain = tuple(_code(TERRAIN_BY_KEY, word, "terrain") for word in q.terrain)
    side = _code(HEXSIDE_BY_KEY, q.hexside, "hexside") + 1 if q.hexside else 0
    printed, armaments, main, rules = q.defense, 2, True, []
    if q.target:
        card = _card(q.target, "target")
        printed = card.front if q.aspect == "front" else card.flank
        armaments, main = card.armaments, bool(card.he or card.ap)
        rules.append("9.0.p10" if q.aspect == "front" else "9.0.p11")
        rules.append("23.4.1" if q.aspect == "front" else "23.4.2")
    if printed < 1:
        raise BadDocument("defense: 1 or more, or name the target's card")
    hull = Hull(
        armaments=armaments,
        has_main=main,
        soft=q.soft,
        damage=MGS if q.target_damaged else WHOLE,
        morale=MORALE_NAMES.index(q.target_morale),
        gut_check=q.gut_check,
    )
    if armaments == 1:
        rules.append("29.4.1")
    if q.soft:
        rules.append("29.4.2")
    if q.target_damaged:
        rules.append("29.4.4")
    return defense(printed, terrain, side), hull, rules


def _words(before: Hull, now: Hull) -> str:
    """How a vehicle came out of an attack."""
    if now.damage >= ABANDONED:
        return DAMAGE_WORDS[now.damage]
    parts = [] if now.damage == before.damage else [DAMAGE_WORDS[now.damage]]
    if now.morale != before.morale:
        parts.append(MORALE_NAMES[now.morale])
    return ", ".join(parts) or "no effect"


def _roughly(before: Tank, now: Tank) -> str:
    """How a vehicle came out of a duel, in one word: a duel has too many ends to list."""
    if now.hull.damage >= ABANDONED:
        return "lost"
    return "unhurt" if now.hull == before.hull else "hurt or shaken"


def _chances(spread: Spread[Any], name: Any) -> tuple[Chance, ...]:
    """Outcomes by their words, the likeliest first."""
    sums: dict[str, int] = {}
    for outcome, weight in spread.weights.items():
        sums[name(outcome)] = sums.get(name(outcome), 0) + weight
    ordered = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Chance(outcome, weight, spread.of) for outcome, weight in ordered)


# --- the duel --------------------------------------------------------------------------------


def duel_pair(q: TankDuel) -> duel.Pair:
    """Both vehicles of a duel."""
    return _tank(q.assaults, "assaults"), _tank(q.other, "other")


def _tank(who: Duellist, field: str) -> Tank:
    card = _card(who.vehicle, f"{field}.vehicle")
    return Tank(
        piercing=card.piercing(0),
        front=card.front,
        flank=card.flank,
        armor_leader=who.armor_leader,
        hull=Hull(
            armaments=card.armaments,
            has_main=bool(card.he or card.ap),
            damage=MGS if who.damaged else WHOLE,
            morale=MORALE_NAMES.index(who.morale),
            gut_check=who.gut_check,
        ),
    )


def tank_duel(q: TankDuel) -> Answer:
    """The chances of a tank duel."""
    pair = duel_pair(q)
    names = [_card(who.vehicle, "vehicle").title for who in (q.assaults, q.other)]
    if names[0] == names[1]:
        names = [f"the assaulting {names[0]}", f"the other {names[1]}"]
    shots = duel.first_shot(pair)
    ends = duel.fought(pair, melee_bonus=q.melee_bonus)
    steps = []
    for index, tank in enumerate(pair):
        first = sum(w for (who, _), w in shots.weights.items() if who == index)
        flank = shots.weights.get((index, True), 0)
        power = duel.firepower(tank, melee_bonus=q.melee_bonus)
        against = pair[1 - index]
        steps.append(
            f"{names[index]} shoots first in {first} of {shots.of} falls, {flank} of them into"
            f" the flank; FP {power.value} - front {against.front} = column"
            f" {COLUMNS[gunnery.column_of(power.value, against.front)]}"
        )
    rules = [
        *("31.0.p1", "31.0.2", "31.0.3", "31.1.1", "31.1.2", "31.1.3", "31.1.4", "31.1.5"),
        *("31.1.9", *TABLE, *DAMAGE, *NERVE),
    ]
    if q.melee_bonus:
        rules.append("31.1.6")
    if any(tank.armor_leader for tank in pair):
        rules.append("31.1.7")
    if any(who.morale != "good order" for who in (q.assaults, q.other)):
        rules += ["31.0.4", "31.1.8"]
    if not all(tank.piercing for tank in pair):
        rules.append("31.1.10")
    parts = [
        part
        for tank in pair
        for tally in (duel.first_shot_changes(tank), duel.roll_changes(tank))
        for part in tally.parts
    ]
    return Answer(
        question="tank duel",
        text=f"{names[0]} against {names[1]}",
        rules=tuple(dict.fromkeys(rules)),
        steps=tuple(steps),
        modifiers=words(tuple(parts)),
        chances=_chances(
            ends,
            lambda end: "; ".join(f"{names[i]} {_roughly(pair[i], end[i])}" for i in (0, 1)),
        ),
    )
