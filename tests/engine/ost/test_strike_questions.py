"""Questions about what strikes all of a hex: artillery, aircraft, mortars, buildings that fall."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.actions import CallArtillery
from rulesengine.rulesets.ost.field_events import Blasted, CollapseRolled
from rulesengine.rulesets.ost.scenario import HexMap
from rulesengine.rulesets.ost.strike_questions import (
    AirStrikeOn,
    ArtilleryStrike,
    Collapse,
    MortarRound,
)
from tests.engine.ost.test_questions import chances, odds

SIXTH = Fraction(1, 6)
SPOTTED = pytest.mark.rule("ost", "33.2.3")


def ground(*rows, **more):
    legend = {".": "open", "w": "woods", "o": "orchard", "l": "light structure"}
    return HexMap(key="m", title="M", grid=rows, legend=legend, **more)


SMALL = ground("...", "...", "...")
"""All around B2: a drift of one hex stays on it, any other leaves it."""


def step(answer, words):
    return next(line for line in answer.steps if words in line)


# --- where shells fall --------------------------------------------------------------------------


@pytest.mark.rule("ost", "33.2.2", "33.3.2")
@pytest.mark.parametrize(
    ("battery", "facts", "accurate"),
    [
        ("mortar battery", {}, odds(4, 6)),
        ("artillery", {}, odds(3, 6)),
        ("heavy artillery", {}, odds(2, 6)),
        pytest.param("artillery", {"leader": True}, odds(4, 6), marks=SPOTTED),
        pytest.param("artillery", {"degraded": True}, odds(2, 6), marks=SPOTTED),
        pytest.param("artillery", {"leader": True, "degraded": True}, odds(3, 6), marks=SPOTTED),
    ],
)
def test_a_mission_falls_where_it_is_called_or_drifts(ask, battery, facts, accurate):
    answer = ask(ArtilleryStrike(map=SMALL, battery=battery, called="B2", **facts))
    off = 1 - accurate
    assert chances(answer) == {
        "strike hex": accurate,
        "next to the strike hex": off * SIXTH,
        "not struck": off * 5 * SIXTH,
    }
    assert step(answer, "off the map") == f"falls off the map: {off * 5 * SIXTH}"


@pytest.mark.rule("ost", "33.0.3")
@pytest.mark.parametrize(
    ("asked", "on", "near"),
    [
        ("A1", odds(1, 2), odds(1, 72)),
        ("A2", odds(1, 72), odds(1, 2) + odds(1, 72)),
        ("A3", odds(1, 72), odds(2, 72)),
        ("A4", odds(1, 72), odds(1, 72)),
    ],
)
def test_what_lies_two_hexes_off_is_not_struck(ask, asked, on, near):
    """A column of four hexes, half of the missions accurate on the first: of the others one in six
    drifts south, and one in six of those so many hexes."""
    column = ground(".", ".", ".", ".")
    q = ArtilleryStrike(map=column, battery="rockets", called="A1", leader=True, hex=asked)
    found = chances(ask(q))
    assert found["strike hex"] == on
    assert found["next to the strike hex"] == near
    assert found["not struck"] == 1 - on - near


@pytest.mark.rule("ost", "33.0.5", "33.4.1")
def test_a_smoke_mission_says_how_long_the_smoke_lies(ask):
    found = chances(ask(ArtilleryStrike(map=SMALL, battery="artillery", called="B2", smoke=True)))
    assert found["smoke of two turns"] == odds(1, 2)
    assert found["smoke of one turn"] == odds(1, 12)
    with pytest.raises(BadDocument, match="smoke"):
        ask(
            ArtilleryStrike(
                map=SMALL, battery="artillery", called="B2", smoke=True, unit="ger-rifle"
            )
        )


# --- what shells do -----------------------------------------------------------------------------


@pytest.mark.rule("ost", "33.0.4")
@pytest.mark.parametrize(
    ("sign", "unit", "line"),
    [
        (".", "fra-panhard178", "FP 3 - Defense 2 = column +1 of the Vehicle Combat Table"),
        ("w", "ger-rifle", "FP 3 - Defense 3 = column 0 of the Infantry Combat Table"),
        ("l", "ger-rifle", "FP 3 - Defense 5 = column -2 of the Infantry Combat Table"),
        ("o", "ger-rifle", "FP 3 - Defense 3 = column 0 of the Infantry Combat Table"),
        ("w", "us-m4", "FP 3 - Defense 5 = column -2 of the Vehicle Combat Table"),
    ],
)
def test_the_example_of_the_book_beside_the_strike_hex(ask, sign, unit, line):
    field = ground("...", "...", f".{sign}.")
    answer = ask(ArtilleryStrike(map=field, battery="artillery", called="B2", hex="B3", unit=unit))
    assert step(answer, "next to the strike hex") == f"next to the strike hex: {line}"


@pytest.mark.rule("ost", "33.4.11", "33.4.12")
def test_foxholes_help_against_an_airburst(ask):
    field = ground("...", ".w.", "...")
    q = ArtilleryStrike(map=field, battery="artillery", called="B2", unit="ger-rifle")
    bare, dug = ask(q), ask(replace(q, markers=("foxholes",)))
    assert "FP 6 - Defense 3" in step(bare, "strike hex: FP 6")
    assert "FP 6 - Defense 4" in step(dug, "strike hex: FP 6")
    assert ("33.4.12", -1) in {(m.rule, m.amount) for m in dug.modifiers}


@pytest.mark.rule("ost", "9.1.4")
def test_an_open_top_is_weaker_under_shells_and_bombs_not_under_a_mortar(ask):
    def rules(question):
        return {m.rule for m in ask(question).modifiers}

    open_top = "us-m3-halftrack"
    assert "9.1.4" in rules(
        ArtilleryStrike(map=SMALL, battery="artillery", called="B2", unit=open_top)
    )
    assert "9.1.4" in rules(AirStrikeOn(unit=open_top))
    assert "9.1.4" not in rules(MortarRound(mortar="us-mortar-60", unit=open_top))
    assert "9.1.4" not in rules(AirStrikeOn(unit="us-m4"))


@pytest.mark.rule("ost", "33.4.2")
def test_the_chances_of_a_squad_under_shells_worked_by_hand(ask):
    """In the open FP 6 against 4, column +2: X on 11 and 12. Beside the strike hex FP 3 against 4,
    column -1: X on 12 alone."""
    found = chances(
        ask(ArtilleryStrike(map=SMALL, battery="artillery", called="B2", unit="ger-rifle"))
    )
    assert found["not struck"] == odds(1, 2) * odds(5, 6)
    assert found["eliminated"] == odds(1, 2) * odds(3) + odds(1, 12) * odds(1)


# --- aircraft -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "32.0.4")
def test_a_pilot_is_green_veteran_or_ace(ask):
    answer = ask(AirStrikeOn(unit="ger-rifle"))
    assert [line.split(":")[0] for line in answer.steps] == ["1/3", "1/2", "1/6"]
    assert [line.split(" - ")[0].split(": ")[1] for line in answer.steps] == [
        "FP 4",
        "FP 6",
        "FP 8",
    ]


@pytest.mark.rule("ost", "32.0.5", "32.0.7")
@pytest.mark.parametrize(
    ("unit", "terrain", "pilot", "line"),
    [
        ("ger-rifle", (), "veteran", "FP 6 - Defense 4 = column +2 of the Infantry Combat Table"),
        ("ger-rifle", ("woods",), "ace", "FP 8 - Defense 6 = column +2 of the Infantry"),
        ("us-m4", (), "green", "FP 4 - Defense 3 = column +1 of the Vehicle Combat Table"),
        ("us-m4", ("road", "heavy structure"), "green", "FP 4 - Defense 3 = column +1"),
    ],
)
def test_bombs_find_flanks_and_what_shelters_foot(ask, unit, terrain, pilot, line):
    answer = ask(AirStrikeOn(unit=unit, terrain=terrain, pilot=pilot))
    assert len(answer.steps) == 1
    assert line in answer.steps[0]


@pytest.mark.rule("ost", "32.0.6")
def test_the_pilot_not_rolled_yet_is_the_mean_of_the_three(ask):
    """Against Defense 4: column 0 has X on 11 and 12, +2 the same, +3/+4 on 10 to 12."""
    found = chances(ask(AirStrikeOn(unit="ger-rifle")))
    by_hand = odds(1, 3) * odds(3) + odds(1, 2) * odds(3) + odds(1, 6) * odds(6)
    assert found["eliminated"] == by_hand


# --- mortars ------------------------------------------------------------------------------------


@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.3.5")
@pytest.mark.parametrize(
    ("facts", "missed"),
    [
        ({}, 3),
        ({"leader": True}, 2),
        ({"moved": True}, 4),
        ({"shaken": True}, 4),
        ({"moved": True, "shaken": True}, 4),
        ({"leader": True, "moved": True}, 3),
    ],
)
def test_a_mortar_falls_on_its_hex_on_a_four(ask, facts, missed):
    found = chances(ask(MortarRound(mortar="us-mortar-60", unit="ger-rifle", **facts)))
    assert found["not struck"] == odds(missed, 6)


@pytest.mark.rule("ost", "10.3.9", "10.3.10")
def test_a_mortar_does_nothing_to_armour_but_hits_a_lorry(ask):
    tank = chances(ask(MortarRound(mortar="us-mortar-60", unit="ger-pz4g")))
    assert tank == {"not struck": odds(1, 2), "no effect": odds(1, 2)}
    lorry = chances(ask(MortarRound(mortar="us-mortar-60", unit="ger-truck")))
    assert lorry["destroyed"] > 0


@pytest.mark.rule("ost", "10.3.11")
def test_no_airburst_under_a_mortar(ask):
    answer = ask(MortarRound(mortar="us-mortar-60", unit="ger-rifle", terrain=("woods",)))
    assert [(m.rule, m.amount) for m in answer.modifiers] == [("14.5.4", 2)]


# --- what falls down ----------------------------------------------------------------------------


@pytest.mark.border("ost", "16")
@pytest.mark.parametrize(
    ("building", "charge", "down"),
    [
        pytest.param("light structure", "", 2, marks=pytest.mark.rule("ost", "16.7.1")),
        pytest.param("heavy structure", "", 1, marks=pytest.mark.rule("ost", "16.7.1")),
        pytest.param("bunker", "", 1, marks=pytest.mark.rule("ost", "13.4.10")),
        pytest.param("heavy structure", "rockets", 2, marks=pytest.mark.rule("ost", "16.7.6")),
        pytest.param("bunker", "satchel charge", 2, marks=pytest.mark.rule("ost", "16.7.6")),
        pytest.param("ruins", "", 2, marks=pytest.mark.rule("ost", "16.7.7")),
        pytest.param("ruins", "rockets", 3, marks=pytest.mark.rule("ost", "16.7.7")),
    ],
)
def test_how_often_a_building_comes_down(ask, building, charge, down):
    found = chances(ask(Collapse(building=building, charge=charge)))
    assert found == {"comes down": odds(down, 6), "stands": odds(6 - down, 6)}


@pytest.mark.rule("ost", "16.7.9")
@pytest.mark.parametrize(
    ("building", "tall", "line"),
    [
        ("light structure", False, "FP 1 - Defense 4 = column -3"),
        ("heavy structure", False, "FP 2 - Defense 4 = column -2"),
        ("heavy structure", True, "FP 3 - Defense 4 = column -1"),
    ],
)
def test_a_building_attacks_who_is_inside_with_its_own_defense(ask, building, tall, line):
    answer = ask(Collapse(building=building, tall=tall, unit="ger-rifle"))
    assert step(answer, "Infantry").startswith(line)


@pytest.mark.rule("ost", "16.7.11", "13.4.11")
def test_a_crewed_weapon_is_lost_in_a_collapse_and_its_crew_struck(ask):
    house = ask(Collapse(building="heavy structure", unit="ger-mmg"))
    assert step(house, "Infantry").startswith("FP 2 - Defense 3 = column -1")
    assert all("the weapon is lost" in name for name in chances(house) if name != "stands")
    bunker = chances(ask(Collapse(building="bunker", unit="ger-mmg")))
    assert bunker == {
        "stands": odds(5, 6),
        "comes down, the weapon is lost, its crew: no effect": odds(1, 6),
    }


# --- as it is played ----------------------------------------------------------------------------


def test_the_table_shows_the_column_that_the_answer_said(ask, table):
    """The strike of the book, played: the events have the firepower and Defense of the answer."""
    rows = ("........",) * 3 + ("..l.....",) + ("........",) * 4
    battle = (
        table(rows)
        .put("us", "us-rifle", "C1")
        .put("german", "ger-rifle", "C4")
        .battery(0, "artillery", missions=1)
        .start()
    )
    battle.dice(6, 4, 1, 2)
    events = battle.do(CallArtillery(spotter=battle["us"], battery=0, hex=battle.hex("C4")))
    hit = next(e for e in events if isinstance(e, Blasted))
    field = table(rows).map
    answer = ask(ArtilleryStrike(map=field, battery="artillery", called="C4", unit="ger-rifle"))
    assert f"FP {hit.firepower} - Defense {hit.defense} " in step(answer, "strike hex: FP")
    fell = next(e for e in events if isinstance(e, CollapseRolled))
    assert ask(Collapse(building="light structure")).value == fell.needed


@pytest.mark.parametrize(
    ("question", "word"),
    [
        (AirStrikeOn(unit="ger-lmg"), "unit"),
        (AirStrikeOn(unit="nobody"), "unit"),
        (AirStrikeOn(unit="ger-crew", reduced=True), "reduced"),
        (AirStrikeOn(unit="ger-rifle", terrain=("moon",)), "terrain"),
        (AirStrikeOn(unit="ger-rifle", markers=("moat",)), "markers"),
        (AirStrikeOn(unit="ger-rifle", gut_check=14), "gut_check"),
        (ArtilleryStrike(map=SMALL, battery="siege gun", called="B2"), "battery"),
        (ArtilleryStrike(map=SMALL, battery="rockets", called="Z9"), "called"),
        (ArtilleryStrike(map=SMALL, battery="rockets", called="B2", hex="Z9"), "hex"),
        (MortarRound(mortar="us-bazooka", unit="ger-rifle"), "mortar"),
        (Collapse(building="bunker", tall=True), "tall"),
    ],
)
def test_a_wrong_question_names_its_field(ask, question, word):
    with pytest.raises(BadDocument, match=f"^{word}"):
        ask(question)
