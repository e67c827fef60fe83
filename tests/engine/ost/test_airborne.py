"""Paradrops (OST 26.1 to 26.3): loads, flights, drift, hard landings, fire at who comes down."""

from __future__ import annotations

import pytest

from rulesengine.contract import Illegal
from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.descent import blown, harm
from rulesengine.rulesets.ost.ground import ground_of
from rulesengine.rulesets.ost.kinds import STEPS
from rulesengine.rulesets.ost.scenario import HexMap, Hexsides, Road
from rulesengine.rulesets.ost.state import GOOD, NONE, OFF, SHAKEN
from tests.engine.table import GERMAN, LEGEND, US, find, kinds

SIZE = 20
PLAIN = ("." * SIZE,) * SIZE
QUIET = (1, 1)
"""2D6 that do nothing in a column -3 or -5."""
LOW = Roll(0, 6, (1, 1))


def terrain(**places):
    """Rows of open ground but for some hexes: `L9="w"`."""
    rows = [list(row) for row in PLAIN]
    for name, sign in places.items():
        rows[int(name[1:]) - 1][ord(name[0]) - ord("A")] = sign
    return tuple("".join(row) for row in rows)


def stick(table, *, rows=PLAIN, falls, names=("a",), at="J15", turn=0, heading="N", **more):
    """A transport with US squads, Germans far away."""
    board = table(rows)
    for name in names:
        board.put(name, "us-airborne-rifle", **more.get(name, {}))
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    aboard = tuple(n for n, *_ in board.counters if n not in ("home", "far"))
    board.flies(US, ("transport", at, aboard), turn=turn, heading=heading)
    board.falls = falls
    return board


def all_of(play, kind):
    return [event for event in play.log if isinstance(event, kind)]


def where(play, name):
    return play.state.ground.name(play.state.hex[play[name]])


# --- the worked example ------------------------------------------------------------------------


@pytest.mark.example("ost", "26.3.e1")
def test_the_example_of_the_airdrop(table):
    """Woods and a shaken squad with its sergeant, an orchard and no result, open ground."""
    board = table(terrain(J11="w", E15="o"))
    board.put("bar", "us-airborne-rifle", leader="sergeant", weapon="us-bar")
    board.put("squad", "us-airborne-rifle").put("mmg", "us-mmg")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    aboard = ("bar", "sergeant", "bar's weapon", "squad", "mmg")
    board.flies(US, ("transport", "J15", aboard))
    # 1, 3: north into the woods; S on column -3, checks of squad (failed) and sergeant (passed);
    # 5, 5: south-west into the orchard; 6, 3: north-west. Then the squad tries to rally, and fails.
    board.falls = (1, 3, 4, 4, 1, 1, 6, 6, 5, 5, 4, 3, 6, 3, 1, 1)
    play = board.start()
    woods, orchard = all_of(play, f.Blasted)
    assert (COLUMNS[woods.column], woods.result) == ("-3", 1)
    assert (COLUMNS[orchard.column], orchard.result) == ("-3", 0)
    state = play.state
    assert (state.morale[play["bar"]], state.morale[play["sergeant"]]) == (SHAKEN, GOOD)
    assert state.hex[play["bar"]] == state.hex[play["sergeant"]] == play.hex("J11")
    assert state.hex[play["bar's weapon"]] == play.hex("J11")
    assert [event.column for event in all_of(play, x.Landed)] == [-3, -3, 0]


@pytest.mark.rule("ost", "26.3.5", "26.3.3", "26.3.10")
def test_an_orchard_is_the_column_of_woods_and_a_leader_suffers_with_his_squad(table):
    board = table(terrain(J11="o")).put("a", "us-airborne-rifle", leader="with")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.flies(US, ("transport", "J15", ("a", "with")))
    board.falls = (1, 3, 6, 5, 1)  # casualties, and the leader dies on his 1
    play = board.start()
    assert COLUMNS[find(play.log, f.Blasted).column] == "-3"
    assert play.state.steps[play["a"]] == 1
    assert find(play.log, e.LeaderRolled).dies_on == 1
    assert play.state.hex[play["with"]] == OFF


# --- loads and flights -------------------------------------------------------------------------


