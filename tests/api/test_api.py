"""The API: the same door as the pages, in JSON."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from campaigns.models import Job
from campaigns.operations import battles, forecasts, resolution
from tests.api.conftest import V1, Caller
from tests.campaign.conftest import SECRETS, person

pytestmark = pytest.mark.django_db


def ok(answer, status=200):
    assert answer.status_code == status, answer.content
    return answer.json()


def problem(answer, status):
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"].startswith("application/problem+json")
    body = answer.json()
    assert body["status"] == status
    assert body["detail"]
    return body


def work(caller, battle):
    """Have a battle fought, as a worker would."""
    answer = caller.post(f"battles/{battle}/resolutions/")
    job = ok(answer, 202)
    assert answer["Location"].endswith(f"/jobs/{job['uid']}/")
    resolution.resolve(job_id=Job.objects.get(uid=job["uid"]).pk)
    assert ok(caller.client.get(answer["Location"]))["state"] == Job.State.SUCCEEDED


def test_an_evening_through_the_api_from_the_pack_to_a_corrected_battle(cast, balanced):
    organiser = Caller(Client(), "")
    organiser.client.force_login(person("anna"))
    made = ok(
        organiser.post(f"{V1}/campaigns/", {"pack": "toy-pack", "side_names": {"red": "Crimson"}}),
        201,
    )
    organiser.home = f"{V1}/campaigns/{made['slug']}"
    for name, side in (("bert", "red"), ("carl", "blue")):
        invited = ok(organiser.post("invitations/", {"role": "commander", "side": side}), 201)
        guest = Client()
        guest.force_login(person(name))
        joined = guest.post(
            f"{V1}/join/", {"token": invited["token"]}, content_type="application/json"
        )
        assert ok(joined)["slug"] == made["slug"]
    assert len(ok(organiser.get("members/"))["seats"]) == 3

    first = ok(organiser.post("battles/"), 201)["uid"]
    ok(organiser.post(f"battles/{first}/lock/"))
    work(organiser, first)
    plan = ok(organiser.get(f"battles/{first}/preview/"))
    posted = ok(organiser.post(f"battles/{first}/postings/", {"plan_hash": plan["plan_hash"]}), 201)
    assert ok(organiser.get(f"battles/{first}/"))["state"] == "posted"

    ok(organiser.post("turns/"), 201)
    second = ok(organiser.post("battles/"), 201)["uid"]
    ok(organiser.post(f"battles/{second}/lock/"))
    ok(organiser.post(f"battles/{second}/table/"))
    document = ok(organiser.get(f"battles/{second}/result/"))["document"]
    document["ending"] = {"kind": "win", "winner": "red", "how": "they left"}
    ok(organiser.post(f"battles/{second}/result/", {"document": document}), 201)
    plan = ok(organiser.get(f"battles/{second}/preview/"))
    ok(organiser.post(f"battles/{second}/postings/", {"plan_hash": plan["plan_hash"]}), 201)

    before = ok(organiser.get("order-of-battle/?as_of=1"))
    impact = ok(organiser.get(f"journal/{posted['posting']}/impact/"))
    assert impact["later_battles"]
    fixed = ok(organiser.get(f"battles/{first}/result/"))["document"]
    lost = next(e for e in fixed["elements"] if e["after"] == "eliminated" and not e["became"])
    lost["after"] = lost["before"]
    correction = {"document": fixed, "reason": "One squad was only reduced."}
    ok(organiser.post(f"battles/{first}/corrections/", correction), 201)
    after = ok(organiser.get("order-of-battle/"))
    assert json.dumps(before["sides"]) != json.dumps(after["sides"])
    kinds = [row["kind"] for row in ok(organiser.get("journal/"))["results"]]
    assert "reversal" in kinds


def test_a_refusal_is_a_problem_with_a_sentence(calls, cast):
    answer = problem(calls("red").post("battles/"), 409)
    assert "You may not plan battles" in answer["detail"]


def test_a_body_that_does_not_fit_names_its_path(calls):
    answer = problem(calls("organiser").post("invitations/", {"role": 3}), 400)
    assert answer["path"] == "$.role"
    answer = problem(calls("organiser").post("invitations/", {"rule": "referee"}), 400)
    assert "rule" in answer["detail"]


def test_a_broken_result_document_names_its_path(calls, cast):
    battle = cast.locked()
    referee = calls("referee")
    ok(referee.post(f"battles/{battle.uid}/table/"))
    document = ok(referee.get(f"battles/{battle.uid}/result/"))["document"]
    document["elements"][1]["after"] = 7
    answer = referee.post(f"battles/{battle.uid}/result/", {"document": document})
    assert "elements[1].after" in problem(answer, 409)["detail"]


def test_text_that_is_no_json_is_refused(calls):
    answer = calls("organiser").client.post(
        f"{V1}/campaigns/", "{", content_type="application/json"
    )
    problem(answer, 400)


@pytest.mark.parametrize("query", ["as_of=x", "as_of=-1", "as_of=99999999999", "as_of=1e3"])
def test_a_bad_number_in_a_query_is_refused(calls, query):
    problem(calls("referee").get(f"order-of-battle/?{query}"), 400)


def test_a_plan_that_is_stale_is_not_posted(calls, cast, balanced):
    battle = cast.resolved()
    answer = calls("referee").post(f"battles/{battle.uid}/postings/", {"plan_hash": "0" * 64})
    problem(answer, 409)
    battle.refresh_from_db()
    assert battle.state == "reported"


def test_posting_twice_posts_once(calls, cast, balanced):
    battle = cast.resolved()
    referee = calls("referee")
    plan = ok(referee.get(f"battles/{battle.uid}/preview/"))["plan_hash"]
    first = ok(referee.post(f"battles/{battle.uid}/postings/", {"plan_hash": plan}), 201)
    again = referee.post(f"battles/{battle.uid}/postings/", {"plan_hash": plan})
    assert again.status_code in (201, 409)
    assert cast.campaign.postings.filter(battle=battle).count() == 1
    assert first["posting"]


READS = (
    "",
    "members/",
    "order-of-battle/",
    "order-of-battle/?as_of=1",
    "order-of-battle/changes/?first=1&last=1",
    "history/",
    "journal/",
    "journal/?page_size=1",
    "ledger/",
    "ledger/?page_size=1",
)


def addresses(cast, battle):
    """Every address that can be read, units and postings of both sides among them."""
    units = [f"units/{u.uid}/" for u in cast.campaign.units.all()]
    postings = [f"journal/{p.uid}/" for p in cast.campaign.postings.all()]
    jobs = [f"jobs/{j.uid}/" for j in Job.objects.all()]
    parts = ("", "report/", "report/lines/", "preview/", "result/", "forces/red/", "forces/blue/")
    odds = [f"odds/{f.uid}/" for f in cast.campaign.forecasts.all()]
    typical = [f"{at}typical/{key}/" for at in odds for key in ("red", "blue", "draw")]
    return [
        *READS,
        *units,
        *postings,
        *(p + "impact/" for p in postings),
        *jobs,
        *odds,
        *typical,
        *(f"battles/{battle.uid}/{part}" for part in parts),
    ]


def with_odds(cast):
    """A battle posted, with odds that both sides and the referee asked for before."""
    battle = cast.locked()
    for seat in (cast.referee, cast.red, cast.blue):
        row = forecasts.ask(seat=seat, battle_id=battle.uid, most=100)
        forecasts.work(job_id=row.lanes.first().job_id)
    job = battles.request_resolve(seat=cast.referee, battle_id=battle.uid)
    resolution.resolve(job_id=job.pk)
    battle.refresh_from_db()
    cast.post(battle)
    return battle


@pytest.mark.parametrize(
    ("who", "hidden"),
    [
        ("red", ("blue",)),
        ("red_player", ("blue",)),
        ("blue", ("red",)),
        ("spectator", ("red", "blue")),
        ("stranger", ("red", "blue")),
        ("anonymous", ("red", "blue")),
    ],
)
def test_nobody_reads_the_secrets_of_another_side(who, hidden, calls, cast):
    battle = with_odds(cast)
    caller = calls(who)
    for address in addresses(cast, battle):
        answer = caller.get(address)
        assert answer.status_code < 500, (address, answer.content)
        text = answer.content.decode()
        for side in hidden:
            secret = SECRETS[0] if side == "red" else SECRETS[1]
            names = [u.name for u in cast.campaign.units.filter(side__key=side)]
            uids = [u.uid for u in cast.campaign.units.filter(side__key=side)]
            for word in (secret, *names, *uids):
                assert word not in text, (who, address, word)


@pytest.mark.parametrize("who", ["stranger", "anonymous"])
def test_who_has_no_seat_finds_nothing(who, calls, cast):
    battle = with_odds(cast)
    for address in addresses(cast, battle):
        answer = calls(who).get(address)
        assert answer.status_code in (401, 404), address
        problem(answer, answer.status_code)


def test_a_referee_may_look_through_a_sides_eyes(calls, cast):
    cast.posted()
    seen = calls("referee").get("order-of-battle/?as=red").content.decode()
    assert "Blue platoon 1" not in seen
    assert "Red platoon 1" in seen


def test_who_looks_is_told_without_a_number_of_the_database(calls):
    assert ok(calls("red").get(""))["viewer"] == {
        "kind": "side",
        "side": "red",
        "side_name": "Red",
        "preview": False,
    }
    assert ok(calls("referee").get("?as=red"))["viewer"]["preview"] is True


def test_a_write_needs_the_token_of_the_session(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.referee.user)
    answer = client.post(
        f"{V1}/campaigns/{cast.campaign.slug}/battles/", {}, content_type="application/json"
    )
    problem(answer, 403)


@pytest.mark.parametrize("name", ["scenario", "result", "log", "question", "gut-check"])
def test_the_engines_documents_have_published_schemas(name, calls):
    schema = ok(calls("referee").get(f"{V1}/schemas/ost/{name}/"))
    assert "$defs" in schema or "properties" in schema


def test_an_unknown_document_is_not_found(calls):
    problem(calls("referee").get(f"{V1}/schemas/ost/secrets/"), 404)
    problem(calls("referee").get(f"{V1}/schemas/nothing/result/"), 404)


@pytest.mark.parametrize("address", ["/api/", "/api/v1/nothing/", "/api/v1/campaigns/a b/"])
def test_an_address_that_is_none_is_answered_in_json(address, calls):
    problem(calls("referee").get(address), 404)
    problem(calls("anonymous").post(address), 404)


def test_an_address_without_its_slash_is_told_so(calls):
    assert "slash" in problem(calls("referee").post(f"{V1}/campaigns"), 404)["detail"]


def test_a_nul_in_the_query_is_malformed(calls):
    assert problem(calls("referee").get("journal/?as=%00"), 400)["path"] == "as"


def test_a_misspelt_parameter_is_refused_instead_of_answered_with_something_else(calls):
    said = problem(calls("referee").get("order-of-battle/?as_off=1"), 400)
    assert said["path"] == "as_off"
    assert "it takes as, as_of" in said["detail"]
    assert "takes none" in problem(calls("referee").get("members/?as=red"), 400)["detail"]


def test_a_form_with_a_key_is_refused_for_its_kind(calls):
    """Its body is read once only, by whoever comes first."""
    referee = calls("referee")
    answer = referee.client.post(
        f"{referee.home}/journal/x/reversals/", {"reason": "x"}, headers={"Idempotency-Key": "k"}
    )
    problem(answer, 415)
