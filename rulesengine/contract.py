"""What a ruleset is. Read this first.

A battle is a fold over its events. `decide` holds all rules and all dice and *emits*
events; `evolve` has neither and applies one fact. So a log and its state cannot disagree,
a stored log replays with `evolve` alone, and mending a rule never rewrites a battle fought.
Reactions are decisions owed in mid-action: a stack of frames in the state, plain data,
pushed and popped by events (docs/adr/0001-interruptions.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from rulesengine.dice import Dice
from rulesengine.documents import BattleResult, Catalogue, Ending, Scenario
from rulesengine.explain import Answer, Chance, Line, Modifier, Piece, Throw

__all__ = [
    "Action",
    "Answer",
    "Battle",
    "Chance",
    "Decision",
    "Doctrine",
    "Event",
    "Illegal",
    "Line",
    "Modifier",
    "Piece",
    "Refusal",
    "Ruleset",
]

S = TypeVar("S")


class Action(msgspec.Struct, frozen=True, tag_field="kind"):
    """What a player may choose. Named in the imperative."""


class Event(msgspec.Struct, frozen=True, tag_field="kind", gc=False):
    """What happened. Named in the past participle; its kind ("ost.moved") is for ever."""

    rules: ClassVar[tuple[str, ...]] = ()

    def cites(self) -> tuple[str, ...]:
        """The rules that made it so, those of its modifiers included."""
        return self.rules


class Decision(msgspec.Struct, frozen=True):
    """A choice a side owes. `options` are the kinds of action that answer it."""

    side: int
    wants: str
    options: tuple[type[Action], ...]


class Refusal(msgspec.Struct, frozen=True):
    """Why an action may not be done, for a person, with its rule."""

    why: str
    rule: str


class Illegal(Exception):
    """An action was refused; carries the Refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.why} [{refusal.rule}]")
        self.refusal = refusal


class Battle(Generic[S]):
    """A battle under way: its state, its dice, and its log if one is kept."""

    __slots__ = ("dice", "emit", "log", "ruleset", "state")

    def __init__(self, ruleset: Ruleset[S], state: S, dice: Dice, log: list[Event] | None) -> None:
        self.ruleset, self.state, self.dice, self.log = ruleset, state, dice, log
        self.emit: Callable[[Event], None] = (
            partial(ruleset.evolve, state) if log is None else self._note
        )
        """Let something have happened: the only way the state changes."""

    def _note(self, event: Event) -> None:
        assert self.log is not None
        self.log.append(event)
        self.ruleset.evolve(self.state, event)


class Doctrine(Protocol):
    """How an AI side decides, from its own view."""

    def choose(self, view: Any, decision: Decision) -> Action:
        """One action that answers the decision."""


class Ruleset(Protocol[S]):
    """One printed game. Registered by key in `registry.py`; rulesets never know each other."""

    key: str
    version: str
    scenario_type: type[Scenario]
    action_type: Any
    event_type: Any
    question_type: Any

    def catalogue(self) -> Catalogue: ...
    def setup(self, scenario: Any) -> S:
        """Lay out the table. Raises BadDocument on a scenario that cannot be."""

    def begin(self, battle: Battle[S]) -> None:
        """Emit what happens before the first decision."""

    def awaiting(self, state: S) -> tuple[Decision, ...]:
        """Who owes what; empty = over. That a reaction is owed in mid-action may betray who is
        hidden: it is for the referee and the side that owes it, like the events of it."""

    def candidates(self, view: Any, decision: Decision) -> Iterable[Action]:
        """A finite, good menu from what this side knows; not all legal moves."""

    def refuse(self, view: Any, action: Action) -> Refusal | None: ...
    def decide(self, battle: Battle[S], action: Action) -> None:
        """Resolve it, emitting events, up to the next decision owed."""

    def evolve(self, state: S, event: Event) -> None: ...
    def outcome(self, state: S) -> Ending | None: ...
    def view(self, state: S, side: int) -> Any: ...
    def narrate(self, state: S, event: Event, side: int | None) -> Line | None:
        """Words for an event, with the state as it was after it; None = this side never learns
        of it. `side` None is the referee, -1 the public."""

    def board(self, state: S, side: int | None) -> tuple[Piece, ...]:
        """What this listener sees on the table, never more than `narrate` tells of. Without a
        table to show: (), and the battle is replayed as its lines alone."""

    def throws(self, state: S, event: Event) -> tuple[Throw, ...]:
        """The dice of an event that are some side's luck, with the state as it was after it."""

    def result(self, state: S) -> BattleResult: ...
    def fingerprint(self, state: S) -> Any:
        """Everything in the state that a fold must reproduce, as plain data."""

    def adjudicate(self, question: Any) -> Answer: ...
    def doctrine(self, state: S, side: int) -> Doctrine: ...
