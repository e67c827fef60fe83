"""Faults around the processes: a broker, a database, a disk, a clock or a ruleset that is not
what it should be; on both profiles where both can have them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from pathlib import Path

from tests.campaign import services
from tests.campaign.installation import PATIENCE, Outside

FULL = "The disk of the database is full: nothing was written."


def appears(folder: Path, pattern: str, count: int = 1) -> None:
    until = time.monotonic() + PATIENCE
    while len(list(folder.glob(pattern))) < count:
        assert time.monotonic() < until, f"{pattern} does not appear"
        time.sleep(0.05)


def is_posted_once(outside: Outside) -> None:
    state = outside.run("state")
    assert (state["battle"], state["postings"], state["disagreements"]) == ("posted", 1, [])


def waits_to_be_sent(outside: Outside) -> None:
    state = outside.run("state")
    assert (state["job"], state["attempt"], state["battle"]) == ("queued", 0, "resolving")


def test_who_is_killed_between_asking_and_telling_a_worker_loses_no_battle(
    outside: Outside,
) -> None:
    outside.run("lock", "0")
    assert outside.run("ask_and_die") is None
    waits_to_be_sent(outside)
    outside.worker()
    outside.assert_fought({1})


def test_a_broker_of_files_that_is_away_when_asked_is_told_later(tmp_path: Path) -> None:
    outside = Outside(tmp_path)
    try:
        outside.run("lock", "0")
        messages = tmp_path / "broker" / "messages"
        messages.rmdir()
        assert outside.run("ask")
        waits_to_be_sent(outside)
        assert not messages.exists()
        messages.mkdir()
        outside.worker()
        outside.assert_fought({1})
    finally:
        outside.end()


def test_a_redis_that_is_away_when_asked_is_told_later(tmp_path: Path) -> None:
    port = services.free_port()
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(services.postgresql())
        broker = f"redis://127.0.0.1:{port}/0"
        outside = Outside(tmp_path, DATABASE_URL=database, CELERY_BROKER_URL=broker)
        stack.callback(outside.end)
        outside.run("lock", "0")
        begun = time.monotonic()
        assert outside.run("ask")
        assert time.monotonic() - begun < 10, "who asks waits for a broker that is away"
        waits_to_be_sent(outside)
        stack.enter_context(services.redis(port))
        outside.worker()
        outside.assert_fought({1})


def test_a_database_that_restarts_in_the_middle_of_a_posting_has_all_of_it_or_nothing(
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
        outside.run("prepare", "0")
        outside.say("hang_in_post", str(tmp_path))
        appears(tmp_path, "hangs")
        database.stop()
        database.start()
        (tmp_path / "go").touch()
        assert outside.hear() == "OperationalError"
        state = outside.run("state")
        assert (state["battle"], state["postings"], state["disagreements"]) == ("reported", 0, [])
        outside.run("race", "1")
        is_posted_once(outside)


def test_two_web_processes_posting_at_once_post_once(outside: Outside, tmp_path: Path) -> None:
    outside.run("prepare", "0")
    outside.run("race", "0")
    other = Outside(tmp_path)
    other.environment = outside.environment
    try:
        for one in (outside, other):
            one.say("post_together", str(tmp_path))
        appears(tmp_path, "ready-*", 2)
        (tmp_path / "go").touch()
        told = [outside.hear(), other.hear()]
    finally:
        other.end()
    assert told[0] == told[1]
    is_posted_once(outside)


def test_a_full_disk_is_said_and_nothing_is_half_written(outside: Outside) -> None:
    outside.run("prepare", "0")
    full = outside.run("full_disk")
    assert (full["job"], full["battle"], full["results"]) == ("failed", "locked", 0)
    assert full["error"] == FULL
    assert full["disagreements"] == []
    outside.run("ask")
    outside.worker()
    outside.assert_fought({1})


def test_a_worker_that_can_write_no_log_fights_on(outside: Outside) -> None:
    outside.run("prepare", "0")
    outside.worker("battles", "--loglevel", "DEBUG", log="/dev/full")
    outside.celery("beat", "--pidfile=", "--loglevel", "DEBUG", log="/dev/full")
    outside.assert_fought({1})


def test_a_worker_without_the_rules_says_so_and_another_fights(outside: Outside) -> None:
    outside.run("prepare", "0")
    without = outside.worker(app="campaigns.conf.celery")
    told = outside.until(lambda state: state["job"] not in ("queued", "running"))
    assert (told["job"], told["battle"], told["results"]) == ("failed", "locked", 0)
    assert told["error"].startswith("The worker has no rules called toy: it runs another version")
    os.killpg(without.pid, signal.SIGKILL)
    without.wait()
    outside.run("ask")
    outside.worker()
    outside.assert_fought({1})


def test_a_worker_whose_clock_is_hours_fast_keeps_its_lease(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(services.postgresql())
        broker = stack.enter_context(services.redis())
        outside = Outside(tmp_path, DATABASE_URL=database, CELERY_BROKER_URL=broker)
        stack.callback(outside.end)
        outside.run("prepare", "30")
        outside.environment["CLOCK_HOURS"] = "3"
        outside.worker("battles", "-n", "fast")
        outside.until(lambda state: state["job"] == "running")
        outside.environment["CLOCK_HOURS"] = "0"
        outside.worker()
        outside.assert_fought({1})