@pytest.mark.rule("ost", "26.3.1", "26.3.2", "26.1.1")
def test_a_unit_jumps_in_each_of_three_hexes_in_the_order_of_the_load(table):
    play = stick(table, names=("a", "b", "c"), falls=(1, 1, 1, 1, 1, 1)).start()
    jumps = all_of(play, x.Dropped)
    assert [j.unit for j in jumps] == [play["a"], play["b"], play["c"]]
    assert [play.state.ground.name(j.over) for j in jumps] == ["J14", "J13", "J12"]
    assert [where(play, n) for n in "abc"] == ["J13", "J12", "J11"]


@pytest.mark.rule("ost", "26.1.3")
def test_the_top_of_the_load_jumps_first(table):
    board = table(PLAIN).put("b", "us-airborne-rifle").put("a", "us-airborne-rifle")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.flies(US, ("transport", "J15", ("a", "b")))
    board.falls = (1, 1, 1, 1)
    play = board.start()
    assert [j.unit for j in all_of(play, x.Dropped)] == [play["a"], play["b"]]


def test_two_units_take_two_hexes_and_the_aircraft_is_gone(table):
    play = stick(table, names=("a", "b"), at="J3", falls=(4, 1, 4, 1)).start()
    assert len(all_of(play, x.AircraftLeft)) == 1
    assert play.state.aloft == NONE
    assert play.state.flown == [OFF]


@pytest.mark.rule("ost", "26.3.14")
def test_the_aircraft_leaves_when_the_last_has_jumped(table):
    play = stick(table, names=("a", "b"), falls=(1, 1, 1, 1)).start()
    seen = [k for k in kinds(play.log) if k in ("Dropped", "AircraftCame", "AircraftLeft")]
    assert seen == ["AircraftCame", "Dropped", "Dropped", "AircraftLeft"]
    board = play.battle.ruleset.board(play.state, None)
    assert not any("aircraft" in piece.marks for piece in board)


@pytest.mark.rule("ost", "26.2.4", "26.2.5")
@pytest.mark.parametrize(
    ("heading", "over"), [("N", "J14"), ("NE", "K14"), ("SE", "K15"), ("S", "J16"), ("NW", "I14")]
)
def test_all_transports_fly_where_the_operation_heads(table, heading, over):
    board = stick(table, heading=heading, falls=(1, 1)).start()
    grid = board.state.ground.grid
    there = find(board.log, x.Dropped).over
    assert there == grid.neighbours[board.hex("J15")][grid.direction(board.hex("J15"), there)]
    assert grid.direction(board.hex("J15"), there) == ("N", "NE", "SE", "S", "SW", "NW").index(
        heading
    )
    assert over[0] == board.state.ground.name(there)[0]


def planned(table, *at, kind="transport", heading="N", area="A1:T20"):
    """A table before its set-up, with aircraft in these hexes."""
    board = table(PLAIN).put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    flown = []
    for number, _ in enumerate(at):
        board.put(f"u{number}", "us-airborne-rifle")
        flown.append((kind, area, (f"u{number}",)))
    board.flies(US, *flown, heading=heading)
    board.set_up[US][:] = at
    return board


@pytest.mark.rule("ost", "26.2.3")
@pytest.mark.parametrize("other", ["J11", "J14", "M15"])
def test_four_hexes_lie_between_two_aircraft(table, cited, other):
    with pytest.raises(Illegal) as caught:
        planned(table, "J15", other).start()
    cited.take(caught.value)
    assert caught.value.refusal.rule == "26.2.3"


@pytest.mark.rule("ost", "26.2.2")
def test_with_four_hexes_between_them_they_are_set_up(table):
    board = planned(table, "J15", "J10")
    board.falls = (1, 1, 1, 1)
    play = board.start()
    assert find(play.log, x.FlightsPlanned).aircraft == ((0, play.hex("J15")), (1, play.hex("J10")))


@pytest.mark.rule("ost", "26.2.1")
def test_they_are_set_up_where_the_scenario_says(table, cited):
    with pytest.raises(Illegal) as caught:
        planned(table, "J15", area="A1:C9").start()
    cited.take(caught.value)
    assert caught.value.refusal.rule == "26.2.1"


def test_none_is_left_out_or_set_up_twice(table):
    board = planned(table, "J15", "J4")
    board.set_up[US].pop()
    with pytest.raises(Illegal, match=r"26\.2\.2"):
        board.start()


def test_the_path_of_the_drop_lies_on_the_map(table):
    with pytest.raises(Illegal, match=r"26\.3\.1"):
        planned(table, "J1").start()
    board = planned(table, "J2")
    board.falls = (4, 1)
    assert where(board.start(), "u0") == "J2"


