"""An attack over open ground, with means of smoke: squads with engineers, a mortar and a battery
have to take a village from squads and machine guns in it."""

from __future__ import annotations

from functools import cache

from rulesengine.documents import Element, Force, Side, Unit
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.scenario import (
    Battery,
    ControlHex,
    HexMap,
    Impulses,
    OstScenario,
    SideTerms,
    Victory,
    Work,
)
from rulesengine.rulesets.ost.state import State

GRID = (
    "w...............",
    "w...............",
    "w............o..",
    "w............b..",
    "b..........b.b..",
    "b............b..",
    "b...........b.o.",
    "w............b..",
    "w...............",
    "w...............",
)
LEGEND = {
    ".": "open",
    "w": "woods",
    "b": "brush",
    "f": "farm",
    "o": "orchard",
}
MEANS = {"engineers": 6, "mortars": 2, "missions": 3}
"""How many of each, where a battle has them."""


def units(side: str, *types: str) -> Force:
    elements = tuple(Element(id=f"{side}/{n}", type=kind) for n, kind in enumerate(types))
    return Force(side=side, units=(Unit(id=side, name=side.capitalize(), elements=elements),))


@cache
def attack(means: str) -> OstScenario:
    """The attack with one means of smoke: "engineers", "mortars" or "missions"."""
    squads = ["us-airborne-rifle"] * 12 + ["us-sergeant", "us-sergeant", "us-lieutenant"]
    count = MEANS[means]
    if means == "engineers":
        squads[:count] = ["us-engineer"] * count
    if means == "mortars":
        squads += ["us-mortar-60"] * count
    guns = (Battery(kind="mortar battery", missions=count),) if means == "missions" else ()
    attacker = SideTerms(
        side="allies",
        gut_check=7,
        impulses=Impulses(dice=2, plus=8),
        posture="attack",
        zone="A1:B10",
        order=2,
        artillery=guns,
    )
    defender = SideTerms(
        side="axis",
        gut_check=7,
        impulses=Impulses(dice=1, plus=4),
        posture="defend",
        zone="L2:N9",
        order=1,
        works=(Work(kind="trench", hexes="M3, M5, M7, N6, L8, L9, N4"),),
    )
    defenders = ("ger-rifle",) * 3 + ("ger-mmg", "ger-sergeant")
    return OstScenario(
        schema="battle-scenario/1",
        ruleset="ost",
        key=f"open-ground-{means}",
        title="Open ground",
        sides=(Side(key="allies", name="Allies"), Side(key="axis", name="German")),
        forces=(units("allies", *squads), units("axis", *defenders)),
        ground=HexMap(key="open-ground", title="Open ground", grid=GRID, legend=LEGEND),
        turns=8,
        terms=(attacker, defender),
        victory=Victory(margin=1),
        control=tuple(
            ControlHex(hex=h, name=h, owner="axis", at_end=3) for h in ("M3", "M5", "M7")
        ),
    )


class Smokeless(Sensible):
    """The same player, who never thinks of smoke."""

    __slots__ = ()

    def __init__(self, state: State, side: int) -> None:
        super().__init__(state, side)
        self._smoke = None
