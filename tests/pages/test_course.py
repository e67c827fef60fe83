"""A corrected result unplays nothing: the pages say where it would have led, and where it went."""

from __future__ import annotations

import html

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import engine
from campaigns.forms.result import ResultForm, prefilled
from campaigns.models import Role
from campaigns.operations import battle_postings, battles, corrections, members, turns
from tests.campaign.conftest import person
from tests.campaign.test_eastern_front import EASTERN
from tests.campaign.test_road_to_bastogne import Club

pytestmark = pytest.mark.django_db

WOULD = (
    "As corrected (Germans win) the battle would have led to The bridge at Borisov. The ladder went"
    " on to The crossroads at Senno in turn 2; the fights played since stand, nothing is unplayed."
)
STANDS = (
    "Bridge over the Bug now stands as Germans win, which leads to The bridge at Borisov. When turn"
    " 2 was opened it stood as Soviets win, which led to The crossroads at Senno. The fights played"
    " since stand."
)


@pytest.fixture
def club():
    made = Club("course", EASTERN)
    made.people = {"referee": made.referee.user}
    for name, role, side in (
        ("german", Role.COMMANDER, "german"),
        ("spectator", Role.SPECTATOR, ""),
    ):
        more = {"side_key": side} if side else {}
        invited = members.invite(seat=made.organiser, role=role, **more)
        made.people[name] = person(f"course {name}")
        members.accept(user=made.people[name], token=invited.token)
    return made


def scenario_of(battle):
    return engine.read_scenario("ost", battles.current_snapshot(battle).document)


def won(club, winner):
    """The battle of this turn, played at the table and posted; nobody lost anything."""
    battle = club.locked()
    battles.play_at_table(seat=club.referee, battle_id=battle.uid)
    document = ResultForm(scenario_of(battle), {"winner": winner}).document()
    battles.enter_result(seat=club.referee, battle_id=battle.uid, document=document)
    club.post(battle)
    return battle


def as_won(club, battle, winner):
    document = battles.result_of(seat=club.referee, battle_id=battle.uid)
    kind = {"kind": "win" if winner else "draw", "winner": winner}
    return {**document, "ending": {**document["ending"], **kind}}


def trial(club, battle, winner):
    return corrections.try_correction(
        seat=club.referee,
        battle_id=battle.uid,
        document=as_won(club, battle, winner),
        reason="Read wrongly.",
    )


def correct(club, battle, winner):
    corrections.correct_battle(
        seat=club.referee,
        battle_id=battle.uid,
        document=as_won(club, battle, winner),
        reason="Read wrongly.",
    )


def read(club, who, name, *rest):
    client = Client()
    client.force_login(club.people[who])
    page = client.get(reverse(name, args=(club.campaign.slug, *rest)))
    return " ".join(html.unescape(page.content.decode()).split())


@pytest.fixture
def bug(club):
    """Lost by the Germans, so that Borisov was passed by; two turns have been opened since."""
    battle = won(club, "soviet")
    turns.open_next(seat=club.referee)
    won(club, "german")
    turns.open_next(seat=club.referee)
    return battle


def test_before_the_next_turn_the_preview_says_where_the_ladder_will_lead(club):
    battle = won(club, "soviet")
    told = "The ladder will lead to The bridge at Borisov, no longer to The crossroads at Senno."
    assert told in trial(club, battle, "german").warnings
    assert not any("ladder" in line for line in trial(club, battle, "soviet").warnings)


def test_the_preview_says_where_the_corrected_result_would_have_led(club, bug):
    assert trial(club, bug, "german").warnings[0] == WOULD
    assert WOULD not in trial(club, bug, "soviet").warnings
    client = Client()
    client.force_login(club.referee.user)
    fields = prefilled(scenario_of(bug), as_won(club, bug, "german")) | {"reason": "Read wrongly."}
    address = reverse("battle_correct", args=(club.campaign.slug, bug.uid))
    page = html.unescape(client.post(address, fields).content.decode())
    worth, _, depends = page.partition("What depends on it")
    assert WOULD in worth.partition("Worth a look")[2]
    assert "The ladder went on from its result: turn 2, The crossroads at Senno." in depends


def test_the_campaign_page_says_it_afterwards_to_everybody(club, bug):
    for who in club.people:
        page = read(club, who, "campaign")
        assert "passed by" in page
        assert "the result then stood" not in page
        assert "The ladder went another way" not in page
    correct(club, bug, "german")
    for who in club.people:
        page = read(club, who, "campaign")
        assert STANDS in page, who
        assert "passed by: the result then stood as Soviets win" in page
        assert "passed by: the result then stood" in read(club, who, "rung", "borisov")
        assert "It can be read, and is not fought" in read(club, who, "rung", "borisov")
    assert [turn.rung for turn in club.campaign.turns.all()] == ["bug", "senno", "yelnya"]


def test_corrected_back_there_is_nothing_to_explain(club, bug):
    correct(club, bug, "german")
    told = (
        "As corrected (Soviets win) the battle leads to The crossroads at Senno, as it did go on."
    )
    assert told in trial(club, bug, "soviet").warnings
    correct(club, bug, "soviet")
    assert "The ladder went another way" not in read(club, "referee", "campaign")


def test_a_reversed_battle_that_the_ladder_went_on_from_is_told_too(club, bug):
    assert "The ladder went on from its result" in read(club, "referee", "battle_reverse", bug.uid)
    battle_postings.reverse_battle(seat=club.referee, battle_id=bug.uid, reason="Never played.")
    told = "Bridge over the Bug is reversed. When turn 2 was opened it stood as Soviets win, which"
    assert told in read(club, "spectator", "campaign")


def test_an_outcome_that_leads_to_the_same_fight_says_nothing(club):
    battle = won(club, "german")
    turns.open_next(seat=club.referee)
    told = trial(club, battle, "").warnings
    assert not any("corrected" in line or "ladder" in line for line in told)
