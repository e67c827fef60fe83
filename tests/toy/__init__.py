"""A toy ruleset: counters shoot at counters until one side is gone.

It can wait, fail and loop on command (`ToyScenario.trouble`), turns counters into others, uses
up ammunition and keeps a secret per side, so that everything around an engine can be tried.
Register it with `tests.toy.register()`.
"""

from rulesengine import registry


def register() -> None:
    registry.register("toy", "tests.toy.ruleset:RULESET")
