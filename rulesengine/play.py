"""Fight a battle: lay it out, let each side decide in turn, until nobody owes a decision.

The same loop serves the command line, the worker, forecasts and tests. A person's action goes
through `act`, which refuses what the rules refuse; a doctrine's choices are trusted, and a test
holds them to the same refusals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rulesengine.contract import Action, Battle, Doctrine, Event, Illegal
from rulesengine.dice import Dice, Tape, commitment
from rulesengine.documents import (
    BattleLog,
    BattleResult,
    Ending,
    Proven,
    Scenario,
    canonical,
    digest,
)
from rulesengine.registry import ruleset

DECISIONS = 20_000
"""More decisions than any battle of a few hundred elements takes."""

BEAT = 64
"""Decisions between two calls of `progress`."""


class Endless(Exception):
    """A battle went on past every bound."""


class Stopped(Exception):
    """`progress` asked for the battle to stop."""


Progress = Callable[[int], bool]
"""Called with the number of decisions so far; False stops the battle."""


def begin(scenario: Scenario, dice: Dice, *, log: bool = True) -> Battle[Any]:
    """Lay out a battle and play up to its first decision."""
    rules = ruleset(scenario.ruleset)
    record: list[Event] | None = [] if log else None
    battle = Battle(rules, rules.setup(scenario), dice, record)
    rules.begin(battle)
    return battle


def act(battle: Battle[Any], side: int, action: Action) -> None:
    """Do one side's action. Raises Illegal when the rules refuse it."""
    rules = battle.ruleset
    refusal = rules.refuse(rules.view(battle.state, side), action)
    if refusal is not None:
        raise Illegal(refusal)
    rules.decide(battle, action)


def fight(
    battle: Battle[Any],
    doctrines: Sequence[Doctrine] | None = None,
    *,
    limit: int = DECISIONS,
    progress: Progress | None = None,
) -> Ending:
    """Let the doctrines fight it out. Raises Endless past `limit` decisions."""
    rules, state = battle.ruleset, battle.state
    players = doctrines or [rules.doctrine(state, side) for side in (0, 1)]
    views = [rules.view(state, side) for side in (0, 1)]
    awaiting, decide = rules.awaiting, rules.decide
    made = 0
    while owed := awaiting(state):
        decision = owed[0]
        side = decision.side
        decide(battle, players[side].choose(views[side], decision))
        made += 1
        if made >= limit:
            raise Endless(f"the battle was not over after {limit} decisions")
        if progress is not None and made % BEAT == 0 and not progress(made):
            raise Stopped(f"stopped after {made} decisions")
    ending = rules.outcome(state)
    if ending is None:
        raise Endless("nobody owes a decision, yet the battle has no outcome")
    return ending


def play(
    scenario: Scenario, key: bytes, *, attempt: int = 1, progress: Progress | None = None
) -> Proven:
    """Fight a battle with its log: the log, the result and their hash, still sealed."""
    battle = begin(scenario, Tape(key))
    fight(battle, progress=progress)
    return seal(battle, scenario, key, attempt)


def seal(battle: Battle[Any], scenario: Scenario, key: bytes, attempt: int) -> Proven:
    """The documents of a battle that was fought with its log on."""
    rules = battle.ruleset
    log = BattleLog(
        schema="battle-log/1",
        ruleset=rules.key,
        version=rules.version,
        scenario=msgspec.Raw(canonical(scenario)),
        attempt=attempt,
        commitment=commitment(key, digest(scenario), rules.version, attempt),
        dice=battle.dice.at,
        events=tuple(msgspec.Raw(msgspec.json.encode(event)) for event in battle.log or ()),
    )
    result: BattleResult = msgspec.structs.replace(
        rules.result(battle.state), scenario=digest(scenario), log=digest(log)
    )
    return Proven(schema="battle/1", log=log, result=result, hash=result.hash)
