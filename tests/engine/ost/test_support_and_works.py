"""Artillery, aircraft, mortars and works, as far as other files do not prove them: OST 8.0, 10, 13,
15.0, 16.4, 16.5, 32, 33."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import melee_events as m
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.questions import LineOfSight
from rulesengine.rulesets.ost.sight import BLOCKED
from tests.engine.table import GERMAN, US, Hexsides, find, kinds

OPEN = ("............",) * 12


def ground(**hexes):
    """An open map with other signs in some hexes."""
    rows = [list(row) for row in OPEN]
    for name, sign in hexes.items():
        rows[int(name[1:]) - 1]["ABCDEFGHIJKL".index(name[0])] = sign
    return tuple("".join(row) for row in rows)


def guns(table, *, rows=OPEN, **more):
    board = table(rows, **more).put("eyes", "us-rifle", "H11").battery(US)
    return board.put("far", "ger-sergeant", "L1")


def call(play, at, *, smoke=False):
    return a.CallArtillery(spotter=play["eyes"], battery=0, hex=play.hex(at), smoke=smoke)


def planes(table, rows=OPEN, at="H11", **more):
    return table(rows, **more).put("eyes", "us-rifle", at).air(US)


def bombs(play, one, two):
    return a.AirStrike(spotter=play["eyes"], hex=play.hex(one), other=play.hex(two))


def struck(news):
    return [event for event in news if isinstance(event, f.Blasted)]


# --- artillery -----------------------------------------------------------------------------------


@pytest.mark.parametrize("smoke", [True, False])
@pytest.mark.rule("ost", "33.1.3", "3.1.8")
def test_shells_or_smoke_is_said_with_the_call(table, smoke):
    play = guns(table).put("b", "ger-rifle", "C4").start()
    news = play.dice(4, *(() if smoke else (1, 1))).do(call(play, "C4", smoke=smoke))
    called = find(news, s.ArtilleryCalled)
    assert called.smoke is smoke
    assert kinds(news).index("ArtilleryCalled") < kinds(news).index("AccuracyRolled")
    assert bool(struck(news)) is not smoke
    assert ("SmokeLaid" in kinds(news)) is smoke


@pytest.mark.rule("ost", "33.2.5")
def test_what_is_off_target_drifts_before_it_strikes(table):
    """Called on C4, it falls three hexes to the south: on the squad there, not the one aimed at."""
    board = guns(table).put("aimed", "ger-rifle", "C4").put("hit", "ger-rifle", "C7")
    play = board.start()
    news = play.dice(3, 4, 3, 1, 1).do(call(play, "C4"))
    order = [k for k in kinds(news) if k in ("AccuracyRolled", "Drifted", "StrikeFell", "Blasted")]
    assert order == ["AccuracyRolled", "Drifted", "StrikeFell", "Blasted"]
    assert struck(news)[0].target == play["hit"]


@pytest.mark.rule("ost", "33.4.5", "33.4.6")
def test_a_leader_rolls_with_his_unit_only_and_is_struck_when_alone(table):
    board = guns(table).put("a", "ger-rifle", "C4", leader="with").put("b", "ger-rifle", "C4")
    play = board.put("alone", "ger-lieutenant", "C5").start()
    news = play.dice(4, 6, 6, 6, 6, 1, 1, 1).do(call(play, "C4"))
    assert {x.target for x in struck(news)} == {play["a"], play["b"], play["alone"]}
    assert play["with"] not in {x.target for x in struck(news)}
    assert kinds(news).count("LeaderRolled") == 1, "with the unit he is attached to"


@pytest.mark.rule("ost", "33.4.7")
def test_hidden_units_under_shells_are_found_and_struck(table):
    play = guns(table).put("b", "ger-rifle", "C4", hidden=True).put("c", "ger-rifle", "C8").start()
    news = play.dice(4, 1, 1).do(call(play, "C4"))
    assert find(news, e.Revealed).units == (play["b"],)
    assert [x.target for x in struck(news)] == [play["b"]]


@pytest.mark.rule("ost", "33.4.8")
def test_ones_own_troops_are_not_spared(table):
    play = guns(table).put("own", "us-rifle", "C4").put("b", "ger-rifle", "C4").start()
    news = play.dice(4, 1, 1, 1, 1).do(call(play, "C4"))
    assert {x.target for x in struck(news)} == {play["own"], play["b"]}


@pytest.mark.parametrize("kind", ["hedge", "stone wall", "bocage"])
@pytest.mark.rule("ost", "15.0.6")
def test_no_hexside_shelters_from_above(table, kind):
    sides = (Hexsides(kind=kind, sides=("C4/N+NE+SE+S+SW+NW",)),)
    board = table(OPEN, hexsides=sides).put("eyes", "us-rifle", "C6").battery(US)
    play = board.put("b", "ger-rifle", "C4").start()
    assert struck(play.dice(4, 1, 1).do(call(play, "C4")))[0].defense == 4


# --- aircraft ------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "32.0.p1", "3.1.8")
def test_a_side_without_aircraft_calls_none(table):
    play = table(OPEN).put("eyes", "us-rifle", "H11").put("b", "ger-rifle", "C4").start()
    assert play.refused(bombs(play, "C4", "C5")).rule == "32.0.p1"
    play = planes(table).put("b", "ger-rifle", "C4").start()
    play.cited.take(play.dice(1, 1, 1).do(bombs(play, "C4", "C5")))


@pytest.mark.rule("ost", "32.0.3")
def test_two_hexes_are_named_before_the_aircraft_come(table):
    board = planes(table).put("a", "ger-rifle", "C4").put("b", "ger-rifle", "C5")
    play = board.put("c", "ger-rifle", "C6").start()
    news = play.dice(1, 1, 1, 1, 1).do(bombs(play, "C4", "C5"))
    assert find(news, s.AirStrikeCalled).hexes == (play.hex("C4"), play.hex("C5"))
    assert kinds(news).index("AirStrikeCalled") < kinds(news).index("PilotRolled")
    assert {x.target for x in struck(news)} == {play["a"], play["b"]}


@pytest.mark.parametrize(
    ("sign", "work", "defense"),
    [(".", "", 4), ("w", "", 6), ("h", "", 6), (".", "trench", 6), ("w", "foxholes", 7)],
)
@pytest.mark.rule("ost", "32.0.7")
def test_terrain_and_works_shelter_from_the_air_and_hexsides_do_not(table, sign, work, defense):
    walls = (Hexsides(kind="stone wall", sides=("C4/N+NE+SE+S+SW+NW",)),)
    board = planes(table, ground(C4=sign), at="C6", hexsides=walls).put("b", "ger-rifle", "C4")
    if work:
        board.work(GERMAN, work, "C4")
    play = board.start()
    news = play.dice(3, 1, 1, 1, 1).do(bombs(play, "C4", "D4"))
    assert struck(news)[0].defense == defense


@pytest.mark.parametrize("face", [5, 6])
@pytest.mark.rule("ost", "32.0.9")
def test_after_the_attack_buildings_may_fall(table, face):
    board = planes(table, ground(C4="h")).put("b", "ger-rifle", "C4")
    play = board.start()
    news = play.dice(3, 1, 1, face, *(1,) * 4).do(bombs(play, "C4", "C5"))
    order = [k for k in kinds(news) if k in ("Blasted", "CollapseRolled")]
    assert order[:2] == ["Blasted", "CollapseRolled"]
    assert find(news, f.CollapseRolled).falls is (face == 6)


@pytest.mark.rule("ost", "32.0.10")
def test_from_the_air_too_leaders_roll_with_their_units_or_are_struck_alone(table):
    board = planes(table).put("a", "ger-rifle", "C4", leader="with")
    play = board.put("alone", "ger-lieutenant", "C5").start()
    news = play.dice(6, 6, 6, 6, 6, 1, 1).do(bombs(play, "C4", "C5"))
    assert [x.target for x in struck(news)] == [play["a"], play["alone"]]
    assert kinds(news).count("LeaderRolled") == 1


# --- mortars of squads ---------------------------------------------------------------------------


def mortar(table, rows=OPEN, at="C10", **more):
    return table(rows).put("tube", "us-rifle", at, weapon="us-mortar-60", **more)


def lob(play, at):
    return a.HexFire(unit=play["tube"], weapon=play["tube's weapon"], hex=play.hex(at))


@pytest.mark.rule("ost", "10.3.9")
def test_armoured_vehicles_do_not_feel_a_mortar(table):
    board = mortar(table).put("tank", "ger-pz4h", "C4").put("lorry", "ger-truck", "C4")
    play = board.start()
    news = play.dice(4, 6, 6).do(lob(play, "C4"))
    assert {x.target for x in struck(news)} == {play["lorry"]}


@pytest.mark.rule("ost", "10.3.11")
def test_a_mortar_brings_no_house_down_and_bursts_in_no_tree(table):
    play = mortar(table, ground(C4="l")).put("b", "ger-rifle", "C4").start()
    assert "CollapseRolled" not in kinds(play.dice(4, 1, 1).do(lob(play, "C4")))
    play = mortar(table, ground(C4="w")).put("b", "ger-rifle", "C4").start()
    assert struck(play.dice(4, 1, 1).do(lob(play, "C4")))[0].defense == 6


@pytest.mark.parametrize("brush", [0, 1, 2])
@pytest.mark.rule("ost", "10.3.13")
def test_what_dims_the_line_takes_nothing_from_a_mortar(table, brush):
    rows = ground(**{f"C{7 + n}": "b" for n in range(brush)})
    play = mortar(table, rows).put("b", "ger-rifle", "C4").start()
    plain = mortar(table).put("b", "ger-rifle", "C4").start()
    there = struck(play.dice(4, 1, 1).do(lob(play, "C4")))[0]
    assert there.firepower == struck(plain.dice(4, 1, 1).do(lob(plain, "C4")))[0].firepower


@pytest.mark.parametrize(("sign", "fires"), [("u", True), ("w", True), ("l", False), ("h", False)])
@pytest.mark.rule("ost", "16.5.6")
def test_out_of_ruins_mortars_fire_and_rockets_blow_back_on_nobody(table, sign, fires):
    play = mortar(table, ground(C10=sign)).put("b", "ger-rifle", "C4").start()
    if fires:
        assert "HexFireDeclared" in kinds(play.dice(4, 1, 1).do(lob(play, "C4")))
    else:
        assert play.refused(lob(play, "C4")).rule == "10.3.15"
        from_ruins = mortar(table, ground(C10="u")).put("b", "ger-rifle", "C4").start()
        from_ruins.dice(4, 1, 1).do(lob(from_ruins, "C4"))
    rocket = table(ground(C10=sign)).put("a", "us-rifle", "C10", weapon="us-bazooka")
    shot = rocket.put("t", "ger-pz4h", "C8", facing=0).start()
    shot.dice(1, 1, *(() if fires else (6, 6)))
    assert ("BlownBack" in kinds(shot.fire("a", "t", weapon="a's weapon"))) is not fires


# --- weapons of squads, guns ---------------------------------------------------------------------


@pytest.mark.example("ost", "10.0.e4")
@pytest.mark.border("ost", "10")
@pytest.mark.parametrize(
    ("weapon", "morale", "power"),
    [("us-lmg", "good order", 6), ("us-lmg", "shaken", 3), ("", "shaken", 2)],
)
@pytest.mark.rule("ost", "10.0.16")
def test_squad_and_weapon_are_halved_together(table, weapon, morale, power):
    """The book's example: (4 + 2) / 2 = 3."""
    board = table().put("a", "us-rifle", "D4", weapon=weapon, morale=morale)
    play = board.put("g", "ger-rifle", "D7").start()
    more = {"weapon": "a's weapon"} if weapon else {}
    assert find(play.dice(1, 1).fire("a", "g", **more), e.Shot).firepower == power
    if morale == "good order":
        shaken = table().put("a", "us-rifle", "D4", morale="shaken").put("g", "ger-rifle", "D7")
        shaken.start().dice(1, 1).fire("a", "g")


