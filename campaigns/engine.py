"""The one façade over the rules engine. Everything else asks here.

It hands out the engine's documents and refuses in the product's own words: a document that
cannot be read is a `Refused` that says where. Scenarios and logs travel as canonical JSON.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from campaigns.refusals import Refused
from rulesengine import aar, asking, dice, forecast, frames, luck, play, proof, registry, terms
from rulesengine.contract import Answer, Line, Piece
from rulesengine.documents import (
    ELIMINATED,
    UNKNOWN,
    BadDocument,
    BattleLog,
    BattleResult,
    Catalogue,
    Element,
    ElementFate,
    ElementType,
    Ending,
    Force,
    Holding,
    Points,
    Proven,
    Scenario,
    Side,
    Spent,
    Unit,
    canonical,
    digest,
    read,
)
from rulesengine.explain import IDLE, Term, in_full
from rulesengine.loader.reading import did_you_mean
from rulesengine.names import alike, name_fault, side_key_fault, text_fault
from rulesengine.pack import Carry, Pack, Pick, Replacement, Rung
from rulesengine.quantities import many

__all__ = [
    "ELIMINATED",
    "IDLE",
    "UNKNOWN",
    "Answer",
    "Asked",
    "AskedField",
    "BattleLog",
    "BattleResult",
    "Carry",
    "Catalogue",
    "Element",
    "ElementFate",
    "ElementType",
    "Ending",
    "Force",
    "Holding",
    "Line",
    "Luck",
    "Odds",
    "Pack",
    "Pick",
    "Piece",
    "Points",
    "Proven",
    "Replacement",
    "Replay",
    "Rung",
    "Scenario",
    "Side",
    "Spent",
    "Term",
    "Unit",
    "alike",
    "canonical",
    "did_you_mean",
    "digest",
    "in_full",
    "many",
    "name_fault",
    "side_key_fault",
    "text_fault",
]

Asked = asking.Asked
AskedField = asking.Field
slug_of = asking.slug
Odds = forecast.Forecast
ODDS_LOOK = forecast.LOOK
Luck = luck.Luck
Replay = frames.Replay
Faces = tuple[tuple[int, ...], ...]
Progress = Callable[[int], bool]
Stopped = play.Stopped
UnknownRuleset = registry.UnknownRuleset


@dataclass(frozen=True)
class Fought:
    """A battle that was fought: its log in canonical form, and its result."""

    log: bytes
    log_hash: str
    events: int
    result: BattleResult


class PackFaults(Exception):
    """Every fault of a pack, each with its place and its mend."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


def rulesets() -> tuple[str, ...]:
    """The keys of the rulesets there are."""
    return registry.keys()


def version(ruleset: str) -> str:
    """The version a battle locked now would be pinned to."""
    return registry.ruleset(ruleset).version


@cache
def catalogue(ruleset: str) -> Catalogue:
    """Element types, qualities and terrain of a ruleset."""
    return registry.ruleset(ruleset).catalogue()


@cache
def _types(ruleset: str) -> dict[str, ElementType]:
    return {kind.key: kind for kind in catalogue(ruleset).elements}


def element_type(ruleset: str, key: str) -> ElementType | None:
    """An element type of a ruleset by its key, or None."""
    return _types(ruleset).get(key)


def types_in(ruleset: str, document: str) -> dict[str, ElementType]:
    """Element types by key as a scenario document has them: the catalogue's, but for counters that
    its pack prints otherwise."""
    if "counters" not in parsed(document):
        return _types(ruleset)
    return types_of(read_scenario(ruleset, document))


def types_of(scenario: Scenario) -> dict[str, ElementType]:
    """The same of a scenario that is read already."""
    recast = getattr(registry.ruleset(scenario.ruleset), "recast", None)
    if recast is None or not getattr(scenario, "counters", ()):
        return _types(scenario.ruleset)
    return _types(scenario.ruleset) | {kind.key: kind for kind in recast(scenario)}


def fights(ruleset: str, key: str) -> bool:
    """Whether an element type is a unit by itself, unlike a leader or a weapon that a squad
    carries; so is what the catalogue does not know."""
    kind = element_type(ruleset, key)
    return kind is None or kind.fights


def title_of(ruleset: str, key: str) -> str:
    """What an element type is called; its key where the catalogue does not know it."""
    kind = element_type(ruleset, key)
    return kind.title if kind else key


def load_pack(folder: Path) -> Pack:
    """Read and check a pack. Raises PackFaults with every fault at once."""
    from rulesengine import loader

    try:
        return loader.load_pack(folder)
    except loader.BadPack as bad:
        raise PackFaults(str(fault) for fault in bad.faults) from bad


def worth_a_look(folder: Path) -> tuple[str, ...]:
    """What works in a pack without a fault, but may not be what its author meant."""
    from rulesengine import loader
    from rulesengine.loader import looking

    return tuple(map(str, looking.worth_a_look(loader.load_pack(folder))))


