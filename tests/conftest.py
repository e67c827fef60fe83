"""What every test shares: the rule marks, the toy ruleset, hypothesis without deadlines."""

from __future__ import annotations

import os

import hypothesis
import pytest

from tests import toy

pytest_plugins = ["tests.rule_marks"]

toy.register()


def pytest_configure(config: pytest.Config) -> None:
    """Processes that run tests side by side share a Redis, but not what is counted in it."""
    from django.conf import settings

    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    settings.CACHES["default"]["KEY_PREFIX"] = f"tests-{worker}"


def pytest_report_header() -> str:
    kind = os.environ.get("DATABASE_URL", "sqlite").partition(":")[0]
    return f"database: {kind}"


hypothesis.settings.register_profile("sitrep", deadline=None, derandomize=True)
hypothesis.settings.load_profile("sitrep")
