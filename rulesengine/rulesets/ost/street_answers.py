"""The answer to a question about a line of sight from or to a street (OST 12.7, 16.6)."""

from __future__ import annotations

from rulesengine.contract import Answer, Modifier
from rulesengine.documents import BadDocument
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost.ground import STRUCTURE, Ground
from rulesengine.rulesets.ost.heights import Eyes
from rulesengine.rulesets.ost.overlook import name, place
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.sight import BLOCKED, crossed
from rulesengine.rulesets.ost.street_sight import dims, look, ways

WHOLE_ROAD = ("12.7.7", "12.7.6")
"""From and to any part of the road."""


def from_street(
    ground: Ground, line: tuple[int, int], eyes: Eyes, q: LineOfSight, veils: dict[int, int]
) -> Answer:
    """What is seen where one or both ends are in the street; what lies on the way is met as on
    any other line."""
    ends = ("start" in q.on_road, "end" in q.on_road)
    for h, out, field in zip(line, ends, ("start", "end"), strict=True):
        if out and h not in ground.dual:
            raise BadDocument(f"on_road: {field} has no road beside a house")
    seen = look(ground, line, eyes, ends)
    met = dims(ground, line, eyes, ends, veils)
    degraded = min(len(met), BLOCKED) if ways(ground, line, eyes, ends) else BLOCKED
    rules = ["12.1.p1", "12.7.4", "16.6.1", "12.1.4"]
    rules += [rule for rule, out in zip(WHOLE_ROAD, ends, strict=True) if out and ground.urban]
    rules += rules_of_a_city(ground, *line)
    modifiers: tuple[Modifier, ...] = ()
    verdict = "clear"
    if degraded == BLOCKED:
        verdict = "blocked"
        rules.append("12.2.1")
    elif degraded:
        verdict = f"degraded {degraded}"
        rules += ["12.3.1", "12.3.3"]
        modifiers = (Modifier(-degraded, "degraded line of sight (FP)", "12.3.3"),)
    return Answer(
        question="line of sight",
        text=f"{q.start} to {q.end}: {verdict}, {hex_count(seen >> 2)}",
        rules=tuple(rules),
        steps=tuple(name(ground, what) for what in sorted(met, key=abs)),
        modifiers=modifiers,
        value=degraded,
        places=tuple(place(ground, what) for what in sorted(met, key=abs)),
    )


def rules_of_a_city(ground: Ground, a: int, b: int) -> list[str]:
    """What else goes for a line on the map of a city. OST 12.7.2, 12.7.3, 12.7.8."""
    if not ground.urban:
        return []
    rules = ["12.7.8"] if any(ground.road[h] and h not in ground.dual for h in (a, b)) else []
    between = crossed(ground, a, b)
    if any(not ground.structure[h] for h in between):
        rules.append("12.7.2")
    if any(ground.opaque[h] >= STRUCTURE and not ground.storeys[h] for h in between):
        rules.append("12.7.3")
    return rules
