"""What is printed on counters and cards (OST 5, 6, 8, 9, 11, 19), asked one by one."""

from __future__ import annotations

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.catalogue import ROWS
from rulesengine.rulesets.ost.questions import RallyAttempt, UnitCard


@pytest.fixture
def card(ask):
    return lambda key: ask(UnitCard(counter=key)).steps


@pytest.mark.rule("ost", "6.0.p1", "6.0.p3", "6.0.2")
def test_a_squad_is_soft_and_has_two_firepowers(card):
    steps = card("us-rifle")
    assert "on foot, a soft target" in steps
    assert "Firepower 4, reduced 2" in steps


@pytest.mark.rule("ost", "6.0.p4", "6.0.p5", "6.0.p6")
def test_range_defense_and_movement_of_a_squad(card):
    steps = card("us-rifle")
    assert {"Range 6, reduced 6 hexes", "Defense 4", "Movement 4 points"} <= set(steps)


@pytest.mark.rule("ost", "6.0.p7", "6.0.p8")
def test_a_squad_has_two_faces_and_a_crew_one(card):
    assert "2 steps: a full and a reduced face" in card("ger-rifle")
    assert not any("steps" in step for step in card("ger-crew"))


@pytest.mark.rule("ost", "5.0.1", "5.0.3")
def test_squads_and_crewed_weapons_are_on_foot_and_soft_armour_is_hard(card):
    assert card("us-rifle")[0] == card("us-mmg")[0] == "on foot, a soft target"
    assert card("us-m4")[0].endswith("a hard target")
    assert card("us-truck")[0].endswith("a soft target")


@pytest.mark.rule("ost", "7.0.p1")
def test_a_single_person_has_one_face(card):
    assert "a single person, one face only" in card("us-sergeant")


@pytest.mark.rule("ost", "5.0.2", "9.0.1", "9.0.2")
@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("us-m4", "one vehicle, tracked, a hard target"),
        ("us-truck", "one vehicle, wheeled, a soft target"),
    ],
)
def test_a_vehicle_is_wheeled_or_tracked_hard_or_soft(card, key, what):
    assert card(key)[0] == what


@pytest.mark.rule("ost", "9.0.p10", "9.0.p11", "9.0.p13")
def test_a_vehicle_has_a_front_and_a_flank(card):
    assert "Defense 7 in front, 2 in flank" in card("ger-pz4h")


@pytest.mark.rule("ost", "9.0.p4", "9.0.p12")
def test_a_vehicle_faces_and_moves(card):
    steps = card("us-m4")
    assert "faces a hexside" in steps
    assert any(step.startswith("Movement ") for step in steps)


@pytest.mark.rule("ost", "9.0.p5", "9.0.p6", "9.0.p7")
def test_the_main_armament_of_a_vehicle(card):
    steps = card("us-m4")
    assert "Armour-piercing Firepower 7 close by" in steps
    assert "High-explosive Firepower 4" in steps
    assert "Range of the main armament 30 hexes" in steps


@pytest.mark.rule("ost", "9.0.3")
def test_a_card_lists_both_values_and_the_range_of_the_main_armament(card):
    assert set(card("ger-pz4h")) >= {
        "High-explosive Firepower 4",
        "Armour-piercing Firepower 10 close by",
        "Range of the main armament 30 hexes",
    }
    assert not any("main armament" in step for step in card("us-truck"))


@pytest.mark.rule("ost", "9.0.p8", "9.0.p9")
def test_the_machine_guns_of_a_vehicle(card):
    words = " ".join(card("us-m4"))
    assert "Machine guns: Firepower 2" in words
    assert "Machine guns: range" in words
    assert "Machine guns" not in " ".join(card("us-truck"))


@pytest.mark.example("ost", "8.0.e1")
@pytest.mark.rule("ost", "8.0.p1", "8.0.p4", "8.0.p5")
def test_a_crewed_weapon(card):
    words = " ".join(card("ger-hmg"))
    assert "on foot, a soft target" in words
    assert "High-explosive Firepower 6" in words
    assert "Range 16 hexes" in words


@pytest.mark.example("ost", "8.0.e1")
@pytest.mark.rule("ost", "8.0.p6", "8.0.p9", "8.0.p10")
def test_the_star_of_a_heavy_machine_gun(card):
    steps = card("ger-hmg")
    assert "Defense 4" in steps
    assert "marked *: no fire after a move" in steps
    assert "marked *: no fire after a move" not in card("ger-mmg")


@pytest.mark.example("ost", "8.0.e1")
@pytest.mark.rule("ost", "8.0.p3", "8.0.p8")
def test_guns_are_pushed_or_towed(card):
    assert "Movement: towed only" in card("ger-pak40")
    assert "Movement: 1 point on foot" in card("ger-pak36")
    assert any("Armour-piercing" in step for step in card("ger-pak40"))


@pytest.mark.rule("ost", "11.0.1", "11.0.2")
def test_tables_by_range_end_with_the_range(card):
    steps = card("us-bazooka")
    assert "To hit on 2D6: up to 2: 5, up to 3: 6" in steps
    assert "Armour-piercing Firepower by range: from 0: 8" in steps


def test_a_table_whose_last_band_ends_with_the_range_has_no_other_after_it(card):
    hits = next(step for step in card("us-m4") if step.startswith("To hit"))
    assert hits.endswith("up to 24: 9, up to 30: 10")


NOTED = [
    pytest.param("us-mmg", "Sustained Fire", marks=pytest.mark.rule("ost", "8.1.1")),
    pytest.param("us-m18", "open top: small arms reach the crew"),
    pytest.param(
        "ger-flak36",
        "collapse: brings buildings and bunkers down",
        marks=pytest.mark.rule("ost", "16.7.2"),
    ),
    pytest.param("ger-pak36", "fires in its covered arc only"),
    pytest.param("us-mortar-60", "no nearer than 2 hexes"),
    pytest.param("us-sergeant", "Command range 1 hex"),
]


@pytest.mark.parametrize(("key", "words"), NOTED)
def test_a_card_says_what_else_goes_for_its_unit(card, key, words):
    assert words in card(key)
    assert words not in card("us-rifle")


def test_the_hull_gun_stands_on_the_card(card):
    (line,) = [step for step in card("us-m3-lee") if "hull" in step]
    assert "armour-piercing 7 close by" in line


@pytest.mark.rule("ost", "10.0.1", "10.0.2", "10.0.7")
def test_support_weapons_last_or_are_spent(card):
    assert "lasts the battle" in card("us-bazooka")
    assert "used once" in card("ger-panzerfaust")
    assert any("Armour-piercing" in step for step in card("us-bazooka"))
    assert not any("Armour-piercing" in step for step in card("us-lmg"))


@pytest.mark.rule("ost", "19.0.p1", "19.0.p2")
def test_a_card_names_the_grade(card):
    assert "elite" in card("us-airborne-rifle")
    assert "regular: nothing is said" in card("us-rifle")


@pytest.mark.rule("ost", "19.0.p3", "19.0.2")
def test_regulars_have_no_change(ask, card):
    from rulesengine.rulesets.ost.questions import UnitCard as Card

    ask(Card(counter="us-rifle"))
    assert ask(RallyAttempt(morale="shaken", quality="regular")).modifiers == ()


def test_every_counter_has_a_card(ask):
    for kind in ROWS:
        answer = ask(UnitCard(counter=kind.key))
        assert answer.steps
        assert answer.rules


def test_a_counter_that_is_not_there(ask):
    with pytest.raises(BadDocument, match="counter: no element type"):
        ask(UnitCard(counter="us-deathstar"))
