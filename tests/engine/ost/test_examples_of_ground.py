"""The worked examples and diagrams of markers, terrain, hexsides and structures: OST 13 to 16."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.artillery import area
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.questions import InfantryAttack, LineOfSight, MovementCost
from rulesengine.rulesets.ost.scenario import Footprint, HexMap
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.vehicle_questions import DriveCost
from rulesengine.rulesets.ost.works import RUBBLE
from tests.engine.table import GERMAN, LEGEND, US, Hexsides, find, kinds

CLEAR = 0
WIDE = ("............",) * 12


def field(*named, rows=8, columns=8):
    """Open ground with a sign in some hexes: ("C4", "b")."""
    made = [["."] * columns for _ in range(rows)]
    for name, sign in named:
        made[int(name[1:]) - 1]["ABCDEFGHIJKL".index(name[0])] = sign
    return tuple("".join(row) for row in made)


def drawn(*named, **more):
    return HexMap(key="m", title="M", grid=field(*named), legend=LEGEND, **more)


# --- markers -------------------------------------------------------------------------------------


@pytest.mark.example("ost", "13.0.e1")
@pytest.mark.border("ost", "13")
@pytest.mark.parametrize(
    ("marker", "defense"),
    [("trench", 4 + 2), ("foxholes", 4 + 1), ("", 4), ("wire", 4 - 1)],
)
def test_a_trench_gives_two_to_both_rifles_of_its_hex(table, marker, defense):
    board = table().put("one", "ger-rifle", "D4").put("two", "ger-rifle", "D4")
    if marker:
        board.work(GERMAN, marker, "D4")
    play = board.put("a", "us-rifle", "D7").put("b", "us-rifle", "D7").start()
    for firer, target in (("a", "one"), ("b", "two")):
        assert find(play.dice(1, 1).fire(firer, target), e.Shot).defense == defense
        play.idle()


@pytest.mark.example("ost", "13.0.e2")
@pytest.mark.border("ost", "13")
@pytest.mark.parametrize(
    ("marker", "rule"), [("", ""), ("cover", "13.0.p2"), ("bunker", "13.1.4"), ("smoke", "")]
)
def test_no_second_cover_is_sought_and_none_in_a_bunker(table, marker, rule):
    board = table().put("a", "us-rifle", "D4").put("g", "ger-sergeant", "H8")
    if marker == "bunker":
        board.work(US, "bunker", "D4")
    play = board.start()
    if marker == "cover":
        play.dice(6).do(a.SeekCover(unit=play["a"]))
        play.idle()
    if marker == "smoke":
        play.given(f.SmokeLaid(hexes=(play.hex("D4"),), ages=(1,), by="mortar"))
    if rule:
        assert play.refused(a.SeekCover(unit=play["a"])).rule == rule
    else:
        news = play.dice(6).do(a.SeekCover(unit=play["a"]))
        assert find(news, f.WorkPlaced).hex == play.hex("D4")


@pytest.mark.example("ost", "13.0.e3")
@pytest.mark.border("ost", "13")
@pytest.mark.rule("ost", "13.0.p3")
@pytest.mark.parametrize(("face", "defense"), [(4, 4 + 2), (5, 4 + 3)])
def test_cover_in_the_woods_is_three(table, face, defense):
    """A die of four finds none; two for the woods remain."""
    board = table(field(("D4", "w"))).put("g", "ger-rifle", "D4").put("a", "us-rifle", "D7")
    play = board.to_move(GERMAN).start()
    play.dice(face).do(a.SeekCover(unit=play["g"]))
    shot = find(play.dice(1, 1).fire("a", "g"), e.Shot)
    assert shot.defense == defense
    bunker = table(field(("D4", "w"))).put("g", "ger-rifle", "D4").put("a", "us-rifle", "D7")
    play = bunker.work(GERMAN, "bunker", "D4").start()
    assert find(play.dice(1, 1).fire("a", "g"), e.Shot).defense == 4 + 2 + 3


# --- terrain -------------------------------------------------------------------------------------


@pytest.mark.example("ost", "14.0.e2")
@pytest.mark.border("ost", "14")
@pytest.mark.rule("ost", "14.0.9")
@pytest.mark.parametrize(
    ("sign", "defense", "foot", "wheels", "tracks", "bog"),
    [("B", -1, 2, "4", "3", True), ("b", 1, 1, "3", "2", False), ("s", -2, 2, "4", "3", True)],
)
def test_stream_and_brush_shelter_together_and_cost_as_the_stream(
    ask, sign, defense, foot, wheels, tracks, bog
):
    words = tuple(LEGEND[sign].split(" + "))
    answer = ask(InfantryAttack(firepower=(9,), defense=4, terrain=words))
    assert answer.value == 9 - 4 - defense
    ground = drawn(("A2", sign))
    assert ask(MovementCost(map=ground, path=("A1", "A2"))).value == foot

    def drive(key):
        asked = DriveCost(map=ground, vehicle=key, facing="S", path=("A1", "A2"), facings=("S",))
        return ask(asked).steps[0]

    assert drive("us-truck").startswith(f"A2: {wheels}")
    assert drive("us-m4").startswith(f"A2: {tracks}")
    assert ("bog" in drive("us-m4").lower()) is bog
    ask(InfantryAttack(firepower=(4,), defense=4, terrain=("stream", "brush")))


@pytest.mark.example("ost", "14.14.d1")
@pytest.mark.border("ost", "14")
@pytest.mark.parametrize(("east", "seen"), [(-80, BLOCKED), (20, 1)])
def test_through_the_hill_as_it_is_painted_blocked_beside_it_degraded(ask, east, seen):
    """The line runs down the middle of the hill's hex; the hill lies on it, or east of it."""
    hill = Footprint(hex="C4", polygon=((east, -50), (90, -50), (90, 50), (east, 50)))
    levels = ("00000000",) * 3 + ("00100000",) + ("00000000",) * 4
    ground = drawn(levels=levels, footprints=(hill,))
    assert ask(LineOfSight(map=ground, start="C2", end="C6")).value == seen
    assert ask(LineOfSight(map=ground, start="E2", end="E6")).value == CLEAR


