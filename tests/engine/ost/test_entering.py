"""Reinforcements (OST 2.1.p2, 7.3.5, 23.6): when and where they come on, and what is told."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.dice import Tape
from rulesengine.documents import Arrival
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.entering import can_ever_enter
from rulesengine.rulesets.ost.state import OFF
from tests.engine.ost.battles import MIRROR, key, random_battle, scenario
from tests.engine.table import GERMAN, US, Road, find, kinds

FIELD = ("........",) * 12
N, NE, SE, S, SW, NW = range(6)


def arriving(table, *units, turn=1, at="A1:H1", rows=FIELD, **ground):
    """An American squad in D12 and a German one in H6; `units` come later."""
    board = table(rows, **ground).put("squad", "us-rifle", "D12").put("foe", "ger-rifle", "H6")
    names = []
    for name, kind, *more in units:
        board.put(name, kind, **(more[0] if more else {}))
        names += [name, *(x for x in (more[0] if more else {}).values() if isinstance(x, str))]
        if more and "weapon" in more[0]:
            names.append(f"{name}'s weapon")
    coming = Arrival(units=tuple(names), turn=turn, at=at)
    return board.scenario(arrivals=(coming,))


def let(play):
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())


# --- when and where -----------------------------------------------------------------------------


@pytest.mark.border("ost", "2")
@pytest.mark.rule("ost", "2.1.p2")
def test_reinforcements_come_in_their_turn_and_not_before(table):
    play = arriving(table, ("late", "us-rifle"), turn=2).points(2, 2).start()
    assert play.refused(play.way("late", "D1")).rule == "2.1.p2"
    assert not [x for x in play.log if isinstance(x, e.ReinforcementsDue)]
    play.out(6, 6, 1, 1, 1, 1)
    due = find(play.log, e.ReinforcementsDue)
    assert (due.side, due.units) == (US, (play["late"],))
    play.move("late", "D1")
    let(play)
    assert play.state.hex[play["late"]] == play.hex("D1")


@pytest.mark.rule("ost", "23.6.1")
@pytest.mark.parametrize(("sign", "cost"), [(".", 1), ("w", 2)])
def test_entering_on_foot_costs_the_first_hex(table, sign, cost):
    rows = (sign * 8, *FIELD[1:])
    play = arriving(table, ("late", "us-rifle"), rows=rows).start()
    news = play.move("late", "D1")
    assert find(news, e.MoveDeclared).enters
    assert find(news, e.Entered).cost == cost


@pytest.mark.rule("ost", "23.6.1")
def test_the_points_that_are_left_take_it_further(table):
    play = arriving(table, ("late", "us-rifle")).start()
    assert play.refused(play.way("late", "D1", "D2", "D3", "D4", "D5", "D6", "D7")).rule == "23.0.4"
    play.move("late", "D1", "D2", "D3")
    let(play)
    assert play.state.hex[play["late"]] == play.hex("D3")
    assert play.state.moved[play["late"]]


@pytest.mark.rule("ost", "23.6.1")
def test_they_come_on_where_the_scenario_says(table):
    play = arriving(table, ("late", "us-rifle"), at="A1:B1").start()
    assert "A1, B1" in play.refused(play.way("late", "D1")).why
    assert play.refused(play.way("late", "A2")).rule == "23.6.1"


@pytest.mark.rule("ost", "23.6.1", "23.6.2")
def test_a_vehicle_drives_on_and_faces_as_it_likes(table):
    road = Road(name="Lane", hexes="D1 D2 D3 D4")
    play = arriving(table, ("tank", "us-m4"), roads=(road,)).start()
    news = play.drive("tank", ("D1", S), ("D2", S), ("D3", S))
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    assert find(news, v.DriveDeclared).enters
    assert [x.halves for x in news if isinstance(x, v.Drove)] == [1, 1, 1]
    assert not [x for x in news if isinstance(x, v.Turned)]
    assert play.state.facing[play["tank"]] == S


def test_a_vehicle_does_not_come_on_where_it_cannot_go(table):
    rows = ("...h....", *FIELD[1:])
    play = arriving(table, ("tank", "us-m4"), rows=rows).start()
    assert play.refused(play.course("tank", ("D1", S))).rule


@pytest.mark.rule("ost", "23.6.2")
def test_a_leader_and_a_weapon_come_on_with_the_squad(table):
    extra = {"leader": "lt", "weapon": "us-lmg"}
    play = arriving(table, ("late", "us-rifle", extra)).start()
    play.move("late", "D1")
    let(play)
    for name in ("late", "lt", "late's weapon"):
        assert play.state.hex[play[name]] == play.hex("D1")
    assert not play.state.waiting


@pytest.mark.rule("ost", "23.6.2")
def test_a_group_comes_on_for_a_point_each(table):
    play = arriving(table, ("one", "us-rifle", {"leader": "lt"}), ("two", "us-rifle")).start()
    before = play.state.impulses[US]
    play.move("one", "D1", partner="two")
    let(play)
    assert play.state.in_hex(play.hex("D1"), US)
    assert before - play.state.impulses[US] == 2
    assert play.state.hex[play["two"]] == play.hex("D1")


@pytest.mark.rule("ost", "23.6.3")
def test_who_stays_off_can_enter_in_a_later_turn(table):
    play = arriving(table, ("late", "us-rifle")).points(1, 1).start()
    play.out(6, 6, 1, 1, 1, 1)
    play.move("late", "D1")
    let(play)
    assert play.state.hex[play["late"]] == play.hex("D1")


@pytest.mark.rule("ost", "27.6.p1")
def test_what_comes_on_can_be_fired_at_at_once(table):
    play = arriving(table, ("late", "us-rifle"), at="H1").start()
    play.move("late", "H1")
    assert play.wants == "opportunity fire"
    assert play.owed == GERMAN


def test_a_hidden_enemy_at_the_edge_keeps_it_off(table):
    board = arriving(table, ("late", "us-rifle"), at="D1").put(
        "ambush", "ger-rifle", "D1", hidden=True
    )
    play = board.start()
    news = play.move("late", "D1")
    assert "MoveStopped" in kinds(news)
    assert play.state.hex[play["late"]] == OFF
    assert play["late"] in play.state.waiting
    assert play.state.moved[play["late"]]


# --- setting up, and the end ----------------------------------------------------------------------


def deploying(table, **changes):
    """The battle before anybody has set up."""
    rules = ruleset("ost")
    board = arriving(table, ("late", "us-rifle", {"leader": "lt"}), turn=2)
    state = rules.setup(msgspec.structs.replace(board.document(), **changes))

    def rule(action):
        refusal = rules.refuse(rules.view(state, US), action)
        board.cited.take(refusal)
        return refusal.rule

    return state, rule


@pytest.mark.rule("ost", "3.1.4")
def test_who_comes_later_is_not_set_up(table):
    state, rule = deploying(table)
    squad, late = state.ids.index("squad"), state.ids.index("late")
    find_hex = state.ground.grid.find
    both = a.Deploy(places=((squad, find_hex("D12")), (late, find_hex("D11"))))
    assert rule(both) == "3.1.4"
    hidden = a.Deploy(places=((squad, find_hex("D12")),), hidden=(late,))
    assert rule(hidden) == "21.0.p1"


@pytest.mark.rule("ost", "7.3.5")
def test_a_leader_does_not_lead_who_comes_at_another_time(table):
    state, rule = deploying(table)
    squad, lt = state.ids.index("squad"), state.ids.index("lt")
    home = state.ground.grid.find("D12")
    assert rule(a.Deploy(places=((squad, home),), attached=((lt, squad),))) == "7.3.5"


def test_a_side_with_units_still_to_come_is_not_destroyed(table):
    play = arriving(table, ("late", "us-rifle"), turn=3).start()
    play.given(e.Eliminated(unit=play["squad"], points=1, why="combat"))
    play.do(a.DropPoint())
    assert play.battle.ruleset.outcome(play.state) is None


def test_who_never_came_on_is_fit_afterwards(table):
    play = arriving(table, ("late", "us-rifle"), turn=5).start()
    fates = {f.element: f for f in play.battle.ruleset.result(play.state).elements}
    assert fates["late"].after == "fit"
    assert fates["late"].cause == ""


# --- who is told ----------------------------------------------------------------------------------


def test_the_enemy_hears_of_them_when_they_come(table):
    play = arriving(table, ("late", "us-rifle")).start()
    rules, state = play.battle.ruleset, play.state
    due = find(play.log, e.ReinforcementsDue)
    assert rules.narrate(state, due, US)
    assert rules.narrate(state, due, None)
    assert rules.narrate(state, due, GERMAN) is None
    assert rules.narrate(state, due, -1) is None
    assert "late" not in {piece.id for piece in rules.board(state, GERMAN)}
    news = play.move("late", "D1")
    told = rules.narrate(state, find(news, e.MoveDeclared), GERMAN)
    assert "onto the map" in told.text
    assert told.weight == rules.narrate(state, due, US).weight == 1, "what mattered"
    assert "late" in {piece.id for piece in rules.board(state, GERMAN)}


# --- bad documents --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coming", "words"),
    [
        ({"turn": 0}, "turns 1 to 5"),
        ({"turn": 6}, "turns 1 to 5"),
        ({"at": "D4"}, "D4: not at the edge"),
        ({"at": "Z99"}, "Z99"),
        ({"units": ()}, "nobody arrives"),
        ({"units": ("late", "late")}, "arrives twice"),
    ],
)
def test_a_faulty_arrival_is_named(table, coming, words):
    board = arriving(table, ("late", "us-rifle"))
    arrival = msgspec.structs.replace(board.changes["arrivals"][0], **coming)
    faults = check(msgspec.structs.replace(board.document(), arrivals=(arrival,)))
    assert any(words in fault.what and fault.where.startswith("arrivals[0]") for fault in faults)


def test_an_armor_leader_arrives_with_a_vehicle(table):
    board = table(FIELD).put("squad", "us-rifle", "D12").put("foe", "ger-rifle", "H6")
    board.put("boss", "us-armor-leader").put("tank", "us-m4", "D11")
    board.scenario(arrivals=(Arrival(units=("boss",), turn=2, at="A1"),))
    assert any("armor leaders" in fault.what for fault in check(board.document()))


# --- whole battles --------------------------------------------------------------------------------


def with_arrivals():
    """The mirror battle, half of each side coming on in turn 2 and 3."""
    battle = scenario(MIRROR)
    coming = []
    for n, force in enumerate(battle.forces):
        units = tuple(unit.id for unit in force.units)[::2]
        rows = len(battle.ground.grid)
        last = f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[0]}{rows}"
        coming.append(Arrival(units=units, turn=2 + n, at=("A1:D1", last)[n]))
    return msgspec.structs.replace(battle, arrivals=tuple(coming))


def test_the_doctrine_brings_everybody_on():
    battle = with_arrivals()
    assert not check(battle)
    fought = begin(battle, Tape(key("arrivals", 1)))
    waiting = len(fought.state.waiting)
    fight(fought)
    assert waiting > 4
    assert not fought.state.waiting


@pytest.mark.parametrize("rough", [False, True])
def test_random_players_bring_them_on_without_a_fault(rough):
    battle = random_battle(with_arrivals(), "arrivals", 3, rough=rough)
    assert battle.ruleset.outcome(battle.state) is not None


def test_vehicles_need_a_hex_they_can_come_on_in(table):
    rows = ("hhhhhhhh", *FIELD[1:])
    board = arriving(table, ("tank", "us-m4"), rows=rows)
    assert any("no hex there is open" in fault.what for fault in check(board.document()))


def test_who_can_never_come_on_does_not_put_off_the_end(table):
    """An armor leader without his vehicle has no way onto the map; a squad has one."""
    board = arriving(table, ("boss", "us-armor-leader"), ("late", "us-rifle"), turn=2)
    state = ruleset("ost").setup(board.document())
    able = {name: can_ever_enter(state, state.ids.index(name)) for name in ("boss", "late", "foe")}
    assert able == {"boss": False, "late": True, "foe": False}
