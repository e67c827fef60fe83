"""A small table to try one rule on: lay a few counters out, load the dice, act, look.

Everything goes through the ruleset's own actions; `given` lets something have happened before,
as an event, which is how any state comes about. What the engine says is noted as cited.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from rulesengine.contract import Action, Battle, Event, Refusal
from rulesengine.dice import Roll
from rulesengine.documents import Element, Force, Side, Unit
from rulesengine.geometry.hexes import grid_of
from rulesengine.play import act
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.catalogue import BY_KEY, TYPES
from rulesengine.rulesets.ost.charts import LUCK_CARDS
from rulesengine.rulesets.ost.events import GutChecked
from rulesengine.rulesets.ost.luck_events import HandDealt
from rulesengine.rulesets.ost.scenario import (
    AirborneOperation,
    Aircraft,
    Battery,
    ControlHex,
    Exit,
    HexMap,
    Hexsides,
    Impulses,
    Options,
    OstScenario,
    Road,
    SideTerms,
    Victory,
    Work,
)
from rulesengine.rulesets.ost.state import MORALE_NAMES, NONE
from tests.rule_marks import Cited

LEGEND = {
    ".": "open",
    "b": "brush",
    "w": "woods",
    "o": "orchard",
    "f": "farm",
    "t": "wheatfield",
    "c": "cemetery",
    "s": "stream",
    "m": "marsh",
    "x": "shell holes",
    "d": "debris",
    "r": "rubble",
    "l": "light structure",
    "h": "heavy structure",
    "u": "ruins",
    "B": "brush + stream",
}
OPEN = ("........",) * 8

US, GERMAN = 0, 1
CARD = {row.key: row.code for row in LUCK_CARDS}
SIDES = ("us", "german")


class Feed:
    """Dice that show what they were loaded with; more can be loaded at any time."""

    def __init__(self) -> None:
        self.at = 0
        self.faces: deque[int] = deque()

    def roll(self, sides: int, count: int) -> Roll:
        assert len(self.faces) >= count, f"{count} dice were rolled, {len(self.faces)} are loaded"
        start = self.at
        self.at += count
        return Roll(start, sides, tuple(self.faces.popleft() for _ in range(count)))


class Table:
    """Before the battle: ground and counters."""

    def __init__(self, cited: Cited, rows: tuple[str, ...] = OPEN, **ground: Any) -> None:
        self.cited = cited
        self.map = HexMap(key="table", title="Table", grid=tuple(rows), legend=LEGEND, **ground)
        self.counters: list[tuple[str, str, str, str, str]] = []
        self.attached: list[tuple[str, str]] = []
        self.carried: list[tuple[str, str]] = []
        self.hidden: list[str] = []
        self.shaky: list[tuple[str, str]] = []
        self.facings: list[tuple[str, int]] = []
        self.first = US
        self.changes: dict[str, Any] = {}
        self.plus = (20, 20)
        self.gut = (7, 7)
        self.works: tuple[list[Work], list[Work]] = ([], [])
        self.batteries: tuple[list[Battery], list[Battery]] = ([], [])
        self.sorties = [0, 0]
        self.hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.falls: tuple[int, ...] = ()
        """Dice for what happens between the set-up and the first turn."""
        self.exits: tuple[list[Exit], list[Exit]] = ([], [])
        self.aboard: list[tuple[str, str]] = []
        self.streets: list[str] = []
        self.operations: tuple[list[AirborneOperation], list[AirborneOperation]] = ([], [])
        self.set_up: tuple[list[str], list[str]] = ([], [])

    def put(
        self,
        name: str,
        kind: str,
        at: str = "",
        *,
        reduced: bool = False,
        morale: str = "good order",
        leader: str = "",
        weapon: str = "",
        hidden: bool = False,
        quality: str = "",
        facing: int = 0,
        condition: str = "",
        on: str = "",
        street: bool = False,
    ) -> Table:
        """A counter by its catalogue key; the side is told by the key."""
        condition = condition or ("reduced" if reduced else "fit")
        self.counters.append((name, kind, at, condition, quality))
        if leader:
            rank = "sergeant" if self._walks(kind) else "armor-leader"
            rank = f"us-{rank}" if kind.startswith("us-") else f"ger-{rank}"
            self.counters.append((leader, rank, at, "fit", ""))
            self.attached.append((leader, name))
        if weapon:
            self.counters.append((f"{name}'s weapon", weapon, at, "fit", ""))
            self.carried.append((f"{name}'s weapon", name))
        if on:
            self.aboard.append((name, on))
        if hidden:
            self.hidden.append(name)
        if street:
            self.streets.append(name)
        if morale != "good order":
            self.shaky.append((name, morale))
        self.facings.append((name, facing))
        return self

    @staticmethod
    def _walks(kind: str) -> bool:
        return kind not in BY_KEY or TYPES[BY_KEY[kind]].category != "vehicle"

    def to_move(self, side: int) -> Table:
        self.first = side
        return self

    def points(self, us: int, german: int) -> Table:
        """Impulse Points of the first turn (the dice show 1)."""
        self.plus = (us - 1, german - 1)
        return self

    def gut_checks(self, us: int, german: int) -> Table:
        self.gut = (us, german)
        return self

    def scenario(self, **changes: Any) -> Table:
        """Set fields of the scenario: turns, control, victory, options."""
        self.changes |= changes
        return self

    def work(self, side: int, kind: Any, hexes: str, facing: Any = "") -> Table:
        """Battlefield markers that a side has from the start."""
        self.works[side].append(Work(kind=kind, hexes=hexes, facing=facing))
        return self

    def battery(self, side: int, kind: Any = "artillery", missions: int = 2) -> Table:
        """Off-board artillery of a side."""
        self.batteries[side].append(Battery(kind=kind, missions=missions))
        return self

    def air(self, side: int, strikes: int = 1) -> Table:
        self.sorties[side] = strikes
        return self

    def way_out(self, side: int, hexes: str, points: int = 0) -> Table:
        """Where a side may leave the map."""
        self.exits[side].append(Exit(hexes=hexes, points=points))
        return self

    def flies(
        self, side: int, *aircraft: tuple[Any, str, tuple[str, ...]], turn: int = 0, **more: Any
    ) -> Table:
        """An airborne operation: (kind, hex it is set up in, who is aboard) of each aircraft."""
        flown = tuple(
            Aircraft(
                kind=kind,
                at=at,
                units=tuple(name for name in names if not name.startswith("+")),
                supplies=tuple(name[1:] for name in names if name.startswith("+")),
            )
            for kind, at, names in aircraft
        )
        more.setdefault("heading", "N")
        self.operations[side].append(AirborneOperation(aircraft=flown, turn=turn, **more))
        self.set_up[side].extend(at.partition(":")[0] for _, at, _ in aircraft)
        return self

    def hand(self, us: tuple[str, ...] = (), german: tuple[str, ...] = ()) -> Table:
        """Luck cards, by key, that the sides hold once the battle has begun."""
        self.hands = (us, german)
        return self

    def start(self) -> Play:
        return Play(self)

    def document(self) -> OstScenario:
        forces = [
            Force(side=SIDES[s], units=self._units(s)) for s in (US, GERMAN) if self._units(s)
        ]
        grid = grid_of(len(self.map.grid[0]), len(self.map.grid))
        last = grid.name(grid.hexes[-1])
        terms = tuple(
            SideTerms(
                side=SIDES[s],
                gut_check=self.gut[s],
                impulses=Impulses(dice=1, plus=self.plus[s]),
                posture="meeting",
                zone=f"A1:{last}",
                order=s + 1,
                hidden=9,
                works=tuple(self.works[s]),
                artillery=tuple(self.batteries[s]),
                air_strikes=self.sorties[s],
                exits=tuple(self.exits[s]) or UNSET,
                airborne=tuple(self.operations[s]) or UNSET,
            )
            for s in (US, GERMAN)
        )
        fields: dict[str, Any] = {
            "schema": "battle-scenario/1",
            "ruleset": "ost",
            "key": "table",
            "title": "Table",
            "sides": (Side(key="us", name="US"), Side(key="german", name="Germans")),
            "forces": tuple(forces),
            "ground": self.map,
            "turns": 5,
            "terms": terms,
        }
        return OstScenario(**{**fields, **self.changes})

    def _units(self, side: int) -> tuple[Unit, ...]:
        return tuple(
            Unit(
                id=name,
                name=name,
                quality=quality,
                elements=(Element(id=name, type=kind, condition=condition),),
            )
            for name, kind, _, condition, quality in self.counters
            if kind.startswith("us-") == (side == US)
        )


class Play:
    """The battle on the table."""

    def __init__(self, table: Table) -> None:
        rules = ruleset("ost")
        self.scenario = scenario = table.document()
        self.cited = table.cited
        self.tape = Feed()
        self.log: list[Event] = []
        self.battle: Battle[Any] = Battle(rules, rules.setup(scenario), self.tape, self.log)
        rules.begin(self.battle)
        self.cited.take(self.log)
        self.state = self.battle.state
        self.number = {element: c for c, element in enumerate(self.state.ids)}
        for side in (US, GERMAN):
            if side == GERMAN:
                self.dice(*table.falls)
                winner = (6, 6, 1, 1) if table.first == US else (1, 1, 6, 6)
                self.dice(*winner, 1, 1)
            self._deploy(table, side)
        for name, morale in table.shaky:
            self.given(
                GutChecked(
                    unit=self[name],
                    result=1,
                    roll=Roll(0, 6, (1, 1)),
                    needed=7,
                    now=MORALE_NAMES.index(morale),
                )
            )
        for side in (US, GERMAN):
            cards = tuple(CARD[key] for key in table.hands[side])
            if cards:
                self.given(HandDealt(side=side, cards=cards, rolls=()))
        self.mark = len(self.log)

    def _deploy(self, table: Table, side: int) -> None:
        state = self.state
        find = state.ground.grid.find
        mine = [c for c in table.counters if state.side[self[c[0]]] == side]
        action = a.Deploy(
            places=tuple(
                (self[name], find(at))
                for name, _, at, _, _ in mine
                if self[name] in state.of_side[side] and self[name] not in state.waiting
            ),
            attached=tuple(
                (self[leader], self[unit])
                for leader, unit in table.attached
                if state.side[self[unit]] == side
            ),
            carried=tuple(
                (self[weapon], self[unit])
                for weapon, unit in table.carried
                if state.side[self[unit]] == side
            ),
            hidden=tuple(self[name] for name in table.hidden if state.side[self[name]] == side),
            facings=tuple((self[n], f) for n, f in table.facings if state.side[self[n]] == side),
            aboard=tuple(
                (self[n], self[on]) for n, on in table.aboard if state.side[self[n]] == side
            ),
            streets=tuple(self[n] for n in table.streets if state.side[self[n]] == side),
            aircraft=tuple((n, find(at)) for n, at in enumerate(table.set_up[side])),
        )
        self.do(action)

    def __getitem__(self, name: str) -> int:
        return self.number[name]

    def dice(self, *faces: int) -> Play:
        self.tape.faces.extend(faces)
        return self

    def given(self, *events: Event) -> Play:
        """Let something have happened."""
        for event in events:
            self.battle.emit(event)
        return self

    def happens(self, what: Callable[[Battle[Any]], Any]) -> list[Event]:
        """Let the engine carry something out that no action of a side brings about by itself."""
        before = len(self.log)
        what(self.battle)
        news = self.log[before:]
        self.cited.take(news)
        return news

    def hex(self, name: str) -> int:
        found: int = self.state.ground.grid.find(name)
        return found

    def do(self, action: Action) -> list[Event]:
        """One action of whoever owes a decision; the events it brought."""
        before = len(self.log)
        act(self.battle, self.owed, action)
        news = self.log[before:]
        self.cited.take(news)
        return news

    def refused(self, action: Action) -> Refusal:
        """The refusal of an action, which must come."""
        rules = self.battle.ruleset
        refusal = rules.refuse(rules.view(self.state, self.owed), action)
        assert refusal is not None, f"{action} was not refused"
        self.cited.take(refusal)
        return refusal

    @property
    def owed(self) -> int:
        """The side that owes a decision."""
        side: int = self.battle.ruleset.awaiting(self.state)[0].side
        return side

    @property
    def wants(self) -> str:
        owed = self.battle.ruleset.awaiting(self.state)
        return owed[0].wants if owed else "nothing"

    def card(self, key: str, *hexes: str, on: str = "", battery: int = NONE) -> a.PlayCard:
        return a.PlayCard(
            card=CARD[key],
            target=self[on] if on else NONE,
            hexes=tuple(self.hex(h) for h in hexes),
            battery=battery,
        )

    # --- the usual actions, by names ----------------------------------------------------------

    def shot(self, firer: str, target: str, **more: Any) -> a.Fire:
        names = ("weapon", "partner", "partner_weapon", "second")
        fields = {k: self[v] if k in names else v for k, v in more.items()}
        return a.Fire(firer=self[firer], target=self[target], **fields)

    def fire(self, firer: str, target: str, **more: Any) -> list[Event]:
        return self.do(self.shot(firer, target, **more))

    def way(self, unit: str, *path: str, partner: str = "", stealth: bool = False) -> a.Move:
        return a.Move(
            unit=self[unit],
            path=tuple(self.hex(h) for h in path),
            partner=self[partner] if partner else NONE,
            stealth=stealth,
        )

    def move(self, unit: str, *path: str, **more: Any) -> list[Event]:
        return self.do(self.way(unit, *path, **more))

    def assault(self, unit: str, into: str, partner: str = "") -> a.AssaultMove:
        return a.AssaultMove(
            unit=self[unit], hex=self.hex(into), partner=self[partner] if partner else NONE
        )

    def shoot(
        self, firer: str, target: str = "", mg: str = "", *, hull: bool = False
    ) -> list[Event]:
        """A vehicle's main armament and machine guns."""
        return self.do(self.salvo(firer, target, mg, hull=hull))

    def salvo(
        self, firer: str, target: str = "", mg: str = "", *, hull: bool = False
    ) -> a.VehicleFire:
        aims = [self[name] if name else NONE for name in (target, mg)]
        return a.VehicleFire(firer=self[firer], target=aims[0], mg=aims[1], hull=hull)

    def course(self, unit: str, *steps: tuple[str, int]) -> a.Drive:
        """A drive, as (hex, facing there) after each step."""
        return a.Drive(
            unit=self[unit],
            path=tuple(self.hex(h) for h, _ in steps),
            facings=tuple(facing for _, facing in steps),
        )

    def drive(self, unit: str, *steps: tuple[str, int]) -> list[Event]:
        return self.do(self.course(unit, *steps))

    def idle(self) -> list[Event]:
        """Pass, or drop a point where passing is not allowed."""
        state = self.state
        fewer = state.impulses[self.owed] < state.impulses[1 - self.owed]
        return self.do(a.Pass() if fewer else a.DropPoint())

    def out(self, *dice: int) -> list[Event]:
        """Let both sides use up their points, with these dice for what comes then."""
        before = len(self.log)
        self.dice(*dice)
        while self.wants == "an impulse" and self.state.turn == self.log_turn(before):
            self.idle()
        return self.log[before:]

    def log_turn(self, before: int) -> int:
        turns = [e.turn for e in self.log[:before] if type(e).__name__ == "TurnStarted"]
        return int(turns[-1])

    def load(self, unit: str, vehicle: str, *path: str) -> list[Event]:
        """Get on a vehicle at the end of a path."""
        return self.do(self.boarding(unit, vehicle, *path))

    def boarding(self, unit: str, vehicle: str, *path: str) -> a.Load:
        way = tuple(self.hex(h) for h in path)
        return a.Load(unit=self[unit], vehicle=self[vehicle], path=way)

    def unload(self, unit: str, *path: str, facing: int = 0) -> list[Event]:
        return self.do(self.alighting(unit, *path, facing=facing))

    def alighting(self, unit: str, *path: str, facing: int = 0) -> a.Unload:
        way = tuple(self.hex(h) for h in path)
        return a.Unload(unit=self[unit], path=way, facing=facing)

    def menu(self) -> list[Action]:
        """What the side that owes a decision is offered."""
        rules = self.battle.ruleset
        owed = rules.awaiting(self.state)[0]
        return list(rules.candidates(rules.view(self.state, owed.side), owed))

    # --- what the table shows -------------------------------------------------------------------

    def morale(self, name: str) -> str:
        return MORALE_NAMES[self.state.morale[self[name]]]

    def steps(self, name: str) -> int:
        found: int = self.state.steps[self[name]]
        return found

    def at(self, name: str) -> str:
        found: str = self.state.ground.name(self.state.hex[self[name]])
        return found


def find(events: list[Event], kind: type[Any]) -> Any:
    """The first event of a kind, which must be there."""
    return next(e for e in events if isinstance(e, kind))


def kinds(events: list[Event]) -> list[str]:
    return [type(e).__name__ for e in events]


__all__ = [
    "GERMAN",
    "OPEN",
    "US",
    "ControlHex",
    "Feed",
    "Hexsides",
    "Options",
    "Play",
    "Road",
    "Table",
    "Victory",
    "find",
    "kinds",
]
