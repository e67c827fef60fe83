"""Vehicle movement (OST 23.4, 23.5, 14): facing, reverse, pivots, roads, bogging, reactions."""

from __future__ import annotations

import pytest

from rulesengine.geometry.hexes import Grid
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.fire import in_arc
from rulesengine.rulesets.ost.ground import ground_of
from rulesengine.rulesets.ost.state import STUCK
from rulesengine.rulesets.ost.tracks import courses, step
from rulesengine.rulesets.ost.vehicles import TRACKED, WHEELED, in_front
from tests.engine.table import GERMAN, Road, find, kinds

LONG = ("........",) * 12
N, NE, SE, S, SW, NW = range(6)


def alone(table, kind="us-m4", at="D8", rows=LONG, facing=N, far="H1", **more):
    """A vehicle and an enemy who sees nothing of it."""
    board = table(rows, **more).put("a", kind, at, facing=facing)
    return board.put("b", "ger-sniper", far, hidden=True).put("c", "ger-rifle", far)


def halves(news):
    spent = [x.halves for x in news if isinstance(x, (v.Drove, v.Turned))]
    return sum(spent)


# --- facing and ways to go --------------------------------------------------------------------


@pytest.mark.rule("ost", "14.13.2", "23.4.3", "23.4.5")
def test_the_tank_of_the_movement_diagram_spends_its_five_points(table):
    rows = list(LONG)
    rows[2] = "...f...."
    road = Road(name="Lane", hexes="D7 D6 D5 D4")
    play = alone(table, rows=tuple(rows), roads=(road,), far="H12").start()
    way = [*((h, N) for h in ("D7", "D6", "D5", "D4")), ("D3", NE)]
    news = play.drive("a", *way)
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    assert halves(news) == 2 + 1 + 1 + 1 + 4


@pytest.mark.rule("ost", "23.4.4")
def test_reverse_costs_a_point_more(table):
    play = alone(table, far="A1").start()
    news = play.drive("a", ("D9", N))
    assert find(news, v.Drove).reverse
    assert find(news, v.Drove).halves == 4


@pytest.mark.rule("ost", "23.4.5")
def test_a_step_turns_one_hexside_only(table):
    play = alone(table).start()
    assert play.refused(play.course("a", ("D7", SE))).rule == "23.4.5"
    play.drive("a", ("D7", NE))
    assert play.state.facing[play["a"]] == NE


@pytest.mark.rule("ost", "23.4.7", "23.4.8", "23.4.9")
def test_a_pivot_costs_a_point_and_is_a_move(table):
    play = alone(table).start()
    news = play.drive("a", ("D8", S), ("D9", S))
    assert halves(news) == 4
    assert play.state.moved[play["a"]]


@pytest.mark.rule("ost", "23.0.4")
def test_points_do_not_stretch(table):
    play = alone(table, far="A1").start()
    way = [(f"D{row}", N) for row in range(7, 0, -1)]
    assert play.refused(play.course("a", *way)).rule == "23.0.4"


@pytest.mark.rule("ost", "23.0.1")
def test_a_vehicle_moves_once(table):
    play = alone(table).start()
    play.drive("a", ("D7", N))
    play.idle()
    assert play.refused(play.course("a", ("D6", N))).rule == "23.0.1"


@pytest.mark.rule("ost", "23.4.p1")
def test_a_vehicle_does_not_walk(table):
    play = alone(table).start()
    assert play.refused(play.way("a", "D7")).rule == "23.4.p1"


@pytest.mark.rule("ost", "20.0.4")
def test_vehicles_fill_a_hex(table):
    board = alone(table).put("d", "us-m4", "D7").put("f", "us-rifle", "D7")
    play = board.start()
    assert play.refused(play.course("a", ("D7", N))).rule == "20.0.4"


@pytest.mark.parametrize(("sign", "rule"), [("l", "16.1.6"), ("h", "16.2.6"), ("u", "16.5.4")])
def test_vehicles_do_not_enter_buildings(table, sign, rule):
    rows = list(LONG)
    rows[6] = f"...{sign}...."
    play = alone(table, rows=tuple(rows)).start()
    assert play.refused(play.course("a", ("D7", N))).rule == rule


