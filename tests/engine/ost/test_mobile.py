"""Mobile troops (OST 6.2): motorcycles and cavalry move far, but heavy ground stops them."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost.catalogue import BY_KEY, CREW_OF, TYPES
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.kinds import CATEGORY, CREWED, GUN, LEADER, MOBILE, TRAITS
from tests.engine.table import GERMAN, Hexsides, Road, find, kinds

FIELD = ("..........",) * 9


def patrol(table, sign=".", *, start="C6", road="", other="us-rifle", bocage=False, **more):
    """A motorcycle squad, two hexes in front of it a hex of some terrain, an American far off."""
    rows = (*FIELD[:3], f"..{sign}.......", *FIELD[:5])
    ground = {"roads": (Road(hexes=road),)} if road else {}
    if bocage:
        ground["hexsides"] = (Hexsides(kind="bocage", sides=("C5/N",)),)
    board = table(rows, **ground).put("a", "ger-motorcycle", start, **more)
    return board.put("z", other, "J9").to_move(GERMAN).start()


@pytest.mark.rule("ost", "6.2.1", "6.2.6")
def test_they_move_far_at_the_costs_of_foot(table):
    play = patrol(table)
    news = play.move("a", "C5", "C4", "C3", "C2", "C1", "D1", "E1")
    assert find(news, t.MountedMove).units == (play["a"],)
    assert play.at("a") == "E1"
    assert "MountedMove" not in kinds(play.move("z", "J8"))


@pytest.mark.rule("ost", "6.2.1")
def test_terrain_costs_them_what_it_costs_foot(table):
    """Eight points: woods take two."""
    play = patrol(table, "w")
    news = play.move("a", "C5", "C4")
    assert [x.cost for x in news if isinstance(x, e.Entered)] == [1, 2]


@pytest.mark.rule("ost", "6.2.4")
def test_leaders_and_weapons_go_with_them(table):
    play = patrol(table, leader="l", weapon="ger-lmg")
    news = play.move("a", "C5", "C4")
    assert find(news, t.MountedMove).laden
    assert play.at("l") == play.at("a's weapon") == "C4"


STOPS = [
    pytest.param("w", "14.5.2", marks=pytest.mark.rule("ost", "6.2.2", "14.5.2")),
    pytest.param("l", "16.1.4", marks=pytest.mark.rule("ost", "6.2.2", "16.1.4")),
    pytest.param("h", "16.2.4", marks=pytest.mark.rule("ost", "6.2.2", "16.2.4")),
    pytest.param("u", "16.5.5", marks=pytest.mark.rule("ost", "6.2.2", "16.5.5")),
    pytest.param("s", "6.2.3", marks=pytest.mark.rule("ost", "6.2.3")),
    pytest.param("m", "6.2.3", marks=pytest.mark.rule("ost", "6.2.3")),
]


@pytest.mark.parametrize(("sign", "rule"), STOPS)
def test_what_stops_them(table, sign, rule):
    play = patrol(table, sign)
    assert play.refused(play.way("a", "C5", "C4", "C3")).rule == rule
    news = play.move("a", "C5", "C4")
    assert find(news, t.Dismounted).hex == play.hex("C4")
    assert rule in find(news, t.Dismounted).cites()


@pytest.mark.parametrize("sign", ["o", "b", "f", "t", "x", "d", "r", "c"])
def test_what_does_not_block_the_view_does_not_stop_them(table, sign):
    play = patrol(table, sign)
    news = play.move("a", "C5", "C4", "C3")
    assert "Dismounted" not in kinds(news)
    assert play.at("a") == "C3"


@pytest.mark.parametrize("sign", ["w", "l", "h", "u", "s", "m"])
def test_along_the_road_nothing_of_it_stops_them(table, sign):
    """Between houses: by the street."""
    play = patrol(table, sign, road="C6 C5 C4 C3")
    house = sign in ("l", "h", "u")
    order = play.way("a", "C5", "C4", "C3")
    if house:
        assert play.refused(order).rule in ("16.1.4", "16.2.4", "16.5.5")
    play.do(msgspec.structs.replace(order, streets=(play.hex("C4"),) if house else ()))
    assert play.at("a") == "C3"


def test_a_road_they_do_not_use_does_not_help_them(table):
    play = patrol(table, "w", road="B4 C4 D4")
    assert play.refused(play.way("a", "C5", "C4", "C3")).rule == "14.5.2"


@pytest.mark.rule("ost", "15.3.10", "6.2.2")
def test_bocage_stops_them_in_the_hex_behind_it(table):
    play = patrol(table, bocage=True)
    assert play.refused(play.way("a", "C5", "C4", "C3")).rule == "15.3.10"
    news = play.move("a", "C5", "C4")
    assert find(news, t.Dismounted).what == "bocage"


def test_bocage_stops_them_on_a_road_as_well(table):
    play = patrol(table, road="C6 C5 C4 C3", bocage=True)
    assert play.refused(play.way("a", "C5", "C4", "C3")).rule == "15.3.10"


def test_other_squads_go_through_all_of_it(table):
    rows = (*FIELD[:3], "..w.......", *FIELD[:5])
    play = table(rows).put("a", "ger-rifle", "C5").put("z", "us-rifle", "J9").to_move(GERMAN)
    play = play.start()
    play.move("a", "C4", "C3")
    assert play.at("a") == "C3"


def test_a_group_with_them_in_it_stops_where_they_do(table):
    rows = (*FIELD[:3], "..w.......", *FIELD[:5])
    board = table(rows).put("a", "ger-rifle", "C5", leader="l").put("b", "ger-motorcycle", "C5")
    play = board.put("z", "us-rifle", "J9").to_move(GERMAN).start()
    assert play.refused(play.way("a", "C4", "C3", partner="b")).rule == "14.5.2"


@pytest.mark.rule("ost", "6.2.5")
def test_they_neither_ride_on_vehicles_nor_walk_behind_them(table):
    board = table(FIELD).put("v", "ger-pz4h", "C6").put("a", "ger-motorcycle", "C6")
    play = board.put("z", "us-rifle", "J9").to_move(GERMAN).start()
    assert play.refused(play.boarding("a", "v")).rule == "6.2.5"
    rolling = a.RollingCover(
        unit=play["a"], vehicle=play["v"], path=(play.hex("C5"),), facings=(0,)
    )
    assert play.refused(rolling).rule == "6.2.5"


def test_the_doctrine_sends_them_no_farther_than_they_go(table):
    """Woods all along the way: whatever it orders is lawful."""
    rows = ("wwwwwwwwww",) * 9
    board = table(rows).put("a", "ger-motorcycle", "C6").put("z", "us-rifle", "J1")
    play = board.to_move(GERMAN).start()
    rules = play.battle.ruleset
    doctrine = Sensible(play.state, GERMAN)
    ordered = []
    while play.owed == GERMAN or len(ordered) < 4:
        if play.owed == GERMAN:
            view = rules.view(play.state, GERMAN)
            ordered.append(doctrine.choose(view, rules.awaiting(play.state)[0]))
            play.do(ordered[-1])
        else:
            play.idle()
    assert any(isinstance(action, a.Move) for action in ordered)


def test_nobody_becomes_mobile_or_a_leader():
    """The state lists both once, before the battle."""
    lost = [BY_KEY[t.becomes] for t in TYPES if t.becomes]
    guns = [kind for kind, traits in enumerate(TRAITS) if traits & GUN]
    crews = [CREW_OF[kind] for kind, what in enumerate(CATEGORY) if what == CREWED]
    for kind in (*lost, *guns, *crews):
        assert not TRAITS[kind] & MOBILE, TYPES[kind].key
        assert CATEGORY[kind] != LEADER, TYPES[kind].key
    assert len(lost) > 5
    assert len(guns) > 5
    assert len(crews) > 5
