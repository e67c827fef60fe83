"""Run tests on PostgreSQL and Redis, started for the occasion: `bin/test --server`.

Where nothing is named: what touches the stores, that is campaign, API, pages, and the browser on an
instance of its own. The engine knows no database, and the tests of processes start both kinds of
server wherever they run; `bin/test --server tests` runs these too.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.campaign import services

DEFAULT = [
    "tests/campaign",
    "tests/api",
    "tests/pages",
    "tests/browser",
    "--ignore=tests/campaign/test_processes.py",
    "--ignore=tests/campaign/test_outages.py",
]


def main(arguments: list[str]) -> int:
    """The exit code of pytest. Without the programs: 0 and a line that says so, 1 under `CI`."""
    named = [a for a in arguments if a.startswith("tests")]
    command = [sys.executable, "-m", "pytest", *arguments, *([] if named else DEFAULT)]
    try:
        with services.postgresql() as database, services.redis() as broker:
            stores = {"DATABASE_URL": database, "CELERY_BROKER_URL": broker}
            # The test client speaks http, which the server profile would send away to https.
            return subprocess.run(
                command, env={**os.environ, **stores, "HTTPS": "0"}, check=False
            ).returncode
    except pytest.skip.Exception as missing:
        print(f"SKIPPED the tests on PostgreSQL and Redis: {missing}")
        return 0
    except pytest.fail.Exception as missing:
        print(f"FAILED to start PostgreSQL and Redis: {missing}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