@pytest.mark.rule("ost", "14.5.3")
def test_wheels_stay_out_of_woods(table):
    rows = list(LONG)
    rows[6] = "...w...."
    play = alone(table, "us-jeep", rows=tuple(rows)).start()
    assert play.refused(play.course("a", ("D7", N))).rule == "14.5.3"


@pytest.mark.parametrize(
    ("sign", "wheeled", "tracked"),
    [
        (".", 2, 2),
        ("b", 6, 4),
        ("f", 6, 4),
        ("t", 6, 4),
        ("w", -1, 6),
        ("o", 6, 4),
        ("c", 4, 4),
        ("s", 8, 6),
        ("m", 8, 6),
        ("x", 8, 6),
        ("d", 6, 4),
        ("r", 8, 6),
    ],
)
def test_what_terrain_costs_in_half_points(table, sign, wheeled, tracked):
    rows = list(LONG)
    rows[6] = f"...{sign}...."
    ground = alone(table, rows=tuple(rows)).start().state.ground
    from_, to = ground.grid.find("D8"), ground.grid.find("D7")
    assert step(ground, WHEELED, from_, to).halves == wheeled
    assert step(ground, TRACKED, from_, to).halves == tracked


# --- bogging ------------------------------------------------------------------------------------


def in_woods(table, kind="us-m4", sign="w"):
    rows = list(LONG)
    rows[6] = f"...{sign}...."
    return alone(table, kind, rows=tuple(rows), far="A1").start()


@pytest.mark.rule("ost", "23.5.1", "23.5.2")
def test_tracks_bog_on_a_one_and_stop(table):
    play = in_woods(table)
    play.dice(1).drive("a", ("D7", N), ("D6", N))
    assert play.at("a") == "D7"
    assert play.state.bogged[play["a"]]


@pytest.mark.rule("ost", "23.5.3")
def test_who_passes_the_roll_goes_on(table):
    play = in_woods(table)
    play.dice(2).drive("a", ("D7", N), ("D6", N))
    assert play.at("a") == "D6"


@pytest.mark.rule("ost", "23.5.1")
def test_wheels_bog_on_a_two(table):
    play = in_woods(table, "us-jeep", "b")
    play.dice(2).drive("a", ("D7", N))
    assert play.state.bogged[play["a"]]


@pytest.mark.rule("ost", "14.9.3")
def test_marsh_is_one_worse(table):
    play = in_woods(table, sign="m")
    play.dice(2).drive("a", ("D7", N))
    assert play.state.bogged[play["a"]]


@pytest.mark.border("ost", "23")
@pytest.mark.parametrize(
    ("face", "bogged", "damage"),
    [
        pytest.param(3, False, 0, marks=pytest.mark.rule("ost", "23.5.5", "23.5.4")),
        pytest.param(2, True, 0, marks=pytest.mark.rule("ost", "23.5.6")),
        pytest.param(1, False, STUCK, marks=pytest.mark.rule("ost", "23.5.7")),
    ],
)
def test_getting_free_again(table, face, bogged, damage):
    play = in_woods(table)
    play.dice(1).drive("a", ("D7", N))
    assert play.refused(play.course("a", ("D6", N)))
    play.out(face, 6, 6, 1, 1, 1, 1)
    assert (play.state.bogged[play["a"]], play.state.damage[play["a"]]) == (bogged, damage)


# --- opportunity fire ----------------------------------------------------------------------------


@pytest.mark.rule("ost", "23.4.6", "27.6.1")
def test_it_is_shot_at_before_it_turns(table):
    board = table(LONG).put("a", "us-m4", "D9", facing=N).put("b", "ger-pak40", "D3", facing=S)
    play = board.start()
    play.drive("a", ("D8", NE), ("D8", S))
    assert play.wants == "opportunity fire"
    assert play.state.facing[play["a"]] == N
    news = play.dice(5, 5, 1, 1).fire("b", "a")
    assert not find(news, v.VehicleShot).flank
    assert "Turned" in kinds(news)


@pytest.mark.rule("ost", "27.6.3", "23.0.9")
def test_a_shaken_vehicle_stops(table):
    board = table(LONG).put("a", "us-m4", "D9", facing=N).put("b", "ger-pak36", "D3", facing=S)
    play = board.put("c", "us-m4", "H12").start()
    play.drive("a", ("D8", N), ("D7", N))
    news = play.dice(5, 5, 5, 4, 2, 2).fire("b", "a")
    assert find(news, e.MoveStopped).why == "fire"
    assert play.at("a") == "D8"


