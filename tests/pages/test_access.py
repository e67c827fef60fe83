"""Who may open which page. Foreign, hidden and unknown are all 404."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from campaigns.operations import battles
from tests.pages.conftest import EVERYBODY

MEMBERS = {"organiser", "referee", "red", "blue", "red_player", "spectator"}
STAFF = {"organiser", "referee"}
SIDED = {"red", "blue", "red_player"}
READERS = {
    "campaign": MEMBERS,
    "history": MEMBERS,
    "luck": MEMBERS,
    "chronicle": MEMBERS,
    "journal": MEMBERS,
    "posting": MEMBERS,
    "members": MEMBERS,
    "tokens": MEMBERS,
    "rung": MEMBERS,
    "battle": MEMBERS,
    "battle_report": MEMBERS,
    "battle_progress": MEMBERS,
    "oob": STAFF | SIDED,
    "oob_changes": STAFF | SIDED,
    "battle_sheet": STAFF | SIDED,
    "unit": STAFF | {"red", "red_player"},
    "roster": STAFF | {"red", "red_player"},
    "battle_forces": STAFF | {"red", "red_player"},
    "battle_reverse": STAFF,
    "battle_reveal": STAFF,
    "seat": {"organiser"},
    "settings": {"organiser"},
}


def address(name, cast, battle, posting):
    slug = cast.campaign.slug
    more = {
        "posting": [posting.uid],
        "unit": [cast.unit("r1").uid],
        "roster": ["red"],
        "rung": ["two"],
        "seat": [cast.blue.uid],
        "battle_forces": [battle.uid, "red"],
    }
    if name in more:
        return reverse(name, args=[slug, *more[name]])
    return reverse(name, args=[slug, battle.uid] if name.startswith("battle") else [slug])


@pytest.mark.parametrize("name", READERS)
def test_a_page_opens_for_those_it_is_for_and_is_not_there_for_anybody_else(name, cast, as_):
    battle, posting = cast.posted()
    page = address(name, cast, battle, posting)
    opened = {who for who in EVERYBODY if as_(who).get(page).status_code == 200}
    assert opened == READERS[name]
    assert {as_(who).get(page).status_code for who in set(EVERYBODY) - opened} <= {404}


def test_the_preview_of_a_posting_is_for_those_who_referee(cast, as_):
    battle = cast.resolved()
    page = reverse("battle_preview", args=[cast.campaign.slug, battle.uid])
    opened = {who for who in EVERYBODY if as_(who).get(page).status_code == 200}
    assert opened == STAFF


@pytest.mark.parametrize("name", ["battle_overrule", "battle_correct"])
def test_only_a_referee_is_shown_the_form_that_replaces_a_result(name, cast, as_):
    battle = cast.resolved()
    page = reverse(name, args=[cast.campaign.slug, battle.uid])
    told = {who: as_(who).get(page).status_code for who in EVERYBODY}
    assert {who for who, status in told.items() if status == 200} == STAFF
    assert told["red"] == 409
    assert told["stranger"] == told["anonymous"] == 404


def test_a_player_reports_his_own_side_and_never_reads_the_other(cast, as_):
    battle = cast.locked()
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    page = reverse("battle_result", args=[cast.campaign.slug, battle.uid])
    mine = as_("red").get(page).content.decode()
    assert "Red platoon 1" in mine
    assert "Blue platoon" not in mine
    assert as_("spectator").get(page).status_code == 409
    assert as_("stranger").get(page).status_code == 404
    assert as_("anonymous").get(page).status_code == 404


def test_a_report_is_not_there_for_a_commander_before_it_is_posted(cast, as_):
    battle = cast.resolved()
    page = reverse("battle_report", args=[cast.campaign.slug, battle.uid])
    assert as_("referee").get(page).status_code == 200
    assert as_("red").get(page).status_code == 404


def test_an_unknown_campaign_and_a_foreign_one_look_the_same(cast, as_):
    foreign = as_("stranger").get(reverse("campaign", args=[cast.campaign.slug]))
    unknown = as_("stranger").get(reverse("campaign", args=["no-such-campaign"]))
    assert foreign.status_code == unknown.status_code == 404
    said = [
        re.sub(
            r'(CSRFToken": |csrfmiddlewaretoken" value=)"[^"]*"', "", answer.content.decode()
        ).replace(slug, "")
        for answer, slug in ((foreign, cast.campaign.slug), (unknown, "no-such-campaign"))
    ]
    assert said[0] == said[1]


def test_a_public_campaign_shows_scores_and_reports_to_anyone_but_no_strengths(cast, as_):
    battle, _ = cast.posted()
    cast.campaign.options["public"] = True
    cast.campaign.save()
    slug = cast.campaign.slug
    for who in ("stranger", "anonymous"):
        assert as_(who).get(reverse("campaign", args=[slug])).status_code == 200
        for name in ("history", "luck", "chronicle"):
            assert as_(who).get(reverse(name, args=[slug])).status_code == 200
        assert as_(who).get(reverse("battle_report", args=[slug, battle.uid])).status_code == 200
        assert as_(who).get(reverse("oob", args=[slug])).status_code == 404
        assert as_(who).get(reverse("battle", args=[slug, battle.uid])).status_code == 404


def test_a_referee_looks_through_a_side_and_can_change_nothing_meanwhile(cast, as_):
    battle = cast.planned()
    page = reverse("battle", args=[cast.campaign.slug, battle.uid])
    seen = as_("referee").get(page + "?as=red").content.decode()
    assert "Preview as Red" in seen
    assert "nothing can be changed here" in seen
    assert "Blue platoon" not in seen
    lock = reverse("battle_act", args=[cast.campaign.slug, battle.uid, "lock"])
    assert as_("referee").post(lock + "?as=red").status_code == 409
    battle.refresh_from_db()
    assert battle.state == "planned"


def test_a_commander_cannot_preview_as_anybody(cast, as_):
    page = reverse("campaign", args=[cast.campaign.slug])
    assert as_("red").get(page + "?as=blue").status_code == 404


def test_the_style_page_is_for_staff(cast, as_):
    assert as_("stranger").get(reverse("style")).status_code == 404
    cast.stranger.is_staff = True
    cast.stranger.save()
    assert as_("stranger").get(reverse("style")).status_code == 200


@pytest.mark.parametrize("name", ["campaign", "oob", "battle"])
def test_campaign_pages_are_not_indexed_and_not_shared_by_caches(name, cast, as_):
    battle = cast.planned()
    args = [cast.campaign.slug, battle.uid] if name == "battle" else [cast.campaign.slug]
    answer = as_("red").get(reverse(name, args=args))
    assert answer["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in answer.content.decode()
    assert "private" in answer["Cache-Control"]
    assert "Cookie" in answer["Vary"]
    assert "HX-Request" in answer["Vary"]


def test_every_page_forbids_inline_style_and_script(cast, as_):
    policy = as_("red").get(reverse("campaign", args=[cast.campaign.slug]))
    assert "unsafe-inline" not in policy["Content-Security-Policy"]
    assert "default-src 'self'" in policy["Content-Security-Policy"]
