"""What a scenario sheet says: victory conditions, rolls before a turn, the part of the map in play,
cavalry charges. OST 2.1, 3.1, 30.2.6."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.contract import Illegal
from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import melee_events as m
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.deployment import objectives
from rulesengine.rulesets.ost.goal_events import BatteryRolled, GoalMet
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.scenario import Battery, Goal, Need
from tests.engine.ost.battles import fight_of, key
from tests.engine.table import GERMAN, US, ControlHex, Options, Play, Victory, find, kinds

OST = ruleset("ost")
NEXT_TURN = (1, 2, 3, 4, 1, 1)
SHORT = Options(extended_play=False)
TOWN = tuple(ControlHex(hex=h, name=h, owner="german") for h in ("C2", "D2", "E2"))


def goal(*needs, side="us", when="end", name="The goal"):
    return Goal(name=name, side=side, needs=needs, when=when)


def aim(table, *goals, turns=1, otherwise=msgspec.UNSET, control=TOWN, rows=None, **points):
    victory = Victory(goals=goals, otherwise=otherwise, **points)
    board = table(rows) if rows else table()
    return board.scenario(victory=victory, turns=turns, options=SHORT, control=control)


def finish(play, *dice):
    """The battle to its end, nobody doing anything."""
    news = play.out(*dice)
    return find([*play.log[: play.mark], *news], e.BattleEnded)


# --- what can be asked for -----------------------------------------------------------------------


@pytest.mark.parametrize(("taken", "wins"), [(1, False), (2, True), (3, True)])
@pytest.mark.rule("ost", "3.1.9")
def test_control_of_so_many_hexes_of_a_group(table, taken, wins):
    board = aim(table, goal(Need(kind="control", hexes="C2, D2, E2", at_least=2)))
    for number, hex_ in enumerate(("C3", "D3", "E3")[:taken]):
        board.put(f"a{number}", "us-rifle", hex_)
    play = board.put("g", "ger-sergeant", "H8").start()
    for number, hex_ in enumerate(("C2", "D2", "E2")[:taken]):
        play.move(f"a{number}", hex_)
        if play.owed == GERMAN:
            play.idle()
    ended = finish(play)
    assert ended.winner == (US if wins else -1)
    assert (ended.how == "The goal") is wins
    play.cited.take(play.log)


def test_a_contested_hex_is_not_controlled(table):
    need = Need(kind="control", hexes="C2", at_least=1)
    board = (
        aim(table, goal(need, side="german")).put("a", "us-rifle", "C3").put("g", "ger-rifle", "C2")
    )
    play = board.start()
    play.do(play.assault("a", "C2"))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    ended = finish(play, *(1,) * 4)
    assert ended.winner == -1


@pytest.mark.parametrize(
    ("who", "at", "enemy", "wins"),
    [
        ("us-rifle", "D4", "H8", True),
        ("us-rifle", "D5", "H8", False),
        ("us-sergeant", "D4", "H8", False),
        ("us-rifle", "D4", "D4", False),
    ],
    ids=["in it", "beside it", "a leader alone", "in a melee"],
)
def test_buildings_held(table, who, at, enemy, wins):
    rows = ("........",) * 3 + ("...h....",) + ("........",) * 4
    board = aim(table, goal(Need(kind="buildings", hexes="D4", at_least=1)), rows=rows, control=())
    play = board.put("a", who, at).put("x", "us-rifle", "A1").put("g", "ger-rifle", enemy).start()
    if enemy == at:
        assert play.wants
        return
    assert finish(play).winner == (US if wins else -1)


@pytest.mark.parametrize(("leave", "wins"), [(1, False), (2, True)])
def test_units_that_leave_the_map(table, leave, wins):
    board = aim(table, goal(Need(kind="exited", at_least=2)), control=()).way_out(US, "A1:A8")
    board.put("a", "us-rifle", "A1", leader="boss").put("b", "us-rifle", "A2").put(
        "c", "us-rifle", "C8"
    )
    play = board.put("g", "ger-sergeant", "H8").start()
    for name in ("a", "b")[:leave]:
        play.do(a.Exit(unit=play[name]))
        if play.owed == GERMAN:
            play.idle()
    assert finish(play).winner == (US if wins else -1), "his leader does not count as one more"


@pytest.mark.parametrize(("points", "wins"), [(2, False), (3, True)])
def test_losses_of_the_enemy(table, points, wins):
    board = aim(table, goal(Need(kind="enemy losses", at_least=3)), control=(), per_casualty=0)
    board.put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8").put("h", "ger-rifle", "G8")
    play = board.put("k", "ger-rifle", "G7").start()
    play.given(e.Eliminated(unit=play["g"], points=2, why="destroyed"))
    if points == 3:
        play.given(e.CasualtyTaken(unit=play["h"], points=1))
    assert finish(play).winner == (US if wins else -1)


@pytest.mark.parametrize(("lost", "wins"), [(1, True), (2, False)])
def test_few_losses_of_ones_own_together_with_something_else(table, lost, wins):
    """All needs of a goal have to be met."""
    needs = (Need(kind="own losses", at_most=1), Need(kind="control", at_least=0, at_most=3))
    board = aim(table, goal(*needs), per_casualty=0).put("a", "us-rifle", "A1")
    play = board.put("b", "us-rifle", "A2").put("g", "ger-rifle", "H8").start()
    play.given(e.CasualtyTaken(unit=play["a"], points=1))
    if lost == 2:
        play.given(e.CasualtyTaken(unit=play["b"], points=1))
    assert finish(play).winner == (US if wins else -1)


def test_victory_points_as_a_goal(table):
    places = (ControlHex(hex="C2", name="C2", owner="us", at_end=4),)
    for least, wins in ((4, True), (5, False)):
        board = aim(table, goal(Need(kind="points", at_least=least)), control=places, margin=9)
        play = board.put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8").start()
        assert finish(play).winner == (US if wins else -1)


# --- when, and who wins otherwise ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "at_once", "sudden"),
    [("at once", True, True), ("turn end", False, True), ("end", False, False)],
)
@pytest.mark.rule("ost", "3.1.7")
def test_a_goal_ends_the_battle_at_once_with_the_turn_or_counts_at_the_end(
    table, when, at_once, sudden
):
    need = Need(kind="control", hexes="C2", at_least=1)
    board = aim(table, goal(need, when=when), turns=2).put("a", "us-rifle", "C3")
    play = board.put("g", "ger-crew", "H8").start()
    news = play.move("a", "C2")
    assert ("BattleEnded" in kinds(news)) is at_once
    if not at_once:
        news = play.out(*(() if sudden else NEXT_TURN))
        assert ("BattleEnded" in kinds(news)) is sudden
    if not sudden:
        news = play.out()
        assert "BattleEnded" in kinds(news)
    assert find(news, GoalMet).sudden is sudden
    assert "reach their goal" in OST.narrate(play.state, find(news, GoalMet), -1).text
    play.cited.take(news)
    if not sudden:
        early = aim(table, goal(need, when="at once")).put("a", "us-rifle", "C3")
        early.put("g", "ger-sergeant", "H8").start().move("a", "C2")


def test_opportunity_fire_can_reach_a_goal_in_mid_move(table):
    need = Need(kind="enemy losses", at_least=1)
    board = aim(table, goal(need, side="german", when="at once"), control=())
    play = (
        board.put("a", "us-rifle", "D5")
        .put("b", "us-rifle", "A1")
        .put("g", "ger-rifle", "D2")
        .start()
    )
    play.move("a", "D4")
    assert play.wants == "opportunity fire"
    news = play.dice(6, 5, 1, 1).fire("g", "a")
    assert find(news, e.BattleEnded).winner == GERMAN
    assert play.wants == "nothing"


def test_both_goals_are_a_draw(table):
    one = goal(Need(kind="control", hexes="C2", at_most=0), name="Ours")
    two = goal(Need(kind="control", hexes="C2", at_least=1), side="german", name="Theirs")
    play = aim(table, one, two).put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8").start()
    ended = finish(play)
    assert (ended.winner, ended.how) == (-1, "both sides reached a goal")


@pytest.mark.parametrize(("otherwise", "winner"), [("german", GERMAN), ("us", US)])
def test_where_no_goal_was_met_the_side_that_the_scenario_names_wins(table, otherwise, winner):
    missed = goal(Need(kind="control", hexes="C2", at_least=1))
    board = aim(table, missed, otherwise=otherwise).put("a", "us-rifle", "A1")
    ended = finish(board.put("g", "ger-rifle", "H8").start())
    assert (ended.winner, ended.how) == (winner, "the other side missed its goal")


def test_where_it_names_nobody_points_decide(table):
    places = (ControlHex(hex="C2", name="C2", owner="german", at_end=4),)
    board = aim(table, goal(Need(kind="control", at_least=1)), control=places)
    ended = finish(board.put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8").start())
    assert (ended.winner, ended.how) == (GERMAN, "victory points")


def test_a_destroyed_enemy_is_beaten_whatever_the_goals(table):
    missed = goal(Need(kind="control", hexes="C2", at_least=1), side="german")
    play = aim(table, missed).put("a", "us-rifle", "D4").put("g", "ger-rifle", "D5", reduced=True)
    play = play.start()
    news = play.dice(6, 6).fire("a", "g")
    assert find(news, e.BattleEnded).how == "all enemy units destroyed"


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (goal(), "needs something"),
        (goal(Need(kind="control", at_least=1), side="nobody"), "no side"),
        (goal(Need(kind="control")), "at_least or at_most"),
        (goal(Need(kind="control", hexes="A1", at_least=1)), "A1 is no control hex"),
        (goal(Need(kind="control", at_least=4)), "there are 3"),
        (goal(Need(kind="buildings", hexes="A1", at_least=1)), "A1 is no building"),
        (goal(Need(kind="control", hexes="Z99", at_least=1)), "Z99"),
        (goal(Need(kind="control", hexes="C2, D2", at_least=2)), ""),
    ],
)
def test_a_scenario_is_told_what_is_wrong_with_a_goal(table, broken, what):
    board = aim(table, broken).put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8")
    faults = [str(fault) for fault in check(board.document()) if "goals" in fault.where]
    assert bool(faults) is bool(what)
    assert what in " ".join(faults)


def test_a_scenario_names_a_side_that_wins_otherwise(table):
    board = aim(table, otherwise="nobody").put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8")
    assert any(fault.where == "victory.otherwise" for fault in check(board.document()))


def test_the_doctrine_goes_for_the_buildings_it_has_to_hold(table):
    rows = ("........",) * 3 + ("...h....",) + ("........",) * 4
    board = aim(table, goal(Need(kind="buildings", hexes="D4", at_least=1)), rows=rows, control=())
    play = board.put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8").start()
    assert objectives(play.state, US) == [play.hex("D4")]
    assert objectives(play.state, GERMAN) != [play.hex("D4")]


@pytest.mark.parametrize("when", ["end", "turn end", "at once"])
def test_whole_battles_with_goals_end(when):
    battle = fight_of("noville")
    sides = [side.key for side in battle.sides]
    goals = (
        goal(Need(kind="enemy losses", at_least=6), side=sides[0], when=when),
        goal(Need(kind="control", at_least=2), side=sides[1]),
    )
    victory = msgspec.structs.replace(battle.victory, goals=goals, otherwise=sides[1])
    battle = msgspec.structs.replace(battle, victory=victory)
    assert check(battle) == []
    for run in range(3):
        fought = begin(battle, Tape(key(f"goals {when}", run)))
        fight(fought)
        folded = OST.setup(battle)
        for event in fought.log:
            OST.evolve(folded, event)
        assert OST.fingerprint(folded) == OST.fingerprint(fought.state)
        assert folded.ending is not None


# --- rolls before a turn -------------------------------------------------------------------------


def on_call(table, on=4):
    board = table().put("eyes", "us-rifle", "D8").put("g", "ger-rifle", "H1")
    board.batteries[US].append(Battery(kind="artillery", missions=3, on=on))
    return board


@pytest.mark.border("ost", "2")
@pytest.mark.parametrize(("face", "ready"), [(3, False), (4, True)])
@pytest.mark.rule("ost", "2.1.p4", "3.1.7")
def test_the_scenario_may_ask_for_a_roll_before_artillery_can_be_called(table, face, ready):
    board = on_call(table)
    board.plus = (20, 20)
    play = started(board, face)
    rolled = find(play.log, BatteryRolled)
    play.cited.take(rolled)
    assert (rolled.needed, rolled.ready) == (4, ready)
    call = a.CallArtillery(spotter=play["eyes"], battery=0, hex=play.hex("D4"))
    if ready:
        assert find(play.dice(4).do(call), s.ArtilleryCalled)
    else:
        assert play.refused(call).rule == "2.1.p4"
    play.out(4, 6, 6, 1, 1, 1, 1)
    assert (US, 0) not in play.state.silent, "in the next turn it is rolled anew"


def started(board, face):
    """A table whose first turn begins with a die for the battery."""

    class Rolled(Play):
        def _deploy(self, table, side):
            if side == GERMAN:
                self.tape.faces.appendleft(face)
            super()._deploy(table, side)

    return Rolled(board)


def test_what_was_rolled_for_a_battery_is_told_to_its_side_alone(table):
    play = started(on_call(table), 5)
    rolled = find(play.log, BatteryRolled)
    assert "can be called" in OST.narrate(play.state, rolled, US).text
    assert OST.narrate(play.state, rolled, GERMAN) is None
    assert OST.narrate(play.state, rolled, -1) is None


@pytest.mark.parametrize(("on", "fine"), [(1, True), (6, True), (0, False), (7, False)])
def test_a_battery_needs_a_number_on_a_die(table, on, fine):
    assert (
        not any("2.1.p4" in str(fault) for fault in check(on_call(table, on).document()))
    ) is fine


# --- the part of the map that is played on -------------------------------------------------------

WOODY = ("........",) * 3 + (".......w",) + ("........",) * 4


def part(table, rows=None, area="B2:G7"):
    return table(rows, in_play=area) if rows else table(in_play=area)


@pytest.mark.rule("ost", "3.1.2")
def test_nobody_goes_past_the_corners_the_scenario_names(table):
    board = part(table).put("a", "us-rifle", "C3").put("t", "us-m4", "D7", facing=3)
    play = board.put("g", "ger-rifle", "G7").start()
    assert play.refused(play.way("a", "B3", "A3")).rule == "3.1.2"
    assert play.refused(play.course("t", ("D8", 3))).rule == "3.1.2"
    play.move("a", "B3")
    assert play.at("a") == "B3", "the line that is named is in play"


@pytest.mark.rule("ost", "3.1.3")
def test_beyond_the_edge_of_the_part_in_play_one_still_sees(table, ask):
    """H4 is out of play, and its woods stand all the same between G3 and G5's neighbours."""
    inside = ask(LineOfSight(map=part(table, WOODY).map, start="G2", end="G7"))
    plain = ask(LineOfSight(map=table(WOODY).map, start="G2", end="G7"))
    assert inside.value == plain.value
    ground = part(table, WOODY, "A1:G8").map
    across = ask(LineOfSight(map=ground, start="G3", end="H6"))
    assert "3.1.3" in ask(LineOfSight(map=ground, start="H3", end="H6")).rules
    assert across.value == ask(LineOfSight(map=table(WOODY).map, start="G3", end="H6")).value


