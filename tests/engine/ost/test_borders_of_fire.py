"""Both sides of the borders of chapters 26 to 33: landings, fire, both tables, melee, duels,
aircraft, artillery. Borders tested with their rules carry their mark there."""

from __future__ import annotations

import pytest

from rulesengine.contract import Illegal
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost import duel, landing_fire
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.artillery import strength
from rulesengine.rulesets.ost.charts import COLUMNS, ICT_RESULTS
from rulesengine.rulesets.ost.state import NONE
from tests.engine.ost.duels import HIT, LONG, duel_at
from tests.engine.ost.melees import NEXT_TURN
from tests.engine.ost.test_airborne import planned, stick
from tests.engine.ost.test_artillery import OPEN, call, guns, struck
from tests.engine.ost.test_gliders import glider
from tests.engine.ost.test_tank_duel import duel as fought
from tests.engine.ost.test_tank_duel import meet
from tests.engine.table import GERMAN, US, find, kinds

OST = ruleset("ost")
N, S = 0, 3


def hold(play):
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())


def may(play, action):
    """Whether the side that owes a decision may do it."""
    return OST.refuse(OST.view(play.state, play.owed), action) is None


# --- 26: from the air ----------------------------------------------------------------------------


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(("other", "fits"), [("J11", False), ("J10", True)])
def test_four_hexes_between_two_aircraft_not_three(table, other, fits):
    board = planned(table, "J15", other)
    board.falls = (1, 1, 1, 1)
    if fits:
        assert find(board.start().log, x.FlightsPlanned)
    else:
        with pytest.raises(Illegal, match=r"26\.2\.3"):
            board.start()


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(("at", "asked"), [("J13", True), ("J12", True), ("J11", False)])
def test_who_is_next_to_a_landing_or_under_it_may_fire(table, at, asked):
    play = stick(table, falls=(1, 1)).put("b", "ger-rifle", at).start()
    assert (play.wants == "fire at a landing") == asked


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(
    ("kind", "reduced", "power"),
    [("ger-rifle", False, 2), ("ger-rifle", True, 1), ("ger-smg", False, 3)],
)
def test_fire_at_a_landing_is_halved_last_and_down(table, kind, reduced, power):
    """4 and 6, and 2 reduced, with one more for being next to it: 5 to 2, 7 to 3, 3 to 1."""
    play = stick(table, falls=(1, 1)).put("b", kind, "J12", reduced=reduced).start()
    assert landing_fire.force(play.state, play["b"], NONE, play["a"])[1].value == power


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(("start", "edge", "ends"), [("J5", False, "J1"), ("J4", True, "J1")])
def test_a_run_of_four_hexes_ends_at_the_edge(table, start, edge, ends):
    """The drift takes it one hex north of where it is set up."""
    at = f"J{int(start[1:]) + 1}"
    play = glider(table, at=at, falls=(1, 1, 1, 1, 1)).start()
    down = find(play.log, x.GliderDown)
    assert play.state.ground.name(find(play.log, x.GliderReleased).hex) == start
    assert (down.edge, play.state.ground.name(down.hex)) == (edge, ends)
    assert len(down.path) == (3 if edge else 4)


# --- 27: what changes an attack ------------------------------------------------------------------


@pytest.mark.border("ost", "27")
@pytest.mark.parametrize(
    ("kind", "reduced", "morale", "brush", "power"),
    [
        ("us-rifle", False, "good order", 2, 2),
        ("us-rifle", False, "shaken", 2, 1),
        ("us-rifle", False, "shaken", 1, 1),
        ("us-rifle", False, "shaken", 0, 2),
        ("us-straggler", True, "good order", 2, 1),
    ],
)
def test_halving_comes_after_what_degrades_and_one_is_left(
    table, kind, reduced, morale, brush, power
):
    """4 less 1 is 3, halved 1; 4 less 2 is 2, halved 1; and never nothing."""
    rows = ("..", "b." if brush > 0 else "..", "b." if brush > 1 else "..", "..", "..")
    board = table(rows).put("us", kind, "A1", reduced=reduced, morale=morale)
    play = board.put("german", "ger-rifle", "A4").start()
    assert find(play.dice(1, 1).fire("us", "german"), e.Shot).firepower == power


