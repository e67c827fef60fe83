"""What Sitrep says when it cannot be started as it was told: a line, and no traceback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def started(
    tmp_path: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, "SITREP_VAR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SITREP_VAR", "/proc/nope", "SITREP_VAR: Sitrep cannot write to the folder /proc/nope"),
        ("SITREP_VAR", "/proc", "SITREP_VAR: Sitrep cannot write to the folder /proc"),
        ("SITREP_VAR", "/etc/passwd", "SITREP_VAR: Sitrep cannot write to the folder /etc/passwd"),
        ("DATABASE_URL", "garbage", "DATABASE_URL: no address of a database."),
        ("JOB_LEASE_SECONDS", "soon", "JOB_LEASE_SECONDS: 'soon' is not a whole number"),
        ("TASK_TIME_LIMIT", "0", "TASK_TIME_LIMIT: '0' is not a whole number from 1 up."),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL: 'LOUD' is none of"),
    ],
)
def test_a_setting_that_cannot_be_is_named(
    name: str, value: str, said: str, tmp_path: Path
) -> None:
    told = started(tmp_path, "migrate", **{name: value})
    assert told.returncode == 1
    assert told.stderr.splitlines()[-1].startswith(f"Sitrep cannot start. {said}")
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "99999"], "'99999' is no port; ports are from 1 to 65535."),
        (["--port", "0"], "'0' is no port"),
        (["--port=-1"], "'-1' is no port"),
        (["--threads", "0"], "'0' is not a number from 1 to 999."),
        (["--host", "192.0.2.7"], "192.0.2.7: nothing can be served there"),
    ],
)
def test_a_place_where_nothing_can_be_served_is_named(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    told = started(tmp_path, "up", *arguments)
    assert told.returncode > 0
    assert said in told.stderr
    assert "Traceback" not in told.stderr


def test_a_port_of_the_environment_is_looked_at_like_one_that_is_typed(tmp_path: Path) -> None:
    told = started(tmp_path, "up", PORT="eighty")
    assert told.returncode == 2
    assert "'eighty' is no port" in told.stderr


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        told = started(tmp_path, "up", "--port", str(other.getsockname()[1]))
    assert told.returncode == 1
    assert "is taken; choose another with --port." in told.stderr
