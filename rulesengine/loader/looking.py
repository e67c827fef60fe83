"""A second look at what has no fault: what works, but may not be what its author meant."""

from __future__ import annotations

import msgspec

from rulesengine import registry
from rulesengine.documents import Scenario
from rulesengine.loader.ladder import look_at_ladder
from rulesengine.pack import Fault, Pack


def worth_a_look(pack: Pack) -> tuple[Fault, ...]:
    """What works in a sound pack, but may not be what its author meant."""
    found: list[Fault] = []
    look_at_ladder(pack.head, pack.scenarios, found)
    for key, scenario in pack.scenarios.items():
        file = f"scenarios/{key}.toml"
        found += [msgspec.structs.replace(f, file=file) for f in look_over(scenario)]
    return tuple(found)


def look_over(scenario: Scenario) -> tuple[Fault, ...]:
    """The same of one sound scenario, by its ruleset; without the name of its file."""
    look = getattr(registry.ruleset(scenario.ruleset), "look_over", None)
    return tuple(look(scenario)) if look is not None else ()