@pytest.mark.border("ost", "27")
@pytest.mark.parametrize(("at", "reaches"), [("C9", True), ("C10", False)])
def test_a_rifle_reaches_as_far_as_its_range(table, at, reaches):
    play = table(LONG).put("a", "us-rifle", "C3").put("b", "ger-rifle", at).start()
    assert play.state.figures(play["a"])[1] == 6
    assert may(play, play.shot("a", "b")) == reaches


@pytest.mark.border("ost", "27")
@pytest.mark.parametrize(
    ("leader", "two_at", "points", "goes"),
    [
        ("led", "C3", 2, True),
        ("led", "C4", 2, True),
        ("led", "C5", 2, False),
        ("", "C3", 2, False),
        ("led", "C3", 1, False),
    ],
)
def test_what_a_fire_group_needs(table, leader, two_at, points, goes):
    board = table(LONG).put("a", "us-rifle", "C3", leader=leader).put("c", "us-rifle", two_at)
    play = board.put("b", "ger-rifle", "C8").points(points, 1).start()
    assert may(play, play.shot("a", "b", partner="c")) == goes


@pytest.mark.border("ost", "27")
@pytest.mark.parametrize(("points", "asked"), [(1, True), (0, False)])
def test_opportunity_fire_takes_a_point(table, points, asked):
    play = table(LONG).put("a", "us-rifle", "C3").put("b", "ger-rifle", "C8").start()
    play.given(e.PointsSpent(side=GERMAN, points=play.state.impulses[GERMAN] - points))
    play.move("a", "C4")
    assert (play.wants == "opportunity fire") == asked


# --- 28: the infantry table ----------------------------------------------------------------------


@pytest.mark.border("ost", "28")
@pytest.mark.parametrize(
    ("kind", "reduced", "dice", "points", "steps"),
    [
        ("ger-rifle", False, (4, 5), 1, 1),
        ("ger-rifle", True, (4, 5), 1, 0),
        ("ger-rifle", False, (5, 6), 2, 0),
        ("ger-rifle", True, (5, 6), 1, 0),
        ("ger-mmg", False, (4, 5), 1, 1),
    ],
)
def test_what_casualties_cost(table, kind, reduced, dice, points, steps):
    """C and X of column 0."""
    board = table().put("a", "us-rifle", "C3").put("b", kind, "C5", reduced=reduced)
    play = board.put("z", "ger-rifle", "H8").start()
    shot = find(play.dice(*dice).fire("a", "b"), e.Shot)
    assert (COLUMNS[shot.column], ICT_RESULTS[shot.result]) == ("0", "C" if 4 in dice else "X")
    assert play.state.loss_points[GERMAN] == points
    assert play.steps("b") == steps


# --- 29: the vehicle table -----------------------------------------------------------------------


@pytest.mark.border("ost", "29")
@pytest.mark.parametrize(("at", "reaches"), [("A22", True), ("A23", False)])
def test_a_gun_reaches_twenty_hexes_and_no_more(table, at, reaches):
    board = table(("........",) * 26).put("a", "fra-panhard178", at, facing=N)
    play = board.put("b", "us-m4", "A2").to_move(GERMAN).start()
    assert may(play, play.salvo("a", "b")) == reaches


@pytest.mark.border("ost", "29")
@pytest.mark.parametrize(("face", "out", "points"), [(5, False, 2), (6, True, 1)])
def test_a_crew_survives_on_a_six_only(table, face, out, points):
    play = duel_at(table, "us-m4-76", facing=N).put("z", "ger-rifle", "H1").start()
    news = play.dice(*HIT, 6, 6, face).shoot("a", "b")
    assert find(news, v.CrewRolled).roll.total == face
    assert play.state.loss_points[GERMAN] == points
    assert (play.at("b") == "D3") == out


@pytest.mark.border("ost", "29")
@pytest.mark.parametrize(("face", "gone"), [(2, False), (3, True), (4, True), (5, True), (6, True)])
def test_a_second_damage_is_any_but_a_minor_one(table, face, gone):
    board = duel_at(table, "us-m4-76", facing=N, condition="machine guns out")
    play = board.put("z", "ger-rifle", "H1").start()
    news = play.dice(*HIT, 2, 3, face, 6, 6).shoot("a", "b")
    assert ("Wrecked" in kinds(news)) == gone
    assert play.state.loss_points[GERMAN] == gone


