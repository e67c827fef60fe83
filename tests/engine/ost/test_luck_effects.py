"""Luck cards one by one (OST 3.3, 32): the book's example, and what each of ours does."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import luck_against, luck_own
from rulesengine.rulesets.ost import luck_events as x
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.state import BROKEN, CARD, GOOD, MAIN_OUT, MGS_OUT, SHAKEN
from rulesengine.rulesets.ost.vehicles import FLANK
from tests.engine.ost.test_luck_cards import LOW, WIDE, board, struck
from tests.engine.table import CARD as CODE
from tests.engine.table import GERMAN, US, find, kinds

OST = ruleset("ost")


# --- the example of the book ---------------------------------------------------------------------


@pytest.mark.example("ost", "3.3.e2")
@pytest.mark.example("ost", "3.3.e1")
@pytest.mark.rule("ost", "3.3.3", "32.0.6", "32.0.8")
def test_a_strafing_run_strikes_everybody_in_three_hexes_with_four(table):
    made = board(table, us=("strafing-run",)).put("c", "ger-rifle", "C4", leader="boss")
    play = made.put("tank", "ger-pz4h", "C2").start()
    news = play.dice(*(1, 1) * 3).do(play.card("strafing-run", "C4", "C3", "C2"))
    found = {event.target: event for event in struck(news)}
    assert set(found) == {play["b"], play["c"], play["tank"]}
    assert {event.firepower for event in found.values()} == {4}
    assert found[play["tank"]].defense == FLANK[play.state.kind[play["tank"]]]
    assert play.owed == US
    play.move("a", "C7")


@pytest.mark.example("ost", "3.3.e1")
@pytest.mark.border("ost", "3")
def test_it_is_a_straight_line_that_is_seen(table):
    rows = list(WIDE)
    rows[5] = "wwwwwwwwwwww"
    play = board(table, us=("strafing-run",)).start()
    assert "line" in play.refused(play.card("strafing-run", "C4", "C3", "D3")).why
    assert "line" in play.refused(play.card("strafing-run", "C4", "C3", "C4")).why
    blind = board(table, us=("strafing-run",), rows=tuple(rows)).start()
    assert "sees" in blind.refused(blind.card("strafing-run", "C4", "C3", "C2")).why
    seen = blind.card("strafing-run", "C6", "C5", "C4")
    assert OST.refuse(OST.view(blind.state, US), seen) is None


def test_it_does_not_spare_friends_and_brings_houses_down(table):
    rows = list(WIDE)
    rows[3] = "..l........."
    made = board(table, us=("strafing-run",), rows=tuple(rows)).put("near", "us-rifle", "C5")
    news = made.start()
    told = news.dice(1, 1, 5, 1, 1).do(news.card("strafing-run", "C5", "C4", "C3"))
    assert [event.target for event in struck(told)] == [news["near"], news["b"]]
    assert find(told, f.CollapseRolled).falls


@pytest.mark.parametrize(
    ("key", "hexes"),
    [
        ("strafing-run", ("C2", "C3", "C4")),
        ("strafing-run", ("C3", "C2", "C1")),
        ("fighter-bombers", ("C4", "C3")),
        ("stray-shells", ("C3",)),
    ],
)
def test_no_card_strikes_a_melee(table, key, hexes):
    play = board(table, us=(key,)).put("x", "us-rifle", "C4").start()
    play.do(play.assault("x", "C3"))
    if play.wants != "an impulse":
        play.do(a.KeepCard())
    play.idle()
    assert "melee" in play.refused(play.card(key, *hexes)).why


def test_no_card_strikes_what_is_not_played_on(table):
    play = board(table, us=("stray-shells",))
    play.map = msgspec.structs.replace(play.map, in_play="A3:L12")
    made = play.start()
    assert made.refused(made.card("stray-shells", "C2")).rule == "3.1.2"
    assert all(OST.refuse(OST.view(made.state, US), x) is None for x in offers(made))


def offers(play):
    return list(luck_own.offers(OST.view(play.state, US)))


# --- air strikes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "power"),
    [
        pytest.param(1, 4, marks=pytest.mark.rule("ost", "32.0.p2")),
        pytest.param(2, 4, marks=pytest.mark.rule("ost", "32.0.p2")),
        pytest.param(3, 6, marks=pytest.mark.rule("ost", "32.0.p3")),
        pytest.param(5, 6, marks=pytest.mark.rule("ost", "32.0.p3")),
        pytest.param(6, 8, marks=pytest.mark.rule("ost", "32.0.p4")),
    ],
)
def test_the_pilot_is_worth_what_the_die_says(table, face, power):
    play = board(table).air(US).put("c", "ger-rifle", "C2").start()
    strike = a.AirStrike(spotter=play["a"], hex=play.hex("C3"), other=play.hex("C2"))
    news = play.dice(face, *(1, 1) * 2).do(strike)
    assert [event.firepower for event in struck(news)] == [power, power]


@pytest.mark.rule("ost", "32.0.p1", "32.0.1", "32.0.3")
def test_fighter_bombers_are_an_air_strike_without_a_point(table):
    play = board(table, us=("fighter-bombers",)).start()
    before = play.state.impulses[US]
    assert "side by side" in play.refused(play.card("fighter-bombers", "C3", "C5")).why
    news = play.dice(6, 1, 1).do(play.card("fighter-bombers", "C3", "C4"))
    assert find(news, s.PilotRolled).firepower == 8
    assert (play.state.impulses[US], play.state.sorties) == (before, [0, 0])


def test_fighter_bombers_leave_the_strikes_of_the_scenario_alone(table):
    play = board(table, us=("fighter-bombers",)).air(US, 2).start()
    play.dice(1, 1, 1).do(play.card("fighter-bombers", "C3", "C4"))
    assert play.state.sorties == [2, 0]


@pytest.mark.rule("ost", "32.0.7", "32.0.9", "32.0.10")
def test_walls_shelter_from_aircraft_and_fall_and_leaders_roll(table):
    rows = list(WIDE)
    rows[2] = "..l........."
    made = table(tuple(rows)).put("a", "us-rifle", "C8").air(US)
    play = made.put("b", "ger-rifle", "C3", leader="boss").start()
    strike = a.AirStrike(spotter=play["a"], hex=play.hex("C3"), other=play.hex("C2"))
    news = play.dice(3, 4, 4, 6, 1).do(strike)  # 8 in the column +1: a casualty
    blast = struck(news)[0]
    assert (COLUMNS[blast.column], blast.defense) == ("+1", 5)
    assert find(news, e.LeaderRolled).leader == play["boss"]
    assert find(news, f.CollapseRolled).hex == play.hex("C3")


# --- one's own impulse -------------------------------------------------------------------------


def shaken(play, name, now=SHAKEN):
    play.given(e.GutChecked(unit=play[name], result=1, roll=LOW, needed=7, now=now))


@pytest.mark.parametrize("now", [SHAKEN, BROKEN])
def test_second_wind(table, now):
    play = board(table, us=("second-wind",)).start()
    play.refused(play.card("second-wind", on="a"))
    shaken(play, "a", now)
    play.refused(play.card("second-wind", on="b"))
    play.do(play.card("second-wind", on="a"))
    assert play.state.morale[play["a"]] == GOOD


def test_quick_spades(table):
    play = board(table, us=("quick-spades",)).start()
    play.do(play.card("quick-spades", on="a"))
    assert play.hex("C8") in play.state.works
    again = board(table, us=("quick-spades",)).work(US, "trench", "C8").start()
    again.refused(again.card("quick-spades", on="a"))


def test_once_more(table):
    play = board(table, us=("once-more",)).start()
    play.refused(play.card("once-more", on="a"))
    play.move("a", "C7")
    play.do(a.HoldFire())
    play.do(play.card("once-more", on="a"))
    play.idle()
    assert play.state.acts(play["a"]) == 0
    play.move("a", "C6")


def test_spare_parts_and_pulled_free(table):
    made = board(table, us=("spare-parts", "pulled-free")).put("tank", "us-m4", "C9")
    play = made.start()
    tank = play["tank"]
    play.refused(play.card("spare-parts", on="tank"))
    play.refused(play.card("pulled-free", on="tank"))
    play.state.damage[tank] = MAIN_OUT | MGS_OUT
    play.state.bogged[tank] = True
    play.do(play.card("spare-parts", on="tank"))
    assert play.state.damage[tank] == MGS_OUT
    play.do(play.card("pulled-free", on="tank"))
    assert not play.state.bogged[tank]


def test_one_more_mission(table):
    play = board(table, us=("one-more-mission",)).battery(US, missions=1).start()
    play.refused(play.card("one-more-mission", battery=1))
    play.do(play.card("one-more-mission", battery=0))
    assert play.state.missions[US] == [2]


def test_smoke_pots(table):
    play = board(table, us=("smoke-pots", "smoke-pots")).start()
    play.do(play.card("smoke-pots", "C5"))
    assert play.state.smoke == {play.hex("C5"): 1}
    play.refused(play.card("smoke-pots", "C5"))


@pytest.mark.parametrize(("dice", "now"), [((3, 3), SHAKEN), ((3, 4), GOOD)])
def test_panic(table, dice, now):
    play = board(table, us=("panic",)).start()
    play.dice(*dice).do(play.card("panic", on="b"))
    assert play.state.morale[play["b"]] == now


@pytest.mark.parametrize(("face", "dead"), [(1, True), (2, False)])
def test_marksman(table, face, dead):
    made = table(WIDE).put("a", "us-rifle", "C8").put("b", "ger-rifle", "C3", leader="boss")
    play = made.hand(("marksman",)).start()
    play.refused(play.card("marksman", on="b"))
    play.dice(face).do(play.card("marksman", on="boss"))
    assert (play.state.steps[play["boss"]] == 0) == dead


def test_grenades(table):
    made = board(table, us=("grenades",)).put("c", "ger-rifle", "C7")
    play = made.start()
    play.refused(play.card("grenades", on="b"))
    news = play.dice(1, 1).do(play.card("grenades", on="c"))
    assert [(blast.target, blast.firepower) for blast in struck(news)] == [(play["c"], 4)]


def test_stray_shells(table):
    play = board(table, us=("stray-shells",)).put("c", "ger-rifle", "C3").start()
    news = play.dice(*(1, 1) * 2).do(play.card("stray-shells", "C3"))
    assert [blast.firepower for blast in struck(news)] == [3, 3]


def test_spotter_plane(table):
    made = board(table, us=("spotter-plane",)).put("c", "ger-rifle", "H3", hidden=True)
    play = made.put("d", "ger-rifle", "K3", hidden=True).start()
    play.do(play.card("spotter-plane", "H4"))
    assert not play.state.hidden[play["c"]]
    assert play.state.hidden[play["d"]]


@pytest.mark.parametrize(("points", "left"), [(5, 3), (3, 1), (2, 1)])
def test_tangled_wires_leave_a_point(table, points, left):
    play = board(table, us=("tangled-wires",)).points(4, points).start()
    play.do(play.card("tangled-wires"))
    assert play.state.impulses[GERMAN] == left


def test_the_enemy_without_points_has_none_to_lose(table):
    play = board(table, us=("tangled-wires",)).points(4, 1).start()
    play.refused(play.card("tangled-wires"))


# --- against the enemy ---------------------------------------------------------------------------


def against(table, card, **more):
    return board(table, german=(card,), **more)


@pytest.mark.rule("ost", "3.3.3")
def test_jammed(table):
    play = against(table, "jammed").start()
    before = play.state.impulses[US]
    play.fire("a", "b")
    assert (play.wants, play.owed) == ("a luck card, or none", GERMAN)
    news = play.do(play.card("jammed"))
    assert "Shot" not in kinds(news)
    assert (play.state.fired[play["a"]], play.state.impulses[US]) == (1, before - 1)
    assert (play.wants, play.owed) == ("an impulse", GERMAN)


def test_mortars_jam_as_well(table):
    made = against(table, "jammed")
    made.put("m", "us-rifle", "D9", weapon="us-mortar-60")
    play = made.start()
    shell = a.HexFire(unit=play["m"], weapon=play["m's weapon"], hex=play.hex("C3"))
    assert "OrderHeld" in kinds(play.do(shell))
    assert "Blasted" not in kinds(play.do(play.card("jammed")))
    assert play.state.fired[play["m"]] == 1


def test_a_tank_at_a_building_does_not_jam_but_a_gun_does():
    order = a.Demolish(unit=0, hex=0)
    for kind, jams in (("ger-flak36", True), ("us-m7-priest", False)):
        state = SimpleNamespace(kind=[BY_KEY[kind]])
        assert (luck_against.CARDS["jammed"].why_not(state, GERMAN, order) == "") is jams


def test_who_plays_none_lets_it_happen(table):
    play = against(table, "jammed").start()
    play.fire("a", "b")
    news = play.dice(1, 1).do(a.KeepCard())
    assert "Shot" in kinds(news)
    assert play.state.cards[GERMAN] == [CODE["jammed"]]


def test_only_what_the_card_is_for_is_held(table):
    play = against(table, "jammed").start()
    assert "OrderHeld" not in kinds(play.move("a", "C7"))


def test_second_thoughts(table):
    play = against(table, "second-thoughts").start()
    play.move("a", "C7", "C6")
    play.do(play.card("second-thoughts"))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert play.state.ground.name(play.state.hex[play["a"]]) == "C7"
    assert play.state.moved[play["a"]]


def test_a_move_of_one_hex_needs_no_second_thoughts(table):
    play = against(table, "second-thoughts").start()
    play.move("a", "C7")
    assert play.wants != "a luck card, or none"


@pytest.mark.parametrize(("dice", "moves"), [((5, 4), False), ((1, 1), True)])
def test_trip_wire(table, dice, moves):
    play = against(table, "trip-wire").start()
    play.move("a", "C7")
    news = play.dice(*dice).do(play.card("trip-wire"))
    assert struck(news)[0].firepower == 3
    assert ("Entered" in kinds(news)) == moves
    assert play.state.moved[play["a"]]


def test_cold_engine(table):
    play = against(table, "cold-engine").put("tank", "us-m4", "C9").start()
    play.drive("tank", ("C10", 0))
    play.do(play.card("cold-engine"))
    assert play.state.ground.name(play.state.hex[play["tank"]]) == "C9"
    assert play.state.moved[play["tank"]]


def test_wrong_map_and_flak(table):
    play = against(table, "wrong-map").battery(US, missions=2).start()
    play.do(a.CallArtillery(spotter=play["a"], battery=0, hex=play.hex("C3")))
    news = play.do(play.card("wrong-map"))
    assert not struck(news)
    assert play.state.missions[US] == [1]
    play = against(table, "flak").air(US).start()
    play.do(a.AirStrike(spotter=play["a"], hex=play.hex("C3"), other=play.hex("C4")))
    assert not struck(play.do(play.card("flak")))
    assert play.state.sorties[US] == 0


def test_lost_voice(table):
    play = against(table, "lost-voice").start()
    shaken(play, "a")
    play.do(a.Rally(unit=play["a"]))
    play.do(play.card("lost-voice"))
    assert play.state.morale[play["a"]] == SHAKEN


def test_a_held_order_is_told_to_nobody(table):
    play = against(table, "jammed").start()
    held = find(play.fire("a", "b"), x.OrderHeld)
    assert [OST.narrate(play.state, held, side) for side in (US, GERMAN, -1)] == [None] * 3
    assert OST.narrate(play.state, held, None) is not None
    assert play.state.frames[-1].kind == CARD
