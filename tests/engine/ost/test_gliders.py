"""Glider landings (OST 26.4): drift, the way along the ground, crashes, who is in the hex."""

from __future__ import annotations

import pytest

from rulesengine.contract import Illegal
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.scenario import Hexsides, Options, Road
from rulesengine.rulesets.ost.state import OFF, SHAKEN
from tests.engine.ost.test_airborne import PLAIN, QUIET, all_of, terrain, where
from tests.engine.table import GERMAN, US, find, kinds

BENIGN = (*QUIET, *QUIET)


def glider(table, *, rows=PLAIN, falls, names=("a",), at="J15", turn=0, kinds_of=(), **ground):
    board = table(rows, **ground)
    for number, name in enumerate(names):
        board.put(name, kinds_of[number] if kinds_of else "us-airborne-rifle")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.flies(US, ("glider", at, tuple(names)), turn=turn, heading="")
    board.falls = falls
    return board


def columns(play):
    return [COLUMNS[event.column] for event in all_of(play, f.Blasted)]


# --- the worked example ------------------------------------------------------------------------


@pytest.mark.example("ost", "26.4.d1")
@pytest.mark.rule("ost", "26.4.2", "26.4.4", "26.4.8")
def test_the_example_of_the_diagram(table):
    """Three north, then to the second side, into the trees of the second hex: one squad suffers
    a casualty, the other is shaken."""
    board = glider(
        table,
        rows=terrain(L11="w"),
        names=("a", "b"),
        falls=(1, 3, 2, 5, 6, 4, 4, 1, 1, 1, 1),
    )
    play = board.start()
    released = find(play.log, x.GliderReleased)
    assert (play.state.ground.name(released.hex), released.facing) == ("J12", 1)
    down = find(play.log, x.GliderDown)
    assert [play.state.ground.name(h) for h in down.path] == ["K11", "L11"]
    assert (down.why, down.wreck) == ("heavy terrain", False)
    assert columns(play) == ["-3", "-3"]
    assert play.state.steps[play["a"]] == 1
    assert play.state.morale[play["b"]] == SHAKEN


# --- drift and run -----------------------------------------------------------------------------


@pytest.mark.rule("ost", "26.4.1", "26.4.3", "26.4.5")
def test_it_drifts_with_its_load_and_runs_four_hexes(table):
    play = glider(table, falls=(4, 2, 1, *QUIET)).start()
    assert play.state.ground.name(find(play.log, x.GliderReleased).hex) == "J17"
    assert [play.state.ground.name(h) for h in find(play.log, x.GliderDown).path] == [
        "J16",
        "J15",
        "J14",
        "J13",
    ]
    assert where(play, "a") == "J13"


@pytest.mark.rule("ost", "26.4.9", "26.4.10")
def test_who_lands_well_may_still_be_hurt(table):
    play = glider(table, names=("a", "b"), falls=(1, 1, 1, 6, 6, *QUIET)).start()
    assert columns(play) == ["-5", "-5"]
    assert play.state.steps[play["a"]] == 1
    assert play.state.wrecks == {play.hex("J10"): 1}


@pytest.mark.rule("ost", "26.4.12")
@pytest.mark.parametrize(
    ("at", "dice", "released", "ends"),
    [
        ("J3", (1, 6, 4), "J1", "J5"),  # the drift ends at the edge
        ("J5", (1, 2, 1), "J3", "J1"),  # the run does
        ("J1", (1, 1, 1), "J1", "J1"),  # both do
    ],
)
def test_the_edge_of_the_map_stops_it(table, at, dice, released, ends):
    play = glider(table, at=at, falls=(*dice, *QUIET)).start()
    assert play.state.ground.name(find(play.log, x.GliderReleased).hex) == released
    assert where(play, "a") == ends


def test_at_the_edge_the_ground_it_stands_on_counts(table):
    play = glider(table, rows=terrain(J1="l"), at="J1", falls=(1, 1, 1, *QUIET)).start()
    assert (find(play.log, x.GliderDown).why, columns(play)) == ("heavy terrain", ["-3"])