@pytest.mark.parametrize(
    "kind", [pytest.param("transport", marks=pytest.mark.rule("ost", "26.1.1")), "glider"]
)
def test_leaders_fly_with_a_unit(table, cited, kind):
    board = table(PLAIN).put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.put("a", "us-airborne-rifle").put("sergeant", "us-airborne-sergeant")
    board.flies(US, (kind, "J15", ("a", "sergeant")))
    with pytest.raises(Illegal) as caught:
        board.start()
    cited.take(caught.value)
    assert caught.value.refusal.rule == ("26.1.1" if kind == "transport" else "26.1.2")


def test_all_see_the_aircraft_over_the_hex_it_drops_on_and_nobody_what_it_still_carries(table):
    play = stick(table, names=("a", "b"), falls=(1, 1, 1, 1)).start()
    rules = play.battle.ruleset
    state = rules.setup(play.state.scenario)
    seen = []
    for event in play.log:
        rules.evolve(state, event)
        for side in (US, GERMAN, -1):
            pieces = rules.board(state, side)
            flying = [piece.hex for piece in pieces if "transport" in piece.marks]
            if isinstance(event, (x.AircraftCame, x.Dropped)):
                seen.append(flying)
            assert state.aloft != NONE or not flying
            assert len(flying) <= 1
    assert seen == [[h] for h in ("J15", "J14", "J13") for _ in range(3)]


# --- drift ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("direction", "ends"),
    [(1, "J12"), (2, "L13"), (3, "L15"), (4, "J16"), (5, "H15"), (6, "H13")],
)
def test_a_unit_drifts_by_one_die_for_the_way_and_one_for_how_far(table, direction, ends):
    play = stick(table, falls=(direction, 2)).start()
    assert where(play, "a") == ends


@pytest.mark.rule("ost", "26.3.4")
def test_the_edge_of_the_map_ends_a_drift(table):
    play = stick(table, at="J4", falls=(1, 6)).start()
    assert where(play, "a") == "J1"
    assert find(play.log, x.Dropped).edge


def test_a_drift_that_ends_on_the_last_hex_is_no_drift_off_the_map(table):
    play = stick(table, at="J4", falls=(1, 2)).start()
    assert where(play, "a") == "J1"
    assert not find(play.log, x.Dropped).edge


@pytest.mark.parametrize("direction", range(1, 7))
@pytest.mark.parametrize("distance", range(1, 7))
def test_a_drift_never_leaves_the_map_and_never_goes_farther_than_the_die(direction, distance):
    ground = ground_of(HexMap(key="m", title="M", grid=("....",) * 5, legend=LEGEND))
    grid = ground.grid
    for h in range(grid.columns, grid.columns * 6):
        there, edge = blown(ground, h, direction, distance)
        assert grid.on_map(there)
        assert grid.distance(h, there) == distance or edge
        assert not edge or grid.neighbours[there][direction - 1] < 0


# --- landings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sign", "column"),
    [
        (".", 0),
        *((sign, -3) for sign in "wolhus"),
        ("B", -3),
        *((sign, -5) for sign in "bftcmxdr"),
    ],
)
def test_what_ground_does_to_who_lands_in_it(sign, column):
    ground = ground_of(HexMap(key="m", title="M", grid=(sign,), legend=LEGEND))
    assert harm(ground, 1) == column


@pytest.mark.rule("ost", "26.3.6")
def test_other_ground_is_the_column_below(table):
    play = stick(table, rows=terrain(J13="b"), falls=(1, 1, 6, 6)).start()
    struck = find(play.log, f.Blasted)
    assert COLUMNS[struck.column] == "-5"
    assert play.state.steps[play["a"]] == STEPS[play.state.kind[play["a"]]] - (struck.result >= 3)


@pytest.mark.rule("ost", "26.3.7")
def test_roads_and_hexsides_change_nothing(table):
    board = table(
        PLAIN,
        roads=(Road(hexes="J12 J13 J14"),),
        hexsides=(Hexsides(kind="bocage", sides=("J13/N+NE+SE+S+SW+NW",)),),
    )
    board.put("a", "us-airborne-rifle").put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.flies(US, ("transport", "J15", ("a",)))
    board.falls = (1, 1)
    play = board.start()
    assert find(play.log, x.Landed).column == 0
    assert not all_of(play, f.Blasted)


