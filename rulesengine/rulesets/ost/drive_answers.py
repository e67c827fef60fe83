"""The answer to a question about a drive: its points, and the chances to bog down on the way."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from rulesengine.contract import Answer, Chance
from rulesengine.documents import BadDocument
from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.rulesets.ost.charts import HEXSIDES, TERRAIN
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import MOVEMENT
from rulesengine.rulesets.ost.maps_asked import checked_ground, hexes_of
from rulesengine.rulesets.ost.tally import words
from rulesengine.rulesets.ost.tracks import (
    CLOSED,
    PIVOT,
    REVERSE,
    bog_modifiers,
    bogs,
    is_reverse,
    step,
    turns_one,
)
from rulesengine.rulesets.ost.vehicle_answers import vehicle_of
from rulesengine.rulesets.ost.vehicle_questions import DriveCost
from rulesengine.rulesets.ost.vehicles import DRIVE, WHEELED

FACES = 6


def drive_cost(q: DriveCost) -> Answer:
    """Points of each hex, whether it can be done, and how likely it gets there. OST 23.4, 23.5."""
    ground = checked_ground(q.map)
    kind = vehicle_of(q.vehicle, "vehicle")
    hexes = hexes_of(ground, q.path, "path")
    if len(hexes) < 2 or len(q.facings) != len(hexes) - 1:
        raise BadDocument("path, facings: the hex it stands in, then a facing for each step")
    points = MOVEMENT[kind] // 2 if q.shaken else MOVEMENT[kind]
    facing, spent, bogged = DIRECTION_NAMES.index(q.facing), 0, Fraction(0)
    steps: list[str] = []
    rules = ["23.4.p1", "23.0.2"]
    ends: list[tuple[str, Fraction]] = []
    modifiers: list[int] = []
    for (a, b), word in zip(pairwise(hexes), q.facings, strict=True):
        after = DIRECTION_NAMES.index(word)
        name = ground.name(b)
        if a == b:
            spent += PIVOT
            steps.append(f"{name}: 1 (a pivot to {word})")
            rules.append("23.4.7")
            facing = after
            continue
        _refuse_step(ground, a, b, facing, after)
        way = step(ground, DRIVE[kind], a, b)
        if way.halves == CLOSED:
            text = f"vehicles of its kind may not go from {ground.name(a)} to {name}"
            return Answer(question="drive", text=text, rules=(way.rule, "14.0.4"))
        reverse = is_reverse(ground.grid.direction(a, b), facing)
        halves = way.halves + (REVERSE if reverse else 0)
        spent += halves
        steps.append(f"{name}: {_points(halves)}{_why(way.by_road, reverse, way.bog)}")
        rules += ["23.4.4"] * reverse + ["14.13.5" if q.map.bad_roads else "14.13.2"] * way.by_road
        rules += _paid(ground, DRIVE[kind], a, b, by_road=way.by_road)
        if way.bog:
            chance, changes = _bog(ground, DRIVE[kind], b)
            ends.append((f"bogs down in {name}", (1 - bogged) * chance))
            bogged += ends[-1][1]
            modifiers += changes
            rules += ["23.5.p1", "23.5.1", "14.0.3"]
            rules += ["15.0.4"] if ground.edge[a * 6 + ground.grid.direction(a, b)] else []
        facing = after
    alone = len(hexes) == 2 and hexes[0] != hexes[1]
    rules += ["23.0.4", "23.0.5"] if alone and spent > 2 * points else ["23.0.4"]
    fits = spent <= 2 * points or alone
    verdict = "can be done" if fits else f"is too far for {points}"
    return Answer(
        question="drive",
        text=f"{_points(spent)} movement point{'s' * (spent != 2)}: {verdict}",
        rules=tuple(dict.fromkeys(rules)),
        steps=tuple(steps),
        modifiers=words(tuple(modifiers)),
        chances=_chances(ground.name(hexes[-1]), ends) if fits else (),
        value=-(-spent // 2),
    )


def _paid(ground: Ground, drive: int, a: int, b: int, *, by_road: bool) -> list[str]:
    """The rules of what a step pays for beside the road: hexside, levels, the worst terrain."""
    rules = []
    edge = ground.edge[a * 6 + ground.grid.direction(a, b)]
    if edge:
        rules += ["15.0.3", HEXSIDES[edge - 1].rules["cost"]]
    climb = ground.climb(a, b, street=True)
    rules += ["14.14.2"] * (climb > 0) + ["14.14.3"] * (climb > 1)
    if not by_road:
        rows = [TERRAIN[kind] for kind in ground.terrain[b]]
        worst = max(rows, key=lambda row: (row.wheeled if drive == WHEELED else row.tracked) or 0)
        rules += [worst.rules["cost"]] + ["14.0.9"] * (len(rows) > 1)
    return rules


def _refuse_step(ground: Ground, a: int, b: int, before: int, after: int) -> None:
    if ground.grid.direction(a, b) < 0:
        raise BadDocument(f"path: {ground.name(a)} and {ground.name(b)} are not adjacent")
    if not turns_one(before, after):
        raise BadDocument(
            f"facings: {ground.name(b)}: a step turns it one hexside at most (23.4.5)"
        )


def _points(halves: int) -> str:
    return f"{halves / 2:g}"


def _why(by_road: bool, reverse: bool, bog: bool) -> str:
    parts = ["by road"] * by_road + ["in reverse"] * reverse + ["a bog roll"] * bog
    return f" ({', '.join(parts)})" if parts else ""


def _bog(ground: Ground, drive: int, h: int) -> tuple[Fraction, list[int]]:
    """(chance to bog down in a hex, what changes the roll)."""
    tally = bog_modifiers(ground, h)
    bad = sum(bogs(drive, face + tally.value) for face in range(1, FACES + 1))
    return Fraction(bad, FACES), list(tally.parts)


def _chances(end: str, bogged: list[tuple[str, Fraction]]) -> tuple[Chance, ...]:
    """Every end of the drive, over one denominator."""
    merged: dict[str, Fraction] = {f"gets to {end}": 1 - sum((c for _, c in bogged), Fraction(0))}
    for name, chance in bogged:
        merged[name] = merged.get(name, Fraction(0)) + chance
    of = FACES ** len(bogged) if bogged else 1
    return tuple(Chance(name, int(chance * of), of) for name, chance in merged.items() if chance)
