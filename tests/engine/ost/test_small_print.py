"""Rules that meet: smoke and thrown weapons, walls and charges, branches, long work."""

from __future__ import annotations

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.counters import place
from rulesengine.rulesets.ost.vehicle_questions import VehicleAttack
from rulesengine.rulesets.ost.works import COVER, FRESH, WIRE
from tests.engine.ost.melees import NEXT_TURN
from tests.engine.table import GERMAN, US, ControlHex, Hexsides, find, kinds

ROW = ("......",) * 6
TALL = ("......",) * 9
QUIET = (6, 6, 1, 1, 1, 1)


def at_hex(play, unit, h):
    return a.HexFire(unit=play[unit], weapon=play[f"{unit}'s weapon"], hex=play.hex(h))


def in_smoke(play, h):
    return play.given(f.SmokeLaid(hexes=(play.hex(h),), ages=(FRESH,), by="engineers"))


# --- smoke -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "13")
@pytest.mark.parametrize(
    ("smoke", "power"), [(False, 4), pytest.param(True, 3, marks=pytest.mark.rule("ost", "13.9.4"))]
)
def test_a_mortar_fired_out_of_smoke_is_one_weaker(table, smoke, power):
    field = table(TALL).put("a", "us-rifle", "C8", weapon="us-mortar-60")
    play = field.put("x", "ger-rifle", "C2").start()
    if smoke:
        in_smoke(play, "C8")
    struck = find(play.dice(4, 1, 1).do(at_hex(play, "a", "C2")), f.Blasted)
    assert struck.firepower == power


@pytest.mark.parametrize(
    ("smoke", "power"), [(False, 2), pytest.param(True, 1, marks=pytest.mark.rule("ost", "13.9.4"))]
)
def test_what_is_thrown_at_a_vehicle_out_of_smoke_is_one_weaker(table, smoke, power):
    board = table(ROW).put("car", "us-m8", "C3", facing=3)
    play = board.put("g", "ger-rifle", "C4", weapon="ger-grenade-bundle").to_move(GERMAN).start()
    if smoke:
        in_smoke(play, "C4")
    shot = find(play.dice(1, 1).do(play.shot("g", "car", weapon="g's weapon")), v.VehicleShot)
    assert shot.firepower == power


@pytest.mark.rule("ost", "10.2.3")
def test_smoke_takes_nothing_from_a_satchel(table):
    field = table(ROW).put("a", "us-engineer", "C4", weapon="us-satchel")
    play = field.put("x", "ger-rifle", "C3").put("t", "ger-pz4h", "C3", facing=3).start()
    in_smoke(play, "C4")
    news = play.dice(1, 1, 1, 1).do(at_hex(play, "a", "C3"))
    assert (find(news, f.Blasted).firepower, find(news, v.VehicleShot).firepower) == (10, 5)


# --- hexsides --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "defense"),
    [
        ("", 4),
        pytest.param("hedge", 5, marks=pytest.mark.rule("ost", "15.1.5")),
        pytest.param("stone wall", 6, marks=pytest.mark.rule("ost", "15.2.5")),
        pytest.param("bocage", 6, marks=pytest.mark.rule("ost", "15.3.4")),
    ],
)
def test_a_charge_is_thrown_over_a_wall_like_any_attack(table, kind, defense):
    walls = (Hexsides(kind=kind, sides=("C4/N",)),) if kind else ()
    field = table(ROW, hexsides=walls).put("a", "us-engineer", "C4", weapon="us-satchel")
    play = field.put("x", "ger-rifle", "C3").start()
    struck = find(play.dice(1, 1).do(at_hex(play, "a", "C3")), f.Blasted)
    assert struck.defense == defense


@pytest.mark.parametrize(
    ("levels", "change"),
    [
        (("0", "0"), 0),
        pytest.param(("0", "1"), 1, marks=pytest.mark.rule("ost", "12.4.11")),
        pytest.param(("1", "0"), -1, marks=pytest.mark.rule("ost", "12.4.12")),
    ],
)
def test_a_charge_is_thrown_better_downhill(table, levels, change):
    there, here = levels
    rows = tuple(
        f"00{there}000" if n == 2 else f"00{here}000" if n == 3 else "000000" for n in range(6)
    )
    field = table(ROW, levels=rows).put("a", "us-engineer", "C4", weapon="us-satchel")
    play = field.put("x", "ger-rifle", "C3").put("t", "ger-pz4h", "C3", facing=3).start()
    news = play.dice(1, 1, 1, 1).do(at_hex(play, "a", "C3"))
    assert find(news, f.Blasted).total == find(news, v.VehicleShot).total == 2 + change


