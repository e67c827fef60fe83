"""Small things a newcomer stumbles over: what a page says, offers and leaves out."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import BattleTerms, Invitation, Role
from campaigns.operations import battle_postings, battles, members
from campaigns.reports.battle import result_form as form_of
from tests.campaign.conftest import person
from tests.campaign.test_road_to_bastogne import Club

pytestmark = pytest.mark.django_db


def at(name, cast, *rest):
    return reverse(name, args=[cast.campaign.slug, *rest])


def read(client, address):
    return " ".join(client.get(address).content.decode().split())


# --- the head start ---------------------------------------------------------------------------


def test_a_head_start_reads_as_a_part_of_the_score_never_as_one_more_sum(cast, as_):
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    document["points"] = [
        {"side": "red", "what": "victory", "why": "head start", "quantity": 8},
        {"side": "red", "what": "victory", "why": "enemy losses", "quantity": 5},
    ]
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="as it was")
    cast.post(battle)
    for name in ("campaign", "history", "chronicle"):
        text = read(as_("referee"), at(name, cast))
        assert "of which 8 head start" in text
        assert "+8 head start" not in text


# --- the form of a battle that is over --------------------------------------------------------


def test_the_form_of_a_posted_battle_says_so_and_how_to_correct_it(cast, as_):
    battle, _ = cast.posted()
    text = read(as_("referee"), at("battle_result", cast, battle.uid))
    assert "The battle is posted" in text
    assert at("battle_correct", cast, battle.uid) in text
    assert 'name="winner"' not in text
    theirs = read(as_("red"), at("battle_result", cast, battle.uid))
    assert "The battle is posted" in theirs
    assert "Tell the referee" in theirs
    assert at("battle_correct", cast, battle.uid) not in theirs


def test_the_form_of_a_reported_battle_leads_to_posting_and_a_reversed_one_nowhere(cast, as_):
    battle = cast.resolved()
    text = read(as_("referee"), at("battle_result", cast, battle.uid))
    assert "A result is reported" in text
    assert at("battle_preview", cast, battle.uid) in text
    posting = cast.post(battle)
    battle_postings.reverse_posting(seat=cast.referee, posting_id=posting.uid, reason="no")
    text = read(as_("referee"), at("battle_result", cast, battle.uid))
    assert "The battle is reversed" in text
    assert "Correct a figure" not in text


# --- members ----------------------------------------------------------------------------------


def test_the_link_that_is_offered_first_can_be_made(cast, as_):
    client = as_("organiser")
    form = client.get(at("members", cast)).context["form"]
    sent = {"act": "invite", "note": ""}
    for name in ("role", "side_key"):
        shown = str(form[name])
        chosen = [part for part in shown.split("<option")[1:] if "selected" in part]
        first = (chosen or shown.split("<option")[1:])[0]
        sent[name] = first.partition('value="')[2].partition('"')[0]
    before = Invitation.objects.count()
    assert client.post(at("members", cast), sent).status_code == 302
    assert Invitation.objects.count() == before + 1


def test_the_side_that_has_no_commander_is_offered_first(cast, as_):
    members.remove(seat=cast.organiser, seat_id=cast.blue.uid)
    form = as_("organiser").get(at("members", cast)).context["form"]
    assert form["side_key"].initial == "blue"


# --- the battle sheet and its map -------------------------------------------------------------


@pytest.fixture
def club():
    made = Club("plain")
    made.people = {"referee": made.referee.user}
    for side in ("allies", "axis"):
        invited = members.invite(seat=made.organiser, role=Role.COMMANDER, side_key=side)
        made.people[side] = person(side)
        members.accept(user=made.people[side], token=invited.token)
    return made


def sheet_of(club, battle, who="referee"):
    client = Client()
    client.force_login(club.people[who])
    return read(client, at("battle_sheet", club, battle.uid))


def test_the_code_of_the_result_form_is_printed_once_there_is_something_to_report(club):
    battle = battles.plan_battle(seat=club.referee)
    assert "QR code of the result form" not in sheet_of(club, battle)
    battles.lock_forces(seat=club.referee, battle_id=battle.uid)
    assert "QR code of the result form" in sheet_of(club, battle)


def test_what_a_side_starts_behind_reads_as_the_head_start_of_the_other(club):
    battle = battles.plan_battle(seat=club.referee)
    first, second = (s["name"] for s in json.loads(battle.terms.document)["sides"])
    document = json.loads(battle.terms.document)
    document["victory"]["handicap"] = -3
    BattleTerms.objects.filter(pk=battle.terms_id).update(document=json.dumps(document))
    assert f"Head start: {first}</dt><dd>3" in sheet_of(club, battle)
    assert f"ead start: {second}" not in sheet_of(club, battle)
    battles.lock_forces(seat=club.referee, battle_id=battle.uid)
    battles.play_at_table(seat=club.referee, battle_id=battle.uid)
    told = form_of(club.referee, battle.uid)
    second_key = document["sides"][1]["key"]
    start = {"side": second_key, "what": "victory", "why": "head start", "quantity": -3}
    battles.enter_result(
        seat=club.referee, battle_id=battle.uid, document={**told, "points": [start]}
    )
    client = Client()
    client.force_login(club.people["referee"])
    assert "the other side&#x27;s head start" in read(
        client, at("battle_preview", club, battle.uid)
    )
    club.post(battle)
    for name in ("battle_report", "chronicle"):
        rest = [battle.uid] if name == "battle_report" else []
        assert "the other side&#x27;s head start" in read(client, at(name, club, *rest)), name
    for name in ("campaign", "history", "chronicle"):
        assert "3 less, the other side&#x27;s head start" in read(client, at(name, club)), name


def test_the_sheet_says_what_is_played_and_not_what_is_not(club):
    battle = battles.plan_battle(seat=club.referee)
    text = sheet_of(club, battle)
    assert "<dd>no" not in text
    terms = BattleTerms.objects.get(pk=battle.terms_id)
    document = json.loads(terms.document)
    document["options"] |= {"duel_without_bonus": True, "extended_play": False}
    document["victory"]["handicap"] = 0
    BattleTerms.objects.filter(pk=terms.pk).update(document=json.dumps(document))
    text = sheet_of(club, battle)
    assert "Duel without bonus</dt><dd>yes" in text
    assert "Extended play</dt><dd>no" in text
    assert "ead start" not in text


def test_where_a_side_may_leave_looks_other_than_where_it_sets_up(club):
    battle = battles.plan_battle(seat=club.referee)
    terms = BattleTerms.objects.get(pk=battle.terms_id)
    document = json.loads(terms.document)
    axis = next(t for t in document["terms"] if t["side"] == "axis")
    axis["exits"] = [{"hexes": "A1:A5", "points": 2}]
    BattleTerms.objects.filter(pk=terms.pk).update(document=json.dumps(document))
    client = Client()
    client.force_login(club.people["axis"])
    text = read(client, at("battle", club, battle.uid))
    legend = text.partition('class="legend"')[2].split("<li>")
    swatches = [part for part in legend if "zone" in part]
    looks = {
        part.rpartition("</svg>")[2].partition("<")[0]: part.partition('class="zone ')[2][:5]
        for part in swatches
    }
    leave = next(look for words, look in looks.items() if "may leave" in words)
    sets_up = next(look for words, look in looks.items() if "set-up" in words)
    assert leave == "exit "
    assert leave != sets_up
