"""Battles for the conformance and law tests: the shipped scenarios, and a player who assaults."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from rulesengine.contract import Action, Battle, Decision
from rulesengine.dice import Tape, key_of_run, key_of_seed
from rulesengine.doctrine import Anything
from rulesengine.documents import Arrival, Element, Force, Unit
from rulesengine.loader import load_scenario
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.charts import TERRAIN
from rulesengine.rulesets.ost.scenario import (
    AirborneOperation,
    Aircraft,
    Battery,
    Exit,
    LuckCards,
    OstScenario,
    Road,
    Work,
)

FIXTURES = Path(__file__).parents[3] / "fixtures"
MIRROR = FIXTURES / "bench" / "mirror.toml"
HILLS = FIXTURES / "bench" / "hills.toml"
"""The mirror battle over hills, a gully, tall houses and steep slopes."""
ARMOUR = FIXTURES / "bench" / "armour.toml"
"""Tanks, guns, rockets and lorries of every kind, with infantry."""
REFERENCE = FIXTURES / "bench" / "reference.toml"
PACK = FIXTURES / "packs" / "road-to-bastogne"
FIGHTS = ("noville", "noville-afternoon", "noville-20th", "foy-road")
EASTERN = FIXTURES / "packs" / "eastern-front-1941"
EASTERN_FIGHTS = ("bug-bridge", "borisov", "senno", "yelnya", "mtsensk", "snow-village")


@cache
def scenario(path: Path) -> OstScenario:
    loaded = load_scenario(path)
    assert isinstance(loaded, OstScenario)
    return loaded


def fight_of(name: str) -> OstScenario:
    """A battle of a shipped pack by its file's name; "hills" and "armour" are of the bench."""
    if name == "armour":
        return scenario(ARMOUR)
    if name in EASTERN_FIGHTS:
        return scenario(EASTERN / "scenarios" / f"{name}.toml")
    return scenario(HILLS if name == "hills" else PACK / "scenarios" / f"{name}.toml")


def joined(battle: OstScenario, side: str, *types: str) -> OstScenario:
    """The same battle with one more unit on a side."""
    unit = Unit(
        id=f"joined-{side}",
        name="Joined",
        elements=tuple(Element(id=f"joined-{side}/{n}", type=t) for n, t in enumerate(types)),
    )
    forces = tuple(
        Force(side=f.side, units=(*f.units, unit)) if f.side == side else f for f in battle.forces
    )
    return msgspec.structs.replace(battle, forces=forces)


SAPPERS = {
    "allies": ("us-engineer", "us-satchel", "us-rifle", "us-mortar-60"),
    "axis": ("ger-pioneer", "ger-flamethrower", "ger-rifle", "ger-mortar-50", "ger-grenade-bundle"),
}
"""Who brings what is thrown, and mortars."""


@cache
def fortified() -> OstScenario:
    """The armour battle with works of every kind, artillery, aircraft, thrown weapons and mortars
    on both sides."""
    battle = scenario(ARMOUR)
    for force, types in SAPPERS.items():
        battle = joined(battle, force, *types)
    zones = [set(ruleset("ost").setup(battle).ground.grid.area(t.zone)) for t in battle.terms]
    ground = ruleset("ost").setup(battle).ground
    grid = ground.grid
    every = range(grid.columns, grid.columns * (grid.rows + 1))
    free = [h for h in every if not ground.structure[h]]
    free = [h for h in free if "stream" not in kinds_of(ground, h)]
    terms = []
    for number, (side, zone) in enumerate(zip(battle.terms, zones, strict=True)):
        mine = [h for h in free if h in zone]
        between = [h for h in free if not any(h in z for z in zones)][number::2]
        works = [
            Work(
                kind=kind, hexes=ground.name(mine[at * 3]), facing="S" if kind == "pillbox" else ""
            )
            for at, kind in enumerate(("foxholes", "trench", "bunker", "pillbox", "roadblock"))
        ]
        works += [
            Work(kind=kind, hexes=", ".join(ground.name(h) for h in between[at::9][:8]))
            for at, kind in enumerate(("mines", "wire", "roadblock"))
        ]
        guns = (Battery(kind="artillery", missions=3), Battery(kind="rockets", missions=1))
        terms.append(
            msgspec.structs.replace(side, works=tuple(works), artillery=guns, air_strikes=2)
        )
    return msgspec.structs.replace(battle, terms=tuple(terms))