# --- crashes -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "26")
@pytest.mark.rule("ost", "26.4.6")
@pytest.mark.parametrize(("face", "why"), [(1, "terrain"), (2, "terrain"), (3, ""), (6, "")])
def test_other_ground_wrecks_it_on_one_or_two(table, face, why):
    play = glider(table, rows=terrain(J13="b"), falls=(1, 1, 1, face, *QUIET)).start()
    assert find(play.log, x.CrashRolled).roll.total == face
    down = find(play.log, x.GliderDown)
    assert down.why == why
    assert where(play, "a") == ("J13" if why else "J10")
    assert columns(play) == (["-3"] if why else ["-5"])


@pytest.mark.parametrize("sign", "whlu")
def test_woods_and_structures_wreck_it_without_a_roll(table, sign):
    play = glider(table, rows=terrain(J12=sign), falls=(1, 1, 1, *QUIET)).start()
    assert where(play, "a") == "J12"
    assert not all_of(play, x.CrashRolled)


@pytest.mark.parametrize("sign", "ofbcmsxd")
def test_what_does_not_block_sight_is_rolled_for(table, sign):
    play = glider(table, rows=terrain(J12=sign), falls=(1, 1, 1, 6, *QUIET)).start()
    assert len(all_of(play, x.CrashRolled)) == 1


def test_roads_and_open_ground_are_free(table):
    road = Road(hexes="J14 J13 J12 J11 J10")
    play = glider(table, roads=(road,), falls=(1, 1, 1, *QUIET)).start()
    assert not all_of(play, x.CrashRolled)


@pytest.mark.border("ost", "26")
@pytest.mark.rule("ost", "26.4.7")
@pytest.mark.parametrize(("face", "ends"), [(2, "J12"), (3, "J10")])
def test_a_hexside_is_rolled_for_and_the_crash_is_behind_it(table, face, ends):
    wall = Hexsides(kind="stone wall", sides=("J13/N",))
    play = glider(table, hexsides=(wall,), falls=(1, 1, 1, face, *QUIET)).start()
    rolled = find(play.log, x.CrashRolled)
    assert (rolled.hexside, rolled.hex) == (True, play.hex("J12"))
    assert where(play, "a") == ends


def test_a_hexside_before_ground_that_is_rolled_for_takes_no_second_roll(table):
    wall = Hexsides(kind="hedge", sides=("J13/N",))
    board = glider(table, rows=terrain(J12="b"), hexsides=(wall,), falls=(1, 1, 1, 3, *QUIET))
    rolls = all_of(board.start(), x.CrashRolled)
    assert [r.hexside for r in rolls] == [False]


@pytest.mark.parametrize("option", [False, True])
def test_bocage_wrecks_it_unless_the_option_rolls(table, option):
    bank = Hexsides(kind="bocage", sides=("J13/N",))
    dice = (1, 1, 1, 6, *QUIET) if option else (1, 1, 1, *QUIET)
    board = glider(table, hexsides=(bank,), falls=dice)
    if option:
        board.scenario(options=Options(gliders_roll_for_bocage=True))
    play = board.start()
    assert where(play, "a") == ("J10" if option else "J12")


@pytest.mark.rule("ost", "26.4.11")
@pytest.mark.parametrize(
    ("sign", "stays"), [("w", False), ("l", False), ("h", False), ("u", False), ("b", True)]
)
def test_a_glider_is_a_wreck_but_in_structures_and_woods(table, sign, stays):
    roll = () if sign in "wlhu" else (1,)
    play = glider(table, rows=terrain(J13=sign), falls=(1, 1, 1, *roll, *QUIET)).start()
    assert bool(play.state.wrecks) == stays
    assert bool(play.state.veils) == stays


def test_each_unit_of_the_load_is_attacked_and_leaders_with_theirs(table):
    board = table(terrain(J13="w")).put("a", "us-airborne-rifle", leader="with")
    board.put("b", "us-mmg").put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.flies(US, ("glider", "J15", ("a", "with", "b")), heading="")
    board.falls = (1, 1, 1, 6, 5, 1, *QUIET)
    play = board.start()
    assert columns(play) == ["-3", "-3"]
    assert play.state.hex[play["with"]] == OFF


