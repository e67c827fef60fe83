"""What adds up in one hex and on one line, and where it ends: OST 12 to 16, 27.1."""

from __future__ import annotations

from functools import partial

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.blast import collapse
from rulesengine.rulesets.ost.works import COVER, FRESH
from tests.engine.table import GERMAN, Hexsides, find, kinds

ROW = ("......",) * 8


def ground(**signs):
    rows = [list(row) for row in ROW]
    for name, sign in signs.items():
        rows[int(name[1]) - 1]["ABCDEF".index(name[0])] = sign
    return tuple("".join(row) for row in rows)


def smoke(play, *names):
    for name in names:
        play.given(f.SmokeLaid(hexes=(play.hex(name),), ages=(FRESH,), by="mortar"))


# --- Defense -------------------------------------------------------------------------------------


@pytest.mark.border("ost", "13", "14", "15")
@pytest.mark.parametrize(
    ("what", "defense"),
    [
        ((), 4),
        (("woods",), 6),
        (("woods", "cover"), 7),
        (("woods", "cover", "smoke"), 8),
        (("woods", "cover", "smoke", "wreck"), 9),
        (("woods", "cover", "smoke", "wreck", "wall"), 11),
        (("woods", "cover", "smoke", "wreck", "other wall"), 9),
    ],
    ids=lambda what: " ".join(what) if isinstance(what, tuple) else str(what),
)
def test_all_that_shelters_in_a_hex_adds_up(table, what, defense):
    walls = {"wall": "C4/S", "other wall": "C4/N"}
    sides = tuple(Hexsides(kind="stone wall", sides=(walls[one],)) for one in what if one in walls)
    board = table(ground(C4="w") if "woods" in what else ROW, hexsides=sides)
    board.put("g", "ger-rifle", "C4").put("a", "us-rifle", "C7")
    if "wreck" in what:
        board.put("pz", "ger-pz4h", "C4")
    play = board.start()
    if "wreck" in what:
        play.given(v.Wrecked(unit=play["pz"], points=2, why="destroyed"))
    if "cover" in what:
        play.given(f.WorkPlaced(hex=play.hex("C4"), marker=COVER, by=play["g"]))
    if "smoke" in what:
        smoke(play, "C4")
    assert find(play.dice(1, 1).fire("a", "g"), e.Shot).defense == defense


# --- lines ---------------------------------------------------------------------------------------


@pytest.mark.border("ost", "12", "13")
@pytest.mark.parametrize(
    ("brush", "smoked", "hedge", "power"),
    [
        ("", "", "", 4),
        ("C3", "", "", 3),
        ("C3", "C3", "", 3),
        ("C3", "C4", "", 2),
        ("C3", "", "C4/S", 2),
        ("C3", "C3", "C4/S", 2),
        ("C3", "C4", "C4/S", None),
        ("", "C2 C6", "", 3),
    ],
)
def test_a_hex_dims_once_whatever_it_holds_and_a_hexside_once_more(
    table, brush, smoked, hedge, power
):
    """Smoke at the ends dims nothing; around the firer it takes one from his fire."""
    sides = (Hexsides(kind="hedge", sides=(hedge,)),) if hedge else ()
    rows = ground(**{brush: "b"}) if brush else ROW
    board = table(rows, hexsides=sides).put("a", "us-rifle", "C2").put("g", "ger-rifle", "C6")
    play = board.start()
    smoke(play, *smoked.split())
    if power is None:
        assert play.refused(play.shot("a", "g")).rule == "12.2.1"
    else:
        assert find(play.dice(1, 1).fire("a", "g"), e.Shot).firepower == power


# --- firepower -----------------------------------------------------------------------------------


@pytest.mark.border("ost", "12", "13", "10")
@pytest.mark.parametrize(
    ("at", "facts", "power"),
    [
        ("C5", {}, 4),
        ("C3", {}, 5),
        ("C3", {"morale": "shaken"}, 2),
        ("C3", {"morale": "shaken", "smoke": True}, 2),
        ("C3", {"morale": "shaken", "weapon": "us-lmg"}, 3),
        ("C3", {"morale": "shaken", "weapon": "us-lmg", "smoke": True}, 3),
        ("C6", {"brush": True, "morale": "shaken"}, 1),
        ("C6", {"brush": True, "reduced": True}, 1),
        ("C6", {"brush": True, "reduced": True, "morale": "shaken"}, 1),
        ("C6", {"brush": True, "reduced": True, "smoke": True}, 1),
    ],
)
def test_what_adds_comes_first_then_the_halving_then_one_is_the_least(table, at, facts, power):
    facts = dict(facts)
    smoked, brush = facts.pop("smoke", False), facts.pop("brush", False)
    rows = ground(C3="b", C4="b") if brush else ROW
    board = table(rows).put("a", "us-rifle", at, **facts).put("g", "ger-rifle", "C2")
    play = board.start()
    if smoked:
        smoke(play, at)
    more = {"weapon": "a's weapon"} if "weapon" in facts else {}
    assert find(play.dice(1, 1).fire("a", "g", **more), e.Shot).firepower == power