@pytest.mark.rule("ost", "10.0.15")
def test_in_melee_each_squad_uses_the_one_weapon_it_carries(table):
    """4 + 2 and 4, and 2 for the melee; what lies in the hex helps nobody."""
    board = (
        table().put("a", "us-rifle", "D4", weapon="us-lmg").put("b", "us-rifle", "D4", leader="x")
    )
    board.put("c", "us-rifle", "D5", weapon="us-bar").put("g", "ger-rifle", "D3")
    play = board.start()
    play.do(play.assault("b", "D3", partner="a"))
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    play.dice(*(1,) * 14)
    while play.wants == "an impulse":
        play.idle()
    assert play.wants == "concentrate the attack or not"
    news = play.do(a.Concentrate())
    joined = find(news, m.MeleeJoined)
    assert joined.firepower[US] == 4 + 2 + 4 + 1 + 2


@pytest.mark.rule("ost", "8.0.7")
def test_a_gun_in_a_tall_house_stands_on_its_ground_floor(table, ask):
    rows = ("....", "..b.", "..h.", "....")
    levels = ("0000", "0000", "0020", "0000")
    field = table(rows, levels=levels)
    low = ask(LineOfSight(map=field.map, start="C3", end="C1", on_ground_floor=("start",)))
    high = ask(LineOfSight(map=field.map, start="C3", end="C1"))
    assert low.value == 1
    assert "8.0.7" in low.rules
    assert high.value != low.value or high.modifiers != low.modifiers
    play = field.put("gun", "ger-pak40", "C3", facing=0).put("a", "us-rifle", "C1").start()
    assert play.at("gun") == "C3"


