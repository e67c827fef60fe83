"""The examples for servers run what `manage.py up` runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from campaigns.management.commands import up

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "deploy" / "compose.yaml"
UNITS = ROOT / "deploy" / "systemd"
SERVICES = {"web": "web", "worker": "worker", "worker-bulk": "bulk worker", "beat": "beat"}
OF_THE_PLACE = ("--bind", "--workers", "--threads", "--worker-tmp-dir")
"""Options whose values are a matter of the machine."""


def essence(command: list[str]) -> list[str]:
    """What is run, without the interpreter's place and numbers of the machine."""
    words = command[1:]
    left, skip = [], False
    for word in words:
        if skip or word in OF_THE_PLACE:
            skip = not skip
        else:
            left.append(word)
    return left


def wanted(tmp_path: Path) -> dict[str, list[str]]:
    children = up._children("127.0.0.1", 8000, "localhost", 8, tmp_path)
    return {child.name: essence(list(child.command)) for child in children}


def unit(name: str) -> list[str]:
    text = (UNITS / f"sitrep-{name}.service").read_text()
    found = re.search(r"^ExecStart=(.*)$", text, re.M)
    assert found
    return found[1].replace("%%", "%").split()


@pytest.mark.parametrize("name", SERVICES)
def test_compose_and_systemd_run_what_up_runs(name: str, tmp_path: Path) -> None:
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    expected = wanted(tmp_path)[SERVICES[name]]
    assert essence(services[name]["command"]) == expected
    assert essence(unit(name)) == expected


def test_one_beat_ticks() -> None:
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    assert set(services) == {"db", "broker", *SERVICES}
    ticking = [n for n, s in services.items() if {"-B", "beat"} & set(s.get("command", ()))]
    assert ticking == ["beat"]


def test_every_process_has_the_same_settings_and_images_have_short_names() -> None:
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    ours = [services[name]["environment"] for name in SERVICES]
    assert all(settings == ours[0] for settings in ours)
    assert {"DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "ALLOWED_HOSTS"} <= set(ours[0])
    assert all("/" not in service["image"] for service in services.values())
