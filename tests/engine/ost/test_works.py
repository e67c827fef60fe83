"""Battlefield markers (OST 13): shelter, sight, cost, and the map that collapse leaves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.altered import RUBBLE, altered
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.evolve import evolve
from rulesengine.rulesets.ost.result import fingerprint
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.scenario import Work
from rulesengine.rulesets.ost.sight import look
from rulesengine.rulesets.ost.vehicle_events import FreeingRolled
from rulesengine.rulesets.ost.works import BUNKER, COVER, FRESH, MINES, OLD, ROADBLOCK, WIRE
from tests.engine.table import GERMAN, US, find

ROW = ("......", "......", "......", "......", "......", "......")


def duel(table, kind="", *, rows=ROW, target="ger-rifle", **more):
    board = table(rows).put("a", "us-rifle", "C6").put("b", target, "C2", facing=3)
    return board.work(GERMAN, kind, "C2", **more) if kind else board


@pytest.mark.parametrize(
    ("kind", "extra"),
    [
        pytest.param("foxholes", 1, marks=pytest.mark.rule("ost", "13.2.1")),
        pytest.param("trench", 2, marks=pytest.mark.rule("ost", "13.2.2")),
        pytest.param("bunker", 3, marks=pytest.mark.rule("ost", "13.4.4")),
        pytest.param("wire", -1, marks=pytest.mark.rule("ost", "13.6.1")),
        pytest.param("roadblock", 1, marks=pytest.mark.rule("ost", "13.7.3")),
        ("mines", 0),
    ],
)
def test_what_a_marker_gives_foot_units(table, kind, extra):
    play = duel(table, kind).start()
    assert find(play.dice(1, 1).fire("a", "b"), e.Shot).defense == 4 + extra


@pytest.mark.rule("ost", "13.0.p3")
def test_a_marker_and_the_terrain_add_up(table):
    rows = ("......", "..w...", "......", "......", "......", "......")
    play = duel(table, "foxholes", rows=rows).start()
    assert find(play.dice(1, 1).fire("a", "b"), e.Shot).defense == 4 + 2 + 1


@pytest.mark.parametrize(("kind", "extra"), [("trench", 0), ("foxholes", 0), ("wire", -1)])
def test_what_a_marker_gives_a_vehicle(table, kind, extra):
    from rulesengine.rulesets.ost import vehicle_events as v

    board = table(ROW).put("a", "us-m4", "C6").put("b", "ger-pz4h", "C2", facing=3)
    play = board.work(GERMAN, kind, "C2").start()
    shot = find(play.dice(6, 5, 1, 1).shoot("a", "b"), v.VehicleShot)
    assert shot.defense == 7 + extra


@pytest.mark.rule("ost", "13.9.4")
def test_smoke_shelters_and_hampers_who_stands_in_it(table):
    play = duel(table).start()
    play.given(f.SmokeLaid(hexes=(play.hex("C2"),), ages=(FRESH,), by="engineers"))
    shot = find(play.dice(1, 1).fire("a", "b"), e.Shot)
    assert (shot.firepower, shot.defense) == (4, 5)
    play.idle()
    play = duel(table).start()
    play.given(f.SmokeLaid(hexes=(play.hex("C6"),), ages=(FRESH,), by="engineers"))
    shot = find(play.dice(1, 1).fire("a", "b"), e.Shot)
    assert (shot.firepower, shot.defense) == (3, 4)


@pytest.mark.parametrize(("smoked", "power"), [((), 4), (("C4",), 3), (("C4", "C5"), 2)])
def test_smoke_on_the_way_dims(table, smoked, power):
    play = duel(table).start()
    for name in smoked:
        play.given(f.SmokeLaid(hexes=(play.hex(name),), ages=(OLD,), by="mortar"))
    assert find(play.dice(1, 1).fire("a", "b"), e.Shot).firepower == power


def test_a_third_hex_of_smoke_blocks(table):
    play = duel(table).start()
    play.given(f.SmokeLaid(hexes=play_hexes(play, "C3 C4 C5"), ages=(1, 1, 1), by="artillery"))
    assert play.refused(play.shot("a", "b")).rule in ("12.1.1", "12.2.1", "12.3.2")


def play_hexes(play, names):
    return tuple(play.hex(name) for name in names.split())


def test_smoke_is_not_looked_over_but_a_roadblock_is(table):
    levels = ("000000",) * 5 + ("002000",)

    def power(**more):
        board = table(ROW, levels=levels).put("a", "us-rifle", "C6").put("b", "ger-rifle", "C2")
        play = (board.work(GERMAN, "roadblock", "C4") if more else board).start()
        if not more:
            play.given(f.SmokeLaid(hexes=(play.hex("C4"),), ages=(1,), by="mortar"))
        return find(play.dice(1, 1).fire("a", "b"), e.Shot).firepower

    assert power() == 3
    assert power(roadblock=True) == 4


@pytest.mark.border("ost", "2")
@pytest.mark.rule("ost", "2.1.p3", "13.9.2")
def test_smoke_lasts_two_turns(table):
    play = duel(table).start()
    play.given(f.SmokeLaid(hexes=play_hexes(play, "A1 A2"), ages=(FRESH, OLD), by="artillery"))
    quiet = (6, 6, 1, 1, 1, 1)
    assert find(play.out(*quiet), f.SmokeAged).gone == play_hexes(play, "A2")
    assert play.state.smoke == {play.hex("A1"): OLD}
    play.out(*quiet)
    assert not play.state.smoke
    assert not play.state.veils
    assert not play.state.shelter


# --- what it costs ---------------------------------------------------------------------------


def cost(play, a, b):
    return play.state.ground.cost(play.hex(a), play.hex(b))


def test_what_markers_cost_on_foot(table):
    play = duel(table).work(US, "bunker", "A1").work(US, "wire", "B1").work(US, "roadblock", "D1")
    play = play.start()
    assert (cost(play, "A2", "A1"), cost(play, "A1", "A2")) == (2, 2)
    assert (cost(play, "B2", "B1"), cost(play, "B1", "B2")) == (2, 1)
    assert (cost(play, "D2", "D1"), cost(play, "D1", "D2")) == (2, 1)


@pytest.mark.rule("ost", "13.6.3")
def test_wire_ends_a_move(table):
    play = duel(table).work(GERMAN, "wire", "C5").start()
    play.refused(play.way("a", "C5", "C4"))
    assert play.hex("C4") not in {
        path[-1]
        for path in play.state.ground.reach(play.hex("C6"), 4).values()
        if play.hex("C5") in path[:-1]
    }
    play.move("a", "C5")
    assert play.at("a") == "C5"


@pytest.mark.rule("ost", "13.6.3")
def test_a_vehicle_neither_goes_on_nor_turns_in_the_wire_it_came_into(table):
    board = table(ROW).put("a", "us-m4", "C6").put("b", "ger-rifle", "C1")
    play = board.work(GERMAN, "wire", "C5").start()
    assert play.refused(play.course("a", ("C5", 0), ("C4", 0))).rule == "13.6.3"
    assert play.refused(play.course("a", ("C5", 0), ("C5", 3))).rule == "13.6.3"


@pytest.mark.rule("ost", "13.7.1")
def test_no_vehicle_enters_a_roadblock(table):
    board = table(ROW).put("a", "us-m4", "C6").put("b", "ger-rifle", "C1")
    play = board.work(GERMAN, "roadblock", "C5").start()
    play.refused(play.course("a", ("C5", 0)))


@pytest.mark.rule("ost", "13.5.2")
def test_no_vehicle_enters_a_pillbox(table):
    board = table(ROW).put("a", "us-m4", "C6").put("b", "ger-rifle", "C1")
    play = board.work(GERMAN, "pillbox", "C5", "S").start()
    play.refused(play.course("a", ("C5", 0)))


@pytest.mark.border("ost", "13")
@pytest.mark.rule("ost", "13.6.5")
def test_a_tank_flattens_wire_unless_it_bogs(table):
    for face, left in ((2, False), (1, True)):
        board = table(ROW).put("a", "us-m4", "C6").put("b", "ger-rifle", "A1")
        play = board.work(GERMAN, "wire", "C5").start()
        play.dice(face).drive("a", ("C5", 0))
        assert (play.hex("C5") in play.state.works) == left
        assert bool(play.state.ground.works) == left


@pytest.mark.rule("ost", "23.5.7")
def test_wire_that_a_vehicle_is_stuck_in_for_good_stays(table):
    for face, left in ((1, True), (2, True), (3, False)):
        board = table(ROW).put("a", "us-m4", "C6").put("b", "ger-rifle", "A1")
        play = board.work(GERMAN, "wire", "C5").start()
        play.dice(1).drive("a", ("C5", 0))
        news = play.out(face, 6, 6, 1, 1, 1, 1)
        assert find(news, FreeingRolled).stuck == (face == 1)
        assert (play.hex("C5") in play.state.works) == left


# --- hidden mines ----------------------------------------------------------------------------


def test_only_their_owner_sees_mines_that_nobody_found(table):
    play = duel(table).work(GERMAN, "mines", "D4").start()

    def sees(side):
        return any("mines" in piece.marks for piece in RULESET.board(play.state, side))

    assert [sees(s) for s in (US, GERMAN, None, -1)] == [False, True, True, False]
    play.given(f.MinesFound(hex=play.hex("D4"), by=play["a"], engineers=True))
    assert [sees(s) for s in (US, GERMAN, None, -1)] == [True] * 4


# --- a building falls ------------------------------------------------------------------------

TOWN = ("......", "..h...", "..h...", "......", "......", "......")


def fallen(table):
    board = table(TOWN, roads=()).put("a", "us-rifle", "C6").put("b", "ger-rifle", "C1")
    play = board.start()
    play.given(f.CollapseRolled(hex=play.hex("C3"), roll=Roll(0, 6, (6,)), total=6, needed=6,
                                bunker=False))  # fmt: skip
    return play


def test_rubble_is_seen_through_and_a_new_map_is_shared(table):
    play = fallen(table)
    ground = play.state.ground
    assert ground is not ground.origin
    assert (
        ground.terrain[play.hex("C3")]
        == altered(ground, {play.hex("C3"): RUBBLE}).terrain[play.hex("C3")]
    )
    assert look(ground.origin, play.hex("C4"), play.hex("C2")) & 3 == 3
    assert look(ground, play.hex("C4"), play.hex("C2")) & 3 == 1
    assert fallen(table).state.ground.defense[play.hex("C3")] == 3
    assert altered(ground, play.state.works) is ground


def test_a_log_with_works_folds_to_the_same_state(table):
    play = fallen(table)
    again = RULESET.setup(play.state.scenario)
    for event in play.log:
        evolve(again, event)
    assert fingerprint(again) == fingerprint(play.state)
    assert again.ground is play.state.ground


# --- scenarios -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("works", "said"),
    [
        ([Work(kind="wire", hexes="Z99")], "Z99"),
        ([Work(kind="wire", hexes="A1"), Work(kind="trench", hexes="A1")], "13.0.p2"),
        ([Work(kind="bunker", hexes="C2")], "13.4.3"),
        ([Work(kind="pillbox", hexes="A1")], "13.5.8"),
        ([Work(kind="trench", hexes="A1", facing="N")], "13.5.8"),
    ],
)
def test_works_that_cannot_be(table, works, said):
    board = table(TOWN).put("a", "us-rifle", "C6").put("b", "ger-rifle", "C1")
    board.works[GERMAN].extend(works)
    faults = [str(fault.what) for fault in check(board.document()) if "works" in fault.where]
    assert len(faults) == 1
    assert said in faults[0]


@pytest.mark.parametrize("owner", [US, GERMAN])
def test_mines_lie_outside_the_enemys_zone(table, owner):
    """Nobody sets up on mines that he would have to find before the battle."""
    board = table().put("a", "us-rifle", "C6").put("b", "ger-rifle", "C1")
    board.works[owner].append(Work(kind="mines", hexes="C1, E4"))
    doc = board.document()
    zones = {"us": "C6", "german": "C1"}
    apart = tuple(replace(t, zone=zones[t.side]) for t in doc.terms)
    faults = [str(f.what) for f in check(replace(doc, terms=apart)) if "works" in f.where]
    assert [("C1" in fault and "13.3.1" in fault) for fault in faults] == [True] * (owner == US)


def test_the_markers_are_told_apart():
    assert len({BUNKER, COVER, MINES, ROADBLOCK, WIRE, RUBBLE}) == 6
