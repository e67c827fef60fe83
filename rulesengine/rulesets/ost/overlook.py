"""A line of sight over levels in words: what it meets, what it is seen over, by which rules.

Only for people who ask; battles need `heights` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulesengine.explain import Modifier
from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.rulesets.ost.charts import HEXSIDES, NAMES, TERRAIN
from rulesengine.rulesets.ost.fire import HEIGHT_ADVANTAGE, HEIGHT_DISADVANTAGE
from rulesengine.rulesets.ost.ground import BLOCKS, DEGRADES, GULLY, HILL, Ground
from rulesengine.rulesets.ost.heights import LOWEST, Eyes, Obstacle
from rulesengine.rulesets.ost.sight import BLOCKED, along, crossed, obstacles, sides_between

MARKED = {0: "12.4.1", 1: "12.4.2", 2: "12.4.3", 3: "12.4.4", -1: "12.4.5"}
"""The rule that says what each level is."""

WORDS = {
    "12.2.1": "blocks",
    "12.3.1": "degrades",
    "12.2.3": "degrades beside the building",
    "12.4.7": "seen over",
    "12.5.2": "hill in the way",
    "12.5.3": "degrades beside the hill",
    "12.5.5": "hill seen over",
    "12.5.7": "plateau: the higher unit is back from the crest",
    "12.5.9": "the unit in the gully is not at its edge",
    "12.6.1": "seen over",
    "12.6.2": "too tall to be seen over",
    "15.0.2": "degrades, along a hexside",
    "16.4.3": "blocks, between row houses",
    "15.3.6": "shuts the house beside it in",
    "16.3.6": "blocks: indoors one sees only the next hex",
}
BLIND = ("12.4.7", "12.5.5", "12.6.1")
HIDES = {DEGRADES: "dim", BLOCKS: "blind"}
"""What the hex behind something lower is."""


@dataclass
class Told:
    """What to add to an answer about sight."""

    steps: list[str] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)
    modifiers: list[Modifier] = field(default_factory=list)


class _Line:
    """A line from its higher end down."""

    def __init__(self, ground: Ground, a: int, b: int, eyes: Eyes) -> None:
        self.ground = ground
        down = eyes[0] >= eyes[1]
        self.up = eyes[0] > eyes[1]
        self.top, self.bottom = (a, b) if down else (b, a)
        self.eye, self.low = max(eyes), min(eyes)
        self.sides = set(along(ground, a, b))
        self.hexes = crossed(ground, a, b) + along(ground, a, b)
        self.hexes.sort(key=lambda h: ground.grid.distance(min(a, b), h))
        if self.top != min(a, b):
            self.hexes.reverse()
        self.lower = [h for h in self.hexes if ground.base[h] < self.eye]
        self.met = obstacles(ground, a, b, eyes)
        effects = [met.effect for met in self.met]
        self.shut = BLOCKS in effects or len(effects) >= BLOCKED

    def height(self, h: int) -> int:
        return self.ground.base[h] + self.ground.storeys[h]

    def stands_out(self, h: int) -> bool:
        """Whether something in a hex could hide what is behind it."""
        return bool(self.ground.opaque[h]) or self.ground.base[h] > 0

    def behind(self, h: int) -> int:
        """The hex the line comes into after h, on the way down."""
        after = self.hexes[self.hexes.index(h) + 1 :]
        if h in self.sides:
            distance = self.ground.grid.distance
            after = [n for n in after if distance(self.top, n) > distance(self.top, h)]
        return after[0] if after else self.bottom

    def hides(self, h: int, behind: int) -> str:
        """What h makes of the hex behind it, seen from the top; "" if nothing. OST 12.4.7."""
        if behind == self.bottom:
            return ""
        met = obstacles(self.ground, self.top, behind, (self.eye, self.ground.level[behind]))
        return next((HIDES[o.effect] for o in met if o.what == h), "")


def told(ground: Ground, a: int, b: int, eyes: Eyes) -> Told:
    """What the levels of a map have to do with the line from a to b."""
    said, level = Told(), ground.level
    line = _Line(ground, a, b, eyes)
    said.rules |= {MARKED[level[a]], MARKED[level[b]], "12.4.p1"}
    for met in line.met:
        said.steps.append(_step(line, met))
        said.rules.add(met.rule)
        if met.rule == "12.5.3":
            said.rules |= {"12.2.4", "14.14.6"}
        if met.rule == "12.5.2":
            said.rules |= {"12.2.4", "14.14.5"}
    said.steps += _seen_over(line)
    if {level[a], level[b]} - {0} or any(level[h] for h in line.hexes):
        said.rules |= {"12.5.1", "14.14.1", "12.5.15"}
    if line.eye > line.low:
        _up_and_down(line, said)
    elif line.eye > 0 and any(ground.opaque[h] for h in line.lower):
        said.rules.add("12.6.3" if ground.storeys[a] and ground.storeys[b] else "12.5.14")
    if any(ground.storeys[h] for h in (a, b, *line.hexes)):
        said.rules |= {"12.6.p1", "16.3.1"}
    _floors(ground, (a, b), eyes, said)
    return said


def _step(line: _Line, met: Obstacle) -> str:
    what = f"{name(line.ground, met.what)}: {WORDS[met.rule]}"
    if met.rule not in BLIND:
        return what
    return f"{what}, but {line.ground.name(line.bottom)} directly behind it is {HIDES[met.effect]}"


def _seen_over(line: _Line) -> list[str]:
    """The hexes that stand out and yet do nothing to the line, and which hex each hides."""
    ground, told_of = line.ground, {met.what for met in line.met}
    steps = []
    for h in line.hexes:
        height = line.height(h)
        if h in told_of or not line.stands_out(h) or height >= line.eye:
            continue
        if height < line.low:
            words = "lower than both, does not count"
        else:
            behind = line.behind(h)
            hides = line.hides(h, behind)
            slope = "on the slope, hides nothing" if ground.base[h] > line.low else ""
            words = f"seen over; {ground.name(behind)} behind it is {hides}" if hides else slope
        if words:
            steps.append(f"{name(ground, h)}: {words}")
    return steps


def _floors(ground: Ground, ends: tuple[int, int], eyes: Eyes, said: Told) -> None:
    for h, eye in zip(ends, eyes, strict=True):
        if ground.storeys[h]:
            top = eye == ground.level[h]
            said.rules |= {"16.3.2", "16.3.4"} if top else {"16.3.5", "8.0.11", "8.0.7"}
            floor = "top" if top else "ground floor"
            said.steps.append(f"{ground.name(h)}: looked from, and at, its {floor}")


def _up_and_down(line: _Line, said: Told) -> None:
    ground, top, bottom = line.ground, line.top, line.bottom
    blocked = {met.rule for met in line.met}
    if not line.shut:
        words, rule = NAMES[HEIGHT_ADVANTAGE if line.up else HEIGHT_DISADVANTAGE]
        said.modifiers.append(Modifier(1 if line.up else -1, words, rule))
        said.rules.add(rule)
    if line.up and not line.shut:
        said.steps.append("range 1 hex longer")
        said.rules |= {"12.4.6", "14.14.8"}
    if ground.storeys[top] or ground.storeys[bottom]:
        said.rules |= {"12.6.4", "12.6.1"}
    if ground.base[top] > 0:
        said.rules |= {"12.5.7", "12.5.8"} if "12.5.7" in blocked else {"12.5.6", "12.5.8"}
    if ground.base[bottom] == LOWEST:
        said.rules.add("12.5.9")
    if any(ground.base[h] == LOWEST for h in line.hexes) and line.eye > LOWEST:
        said.rules.add("12.5.10")
    if any(ground.opaque[h] for h in line.lower):
        said.rules |= {"12.4.7", "12.5.4", "12.5.13", "14.14.7"}
    if any(not ground.opaque[h] for h in line.lower):
        said.rules.add("12.4.8")
    between = [h for h in line.lower if line.low < ground.base[h]]
    if between and "12.5.5" not in blocked:
        said.rules.add("12.5.11")
    if any(ground.opaque[h] for h in between):
        said.rules.add("12.5.12")
    for side in sides_between(ground, top, bottom):
        if HEXSIDES[ground.edge[side] - 1].sight == "degrades":
            said.rules.add("12.4.9")


def place(ground: Ground, what: int) -> str:
    """A hex by its name, or a hexside (a negative number) as maps write it: "F5/NE"."""
    if what >= 0:
        return ground.name(what)
    h, d = divmod(-what - 1, 6)
    return f"{ground.name(h)}/{DIRECTION_NAMES[d]}"


def name(ground: Ground, what: int) -> str:
    """A hex with its terrain and level, or a hexside as a negative number, in words."""
    if what < 0:
        h, d = divmod(-what - 1, 6)
        if h * 6 + d in ground.party:
            return f"party wall along {ground.name(h)}"
        if not ground.edge[h * 6 + d]:
            return f"the building in {ground.name(h)}"
        row = HEXSIDES[ground.edge[h * 6 + d] - 1]
        return f"{row.name} along {ground.name(h)}"
    kinds = [TERRAIN[k].name for k in ground.terrain[what] if k not in (HILL, GULLY)]
    names = " and ".join(kinds)
    if ground.base[what] > 0:
        plain = names in ("", "open")
        names = "hill" if plain else f"{names} on a hill"
    elif ground.base[what] < 0:
        names = "gully"
    level = f", level {ground.base[what]}" if ground.base[what] else ""
    if ground.storeys[what]:
        level = f" of {ground.storeys[what] + 1} storeys"
    return f"{names}{level} in {ground.name(what)}"
