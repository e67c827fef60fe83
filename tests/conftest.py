"""What every test shares: the rule marks, the toy ruleset, hypothesis without deadlines."""

from __future__ import annotations

import os

import hypothesis

from tests import toy

pytest_plugins = ["tests.rule_marks"]

toy.register()


def pytest_report_header() -> str:
    kind = os.environ.get("DATABASE_URL", "sqlite").partition(":")[0]
    return f"database: {kind}"


hypothesis.settings.register_profile("sitrep", deadline=None, derandomize=True)
hypothesis.settings.load_profile("sitrep")
