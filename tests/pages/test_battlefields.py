"""The page and the sheet of a battle by printed rules: its terms in words, its map."""

from __future__ import annotations

import json
from itertools import combinations

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from campaigns import engine
from campaigns.operations import battles
from campaigns.templatetags import battlefield, labels
from rulesengine.loader import load_pack
from rulesengine.registry import document_type
from tests.campaign.test_road_to_bastogne import PACK, Club

PACKS = sorted(PACK.parent.iterdir())


@pytest.fixture
def club(db, sent, known_dice):
    return Club("field")


def seen(club, name, battle):
    client = Client()
    client.force_login(club.referee.user)
    answer = client.get(reverse(name, args=[club.campaign.slug, battle.uid]))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("name", ["battle", "battle_sheet"])
def test_every_option_is_explained_where_it_stands(name, club):
    battle = battles.plan_battle(seat=club.referee)
    if name == "battle_sheet":  # which leaves out what is off, as it usually is
        terms = battle.terms
        document = json.loads(terms.document)
        document["options"] = dict.fromkeys(document["options"], True)
        type(terms).objects.filter(pk=terms.pk).update(document=json.dumps(document))
    page = seen(club, name, battle)
    options = msgspec.structs.fields(document_type("ost", "scenario"))
    (kind,) = (field.type for field in options if field.name == "options")
    notes = engine.term_notes("ost")
    for option in msgspec.structs.fields(kind):
        label = option.name.replace("_", " ").capitalize()
        assert notes[f"options.{option.name}"]
        if option.default is msgspec.UNSET:
            assert f"<dt>{label}</dt>" not in page, "the scenario does not speak of it"
            continue
        told = page.partition(f"<dt>{label}</dt>")[2].partition("</dd>")[0]
        assert escape(notes[f"options.{option.name}"]) in told, option.name


def written(drawing):
    return [labels.box_of(n.x, n.y, n.name, labels.NAME_SIZE) for n in drawing.names]


@pytest.mark.parametrize("folder", PACKS, ids=lambda folder: folder.name)
def test_no_name_of_the_shipped_maps_lies_over_another_a_ring_or_much_of_a_number(folder):
    pack = load_pack(folder)
    for scenario in pack.scenarios.values():
        document = json.loads(msgspec.json.encode(scenario))
        drawing = battlefield.draw(document["ground"], document["control"])
        boxes = written(drawing)
        wanted = {c["name"] for c in document["control"]}
        wanted |= {n["name"] for n in document["ground"]["names"]}
        assert sorted(n.name for n in drawing.names) == sorted(wanted), "each once"
        assert not [pair for pair in combinations(boxes, 2) if pair[0].shared(pair[1])]
        for box in boxes:
            assert 0 <= box.left < box.right <= drawing.width
            rings = [labels.around(g.x, g.y, battlefield.GOAL_RADIUS) for g in drawing.objectives]
            assert not any(box.shared(ring) for ring in rings)
            for spot in drawing.coordinates:
                number = labels.box_of(spot.x, spot.y, spot.name, labels.NUMBER_SIZE)
                assert box.shared(number) < 0.2 * number.shared(number), (scenario.key, spot.name)


def test_names_of_one_hex_and_of_its_neighbours_stand_apart():
    ground = {
        "grid": ["." * 12] * 8,
        "legend": {".": "open"},
        "names": [
            {"hex": hex_, "name": name}
            for hex_, name in (("F4", "Saint Vith"), ("F4", "Mill"), ("G4", "The long wood"))
        ],
    }
    boxes = written(battlefield.draw(ground, [{"hex": "F5", "name": "Bridge"}]))
    assert len(boxes) == 4
    assert not [pair for pair in combinations(boxes, 2) if pair[0].shared(pair[1])]


@pytest.mark.parametrize("name", ["battle", "battle_sheet"])
def test_the_map_marks_what_is_to_be_held_and_who_holds_it(name, club):
    battle = battles.plan_battle(seat=club.referee)
    page = seen(club, name, battle)
    control = json.loads(battle.terms.document)["control"]
    sides = {side.key: side.name for side in club.campaign.sides.all()}
    held = [place for place in control if place.get("owner")]
    assert page.count('<circle class="objective"') > len(control), "and the legend"
    map_ = page.partition('<svg class="map" viewBox')[2].partition("</svg>")[0]
    assert map_.count('class="holder ') == len(held) > 0
    for place in control:
        holder = sides.get(place.get("owner", ""), "nobody")
        assert f"{place['hex']}: to be held; {holder} at the start" in page
        assert f">{place['name']}</text>" in map_
    for owner in {place["owner"] for place in held}:
        assert f"to be held; at the start by {sides[owner]}" in page