@cache
def motorised() -> OstScenario:
    """A small battle among works: tanks, carriers and lorries, squads and mobile troops, guns that
    cannot walk, some of it arriving later, and ways off the map for both sides."""
    battle = fortified()
    forces, arrivals, terms = [], [], []
    own = {"us": ("us-m4", "us-m3-halftrack", "us-3inch", "us-bazooka")}
    own["ger"] = ("ger-pz4h", "ger-251", "ger-pak40", "ger-panzerfaust")
    for force, nation, home, away in zip(
        battle.forces, ("us", "ger"), ("A1:A12", "O1:O12"), ("O1:O12", "A1:A12"), strict=True
    ):
        tank, carrier, gun, rocket = own[nation]
        squad, lorry = f"{nation}-rifle", f"{nation}-truck"
        units = [
            _unit(f"{force.side} foot", (squad, squad, squad, f"{nation}-sergeant", rocket)),
            _unit(f"{force.side} armour", (tank, tank, carrier)),
            _unit(f"{force.side} mobile", ("ger-motorcycle", "sov-cavalry")),
            _unit(f"{force.side} guns", (gun, lorry)),
            _unit(f"{force.side} column", (lorry, gun)),
        ]
        forces.append(msgspec.structs.replace(force, units=tuple(units)))
        arrivals.append(Arrival(units=(units[-1].id,), turn=2, at=home))
        mine = next(t for t in battle.terms if t.side == force.side)
        ways = (Exit(hexes=away, points=2), Exit(hexes=home))
        terms.append(msgspec.structs.replace(mine, exits=ways))
    return msgspec.structs.replace(
        battle, forces=tuple(forces), arrivals=tuple(arrivals), terms=tuple(terms)
    )


@cache
def in_town() -> OstScenario:
    """That battle in a city: the lane and a road across it run between houses, some of them tall,
    some of one building, all with works, shells and vehicles about; a large gun on one side."""
    battle = joined(motorised(), "axis", "ger-flak36", "ger-truck")
    rows = [list(row) for row in battle.ground.grid]
    levels = [["0"] * len(rows[0]) for _ in rows]
    crossing = [f"{'ABCDEFGHIJKLMNO'[c]}6" for c in range(15)]
    for name in [*["G4", "G5", "G7", "G8"], *crossing[2:13]]:
        rows[int(name[1:]) - 1]["ABCDEFGHIJKLMNO".index(name[0])] = "H"
    for name in ("E6", "G6", "I6"):
        levels[5]["ABCDEFGHIJKLMNO".index(name[0])] = "1"
    roads = (
        *battle.ground.roads,
        Road(hexes=" ".join(crossing)),
        Road(hexes=" ".join(f"G{r}" for r in range(2, 11))),
    )
    ground = msgspec.structs.replace(
        battle.ground,
        key="town",
        grid=tuple("".join(row) for row in rows),
        legend={**battle.ground.legend, "H": "heavy structure"},
        levels=tuple("".join(row) for row in levels),
        roads=roads,
        buildings=("H6, I6",),
        heavy_urban=True,
    )
    terms = [msgspec.structs.replace(side, works=()) for side in battle.terms]
    return msgspec.structs.replace(battle, ground=ground, terms=tuple(terms))


