"""Answers about what strikes all of a hex (OST 10.3, 16.7, 32, 33): exact chances for a unit there.

Where a strike falls and what it does are the functions of `artillery.py`, `air.py`, `hex_fire.py`
and `blast.py`; a leader who is with the unit is a question of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rulesengine.chance import Spread, certain, over_falls
from rulesengine.contract import Answer
from rulesengine.dice import Roll
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import air, artillery, blast, gunnery, hex_fire
from rulesengine.rulesets.ost.catalogue import CREW_OF, TYPES
from rulesengine.rulesets.ost.charts import (
    ARTILLERY,
    ARTILLERY_BY_KEY,
    COLUMNS,
    TERRAIN,
    TERRAIN_BY_KEY,
    column,
)
from rulesengine.rulesets.ost.field_events import CollapseRolled
from rulesengine.rulesets.ost.fire import roll_modifiers, street
from rulesengine.rulesets.ost.foot_answers import fate
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    CREWED,
    DEFENSE,
    FIREPOWER,
    OPEN_TOP,
    SOFT,
    STEPS,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.maps_asked import checked_ground, hexes_of
from rulesengine.rulesets.ost.question_words import MOST_GUT_CHECK
from rulesengine.rulesets.ost.shelter_asked import code_of, markers_of, terrain_of
from rulesengine.rulesets.ost.state import MORALE_NAMES, NONE
from rulesengine.rulesets.ost.strike_questions import (
    TARGETS,
    AirStrikeOn,
    ArtilleryStrike,
    Collapse,
    MortarRound,
)
from rulesengine.rulesets.ost.support_events import AccuracyRolled
from rulesengine.rulesets.ost.tally import Tally, words
from rulesengine.rulesets.ost.vehicle_answers import HEIGHTS, chances, fates, key_of, named
from rulesengine.rulesets.ost.vehicles import FLANK
from rulesengine.rulesets.ost.works import aids_of
from rulesengine.rulesets.ost.worth import outcomes

PILOTS = {"green": 1, "veteran": 3, "ace": 6}
"""A face of the die for each pilot."""
MISSED = "not struck"


class Target(NamedTuple):
    """The unit that is asked about."""

    kind: int
    steps: int
    morale: int
    gut_check: int
    damaged: bool

    @property
    def hard(self) -> bool:
        """Attacked on the vehicle table."""
        return CATEGORY[self.kind] == VEHICLE

    @property
    def printed(self) -> int:
        """Defense; of a vehicle the flank. OST 32.0.8, 33.4.4."""
        return FLANK[self.kind] if self.hard else DEFENSE[self.kind]

    def struck(self, power: int, against: int, change: int = 0) -> Spread[str]:
        """What one attack does to it, in words."""
        at = column(power, against)
        if self.hard:
            results = over_falls(6, 2, lambda faces: gunnery.look_up(at, sum(faces) + change))
            return results.then(
                lambda result: _in_words(
                    fates(result, self.kind, self.gut_check, self.morale, damaged=self.damaged),
                    lambda one: named(one, self.morale),
                )
            )
        spread = outcomes(at, change, self.gut_check, self.steps, self.morale)
        return _in_words(spread, lambda one: fate(one, self.steps, self.morale))

    def table(self, power: int, against: int) -> str:
        """The attack as a line."""
        kind = "Vehicle" if self.hard else "Infantry"
        at = COLUMNS[column(power, against)]
        return f"FP {power} - Defense {against} = column {at} of the {kind} Combat Table"


def _in_words(spread: Spread[Any], name: Callable[[Any], str]) -> Spread[str]:
    return spread.then(lambda one: certain(name(one)))


def _target(q: ArtilleryStrike | AirStrikeOn | MortarRound | Collapse) -> Target:
    kind = key_of(q.unit, "unit")
    if q.unit not in TARGETS:
        raise BadDocument(f'unit: "{q.unit}" is not attacked by itself')
    if q.reduced and STEPS[kind] == 1:
        raise BadDocument("reduced: the counter has one step only")
    if not 0 <= q.gut_check <= MOST_GUT_CHECK:
        raise BadDocument(f"gut_check: 0 to {MOST_GUT_CHECK}; it is rolled on 2D6 (17.4.1)")
    morale = MORALE_NAMES.index(q.morale)
    return Target(kind, STEPS[kind] - q.reduced, morale, q.gut_check, q.damaged)


def _shelter(
    target: Target, terrain: tuple[int, ...], markers: tuple[str, ...], *, why: str
) -> Tally:
    """Its Defense in the hex. OST 33.4.3, 32.0.7, 9.1.4."""
    rows = markers_of(markers)
    tally = blast.sheltered(
        target.printed,
        street(terrain) if target.hard else terrain,
        aids_of(rows, vehicle=target.hard),
        airburst=why == "artillery" and not target.hard,
    )
    if target.hard and TRAITS[target.kind] & OPEN_TOP and why in blast.FROM_ABOVE:
        tally.add(blast.OPEN_TOP_SHELLED)
    return tally


# --- artillery -----------------------------------------------------------------------------------


def strike_of_artillery(q: ArtilleryStrike) -> Answer:
    """Where it falls by the accuracy roll and the drift, then the attack. OST 33.2 to 33.4."""
    ground = checked_ground(q.map)
    battery = ARTILLERY[code_of(ARTILLERY_BY_KEY, q.battery, "battery")]
    (called,) = hexes_of(ground, (q.called,), "called")
    (here,) = hexes_of(ground, (q.hex or q.called,), "hex")
    if q.smoke and q.unit:
        raise BadDocument("smoke, unit: smoke attacks nobody (33.0.5)")
    changes = artillery.accuracy_modifiers(leads=q.leader, degraded=q.degraded)
    falls = _falls(ground, called, battery.accuracy, changes.value)
    place = falls.then(lambda h: certain(_place(ground, h, here)))
    steps = [
        f"accurate on {battery.accuracy} or more on 1D6 {changes.value:+d}",
        f"falls on {ground.name(called)}: {falls.chance(called)}",
        f"falls off the map: {falls.chance(NONE)}",
    ]
    rules = ["33.0.3", "33.1.3", "33.2.1", "33.2.2", "33.2.4", "33.2.5", "33.3.1", "33.3.2"]
    rules += ["33.3.3", "33.3.4"]
    parts = list(changes.parts)
    spread: Spread[str] = place.then(lambda at: certain(WHERE[at, q.smoke]))
    if q.unit:
        target = _target(q)
        shield = _shelter(target, ground.terrain[here], q.markers, why="artillery")
        force = [artillery.strength(battery.firepower, outer=outer) for outer in (False, True)]
        steps += [
            f"{WHERE[where, False]}: {target.table(power.value, shield.value)}"
            for where, power in zip((CENTRE, AROUND), force, strict=True)
        ]
        spread = place.then(
            lambda at: (
                certain(MISSED) if at == OUTSIDE else target.struck(force[at].value, shield.value)
            )
        )
        parts += [*force[1].parts, *shield.parts]
        rules += ["33.0.2", "33.0.4", "33.4.2", "33.4.3", "33.4.8"]
        rules += ["33.4.4"] if target.hard else []
        rules += ["33.4.11", "33.4.12"] if blast.AIRBURST in shield.parts[::2] else []
        rules += ["33.4.6"] if TYPES[target.kind].category == "leader" else []
    elif q.smoke:
        rules += ["33.0.5", "33.4.1", "13.9.2"]
    return Answer(
        question="artillery",
        text=f"{battery.name} called on {ground.name(called)}: {place.chance(CENTRE)} that "
        f"{ground.name(here)} is the strike hex, {place.chance(AROUND)} next to it",
        rules=tuple(rules),
        steps=tuple(steps),
        modifiers=words(tuple(parts)),
        chances=chances(spread, str),
        value=battery.accuracy,
    )


CENTRE, AROUND, OUTSIDE = 0, 1, 2
WHERE = {
    (CENTRE, False): "strike hex",
    (AROUND, False): "next to the strike hex",
    (OUTSIDE, False): MISSED,
    (CENTRE, True): "smoke of two turns",
    (AROUND, True): "smoke of one turn",
    (OUTSIDE, True): "no smoke",
}
"""What a hex is to a strike, in words, and what smoke there is."""


def _falls(ground: Ground, called: int, needed: int, change: int) -> Spread[int]:
    """The hex a strike falls on; NONE off the map."""

    def accurate(faces: tuple[int, ...]) -> bool:
        roll = Roll(0, 6, faces)
        return AccuracyRolled(
            side=0, roll=roll, total=roll.total + change, needed=needed, modifiers=()
        ).accurate

    drift = over_falls(6, 2, lambda faces: artillery.adrift(ground, called, faces[0], faces[1]))
    return over_falls(6, 1, accurate).then(lambda true: certain(called) if true else drift)


def _place(ground: Ground, centre: int, h: int) -> int:
    if centre == NONE:
        return OUTSIDE
    return min(ground.grid.distance(centre, h), OUTSIDE)


# --- aircraft ------------------------------------------------------------------------------------


def strike_from_the_air(q: AirStrikeOn) -> Answer:
    """What the pilot is worth, then the attack on a unit of either hex. OST 32.0.4 to 32.0.8."""
    target = _target(q)
    terrain = terrain_of(q.terrain)
    shield = _shelter(target, terrain, q.markers, why="air strike")
    known = PILOTS.get(q.pilot)
    pilots = (
        certain(air.firepower(known))
        if known
        else over_falls(6, 1, lambda faces: air.firepower(faces[0]))
    )
    spread = pilots.then(lambda power: target.struck(power, shield.value))
    return Answer(
        question="air strike",
        text=f"Defense {shield.value} against FP {' or '.join(map(str, sorted(pilots.weights)))}",
        rules=("32.0.4", "32.0.5", "32.0.6", "32.0.7", *(("32.0.8",) if target.hard else ())),
        steps=tuple(
            f"{pilots.chance(power)}: {target.table(power, shield.value)}"
            for power in sorted(pilots.weights)
        ),
        modifiers=words(tuple(shield.parts)),
        chances=chances(spread, str),
        value=shield.value,
    )


# --- mortars -------------------------------------------------------------------------------------


def round_of_mortar(q: MortarRound) -> Answer:
    """Whether the bomb falls on the hex, and the attack there. OST 10.3.4 to 10.3.13."""
    weapon = key_of(q.mortar, "mortar")
    if "mortar" not in TYPES[weapon].traits:
        raise BadDocument(f'mortar: "{q.mortar}" is no mortar')
    target = _target(q)
    terrain = terrain_of(q.terrain)
    shield = _shelter(target, terrain, q.markers, why="mortar")
    aim = hex_fire.aim(leader=q.leader, shaken=q.shaken, moved=q.moved)
    power = hex_fire.power(FIREPOWER[weapon][1], shaken=q.shaken, intensive=q.intensive)
    changes = roll_modifiers(
        moved=q.moved,
        leader=q.leader,
        ambush=q.ambush,
        intensive=q.intensive,
        height=HEIGHTS[q.from_ground],
    )
    proof = target.hard and not TRAITS[target.kind] & SOFT
    needed = hex_fire.ON_TARGET
    hits = over_falls(6, 1, lambda faces: faces[0] + aim.value >= needed)
    hit = certain("no effect") if proof else target.struck(power.value, shield.value, changes.value)
    spread = hits.then(lambda on: hit if on else certain(MISSED))
    rules = ["10.3.5", "10.3.6", "10.3.7", "10.3.8", "10.3.11", "10.3.13"]
    rules += ["10.3.4"] if q.leader else []
    rules += ["10.3.9"] if proof else ["10.3.10"] if target.hard else []
    return Answer(
        question="mortar",
        text=f"{needed} or more on 1D6 {aim.value:+d}, else it drifts one hex",
        rules=tuple(rules),
        steps=(
            (f"{target.table(power.value, shield.value)}", f"2D6 {changes.value:+d}")
            if not proof
            else ("armored vehicles are proof against it",)
        ),
        modifiers=words((*aim.parts, *power.parts, *shield.parts, *changes.parts)),
        chances=chances(spread, str),
        value=needed,
    )


# --- what falls down -----------------------------------------------------------------------------


def collapse(q: Collapse) -> Answer:
    """The roll, then what falls on a unit inside. OST 16.7, 13.4.10."""
    bunker = q.building == "bunker"
    if bunker and q.tall:
        raise BadDocument("tall: a bunker has no storeys")
    building = NONE if bunker else TERRAIN_BY_KEY[q.building]
    needed, changes = blast.collapse_roll(building, q.charge)

    def falls(faces: tuple[int, ...]) -> bool:
        roll = Roll(0, 6, faces)
        total = roll.total + changes.value
        return CollapseRolled(
            hex=0, roll=roll, total=total, needed=needed, bunker=bunker, terrain=building
        ).falls

    down: Spread[str] = certain("comes down")
    steps: list[str] = [f"{needed} or more on 1D6 {changes.value:+d}"]
    rules = ["16.7.p1", "16.7.1", "16.7.4", "16.7.5", *(("13.4.10",) if bunker else ("16.7.8",))]
    rules += ["16.7.6"] if q.charge else []
    rules += ["16.7.7"] if building == blast.RUINED else []
    parts = list(changes.parts)
    if q.unit:
        target = _target(q)
        crewed = CATEGORY[target.kind] == CREWED
        before = "the weapon is lost, its crew: " if crewed else ""
        rules += ["13.4.11"] if crewed and bunker else ["16.7.11"] if crewed else []
        if crewed:
            target = target._replace(kind=CREW_OF[target.kind], steps=1)
        if bunker:
            down = certain(f"comes down, {before}no effect")
        else:
            power = blast.rubble_firepower(building, tall=q.tall)
            parts += power.parts
            rules += ["16.7.9", "16.7.10"]
            steps.append(target.table(power.value, target.printed))
            down = target.struck(power.value, target.printed).then(
                lambda name: certain(f"comes down, {before}{name}")
            )
    spread = over_falls(6, 1, falls).then(lambda it: down if it else certain("stands"))
    return Answer(
        question="collapse",
        text=f"{'bunker' if bunker else TERRAIN[building].name}: comes down on {needed} or more "
        f"on 1D6 {changes.value:+d}",
        rules=tuple(rules),
        steps=tuple(steps),
        modifiers=words(tuple(parts)),
        chances=chances(spread, str),
        value=needed,
    )


ANSWERS: dict[type[Any], Callable[[Any], Answer]] = {
    ArtilleryStrike: strike_of_artillery,
    AirStrikeOn: strike_from_the_air,
    MortarRound: round_of_mortar,
    Collapse: collapse,
}