# --- hexsides ------------------------------------------------------------------------------------


@pytest.mark.example("ost", "15.3.d1")
@pytest.mark.border("ost", "15")
@pytest.mark.parametrize(
    ("who", "rule"), [("ger-rifle", ""), ("ger-marder3h", "15.3.7")], ids=["rifle", "marder"]
)
def test_a_rifle_in_bocage_sees_out_and_is_seen_a_marder_is_not(table, who, rule):
    sides = (Hexsides(kind="bocage", sides=("D4/S",)),)
    board = table(hexsides=sides).put("g", who, "D4", facing=3)
    play = board.put("a", "us-rifle", "D7").to_move(GERMAN).start()
    gun = who == "ger-marder3h"
    out = play.salvo("g", "a") if gun else play.shot("g", "a")
    back = play.shot("a", "g")
    if rule:
        assert play.refused(out).rule == rule
        play.idle()
        assert play.refused(back).rule == rule
    else:
        shot = find(play.dice(1, 1).do(out), e.Shot)
        assert (shot.firepower, shot.defense) == (4, 4), "the bocage takes nothing from its fire"
        answer = find(play.dice(1, 1).do(back), e.Shot)
        assert (answer.firepower, answer.defense) == (4, 4 + 2)


# --- structures ----------------------------------------------------------------------------------


@pytest.mark.example("ost", "16.3.d1")
@pytest.mark.border("ost", "16")
@pytest.mark.parametrize(("at", "height"), [("C3", 0), ("C4", 1), ("C5", 0)])
def test_of_a_building_of_three_hexes_only_the_marked_one_has_two_storeys(table, ask, at, height):
    rows = field(("C3", "h"), ("C4", "h"), ("C5", "h"))
    levels = ("00000000",) * 3 + ("00100000",) + ("00000000",) * 4
    more = {"levels": levels, "buildings": ("C3:C5",)}
    board = table(rows, **more).put("us", "us-rifle", at).put("german", "ger-rifle", f"F{at[1]}")
    play = board.start()
    shot = find(play.dice(2, 2).fire("us", "german"), e.Shot)
    assert shot.total == 4 + height
    inside = ask(LineOfSight(map=play.state.scenario.ground, start="C3", end="C5"))
    assert inside.value == BLOCKED


@pytest.mark.example("ost", "16.7.e1")
@pytest.mark.border("ost", "16")
@pytest.mark.parametrize(
    ("face", "falls"),
    [
        pytest.param(4, False, marks=pytest.mark.rule("ost", "16.7.5", "16.7.7")),
        pytest.param(5, True, marks=pytest.mark.rule("ost", "16.7.9", "16.7.5", "16.7.8")),
    ],
)
def test_shells_bring_a_ruin_down_on_the_rifle_that_they_spared(table, face, falls):
    """Two (of a heavy structure) less four is column -2: a nine takes a step. A ruin falls on a
    five; every building of the seven hexes is rolled for, and empty ones leave rubble too."""
    rows = field(("E5", "u"), ("E4", "l"), ("F5", "h"), ("I9", "l"), rows=12, columns=12)
    board = table(rows).put("eyes", "us-rifle", "E11").battery(US)
    play = board.put("rifle", "ger-rifle", "E5").start()
    struck = set(area(play.state, play.hex("E5")))
    assert {play.hex(name) for name in ("E4", "F5")} < struck
    assert play.hex("I9") not in struck
    order = ("E5", "E4", "F5")
    rolls = {"E5": (1, 1, face, *((5, 5) if falls else ())), "E4": (5,), "F5": (5,)}
    feed = _rolled(play, rolls, order)
    news = play.dice(4, *feed).do(
        a.CallArtillery(spotter=play["eyes"], battery=0, hex=play.hex("E5"))
    )
    checks = {event.hex: event for event in news if isinstance(event, f.CollapseRolled)}
    assert set(checks) == {play.hex(name) for name in order}
    assert checks[play.hex("E5")].total == face + 1
    fallen = {h for h, kind in play.state.works.items() if kind == RUBBLE}
    expected = {"E4", "E5"} if falls else {"E4"}
    assert fallen == {play.hex(name) for name in expected}, "the heavy one stands on a five"
    blows = [event for event in news if isinstance(event, f.Blasted)]
    assert [event.why for event in blows] == ["artillery", *(["collapse"] * falls)]
    assert play.steps("rifle") == (1 if falls else 2)
    if falls:
        last = blows[-1]
        assert (last.firepower, last.defense, COLUMNS[last.column]) == (2, 4, "-2")
    else:
        assert "CasualtyTaken" not in kinds(news)


def _rolled(play, rolls, order):
    """The dice of the hexes of a strike in the order in which it comes to them."""
    names = {play.hex(name): name for name in order}
    hexes = [h for h in area(play.state, play.hex("E5")) if h in names]
    return [face for h in hexes for face in rolls[names[h]]]