@pytest.mark.border("ost", "29")
@pytest.mark.parametrize(
    ("turned", "shots", "change"), [(False, 1, 0), (False, 2, 1), (True, 1, -1), (True, 2, -1)]
)
def test_what_changes_the_roll_to_hit(table, turned, shots, change):
    """An acquired target, a vehicle that has spun where it stands; its second shot is intensive."""
    play = duel_at(table).put("z", "ger-rifle", "H1").start()
    if turned:
        play.drive("a", ("D7", 1))
        play.idle()
    for _ in range(shots):
        hit = find(play.dice(1, 2).shoot("a", "b"), v.HitRolled)
        if play.wants == "an impulse" and play.owed == GERMAN:
            play.idle()
    assert hit.total == 3 + change


# --- 30: melee -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize(("enemies", "offered"), [(1, False), (2, True)])
def test_one_against_two_may_concentrate(table, enemies, offered):
    board = table().put("us", "us-rifle", "C3").put("away", "ger-rifle", "H8")
    for number in range(enemies):
        board.put(f"g{number}", "ger-rifle", "C4", morale="broken")
    play = board.points(1, 1).start()
    play.do(play.assault("us", "C4"))
    play.dice(*(() if offered else (1, 1, 1, 1, *NEXT_TURN)))
    play.out()
    assert (play.wants == "concentrate the attack or not") == offered


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize(("face", "slips"), [(4, False), (5, True)])
def test_a_leader_alone_slips_away_on_a_five(table, face, slips):
    board = table().put("us", "us-rifle", "C3").put("him", "ger-sergeant", "C4")
    play = board.put("away", "ger-rifle", "H8").points(1, 1).start()
    play.do(play.assault("us", "C4"))
    play.out()
    rest = (*NEXT_TURN,) if slips else (1, 1, 1, 1, *NEXT_TURN)
    play.dice(face, *rest).do(a.Evade(unit=play["him"], to=play.hex("C5")))
    assert (play.at("him") == "C5") == slips


# --- 31: duels -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize(
    ("first", "second", "flank"), [((4, 4), (2, 3), False), ((4, 4), (2, 2), True)]
)
def test_a_first_shot_won_by_three_meets_the_front_by_four_the_flank(table, first, second, flank):
    news = fought(meet(table), *first, *second, 1, 1, 1, 1)
    shots = [event for event in news if isinstance(event, v.VehicleShot)]
    assert [shot.flank for shot in shots] == [flank, False]
    assert shots[0].defense == (2 if flank else 7)


@pytest.mark.border("ost", "31")
def test_a_tie_for_the_first_shot_is_rolled_again(table):
    opened = find(fought(meet(table), 3, 4, 4, 3, 4, 4, 4, 3, 1, 1, 1, 1), v.DuelOpened)
    assert len(opened.rolls) == 4
    assert opened.totals == (8, 7)


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize(
    ("ap", "shaken", "power"),
    [(7, False, 9), (7, True, 5), (6, True, 5), (1, True, 2), (0, False, 3), (0, True, 2)],
)
def test_the_firepower_of_a_duel(ap, shaken, power):
    """Half of 7 is 3, of 1 nothing; two more after it. Without AP it is 1."""
    assert duel.firepower(ap, shaken=shaken).value == power


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize(
    ("leader", "shaken", "first", "shot"),
    [(False, False, 0, 0), (True, False, 1, 1), (False, True, -1, -1), (True, True, 0, 0)],
)
def test_what_changes_both_rolls_of_a_duel(leader, shaken, first, shot):
    assert duel.first_shot(armor_leader=leader, shaken=shaken).value == first
    assert duel.roll_modifiers(armor_leader=leader, shaken=shaken).value == shot


