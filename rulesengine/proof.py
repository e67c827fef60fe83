"""Three verbs on a battle's log.

`replay` folds it: valid for ever, whatever the rules become. `audit` checks every die in it
against the tape, which needs no rules. `rerun` decides it all again: offered only on the
ruleset version it was fought with, and must give the same hash.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from rulesengine.contract import Event
from rulesengine.dice import Roll, Tape, commitment
from rulesengine.documents import BattleLog, BattleResult, Proven, Scenario, digest, read
from rulesengine.play import play
from rulesengine.registry import ruleset

TAMPERED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the rules may raise over a log that they did not write."""

DIE = 256
"""A tape has no die of more sides: a byte is all it reads."""


class Disproved(Exception):
    """A log does not hold: the message says where."""


def scenario_of(log: BattleLog) -> Scenario:
    """The scenario a log started from."""
    return read(bytes(log.scenario), ruleset(log.ruleset).scenario_type, "log.scenario")


def events_of(log: BattleLog) -> Iterator[Event]:
    """The events of a log, read by their kinds."""
    kind = ruleset(log.ruleset).event_type
    for index, raw in enumerate(log.events):
        event: Event = read(bytes(raw), kind, f"log.events[{index}]")
        yield event


def replay(log: BattleLog) -> Any:
    """Fold a log from its scenario to the state it ended in."""
    rules = ruleset(log.ruleset)
    scenario = scenario_of(log)
    try:
        state = rules.setup(scenario)
    except TAMPERED as error:
        raise Disproved(f"its scenario cannot be laid out: {error}") from error
    for index, event in enumerate(events_of(log)):
        try:
            rules.evolve(state, event)
        except TAMPERED as error:
            raise Disproved(f"event {index} cannot follow those before it: {error}") from error
    return state


def folded(log: BattleLog) -> BattleResult:
    """The result that a log folds to."""
    state = replay(log)
    try:
        return ruleset(log.ruleset).result(state)
    except TAMPERED as error:
        raise Disproved(f"it ends in no result: {error}") from error


def replayed(proven: Proven) -> None:
    """Fold a log and hold it against the result beside it. Raises Disproved where they differ.

    Under a later version of the rules what became of each counter is the same for ever; the words
    for why may be better ones, and are taken as they stood.
    """
    found, told = folded(proven.log), proven.result
    if proven.log.version != ruleset(proven.log.ruleset).version:
        found, told = _without_causes(found), _without_causes(told)
    beside = {"version": proven.log.version, "scenario": told.scenario, "log": told.log}
    if msgspec.structs.replace(found, **beside) != told:
        raise Disproved("the log folds to another result than the one beside it")


def _without_causes(result: BattleResult) -> BattleResult:
    fates = tuple(msgspec.structs.replace(fate, cause="") for fate in result.elements)
    return msgspec.structs.replace(result, elements=fates)


def sealed(proven: Proven) -> None:
    """Check that log, result and hash belong together. Raises Disproved where they do not."""
    if proven.result.hash != proven.hash:
        raise Disproved("the hash is that of another result")
    if _digest(proven.log) != proven.result.log:
        raise Disproved("the result is that of another log")
    if _digest(proven.log.scenario) != proven.result.scenario:
        raise Disproved("the result is that of another scenario")


def _digest(document: BattleLog | msgspec.Raw) -> str:
    try:
        return digest(document)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Disproved(f"the log cannot be read: {error}") from error


def audit(log: BattleLog, key: bytes) -> int:
    """Check every die of a log against the tape of its key; how many were checked.

    Raises Disproved where a die differs, is missing, or the key is not the one committed to.
    """
    version, attempt = log.version, log.attempt
    scenario = _digest(log.scenario)
    if commitment(key, scenario, version, attempt) != log.commitment:
        raise Disproved("this key is not the one the battle was committed to")
    tape = Tape(key)
    checked = 0
    for index, raw in enumerate(log.events):
        for roll in _rolls_at(index, raw):
            if roll.at != tape.at:
                raise Disproved(f"event {index}: reads the tape at {roll.at}, not at {tape.at}")
            shown = tape.roll(roll.sides, len(roll.faces))
            if shown.faces != roll.faces:
                raise Disproved(f"event {index}: says {roll.faces}, the tape {shown.faces}")
            checked += len(roll.faces)
    if tape.at != log.dice:
        raise Disproved(f"the log accounts for the tape up to {tape.at}, not {log.dice}")
    return checked


def _rolls_at(index: int, raw: msgspec.Raw) -> list[Roll]:
    """The dice of an event that nobody vouches for."""
    try:
        rolls = list(rolls_in(msgspec.json.decode(bytes(raw))))
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Disproved(f"event {index}: its dice cannot be read: {error}") from error
    for roll in rolls:
        if not 1 <= roll.sides <= DIE:
            raise Disproved(f"event {index}: there is no die of {roll.sides} sides")
    return rolls


def rolls_of(event: Event) -> list[Roll]:
    """The dice of one event, in the order they fell."""
    found: list[Roll] = []
    for name in _roll_fields(type(event)):
        value = getattr(event, name)
        found += value if isinstance(value, tuple) else [value] if value is not None else []
    return found


@cache
def _roll_fields(kind: type[Event]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name.startswith("roll"))


def rolls_in(event: Any) -> Iterator[Roll]:
    """The dice of one event as plain data, in the order they fell.

    Dice stand under keys that begin with "roll" and nowhere else; tape order is kept by `at`.
    """
    found: list[Roll] = []
    _gather(event, found)
    yield from sorted(found, key=lambda roll: roll.at)


def _gather(value: Any, found: list[Roll]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key.startswith("rolls"):
                found += msgspec.convert(inner, list[Roll])
            elif key.startswith("roll"):
                if inner is not None:
                    found.append(msgspec.convert(inner, Roll))
            else:
                _gather(inner, found)
    elif isinstance(value, list):
        for inner in value:
            _gather(inner, found)


def rerun(proven: Proven, key: bytes) -> Proven:
    """Fight it again from its scenario and key.

    Raises Disproved when the ruleset's version has moved on, or log, result or hash differ.
    """
    log = proven.log
    current = ruleset(log.ruleset).version
    if current != log.version:
        raise Disproved(
            f"fought with {log.ruleset} {log.version}, now {current}: replay and audit still hold"
        )
    scenario = scenario_of(log)
    try:
        again = play(scenario, key, attempt=log.attempt)
    except TAMPERED as error:
        raise Disproved(f"its scenario cannot be fought: {error}") from error
    if again.hash != proven.hash or _digest(again.log) != _digest(log):
        raise Disproved(f"{_first_difference(log, again.log)}; hash {again.hash}")
    sealed(proven)
    return again


def _first_difference(one: BattleLog, two: BattleLog) -> str:
    for index, (a, b) in enumerate(itertools.zip_longest(one.events, two.events)):
        if a is None or b is None or bytes(a) != bytes(b):
            return f"event {index} differs"
    return "the events agree, what stands around them differs"