@pytest.mark.rule("ost", "29.3.p2")
def test_damage_that_does_not_stop_it_lets_it_go_on(table):
    """27.6.5: the main gun is out, and the move goes on."""
    board = table(LONG).put("a", "us-m4", "D9", facing=N).put("b", "ger-pak38", "D3", facing=S)
    play = board.start()
    play.drive("a", ("D8", N), ("D7", N))
    news = play.dice(5, 5, 4, 4, 4).fire("b", "a")
    assert "DamageRolled" in kinds(news)
    assert "MoveStopped" not in kinds(news)


@pytest.mark.rule("ost", "29.1.4")
def test_a_vehicle_reacts_with_both_at_what_moves(table):
    board = table(LONG).put("a", "us-rifle", "D9").put("b", "ger-pz4h", "D3", facing=S)
    play = board.start()
    play.move("a", "D8")
    news = play.dice(1, 1, 1, 1).shoot("b", "a", "a")
    assert kinds(news).count("Shot") == 2


def test_nobody_is_asked_who_could_do_nothing(table):
    board = table(LONG).put("a", "us-m4", "D9").put("b", "ger-rifle", "D3")
    play = board.start()
    play.drive("a", ("D8", N), ("D7", N))
    assert play.wants == "an impulse"


@pytest.mark.rule("ost", "21.0.6", "21.0.7")
def test_a_hidden_gun_ambushes_with_one_more_on_both_rolls(table):
    board = table(LONG).put("a", "us-m4", "D9").put("b", "ger-pak40", "D4", facing=S, hidden=True)
    play = board.start()
    play.drive("a", ("D8", N), ("D7", N))
    news = play.dice(1, 5, 1, 1).fire("b", "a")
    assert find(news, v.HitRolled).total == 7
    assert find(news, v.VehicleShot).total == 3
    board = table(LONG).put("a", "us-m4", "D9").put("b", "ger-rifle", "D8", hidden=True)
    board.start().drive("a", ("D8", N))


# --- properties ----------------------------------------------------------------------------------


def test_front_and_flank_share_out_the_map(table):
    ground = table(("............",) * 13).put("a", "us-m4", "F7").put("b", "ger-rifle", "A1")
    ground = ground_of(ground.document().ground)
    grid: Grid = ground.grid
    here = grid.find("F7")
    others = [h for h in grid.area("A1:L13") if h != here]
    for facing in range(6):
        front = {h for h in others if in_front(ground, here, facing, h)}
        back = {h for h in others if in_front(ground, here, (facing + 3) % 6, h)}
        assert not front & back
        arc = {h for h in others if in_arc(ground, here, h, facing)}
        assert arc < front
        ways = grid.neighbours[here]
        assert {ways[(facing + d) % 6] for d in (5, 0, 1)} <= front
        assert not {ways[(facing + d) % 6] for d in (2, 3, 4)} & front


@pytest.mark.parametrize("drive", [WHEELED, TRACKED])
def test_every_course_is_a_lawful_drive(table, drive):
    rows = list(LONG)
    rows[6], rows[7] = "..bwo...", ".fs.m.l."
    kind = "us-jeep" if drive == WHEELED else "us-m4"
    road = Road(name="Lane", hexes="A9 B9 C9")
    play = alone(table, kind, at="C8", rows=tuple(rows), roads=(road,), far="H12").start()
    rules = play.battle.ruleset
    view = rules.view(play.state, play.owed)
    here = play.hex("C8")
    points = 2 * (10 if drive == WHEELED else 6)
    found = courses(play.state.ground, drive, here, N, points)
    assert len(found) > 100
    for (there, facing), course in found.items():
        assert (course.path[-1], course.facings[-1]) == (there, facing)
        action = a.Drive(unit=play["a"], path=course.path, facings=course.facings)
        refusal = rules.refuse(view, action)
        assert refusal is None or refusal.rule in ("20.0.4", "23.0.8"), refusal


def test_a_gun_reacts_only_in_its_arc(table):
    board = table(LONG).put("a", "us-m4", "D9").put("b", "ger-pak40", "D3", facing=N)
    play = board.start()
    play.drive("a", ("D8", N))
    assert play.wants == "an impulse"
    assert play.owed == GERMAN
