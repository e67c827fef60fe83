"""Requests on a condition: nothing is done twice, no change is lost, nothing is sent again."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.models import Battle, Invitation, KeptAnswer, Role
from campaigns.operations import battles, campaigns, forecasts, kept_answers, members
from tests.api.test_api import V1, ok, problem


def post(caller, address, body=None, **headers):
    return caller.client.post(
        f"{V1}/campaigns/{caller.slug}/{address}",
        json.dumps(body or {}),
        content_type="application/json",
        headers=headers,
    )


def get(caller, address, **headers):
    return caller.client.get(f"{V1}/campaigns/{caller.slug}/{address}", headers=headers)


def put(caller, address, body, **headers):
    return caller.client.put(
        f"{V1}/campaigns/{caller.slug}/{address}",
        json.dumps(body),
        content_type="application/json",
        headers=headers,
    )


KEY = {"Idempotency-Key": "one evening"}

# --- Idempotency-Key ----------------------------------------------------------------------------


def test_the_same_request_with_one_key_is_carried_out_once(calls, cast):
    referee = calls("referee")
    first = post(referee, "battles/", **KEY)
    again = post(referee, "battles/", **KEY)
    assert ok(first, 201) == ok(again, 201)
    assert again["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert Battle.objects.count() == 1


def test_where_it_leads_is_kept_too(calls, cast):
    battle = cast.locked()
    referee = calls("referee")
    first = post(referee, f"battles/{battle.uid}/resolutions/", **KEY)
    again = post(referee, f"battles/{battle.uid}/resolutions/", **KEY)
    assert first["Location"] == again["Location"]


def test_a_key_of_another_request_is_refused(calls, cast):
    referee = calls("referee")
    post(referee, "battles/", **KEY)
    answer = post(referee, "turns/", **KEY)
    assert "another request" in problem(answer, 422)["detail"]


def test_an_answer_is_not_given_again_to_other_eyes(calls, cast):
    """A referee who becomes a player is not told the referee's answer once more."""
    referee = calls("referee")
    ok(post(referee, "battles/", **KEY), 201)
    members.change_seat(
        seat=cast.organiser, seat_id=cast.referee.uid, role=Role.PLAYER, side_key="red"
    )
    answer = post(referee, "battles/", **KEY)
    assert "another request" in problem(answer, 422)["detail"]


def test_two_people_may_hit_on_the_same_key(calls, cast):
    post(calls("referee"), "battles/", **KEY)
    answer = post(calls("organiser"), "battles/", **KEY)
    assert problem(answer, 409)


def test_what_was_refused_did_nothing_and_may_be_tried_again(calls, cast):
    battle = cast.planned()
    referee = calls("referee")
    assert problem(post(referee, f"battles/{battle.uid}/resolutions/", **KEY), 409)
    battles.lock_forces(seat=cast.referee, battle_id=battle.uid)
    assert ok(post(referee, f"battles/{battle.uid}/resolutions/", **KEY), 202)


def test_a_secret_is_told_once(calls, cast):
    body = {"role": "spectator"}
    organiser = calls("organiser")
    token = ok(post(organiser, "invitations/", body, **KEY), 201)["token"]
    count = Invitation.objects.count()
    assert "shown once" in problem(post(organiser, "invitations/", body, **KEY), 409)["detail"]
    assert Invitation.objects.count() == count
    assert not KeptAnswer.objects.filter(body__contains=token).exists()


def test_a_request_under_way_is_not_begun_again_until_it_is_given_up(calls, cast):
    referee = calls("referee")
    post(referee, "battles/", **KEY)
    KeptAnswer.objects.update(status=0, body="")
    assert "being carried out" in problem(post(referee, "battles/", **KEY), 409)["detail"]
    KeptAnswer.objects.update(started_at=timezone.now() - timedelta(minutes=5))
    # Begun again, it finds that the battle is planned already.
    assert "already" in problem(post(referee, "battles/", **KEY), 409)["detail"]


def test_a_request_that_broke_down_may_be_sent_again_at_once(calls, cast, monkeypatch):
    referee = calls("referee")
    referee.client.raise_request_exception = False

    def breaks(*args, **kwargs):
        raise RuntimeError("a fault of ours")

    with monkeypatch.context() as patched:
        patched.setattr(battles, "plan_battle", breaks)
        assert post(referee, "battles/", **KEY).status_code == 500
    assert ok(post(referee, "battles/", **KEY), 201)