def test_a_road_through_woods_leaves_them_woods(table):
    rows = terrain(J13="w")
    ground = ground_of(
        HexMap(key="m", title="M", grid=rows, legend=LEGEND, roads=(Road(hexes="J12 J13 J14"),))
    )
    assert harm(ground, ground.grid.find("J13")) == -3


@pytest.mark.rule("ost", "26.3.13")
def test_reinforcements_have_moved(table):
    play = stick(table, turn=1, falls=(1, 1)).start()
    assert play.state.moved[play["a"]]
    refusal = play.refused(play.way("a", "J12"))
    assert refusal.rule == "23.0.1"


def test_who_jumped_before_the_battle_has_not_moved(table):
    play = stick(table, falls=(1, 1)).start()
    assert not play.state.moved[play["a"]]
    play.move("a", "J12")


def test_a_later_turn_brings_them_and_nobody_hears_of_them_before(table):
    play = stick(table, turn=2, falls=()).start()
    assert play.state.hex[play["a"]] == OFF
    rules = play.battle.ruleset
    for event in play.log:
        for side in (GERMAN, -1):
            line = rules.narrate(play.state, event, side)
            assert line is None or "(a)" not in line.text
            assert line is None or "plan their flights" not in line.text
    told = rules.narrate(play.state, find(play.log, x.FlightsPlanned), US)
    assert "J15" in told.text
    play.out(1, 1, 6, 6, 1, 1, 1, 1)
    assert where(play, "a") == "J13"


def test_a_side_with_men_in_the_air_has_not_lost(table):
    board = table(PLAIN).put("a", "us-airborne-rifle").put("far", "ger-rifle", "T1")
    board.flies(US, ("transport", "J15", ("a",)), turn=2)
    play = board.start()
    assert play.wants == "an impulse"


@pytest.mark.rule("ost", "26.3.11")
def test_supplies_drift_and_are_not_attacked(table):
    board = table(terrain(J13="w")).put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.put("can", "us-bazooka").flies(US, ("transport", "J15", ("+can",)))
    board.falls = (1, 1)
    play = board.start()
    dropped = find(play.log, x.SuppliesDropped)
    assert play.state.ground.name(dropped.hex) == "J13"
    assert not all_of(play, f.Blasted)
    assert play.state.known[GERMAN][play["can"]] == dropped.hex


def test_supplies_are_there_to_be_picked_up(table):
    board = table(PLAIN).put("home", "us-rifle", "J13").put("far", "ger-rifle", "T1")
    board.put("can", "us-bazooka").flies(US, ("transport", "J15", ("+can",)))
    board.falls = (1, 1)
    play = board.start()
    play.do(a.PickUp(unit=play["home"], weapon=play["can"]))
    assert play.state.weapon[play["home"]] == play["can"]


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(
    ("turn", "at", "rule"), [(0, "J12", "26.2.3"), (0, "J10", ""), (2, "J12", "")]
)
def test_aircraft_of_two_operations_keep_apart_if_they_fly_together(table, turn, at, rule):
    board = table(PLAIN)
    for name in ("a", "b"):
        board.put(name, "us-airborne-rifle")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.flies(US, ("transport", "J15", ("a",)))
    board.flies(US, ("transport", at, ("b",)), turn=turn, heading="S")
    board.falls = (1, 1) if turn or rule else (1, 1, 1, 1)
    if not rule:
        assert len(find(board.start().log, x.FlightsPlanned).aircraft) == 2
        return
    with pytest.raises(Illegal) as caught:
        board.start()
    assert caught.value.refusal.rule == rule


@pytest.mark.border("ost", "26")
@pytest.mark.parametrize(("at", "supplies", "goes"), [
    ("J4", 2, True), ("J3", 2, False), ("J3", 1, True), ("J2", 0, True), ("J1", 0, False),
])  # fmt: skip
def test_the_map_is_as_long_as_what_is_dropped(table, at, supplies, goes):
    """A hex for the squad and one for each can of supplies."""
    board = table(PLAIN).put("a", "us-airborne-rifle")
    cans = tuple(f"can{number}" for number in range(supplies))
    for can in cans:
        board.put(can, "us-bazooka")
    board.put("home", "us-rifle", "A20").put("far", "ger-rifle", "T1")
    board.flies(US, ("transport", at, ("a", *(f"+{can}" for can in cans))))
    board.falls = (4, 1) * (1 + supplies)
    if goes:
        assert len(all_of(board.start(), x.SuppliesDropped)) == supplies
    else:
        with pytest.raises(Illegal, match=r"26\.3\.1"):
            board.start()
