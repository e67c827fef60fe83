"""The commands an operator types, and the supervisor under `up`."""

from __future__ import annotations

import io
import shutil
import stat
import sys
import time
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaigns.management.supervisor import AlreadyRunning, Child, Supervisor, only_one
from campaigns.models import Battle, InstalledPack, Job
from campaigns.operations import demo, ledger, packs, resolution
from tests.campaign.conftest import Cast, toy_pack

PACKS = Path(__file__).parents[2] / "fixtures" / "packs"


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_reconcile_says_that_all_agrees_or_what_does_not(cast: Cast) -> None:
    assert "all agree" in said("reconcile")
    from campaigns.models import Balance

    Balance.objects.filter(account__code="unit:r1/fit", item="toy-squad").update(quantity=9)
    with pytest.raises(CommandError, match="1 disagreement\\."):
        said("reconcile")


def test_resolve_fights_a_locked_battle_without_a_worker(cast: Cast) -> None:
    battle = cast.locked()
    assert battle.title in said("resolve", battle.uid)
    battle.refresh_from_db()
    assert battle.state == Battle.State.REPORTED
    with pytest.raises(CommandError, match="cannot be resolved"):
        said("resolve", battle.uid)


@pytest.mark.django_db
def test_a_faulty_pack_is_refused_with_every_fault_and_nothing_is_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "pack.toml").write_text('key = "broken"\nruleset = "chess"\n')
    with pytest.raises(CommandError, match="nothing was loaded"):
        said("loadpack", str(folder))
    assert not InstalledPack.objects.exists()
    with pytest.raises(CommandError, match="No pack 'nowhere'"):
        said("loadpack", "nowhere")


@pytest.mark.django_db
def test_a_sound_pack_is_loaded_with_what_is_worth_a_look(tmp_path: Path) -> None:
    folder = tmp_path / "road-to-bastogne"
    shutil.copytree(PACKS / folder.name, folder)
    assert "Worth a look" not in said("loadpack", str(folder))
    shutil.copy(folder / "scenarios" / "noville.toml", folder / "scenarios" / "spare.toml")
    told = said("loadpack", str(folder))
    assert "Worth a look:\n  scenarios/spare.toml: it is on no rung of the ladder" in told


@pytest.mark.django_db
def test_the_demo_is_made_once_with_passwords_of_its_own(
    tmp_path: Path, settings: object, sent: list[int]
) -> None:
    settings.VAR_DIR = tmp_path
    packs.install(pack=toy_pack())
    campaign = demo.make(pack_key="toy-pack")
    assert demo.make(pack_key="toy-pack") == campaign
    assert [login.name for login in demo.logins()] == [
        "organiser",
        "referee",
        "red",
        "blue",
        "stranger",
    ]
    assert len({login.password for login in demo.logins()}) == 5
    assert stat.S_IMODE(demo.logins_file().stat().st_mode) == 0o600
    assert sorted(campaign.seats.values_list("role", flat=True)) == [
        "commander",
        "commander",
        "organiser",
        "referee",
    ]
    job = demo.ask_for_first_battle(campaign)
    assert job is not None
    resolution.resolve(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.SUCCEEDED
    assert demo.ask_for_first_battle(campaign) is None
    assert ledger.open_turn(campaign).number == 1


def test_a_second_supervisor_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "up.lock"
    with only_one(lock), pytest.raises(AlreadyRunning), only_one(lock):
        pytest.fail("two at once")
    with only_one(lock):
        pass


def test_a_child_that_falls_is_started_again_after_a_growing_wait(tmp_path: Path) -> None:
    told: list[str] = []
    child = Child("web", [sys.executable, "-c", "raise SystemExit(3)"], {}, tmp_path / "log")
    supervisor = Supervisor([child], told.append)
    child.start()
    until = time.monotonic() + 30
    while len(told) < 2 and time.monotonic() < until:
        supervisor.look()
        time.sleep(0.02)
    supervisor.stop()
    assert "web ended with 3; again in 1 s" in told[0]
    assert "again in 2 s" in told[1]


def test_a_child_that_a_signal_for_all_ended_first_is_no_alarm(tmp_path: Path) -> None:
    told: list[str] = []
    child = Child("web", [sys.executable, "-c", "raise SystemExit(1)"], {}, tmp_path / "log")
    supervisor = Supervisor([child], told.append)
    child.start()
    assert child.process
    child.process.wait()
    until = time.monotonic() + 0.6
    while time.monotonic() < until:
        supervisor.look()
        time.sleep(0.02)
    supervisor._told_to_stop(15, None)
    supervisor.look()
    supervisor.stop()
    assert told == []


def test_stopping_ends_every_child(tmp_path: Path) -> None:
    child = Child("web", [sys.executable, "-c", "import time; time.sleep(60)"], {}, tmp_path / "l")
    supervisor = Supervisor([child], lambda text: None)
    child.start()
    supervisor.stop()
    assert not child.alive
