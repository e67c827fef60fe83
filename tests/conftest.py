"""What every test shares: the rule marks, the toy ruleset, hypothesis without deadlines."""

from __future__ import annotations

import os
from typing import Any

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from tests import toy

pytest_plugins = ["tests.rule_marks"]

toy.register()


def pytest_configure(config: pytest.Config) -> None:
    """Processes that run tests side by side share a Redis, but not what is counted in it."""
    from django.conf import settings

    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    settings.CACHES["default"]["KEY_PREFIX"] = f"tests-{worker}"


class BrowserTogether(LoadScopeScheduling):
    """Tests go to whichever process is free, but those of the browser all to one: they look at one
    instance, which takes long to start. The marks of `--dist loadgroup` have no effect under
    pytest 9. They keep the order in which they were collected, the tests of the database before
    those of the browser: Playwright leaves an event loop running, and in its process Django then
    refuses to touch a database."""

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith("tests/browser/") else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    config.option.loadscopereorder = False
    return BrowserTogether(config, log)


def pytest_report_header() -> str:
    kind = os.environ.get("DATABASE_URL", "sqlite").partition(":")[0]
    return f"database: {kind}"


hypothesis.settings.register_profile("sitrep", deadline=None, derandomize=True)
hypothesis.settings.load_profile("sitrep")
