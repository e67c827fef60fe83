"""A line of sight asked under a replay: who may ask, what it says, and of the ground alone."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import engine
from campaigns.models import Role, Unit
from campaigns.operations import members
from tests.campaign.conftest import person
from tests.campaign.test_road_to_bastogne import Club

HTMX = {"HX-Request": "true"}
HILL = {
    "key": "hill",
    "title": "A hill, then a house of two storeys",
    "grid": ["..", "..", "w.", "..", "l.", ".."],
    "levels": ["20", "10", "00", "00", "10", "00"],
    "legend": {".": "open", "w": "woods", "l": "light structure"},
}


@pytest.fixture
def club(db, sent, known_dice):
    return Club("sight")


@pytest.fixture
def battle(club):
    made = club.resolved()
    club.post(made)
    return made


@pytest.fixture
def as_(club):
    """A browser: the referee's, a side's commander's or a stranger's."""

    def client(who):
        browser = Client()
        if who == "referee":
            browser.force_login(club.referee.user)
        elif who != "anonymous":
            invited = members.invite(seat=club.organiser, role=Role.COMMANDER, side_key=who)
            browser.force_login(
                members.accept(user=person(f"{who} player"), token=invited.token).user
            )
        return browser

    return client


def ask(client, battle, start, end, **more):
    address = reverse("battle_replay", args=[battle.campaign.slug, battle.uid])
    return client.get(address, {"from": start, "to": end}, **more)


def ground_of(battle):
    return json.loads(battle.terms.document)["ground"]


def test_the_answer_is_the_engines_with_its_rules_and_drawn(battle, as_):
    told = engine.sight("ost", ground_of(battle), "M4", "W12")
    page = ask(as_("referee"), battle, "M4", "W12")
    text = page.content.decode()
    assert page.status_code == 200
    assert told.text in text
    assert all(rule in text for rule in told.rules)
    assert all(step in text for step in (s[:1].upper() + s[1:] for s in told.steps))
    assert text.count('<g class="sight blocked">') == 2, "on the map, and for the script"
    assert text.count(">blocked</text>") == 2, "the verdict alone; the sentence stands below"
    met = page.context["sight"].drawing.met
    assert met.count("z") == len(told.places) > 2


@pytest.mark.parametrize(
    ("start", "end", "verdict"), [("M4", "W12", "blocked"), ("E1", "E4", "clear")]
)
def test_htmx_gets_the_answer_alone_and_the_address_gives_the_page(
    start, end, verdict, battle, as_
):
    client = as_("referee")
    part = ask(client, battle, start, end, headers=HTMX)
    assert "<html" not in part.content.decode()
    assert f"{start} to {end}: {verdict}" in part.content.decode()
    assert "HX-Request" in part["Vary"]
    assert part["X-Robots-Tag"] == "noindex"
    page = ask(client, battle, start.lower(), f" {end} ").content.decode()
    assert f'value="{start}"' in page
    assert f"{start} to {end}: {verdict}" in page


def test_the_same_both_ways(battle, as_):
    client = as_("referee")
    for start, end in (("M4", "W12"), ("N10", "R3"), ("A1", "C9")):
        one = ask(client, battle, start, end).context["sight"]
        two = ask(client, battle, end, start).context["sight"]
        assert one.verdict == two.verdict
        assert set(one.answer.places) == set(two.answer.places)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ("Z99", "A1", 'From: "Z99" is off the map, which runs from A1 to'),
        ("A1", "Z99", 'To: "Z99" is off the map, which runs from A1 to'),
        ("A1", "A1", "From and To: two different hexes are needed"),
        ("17", "A1", 'From: "17" is not a hex; write a column and a row'),
        ("", "A1", "From: no hex is named"),
        ("A1", "", "To: no hex is named"),
        ("A" * 5000, "A1", "From: that is not a hex"),
        ("<b>", "A1", "&lt;B&gt;"),
    ],
)
def test_what_is_no_line_is_refused_in_words(start, end, said, battle, as_):
    client = as_("referee")
    page, part = (ask(client, battle, start, end, **more) for more in ({}, {"headers": HTMX}))
    assert (page.status_code, part.status_code) == (409, 200)
    for answer in (page, part):
        text = answer.content.decode().replace("&quot;", '"')
        assert said in text
        assert 'role="alert"' in text
        assert '<g class="sight' not in text


def test_only_who_may_watch_the_replay_may_ask(club, as_):
    battle = club.resolved()
    commander = as_("allies")
    assert ask(as_("referee"), battle, "A1", "A4").status_code == 200
    for more in ({}, {"headers": HTMX}):
        assert ask(commander, battle, "A1", "A4", **more).status_code == 404
        assert ask(as_("anonymous"), battle, "A1", "A4", **more).status_code == 404
    club.post(battle)
    assert ask(commander, battle, "A1", "A4").status_code == 200
    assert ask(as_("anonymous"), battle, "A1", "A4").status_code == 404


def test_every_reader_gets_the_same_answer_and_it_names_nobody(club, battle, as_):
    club.campaign.options["public"] = True
    club.campaign.save()
    names = {unit.name for unit in Unit.objects.filter(campaign=club.campaign)}
    uids = {unit.uid for unit in Unit.objects.filter(campaign=club.campaign)}
    readers = [as_(who) for who in ("referee", "allies", "axis", "anonymous")]
    for start, end in (("M4", "W12"), ("N11", "P11"), ("L12", "U3")):
        told = {ask(client, battle, start, end, headers=HTMX).content for client in readers}
        assert len(told) == 1
        (text,) = (answer.decode() for answer in told)
        assert not [secret for secret in names | uids if secret in text]


def test_over_levels_it_says_what_is_seen_over_and_which_hex_is_blind(battle, as_):
    document = json.loads(battle.terms.document)
    document["ground"] = HILL
    battle.terms.document = json.dumps(document)
    battle.terms.save()
    client = as_("referee")
    for end, verdict in (("A4", "blocked"), ("A5", "clear"), ("A6", "blocked")):
        told = engine.sight("ost", HILL, "A1", end)
        page = ask(client, battle, "A1", end)
        sight = page.context["sight"]
        assert (sight.answer, sight.verdict) == (told, verdict)
        assert bool(sight.drawing.met) == (verdict == "blocked")
    text = ask(client, battle, "A1", "A6").content.decode()
    assert "seen over, but A6 directly behind it is blind" in text
    assert "seen over; A4 behind it is blind" in text
    assert "12.6.1" in text


def test_a_map_under_a_preview_keeps_the_preview(battle, as_):
    address = reverse("battle_replay", args=[battle.campaign.slug, battle.uid])
    page = as_("referee").get(address, {"as": "axis", "from": "A1", "to": "A4"}).content.decode()
    form = re.search(r"<form[^>]*data-sight>.*?</form>", page, re.S)[0]
    assert '<input type="hidden" name="as" value="axis">' in form
