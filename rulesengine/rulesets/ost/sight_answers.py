"""The answer to a question about a line of sight (OST 12, 13, 15): what it meets, and the rules."""

from __future__ import annotations

from rulesengine.contract import Answer, Modifier
from rulesengine.documents import BadDocument
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost.altered import RUBBLE_TERRAIN
from rulesengine.rulesets.ost.charts import HEXSIDES, MARKER_BY_KEY, MARKERS, TERRAIN
from rulesengine.rulesets.ost.ground import BLOCKS, DEGRADES, STRUCTURE, Ground
from rulesengine.rulesets.ost.heights import Eyes
from rulesengine.rulesets.ost.maps_asked import checked_ground, hexes_of, with_works
from rulesengine.rulesets.ost.overlook import Told, name, place, told
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.sight import (
    BLOCKED,
    along,
    blockers,
    crossed,
    degraders,
    indoors,
    look_from,
    shield,
)
from rulesengine.rulesets.ost.street_answers import from_street, rules_of_a_city
from rulesengine.rulesets.ost.veils import LOW, TALL, veiled

ALWAYS = ("12.1.p1", "12.1.5", "14.0.5", "12.1.6", "12.1.7", "30.1.5")
"""The rules of every line."""

LINES = {"hedge": "15.1.2", "stone wall": "15.2.2", "bocage": "15.3.2"}
"""That they run along hexsides."""


def line_of_sight(q: LineOfSight) -> Answer:
    ground = checked_ground(q.map)
    if q.rubble:
        ground = with_works(ground, {"rubble": q.rubble})
    (a,) = hexes_of(ground, (q.start,), "start")
    (b,) = hexes_of(ground, (q.end,), "end")
    if a == b:
        raise BadDocument("start, end: two different hexes are needed")
    eyes = _eyes(ground, a, b, (*q.on_ground_floor, *q.on_road))
    if q.on_road:
        veils = {h: tall for h, (_, tall) in _laid(ground, q).items()}
        return from_street(ground, (a, b), eyes, q, veils)
    seen = look_from(ground, a, b, eyes)
    distance, degraded = seen >> 2, seen & 3
    stops = blockers(ground, a, b, eyes)
    met = set(stops | degraders(ground, a, b, eyes))
    laid = _laid(ground, q)
    over = veiled(ground, {h: tall for h, (_, tall) in laid.items()}, (a, b), eyes, frozenset(met))
    if over and degraded != BLOCKED:
        degraded = min(len(met | over), BLOCKED)
    steps = [
        f"{name(ground, what)}: {'blocks' if what in stops else 'degrades'}"
        for what in sorted(met, key=abs)
    ]
    steps += [f"{laid[h][0]} in {ground.name(h)}: degrades" for h in sorted(over)]
    pointed_at = (set(stops) or met) | over
    places = tuple(place(ground, what) for what in sorted(pointed_at, key=abs))
    modifiers = []
    cover = shield(ground, a, b)
    if cover:
        row = HEXSIDES[cover - 1]
        steps.append(f"{row.name} shields {q.end}")
        modifiers.append(Modifier(row.defense, f"{row.name} (Defense)", row.rules["defense"]))
    verdict, rules = _verdict(degraded, bool(stops))
    if 0 < degraded < BLOCKED:
        modifiers.append(Modifier(-degraded, "degraded line of sight (FP)", "12.3.3"))
    more = told(ground, a, b, eyes) if ground.relief else Told()
    if ground.relief:
        steps = [*more.steps, *steps[len(met) :]]
        modifiers += more.modifiers
    met |= {h for h in crossed(ground, a, b) if not ground.opaque[h]}
    terrain = {r for what in met for r in _rules(ground, what)}
    terrain |= _rules_of_line(ground, a, b, eyes) | more.rules
    terrain |= set(rules_of_a_city(ground, a, b))
    if not ground.outside.isdisjoint([*crossed(ground, a, b), *along(ground, a, b)]):
        terrain.add("3.1.3")
    for h in over:
        terrain |= {MARKERS[MARKER_BY_KEY[laid[h][0]]].rules["sight"]}
        terrain |= {"12.4.10", "13.9.7"} if laid[h][1] == TALL and ground.relief else set()
    return Answer(
        question="line of sight",
        text=f"{q.start} to {q.end}: {verdict}, {hex_count(distance)}",
        rules=(*rules, *ALWAYS, *sorted(terrain)),
        steps=tuple(steps),
        modifiers=tuple(modifiers),
        value=degraded,
        places=places,
    )


