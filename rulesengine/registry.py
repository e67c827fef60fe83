"""Which rulesets there are. A new one is a folder and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from rulesengine.contract import Ruleset
from rulesengine.documents import BattleLog, BattleResult

_PLACES = {"ost": "rulesengine.rulesets.ost.ruleset:RULESET"}


class UnknownRuleset(Exception):
    """No ruleset of that key."""


def register(key: str, place: str) -> None:
    """Add a ruleset from outside the package: `place` is "module:attribute"."""
    _PLACES[key] = place


def keys() -> tuple[str, ...]:
    return tuple(_PLACES)


@cache
def ruleset(key: str) -> Ruleset[Any]:
    """The ruleset of a key. Raises UnknownRuleset naming those there are."""
    if key not in _PLACES:
        raise UnknownRuleset(f'no ruleset "{key}"; there are: {", ".join(sorted(_PLACES))}')
    module, _, attribute = _PLACES[key].partition(":")
    found: Ruleset[Any] = getattr(import_module(module), attribute)
    return found


def document_type(key: str, name: str) -> Any:
    """The type of a ruleset's published document: scenario, result, log or question.

    Raises UnknownRuleset, or KeyError for another name.
    """
    rules = ruleset(key)
    return {
        "scenario": rules.scenario_type,
        "result": BattleResult,
        "log": BattleLog,
        "question": rules.question_type,
    }[name]