# --- friends and enemies -----------------------------------------------------------------------


@pytest.mark.rule("ost", "26.4.13")
def test_friends_do_not_stop_it(table):
    board = glider(table, falls=(1, 1, 1, *QUIET)).put("x", "us-rifle", "J12")
    assert where(board.put("y", "us-rifle", "J12").start(), "a") == "J10"


@pytest.mark.rule("ost", "26.4.14")
def test_enemies_wreck_it_and_it_comes_to_a_melee(table):
    board = glider(table, falls=(1, 1, 1, *QUIET)).put("b", "ger-rifle", "J12")
    play = board.start()
    assert (where(play, "a"), columns(play)) == ("J12", ["-3"])
    assert play.state.melees == {play.hex("J12"): US}
    assert kinds(play.log).index("Blasted") < kinds(play.log).index("MeleeMarked")
    assert play.refused(play.way("a", "J13")).rule == "30.1.3"


@pytest.mark.rule("ost", "13.3.1", "26.4.14")
def test_mines_go_off_under_a_glider_among_enemies(table):
    """And there is no melee if they leave nobody."""
    board = glider(table, falls=(1, 1, 1, *QUIET, 6, 6)).work(GERMAN, "mines", "J12")
    play = board.put("x", "ger-rifle", "J12").start()
    assert all_of(play, f.Blasted)[-1].why == "mines"
    assert play.state.hex[play["a"]] == OFF
    assert not play.state.melees


@pytest.mark.rule("ost", "13.6.5")
def test_a_jeep_out_of_a_glider_leaves_no_wire_standing(table):
    board = glider(table, falls=(1, 1, 1, *QUIET), kinds_of=("us-jeep",))
    play = board.work(GERMAN, "wire", "J10").start()
    assert where(play, "a") == "J10"
    assert play.hex("J10") not in play.state.works


def test_hidden_enemies_wreck_it_too_and_are_found(table):
    board = glider(table, falls=(1, 1, 1, *QUIET)).put("b", "ger-rifle", "J12", hidden=True)
    play = board.start()
    assert not play.state.hidden[play["b"]]
    assert play.hex("J12") in play.state.melees


def test_there_is_no_melee_if_nobody_gets_out(table):
    board = table(PLAIN).put("a", "us-airborne-rifle", reduced=True)
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1").put("b", "ger-rifle", "J12")
    board.flies(US, ("glider", "J15", ("a",)), heading="")
    board.falls = (1, 1, 1, 6, 6)
    play = board.start()
    assert play.state.hex[play["a"]] == OFF
    assert not play.state.melees
    assert play.state.loss_points == [1, 0]


@pytest.mark.rule("ost", "26.4.15")
def test_too_many_in_the_hex_and_the_owner_moves_some_on(table):
    board = glider(table, names=("a", "b"), falls=(1, 1, 1, *BENIGN)).put("x", "us-rifle", "J10")
    play = board.start()
    assert (play.wants, play.owed) == ("where a unit lands", US)
    assert play.refused(a.Land(unit=play["a"], to=play.hex("J8"))).rule == "26.4.15"
    assert play.refused(a.Land(unit=play["x"], to=play.hex("J11"))).rule == "26.4.15"
    play.do(a.Land(unit=play["b"], to=play.hex("J11")))
    assert (where(play, "a"), where(play, "b")) == ("J10", "J11")
    assert play.wants == "an impulse"


def test_two_in_the_hex_already_send_both_on(table):
    board = glider(table, names=("a", "b"), falls=(1, 1, 1, *BENIGN)).put("x", "us-rifle", "J10")
    play = board.put("y", "us-rifle", "J10").start()
    play.do(a.Land(unit=play["b"], to=play.hex("J11")))
    assert play.wants == "where a unit lands"
    play.do(a.Land(unit=play["a"], to=play.hex("J9")))
    assert play.wants == "an impulse"


