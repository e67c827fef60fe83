"""Schemathesis against the API: whatever is sent to any operation, the answer is a documented one.

It speaks to the application itself, without a network, as the organiser of a demo. Addresses lead
to what is there three times of four. Each request is taken back before the next.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck
from hypothesis import settings as effort

from campaigns.models import Forecast, Job, Seat
from campaigns.operations import (
    battle_postings,
    battles,
    campaigns,
    forecasts,
    jobs,
    packs,
    resolution,
    turns,
)
from campaigns.reports import battle as battle_report
from tests.campaign.conftest import person

pytestmark = pytest.mark.django_db

PACK = "road-to-bastogne"
DOCUMENT = Path(__file__).parents[2] / "docs" / "openapi.yaml"
SLUG = re.compile(r"[-a-zA-Z0-9_]+")
FITS = ["2xx", 304, 404, 409, 412]
"""What a request that fits its schema is answered with; 412: no made-up If-Match is that of
anything."""
CONFIG = {
    "generation": {
        "allow-x00": False,  # what no schema can forbid in so many words; see test_bad_bodies
        "database": "none",
        "deterministic": True,
        "with-security-parameters": False,  # a made-up token would hide all behind a 401
    },
    "checks": {
        "missing_required_header": {"expected-statuses": [400, 401, 403, 428]},
        "negative_data_rejection": {"expected-statuses": [400, 404, 405, 406, 409, 412, 415, 428]},
        "positive_data_acceptance": {"expected-statuses": FITS},
    },
    "operations": [
        # No schema tells a cursor that was given from one that is made up, or what numbers in a
        # document of any shape a database keeps.
        {
            "include-operation-id": [
                "journal",
                "ledger",
                "battle_report_lines",
                "campaigns_create",
                "result_enter",
                "result_overrule",
                "battle_correct",
                "battle_correct_preview",
            ],
            "checks": {"positive_data_acceptance": {"expected-statuses": [*FITS, 400]}},
        }
    ],
}


def load():
    found = schemathesis.openapi.from_path(DOCUMENT, config=schemathesis.Config.from_dict(CONFIG))
    found.app = get_wsgi_application()
    return found


schema = load()
SIGNED_IN = {"sessionid": "a" * 32, "csrftoken": "b" * 32}
"""The cookies of the organiser's browser: requests are made up before there is a session."""


@schema.auth(refresh_interval=None)
class Browser:
    """Signs requests in; those that are made to see who is turned away are left as they are."""

    def get(self, case, context):
        return SIGNED_IN

    def set(self, case, data, context):
        case.cookies = {**(case.cookies or {}), **data}
        case.headers = {**(case.headers or {}), "X-CSRFToken": data["csrftoken"]}


STAGES = ("planned", "table", "asked", "foretold", "waiting", "fought", "posted")


@dataclass
class Demo:
    """A campaign whose battle has come so far, and the ids of what is in it."""

    seat: Seat
    ids: dict[str, str] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)
    """A result that fits its battle."""


def demo(user, upto):
    """A campaign of the user, and its first battle brought so far."""
    seat = campaigns.create_from_pack(user=user, pack_key=PACK)
    battle = battles.plan_battle(seat=seat)
    unit = seat.campaign.units.first()
    made = Demo(seat, {"slug": seat.campaign.slug, "battle_id": battle.uid, "unit_id": unit.uid})
    made.ids |= {"side": seat.campaign.sides.first().key, "ruleset": "ost", "name": "result"}
    made.ids |= {"posting_id": seat.campaign.postings.first().uid, "outcome": "draw"}
    if upto == "planned":
        return made
    battles.lock_forces(seat=seat, battle_id=battle.uid)
    if upto == "table":
        battles.play_at_table(seat=seat, battle_id=battle.uid)
        made.document = battle_report.result_form(seat, battle.uid)
    if upto in ("asked", "foretold"):
        row = forecasts.ask(seat=seat, battle_id=battle.uid, most=25)
        made.ids |= {"forecast_id": row.uid}
    if upto == "foretold":
        forecasts.work(job_id=row.lanes.first().job_id)
        assert Forecast.objects.get(pk=row.pk).state == Forecast.State.DONE
    if upto in ("waiting", "fought", "posted"):
        job = battles.request_resolve(seat=seat, battle_id=battle.uid)
        made.ids |= {"job_id": job.uid}
    if upto in ("fought", "posted"):
        resolution.resolve(job_id=job.pk)
        assert Job.objects.get(pk=job.pk).state == Job.State.SUCCEEDED
        made.document = battle_report.result_form(seat, battle.uid)
    if upto == "posted":
        plan = battles.preview(seat=seat, battle_id=battle.uid)
        posting = battle_postings.post_result(seat=seat, battle_id=battle.uid, plan_hash=plan.hash)
        made.ids |= {"posting_id": posting.uid}
        turns.open_next(seat=seat)
    return made


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """The organiser's demos, and his browser signed in; all taken back at the end."""
    patched = pytest.MonkeyPatch()
    patched.setattr(jobs, "dispatch", lambda job: None)
    for moment in (request_started, request_finished):
        moment.disconnect(close_old_connections)  # all is one transaction
    with django_db_blocker.unblock(), transaction.atomic():
        packs.load(folder=Path(settings.PACKS_DIR) / PACK)
        user = person("organiser of the demos")
        demos = [demo(user, upto) for upto in STAGES]
        client = Client()
        client.force_login(user)
        Session.objects.update(session_key=SIGNED_IN["sessionid"])
        yield demos
        transaction.set_rollback(True)
    for moment in (request_started, request_finished):
        moment.connect(close_old_connections)
    patched.undo()


def lead(case, demos):
    """Let a request that could mean something mean something that is there, mostly."""
    sent = {name: str(value) for name, value in (case.path_parameters or {}).items()}
    drawn = zlib.crc32(repr((sent, case.query, case.body)).encode())
    if not all(SLUG.fullmatch(value) for value in sent.values()) or drawn % 4 == 0:
        return
    able = [demo for demo in demos if set(sent) <= set(demo.ids)]
    chosen = able[drawn // 4 % len(able)]
    case.path_parameters = {name: chosen.ids[name] for name in sent}
    known = {"as": chosen.ids["side"], "as_of": 1, "first": 1, "last": 1}
    case.query = {name: _meant(value, known.get(name)) for name, value in case.query.items()}
    if isinstance(case.body, dict):
        known = {"pack": PACK, "document": chosen.document, "carry": {}, "side_names": {}}
        known |= {"options": {}, "organiser_side": "", "role": "referee", "side": ""}
        case.body = {name: _meant(value, known.get(name)) for name, value in case.body.items()}


def _meant(value, known):
    """What is known instead of what was made up, if that was of the right kind."""
    return known if known is not None and type(value) is type(known) else value


def hold(case, demos):
    """Send a request and hold the answer to the document."""
    lead(case, demos)
    cache.clear()
    with transaction.atomic():
        answer = case.call_and_validate()
        assert answer.status_code < 500
        transaction.set_rollback(True)


QUIET = list(HealthCheck)


@schema.parametrize()
@effort(max_examples=12, deadline=None, suppress_health_check=QUIET)
def test_every_answer_is_one_that_is_documented(case, world):
    hold(case, world)


@pytest.mark.long
@schema.parametrize()
@effort(max_examples=100, deadline=None, suppress_health_check=QUIET)
def test_every_answer_is_one_that_is_documented_for_long(case, world):
    hold(case, world)