def test_a_wall_on_another_side_is_nothing_to_a_charge(table):
    walls = (Hexsides(kind="stone wall", sides=("C3/N",)),)
    field = table(ROW, hexsides=walls).put("a", "us-engineer", "C4", weapon="us-satchel")
    play = field.put("x", "ger-rifle", "C3").start()
    assert find(play.dice(1, 1).do(at_hex(play, "a", "C3")), f.Blasted).defense == 4


@pytest.mark.rule("ost", "15.0.6")
def test_a_wall_is_nothing_to_a_mortar(table):
    walls = (Hexsides(kind="stone wall", sides=("C3/N+NE+SE+S+SW+NW",)),)
    field = table(TALL, hexsides=walls).put("a", "us-rifle", "C9", weapon="us-mortar-60")
    play = field.put("x", "ger-rifle", "C3").start()
    assert find(play.dice(4, 1, 1).do(at_hex(play, "a", "C3")), f.Blasted).defense == 4


# --- branches --------------------------------------------------------------------------------

HIS = pytest.mark.rule("ost", "7.5.3")


@pytest.mark.parametrize(
    ("led", "other", "total"),
    [
        pytest.param("us-rifle", "us-airborne-rifle", 3, marks=HIS),
        pytest.param("us-airborne-rifle", "us-rifle", 3, marks=HIS),
        ("us-rifle", "us-rifle", 2),
    ],
)
def test_a_group_with_one_unit_of_his_branch_has_its_leader(table, led, other, total):
    field = table(ROW).put("led", led, "C3").put("other", other, "C3")
    play = field.put("him", "us-airborne-sergeant", "C3").put("g", "ger-rifle", "C6").start()
    play.given(e.Attached(leader=play["him"], unit=play["led"]))
    shot = find(play.dice(1, 1, 6, 6).fire("led", "g", partner="other"), e.Shot)
    assert shot.total == total


@pytest.mark.parametrize(
    ("leaders", "total"),
    [
        (("us-sergeant",), 6),
        (("us-airborne-sergeant",), 5),
        (("us-airborne-sergeant", "us-sergeant"), 6),
    ],
)
def test_a_leader_of_another_branch_is_no_help_in_spotting(table, leaders, total):
    field = table(("............",) * 12).put("eyes", "us-rifle", "C11").battery(US)
    for number, leader in enumerate(leaders):
        field.put(f"him{number}", leader, "D11")
    play = field.put("far", "ger-sergeant", "L1").start()
    call = a.CallArtillery(spotter=play["eyes"], battery=0, hex=play.hex("C4"))
    assert find(play.dice(5).do(call), s.AccuracyRolled).total == total


# --- long work -------------------------------------------------------------------------------


@pytest.mark.parametrize(("gut", "gone"), [((1, 1), False), ((6, 6), True)])
@pytest.mark.rule("ost", "6.1.3")
def test_engineers_once_shaken_clear_nothing_though_they_rally(table, gut, gone):
    field = table(ROW).put("a", "us-engineer", "C6").work(GERMAN, "wire", "C5")
    play = field.put("b", "ger-rifle", "C3").start()
    play.do(a.Clear(unit=play["a"], hex=play.hex("C5")))
    play.dice(3, 4, *gut).fire("b", "a")
    shaken = play.morale("a") == "shaken"
    assert shaken is not gone
    if shaken:
        play.dice(6, 6).do(a.Rally(unit=play["a"]))
    assert play.morale("a") == "good order"
    news = play.out(*QUIET)
    assert ("WorkRemoved" in kinds(news)) is gone
    assert (play.state.works == {play.hex("C5"): WIRE}) is not gone


@pytest.mark.parametrize(
    ("kind", "words"),
    [("mines", "Mines in C5 are cleared."), ("wire", "Wire in C5 is cleared.")],
)
def test_what_is_cleared_is_told_in_good_grammar(table, kind, words):
    field = table(ROW).put("a", "us-engineer", "C6").work(US, kind, "C5")
    play = field.put("b", "ger-sergeant", "F1").start()
    play.do(a.Clear(unit=play["a"], hex=play.hex("C5")))
    removed = find(play.out(*QUIET), f.WorkRemoved)
    line = play.battle.ruleset.narrate(play.state, removed, US)
    assert line.text == words


