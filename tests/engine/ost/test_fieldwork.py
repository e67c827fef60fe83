"""Mines, engineers, cover, bunkers and pillboxes (OST 6.1, 13.1, 13.3 to 13.5)."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.state import IMMOBILE
from rulesengine.rulesets.ost.works import COVER, FRESH, MINES, OLD, WIRE
from tests.engine.table import GERMAN, US, find, kinds

ROW = ("......", "......", "......", "......", "......", "......")
TOWN = ("......", "..h...", "..h...", "......", "......", "......")
QUIET = (6, 6, 1, 1, 1, 1)


def field(table, unit="us-rifle", *, rows=ROW, **more):
    return table(rows).put("a", unit, "C6", **more).put("b", "ger-sergeant", "F1")


# --- mines -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "13.3.1", "13.3.6", "13.3.p1")
def test_mines_strike_who_enters_and_are_known_then(table):
    play = field(table).work(GERMAN, "mines", "C5").start()
    news = play.dice(1, 1).move("a", "C5", "C4")
    found, blast = find(news, f.MinesFound), find(news, f.Blasted)
    assert not found.engineers
    assert (blast.firepower, blast.defense, COLUMNS[blast.column]) == (5, 4, "+1")


@pytest.mark.rule("ost", "23.0.9")
def test_who_suffers_from_mines_stops(table):
    play = field(table).work(GERMAN, "mines", "C5").start()
    news = play.dice(5, 5, 1, 1).move("a", "C5", "C4")
    assert find(news, e.MoveStopped).why == "mines"
    assert play.at("a") == "C5"
    play = field(table).work(GERMAN, "mines", "C5").start()
    play.dice(1, 1).move("a", "C5", "C4")
    assert play.at("a") == "C4"


@pytest.mark.rule("ost", "13.3.4")
def test_known_mines_attack_again(table):
    play = field(table).put("c", "us-rifle", "D6").work(GERMAN, "mines", "C5").start()
    play.dice(1, 1).move("a", "C5", "C4")
    play.idle()
    news = play.dice(1, 1).move("c", "C5")
    assert "MinesFound" not in kinds(news)
    assert find(news, f.Blasted).why == "mines"


def test_their_owner_walks_through_his_own(table):
    play = field(table).work(US, "mines", "C5").start()
    news = play.move("a", "C5", "C4")
    assert not {"MinesFound", "Blasted"} & set(kinds(news))
    assert play.state.mined[play.hex("C5")] == (US, False)


@pytest.mark.rule("ost", "13.3.2", "6.1.2")
@pytest.mark.parametrize("path", [("C5",), ("C5", "C4")])
def test_engineers_find_mines_unharmed(table, path):
    play = field(table, "us-engineer").work(GERMAN, "mines", "C4").start()
    news = play.move("a", *path)
    assert find(news, f.MinesFound).engineers
    assert "Blasted" not in kinds(news)
    assert play.at("a") == path[-1]


@pytest.mark.rule("ost", "13.3.2")
def test_engineers_find_mines_where_they_get_off(table):
    board = field(table, "us-rifle").put("v", "us-m3-halftrack", "F5", facing=0)
    play = board.put("e", "us-engineer", "F5", on="v").work(GERMAN, "mines", "F4").start()
    news = play.unload("e")
    assert find(news, f.MinesFound).hex == play.hex("F4")


def test_engineers_farther_off_find_nothing(table):
    play = field(table, "us-engineer").work(GERMAN, "mines", "C3").start()
    assert "MinesFound" not in kinds(play.move("a", "C5"))


@pytest.mark.rule("ost", "13.3.7")
def test_mines_hit_a_vehicle_on_its_flank_without_a_roll(table):
    play = field(table, "us-m4").work(GERMAN, "mines", "C5").start()
    news = play.dice(1, 1).drive("a", ("C5", 0))
    blast = find(news, f.Blasted)
    assert (blast.firepower, blast.vehicle) == (5, True)
    assert blast.defense < 5
    assert "HitRolled" not in kinds(news)


@pytest.mark.rule("ost", "13.3.9")
def test_damage_by_mines_stops_a_vehicle_for_good(table):
    play = field(table, "us-m4").work(GERMAN, "mines", "C5").start()
    news = play.dice(3, 4).drive("a", ("C5", 0), ("C4", 0))
    assert find(news, f.MineDamage).unit == play["a"]
    assert "DamageRolled" not in kinds(news)
    assert play.state.damage[play["a"]] & IMMOBILE
    assert play.at("a") == "C5"


def test_mines_nobody_found_are_in_no_words_of_the_other_side(table):
    play = field(table).work(GERMAN, "mines", "C4").start()
    before = RULESET.board(play.state, US)
    assert not any("mines" in piece.marks for piece in before)
    assert play.state.terms()[GERMAN].works[0].kind == "mines"


# --- engineers -------------------------------------------------------------------------------


@pytest.mark.border("ost", "6")
@pytest.mark.rule("ost", "6.1.1", "13.9.6", "13.9.1")
def test_engineers_lay_smoke_where_they_are_or_next_to_it(table):
    play = field(table, "us-engineer").start()
    unit = play["a"]
    play.refused(a.LaySmoke(unit=unit, hex=play.hex("C4")))
    play.do(a.LaySmoke(unit=unit, hex=play.hex("C5")))
    assert play.state.smoke == {play.hex("C5"): FRESH}
    assert play.state.fired[unit] == 1
    play.idle()
    assert play.refused(a.LaySmoke(unit=unit, hex=play.hex("C5"))).rule == "13.9.6"


def test_others_lay_no_smoke(table):
    play = field(table).start()
    assert play.refused(a.LaySmoke(unit=play["a"], hex=play.hex("C5"))).rule == "6.1.p1"


def test_fresh_smoke_stays_fresh_under_thin_smoke(table):
    play = field(table, "us-engineer").start()
    h = play.hex("C5")
    play.given(f.SmokeLaid(hexes=(h,), ages=(FRESH,), by="mortar"))
    play.given(f.SmokeLaid(hexes=(h,), ages=(OLD,), by="artillery"))
    assert play.state.smoke == {h: FRESH}


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("wire", marks=pytest.mark.rule("ost", "6.1.3", "13.6.6")),
        pytest.param("roadblock", marks=pytest.mark.rule("ost", "6.1.3", "13.7.4")),
    ],
)
def test_an_obstacle_is_cleared_by_the_turns_end(table, kind):
    play = field(table, "us-engineer").work(GERMAN, kind, "C5").start()
    play.do(a.Clear(unit=play["a"], hex=play.hex("C5")))
    assert play.hex("C5") in play.state.works
    news = play.out(*QUIET)
    assert find(news, f.WorkRemoved).why == "engineers"
    assert not play.state.works


@pytest.mark.rule("ost", "13.3.3", "6.1.3")
def test_engineers_lift_mines_they_found(table):
    play = field(table, "us-engineer").work(GERMAN, "mines", "C4").start()
    assert play.refused(a.Clear(unit=play["a"], hex=play.hex("C4"))).rule == "6.1.3"
    play.move("a", "C5")
    play.idle()
    play.do(a.Clear(unit=play["a"], hex=play.hex("C4")))
    play.out(*QUIET)
    assert MINES not in play.state.works.values()
    assert not play.state.mined


def test_who_is_shaken_or_gone_by_the_turns_end_has_not_cleared_it(table):
    play = field(table, "us-engineer").work(GERMAN, "wire", "C5").start()
    play.do(a.Clear(unit=play["a"], hex=play.hex("C5")))
    play.idle()
    play.move("a", "D6")
    play.out(*QUIET)
    assert play.state.works == {play.hex("C5"): WIRE}


@pytest.mark.border("ost", "6")
@pytest.mark.parametrize(
    ("path", "cleared"),
    [((), True), (("D6", "C6"), False), (("D6",), False)],
    ids=["stays", "goes and comes back", "goes"],
)
def test_who_does_not_remain_in_his_hex_clears_nothing(table, path, cleared):
    play = field(table, "us-engineer").work(GERMAN, "wire", "C5").start()
    play.do(a.Clear(unit=play["a"], hex=play.hex("C5")))
    play.idle()
    if path:
        play.move("a", *path)
        assert play.at("a") == path[-1]
    assert ("WorkRemoved" in kinds(play.out(*QUIET))) is cleared


# --- cover -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "13")
@pytest.mark.rule("ost", "13.1.1", "13.1.p1", "22.0.8")
@pytest.mark.parametrize(("face", "found"), [(4, False), (5, True), (6, True)])
def test_cover_is_found_on_a_five(table, face, found):
    play = field(table).start()
    play.dice(face).do(a.SeekCover(unit=play["a"]))
    assert (play.state.works.get(play.hex("C6")) == COVER) == found
    assert play.state.acts(play["a"]) == 0


def test_cover_is_sought_any_number_of_times_by_a_used_unit(table):
    play = field(table).start()
    play.given(
        e.FireDeclared(firers=(play["a"],) * 2, weapons=(), target=play["b"], second=-1,
                       reaction=False, intensive=False)
    )  # fmt: skip
    for _ in range(3):
        play.dice(1).do(a.SeekCover(unit=play["a"]))
        play.idle()
    play.dice(6).do(a.SeekCover(unit=play["a"]))
    play.idle()
    assert play.refused(a.SeekCover(unit=play["a"])).rule == "13.0.p2"


@pytest.mark.border("ost", "13")
@pytest.mark.parametrize("shots", [2, pytest.param(3, marks=pytest.mark.rule("ost", "27.7.3"))])
def test_after_intensive_fire_no_cover_is_sought(table, shots):
    play = field(table).put("c", "ger-rifle", "C2").start()
    for _ in range(shots):
        play.dice(1, 1).fire("a", "c")
        play.idle()
    if shots == 3:
        assert play.refused(a.SeekCover(unit=play["a"])).rule == "27.7.3"
    else:
        assert "CoverSought" in kinds(play.dice(1).do(a.SeekCover(unit=play["a"])))


@pytest.mark.rule("ost", "13.1.2")
def test_cover_gives_one(table):
    play = table(ROW).put("a", "us-rifle", "C6").put("b", "ger-rifle", "C2").start()
    play.given(f.WorkPlaced(hex=play.hex("C2"), marker=COVER, by=play["b"]))
    assert find(play.dice(1, 1).fire("a", "b"), e.Shot).defense == 5


def test_cover_gives_a_vehicle_one_too(table):
    play = table(ROW).put("a", "us-m4", "C6").put("b", "ger-pz4h", "C2", facing=3).start()
    play.given(f.WorkPlaced(hex=play.hex("C2"), marker=COVER, by=play["b"]))
    assert find(play.dice(6, 5, 1, 1).shoot("a", "b"), v.VehicleShot).defense == 8


@pytest.mark.rule("ost", "13.1.3")
def test_cover_goes_with_the_last_of_its_owners(table):
    play = field(table).put("c", "us-rifle", "C6").start()
    play.dice(6).do(a.SeekCover(unit=play["a"]))
    play.idle()
    play.move("a", "C5")
    assert play.state.works
    play.idle()
    news = play.move("c", "D6")
    assert find(news, f.WorkRemoved).why == "left"
    assert not play.state.works


@pytest.mark.border("ost", "13")
@pytest.mark.parametrize(
    ("unit", "alone", "left"),
    [("us-rifle", True, False), ("us-rifle", False, True), ("us-m4", True, False)],
)
def test_cover_is_lost_when_all_leave_it_though_they_come_back(table, unit, alone, left):
    board = field(table, unit)
    play = (board if alone else board.put("c", "us-rifle", "C6")).start()
    play.dice(6).do(a.SeekCover(unit=play["a"]))
    play.idle()
    tank = unit == "us-m4"
    there_and_back = play.course("a", ("C5", 0), ("C6", 0)) if tank else play.way("a", "C5", "C6")
    news = play.do(there_and_back)
    assert play.at("a") == "C6"
    assert ("WorkRemoved" in kinds(news)) is not left
    assert (play.state.works.get(play.hex("C6")) == COVER) is left


@pytest.mark.rule("ost", "13.1.4")
@pytest.mark.parametrize("kind", ["foxholes", "trench", "bunker", "wire", "roadblock"])
def test_where_there_are_works_no_cover_is_sought(table, kind):
    play = field(table).work(US, kind, "C6").start()
    play.refused(a.SeekCover(unit=play["a"]))


@pytest.mark.rule("ost", "21.0.2")
def test_who_hides_seeks_no_cover(table):
    play = field(table, hidden=True).start()
    play.refused(a.SeekCover(unit=play["a"]))


def test_cover_may_be_sought_in_rubble_of_the_map_but_not_in_fresh(table):
    rows = ("......",) * 5 + ("..r...",)
    play = field(table, rows=rows).start()
    play.dice(6).do(a.SeekCover(unit=play["a"]))
    assert play.state.shelter[play.hex("C6")] == (1, 1)


# --- bunkers and pillboxes -------------------------------------------------------------------


@pytest.mark.rule("ost", "13.4.9")
def test_a_bunker_is_blown_up_by_those_inside(table):
    play = field(table, "us-mmg").work(US, "bunker", "C6").start()
    news = play.do(a.BlowUp(unit=play["a"]))
    assert find(news, f.WorkRemoved).why == "blown up"
    assert not play.state.works
    assert find(news, f.CrewLeft).points == 1


def boxed(table, at="C2", facing="S", unit="ger-rifle", where="C6"):
    board = table(ROW).put("a", "us-rifle", where).put("b", unit, at, facing=3)
    return board.to_move(GERMAN).work(GERMAN, "pillbox", at, facing).start()


@pytest.mark.rule("ost", "13.5.9")
def test_a_pillbox_fires_and_is_fired_at_through_its_arc(table):
    play = boxed(table)
    play.dice(1, 1).fire("b", "a")
    assert find(play.dice(1, 1).fire("a", "b"), e.Shot).defense == 4 + 3
    play = boxed(table, facing="N")
    assert play.refused(play.shot("b", "a")).rule == "13.5.9"
    play.idle()
    assert play.refused(play.shot("a", "b")).rule == "13.5.9"


@pytest.mark.border("ost", "13")
@pytest.mark.rule("ost", "13.5.10")
def test_next_to_a_pillbox_men_fire_any_way_crewed_weapons_do_not(table):
    play = boxed(table, facing="N", where="C3")
    play.dice(1, 1).fire("b", "a")
    play.dice(1, 1).fire("a", "b")
    play = boxed(table, facing="N", where="C3", unit="ger-hmg")
    assert play.refused(play.shot("b", "a")).rule == "13.5.10"
    play.idle()
    play.dice(1, 1).fire("a", "b")


# --- what falls down -------------------------------------------------------------------------


@pytest.mark.rule("ost", "13.4.10", "16.7.p1")
def test_a_bunker_comes_down_on_a_six_and_hurts_nobody_more(table):
    from rulesengine.rulesets.ost.blast import collapse, may_collapse

    play = field(table).work(US, "bunker", "C6").start()
    h = play.hex("C6")
    play.dice(5).happens(lambda battle: collapse(battle, h))
    assert may_collapse(play.state, h)
    play.dice(6).happens(lambda battle: collapse(battle, h))
    assert not play.state.works
    assert "Blasted" not in kinds(play.log)


def test_a_pillbox_never_comes_down(table):
    from rulesengine.rulesets.ost.blast import may_collapse

    play = field(table).work(US, "pillbox", "C6", "N").start()
    assert not may_collapse(play.state, play.hex("C6"))


@pytest.mark.rule("ost", "16.7.p1", "16.7.1")
@pytest.mark.parametrize(("faces", "stands"), [((5,), True), ((6, 1, 1), False)])
def test_a_heavy_structure_falls_on_six_and_strikes_with_its_defense(table, faces, stands):
    from rulesengine.rulesets.ost.blast import collapse

    board = table(TOWN).put("a", "us-rifle", "C3", weapon="us-bar").put("b", "ger-sergeant", "F1")
    play = board.start()
    play.dice(*faces).happens(lambda battle: collapse(battle, play.hex("C3")))
    ground = play.state.ground
    assert bool(ground.structure[play.hex("C3")]) == stands
    if not stands:
        blast = find(play.log, f.Blasted)
        assert (blast.firepower, blast.defense) == (2, 4)
        assert find(play.log, f.WeaponBuried).weapon == play["a's weapon"]