def test_what_broke_after_the_act_is_taken_back_and_done_once(calls, cast, monkeypatch):
    battle = cast.planned()
    referee = calls("referee")
    referee.client.raise_request_exception = False
    body = {"text": "Good luck.", "kind": "comment"}

    def breaks(*args, **kwargs):
        raise RuntimeError("the answer broke")

    with monkeypatch.context() as patched:
        patched.setattr("campaigns.reports.battle.battle", breaks)
        assert post(referee, f"battles/{battle.uid}/comments/", body, **KEY).status_code == 500
    assert battle.comments.count() == 0
    assert ok(post(referee, f"battles/{battle.uid}/comments/", body, **KEY), 201)
    assert battle.comments.count() == 1


def test_a_purged_campaign_takes_its_kept_answers_along(calls, cast):
    assert ok(post(calls("referee"), "battles/", **KEY), 201)
    campaigns.purge(seat=cast.organiser, typed_title=cast.campaign.title)
    assert not KeptAnswer.objects.exists()


def test_what_is_asked_for_by_its_head_has_its_tag(calls, cast):
    referee = calls("referee")
    address = f"{V1}/campaigns/{referee.slug}/order-of-battle/"
    assert referee.client.head(address)["ETag"] == referee.client.get(address)["ETag"]


def test_keys_are_forgotten_after_a_day(calls, cast):
    post(calls("referee"), "battles/", **KEY)
    KeptAnswer.objects.update(started_at=timezone.now() - timedelta(days=2))
    assert kept_answers.forget() == 1


@pytest.mark.parametrize("key", ["x" * 101, "tab\tbed"])
def test_a_key_that_is_none_is_refused(calls, cast, key):
    assert problem(post(calls("referee"), "battles/", **{"Idempotency-Key": key}), 400)


# --- ETag ---------------------------------------------------------------------------------------


def test_what_has_not_changed_is_not_sent_again(calls, cast):
    referee = calls("referee")
    first = get(referee, "order-of-battle/")
    again = get(referee, "order-of-battle/", **{"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert again["ETag"] == first["ETag"]
    other = get(calls("red"), "order-of-battle/", **{"If-None-Match": first["ETag"]})
    assert other.status_code == 200


def forces(cast, battle, count=1):
    unit = cast.unit("r1")
    return {"picks": [{"unit": unit.uid, "elements": {"toy-squad": count}}]}


def test_forces_are_chosen_by_who_has_read_the_last_choice(calls, cast):
    battle = cast.planned()
    red = calls("red")
    address = f"battles/{battle.uid}/forces/red/"
    answer = put(red, address, forces(cast, battle))
    assert "If-Match" in problem(answer, 428)["detail"]
    read = get(red, address)
    assert ok(put(red, address, forces(cast, battle), **{"If-Match": read["ETag"]}))
    stale = put(red, address, forces(cast, battle, 2), **{"If-Match": read["ETag"]})
    assert problem(stale, 412)
    assert stale["ETag"] == get(red, address)["ETag"]
    assert ok(put(red, address, forces(cast, battle, 2), **{"If-Match": stale["ETag"]}))


def test_the_other_sides_choice_is_not_there(calls, cast):
    battle = cast.planned()
    assert problem(get(calls("blue"), f"battles/{battle.uid}/forces/red/"), 404)


def test_an_act_may_be_held_to_what_was_read(calls, cast):
    battle = cast.planned()
    referee = calls("referee")
    tag = get(referee, f"battles/{battle.uid}/")["ETag"]
    assert ok(post(referee, f"battles/{battle.uid}/lock/", **{"If-Match": tag}))
    assert problem(post(referee, f"battles/{battle.uid}/unlock/", **{"If-Match": tag}), 412)


# --- odds ---------------------------------------------------------------------------------------


def test_odds_are_a_job_with_an_address(calls, cast):
    battle = cast.locked()
    referee = calls("referee")
    asked = post(referee, f"battles/{battle.uid}/odds/", {"most": 100})
    assert ok(asked, 202)["state"] == "running"
    address = asked["Location"].split(f"/campaigns/{referee.slug}/")[1]
    uid = address.split("/")[1]
    lane = cast.campaign.forecasts.get(uid=uid).lanes.first()
    forecasts.work(job_id=lane.job_id)
    while row := cast.campaign.forecasts.get(uid=uid).lanes.filter(job__state="queued").first():
        forecasts.work(job_id=row.job_id)
    report = ok(get(referee, address))
    assert report["state"] == "done"
    assert sum(row["count"] for row in report["outcomes"]) == report["runs"] == 100
    outcome = next(row["key"] for row in report["outcomes"] if row["typical"])
    assert ok(get(referee, f"{address}typical/{outcome}/"))["lines"]
    assert problem(get(calls("red"), address), 404)
    assert problem(referee.delete(address), 409)