@pytest.mark.border("ost", "31")
@pytest.mark.rule("ost", "31.0.2")
@pytest.mark.parametrize(
    ("morale", "totals"),
    [("good order", (8, 7)), ("shaken", (7, 8)), ("broken", (8, 7))],
)
def test_only_the_shaken_roll_one_less_for_the_first_shot(table, morale, totals):
    """The defender rolls 8 to 7; shaken he has 7 to the same 8 of the other, who rolls one more."""
    board = table().put("us", "us-m4", "D4", facing=N, morale=morale)
    board.put("german", "ger-pz4g", "D3", facing=S).put("far", "us-rifle", "A8")
    play = board.put("away", "ger-rifle", "H1").to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    theirs = (4, 4) if morale == "shaken" else (4, 3)
    news = play.out(4, 4, *theirs, *(1, 1) * 2)
    assert find(news, v.DuelOpened).totals == totals


# --- 32, 33: from the air and from afar ----------------------------------------------------------


@pytest.mark.border("ost", "32")
@pytest.mark.parametrize(
    ("other", "goes"), [("C5", True), ("D4", True), ("C6", False), ("C4", False)]
)
def test_an_air_strike_is_on_two_hexes_that_touch(table, other, goes):
    play = table(OPEN).put("eyes", "us-rifle", "C11").air(US).put("b", "ger-rifle", "C4").start()
    order = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex(other))
    assert may(play, order) == goes


@pytest.mark.border("ost", "32")
@pytest.mark.parametrize(("at", "hit"), [("C4", True), ("C5", True), ("C6", False), ("C3", False)])
def test_both_hexes_are_struck_with_the_same_and_no_other(table, at, hit):
    play = table(OPEN).put("eyes", "us-rifle", "H11").air(US).put("b", "ger-rifle", at).start()
    order = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C5"))
    news = play.dice(2, *((1, 1) if hit else ())).do(order)
    assert [event.firepower for event in struck(news)] == ([4] if hit else [])


@pytest.mark.border("ost", "32")
@pytest.mark.parametrize(
    ("morale", "points", "strikes_left", "goes"),
    [
        ("good order", 1, 1, True),
        ("shaken", 1, 1, False),
        ("good order", 0, 1, False),
        ("good order", 1, 0, False),
    ],
)
def test_what_an_air_strike_needs(table, morale, points, strikes_left, goes):
    board = table(OPEN).put("eyes", "us-rifle", "C11", morale=morale).air(US, strikes_left)
    play = board.put("b", "ger-rifle", "C4").start()
    play.given(e.PointsSpent(side=US, points=play.state.impulses[US] - points))
    order = a.AirStrike(spotter=play["eyes"], hex=play.hex("C4"), other=play.hex("C5"))
    assert may(play, order) == goes


@pytest.mark.border("ost", "33")
@pytest.mark.parametrize(("power", "around"), [(6, 3), (5, 2), (8, 4), (3, 1)])
def test_half_of_a_strike_is_rounded_down(power, around):
    assert strength(power, outer=False).value == power
    assert strength(power, outer=True).value == around


@pytest.mark.border("ost", "33")
@pytest.mark.parametrize(
    ("kind", "sign", "defense"),
    [
        ("ger-rifle", ".", 4),
        ("ger-rifle", "w", 3),
        ("ger-rifle", "o", 3),
        ("ger-mmg", "w", 3),
        ("ger-pz4g", ".", 2),
        ("ger-pz4g", "w", 4),
    ],
)
def test_shells_burst_over_men_not_over_tanks(table, kind, sign, defense):
    """A tank keeps the two points of the wood."""
    rows = list(OPEN)
    rows[3] = f"..{sign}........."
    play = guns(table, rows=tuple(rows), at="H11").put("b", kind, "C4", facing=N).start()
    news = play.dice(4, 1, 1).do(call(play, "C4"))
    assert struck(news)[0].defense == defense


@pytest.mark.border("ost", "33")
@pytest.mark.parametrize(("distance", "lost"), [(3, False), (4, True)])
def test_a_drift_to_the_last_hex_falls_and_beyond_it_is_lost(table, distance, lost):
    """North from C4."""
    play = guns(table).start()
    news = play.dice(1, 1, distance).do(call(play, "C4"))
    drifted = find(news, s.Drifted)
    assert (drifted.hex == NONE) == lost
    assert ("StrikeFell" in kinds(news)) != lost