def test_shells_that_drift_out_of_play_are_lost(table):
    board = part(table).put("eyes", "us-rifle", "D7").battery(US).put("g", "ger-rifle", "G2")
    play = board.start()
    call = a.CallArtillery(spotter=play["eyes"], battery=0, hex=play.hex("D3"))
    news = play.dice(1, 1, 2).do(call)
    assert find(news, s.Drifted).hex == -1
    assert "StrikeFell" not in kinds(news)
    assert play.refused(msgspec.structs.replace(call, hex=play.hex("D1"))).rule == "3.1.2"


def test_set_up_and_control_lie_in_play(table):
    board = part(table).put("a", "us-rifle", "C3").put("g", "ger-rifle", "G7")
    board.scenario(control=(ControlHex(hex="A1", name="Far"),))
    faults = [str(fault) for fault in check(board.document()) if "3.1.2" in str(fault)]
    assert any("Far" in fault for fault in faults)
    assert any("zone" in fault for fault in faults), "A1:H8 is more than B2:G7"
    with pytest.raises(ValueError, match="Z9"):
        part(table, None, "B2:Z9").put("a", "us-rifle", "C3").put("g", "ger-rifle", "G7").start()


def test_units_leave_at_the_edge_of_the_part_in_play(table):
    board = part(table).put("a", "us-rifle", "B4").put("g", "ger-rifle", "G7").way_out(US, "B2:B7")
    assert not [fault for fault in check(board.document()) if "exits" in fault.where]
    play = board.start()
    play.do(a.Exit(unit=play["a"]))
    assert play["a"] in play.state.exited
    whole = table().put("a", "us-rifle", "B4").put("g", "ger-rifle", "G7").way_out(US, "B2:B7")
    assert [fault for fault in check(whole.document()) if "exits" in fault.where]


