"""What every test shares: the rule marks, the toy ruleset, hypothesis without deadlines."""

from __future__ import annotations

import hypothesis

from tests import toy

pytest_plugins = ["tests.rule_marks"]

toy.register()

hypothesis.settings.register_profile("sitrep", deadline=None, derandomize=True)
hypothesis.settings.load_profile("sitrep")