def read_scenario(ruleset: str, document: str | bytes) -> Scenario:
    """A scenario document of a ruleset, strictly read. Refuses with the place of a fault."""
    try:
        return read(document, registry.ruleset(ruleset).scenario_type, "scenario")
    except BadDocument as fault:
        raise Refused(str(fault)) from fault


def in_order(document: object) -> str:
    """A document as JSON in the order its author wrote, where the order is for people."""
    return msgspec.json.encode(document).decode()


def parsed(document: str) -> dict[str, Any]:
    """A document as plain data, for a figure or two of it."""
    plain: dict[str, Any] = msgspec.json.decode(document)
    return plain


def validate(scenario: Scenario) -> None:
    """Refuse a scenario that cannot be laid out, or that its rules find fault with."""
    rules = registry.ruleset(scenario.ruleset)
    try:
        rules.setup(scenario)
    except BadDocument as fault:
        raise Refused(f"This battle cannot be laid out: {fault}") from fault
    check = getattr(rules, "check", None)
    faults = [fault.what for fault in check(scenario)] if check is not None else []
    if faults:
        raise Refused(f"This battle cannot be laid out: {'; '.join(faults[:3])}.")


def force_faults(scenario: Scenario, side: str) -> tuple[str, ...]:
    """What keeps the force of one side from taking the field, in sentences for that side; the rest
    of the scenario is not looked at."""
    check = getattr(registry.ruleset(scenario.ruleset), "check_force", None)
    return tuple(fault.what for fault in check(scenario, side)) if check is not None else ()


def force_notes(scenario: Scenario, side: str) -> tuple[str, ...]:
    """What of a force cannot be used as it comes, in sentences for its side."""
    notes = getattr(registry.ruleset(scenario.ruleset), "force_notes", None)
    return tuple(notes(scenario, side)) if notes is not None else ()


