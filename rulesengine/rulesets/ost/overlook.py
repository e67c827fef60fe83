"""A line of sight over levels in words: what it meets, what it is seen over, by which rules.

Only for people who ask; battles need `heights` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulesengine.explain import Modifier
from rulesengine.rulesets.ost.charts import HEXSIDES, NAMES, TERRAIN
from rulesengine.rulesets.ost.fire import HEIGHT_ADVANTAGE, HEIGHT_DISADVANTAGE
from rulesengine.rulesets.ost.ground import BLOCKS, GULLY, HILL, Ground
from rulesengine.rulesets.ost.heights import LOWEST, rise
from rulesengine.rulesets.ost.sight import along, crossed, obstacles, sides_between

MARKED = {0: "12.4.1", 1: "12.4.2", 2: "12.4.3", 3: "12.4.4", -1: "12.4.5"}
"""The rule that says what each level is."""

WORDS = {
    "12.2.1": "blocks",
    "12.3.1": "degrades",
    "12.2.3": "degrades beside the building",
    "12.4.7": "throws its blind hex",
    "12.5.2": "hill in the way",
    "12.5.3": "degrades beside the hill",
    "12.5.5": "hill: the hex directly behind it is blind",
    "12.5.7": "plateau: the higher unit is back from the crest",
    "12.5.9": "the unit in the gully is not at its edge",
    "12.6.1": "building: the hex directly behind it is blind",
    "12.6.2": "building of several storeys: never seen over",
    "15.0.2": "hexside terrain",
}


@dataclass
class Told:
    """What to add to an answer about sight."""

    steps: list[str] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)
    modifiers: list[Modifier] = field(default_factory=list)


def told(ground: Ground, a: int, b: int) -> Told:
    """What the levels of a map have to do with the line from a to b."""
    said = Told()
    level = ground.level
    said.rules |= {MARKED[level[a]], MARKED[level[b]], "12.4.p1"}
    for met in obstacles(ground, a, b):
        said.steps.append(f"{name(ground, met.what)}: {WORDS[met.rule]}")
        said.rules.add(met.rule)
        if met.effect != BLOCKS and met.rule == "12.5.3":
            said.rules |= {"12.2.4", "14.14.6"}
        if met.rule == "12.5.2":
            said.rules |= {"12.2.4", "14.14.5"}
    on_line = crossed(ground, a, b) + along(ground, a, b)
    if {level[a], level[b]} - {0} or any(level[h] for h in on_line):
        said.rules |= {"12.5.1", "14.14.1", "12.5.15"}
    if level[a] != level[b]:
        _up_and_down(ground, a, b, on_line, said)
    elif level[a]:
        seen_over = any(ground.opaque[h] and ground.base[h] < level[a] for h in on_line)
        houses = ground.storeys[a] and ground.storeys[b]
        said.rules |= {"12.6.3" if houses else "12.5.14"} if seen_over else set()
    if any(ground.storeys[h] for h in (a, b, *on_line)):
        said.rules |= {"12.6.p1", "16.3.1", "16.3.4"}
    return said


def _up_and_down(ground: Ground, a: int, b: int, on_line: list[int], said: Told) -> None:
    level = ground.level
    top, bottom = (a, b) if level[a] > level[b] else (b, a)
    blocked = {met.rule for met in obstacles(ground, a, b)}
    up = rise(ground, a, b) > 0
    code = HEIGHT_ADVANTAGE if up else HEIGHT_DISADVANTAGE
    words, rule = NAMES[code]
    said.modifiers.append(Modifier(1 if up else -1, words, rule))
    said.rules.add(rule)
    if up:
        said.steps.append("range 1 hex longer")
        said.rules |= {"12.4.6", "14.14.8"}
    if ground.storeys[top] or ground.storeys[bottom]:
        said.rules |= {"12.6.4", "12.6.1"}
    if ground.base[top] > 0:
        said.rules |= {"12.5.7", "12.5.8"} if "12.5.7" in blocked else {"12.5.6", "12.5.8"}
    if level[bottom] == LOWEST:
        said.rules.add("12.5.9")
    if any(level[h] == LOWEST for h in on_line) and level[top] > LOWEST:
        said.rules.add("12.5.10")
    lower = [h for h in on_line if ground.base[h] < level[top]]
    if any(ground.opaque[h] for h in lower):
        said.rules |= {"12.4.7", "12.5.4", "12.5.13", "14.14.7"}
    if any(not ground.opaque[h] for h in lower):
        said.rules.add("12.4.8")
    if any(level[bottom] < ground.base[h] < level[top] for h in lower) and (
        "12.5.5" not in blocked
    ):
        said.rules.add("12.5.11")
    if any(level[bottom] < ground.base[h] and ground.opaque[h] for h in lower):
        said.rules.add("12.5.12")
    for side in sides_between(ground, a, b):
        if HEXSIDES[ground.edge[side] - 1].sight == "degrades":
            said.rules.add("12.4.9")


def name(ground: Ground, what: int) -> str:
    """A hex with its terrain and level, or a hexside as a negative number, in words."""
    if what < 0:
        h, d = divmod(-what - 1, 6)
        row = HEXSIDES[ground.edge[h * 6 + d] - 1]
        return f"{row.name} along {ground.name(h)}"
    kinds = [TERRAIN[k].name for k in ground.terrain[what] if k not in (HILL, GULLY)]
    names = " and ".join(kinds)
    if ground.base[what] > 0:
        plain = names in ("", "open")
        names = "hill" if plain else f"{names} on a hill"
    elif ground.base[what] < 0:
        names = "gully"
    level = f", level {ground.level[what]}" if ground.level[what] else ""
    return f"{names}{level} in {ground.name(what)}"