# --- vehicles and works ----------------------------------------------------------------------


@pytest.mark.rule("ost", "13.5.13", "13.5.2")
def test_a_tank_goes_into_the_hex_of_a_pillbox_to_fight_and_for_nothing_else(table):
    field = table(ROW).work(GERMAN, "pillbox", "C4", "N").put("t", "us-m4", "C5")
    play = field.put("x", "ger-rifle", "C4").start()
    news = play.do(play.assault("t", "C4"))
    assert find(news, e.MeleeMarked).hex == play.hex("C4")
    field = table(ROW).work(GERMAN, "pillbox", "C4", "N").put("t", "us-m4", "C5")
    field.scenario(control=(ControlHex(name="box", hex="C4", owner="german"),))
    play = field.put("x", "ger-rifle", "A1").start()
    assert play.refused(play.assault("t", "C4")).rule == "25.0.3"
    assert play.refused(play.course("t", ("C4", 0))).rule == "13.5.2"


def test_a_tank_that_has_stormed_a_pillbox_stands_outside_it(table):
    """Neither its own fire nor that at it is bound by the arc. OST 13.5.2, 13.5.9."""
    field = table(ROW).work(GERMAN, "pillbox", "C4", "S").put("t", "us-m4", "C5", facing=0)
    play = field.put("x", "ger-pak40", "C1", facing=3).start()
    place(play.state, play["t"], play.hex("C4"))  # as after the melee
    assert play.dice(1, 1).shoot("t", "x")
    assert play.dice(1, 1).fire("x", "t")


@pytest.mark.parametrize("control", [(), (ControlHex(name="x", hex="C4", owner="german"),)])
@pytest.mark.rule("ost", "13.6.5")
def test_a_tank_that_assaults_into_wire_flattens_it_unless_it_bogs(table, control):
    for face, left in ((6, False), (1, True)):
        field = table(ROW).work(GERMAN, "wire", "C4").put("t", "us-m4", "C5")
        field.put("x", "ger-rifle", "F1" if control else "C4")
        play = field.scenario(control=control).start()
        play.dice(face).do(play.assault("t", "C4"))
        assert (play.hex("C4") in play.state.works) is left


def beaten(table, morale="broken"):
    """A German who has to leave the melee in C4, with American mines in C5."""
    field = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C4", morale=morale)
    field.put("far", "us-rifle", "A1").put("away", "ger-rifle", "H8").work(US, "mines", "C5")
    play = field.points(2, 2).start()
    play.do(play.assault("us", "C4"))
    return play


@pytest.mark.rule("ost", "13.3.1")
def test_who_falls_back_onto_mines_sets_them_off(table):
    play = beaten(table)
    play.out(1, 1)
    news = play.dice(6, 6, *NEXT_TURN).do(a.Retreat(unit=play["german"], to=play.hex("C5")))
    assert "MinesFound" in kinds(news)
    assert find(news, f.Blasted).why == "mines"
    assert play.steps("german") == 0


@pytest.mark.rule("ost", "33.4.9")
def test_who_falls_back_under_shells_that_still_fall_is_struck(table):
    play = beaten(table)
    h = play.hex("B5")
    play.given(s.StrikeFell(side=US, battery=0, hex=h, firepower=4, around=2))
    play.out(1, 1)
    news = play.dice(1, 1, 1, 1, *NEXT_TURN).do(a.Retreat(unit=play["german"], to=play.hex("B5")))
    assert find(news, f.Blasted).firepower == 4


def test_who_falls_back_beside_the_mines_goes_free(table):
    play = beaten(table)
    play.out(1, 1)
    news = play.dice(1, 1, *NEXT_TURN).do(a.Retreat(unit=play["german"], to=play.hex("D4")))
    assert "Blasted" not in kinds(news)


def test_who_slips_out_of_a_melee_onto_mines_sets_them_off(table):
    field = table().put("him", "us-sergeant", "C4").put("far", "us-rifle", "A1")
    field.put("german", "ger-rifle", "C3").work(GERMAN, "mines", "C5")
    play = field.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "C4"))
    play.idle()
    news = play.dice(6, 6, 6, *NEXT_TURN).do(a.Evade(unit=play["him"], to=play.hex("C5")))
    assert find(news, f.Blasted).why == "mines"
    assert play.steps("him") == 0


