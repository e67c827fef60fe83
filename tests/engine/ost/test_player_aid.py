"""The player aid and the markers (OST 1.7, 1.9, 1.10): every row, and what is marked when."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import VCT_RESULTS
from rulesengine.rulesets.ost.state import BROKEN, SHAKEN
from tests.engine.table import US, ControlHex, Victory, find, kinds

LONG = ("........",) * 12

# The printed Vehicle Combat Table at column 0, from a roll of 2 to 12, low rows aligned right.
AT_ZERO = ("", "", "", "", "S", "S", "D", "D-S", "X", "X", "X")


@pytest.mark.parametrize(
    ("total", "result"),
    [
        pytest.param(total, result, marks=pytest.mark.rule("ost", f"1.9.p{33 - total}"))
        for total, result in zip(range(2, 13), AT_ZERO, strict=True)
    ],
)
def test_every_row_of_the_vehicle_table(table, total, result):
    """A Sherman's 7 at a Panzer IV's front of 7: column 0."""
    play = table(LONG).put("a", "us-m4", "D5").put("b", "ger-pz4h", "D3", facing=3).start()
    low = min(6, total - 1)
    dice = (low, total - low)
    news = play.dice(5, 4, *dice, *([1] * 9)).shoot("a", "b")
    shot = find(news, v.VehicleShot)
    assert (shot.firepower - shot.defense, shot.total) == (0, total)
    assert VCT_RESULTS[shot.result] == result


@pytest.mark.rule("ost", "1.9.p1", "1.9.p32", "1.9.p33")
def test_at_vehicles_the_vehicle_table_with_its_changes(table):
    play = table(LONG).put("a", "us-m4", "D4").put("b", "ger-pz4h", "D3", facing=3).start()
    shot = find(play.dice(5, 5, 1, 1).shoot("a", "b"), v.VehicleShot)
    assert shot.firepower == 8


@pytest.mark.rule("ost", "1.9.p1", "1.9.p16", "1.9.p17")
def test_at_men_the_infantry_table_with_its_changes(table):
    board = table(LONG).put("a", "us-rifle", "D4", leader="led").put("b", "ger-rifle", "D3")
    shot = find(board.start().dice(1, 1).fire("a", "b"), e.Shot)
    assert (shot.firepower, shot.total) == (5, 3)


@pytest.mark.border("ost", "1")
@pytest.mark.rule("ost", "1.9.p35")
def test_two_sixes_hit_critically_one_column_better(table):
    play = table(LONG).put("a", "us-m4", "D5").put("b", "ger-pz4h", "D3", facing=3).start()
    news = play.dice(6, 6, 1, 1).shoot("a", "b")
    assert find(news, v.HitRolled).critical
    plain = table(LONG).put("a", "us-m4", "D5").put("b", "ger-pz4h", "D3", facing=3).start()
    other = find(plain.dice(6, 5, 1, 1).shoot("a", "b"), v.VehicleShot)
    assert find(news, v.VehicleShot).column == other.column + 1


@pytest.mark.border("ost", "1")
@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "1.9.p36", "1.10.p9")
@pytest.mark.parametrize(("face", "broken"), [(2, False), (3, True), (4, True), (5, True)])
def test_what_a_damage_roll_breaks(table, face, broken):
    play = table(LONG).put("a", "us-m4", "D5").put("b", "ger-pz4h", "D3", facing=3).start()
    news = play.dice(5, 4, 4, 4, face).shoot("a", "b")
    if broken:
        assert play.state.damage[play["b"]]
    else:
        assert not play.state.damage[play["b"]]
        other = play.dice(5, 4, 4, 4, 3)
        play.idle()
        news += other.shoot("a", "b")
    assert find(news, v.DamageRolled)


@pytest.mark.rule("ost", "1.9.p18")
def test_a_leader_rolls_when_his_unit_suffers(table):
    board = table(LONG).put("a", "us-hmg", "D6").put("b", "ger-rifle", "D3", leader="led")
    news = board.start().dice(6, 5, 6).fire("a", "b")
    assert find(news, e.LeaderRolled).dies_on in (1, 3)


# --- markers ---------------------------------------------------------------------------------


def field(table):
    return table(LONG).put("a", "us-rifle", "D6").put("b", "ger-rifle", "D3")


@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "1.10.p4")
def test_a_moved_unit_is_marked(table):
    play = table(LONG).put("a", "us-rifle", "D6").put("b", "ger-sergeant", "H1").start()
    play.move("a", "D5")
    assert play.state.moved[play["a"]]


@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "1.10.p5", "27.4.9")
def test_who_fires_is_marked_once_and_twice(table):
    play = field(table).start()
    play.dice(1, 1).fire("a", "b")
    assert play.state.fired[play["a"]] == 1
    play.idle()
    play.dice(1, 1).fire("a", "b")
    assert play.state.fired[play["a"]] == 2
    assert play.state.acts(play["a"]) == 2


@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "1.10.p7")
def test_a_melee_is_marked(table):
    play = table(LONG).put("a", "us-rifle", "D4").put("b", "ger-rifle", "D3").start()
    play.do(play.assault("a", "D3"))
    assert play.hex("D3") in play.state.melees


@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "1.10.p8", "17.0.p2")
@pytest.mark.parametrize(("dice", "morale"), [((3, 2, 1, 1), SHAKEN), ((6, 1, 1, 1), BROKEN)])
def test_lost_nerve_is_marked(table, dice, morale):
    board = table(LONG).put("a", "us-hmg", "D6").put("b", "ger-rifle", "D3")
    play = board.start()
    play.dice(*dice).fire("a", "b")
    assert play.state.morale[play["b"]] == morale


@pytest.mark.example("ost", "1.10.e1")
@pytest.mark.rule("ost", "1.10.p10")
def test_the_owner_of_a_control_hex_is_marked(table):
    place = (ControlHex(hex="D5", name="Barn"),)
    board = table(LONG).put("a", "us-rifle", "D6").put("b", "ger-sergeant", "H1")
    play = board.scenario(control=place, victory=Victory()).start()
    news = play.move("a", "D5")
    assert "ControlTaken" in kinds(news)
    assert play.state.control == [US]


# --- mounting losses -------------------------------------------------------------------------


MOUNTING = pytest.mark.rule("ost", "1.7.p2", "1.7.p3")


@pytest.mark.border("ost", "1")
@pytest.mark.parametrize(
    ("lost", "less"),
    [
        (4, 0),
        pytest.param(5, 1, marks=MOUNTING),
        pytest.param(9, 1, marks=MOUNTING),
        pytest.param(10, 2, marks=MOUNTING),
        pytest.param(12, 2, marks=MOUNTING),
    ],
)
def test_twelve_points_lost_cost_two_impulses(table, lost, less):
    play = field(table).points(6, 9).start()
    play.state.loss_points[US] = lost
    play.out(6, 6, 1, 1, 3, 1)
    assert play.state.impulses[US] == 3 + 5 - less
