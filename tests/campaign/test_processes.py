"""Faults that need real processes: a worker killed, a poster killed, many posters at once."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from pathlib import Path

from tests.campaign import services
from tests.campaign.installation import PATIENCE, Outside


def test_a_worker_killed_in_mid_battle_is_followed_by_another_that_finishes_it(
    outside: Outside,
) -> None:
    outside.run("prepare", "15")
    first = outside.worker()
    outside.until(lambda state: state["job"] == "running" and state["progress"] > 0)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    killed = outside.run("state")
    assert (killed["job"], killed["results"]) == ("running", 0)
    outside.worker()
    done = outside.until(lambda state: state["job"] not in ("queued", "running"))
    assert (done["job"], done["attempt"], done["battle"]) == ("succeeded", 2, "reported")
    assert done["results"] == 1
    assert done["disagreements"] == []


def test_many_referees_posting_at_once_post_once(outside: Outside) -> None:
    outside.run("prepare", "0")
    told = outside.run("race", "6")
    assert len(told) == 6
    assert len(set(told)) == 1
    state = outside.run("state")
    assert (state["battle"], state["postings"], state["disagreements"]) == ("posted", 1, [])


def test_a_process_killed_in_the_middle_of_a_posting_leaves_nothing_half_written(
    outside: Outside,
) -> None:
    outside.run("prepare", "0")
    assert outside.run("die_in_post") is None
    state = outside.run("state")
    assert (state["battle"], state["postings"], state["disagreements"]) == ("reported", 0, [])
    outside.run("race", "1")
    assert outside.run("state")["postings"] == 1


def test_a_club_moves_from_sqlite_to_postgresql_by_backup_and_restore(tmp_path: Path) -> None:
    archive = str(tmp_path / "club.sitrep")
    with contextlib.ExitStack() as stack:
        small = Outside(tmp_path / "small")
        stack.callback(small.end)
        small.run("prepare", "0")
        small.run("race", "1")
        rows = small.run("backup", archive)
        database = stack.enter_context(services.postgresql())
        big = Outside(tmp_path / "big", DATABASE_URL=database, ALLOW_EMBEDDED_BROKER="1")
        stack.callback(big.end)
        assert big.run("restore", archive) == rows > 500
        assert big.run("digest") == small.run("digest")
        state = big.run("state")
        assert (state["battle"], state["postings"], state["disagreements"]) == ("posted", 1, [])
        back = str(tmp_path / "back.sitrep")
        assert big.run("backup", back) == rows
        smaller = Outside(tmp_path / "smaller")
        stack.callback(smaller.end)
        assert smaller.run("restore", back) == rows
        assert smaller.run("digest") == small.run("digest")


def test_a_broker_that_restarts_in_mid_battle_loses_nothing(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        port = services.free_port()
        broker = services.redis(port)
        address = broker.__enter__()
        outside = Outside(tmp_path, CELERY_BROKER_URL=address)
        stack.callback(outside.end)
        outside.run("prepare", "15")
        outside.worker()
        outside.until(lambda state: state["job"] == "running" and state["progress"] > 0)
        broker.__exit__(None, None, None)
        time.sleep(1)
        stack.enter_context(services.redis(port))
        outside.assert_fought({1})
        outside.run("many", "1", "0")
        until = time.monotonic() + PATIENCE
        while outside.run("tally")["jobs"] != {"succeeded": 2}:
            assert time.monotonic() < until, outside.run("tally")
            time.sleep(0.3)


def test_a_database_that_restarts_in_mid_battle_costs_an_attempt_and_no_battle(
    tmp_path: Path,
) -> None:
    with contextlib.ExitStack() as stack:
        database = services.PostgreSQL()
        stack.callback(shutil.rmtree, database.folder, ignore_errors=True)
        database.start()
        stack.callback(database.stop)
        broker = stack.enter_context(services.redis())
        outside = Outside(tmp_path, DATABASE_URL=database.address, CELERY_BROKER_URL=broker)
        stack.callback(outside.end)
        outside.run("prepare", "15")
        outside.worker()
        outside.until(lambda state: state["job"] == "running" and state["progress"] > 0)
        outside.hang_up()
        database.stop()
        time.sleep(2)
        database.start()
        outside.assert_fought({2})


def test_two_workers_fight_every_battle_once(outside: Outside) -> None:
    outside.run("many", "6", "5")
    for name in ("one", "two"):
        outside.worker("battles", "-n", name)
    outside.celery("beat", "--pidfile=")
    until = time.monotonic() + PATIENCE
    while (told := outside.run("tally"))["jobs"] != {"succeeded": 6}:
        assert time.monotonic() < until, told
        time.sleep(0.3)
    assert told["attempts"] == {"1": 6}
    assert (told["results"], told["logs"], told["disagreements"]) == ([6, 6], 6, [])