@pytest.mark.parametrize("kind", ["bunker", "pillbox"])
def test_guns_may_stand_in_bunkers_and_pillboxes(table, kind):
    facing = "N" if kind == "pillbox" else ""
    board = table().work(GERMAN, kind, "D4", facing=facing).put("gun", "ger-pak40", "D4", facing=0)
    assert board.put("a", "us-rifle", "D8").start().at("gun") == "D4"


@pytest.mark.rule("ost", "9.3.2")
def test_the_machine_guns_of_a_vehicle_with_two_guns_fire_as_well(table):
    board = table().put("lee", "us-m3-lee", "D8", facing=0).put("g", "ger-rifle", "D5")
    play = board.put("h", "ger-rifle", "D4").start()
    for hull in (True, False):
        news = play.dice(1, 1, 1, 1).shoot("lee", "g", "h", hull=hull)
        assert [x.target for x in news if isinstance(x, e.Shot)] == [play["g"], play["h"]]
        assert find(news, v.VehicleFireDeclared).hull is hull
        play.idle()


# --- works ---------------------------------------------------------------------------------------


@pytest.mark.example("ost", "13.0.e1")
@pytest.mark.rule("ost", "13.0.p1")
def test_a_marker_helps_every_unit_of_its_hex(table):
    board = (
        table().work(GERMAN, "trench", "D4").put("x", "ger-rifle", "D4").put("y", "ger-rifle", "D4")
    )
    play = board.put("a", "us-rifle", "D7").put("b", "us-rifle", "D7").start()
    for firer, target in (("a", "x"), ("b", "y")):
        assert find(play.dice(1, 1).fire(firer, target), e.Shot).defense == 6
        play.idle()


