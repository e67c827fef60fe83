"""Rolling cover (OST 23.2): a squad that moves, and is shot at, behind an armoured vehicle."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import transport_events as t
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.movement import allowance
from rulesengine.rulesets.ost.state import OFF
from tests.engine.ost.duels import HIT
from tests.engine.table import GERMAN, US, find, kinds

FIELD = ("..........",) * 9
SHELTER = (*FIELD[:3], "..w.......", *FIELD[:5])
QUIET = (6, 6, 1, 1, 1, 1)


def pair(table, unit="us-rifle", vehicle="us-m4", *, rows=FIELD, morale="", h="C6", **ground):
    """A squad and a vehicle in one hex, and a German far off."""
    shaky = {"morale": morale} if morale else {}
    board = table(rows, **ground).put("v", vehicle, h).put("a", unit, h, **shaky)
    return board.put("z", "ger-rifle", "J1")


def way(play, *hexes, facings=None, unit="a", vehicle="v"):
    return a.RollingCover(
        unit=play[unit],
        vehicle=play[vehicle],
        path=tuple(play.hex(h) for h in hexes),
        facings=facings or (0,) * len(hexes),
    )


@pytest.mark.rule("ost", "23.2.p1", "23.2.1", "23.2.2")
def test_squad_and_vehicle_move_together_for_two_points_and_need_no_leader(table):
    play = pair(table).start()
    points = play.state.impulses[US]
    news = play.do(way(play, "C5", "C4"))
    assert find(news, t.RollingDeclared).units == (play["a"], play["v"])
    assert (play.at("a"), play.at("v")) == ("C4", "C4")
    assert play.state.impulses[US] == points - 2
    assert play.state.moved[play["a"]]
    assert play.state.moved[play["v"]]
    assert play.state.rolling == {play["a"]: play["v"]}


def test_leaders_of_both_come_along(table):
    board = table(FIELD).put("v", "us-m4", "C6", leader="al").put("a", "us-rifle", "C6", leader="l")
    play = board.put("z", "ger-rifle", "J1").start()
    play.do(way(play, "C5"))
    assert {play.at(c) for c in ("a", "v", "l", "al")} == {"C5"}


@pytest.mark.rule("ost", "23.2.p1")
@pytest.mark.parametrize(("unit", "vehicle"), [
    ("us-mmg", "us-m4"),
    ("us-sniper", "us-m4"),
    ("us-rifle", "us-truck"),
])  # fmt: skip
def test_it_takes_a_squad_and_an_armored_vehicle(table, unit, vehicle):
    play = pair(table, unit, vehicle).start()
    assert play.refused(way(play, "C5")).rule == "23.2.p1"


def test_a_reduced_squad_will_do(table):
    board = table(FIELD).put("v", "us-m4", "C6").put("a", "us-rifle", "C6", reduced=True)
    play = board.put("z", "ger-rifle", "J1").start()
    play.do(way(play, "C5"))
    assert play.at("a") == "C5"


@pytest.mark.rule("ost", "23.2.2")
def test_one_of_the_two_has_to_be_in_good_order(table):
    play = pair(table, morale="shaken").start()
    play.do(way(play, "C5"))
    assert play.at("a") == "C5"
    board = table(FIELD).put("v", "us-m4", "C6", morale="shaken")
    play = board.put("a", "us-rifle", "C6", morale="shaken").put("z", "ger-rifle", "J1").start()
    assert play.refused(way(play, "C5")).rule == "23.2.2"
    play = pair(table).points(1, 9).start()
    assert play.refused(way(play, "C5")).rule == "23.2.2"


def test_a_broken_squad_stays(table):
    play = pair(table, morale="broken").start()
    assert play.refused(way(play, "C5")).rule == "17.3.2"


@pytest.mark.example("ost", "23.2.e1")
@pytest.mark.rule("ost", "23.2.3")
def test_they_go_as_far_as_the_slower_and_start_in_one_hex(table):
    play = pair(table).start()
    assert [allowance(play.state, play[c]) for c in "av"] == [4, 6]
    assert play.refused(way(play, "C5", "C4", "C3", "C2", "C1")).rule == "23.2.3"
    play.do(way(play, "C5", "C4", "C3", "C2"))
    assert play.at("v") == "C2"
    board = table(FIELD).put("v", "us-m4", "C6").put("a", "us-rifle", "C7")
    play = board.put("z", "ger-rifle", "J1").start()
    assert play.refused(way(play, "C5")).rule == "23.2.3"


@pytest.mark.rule("ost", "23.2.4")
def test_costs_are_those_of_foot_but_the_vehicle_rolls_for_bog(table):
    play = pair(table, rows=SHELTER).start()
    news = play.dice(6).do(way(play, "C5", "C4", "C3"))
    assert [x.cost for x in news if isinstance(x, e.Entered)] == [1, 2, 1]
    assert find(news, v.BogRolled).unit == play["v"]
    assert play.at("v") == "C3"


def test_who_bogs_stops_both(table):
    play = pair(table, rows=SHELTER).start()
    news = play.dice(1).do(way(play, "C5", "C4", "C3"))
    assert find(news, v.BogRolled).bogged
    assert (play.at("a"), play.at("v")) == ("C4", "C4")


@pytest.mark.rule("ost", "23.2.4")
def test_both_must_be_able_to_go_there(table):
    rows = (*FIELD[:4], "..h.......", *FIELD[:4])
    play = pair(table, rows=rows).start()
    assert play.refused(way(play, "C5")).rule == "23.2.4"


def test_backwards_takes_a_point_more_and_a_step_turns_by_one_side(table):
    play = pair(table).start()
    assert play.refused(way(play, "C7", "C8", "C9")).rule == "23.2.3"
    assert play.refused(way(play, "C5", facings=(2,))).rule == "23.4.5"
    assert play.refused(way(play, "C5", "C4", facings=(0,))).rule == "23.4.5"
    play.do(way(play, "C7", "C8"))
    assert play.at("a") == "C8"


def test_the_vehicle_turns_as_it_arrives(table):
    play = pair(table).start()
    play.do(way(play, "C5", "C4", facings=(1, 2)))
    assert play.state.facing[play["v"]] == 2


@pytest.mark.rule("ost", "23.2.5", "23.2.6")
def test_both_fire_by_themselves_never_as_a_group_and_the_squad_is_one_better(table):
    board = table(FIELD).put("v", "us-m4", "C6").put("a", "us-rifle", "C6", leader="l")
    play = board.put("z", "ger-rifle", "C2").start()
    play.do(way(play, "C5"))
    play.do(a.HoldFire())
    shot = play.dice(1, 2).fire("z", "a")
    assert find(shot, e.Shot).defense == 5
    assert play.refused(play.shot("a", "z", partner="v")).rule == "23.2.5"
    play.dice(1, 2, 1, 2).shoot("v", "z", "z")
    play.idle()
    assert find(play.dice(1, 2).fire("a", "z"), e.Shot).target == play["z"]


def test_the_terrain_counts_too(table):
    play = pair(table, rows=SHELTER, h="C5").put("b", "ger-rifle", "C2").start()
    play.dice(6).do(way(play, "C4"))
    assert play.wants == "opportunity fire"
    shot = play.dice(1, 2).fire("b", "a")
    assert find(shot, e.Shot).defense == 4 + 1 + 2


@pytest.mark.rule("ost", "23.2.7", "24.4.p2")
def test_fire_that_hits_the_vehicle_comes_upon_the_squad_and_who_suffers_stops_both(table):
    play = pair(table).put("b", "ger-pak40", "C1", facing=3).start()
    play.do(way(play, "C5", "C4"))
    news = play.dice(*HIT, 1, 1, 6, 6, 1, 1).fire("b", "v")
    due = find(news, t.CollateralDue)
    assert due.walking
    assert COLUMNS[find(news, f.Blasted).column] == "-5"
    assert find(news, e.MoveStopped).why == "fire"
    assert (play.at("a"), play.at("v")) == ("C5", "C5")


def test_unhurt_they_go_on(table):
    play = pair(table).put("b", "ger-pak40", "C1", facing=3).start()
    play.do(way(play, "C5", "C4"))
    news = play.dice(*HIT, 1, 1, 1, 1).fire("b", "v")
    assert "MoveStopped" not in kinds(news)
    assert play.at("a") == "C4"


def test_with_the_vehicle_gone_so_is_its_cover(table):
    play = pair(table).put("b", "ger-pak40", "C1", facing=3).start()
    play.do(way(play, "C5", "C4"))
    news = play.dice(*HIT, 6, 5, 1, 1, 1).fire("b", "v")
    assert find(news, t.CollateralDue).lost
    assert not play.state.rolling
    assert play.at("a") == "C5"
    assert play.state.hex[play["v"]] == OFF


def test_shells_strike_each_by_himself(table):
    board = pair(table).battery(GERMAN).put("b", "ger-rifle", "C1")
    play = board.start()
    play.do(way(play, "C5"))
    play.do(a.HoldFire())
    call = a.CallArtillery(spotter=play["b"], battery=0, hex=play.hex("C5"))
    news = play.dice(6, *(1,) * 8).do(call)
    struck = [(x.target, x.why) for x in news if isinstance(x, f.Blasted)]
    assert sorted(struck) == [(play["v"], "artillery"), (play["a"], "artillery")]


@pytest.mark.rule("ost", "23.2.8")
def test_with_a_leader_they_assault_together(table):
    board = table(FIELD).put("v", "us-m4", "C6").put("a", "us-rifle", "C6", leader="l")
    play = board.put("z", "ger-rifle", "C3").start()
    play.do(way(play, "C5", "C4"))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    play.idle()
    news = play.do(play.assault("a", "C3", "v"))
    assert find(news, t.CoverKept).unit == play["a"]
    assert play.state.rolling
    board = pair(table).put("b", "ger-rifle", "C5")
    play = board.start()
    assert play.refused(play.assault("a", "C5", "v")).rule == "25.0.8"


@pytest.mark.rule("ost", "23.2.9")
def test_it_lasts_until_it_is_given_up_or_they_part(table):
    play = pair(table).start()
    play.do(way(play, "C5"))
    play.out(*QUIET)
    assert play.state.rolling
    points = play.state.impulses[US]
    news = play.do(a.LeaveCover(unit=play["a"]))
    assert find(news, t.CoverLeft).vehicle == play["v"]
    assert not play.state.rolling
    assert play.state.impulses[US] == points
    assert play.owed == US
    assert play.refused(a.LeaveCover(unit=play["a"])).rule == "23.2.9"
    play = pair(table).start()
    play.do(way(play, "C5"))
    play.out(*QUIET)
    play.drive("v", ("C4", 0))
    assert not play.state.rolling


@pytest.mark.rule("ost", "23.2.10")
def test_bad_nerve_does_not_end_it_but_shortens_the_way(table):
    play = pair(table, morale="shaken").start()
    assert play.refused(way(play, "C5", "C4", "C3")).rule == "23.2.3"
    news = play.do(way(play, "C5", "C4"))
    assert find(news, t.RollingDeclared).shaky
    assert play.state.rolling
    play = pair(table).put("b", "ger-rifle", "C2").start()
    play.do(way(play, "C5"))
    play.dice(6, 5, 1, 1).fire("b", "a")
    assert play.morale("a") == "broken"
    play.idle()
    shot = play.dice(1, 2).fire("b", "a")
    assert find(shot, e.Shot).defense == 5


def test_hidden_enemies_halt_it(table):
    play = pair(table).put("b", "ger-rifle", "C4", hidden=True).start()
    news = play.do(way(play, "C5", "C4"))
    while play.wants == "opportunity fire" and "MoveStopped" not in kinds(news):
        news += play.do(a.HoldFire())
    assert find(news, e.MoveStopped).why == "hidden enemy"
    assert play.at("v") == "C5"


def test_orders_that_cannot_be_are_refused_with_their_rules(table):
    play = pair(table).put("b", "ger-rifle", "C5").start()
    assert play.refused(way(play, "C5")).rule == "23.0.8"
    assert play.refused(way(play, "C4")).rule == "23.0.p1"
    board = pair(table).put("c", "us-rifle", "C5")
    play = board.start()
    assert play.refused(way(play, "C5")).rule == "20.0.4"
    assert play.refused(msgspec.structs.replace(way(play, "C5"), path=())).rule == "23.4.5"


@pytest.mark.rule("ost", "23.2.3")
def test_they_may_come_back_to_where_they_were(table):
    play = pair(table).start()
    play.do(way(play, "C5", "C6"))
    assert (play.at("a"), play.at("v")) == ("C6", "C6")
