"""Fights of the ladder that nobody has reached: read as the pack has them, by each as far as his
own side may know."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import BattleTerms, Role
from campaigns.operations import battles, members
from tests.campaign.conftest import person
from tests.campaign.test_eastern_front import EASTERN
from tests.campaign.test_road_to_bastogne import Club
from tests.pages.test_leaks import HIDDEN, crawl, secrets_of

pytestmark = pytest.mark.django_db

SIDES = ("german", "soviet")
AHEAD = ("borisov", "senno", "yelnya", "mtsensk", "snow")
T34S = "comes on in turn 4, at BB6:BB10"


@pytest.fixture
def club():
    made = Club("ahead", EASTERN)
    made.people = {"referee": made.referee.user, "stranger": person("stranger")}
    for side in SIDES:
        invited = members.invite(seat=made.organiser, role=Role.COMMANDER, side_key=side)
        made.people[side] = person(side)
        members.accept(user=made.people[side], token=invited.token)
    invited = members.invite(seat=made.organiser, role=Role.SPECTATOR)
    made.people["spectator"] = person("spectator")
    members.accept(user=made.people["spectator"], token=invited.token)
    return made


def rung_page(club, rung):
    return reverse("rung", args=[club.campaign.slug, rung])


def answer(club, who, address):
    client = Client()
    client.force_login(club.people[who])
    return client.get(address)


def read(club, who, rung, preview=""):
    told = answer(club, who, rung_page(club, rung) + (f"?as={preview}" if preview else ""))
    assert told.status_code == 200
    return told.content.decode()


def document_of(club, rung):
    scenario = next(r["scenario"] for r in club.campaign.ladder if r["key"] == rung)
    return json.loads(club.campaign.terms.get(key=scenario).document)


def own_to(club, rung, side):
    """What of a scenario a side and the referee alone may read, as a page would say it."""
    document = document_of(club, rung)
    force = next(f for f in document["forces"] if f["side"] == side)
    here = {unit["id"] for unit in force["units"]}
    terms = next(t for t in document["terms"] if t["side"] == side)
    coming = [a["at"] for a in document.get("arrivals", ()) if here & set(a["units"])]
    names = [unit["name"] for unit in force["units"]]
    return {*names, *coming, terms["zone"]}


@pytest.mark.parametrize("who", ["referee", *SIDES, "spectator"])
def test_the_ladder_leads_to_every_fight_that_is_not_reached(who, club):
    ladder = answer(club, who, reverse("campaign", args=[club.campaign.slug])).content.decode()
    for rung in AHEAD:
        assert f'href="{rung_page(club, rung)}"' in ladder
        told = read(club, who, rung)
        document = document_of(club, rung)
        assert document["title"] in told
        assert {p["name"] for p in document.get("control", ()) if p["name"] not in told} == set()
        assert 'class="map"' in told


@pytest.mark.parametrize("rung", AHEAD)
def test_each_side_reads_its_own_part_of_a_fight_ahead_and_nothing_of_the_others(rung, club):
    for side, other in (SIDES, SIDES[::-1]):
        own, theirs = own_to(club, rung, side), own_to(club, rung, other)
        assert own
        assert not own & theirs
        for told in (read(club, side, rung), read(club, "referee", rung, side)):
            assert {words for words in own if words not in told} == set()
            assert {words for words in theirs if words in told} == set()
            assert "What they bring is theirs to know." in told
    for told in (read(club, "spectator", rung), read(club, "referee", rung, "public")):
        for side in SIDES:
            assert {words for words in own_to(club, rung, side) if words in told} == set()
    told = read(club, "referee", rung)
    for side in SIDES:
        assert {words for words in own_to(club, rung, side) if words not in told} == set()


def test_reinforcements_and_drafts_are_their_own_sides_to_know(club):
    assert T34S in read(club, "soviet", "borisov")
    assert T34S in read(club, "referee", "borisov")
    assert "come on from turn" in read(club, "soviet", "borisov")
    draft = "1 × T-34"
    assert draft in read(club, "soviet", "yelnya")
    for reader in ("german", "spectator"):
        assert "comes on in turn" not in read(club, reader, "borisov")
        assert "come on from turn" not in read(club, reader, "borisov")
        assert draft not in read(club, reader, "yelnya")
    assert "Before this fight come" in read(club, "german", "yelnya")
    assert "Before this fight come" not in read(club, "spectator", "yelnya")


def test_no_briefing_says_what_of_a_side_is_hidden_or_still_to_come(club):
    for rung in AHEAD:
        told = document_of(club, rung)["notes"].lower()
        assert not [word for word in ("t-34", "kv", "come on", "later", "woods") if word in told]


def test_works_guns_flights_and_exits_ahead_are_their_own_sides_to_know(club):
    terms = BattleTerms.objects.get(campaign=club.campaign, key="senno")
    document = json.loads(terms.document)
    mine = next(t for t in document["terms"] if t["side"] == "german")
    bunker = {"kind": "bunker", "hexes": "K9", "hidden": True}
    mine["works"] = [{"kind": "mines", "hexes": "K7, K8"}, bunker]
    mine["artillery"] = [{"kind": "rockets", "missions": 2}]
    mine["air_strikes"] = 1
    mine["exits"] = [{"hexes": "A2:A4", "points": 3}]
    unit = next(f for f in document["forces"] if f["side"] == "german")["units"][0]["id"]
    plane = {"kind": "glider", "at": "Q9:R9", "units": [unit]}
    mine["airborne"] = [{"turn": 3, "aircraft": [plane]}]
    BattleTerms.objects.filter(pk=terms.pk).update(document=json.dumps(document))
    secrets = (
        "mines in K7, K8",
        "bunker in K9, hidden",
        "rockets, missions: 2",
        "may leave the map",
        "A2:A4, points a unit: 3",
        "a glider in Q9:R9 with",
        ">mi</text>",
        "air strikes",
    )
    for reader in ("german", "referee"):
        told = read(club, reader, "senno")
        assert {words for words in secrets if words.lower() not in told.lower()} == set()
    for reader in ("soviet", "spectator"):
        told = read(club, reader, "senno").lower()
        assert {words for words in secrets if words.lower() in told} == set()
        assert not [word for word in ("laid", "rockets", "glider", "q9:r9") if word in told]


@pytest.mark.parametrize("who", HIDDEN)
def test_no_secret_of_another_side_is_read_before_anything_is_planned(who, cast, as_):
    cast.campaign.options["public"] = True
    cast.campaign.save()
    start = f"/c/{cast.campaign.slug}/"
    everything = crawl(as_("referee"), start)
    assert {f"{start}ladder/one/", f"{start}ladder/two/"} <= set(everything)
    pages = crawl(as_(who), start, *everything)
    for side in HIDDEN[who]:
        for secret in secrets_of(cast, side):
            leaks = [at for at, text in pages.items() if secret in text.replace(at, "")]
            assert not leaks, f"{who} reads {secret} at {leaks[:3]}"


def test_a_fight_ahead_has_no_button_and_takes_nothing(club):
    told = read(club, "referee", "borisov").partition("<main")[2].partition("</main>")[0]
    assert not [tag for tag in ("<form", "<button", "<input") if tag in told]
    client = Client()
    client.force_login(club.people["referee"])
    assert client.post(rung_page(club, "borisov")).status_code == 405


def test_it_says_what_it_comes_after_and_leads_to(club):
    told = read(club, "spectator", "senno")
    assert "Bridge over the Bug: Soviets win" in told
    assert "The bridge at Borisov: Germans win or a draw" in told
    assert "The road to Mtsensk: Soviets win" in told
    assert "The end: whoever wins" in read(club, "spectator", "snow")


def test_a_fight_that_the_ladder_went_past_can_still_be_read(club):
    club.campaign.turns.update(rung="senno")
    told = read(club, "german", "borisov")
    assert "The ladder has gone past this fight" in told
    assert "No battle is planned" not in told
    assert "A fight of the ladder · turn 1" in read(club, "german", "senno")


def test_once_a_battle_is_planned_the_address_leads_to_its_page(club):
    assert "No battle is planned of this fight yet" in read(club, "german", "bug")
    battle = battles.plan_battle(seat=club.referee)
    there = reverse("battle", args=[club.campaign.slug, battle.uid])
    moved = answer(club, "referee", rung_page(club, "bug") + "?as=german")
    assert (moved.status_code, moved["Location"]) == (302, f"{there}?as=german")
    battles.cancel_battle(seat=club.referee, battle_id=battle.uid)
    assert "No battle is planned of this fight yet" in read(club, "german", "bug")


def test_there_is_no_page_of_a_rung_that_is_not_there_or_for_who_has_no_seat(club):
    assert answer(club, "referee", rung_page(club, "moscow")).status_code == 404
    assert answer(club, "german", rung_page(club, "bug-bridge")).status_code == 404
    club.campaign.options["public"] = True
    club.campaign.save()
    assert answer(club, "stranger", rung_page(club, "senno")).status_code == 404
    assert Client().get(rung_page(club, "senno")).status_code == 404