def outcome_in_words(ending: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """ "Germans win: victory points." from the ending of a result document."""
    if ending["kind"] == "win":
        return f"{names.get(ending['winner'], ending['winner'])} win: {ending['how']}."
    return f"A {ending['kind']}: {ending['how']}."


def read_result(document: str | bytes | dict[str, Any]) -> BattleResult:
    """A result document, strictly read. Refuses with the place of a fault."""
    try:
        text = document if isinstance(document, (str, bytes)) else msgspec.json.encode(document)
        result = read(text, BattleResult, "result")
    except BadDocument as fault:
        raise Refused(str(fault)) from fault
    except (OverflowError, RecursionError, TypeError, ValueError) as fault:
        raise Refused(f"result: $: it is no JSON document: {fault}") from fault
    _refuse_outsize(msgspec.to_builtins(result), "$")
    return result


LONGEST, LARGEST = 1000, 1_000_000
"""Bounds of a text and of a number in a result: far above any battle's."""


def _refuse_outsize(value: Any, path: str) -> None:
    if isinstance(value, str) and (len(value) > LONGEST or "\0" in value):
        raise Refused(f"result: {path}: expected text of at most {LONGEST} characters", path=path)
    if isinstance(value, int) and abs(value) > LARGEST:
        raise Refused(f"result: {path}: expected a number of at most {LARGEST}", path=path)
    inside = value.items() if isinstance(value, dict) else ()
    for key, inner in inside:
        _refuse_outsize(inner, f"{path}.{key}")
    for index, inner in enumerate(value if isinstance(value, (list, tuple)) else ()):
        _refuse_outsize(inner, f"{path}[{index}]")


def new_key() -> bytes:
    """The key of a battle's dice: 32 bytes that nobody can guess."""
    return secrets.token_bytes(dice.KEY_BYTES)


def commitment(key: bytes, snapshot_hash: str, ruleset_version: str, attempt: int) -> str:
    """What is published when forces lock."""
    return dice.commitment(key, snapshot_hash, ruleset_version, attempt)


def fight(scenario: Scenario, key: bytes, attempt: int, progress: Progress) -> Fought:
    """Fight a battle out. Raises whatever the ruleset raises, and Stopped when told to stop."""
    proven = play.play(scenario, key, attempt=attempt, progress=progress)
    return Fought(canonical(proven.log), digest(proven.log), len(proven.log.events), proven.result)


def odds_enough(outcomes: list[int], most: int, half_width: int) -> int:
    """How many of the first runs are enough, 0 = not yet. `half_width` in hundredths of a
    percent."""
    return forecast.stop_of(outcomes, most, half_width)


def odds_expected(outcomes: list[int], most: int, half_width: int) -> int:
    """About how many runs will be enough, for who waits."""
    return forecast.expected(outcomes, most, half_width)


def odds_chunk(
    scenario: Scenario,
    key: bytes,
    first: int,
    count: int,
    progress: Progress,
    through: tuple[type[Exception], ...] = (),
) -> str | None:
    """Fight some runs of a forecast: a chunk document, or None when told to stop.

    `through`: exceptions that are no fault of a battle and end the chunk.
    """
    done = forecast.run_chunk(scenario, key, first, count, progress, (MemoryError, *through))
    return None if done is None else msgspec.json.encode(done).decode()


def odds_outcomes(chunk: str) -> list[int]:
    """The outcomes of a chunk document's runs in order: 0, 1, draw 2, failed 3."""
    return [run.outcome for run in read(chunk, forecast.Chunk, "chunk").runs]


def odds_of(scenario: Scenario, chunks: Iterable[str], runs: int, half_width: int) -> Odds:
    """The forecast of the first so many runs of some chunks that follow on each other."""
    fought = [run for chunk in chunks for run in read(chunk, forecast.Chunk, "chunk").runs]
    return forecast.summed_up(scenario, fought[:runs], half_width)


def read_odds(document: str) -> Odds:
    """A stored forecast document."""
    return read(document, Odds, "forecast")


def odds_run(scenario: Scenario, key: bytes, number: int) -> Proven:
    """One run of a forecast fought again, with its log."""
    return forecast.run_of(scenario, key, number)


def narrate(log: BattleLog, side: int | None) -> list[Line]:
    """What one audience is told of a battle: None the referee, -1 the public, else a side."""
    rules = registry.ruleset(log.ruleset)
    state = rules.setup(proof.scenario_of(log))
    told = []
    for event in proof.events_of(log):
        rules.evolve(state, event)
        line = rules.narrate(state, event, side)
        if line is not None:
            told.append(line)
    return told


def told(log: BattleLog, side: int | None) -> list[tuple[Line, Faces]]:
    """As `narrate`, each line with the faces of its dice."""
    return [(entry.line, entry.rolls) for entry in aar.report(log, side)]


def replay(log: BattleLog, side: int | None) -> Replay:
    """What one audience may watch of a battle; `side` as for `narrate`."""
    return frames.replay(log, side)


def luck_of(log: BattleLog, side: int | None) -> dict[tuple[int, str], Luck]:
    """By side and kind of roll, how the dice that one audience is told of came out; `side` as for
    `narrate`."""
    return luck.counted(log, side)


def audit(log: BattleLog, key: bytes) -> int:
    """Check every die of a log against its key; how many there were. Refuses a false one."""
    try:
        return proof.audit(log, key)
    except proof.Disproved as fault:
        raise Refused(f"The dice do not hold: {fault}.") from fault


def rerun(log: BattleLog, result: BattleResult, key: bytes) -> str:
    """Fight a battle again; the hash of its result. Refuses where it differs."""
    proven = Proven(schema="battle/1", log=log, result=result, hash=result.hash)
    try:
        return proof.rerun(proven, key).hash
    except proof.Disproved as fault:
        raise Refused(f"It does not come out the same: {fault}.") from fault


@cache
def questions(ruleset: str) -> tuple[Asked, ...]:
    """The kinds of rule question that a ruleset answers, with their fields."""
    return asking.questions(ruleset)


def ask(ruleset: str, question: bytes | str) -> Answer:
    """Answer one rule question, given as the JSON of the ruleset's question type."""
    rules = registry.ruleset(ruleset)
    try:
        return rules.adjudicate(read(question, rules.question_type, "question"))
    except BadDocument as fault:
        raise Refused(str(fault)) from fault


def sight(
    ruleset: str,
    ground: Mapping[str, Any],
    start: str,
    end: str,
    laid: Mapping[str, Iterable[str]] | None = None,
) -> Answer:
    """The line of sight between two hexes of a map, by the rules; `laid`: hexes by the mark of
    what lies there ("smoke", "wreck"), of which the question takes what it has a field for.
    Refuses hexes that are not on the map, and a ruleset that has no such question."""
    question = {"kind": "line of sight", "map": ground, "start": start, "end": end}
    for asked in questions(ruleset) if laid else ():
        for field in asked.fields if asked.kind == question["kind"] else ():
            hexes = (laid or {}).get(field.name.removesuffix("s"), ())
            if hexes:
                question[field.name] = list(hexes)
    return ask(ruleset, msgspec.json.encode(question))


def terms_told(ruleset: str, document: str, called: Mapping[str, str]) -> terms.Told:
    """Terms of a scenario in words, and the paths of those that need not be read bare; `called`:
    names of sides and units by their keys. Nothing for a ruleset that has no words for them."""
    if not terms.has_words(ruleset):
        return (), ()
    return terms.told(read_scenario(ruleset, document), called)


def term_notes(ruleset: str) -> dict[str, str]:
    """What the terms of a scenario mean, where its type says so: dotted path -> a sentence."""
    return terms.notes(ruleset)


@cache
def off_unless_said(ruleset: str) -> frozenset[str]:
    """Paths of a scenario's options that are off where nothing is said."""
    return terms.off_unless_said(ruleset)


def document_schema(ruleset: str, name: str) -> dict[str, Any] | None:
    """The JSON Schema of a ruleset's scenario, result, log or question, or of one kind of question
    ("gut-check"); None for another."""
    try:
        return msgspec.json.schema(registry.document_type(ruleset, name))
    except registry.UnknownRuleset:
        return None
    except KeyError:
        kind = next((one.kind for one in questions(ruleset) if asking.slug(one.kind) == name), "")
        return asking.schema(ruleset, kind) if kind else None
