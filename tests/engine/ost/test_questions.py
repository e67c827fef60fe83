"""Rule questions: every kind against answers worked by hand, in exact fractions."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from rulesengine.documents import BadDocument, read
from rulesengine.rulesets.ost.charts import COLUMNS, ICT, ICT_RESULTS
from rulesengine.rulesets.ost.questions import (
    GutCheck,
    InfantryAttack,
    LineOfSight,
    MovementCost,
    RallyAttempt,
)
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.scenario import Footprint, HexMap
from tests.engine.table import Hexsides, find
from tests.thousand import questions

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def chances(answer):
    assert sum(c.over for c in answer.chances) == answer.chances[0].of
    assert all(c.of == answer.chances[0].of for c in answer.chances)
    return {c.outcome: Fraction(c.over, c.of) for c in answer.chances}


def odds(over, of=36):
    return Fraction(over, of)


# --- gut checks and rallies -----------------------------------------------


@pytest.mark.rule("ost", "17.4.2", "17.4.3", "17.4.4")
@pytest.mark.parametrize(
    ("number", "passes"), [(2, 36), (5, 30), (6, 26), (7, 21), (8, 15), (9, 10), (12, 1), (13, 0)]
)
def test_how_often_a_gut_check_is_passed(ask, number, passes):
    found = chances(ask(GutCheck(gut_check=number, result="broken")))
    assert found.get("no effect", 0) == odds(passes)
    assert found.get("broken", 0) == odds(36 - passes)


@pytest.mark.rule("ost", "17.2.6")
def test_a_shaken_unit_checks_against_being_broken(ask):
    found = chances(ask(GutCheck(gut_check=7, result="shaken", morale="shaken")))
    assert found == {"no effect": odds(21), "broken": odds(15)}


@pytest.mark.rule("ost", "17.3.6")
def test_a_broken_unit_does_not_check(ask):
    answer = ask(GutCheck(gut_check=7, result="broken", morale="broken"))
    assert chances(answer) == {"no effect": 1}


@pytest.mark.parametrize(
    ("morale", "leader", "quality", "ways"),
    [
        pytest.param("shaken", False, "regular", 21, marks=pytest.mark.rule("ost", "18.0.2")),
        pytest.param("shaken", True, "regular", 26, marks=pytest.mark.rule("ost", "7.2.3")),
        pytest.param("shaken", False, "elite", 26, marks=pytest.mark.rule("ost", "19.0.p4")),
        pytest.param("shaken", True, "elite", 30, marks=pytest.mark.rule("ost", "18.0.4")),
        pytest.param("shaken", False, "poor", 15, marks=pytest.mark.rule("ost", "19.0.p6")),
        pytest.param("shaken", True, "poor", 21, marks=pytest.mark.rule("ost", "18.0.4")),
        pytest.param("broken", False, "regular", 10, marks=pytest.mark.rule("ost", "18.0.3")),
        pytest.param("broken", True, "elite", 21, marks=pytest.mark.rule("ost", "18.0.3")),
    ],
)
def test_how_often_a_rally_succeeds(ask, morale, leader, quality, ways):
    found = chances(ask(RallyAttempt(morale=morale, leader=leader, quality=quality)))
    assert found == {"good order": odds(ways), "shaken": odds(36 - ways)}


# --- attacks -----------------------------------------------


@pytest.mark.rule("ost", "27.1.p2", "27.1.p4", "27.1.p5")
def test_the_arithmetic_of_an_attack_with_everything(ask):
    answer = ask(
        InfantryAttack(
            firepower=(4, 2),
            defense=4,
            terrain=("woods",),
            hexside="stone wall",
            degraded=2,
            adjacent=True,
            intensive=True,
            moved=True,
            leader=True,
            ambush=True,
        )
    )
    assert answer.text == "FP 4 - Defense 8 = column -4"
    assert "2D6 +0" in answer.steps
    assert {m.name: m.amount for m in answer.modifiers}["FP: degraded line of sight"] == -2


@pytest.mark.parametrize(
    ("terrain", "defense"),
    [
        pytest.param("open", 0, marks=pytest.mark.rule("ost", "14.1.3")),
        pytest.param("brush", 1, marks=pytest.mark.rule("ost", "14.2.3", "14.0.2")),
        pytest.param("farm", 0, marks=pytest.mark.rule("ost", "14.3.3")),
        pytest.param("wheatfield", 1, marks=pytest.mark.rule("ost", "14.4.4")),
        pytest.param("woods", 2, marks=pytest.mark.rule("ost", "14.5.4")),
        pytest.param("orchard", 1, marks=pytest.mark.rule("ost", "14.6.3")),
        pytest.param("cemetery", 1, marks=pytest.mark.rule("ost", "14.7.3")),
        pytest.param("stream", -2, marks=pytest.mark.rule("ost", "14.8.3")),
        pytest.param("marsh", -2, marks=pytest.mark.rule("ost", "14.9.4")),
        pytest.param("shell holes", 1, marks=pytest.mark.rule("ost", "14.10.4")),
        pytest.param("debris", 1, marks=pytest.mark.rule("ost", "14.11.4")),
        pytest.param("rubble", 3, marks=pytest.mark.rule("ost", "14.12.4")),
        pytest.param("light structure", 1, marks=pytest.mark.rule("ost", "16.1.7")),
        pytest.param("heavy structure", 2, marks=pytest.mark.rule("ost", "16.2.7")),
        pytest.param("ruins", 2, marks=pytest.mark.rule("ost", "16.5.3")),
        pytest.param("road", 0, marks=pytest.mark.rule("ost", "14.13.3")),
    ],
)
def test_what_terrain_adds_to_defense(ask, terrain, defense):
    answer = ask(InfantryAttack(firepower=(9,), defense=4, terrain=(terrain,)))
    assert answer.value == 9 - 4 - defense


@pytest.mark.example("ost", "14.0.e2")
@pytest.mark.rule("ost", "14.0.9")
def test_stream_and_brush_in_one_hex_give_minus_one(ask):
    answer = ask(InfantryAttack(firepower=(4,), defense=4, terrain=("stream", "brush")))
    assert answer.value == 1


@pytest.mark.rule("ost", "27.1.3")
@pytest.mark.parametrize(
    ("fields", "modifier"),
    [
        ({}, "+0"),
        ({"moved": True}, "-1"),
        ({"leader": True}, "+1"),
        ({"ambush": True}, "+1"),
        ({"intensive": True}, "-1"),
        ({"leader": True, "ambush": True}, "+2"),
        ({"moved": True, "intensive": True}, "-2"),
        ({"moved": True, "leader": True}, "+0"),
    ],
)
def test_what_changes_the_roll_of_an_attack(ask, fields, modifier):
    answer = ask(InfantryAttack(firepower=(4,), defense=4, **fields))
    assert f"2D6 {modifier}" in answer.steps


@pytest.mark.parametrize(
    ("fields", "firepower"),
    [
        ({}, 5),
        ({"adjacent": True}, 6),
        ({"degraded": 1}, 4),
        ({"degraded": 2}, 3),
        ({"intensive": True}, 4),
        ({"shaken": True}, 2),
        ({"shaken": True, "adjacent": True}, 3),
        ({"shaken": True, "degraded": 2}, 1),
    ],
)
def test_what_changes_the_firepower_of_an_attack(ask, fields, firepower):
    answer = ask(InfantryAttack(firepower=(5,), defense=0, **fields))
    assert answer.value == firepower


@pytest.mark.parametrize("fields", [{"degraded": 2, "intensive": True}, {"shaken": True}])
def test_firepower_is_never_below_one(ask, fields):
    assert ask(InfantryAttack(firepower=(1,), defense=0, **fields)).value == 1


ROWS = {
    12: "C C C-S C-B X X X X X X X",
    11: "B B C C-S C-B X X X X X X",
    10: "S B B C C-S C-S C-B C-B X X X",
    9: "- S S B C C C-S C-S C-B X X",
    8: "- - S S B B C C C-S C-B X",
    7: "- - - S S S B B C C-S C-B",
    6: "- - - - - S S B B C C-S",
    5: "- - - - - - - S B B C",
    4: "- - - - - - - - - S B",
    3: "- - - - - - - - - - S",
    2: "- - - - - - - - - - -",
}
"""The Infantry Combat Table, from column -5 to +7."""


@pytest.mark.parametrize(
    "row", [pytest.param(n, marks=pytest.mark.rule("ost", f"1.9.p{17 - n}")) for n in ROWS]
)
def test_every_cell_of_a_row_of_the_infantry_combat_table(table, row):
    assert [ICT_RESULTS[cell] or "-" for cell in ICT[row]] == ROWS[row].split()
    from rulesengine.rulesets.ost.events import Shot

    battle = (
        table()
        .put("us", "us-rifle", "C3")
        .put("german", "ger-rifle", "C6")
        .put("other", "ger-rifle", "H8")
        .start()
    )
    dice = (6, row - 6) if row > 7 else (1, row - 1)
    shot = find(battle.dice(*dice, 6, 6).fire("us", "german"), Shot)
    assert (ICT_RESULTS[shot.result] or "-") == ROWS[row].split()[COLUMNS.index("0")]


@pytest.mark.border("ost", "28")
@pytest.mark.rule("ost", "27.1.1", "28.0.1")
@pytest.mark.parametrize(
    ("difference", "heading"),
    [
        *((-9, "-5"), (-5, "-5"), (-4, "-4"), (0, "0"), (2, "+2"), (3, "+3/+4"), (4, "+3/+4")),
        *((5, "+5/+6"), (6, "+5/+6"), (7, "+7"), (15, "+7")),
    ],
)
def test_firepower_less_defense_gives_the_column(ask, difference, heading):
    answer = ask(InfantryAttack(firepower=(20 + difference,), defense=20))
    assert answer.text.endswith(f"column {heading}")


@pytest.mark.rule("ost", "28.0.3", "28.0.4")
def test_the_chances_of_an_even_attack_on_a_full_squad(ask):
    """Column 0: 12 and 11 X, 10 C-S, 9 C, 8 B, 7 and 6 S, gut check 7."""
    found = chances(ask(InfantryAttack(firepower=(4,), defense=4)))
    fails = Fraction(15, 36)
    assert found["eliminated"] == odds(1 + 2)
    assert found["one step lost, shaken"] == odds(3) * fails
    assert found["one step lost"] == odds(4) + odds(3) * (1 - fails)
    assert found["broken"] == odds(5) * fails
    assert found["shaken"] == odds(6 + 5) * fails
    assert found["no effect"] == odds(10) + odds(5 + 6 + 5) * (1 - fails)


@pytest.mark.rule("ost", "28.0.4")
def test_the_chances_against_a_reduced_squad(ask):
    found = chances(ask(InfantryAttack(firepower=(4,), defense=4, steps=1)))
    assert found["eliminated"] == odds(1 + 2 + 3 + 4)


@pytest.mark.rule("ost", "28.0.4")
def test_the_chances_against_a_broken_squad(ask):
    found = chances(ask(InfantryAttack(firepower=(4,), defense=4, morale="broken")))
    assert found == {
        "eliminated": odds(3),
        "one step lost": odds(7),
        "no effect": odds(26),
    }


@pytest.mark.parametrize("gut_check", [5, 7, 8])
@pytest.mark.parametrize("modifier", [-1, 0, 1])
def test_chances_agree_with_the_table_counted_by_hand(ask, gut_check, modifier):
    fields = {-1: {"moved": True}, 0: {}, 1: {"leader": True}}[modifier]
    for difference, heading in ((-3, "-3"), (1, "+1"), (7, "+7")):
        answer = ask(
            InfantryAttack(firepower=(20 + difference,), defense=20, gut_check=gut_check, **fields)
        )
        at = COLUMNS.index(heading)
        gone = Fraction(0)
        for total, ways in WAYS.items():
            row = max(2, min(12, total + modifier))
            gone += odds(ways) if ROWS[row].split()[at] == "X" else 0
        assert chances(answer).get("eliminated", 0) == gone


@pytest.mark.parametrize(
    ("question", "word"),
    [
        (InfantryAttack(firepower=(4,), defense=4, terrain=("moon",)), "terrain"),
        (InfantryAttack(firepower=(4,), defense=4, hexside="ditch"), "hexside"),
        (InfantryAttack(firepower=(4,), defense=4, markers=("moat",)), "markers"),
        (InfantryAttack(firepower=(4,), defense=4, degraded=3), "degraded"),
        (InfantryAttack(firepower=(4,), defense=4, steps=3), "steps"),
    ],
)
def test_a_wrong_question_names_its_field(ask, question, word):
    with pytest.raises(BadDocument, match=word):
        ask(question)


# --- the ground -----------------------------------------------


def test_no_rule_is_named_twice_in_an_answer():
    for question in questions(1000):
        asked = read(json.dumps(question), RULESET.question_type, "question")
        rules = RULESET.adjudicate(asked).rules
        assert len(set(rules)) == len(rules), (question, rules)


def test_a_blocked_line_names_what_only_degrades_it_too_and_says_which_is_which(ask, table):
    ground = table(("..", "b.", "w.", "..", "..")).map
    answer = ask(LineOfSight(map=ground, start="A1", end="A5", smoke=("A4",)))
    assert answer.text == "A1 to A5: blocked, 4 hexes"
    assert answer.steps == ("brush in A2: degrades", "woods in A3: blocks", "smoke in A4: degrades")
    assert answer.places == ("A3", "A4")


@pytest.mark.rule("ost", "15.0.10", "12.1.p1")
def test_a_line_of_sight_says_what_it_meets(ask, table):
    hedge = (Hexsides(kind="hedge", sides=("A4/N",)),)
    rows = ("..", "b.", "..", "..")
    answer = ask(LineOfSight(map=table(rows, hexsides=hedge).map, start="A1", end="A4"))
    assert answer.text == "A1 to A4: degraded 1, 3 hexes"
    assert "brush in A2: degrades" in answer.steps
    assert "hedge shields A4" in answer.steps
    assert [m.amount for m in answer.modifiers] == [1, -1]


@pytest.mark.rule("ost", "23.0.4", "23.0.5")
def test_a_movement_cost_says_whether_it_can_be_done(ask, table):
    rows = ("..", "w.", "w.")
    one = ask(MovementCost(map=table(rows).map, path=("A1", "A2"), points=1))
    assert one.text == "2 movement points: can be done"
    two = ask(MovementCost(map=table(rows).map, path=("A1", "A2", "A3"), points=3))
    assert two.text == "4 movement points: is too far for 3"


@pytest.mark.parametrize(
    ("path", "word"), [(("A1",), "two hexes"), (("A1", "A3"), "adjacent"), (("A1", "Z9"), "Z9")]
)
def test_a_path_that_is_none_is_refused(ask, table, path, word):
    with pytest.raises(BadDocument, match=word):
        ask(MovementCost(map=table(("..", "..", "..")).map, path=path))


def test_a_line_of_sight_needs_two_hexes_of_the_map(ask, table):
    for end in ("A1", "Q1"):
        with pytest.raises(BadDocument, match="end"):
            ask(LineOfSight(map=table(("..", "..")).map, start="A1", end=end))


def test_attacks_in_a_row_find_the_target_as_the_last_one_left_it(ask):
    """Two attacks by hand: the chances of the second from every state the first may leave."""
    about = {"firepower": (6,), "defense": 4, "gut_check": 7}
    states = {
        "no effect": (2, "good order"),
        "shaken": (2, "shaken"),
        "broken": (2, "broken"),
        "one step lost": (1, "good order"),
        "one step lost, shaken": (1, "shaken"),
        "one step lost, broken": (1, "broken"),
    }

    def state(steps, morale):
        return next(name for name, at in states.items() if at == (steps, morale))

    by_hand: dict[str, Fraction] = {}
    for first, chance in chances(ask(InfantryAttack(**about))).items():
        if first == "eliminated":
            by_hand[first] = by_hand.get(first, 0) + chance
            continue
        steps, morale = states[first]
        second = InfantryAttack(**about, steps=steps, morale=morale)
        for then, more in chances(ask(second)).items():
            lost = then.startswith("one step lost")
            word = then.removeprefix("one step lost").removeprefix(", ") if lost else then
            now = morale if word in ("", "no effect") else word
            name = then if then == "eliminated" else state(steps - lost, now)
            by_hand[name] = by_hand.get(name, 0) + chance * more
    assert chances(ask(InfantryAttack(**about, attacks=2))) == by_hand


@pytest.mark.parametrize("attacks", [0, 51])
def test_too_many_attacks_in_a_row_are_refused(ask, attacks):
    with pytest.raises(BadDocument, match="attacks: 1 to 50"):
        ask(InfantryAttack(firepower=(4,), defense=4, attacks=attacks))


def asked_of(**changes):
    """A line of sight over a map with a fault."""
    fields = {"key": "m", "title": "M", "grid": ("...", "..."), "legend": {".": "open"}}
    return LineOfSight(map=HexMap(**fields | changes), start="A1", end="A2")


@pytest.mark.parametrize(
    "changes",
    [
        {"grid": ()},
        {"levels": ("009", "000")},
        {"levels": ("000",)},
        {"grid": ("....", "...")},
        {"steep": ("A1/Q",)},
        {"footprints": (Footprint(hex="Z50", polygon=((0, 0), (1, 0), (0, 1))),)},
        {"levels": ("100", "000"), "footprints": (Footprint(hex="A1", polygon=()),)},
        {
            "levels": ("100", "000"),
            "footprints": (Footprint(hex="A1", polygon=((0, 0), (10**30, 0), (0, 1))),),
        },
        {
            "levels": ("100", "000"),
            "footprints": (Footprint(hex="A1", polygon=((0, 0), (10, 0), (20, 0))),),
        },
    ],
)
def test_a_map_with_a_fault_is_refused_in_words(ask, changes):
    with pytest.raises(BadDocument):
        ask(asked_of(**changes))