def _verdict(degraded: int, stopped: bool) -> tuple[str, tuple[str, ...]]:
    """In words, with its rules; `stopped` by something that blocks by itself."""
    if not degraded:
        return "clear", ("12.1.4",)
    if degraded < BLOCKED:
        return f"degraded {degraded}", ("12.3.1", "12.3.3", "12.1.4")
    if stopped:
        return "blocked", ("12.2.1", "12.1.4")
    words = "blocked, for more than two hexes or hexsides degrade it"
    return words, ("12.3.2", "14.0.6", "12.1.4")


def _laid(ground: Ground, q: LineOfSight) -> dict[int, tuple[str, int]]:
    """Per hex what lies there beside its terrain, and whether it is looked over."""
    laid: dict[int, tuple[str, int]] = {}
    for kind, field, names, veil in (
        ("wreck", "wrecks", q.wrecks, LOW),
        ("roadblock", "roadblocks", q.roadblocks, LOW),
        ("smoke", "smoke", q.smoke, TALL),
    ):
        laid |= dict.fromkeys(hexes_of(ground, names, field), (kind, veil))
    return laid


def _eyes(ground: Ground, a: int, b: int, low: tuple[str, ...]) -> Eyes:
    """The levels looked from at both ends. OST 16.3.4, 16.3.5."""
    top, bottom = ground.level, ground.base
    return (bottom[a] if "start" in low else top[a]), (bottom[b] if "end" in low else top[b])


def _rules_of_line(ground: Ground, a: int, b: int, eyes: Eyes) -> set[str]:
    """The rules about ends, hexsides and houses that this line came under."""
    rules = {"12.1.8"} if ground.opaque[a] or ground.opaque[b] else set()
    if any(b * 6 + d in ground.party for d in range(6)):
        rules.add("16.4.5")
    if ground.opaque[b] == DEGRADES:
        rules.add("12.3.5")
    if along(ground, a, b):
        rules |= {"14.0.1", "14.0.8", "15.0.11"}
    if any(ground.opaque[h] >= STRUCTURE for h in crossed(ground, a, b) + along(ground, a, b)):
        rules |= {"12.2.3", "14.0.7"}
    found = degraders(ground, a, b, eyes) | blockers(ground, a, b, eyes)
    met = [-what - 1 for what in found if what < 0]
    if any(side in ground.party for side in met):
        rules.add("16.4.3")
        met = [side for side in met if side not in ground.party]
    if indoors(ground, a, b):
        rules.add("16.3.6")
        met = [side for side in met if ground.edge[side]]
    if met:
        rules |= {"15.0.1", "15.0.2"}
    sides = [HEXSIDES[ground.edge[side] - 1].key for side in met]
    if len(met) > 1:
        rules.add("15.0.8")
    if any(side // 6 in (a, b) or _across(ground, side) in (a, b) for side in met):
        rules.add("15.3.6")
    cover, other = shield(ground, a, b), shield(ground, b, a)
    for code in (cover, other):
        if code:
            rules |= {"15.0.10", HEXSIDES[code - 1].rules["defense"]}
            sides.append(HEXSIDES[code - 1].key)
    if cover and other and ground.grid.distance(a, b) == 1:
        rules.add("15.0.9")
    if not cover and any(ground.edge[b * 6 : b * 6 + 6]):
        bocage = any(ground.edge_sight[b * 6 : b * 6 + 6][d] == BLOCKS for d in range(6))
        rules |= {"15.0.5", "15.3.5"} if bocage else {"15.0.5"}
    return rules | {LINES[key] for key in sides}


def _across(ground: Ground, side: int) -> int:
    return ground.grid.neighbours[side // 6][side % 6]


def _rules(ground: Ground, what: int) -> tuple[str, ...]:
    if -what - 1 in ground.party:
        return ("16.4.3",)
    if what < 0:
        edge = ground.edge[-what - 1]
        return (HEXSIDES[edge - 1].rules["sight"],) if edge else ("16.3.6",)
    rubble = ("13.8.4",) if RUBBLE_TERRAIN in ground.terrain[what] else ()
    return (*(TERRAIN[k].rules["sight"] for k in ground.terrain[what]), *rubble)