@pytest.mark.example("ost", "13.0.e2")
@pytest.mark.parametrize("kind", ["bunker", "mines"])
@pytest.mark.rule("ost", "13.0.p2")
def test_one_marker_a_hex(table, kind):
    board = table().work(US, kind, "D4").put("a", "us-rifle", "D4").put("g", "ger-rifle", "H8")
    play = board.start()
    refusal = play.refused(a.SeekCover(unit=play["a"]))
    assert refusal.rule == ("13.0.p2" if kind == "mines" else "13.1.4")
    if kind == "bunker":
        covered = table().put("a", "us-rifle", "D4").put("g", "ger-rifle", "H8").start()
        covered.dice(6).do(a.SeekCover(unit=covered["a"]))
        covered.idle()
        assert covered.refused(a.SeekCover(unit=covered["a"])).rule == "13.0.p2"
    twice = table().work(US, kind, "D4").work(US, "wire", "D4")
    twice.put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8")
    assert "13.0.p2" in str(check(twice.document()))


BUNKER = pytest.mark.rule("ost", "13.4.3")
PILLBOX = pytest.mark.rule("ost", "13.5.3")


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        pytest.param("bunker", "13.4.3", marks=BUNKER),
        pytest.param("pillbox", "13.5.3", marks=PILLBOX),
    ],
)
@pytest.mark.parametrize(
    ("sign", "may"),
    [(".", True), ("w", True), ("s", False), ("l", False), ("h", False), ("u", False)],
)
def test_where_bunkers_and_pillboxes_stand(table, kind, rule, sign, may):
    facing = "N" if kind == "pillbox" else ""
    board = table(ground(C4=sign)).work(GERMAN, kind, "C4", facing=facing)
    board.put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8")
    assert (rule in str(check(board.document()))) is not may
    if may:
        assert find(board.start().log, f.WorksLaid).marker >= 0
    else:
        other = table().work(GERMAN, kind, "C4", facing=facing)
        other.put("a", "us-rifle", "A1").put("g", "ger-rifle", "H8").start()