def test_a_tank_pulled_free_in_wire_flattens_it(table):
    field = table(ROW).work(GERMAN, "wire", "C4").put("t", "us-m4", "C5")
    play = field.put("x", "ger-sergeant", "F1").hand(us=("pulled-free",)).start()
    play.dice(1).drive("t", ("C4", 0))
    assert play.hex("C4") in play.state.works
    play.do(play.card("pulled-free", on="t"))
    assert not play.state.works


@pytest.mark.rule("ost", "13.4.9")
def test_a_tank_beside_a_bunker_does_not_blow_it_up(table):
    for unit, rule in (("us-m4", "13.4.9"), ("us-rifle", "")):
        field = table(ROW).work(US, "bunker", "C4").put("a", unit, "C4")
        play = field.put("x", "ger-sergeant", "F1").start()
        blow = a.BlowUp(unit=play["a"])
        if rule:
            assert play.refused(blow).rule == rule
        else:
            play.do(blow)
            assert not play.state.works


def test_a_gun_carried_past_a_bunker_is_not_lost_with_it(table):
    field = table(ROW).work(US, "bunker", "C4").put("t", "us-truck", "C4")
    field.put("gun", "us-mmg", "C4", on="t").put("a", "us-rifle", "C4")
    play = field.put("x", "ger-sergeant", "F1").start()
    news = play.do(a.BlowUp(unit=play["a"]))
    assert "CrewLeft" not in kinds(news)


def test_a_rocket_has_no_use_against_who_rides_past_a_bunker(table):
    field = (
        table(ROW)
        .work(US, "bunker", "C3")
        .put("t", "us-m4", "C3")
        .put("r", "us-rifle", "C3", on="t")
    )
    field.put("in", "us-mmg", "C3").put("x", "ger-rifle", "C5", weapon="ger-panzerschreck")
    play = field.to_move(GERMAN).start()
    assert play.refused(play.shot("x", "r", weapon="x's weapon")).rule == "10.1.2"
    assert play.dice(1, 1).fire("x", "in", weapon="x's weapon")


@pytest.mark.parametrize(
    ("facing", "rule"),
    [("S", ""), pytest.param("N", "13.5.9", marks=pytest.mark.rule("ost", "13.5.9"))],
)
def test_a_mortar_reaches_a_pillbox_through_its_arc_only(table, facing, rule):
    field = table(TALL).work(GERMAN, "pillbox", "C2", facing)
    field.put("a", "us-rifle", "C8", weapon="us-mortar-60")
    play = field.put("x", "ger-rifle", "C2").start()
    if rule:
        assert play.refused(at_hex(play, "a", "C2")).rule == rule
        smoke = a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex("C2"), smoke=True)
        play.dice(4).do(smoke)
    else:
        assert find(play.dice(4, 1, 1).do(at_hex(play, "a", "C2")), f.Blasted).defense == 7


@pytest.mark.rule("ost", "13.1.3")
def test_cover_its_owner_left_in_a_melee_is_nothing_to_who_stays(table):
    field = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C4", morale="broken")
    field.put("far", "us-rifle", "A1").put("away", "ger-rifle", "H8")
    play = field.points(2, 2).start()
    play.given(f.WorkPlaced(hex=play.hex("C4"), marker=COVER, by=play["german"]))
    play.do(play.assault("us", "C4"))
    play.out(1, 1)
    news = play.dice(1, 1, *NEXT_TURN).do(a.Retreat(unit=play["german"], to=play.hex("C5")))
    assert find(news, f.WorkRemoved).why == "left"
    assert kinds(news).index("WorkRemoved") < kinds(news).index("TurnStarted")


@pytest.mark.parametrize(("facing", "asked"), [("S", True), ("N", False)])
def test_nobody_is_asked_who_cannot_fire_out_of_his_pillbox(table, facing, asked):
    field = table(ROW).work(GERMAN, "pillbox", "C2", facing).put("a", "us-rifle", "C6")
    play = field.put("x", "ger-rifle", "C2").start()
    assert ("ReactionOwed" in kinds(play.move("a", "C5"))) is asked