# --- loads ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "26.1.2")
def test_a_gun_and_a_jeep_fly_side_by_side(table, cited):
    board = glider(
        table,
        names=("gun", "jeep"),
        kinds_of=("us-57mm", "us-jeep"),
        falls=(1, 1, 2, *BENIGN),
    )
    board.aboard.append(("gun", "jeep"))
    with pytest.raises(Illegal) as caught:
        board.start()
    cited.take(caught.value)
    assert caught.value.refusal.rule == "26.1.2"


def test_a_gun_faces_the_way_the_glider_came_and_a_jeep_is_hit_as_a_vehicle(table):
    board = glider(
        table, names=("gun", "jeep"), kinds_of=("us-57mm", "us-jeep"), falls=(1, 1, 2, *BENIGN)
    )
    play = board.start()
    gun, jeep = all_of(play, f.Blasted)
    assert (gun.vehicle, jeep.vehicle) == (False, True)
    assert play.state.facing[play["gun"]] == play.state.facing[play["jeep"]] == 1
    assert columns(play) == ["-5", "-5"]


@pytest.mark.rule("ost", "26.1.4")
def test_the_order_of_the_load_changes_nothing(table):
    falls = (1, 1, 1, *BENIGN)
    one = glider(table, names=("a", "b"), falls=falls).start()
    two = glider(table, names=("b", "a"), falls=falls).start()
    assert {where(one, n) for n in "ab"} == {where(two, n) for n in "ab"} == {"J10"}


@pytest.mark.rule("ost", "26.4.16")
def test_reinforcements_by_glider_have_moved(table):
    play = glider(table, turn=1, falls=(1, 1, 1, *QUIET)).start()
    assert play.refused(play.way("a", "J11")).rule == "23.0.1"


def test_before_the_battle_they_have_not(table):
    play = glider(table, falls=(1, 1, 1, *QUIET)).start()
    play.move("a", "J11")
    assert where(play, "a") == "J11"


@pytest.mark.rule("ost", "26.2.6")
def test_nobody_fires_at_gliders(table):
    board = glider(table, falls=(1, 1, 1, *QUIET)).put("b", "ger-hmg", "K12")
    play = board.start()
    assert not [event for event in play.log if isinstance(event, (e.Shot, x.LandingFireOwed))]
    assert play.state.side[play["b"]] == GERMAN


@pytest.mark.rule("ost", "30.1.4")
@pytest.mark.parametrize("turn", [0, 1])
def test_the_melee_of_a_glider_is_closed_until_it_has_been_fought(table, turn):
    """Whether it came down before the battle or in its first turn."""
    board = glider(table, falls=(), turn=turn).put("enemy", "ger-rifle", "J12")
    board.put("near", "us-rifle", "J13")
    landing = (1, 1, 1, *QUIET)
    board.falls = landing
    play = board.start()
    assert play.state.melees == {play.hex("J12"): US}
    assert play.refused(play.assault("near", "J12")).rule == "30.1.4"
    play.out(1, 1, 1, 1, *(6, 6, 1, 1, 1, 1))
    assert play.hex("J12") in play.state.melees
    play.do(play.assault("near", "J12"))


def test_a_glider_that_comes_down_in_a_melee_joins_it_and_does_not_begin_it(table):
    """The Germans assaulted; their attack it stays, with one more on the other side."""
    board = glider(table, falls=(), turn=2)
    board.put("us", "us-rifle", "J12").put("enemy", "ger-rifle", "J11")
    play = board.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("enemy", "J12"))
    # Nothing comes of the first round; then the drift, the way down, and who is shaken in it.
    play.out(1, 1, 1, 1, 1, 1, 1, *QUIET, *(6, 6, 1, 1, 1, 1))
    assert where(play, "a") == "J12"
    assert play.state.turn == play.scenario.turns - 1
    assert play.state.melees == {play.hex("J12"): GERMAN}
    assert not any(event.crash for event in all_of(play, e.MeleeMarked))