@pytest.mark.rule("ost", "13.4.11")
def test_of_a_weapon_in_a_bunker_that_is_blown_up_a_crew_remains(table):
    board = table().work(US, "bunker", "D4").put("mg", "us-hmg", "D4").put("a", "us-rifle", "D4")
    play = board.put("g", "ger-rifle", "H8").start()
    news = play.do(a.BlowUp(unit=play["a"]))
    left = find(news, f.CrewLeft)
    assert (left.unit, left.points, left.bunker) == (play["mg"], 1, True)
    assert play.state.loss_points == [1, 0]
    assert play.steps("a") == 2, "the squad is not hurt"


@pytest.mark.parametrize("wire", [True, False])
@pytest.mark.rule("ost", "13.6.9")
def test_wire_hides_nothing(table, wire):
    board = table().put("a", "us-rifle", "D3").put("g", "ger-rifle", "D6")
    if wire:
        board.work(GERMAN, "wire", "D4:D5")
    play = board.start()
    assert find(play.dice(1, 1).fire("a", "g"), e.Shot).firepower == 4
    if not wire:
        table().work(GERMAN, "wire", "A1").put("a", "us-rifle", "D3").put(
            "g", "ger-rifle", "D6"
        ).start()


@pytest.mark.rule("ost", "13.8.1")
def test_a_house_that_falls_leaves_rubble(table):
    play = guns(table, rows=ground(C4="h")).start()
    news = play.dice(4, 6).do(call(play, "C4"))
    assert find(news, f.CollapseRolled).falls
    h = play.hex("C4")
    assert not play.state.ground.structure[h]
    assert play.state.ground.defense[h] == 3
    stands = guns(table, rows=ground(C4="h")).start()
    stands.dice(4, 5).do(call(stands, "C4"))
    assert stands.state.ground.structure[h]


@pytest.mark.parametrize(("sign", "defense"), [("l", 5), ("h", 6)])
@pytest.mark.rule("ost", "16.4.5")
def test_row_houses_shelter_as_buildings_of_their_kind(table, ask, sign, defense):
    rows = ("......", f"..{sign}...", f"..{sign}...", "......", "......", "......")
    field = table(rows, party_walls=("C2/S",))
    answer = ask(LineOfSight(map=field.map, start="C5", end="C3"))
    assert answer.value != BLOCKED
    play = field.put("a", "us-rifle", "C5").put("g", "ger-rifle", "C3").start()
    assert find(play.dice(1, 1).fire("a", "g"), e.Shot).defense == defense