# --- cavalry -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "unit", "bonus"),
    [
        (True, "sov-cavalry", 1),
        (False, "sov-cavalry", 0),
        (True, "ger-motorcycle", 0),
        (True, "ger-rifle", 0),
    ],
)
@pytest.mark.rule("ost", "30.2.6")
def test_a_cavalry_charge_shocks_where_the_scenario_has_charges(table, option, unit, bonus):
    news = charged(table, unit, Options(extended_play=False, cavalry_charges=option))
    blow = next(x for x in news if isinstance(x, m.Struck) and x.side == GERMAN)
    assert blow.total - sum(blow.roll.faces) == bonus
    if not bonus:
        charged(table, "sov-cavalry", Options(extended_play=False, cavalry_charges=True))


def charged(table, unit, options):
    board = table().put("u", "us-rifle", "D4").put("c", unit, "D5").to_move(GERMAN)
    play = board.scenario(options=options, turns=1).start()
    play.do(play.assault("c", "D4"))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    play.dice(*(1,) * 14)
    news = play.out()
    play.cited.take(news)
    return news


def test_cavalry_that_is_charged_itself_does_not_shock(table):
    board = table().put("u", "us-rifle", "D4").put("c", "sov-cavalry", "D5")
    options = Options(extended_play=False, cavalry_charges=True)
    play = board.scenario(options=options, turns=1).start()
    play.do(play.assault("u", "D5"))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    play.dice(*(1,) * 14)
    for blow in (x for x in play.out() if isinstance(x, m.Struck)):
        assert blow.total == sum(blow.roll.faces)


def test_nobody_is_set_up_out_of_play(table):
    board = part(table).put("a", "us-rifle", "A1").put("g", "ger-rifle", "G7")
    with pytest.raises(Illegal):
        board.start()
