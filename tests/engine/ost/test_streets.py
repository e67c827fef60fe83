"""Road and house in one hex: OST 16.6, and what 12.7 has of it."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import street_events as s
from rulesengine.rulesets.ost.carriage import in_street
from rulesengine.rulesets.ost.field_events import Blasted
from rulesengine.rulesets.ost.questions import MovementCost
from rulesengine.rulesets.ost.streets import best_streets, sensible_move
from tests.engine.ost.towns import OST, marks_of, told, town, walk, way
from tests.engine.table import GERMAN, US, Hexsides, find, kinds

# --- the choice ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "16.6.1", "16.6.2", "12.7.4")
def test_who_keeps_to_the_street_pays_for_the_road_and_says_so(table):
    play = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    news = walk(play, "a", "C3", streets=("C3",))
    assert find(news, e.Entered).cost == 1
    taken = find(news, s.StreetTaken)
    assert "keeps to the street" in told(play, taken, GERMAN).text
    assert in_street(play.state, play["a"])


@pytest.mark.rule("ost", "16.6.3")
def test_who_goes_into_the_house_pays_two_and_says_so(table):
    play = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    news = walk(play, "a", "C3")
    assert find(news, e.Entered).cost == 2
    assert "into the house" in told(play, find(news, s.WentIndoors), GERMAN).text
    assert not in_street(play.state, play["a"])


@pytest.mark.parametrize("street", [True, False])
def test_across_a_field_the_street_costs_as_the_hex(table, street):
    """14.13.4: it is not entered by the road."""
    play = town(table).put("a", "us-rifle", "B4").put("g", "ger-rifle", "H8").start()
    news = walk(play, "a", "C3", streets=("C3",) if street else ())
    assert find(news, e.Entered).cost == 2
    assert in_street(play.state, play["a"]) is street


@pytest.mark.parametrize(
    ("streets", "fits"),
    [
        ((), False),
        (("C3",), False),
        (("C4",), False),
        (("C3", "C4"), True),
        (("C3", "C4", "C5"), True),
    ],
)
def test_four_points_reach_through_a_row_of_houses_only_by_the_street(table, streets, fits):
    """Houses 2 + 2 + 2; each hex of the street saves a point."""
    play = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    path = ("C3", "C4", "C5")
    if fits:
        walk(play, "a", *path, streets=streets)
        assert play.at("a") == "C5"
    else:
        assert play.refused(way(play, "a", *path, streets=streets)).rule == "23.0.4"


@pytest.mark.parametrize("where", ["C2", "B3", "C6"])
def test_only_hexes_of_the_way_with_road_and_house_have_a_street(table, where):
    play = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    assert play.refused(way(play, "a", "C3", streets=(where,))).rule == "16.6.1"
    assert play.refused(a.Move(unit=play["a"], path=(play.hex("C3"),), streets=(9999,))).rule


@pytest.mark.rule("ost", "16.6.4")
def test_street_and_house_share_the_room_of_the_hex(table):
    field = town(table).put("a", "us-rifle", "C3", street=True).put("b", "us-rifle", "C3")
    play = field.put("c", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    for streets in ((), ("C3",)):
        assert play.refused(way(play, "c", "C3", streets=streets)).rule == "20.0.4"


@pytest.mark.rule("ost", "16.6.5", "12.7.5")
def test_a_move_that_ends_in_the_street_leaves_a_marker_until_the_unit_goes(table):
    play = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    news = walk(play, "a", "C3", "C4", streets=("C3", "C4"))
    marked = find(news, s.MarkedOnRoad)
    assert marked.hex == play.hex("C4")
    assert kinds(news)[-2:] == ["MoveEnded", "ImpulseGiven"]
    assert "on road" in marks_of(play, "a", GERMAN)
    play.out(1, 2, 3, 1, 1, 1, 1)
    assert "on road" in marks_of(play, "a"), "it stays from turn to turn"
    while play.owed != US:
        play.idle()
    news = walk(play, "a", "C5")
    assert "on road" not in marks_of(play, "a")
    assert "MarkedOnRoad" not in kinds(news)


def test_who_passes_through_the_street_into_a_house_is_not_marked(table):
    play = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    news = walk(play, "a", "C3", "C4", streets=("C3",))
    assert "MarkedOnRoad" not in kinds(news)
    assert not in_street(play.state, play["a"])


# --- what shelters -------------------------------------------------------------------------------


@pytest.mark.parametrize(("street", "defense"), [(True, 4), (False, 6)])
def test_the_house_shelters_nobody_in_the_street(table, street, defense):
    field = town(table).put("a", "us-rifle", "C3", street=street).put("g", "ger-rifle", "E4")
    play = field.to_move(GERMAN).start()
    shot = find(play.dice(1, 1).fire("g", "a"), e.Shot)
    assert shot.defense == defense


@pytest.mark.parametrize(("streets", "defense"), [(("C3",), 4), ((), 6)])
def test_opportunity_fire_meets_a_unit_where_it_goes(table, streets, defense):
    field = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "E4")
    play = field.start()
    walk(play, "a", "C3", streets=streets, hold=False)
    assert play.wants == "opportunity fire"
    assert find(play.dice(1, 1).fire("g", "a"), e.Shot).defense == defense


def test_two_units_of_a_hex_may_be_one_in_the_street_and_one_in_the_house(table):
    field = town(table).put("a", "us-rifle", "C3", street=True).put("b", "us-rifle", "C3")
    play = field.put("g", "ger-rifle", "E4").put("k", "ger-rifle", "E4").to_move(GERMAN).start()
    assert find(play.dice(1, 1).fire("g", "a"), e.Shot).defense == 4
    play.idle()
    assert find(play.dice(1, 1).fire("k", "b"), e.Shot).defense == 6


def test_a_hedge_shelters_the_street_too(table):
    hedge = (Hexsides(kind="hedge", sides=("C3/SE",)),)
    field = town(table, hexsides=hedge).put("a", "us-rifle", "C3", street=True)
    play = field.put("g", "ger-rifle", "E4").to_move(GERMAN).start()
    assert find(play.dice(1, 1).fire("g", "a"), e.Shot).defense == 5


def test_bocage_shelters_the_street_and_adds_nothing_to_the_house(table):
    bocage = (Hexsides(kind="bocage", sides=("C3/SE",)),)
    for street, defense in ((True, 6), (False, 6)):
        field = town(table, hexsides=bocage).put("a", "us-rifle", "C3", street=street)
        play = field.put("g", "ger-rifle", "D4").to_move(GERMAN).start()
        assert find(play.dice(1, 1).fire("g", "a"), e.Shot).defense == defense


def test_a_house_beside_bocage_is_shut_in_but_its_street_is_not(table):
    bocage = (Hexsides(kind="bocage", sides=("C3/SE",)),)
    for street in (True, False):
        field = town(table, hexsides=bocage).put("a", "us-rifle", "C3", street=street)
        play = field.put("g", "ger-rifle", "E4").to_move(GERMAN).start()
        if street:
            assert find(play.dice(1, 1).fire("g", "a"), e.Shot).defense == 6
        else:
            assert play.refused(play.shot("g", "a")).rule == "12.2.1"


@pytest.mark.parametrize(("street", "against"), [(True, 4), (False, 6)])
def test_shells_find_who_is_in_the_street_without_shelter(table, street, against):
    field = town(table).put("a", "us-rifle", "C3", street=street).put("g", "ger-rifle", "E4")
    play = field.battery(GERMAN).to_move(GERMAN).start()
    play.dice(6, 1, 1, *(1,) * 8)
    news = play.do(a.CallArtillery(spotter=play["g"], battery=0, hex=play.hex("C3")))
    assert find(news, Blasted).defense == against


@pytest.mark.parametrize("street", [True, False])
def test_a_rocket_is_fired_at_men_in_the_house_not_at_those_in_the_street(table, street):
    field = town(table).put("a", "us-rifle", "E4", weapon="us-bazooka")
    play = field.put("g", "ger-rifle", "C3", street=street).start()
    if street:
        assert play.refused(play.shot("a", "g", weapon="a's weapon")).rule == "10.1.2"
    else:
        assert "Shot" in kinds(play.dice(1, 1).fire("a", "g", weapon="a's weapon"))


@pytest.mark.parametrize("street", [True, False])
def test_back_blast_strikes_in_the_house_and_not_in_the_street(table, street):
    field = town(table).put("a", "us-rifle", "C3", street=street, weapon="us-bazooka")
    play = field.put("g", "ger-pz4h", "E4").start()
    play.dice(1, 1, *(() if street else (6, 6)))
    assert ("BlownBack" in kinds(play.fire("a", "g", weapon="a's weapon"))) is not street


@pytest.mark.parametrize("street", [True, False])
def test_a_mortar_fires_from_the_street_and_not_from_the_house(table, street):
    field = town(table).put("a", "us-rifle", "C3", street=street, weapon="us-mortar-60")
    play = field.put("g", "ger-rifle", "G5").start()
    fire = a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex("G5"))
    if street:
        assert "HexFireDeclared" in kinds(play.dice(6, 1, 1).do(fire))
    else:
        assert play.refused(fire).rule == "10.3.15"


def test_who_is_in_the_street_of_a_tall_house_looks_from_the_ground(table):
    levels = ("00000000", "00000000", "00200000", *("00000000",) * 5)
    for street, bonus in ((True, 0), (False, 1)):
        field = town(table, levels=levels).put("a", "us-rifle", "C3", street=street)
        play = field.put("g", "ger-rifle", "E4").start()
        shot = find(play.dice(1, 1).fire("a", "g"), e.Shot)
        assert shot.total - sum(shot.roll.faces) == bonus


def test_a_vehicle_beside_a_tall_house_looks_from_the_ground(table):
    levels = ("00000000", "00000000", "00200000", *("00000000",) * 5)
    play = town(table, levels=levels).put("t", "us-m4", "C3").put("g", "ger-rifle", "E4").start()
    shot = find(play.dice(1, 1).shoot("t", mg="g"), e.Shot)
    assert shot.total == sum(shot.roll.faces)


# --- setting up, leaders, company ----------------------------------------------------------------


def test_a_side_sets_up_in_the_street_if_it_says_so(table):
    field = town(table).put("a", "us-rifle", "C3", street=True, leader="boss")
    play = field.put("g", "ger-rifle", "H8").start()
    taken = find(play.log, s.StreetTaken)
    assert taken.at_start
    assert "sets up in the street" in told(play, taken, GERMAN).text
    assert in_street(play.state, play["a"])
    assert in_street(play.state, play["boss"])


def test_where_hidden_men_are_is_told_to_nobody(table):
    field = town(table).put("a", "us-rifle", "C3", street=True, hidden=True)
    play = field.put("g", "ger-rifle", "H8").start()
    taken = find(play.log, s.StreetTaken)
    assert told(play, taken, GERMAN) is None
    assert told(play, taken, -1) is None
    assert told(play, taken, US) is not None


@pytest.mark.parametrize("kind", ["us-rifle", "us-m4"])
def test_a_unit_is_set_up_in_a_street_only_on_foot_and_where_one_is(table, kind):
    at = "C2" if kind == "us-rifle" else "C3"
    play = town(table).put("g", "ger-rifle", "H8").put("a", kind, at, street=True)
    with pytest.raises(Exception, match=r"16\.6\.1"):
        play.start()


def test_a_leader_stays_where_his_unit_was_when_he_leaves_it(table):
    field = town(table).put("a", "us-rifle", "C3", street=True, leader="boss")
    play = field.put("b", "us-rifle", "C3").put("g", "ger-rifle", "H8").start()
    play.out(1, 2, 3, 1, 1, 1, 1)
    assert play.wants == "reform"
    play.do(a.Detach(leader=play["boss"]))
    assert in_street(play.state, play["boss"])
    play.do(a.Attach(leader=play["boss"], unit=play["b"]))
    assert not in_street(play.state, play["boss"]), "now he is with those in the house"


def test_a_group_keeps_together(table):
    field = town(table).put("a", "us-rifle", "C2", leader="boss").put("b", "us-rifle", "C2")
    play = field.put("g", "ger-rifle", "H8").start()
    walk(play, "a", "C3", streets=("C3",), partner="b")
    assert all(in_street(play.state, play[n]) for n in ("a", "b", "boss"))


# --- questions, doctrine -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("streets", "points", "rule"),
    [
        pytest.param((), 2, "16.6.3", marks=pytest.mark.rule("ost", "16.6.3")),
        pytest.param(("C3",), 1, "16.6.2", marks=pytest.mark.rule("ost", "16.6.2")),
    ],
)
def test_a_question_about_movement_tells_street_from_house(ask, table, streets, points, rule):
    answer = ask(MovementCost(map=town(table).map, path=("C2", "C3"), streets=streets))
    assert answer.value == points
    assert rule in answer.rules


def test_a_question_refuses_a_street_where_there_is_none(ask, table):
    with pytest.raises(Exception, match="streets"):
        ask(MovementCost(map=town(table).map, path=("C2", "C3"), streets=("C2",)))


@pytest.mark.parametrize(
    ("path", "points", "streets"),
    [
        (("C3",), 1, ()),
        (("C3", "C4"), 4, ()),
        (("C3", "C4"), 3, ("C3",)),
        (("C3", "C4"), 2, ("C3", "C4")),
        (("C3", "C4", "C5", "C6"), 4, ("C3", "C4", "C5")),
        (("C3", "C4", "C5", "C6"), 7, ()),
    ],
)
def test_a_sensible_player_keeps_to_the_street_only_where_points_are_short(
    table, path, points, streets
):
    play = town(table).put("a", "us-rifle", "C2").put("g", "ger-rifle", "H8").start()
    ground = play.state.ground
    hexes = tuple(play.hex(h) for h in path)
    found = best_streets(ground, play.hex("C2"), hexes, points)
    assert tuple(ground.name(h) for h in found) == streets


def test_a_sensible_motorcycle_does_not_stop_in_the_first_house(table):
    field = town(table).put("m", "ger-motorcycle", "C2").put("u", "us-rifle", "H8")
    play = field.to_move(GERMAN).start()
    path = tuple(play.hex(h) for h in ("C3", "C4", "C5"))
    move = sensible_move(play.state, play["m"], path)
    assert move.path == path
    assert OST.refuse(OST.view(play.state, GERMAN), move) is None
