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
from campaigns.projection import audiences
from campaigns.reports import replay
from tests.campaign.conftest import person
from tests.campaign.test_road_to_bastogne import Club

SEEN = ("smoke", "wreck", "roadblock", "rubble")
"""Marks that a line of sight takes account of."""
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


# --- what lies on the table -------------------------------------------------------------------


def clear_line(battle):
    """Two hexes of the map that see each other over the ground, and one between them."""
    ground = ground_of(battle)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for row in range(1, len(ground["grid"]) - 3):
        for column in letters[: len(ground["grid"][0])]:
            start, between, end = (f"{column}{row + step}" for step in (0, 1, 2))
            if engine.sight("ost", ground, start, end).value == 0:
                return start, between, end
    raise AssertionError("no clear line on the map")


@pytest.mark.parametrize(
    ("mark", "rule"), [("smoke", "13.9.5"), ("wreck", "13.10.1"), ("roadblock", "13.7.7")]
)
def test_what_lies_between_dims_the_line(battle, mark, rule):
    start, between, end = clear_line(battle)
    answer = engine.sight("ost", ground_of(battle), start, end, {mark: [between]})
    assert (answer.value, rule in answer.rules) == (1, True)
    aside = engine.sight("ost", ground_of(battle), start, end, {mark: ["A1"], "mines": [between]})
    assert aside.value == 0


def test_rubble_is_a_house_that_fell(battle):
    start, between, end = clear_line(battle)
    answer = engine.sight("ost", ground_of(battle), start, end, {"rubble": [between]})
    assert answer.value
    assert "13.8.4" in answer.rules


def test_after_a_line_what_lies_there_then_is_counted(battle, as_, monkeypatch):
    start, between, end = clear_line(battle)
    asked = []

    def laid(viewer, row, line):
        asked.append(line)
        return {"smoke": [between]} if line > 3 else {}

    monkeypatch.setattr("campaigns.reports.replay.laid", laid)
    client = as_("referee")
    for line, verdict in (("", "clear"), ("3", "clear"), ("4", "degraded 1")):
        address = reverse("battle_replay", args=[battle.campaign.slug, battle.uid])
        page = client.get(address, {"from": start, "to": end, "line": line})
        assert f"{start} to {end}: {verdict}" in page.content.decode()
        assert f'name="line" value="{line}"' in page.content.decode()
    assert asked == [3, 4]


@pytest.mark.parametrize("line", ["-1", "99999", "1.5", "x", "²"])
def test_a_line_that_is_none_is_refused_in_words(line, battle, as_):
    address = reverse("battle_replay", args=[battle.campaign.slug, battle.uid])
    page = as_("referee").get(address, {"from": "A1", "to": "A3", "line": line})
    assert page.status_code == 409
    assert "After line: a number from 0 to" in page.content.decode()


@pytest.mark.parametrize("who", ["allies", "axis"])
def test_nobody_learns_of_more_than_his_replay_shows(who, battle, as_):
    """What is counted for a side after any line is what its own replay shows on the table then,
    and it may name no line that it was not told."""
    client = as_(who)
    address = reverse("battle_replay", args=[battle.campaign.slug, battle.uid])
    page = client.get(address)
    row = page.context["battle"]
    viewer = next(v for v in audiences(row.campaign) if v.side_key == who)
    told = len(page.context["lines"])
    frames = client.get(reverse("battle_frames", args=[row.campaign.slug, row.uid])).json()
    shown = {
        (mark, facts["hex"])
        for _, facts in [*frames["first"], *(p for f in frames["frames"] for p in f.get("put", ()))]
        for mark in facts.get("marks", ())
        if facts.get("hex")
    }
    for line in range(0, told + 1, 40):
        lying = replay.laid(viewer, row, line)
        assert {(mark, h) for mark in SEEN for h in lying.get(mark, ())} <= shown
    refused = client.get(address, {"from": "A1", "to": "A3", "line": str(told + 1)})
    assert refused.status_code == 409


def test_what_lies_there_is_of_the_line_and_not_of_the_end(battle):
    viewer = audiences(battle.campaign)[0]
    lines = len(replay.lines(viewer, battle))
    first, last = (replay.laid(viewer, battle, number) for number in (0, lines))
    assert first["control"] == last["control"] != []
    assert first != last, "nothing was left on the table by a whole battle"