@pytest.mark.parametrize(("at", "asked"), [("C5", False), ("C3", True)])
def test_nobody_is_asked_who_cannot_fire_into_a_pillbox(table, at, asked):
    field = table(ROW).work(US, "pillbox", "C2", "N").put("a", "us-rifle", "C1")
    play = field.put("x", "ger-rifle", at).start()
    assert ("ReactionOwed" in kinds(play.move("a", "C2"))) is asked


def test_a_roadblock_keeps_a_tank_out_of_an_assault(table):
    field = table(ROW).work(GERMAN, "roadblock", "C4").put("t", "us-m4", "C5")
    play = field.put("x", "ger-rifle", "C4").start()
    assert play.refused(play.assault("t", "C4")).rule == "25.0.3"


@pytest.mark.parametrize(("target", "rolls"), [("us-rifle", True), ("us-m4", False)])
def test_heavy_fire_at_a_tank_beside_a_bunker_leaves_the_bunker_alone(table, target, rolls):
    field = table(ROW).work(US, "bunker", "C3").put("gun", "ger-flak36", "C6")
    play = field.put("x", target, "C3", facing=3).to_move(GERMAN).start()
    news = play.dice(*((1, 1, 1) if rolls else (1, 1))).fire("gun", "x")
    assert ("CollapseRolled" in kinds(news)) is rolls


# --- in melee --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "weapon", "power", "spent"),
    [
        ("us-rifle", "us-lmg", 4 + 2 + 2, False),
        ("us-rifle", "us-satchel", 4 + 2, False),
        ("us-rifle", "us-mortar-60", 4 + 2, False),
        ("us-rifle", "ger-flamethrower", 4 + 2, False),
        ("us-engineer", "ger-flamethrower", 5 + 8 + 2, False),
        ("us-rifle", "ger-grenade-bundle", 4 + 3 + 2, True),
        ("us-rifle", "us-bazooka", 4 + 2, False),
    ],
)
@pytest.mark.rule("ost", "30.3.2")
def test_what_a_support_weapon_adds_in_a_melee(table, unit, weapon, power, spent):
    """Satchels and mortars nothing (10.2.6, 10.3.14), flamethrowers with engineers (6.1.4)."""
    field = table().put("us", unit, "C3").put("german", "ger-rifle", "C4")
    field.put("far", "us-rifle", "A1", weapon="us-bar").put("away", "ger-rifle", "H8")
    ours = weapon.startswith("us-")
    field.put("carrier", "us-rifle" if ours else "ger-rifle", "A2" if ours else "H7", weapon=weapon)
    play = field.points(2, 2).start()
    play.given(e.Handed(weapon=play["carrier's weapon"], unit=play["us"], why="reform"))
    play.do(play.assault("us", "C4"))
    steady = (6, 6) if unit == "us-engineer" else ()
    news = play.out(1, 1, 1, 1, *steady, *NEXT_TURN)
    play.cited.take(news)
    assert find(news, e.MeleeJoined).firepower[US] == power
    assert ("Expended" in kinds(news)) is spent


# --- questions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "more", "power", "change"),
    [
        ("ger-grenade-bundle", {}, 2, 0),
        ("ger-grenade-bundle", {"shaken": True}, 1, 0),
        ("ger-grenade-bundle", {"intensive": True}, 1, 0),
        ("ger-flamethrower", {}, 4, 0),
        ("ger-flamethrower", {"shaken": True}, 2, 0),
        ("us-satchel", {}, 5, 0),
        pytest.param(
            "us-satchel", {"shaken": True}, 5, -1, marks=pytest.mark.rule("ost", "10.2.4")
        ),
    ],
)
@pytest.mark.rule("ost", "10.0.8", "9.1.5")
def test_a_question_about_a_thrown_weapon_is_answered_as_the_table_does(
    ask, weapon, more, power, change
):
    answer = ask(VehicleAttack(weapon=weapon, target="pol-wz34", distance=1, **more))
    bare = ask(VehicleAttack(weapon=weapon, target="us-m18", distance=1, **more))
    assert answer.steps[0].endswith(f" {power}")
    assert sum(m.amount for m in answer.modifiers if m.rule == "10.2.4") == change
    assert "9.1.5" in [m.rule for m in bare.modifiers]


def test_a_mortar_is_no_weapon_to_ask_about_against_a_vehicle(ask):
    with pytest.raises(BadDocument, match=r"10\.3\.9"):
        ask(VehicleAttack(weapon="us-mortar-60", target="us-m4", distance=4))
