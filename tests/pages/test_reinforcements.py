"""Reinforcements on the pages of a battle: their side knows when they come, nobody else does."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import muster
from campaigns.models import Role
from campaigns.operations import adjustments, battles, detachments, members
from campaigns.refusals import Refused
from tests.campaign.conftest import person
from tests.campaign.test_road_to_bastogne import Club

pytestmark = pytest.mark.django_db

PANZERS = "comes on in turn 2, at DD5:DD9"
HELLCATS = "comes on in turn 5, at N20:P20"


@pytest.fixture
def club():
    made = Club("reinforced")
    made.people = {"referee": made.referee.user, "stranger": person("stranger")}
    for side in ("allies", "axis"):
        invited = members.invite(seat=made.organiser, role=Role.COMMANDER, side_key=side)
        made.people[side] = person(side)
        members.accept(user=made.people[side], token=invited.token)
    return made


def read(club, who, *addresses):
    client = Client()
    client.force_login(club.people[who])
    return "".join(client.get(address).content.decode() for address in addresses)


@pytest.mark.parametrize("locked", [False, True])
def test_each_side_reads_of_its_own_reinforcements(club, locked):
    battle = club.locked() if locked else battles.plan_battle(seat=club.referee)
    slug = club.campaign.slug
    pages = [
        reverse("battle", args=(slug, battle.uid)),
        reverse("battle_sheet", args=(slug, battle.uid)),
    ]
    api = f"/api/v1/campaigns/{slug}/battles/{battle.uid}/"
    for address in pages:
        assert PANZERS in read(club, "axis", address)
        assert HELLCATS in read(club, "allies", address)
        assert HELLCATS in read(club, "referee", address)
        assert PANZERS in read(club, "referee", address)
    for address in (*pages, api):
        for hidden in (PANZERS, "pz3-5", "DD5:DD9", "turn 2, at"):
            assert hidden not in read(club, "allies", address)
            assert hidden not in read(club, "stranger", address)
        for hidden in (HELLCATS, "c609-1", "N20:P20"):
            assert hidden not in read(club, "axis", address)
    assert "turn 2, at DD5:DD9" in read(club, "axis", api)


def test_who_comes_marks_the_reinforcements_of_that_side(club):
    battle = battles.plan_battle(seat=club.referee)
    page = {
        side: reverse("battle_forces", args=(club.campaign.slug, battle.uid, side))
        for side in ("allies", "axis")
    }
    for who in ("axis", "referee"):
        own = read(club, who, page["axis"])
        assert own.count(PANZERS) == 1
        assert HELLCATS not in own
    assert HELLCATS in read(club, "allies", page["allies"])
    assert PANZERS not in read(club, "allies", page["axis"])


def test_the_letters_of_the_results_are_explained_under_the_report(club):
    battle = club.resolved()
    club.post(battle)
    page = reverse("battle_report", args=(club.campaign.slug, battle.uid))
    text = read(club, "allies", page)
    for letters in ("S", "B", "C", "C-S, C-B", "D", "X"):
        assert f"<dt>{letters}</dt>" in text


def test_a_preview_names_who_held_a_place_when_the_battle_began(club):
    battle = club.resolved()
    page = reverse("battle_preview", args=(club.campaign.slug, battle.uid))
    rows = (
        read(club, "referee", page)
        .partition("Levels that are recorded")[2]
        .partition("</table>")[0]
    )
    control = json.loads(battle.terms.document)["control"]
    names = {"allies": "Allies", "axis": "Germans", "": "–"}
    told = {
        p["name"]: rows.partition(f">{p['name']}</th>")[2].partition("</tr>")[0] for p in control
    }
    assert any(told.values())
    for place in control:
        if row := told[place["name"]]:
            assert f'data-head="Was">{names[place.get("owner", "")]}</td>' in row


def test_a_sentence_about_locked_forces_is_english(club):
    first = club.locked()
    first.refresh_from_db()
    assert first.stands == "has its forces locked"
    with pytest.raises(Refused, match="has its forces locked in this turn already"):
        battles.plan_battle(seat=club.referee)


def test_what_a_side_reckons_with_names_no_unit_of_the_enemy(club):
    battle = battles.plan_battle(seat=club.referee)
    allies = club.campaign.sides.get(key="allies")
    known = muster.known_scenario(battle, allies)
    enemy = next(force for force in known.forces if force.side == "axis")
    units = {unit.id for unit in enemy.units}
    later = {key for coming in known.arrivals for key in coming.units}
    assert all(key.startswith("estimate-") for key in units)
    assert len(later & units) == 1
    assert "pz3-5" not in later
    panzers = next(unit for unit in enemy.units if unit.id in later & units)
    assert {element.type for element in panzers.elements} == {"ger-pz4h", "ger-armor-leader"}


def test_the_words_of_the_sheet_name_nothing_that_hides_or_is_to_come(club):
    battle = battles.plan_battle(seat=club.referee)
    page = reverse("battle", args=(club.campaign.slug, battle.uid))
    notes = club.campaign.terms.values_list("document", flat=True)
    told = " ".join(json.loads(document)["notes"] for document in notes).lower()
    for word in ("tank", "gun", "half-track", "hetzer", "panther", "reconnaissance"):
        assert word not in told.replace("german guns", "")
    assert "tank platoon" not in read(club, "allies", page)


def test_forces_that_the_rules_find_fault_with_do_not_lock(club):
    battle = battles.plan_battle(seat=club.referee)
    axis = club.campaign.seats.get(side__key="axis")
    uids = dict(club.campaign.units.values_list("key", "uid"))

    def choose(**panzers):
        detachments.choose_detachment(
            seat=axis,
            battle_id=battle.uid,
            side_key="axis",
            picks=[(uids["304-1-1"], {}), (uids["pz3-5"], panzers)],
        )

    with pytest.raises(Refused, match="armor leaders"):
        choose(**{"ger-armor-leader": 1})
    choose()
    panzers = club.campaign.units.get(key="pz3-5").establishment.get(element="ger-pz4h")
    adjustments.adjust(
        seat=club.referee,
        unit_id=uids["pz3-5"],
        element="ger-pz4h",
        condition="fit",
        quantity=-panzers.quantity,
        reason="out of fuel",
        key="out of fuel",
    )
    with pytest.raises(Refused, match="armor leaders"):
        battles.lock_forces(seat=club.referee, battle_id=battle.uid)


def test_how_long_a_fight_was_is_told_to_the_referee_alone(club):
    battle = club.resolved()
    api = f"/api/v1/campaigns/{club.campaign.slug}/battles/{battle.uid}/"
    assert " events" in read(club, "referee", api)
    for who in ("axis", "allies"):
        assert " events" not in read(club, who, api)


def test_the_map_marks_where_a_side_comes_on_for_that_side(club):
    battle = battles.plan_battle(seat=club.referee)
    page = reverse("battle", args=(club.campaign.slug, battle.uid))
    panzers, hellcats = "Germans come on from turn 2", "Allies come on from turn 5"
    assert panzers in read(club, "axis", page)
    assert hellcats not in read(club, "axis", page)
    assert hellcats in read(club, "allies", page)
    assert panzers not in read(club, "allies", page)
    for words in (panzers, hellcats):
        assert words in read(club, "referee", page)
        assert words not in read(club, "stranger", page)


def test_a_head_start_names_the_side_that_has_it(club):
    battle = battles.plan_battle(seat=club.referee)
    page = reverse("battle", args=(club.campaign.slug, battle.uid))
    assert "Head start: Germans" in read(club, "allies", page)


def test_works_and_guns_are_their_own_sides_to_know(club):
    battle = battles.plan_battle(seat=club.referee)
    document = json.loads(battle.terms.document)
    mine = next(terms for terms in document["terms"] if terms["side"] == "axis")
    bunker = {"kind": "bunker", "hexes": "K9", "hidden": True}
    mine["works"] = [{"kind": "mines", "hexes": "K7, K8"}, bunker]
    mine["artillery"] = [{"kind": "rockets", "missions": 2}]
    mine["air_strikes"] = 1
    mine["exits"] = [{"hexes": "A20:C20", "points": 3}]
    battle.terms.document = json.dumps(document)
    type(battle.terms).objects.filter(pk=battle.terms.pk).update(document=battle.terms.document)
    slug = club.campaign.slug
    page = reverse("battle", args=(slug, battle.uid))
    sheet = reverse("battle_sheet", args=(slug, battle.uid))
    api = f"/api/v1/campaigns/{slug}/battles/{battle.uid}/"
    for address in (page, sheet):
        for reader in ("axis", "referee"):
            drawn = read(club, reader, address)
            assert drawn.count(">mi</text>") == 3, "two on the map, one in its legend"
            assert "may leave the map</li>" in drawn
        for reader in ("allies", "stranger"):
            drawn = read(club, reader, address)
            assert not [sign for sign in ("laid", ">mi<", "may leave the map") if sign in drawn]
    for address in (page, sheet, api):
        for told in (
            "mines in K7, K8",
            "bunker in K9, hidden",
            "rockets, missions: 2",
            "A20:C20, points a unit: 3",
        ):
            assert told in read(club, "axis", address)
            assert told in read(club, "referee", address)
        for hidden in ("K7, K8", "mines in", "bunker in", "rockets", "A20:C20"):
            assert hidden not in read(club, "allies", address)
            assert hidden not in read(club, "stranger", address)
    allies = club.campaign.sides.get(key="allies")
    known = muster.known_scenario(battle, allies)
    theirs = next(terms for terms in known.terms if terms.side == "axis")
    assert (theirs.works, theirs.artillery, theirs.air_strikes) == ((), (), 0)
    assert not theirs.exits


def test_flights_are_their_own_sides_to_know_and_luck_cards_everybodys(club):
    battle = battles.plan_battle(seat=club.referee)
    document = json.loads(battle.terms.document)
    mine = next(terms for terms in document["terms"] if terms["side"] == "axis")
    unit = next(f for f in document["forces"] if f["side"] == "axis")["units"][0]["id"]
    plane = {"kind": "glider", "at": "Q9:R9", "units": [unit]}
    mine["airborne"] = [{"turn": 3, "aircraft": [plane]}]
    document["luck_cards"] = {"each": 4}
    battle.terms.document = json.dumps(document)
    type(battle.terms).objects.filter(pk=battle.terms.pk).update(document=battle.terms.document)
    slug = club.campaign.slug
    page = reverse("battle", args=(slug, battle.uid))
    sheet = reverse("battle_sheet", args=(slug, battle.uid))
    api = f"/api/v1/campaigns/{slug}/battles/{battle.uid}/"
    for address in (page, sheet, api):
        assert "Turn 3: a glider in Q9:R9 with" in read(club, "axis", address)
        assert "Turn 3: a glider in Q9:R9 with" in read(club, "referee", address)
        for reader in ("allies", "stranger"):
            assert "glider" not in read(club, reader, address)
            assert "Q9:R9" not in read(club, reader, address)
    for reader in ("axis", "allies"):
        assert "luck cards" in read(club, reader, page).lower()
    known = muster.known_scenario(battle, club.campaign.sides.get(key="allies"))
    theirs = next(terms for terms in known.terms if terms.side == "axis")
    assert not theirs.airborne
    assert known.luck_cards.each == 4
    (force,) = (force for force in known.forces if force.side == "axis")
    came = next(f for f in document["forces"] if f["side"] == "axis")["units"]
    assert len(force.units) == len(came) - 1, "who comes by air is not reckoned with on the ground"


def test_goals_cards_and_the_state_of_the_roads_are_sentences_for_both_sides(club):
    battle = battles.plan_battle(seat=club.referee)
    document = json.loads(battle.terms.document)
    place = document["control"][0]
    need = {"kind": "control", "hexes": place["hex"], "at_least": 1}
    goal = {"name": "The goal", "side": "allies", "needs": [need], "when": "at once"}
    document["victory"] = {"margin": 7, "handicap": 5, "goals": [goal], "otherwise": "axis"}
    document["luck_cards"] = {"each": 3, "deck": [{"card": "second-wind", "copies": 2}]}
    document["ground"]["bad_roads"] = True
    document["ground"]["heavy_urban"] = True
    type(battle.terms).objects.filter(pk=battle.terms.pk).update(document=json.dumps(document))
    names = dict(club.campaign.sides.values_list("key", "name"))
    told = (
        f"{names['allies']} win at once if they hold {place['name']} ({place['hex']}).",
        f"Otherwise the {names['axis']} win.",
        "Each side draws 3 luck cards after the set-up.",
        "Vehicles pay a whole point by road [14.13.5].",
        "Sight to and from streets between houses goes by 12.7.",
    )
    for name in ("battle", "battle_sheet"):
        address = reverse(name, args=(club.campaign.slug, battle.uid))
        for reader in ("allies", "axis", "referee"):
            page = read(club, reader, address)
            assert not [words for words in told if words not in page]
            assert ("2 × Second wind" in page) is (name == "battle_sheet")
            for bare in ("trip-wire", "second-wind", "Head start", "Margin", "Goals: "):
                assert bare not in page
