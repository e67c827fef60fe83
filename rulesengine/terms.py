"""The terms of a scenario in words: what a ruleset says of them, and what its type notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from rulesengine import registry
from rulesengine.documents import Scenario, Side
from rulesengine.explain import Term

Told = tuple[tuple[Term, ...], tuple[str, ...]]
"""Terms in words, and the paths of those that are not to be read bare."""


def has_words(ruleset: str) -> bool:
    """Whether a ruleset puts terms into words at all."""
    return hasattr(registry.ruleset(ruleset), "terms")


def told(scenario: Scenario, called: Mapping[str, str]) -> Told:
    """What the ruleset of a scenario says of its terms; `called`: what sides and units have come
    to be called, by their keys."""
    sides = tuple(Side(key=s.key, name=called.get(s.key, s.name)) for s in scenario.sides)
    rules: Any = registry.ruleset(scenario.ruleset)
    words: Told = rules.terms(msgspec.structs.replace(scenario, sides=sides), called)
    return words


def notes(ruleset: str) -> dict[str, str]:
    """What terms mean, where the scenario type says so: dotted path -> a sentence."""
    return dict(_notes(registry.document_type(ruleset, "scenario"), ""))


def off_unless_said(ruleset: str) -> frozenset[str]:
    """Options of the scenario type that are off where nothing is said: dotted paths."""
    kind = registry.document_type(ruleset, "scenario")
    options = next((f.type for f in msgspec.structs.fields(kind) if f.name == "options"), None)
    if options is None:
        return frozenset()
    fields = msgspec.structs.fields(options)
    return frozenset(f"options.{f.name}" for f in fields if f.default is not True)


def _notes(kind: Any, path: str) -> Iterator[tuple[str, str]]:
    for term in msgspec.structs.fields(kind):
        meta = next((m for m in get_args(term.type)[1:] if isinstance(m, msgspec.Meta)), None)
        if meta is not None and meta.description:
            yield f"{path}{term.name}", meta.description
        elif isinstance(term.type, type) and issubclass(term.type, msgspec.Struct):
            yield from _notes(term.type, f"{path}{term.name}.")
