"""The toy ruleset: one file, the whole contract."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from rulesengine.contract import (
    Action,
    Answer,
    Battle,
    Chance,
    Decision,
    Doctrine,
    Event,
    Line,
    Piece,
    Refusal,
)
from rulesengine.dice import Roll
from rulesengine.documents import (
    ELIMINATED,
    BadDocument,
    BattleResult,
    Becoming,
    Catalogue,
    Doc,
    ElementFate,
    ElementType,
    Ending,
    Holding,
    Points,
    Scenario,
    Spent,
)
from rulesengine.explain import Throw


class Trouble(Doc, frozen=True, kw_only=True):
    """What goes wrong, at which decision, for how long."""

    kind: Literal["wait", "fail", "loop"]
    at: int = 0
    milliseconds: int = 0


class Place(Doc, frozen=True, kw_only=True):
    """Somewhere to hold."""

    hex: str
    name: str


class ToyScenario(Scenario, frozen=True, kw_only=True):
    turns: int = 20
    control: tuple[Place, ...] = (Place(hex="A1", name="the hill"),)
    trouble: Trouble | None = None
    secrets: tuple[str, str] = ("", "")
    """One word a side that the other must never read."""
    omens: bool = False
    """Whether each side rolls a die of ten sides beforehand that the other never hears of."""

    @property
    def most_turns(self) -> int:
        return self.turns


class Shoot(Action, frozen=True, kw_only=True, tag="toy.shoot"):
    target: int


class Hold(Action, frozen=True, kw_only=True, tag="toy.hold"):
    pass


class Whispered(Event, frozen=True, kw_only=True, tag="toy.whispered"):
    side: int
    secret: str
    roll: Roll | None = None


class Shot(Event, frozen=True, kw_only=True, tag="toy.shot"):
    side: int
    target: int
    steps: int
    roll: Roll


class Held(Event, frozen=True, kw_only=True, tag="toy.held"):
    side: int


TYPES = (
    ElementType(
        key="toy-squad",
        title="Toy squad",
        category="squad",
        conditions=("fit", "reduced"),
        symbol="infantry",
        points=2,
        merges=True,
    ),
    ElementType(
        key="toy-gun",
        title="Toy gun",
        category="gun",
        conditions=("fit",),
        symbol="infantry gun",
        points=1,
        becomes=(
            Becoming(type="toy-squad", condition="reduced", cause="gun lost"),
            Becoming(type="toy-crew", condition="fit", cause="gun wrecked"),
        ),
    ),
    ElementType(key="toy-crew", title="Toy crew", category="squad", conditions=("fit",), points=1),
    ElementType(key="toy-shell", title="Toy shell", category="ammunition", conditions=("fit",)),
)
STEPS = {"toy-squad": 2, "toy-gun": 1, "toy-crew": 1, "toy-shell": 0}


class State:
    """Who has how many steps left; whose turn it is."""

    def __init__(self, scenario: ToyScenario) -> None:
        self.scenario = scenario
        self.side = 0
        self.made = 0
        self.whispered = 0
        self.units: list[str] = []
        self.elements: list[str] = []
        self.types: list[str] = []
        self.owner: list[int] = []
        self.start: list[int] = []
        self.steps: list[int] = []
        self.shells = [0, 0]
        self.shot_at: set[int] = set()
        keys = [side.key for side in scenario.sides]
        for force in scenario.forces:
            for unit in force.units:
                for element in unit.elements:
                    if element.type not in STEPS:
                        raise BadDocument(f'no element type "{element.type}" in the toy')
                    self.units.append(unit.id)
                    self.elements.append(element.id)
                    self.types.append(element.type)
                    self.owner.append(keys.index(force.side))
                    full = STEPS[element.type]
                    self.start.append(full - 1 if element.condition == "reduced" else full)
        self.steps = list(self.start)

    def alive(self, side: int) -> list[int]:
        return [i for i, s in enumerate(self.steps) if s and self.owner[i] == side]


class First:
    """Shoots at the first enemy it sees."""

    def __init__(self, ruleset: Toy) -> None:
        self._ruleset = ruleset

    def choose(self, view: Any, decision: Decision) -> Action:
        return next(iter(self._ruleset.candidates(view, decision)))


class Toy:
    """The contract, as small as it gets."""

    key = "toy"
    version = "1"
    scenario_type = ToyScenario
    action_type = Shoot | Hold
    event_type = Whispered | Shot | Held
    question_type = dict[str, int]

    def catalogue(self) -> Catalogue:
        return Catalogue(
            ruleset="toy",
            version="1",
            elements=TYPES,
            qualities=("regular",),
            morale=("good order",),
            terrain=("table",),
        )

    def setup(self, scenario: ToyScenario) -> State:
        return State(scenario)

    def check(self, scenario: ToyScenario) -> Iterable[tuple[str, str, str]]:
        return ()

    def begin(self, battle: Battle[State]) -> None:
        for side, secret in enumerate(battle.state.scenario.secrets):
            if secret:
                omen = battle.dice.roll(10, 1) if battle.state.scenario.omens else None
                battle.emit(Whispered(side=side, secret=secret, roll=omen))

    def awaiting(self, state: State) -> tuple[Decision, ...]:
        if self.outcome(state) is not None:
            return ()
        return (Decision(state.side, "a shot", (Shoot, Hold)),)

    def candidates(self, view: State, decision: Decision) -> Iterable[Action]:
        trouble = view.scenario.trouble
        if trouble is None or trouble.kind != "loop":
            yield from (Shoot(target=t) for t in view.alive(1 - decision.side))
        yield Hold()

    def refuse(self, view: State, action: Action) -> Refusal | None:
        if isinstance(action, Shoot) and not view.steps[action.target]:
            return Refusal("That target is gone.", "toy.1")
        return None

    def decide(self, battle: Battle[State], action: Action) -> None:
        state = battle.state
        trouble = state.scenario.trouble
        if trouble and trouble.kind == "wait":
            time.sleep(trouble.milliseconds / 1000)
        if trouble and trouble.kind == "fail" and state.made >= trouble.at:
            raise RuntimeError("the toy broke, as it was told to")
        if isinstance(action, Shoot):
            roll = battle.dice.roll(6, 1)
            hit = 1 if roll.total >= 4 else 0
            battle.emit(Shot(side=state.side, target=action.target, steps=hit, roll=roll))
        else:
            battle.emit(Held(side=state.side))

    def evolve(self, state: State, event: Event) -> None:
        if isinstance(event, Whispered):
            state.whispered += 1
            return
        state.made += 1
        state.side = 1 - state.side
        if isinstance(event, Shot):
            state.steps[event.target] -= event.steps
            state.shot_at.add(event.target)
            state.shells[event.side] += 1

    def outcome(self, state: State) -> Ending | None:
        for side in (0, 1):
            if not state.alive(side):
                winner = state.scenario.sides[1 - side].key
                return Ending(kind="win", winner=winner, how="the other side is gone")
        trouble = state.scenario.trouble
        endless = trouble is not None and trouble.kind == "loop"
        if state.made >= state.scenario.turns * 2 and not endless:
            return Ending(kind="draw", how="time is up")
        return None

    def view(self, state: State, side: int) -> State:
        return state

    def narrate(self, state: State, event: Event, side: int | None) -> Line | None:
        names = [s.name for s in state.scenario.sides]
        if isinstance(event, Whispered):
            if side not in (None, event.side):
                return None
            return Line(f"{names[event.side]} whisper {event.secret}.", ("toy.0",))
        if isinstance(event, Shot):
            target = state.elements[event.target]
            what = "hit" if event.steps else "miss"
            return Line(
                f"{names[event.side]} {what} {target}: rolled {event.roll.total}.",
                ("toy.1",),
                units=(state.units[event.target],),
                weight=event.steps,
            )
        return Line("Nobody shoots.", ("toy.2",))

    def board(self, state: State, side: int | None) -> tuple[Piece, ...]:
        """Each side in a column of its own; a squad is known to the enemy once it was shot at."""
        return tuple(
            Piece(
                id=state.elements[i],
                name=state.elements[i],
                kind=state.types[i],
                side=owner,
                hex=f"{'AC'[owner]}{i + 1}",
                steps=state.steps[i],
            )
            for i, owner in enumerate(state.owner)
            if state.steps[i] and (side in (None, owner) or i in state.shot_at)
        )

    def throws(self, state: State, event: Event) -> tuple[Throw, ...]:
        """A shot hopes for a high roll, an omen for a low one."""
        if isinstance(event, Shot):
            return (Throw(event.side, "shot", event.roll),)
        if isinstance(event, Whispered) and event.roll:
            return (Throw(event.side, "omen", event.roll, high=False),)
        return ()

    def result(self, state: State) -> BattleResult:
        fates = []
        lost = [0, 0]
        for i, steps in enumerate(state.steps):
            before = self._condition(state.types[i], state.start[i])
            gone = state.start[i] - steps
            lost[state.owner[i]] += gone
            became = "toy-crew" if state.types[i] == "toy-gun" and not steps else ""
            after = "fit" if became else self._condition(state.types[i], steps)
            fates.append(
                ElementFate(
                    unit=state.units[i],
                    element=state.elements[i],
                    type=state.types[i],
                    before=before,
                    after=after,
                    became=became,
                    cause="shot" if gone else "",
                )
            )
        sides = [s.key for s in state.scenario.sides]
        points = [
            Points(side=sides[s], what="casualty", why="enemy losses", quantity=lost[1 - s])
            for s in (0, 1)
        ]
        ending = self.outcome(state) or Ending(kind="draw", how="unfinished")
        if ending.winner:
            points.append(Points(side=ending.winner, what="victory", why="won", quantity=3))
        return BattleResult(
            schema="battle-result/1",
            ruleset="toy",
            version="1",
            scenario="",
            source="engine",
            ending=ending,
            elements=tuple(fates),
            spent=tuple(
                Spent(unit=u, item="toy-shell", quantity=state.shells[s])
                for s, u in self._gunners(state)
            ),
            points=tuple(points),
            holdings=(Holding(place="A1", name="the hill", side=ending.winner),),
            turns=state.made // 2,
        )

    def _condition(self, kind: str, steps: int) -> str:
        if not steps and STEPS[kind]:
            return ELIMINATED
        return "fit" if steps == STEPS[kind] else "reduced"

    def _gunners(self, state: State) -> Iterable[tuple[int, str]]:
        """Shells are spent by each side's first unit."""
        for side in (0, 1):
            mine = [u for u, o in zip(state.units, state.owner, strict=True) if o == side]
            if mine and state.shells[side]:
                yield side, mine[0]

    def fingerprint(self, state: State) -> Any:
        return [state.side, state.made, state.whispered, state.steps, state.shells]

    def adjudicate(self, question: Any) -> Answer:
        return Answer("shot", "4 or more hits", ("toy.1",), chances=(Chance("hit", 3, 6),))

    def doctrine(self, state: State, side: int) -> Doctrine:
        return First(self)


RULESET = Toy()


def scenario(**changes: Any) -> ToyScenario:
    """A small battle: two units a side, by their ids `r1 r2` and `b1 b2`."""
    from rulesengine.documents import Element, Force, Side, Unit

    def unit(key: str, *types: str) -> Unit:
        elements = tuple(Element(id=f"{key}/{t}/{n}", type=t) for n, t in enumerate(types, 1))
        return Unit(id=key, name=key.upper(), elements=elements)

    squads = ("toy-squad", "toy-squad", "toy-gun")
    made = ToyScenario(
        schema="battle-scenario/1",
        ruleset="toy",
        key="toy",
        title="A toy battle",
        sides=(Side(key="red", name="Red"), Side(key="blue", name="Blue")),
        forces=(
            Force(side="red", units=(unit("r1", *squads), unit("r2", *squads))),
            Force(side="blue", units=(unit("b1", *squads), unit("b2", *squads))),
        ),
    )
    return msgspec.structs.replace(made, **changes)
