"""The replay of a battle: who may watch, what of it, and that it ends as the battle did."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaigns import engine
from campaigns.operations import battles
from campaigns.projection import audiences
from campaigns.reports import aar
from tests.campaign.conftest import SECRETS
from tests.pages.conftest import EVERYBODY

MEMBERS = ("organiser", "referee", "red", "blue", "red_player", "spectator")
NAMES = ("battle_replay", "battle_frames")


def at(name, battle, eyes=""):
    address = reverse(name, args=[battle.campaign.slug, battle.uid])
    return f"{address}?as={eyes}" if eyes else address


@pytest.fixture
def posted(cast):
    return cast.posted()[0]


def watched(client, battle, eyes=""):
    answer = client.get(at("battle_frames", battle, eyes))
    assert answer.status_code == 200
    return answer.json()


def last_table(film):
    """The pieces by their names after the last step."""
    pieces = {}
    for step in [{"put": film["first"]}, *film["frames"]]:
        for gone in step.get("gone", ()):
            del pieces[gone]
        for number, facts in step.get("put", ()):
            pieces[number] = pieces.get(number, {}) | facts
    return {piece["name"]: piece for piece in pieces.values()}


@pytest.mark.parametrize("name", NAMES)
def test_before_it_is_posted_only_who_sees_all_watches(name, cast, as_):
    battle = cast.resolved()
    cast.campaign.options["public"] = True
    cast.campaign.save()
    told = {who: as_(who).get(at(name, battle)).status_code for who in EVERYBODY}
    assert {who for who, status in told.items() if status == 200} == {"organiser", "referee"}
    assert set(told.values()) == {200, 404}
    assert as_("referee").get(at(name, battle, "red")).status_code == 404


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("public", [False, True])
def test_whoever_reads_the_report_watches(name, public, cast, posted, as_):
    cast.campaign.options["public"] = public
    cast.campaign.save()
    for who in EVERYBODY:
        report = as_(who).get(at("battle_report", posted)).status_code
        assert as_(who).get(at(name, posted)).status_code == report, who
        assert (report == 200) == (public or who in MEMBERS)


@pytest.mark.parametrize("name", NAMES)
def test_a_battle_of_the_table_has_no_replay(name, cast, as_):
    battle = cast.locked()
    assert as_("referee").get(at(name, battle)).status_code == 404
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    assert as_("referee").get(at(name, battle)).status_code == 404
    assert "Watch the replay" not in as_("referee").get(at("battle", battle)).content.decode()


def test_what_is_watched_is_the_fight_that_was_posted(cast, posted):
    for viewer in audiences(cast.campaign):
        row = aar.fight_read(viewer, posted)
        assert row is not None
        assert row.snapshot_id == posted.reports.first().result.snapshot_id


def test_battle_and_report_lead_to_it_and_keep_the_preview(posted, as_):
    client = as_("referee")
    for name in ("battle", "battle_report"):
        assert (
            at("battle_replay", posted, "red")
            in client.get(at(name, posted, "red")).content.decode()
        )
    page = client.get(at("battle_replay", posted, "red")).content.decode()
    assert f'data-replay="{at("battle_frames", posted, "red")}"' in page


def test_the_steps_are_never_kept_by_a_cache(posted, as_):
    answer = as_("red").get(at("battle_frames", posted))
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Cookie" in answer.headers["Vary"]
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert as_("red").post(at("battle_frames", posted)).status_code == 405


@pytest.mark.parametrize(
    ("who", "hidden"),
    [
        ("red", SECRETS[1:]),
        ("red_player", SECRETS[1:]),
        ("blue", SECRETS[:1]),
        ("spectator", SECRETS),
        ("anonymous", SECRETS),
    ],
)
def test_a_sides_steps_hold_no_secret_of_the_other(who, hidden, cast, posted, as_):
    cast.campaign.options["public"] = True
    cast.campaign.save()
    text = as_(who).get(at("battle_frames", posted)).content.decode()
    page = as_(who).get(at("battle_replay", posted)).content.decode()
    told = as_("referee").get(at("battle_frames", posted)).content.decode()
    for secret in SECRETS:
        assert secret in told
        assert (secret in text) == (secret not in hidden)
        assert (secret in page) == (secret not in hidden)


@pytest.mark.parametrize("who", ["red", "blue"])
def test_what_was_never_seen_is_not_sent_and_what_is_seen_comes_when_it_is(who, posted, as_):
    own = {"red": "r", "blue": "b"}[who]
    mine, all_of_it = watched(as_(who), posted), watched(as_("referee"), posted)
    assert {facts["name"][0] for _, facts in mine["first"]} == {own}
    assert {facts["name"][0] for _, facts in all_of_it["first"]} == {"r", "b"}
    seen = set()
    for step in mine["frames"]:
        for number, facts in step.get("put", ()):
            if number not in seen and facts.get("name", own)[0] != own:
                assert facts["name"] in step["text"], "seen before it was shot at"
            seen.add(number)
    steps = [{"put": mine["first"]}, *mine["frames"]]
    numbers = {number for step in steps for number, _ in step.get("put", ())}
    assert numbers == set(range(len(numbers))), "a gap in the numbers tells of somebody unseen"


def test_the_referee_previews_what_a_side_watches(posted, as_):
    assert watched(as_("referee"), posted, "red") == watched(as_("red"), posted)
    assert watched(as_("referee"), posted, "public") == watched(as_("spectator"), posted)
    assert as_("red").get(at("battle_frames", posted, "blue")).status_code == 404


def test_the_last_step_is_the_result(posted, as_):
    table = last_table(watched(as_("referee"), posted))
    result = engine.read_result(posted.latest_result().document)
    steps = {"fit": 2, "reduced": 1}
    left = {
        fate.element: 1 if fate.type == "toy-gun" else steps[fate.after]
        for fate in result.elements
        if fate.after != engine.ELIMINATED and not fate.became
    }
    assert {name: piece["steps"] for name, piece in table.items()} == left


@pytest.mark.parametrize("who", ["referee", "red", "blue", "spectator"])
def test_page_and_steps_tell_the_same_lines_and_the_report_too(who, cast, posted, as_):
    page = as_(who).get(at("battle_replay", posted))
    shown = [row["line"].text for row in page.context["lines"]]
    film = watched(as_(who), posted)
    assert [step["text"] for step in film["frames"] if "text" in step] == shown
    report = as_(who).get(at("battle_report", posted) + "?show=all")
    assert [line.text for line in report.context["lines"]] == shown
    assert page.content.decode().count('<li id="line-') == len(shown)