@cache
def parachuted() -> OstScenario:
    """A small battle among works: both sides come by parachute and glider, before it and in turn 2,
    with leaders, weapons, guns and supplies."""
    battle = fortified()
    forces, terms = [], []
    for force, nation, heading in zip(battle.forces, ("us", "ger"), ("S", "N"), strict=True):
        squad, gun = (
            ("us-airborne-rifle", "us-57mm") if nation == "us" else ("ger-rifle", "ger-pak36")
        )
        mg, leader, rocket = (f"{nation}-mmg", f"{nation}-sergeant", f"{nation}-bazooka")
        rocket = rocket if nation == "us" else "ger-panzerfaust"
        loads = {
            "stick": (squad, squad, mg, leader, rocket),
            "glider": (squad, gun, leader),
            "late stick": (squad, mg),
            "late glider": (squad, squad),
            "foot": (f"{nation}-rifle", f"{nation}-rifle", mg, leader),
        }
        units = [_unit(f"{force.side} {name}", types) for name, types in loads.items()]
        units.append(_unit(f"{force.side} can", (rocket,)))
        forces.append(msgspec.structs.replace(force, units=tuple(units)))
        mine = next(t for t in battle.terms if t.side == force.side)
        flown = [
            AirborneOperation(
                turn=turn,
                heading=heading,
                aircraft=(
                    Aircraft(
                        kind="transport",
                        at="B4:N9",
                        units=(f"{force.side} {late}stick",),
                        supplies=(f"{force.side} can",) if turn else (),
                    ),
                    Aircraft(kind="glider", at="A1:O12", units=(f"{force.side} {late}glider",)),
                ),
            )
            for turn, late in ((0, ""), (2, "late "))
        ]
        terms.append(msgspec.structs.replace(mine, airborne=tuple(flown)))
    return msgspec.structs.replace(battle, forces=tuple(forces), terms=tuple(terms))


@cache
def lucky(*, riders: bool = False) -> OstScenario:
    """The battle from the air, or that of riders, with five luck cards a side."""
    battle = motorised() if riders else parachuted()
    return msgspec.structs.replace(battle, luck_cards=LuckCards(each=5))


def _unit(name: str, types: tuple[str, ...]) -> Unit:
    elements = tuple(Element(id=f"{name} {n}", type=kind) for n, kind in enumerate(types))
    return Unit(id=name, name=name, elements=elements)


def kinds_of(ground: Any, h: int) -> set[str]:
    """Keys of the terrain of a hex."""
    return {TERRAIN[kind].key for kind in ground.terrain[h]}


def key(name: str, run: int) -> bytes:
    return key_of_run(key_of_seed(name), run)


def swapped(battle: OstScenario) -> OstScenario:
    """The same battle with the sides' numbers exchanged: who was first is second."""
    return msgspec.structs.replace(
        battle, sides=(battle.sides[1], battle.sides[0]), key=f"{battle.key}-swapped"
    )


RARE = (
    a.AssaultMove,
    a.Merge,
    a.Evade,
    a.PickUp,
    a.VehicleFire,
    a.LaySmoke,
    a.Clear,
    a.BlowUp,
    a.CallArtillery,
    a.AirStrike,
    a.HexFire,
    a.Scrap,
    a.Demolish,
    a.Load,
    a.Unload,
    a.RollingCover,
    a.LeaveCover,
    a.PlayCard,
)


class Rough:
    """Plays at random, but assaults, groups and sustains when it can: for the rare branches."""

    def __init__(self, tape: Tape) -> None:
        self._anything = Anything(ruleset("ost"), tape)
        self._tape = tape

    def choose(self, view: Any, decision: Decision) -> Action:
        menu = list(ruleset("ost").candidates(view, decision))
        rare = [
            action
            for action in menu
            if isinstance(action, RARE)
            or (isinstance(action, a.Move) and action.gun >= 0)
            or (isinstance(action, a.Fire) and (action.second >= 0 or action.partner >= 0))
        ]
        if rare and self._tape.roll(6, 1).faces[0] > 2:
            return rare[self._tape.roll(100, 1).faces[0] % len(rare)]
        return self._anything.choose(view, decision)


def random_battle(battle: OstScenario, name: str, run: int, *, rough: bool = False) -> Battle[Any]:
    """A battle of random legal play, fought to its end."""
    start = begin(battle, Tape(key(name, run)))
    tape = Tape(key(f"{name} player", run))
    player = Rough(tape) if rough else Anything(ruleset("ost"), tape)
    fight(start, [player, player])
    return start