# --- movement and bogging ------------------------------------------------------------------------


@pytest.mark.border("ost", "13", "14", "15")
@pytest.mark.parametrize(
    ("hedge", "wire", "level", "cost"),
    [(False, False, 0, 2), (True, False, 0, 3), (True, True, 0, 4), (True, True, 1, 5)],
)
def test_terrain_hexside_wire_and_climb_are_all_paid(table, hedge, wire, level, cost):
    """Five are more than a squad has: it may come in all the same, but only as its first hex."""
    levels = [["0"] * 6 for _ in range(8)]
    levels[3][2] = str(level)
    more = {"levels": tuple("".join(row) for row in levels)}
    if hedge:
        more["hexsides"] = (Hexsides(kind="hedge", sides=("C4/S",)),)
    board = table(ground(C4="w"), **more).put("a", "us-rifle", "C5").put("b", "us-rifle", "C6")
    board.put("g", "ger-sergeant", "F1")
    if wire:
        board.work(GERMAN, "wire", "C4")
    play = board.start()
    news = play.move("a", "C4")
    assert find(news, e.Entered).cost == cost
    play.idle()
    far = play.way("b", "C5", "C4")
    if cost + 1 > 4:
        assert play.refused(far).rule == "23.0.4"
    else:
        play.do(far)
        assert play.at("b") == "C4"


@pytest.mark.border("ost", "14", "15")
@pytest.mark.parametrize(
    ("kind", "sign", "hedge", "most"),
    [
        ("us-truck", "b", False, 2),
        ("us-truck", "m", False, 3),
        ("us-m4", "w", False, 1),
        ("us-m4", "m", False, 2),
        ("us-m4", "m", True, 2),
        ("us-m4", ".", True, 1),
    ],
)
def test_wheels_bog_on_two_tracks_on_one_and_in_a_marsh_one_more(table, kind, sign, hedge, most):
    """One roll for hexside and hex; the marsh makes it worse, the hedge does not."""
    more = {"hexsides": (Hexsides(kind="hedge", sides=("C5/N",)),)} if hedge else {}
    for face in (most, most + 1):
        board = table(ground(C4=sign), **more).put("a", kind, "C5").put("g", "ger-sergeant", "F1")
        play = board.start()
        news = play.dice(face).drive("a", ("C4", 0))
        assert kinds(news).count("BogRolled") == 1
        assert play.state.bogged[play["a"]] is (face == most)


# --- structures ----------------------------------------------------------------------------------


@pytest.mark.border("ost", "16", "10")
@pytest.mark.parametrize(
    ("sign", "charge", "least"),
    [
        ("h", "", 6),
        ("h", "satchel charge", 5),
        ("u", "", 5),
        ("u", "rockets", 4),
        ("u", "satchel charge", 4),
        ("l", "", 5),
        ("l", "rockets", 4),
    ],
)
def test_what_helps_a_building_down_adds_up(table, sign, charge, least):
    for face in (least - 1, least):
        board = table(ground(C4=sign)).put("a", "us-rifle", "C7").put("g", "ger-sergeant", "F1")
        play = board.start()
        fall = partial(collapse, h=play.hex("C4"), charge=charge)
        news = play.dice(face).happens(fall)
        assert find(news, f.CollapseRolled).falls is (face == least)
        assert bool(play.state.ground.structure[play.hex("C4")]) is (face < least)


@pytest.mark.border("ost", "13")
@pytest.mark.parametrize(("face", "falls"), [(4, False), (5, True)])
def test_a_bunker_falls_to_a_satchel_on_a_five(table, face, falls):
    board = table(ROW).put("a", "us-engineer", "C5", weapon="us-satchel")
    play = board.work(GERMAN, "bunker", "C4").put("g", "ger-rifle", "C4").start()
    throw = a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex("C4"))
    news = play.dice(1, 1, face).do(throw)
    assert find(news, f.Blasted).defense == 4 + 3
    assert ("WorkRemoved" in kinds(news)) is falls
