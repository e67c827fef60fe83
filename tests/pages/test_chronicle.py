"""The chronicle: what was published, in order, the same for everybody, and nothing else."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from campaigns.operations import battle_postings, battles, turns
from campaigns.reports import aar, chronicle
from campaigns.reports.battle import result_form
from tests.campaign.conftest import SECRETS
from tests.pages.conftest import EVERYBODY

MEMBERS = {"organiser", "referee", "red", "blue", "red_player", "spectator"}


def told(client, cast):
    answer = client.get(reverse("chronicle", args=[cast.campaign.slug]))
    assert answer.status_code == 200
    return answer


def story(answer):
    """The story itself, without the bars around it and the links that keep a preview going."""
    return re.search(r"<article.*?</article>", answer.content.decode(), re.S)[0]


@pytest.fixture
def public(cast):
    cast.campaign.options["public"] = True
    cast.campaign.save()
    return cast


def test_it_is_there_for_members_and_where_it_is_open_for_anybody(cast, as_):
    page = reverse("chronicle", args=[cast.campaign.slug])
    for is_public, expected in ((False, MEMBERS), (True, set(EVERYBODY))):
        cast.campaign.options["public"] = is_public
        cast.campaign.save()
        answers = {who: as_(who).get(page) for who in EVERYBODY}
        assert {who for who, a in answers.items() if a.status_code == 200} == expected
        assert all(a.status_code == 404 for who, a in answers.items() if who not in expected)
        assert all(answers[who]["X-Robots-Tag"] == "noindex" for who in expected)


def test_nothing_is_told_of_a_battle_before_it_is_posted(public, as_):
    battle = public.resolved()
    for who in EVERYBODY:
        answer = told(as_(who), public)
        assert answer.context["report"].steps == ()
        assert battle.title not in story(answer)
        assert "Nothing has been published yet" in story(answer)


def test_it_tells_everybody_the_same_and_no_secret_of_either_side(public, as_, monkeypatch):
    monkeypatch.setattr(chronicle, "TURNING_POINT", 0)
    monkeypatch.setattr(chronicle, "MOMENTS", 1000)
    battle, _ = public.posted()
    stories = {who: story(told(as_(who), public)) for who in EVERYBODY}
    assert len(set(stories.values())) == 1
    text = stories["referee"]
    assert battle.title in text
    for secret in SECRETS:
        assert secret not in text
    for unit in public.campaign.units.all():
        assert unit.name not in text
        assert unit.uid not in text


def test_a_chapter_is_the_report_the_public_reads(public, as_):
    battle, _ = public.posted()
    report = as_("anonymous").get(reverse("battle_report", args=[public.campaign.slug, battle.uid]))
    (step,) = told(as_("anonymous"), public).context["report"].steps
    (chapter,) = step.chapters
    read = report.context["report"]
    assert (chapter.report.winner, chapter.report.how) == (read.winner, read.how)
    assert chapter.report.lines == read.lines
    assert {(s.side, s.victory) for s in chapter.scored} == {
        (side, sum(p.quantity for p in read.points if (p.side, p.what) == (side, "victory")))
        for side in ("red", "blue")
    }


def test_its_links_lead_every_reader_to_report_and_replay(public, as_):
    public.posted()
    for who in EVERYBODY:
        client = as_(who)
        links = re.findall(r'href="(/c/[^"]+)"', story(told(client, public)))
        assert [link.split("/")[-2] for link in links] == ["report", "replay"]
        assert {client.get(link).status_code for link in links} == {200}


def test_a_battle_of_the_table_is_told_without_a_replay(public, as_):
    battle = public.locked()
    battles.play_at_table(seat=public.referee, battle_id=battle.uid)
    form = result_form(public.referee, battle.uid)
    form["ending"] = {"kind": "win", "how": "by nightfall", "winner": "red"}
    battles.enter_result(seat=public.referee, battle_id=battle.uid, document=form)
    public.post(battle)
    text = story(told(as_("anonymous"), public))
    assert "played at the table" in text
    assert "By nightfall." in text
    assert "Watch the replay" not in text


def test_turns_follow_each_other_and_what_was_reversed_is_struck_through(public, as_):
    public.posted()
    turns.open_next(seat=public.referee)
    second = public.resolved()
    public.post(second)
    steps = told(as_("anonymous"), public).context["report"].steps
    assert [(step.number, len(step.chapters)) for step in steps] == [(1, 1), (2, 1)]
    assert not any(chapter.reversed for step in steps for chapter in step.chapters)
    battle_postings.reverse_battle(
        seat=public.referee, battle_id=second.uid, reason="azuresecret was in the wrong place."
    )
    answer = told(as_("anonymous"), public)
    assert [c.reversed for s in answer.context["report"].steps for c in s.chapters] == [False, True]
    assert "The referee has undone what follows" in story(answer)
    assert "azuresecret" not in answer.content.decode(), "the reason is not the public's"


def test_the_most_telling_moments_are_told_and_how_many_more_there_are(public, as_, monkeypatch):
    battle, _ = public.posted()
    monkeypatch.setattr(chronicle, "TURNING_POINT", 1)
    monkeypatch.setattr(chronicle, "MOMENTS", 3)
    answer = told(as_("anonymous"), public)
    (chapter,) = answer.context["report"].steps[0].chapters
    reader = as_("anonymous").get(reverse("battle_report", args=[public.campaign.slug, battle.uid]))
    weighty = [line.text for line in reader.context["report"].lines[:-1] if line.weight]
    assert list(chapter.moments) == weighty[:3]
    assert chapter.more == len(weighty) - 3 > 0
    assert f"and {chapter.more} more turning points" in story(answer)


def test_a_stranger_is_led_to_open_campaigns_and_to_no_other(cast, as_):
    for who in ("anonymous", "stranger"):
        home = as_(who).get("/").content.decode()
        assert reverse("chronicles") in home
        assert cast.campaign.title not in as_(who).get(reverse("chronicles")).content.decode()
    cast.campaign.options["public"] = True
    cast.campaign.save()
    address = reverse("chronicle", args=[cast.campaign.slug])
    for who in EVERYBODY:
        answer = as_(who).get(reverse("chronicles"))
        assert answer["X-Robots-Tag"] == "noindex"
        assert '<meta name="robots" content="noindex">' in answer.content.decode()
        assert f'href="{address}"' in answer.content.decode()


def test_the_address_of_an_open_campaign_tells_a_stranger_its_chronicle(public, as_):
    public.posted()
    front = as_("anonymous").get(reverse("campaign", args=[public.campaign.slug]))
    assert story(front) == story(told(as_("anonymous"), public))


def test_stored_reports_are_fetched_for_all_battles_at_once(public, django_assert_num_queries):
    battle, _ = public.posted()
    from campaigns.projection import public_viewer

    with django_assert_num_queries(1):
        found = aar.published(public_viewer(public.campaign), [battle])
    assert found[battle.pk].audience == "public"
