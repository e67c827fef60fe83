"""Both sides of the borders of landings (OST 26.3, 26.4): who may not fire, what is open ground,
what comes with the ground."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.altered import RUBBLE, altered
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.descent import harm
from rulesengine.rulesets.ost.fire import OUT_OF_SMOKE
from rulesengine.rulesets.ost.ground import ground_of
from rulesengine.rulesets.ost.landing_fire import force, own_firepower, why_not
from rulesengine.rulesets.ost.scenario import ControlHex, HexMap
from rulesengine.rulesets.ost.state import NONE
from rulesengine.rulesets.ost.vehicles import HE, MG
from rulesengine.rulesets.ost.works import FRESH
from tests.engine.ost.test_airborne import PLAIN, QUIET, all_of, stick, terrain, where
from tests.engine.ost.test_gliders import BENIGN, glider
from tests.engine.table import GERMAN, LEGEND, US, find

# --- who fires at a landing ----------------------------------------------------------------------


def under(table, **placed):
    """A squad comes down on J13; a German squad on J12 may fire, and these may not or may."""
    board = stick(table, falls=(1, 1)).put("b", "ger-rifle", "J12")
    for name, (kind, at, more) in placed.items():
        board.put(name, kind, at, **more)
    play = board.start()
    assert play.wants == "fire at a landing"
    return play


def rule_against(play, name):
    return play.refused(a.FireAtLanding(firer=play[name])).rule


def test_riders_and_what_carries_them_do_not_fire(table):
    play = under(table, t=("ger-pz4h", "K13", {"facing": 0}), r=("ger-rifle", "K13", {"on": "t"}))
    assert [rule_against(play, name) for name in "tr"] == ["24.0.6", "24.0.6"]
    inside = under(table, t=("ger-251", "K13", {}), r=("ger-rifle", "K13", {"on": "t"}))
    assert rule_against(inside, "r") == "24.0.6"
    assert why_not(inside.state, inside["t"], inside.hex("J13")) is None


@pytest.mark.parametrize(("facing", "fires"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_gun_fires_within_its_arc(table, facing, fires):
    play = under(table, g=("ger-pak40", "J14", {"facing": facing}))
    if fires:
        assert why_not(play.state, play["g"], play.hex("J13")) is None
    else:
        assert rule_against(play, "g") == "8.0.12"


@pytest.mark.parametrize(("facing", "main"), [(0, True), (3, False)])
def test_a_fixed_main_armament_fires_ahead_only(table, facing, main):
    play = under(table, s=("ger-stug3g", "J14", {"facing": facing}))
    kind = play.state.kind[play["s"]]
    assert HE[kind] > MG[kind]
    power = own_firepower(play.state, play["s"], play.hex("J13"))
    assert power == (HE[kind] if main else MG[kind])


def test_a_starred_weapon_that_came_this_turn_does_not_fire(table):
    play = under(table, h=("ger-hmg", "K13", {}))
    assert why_not(play.state, play["h"], play.hex("J13")) is None
    play.state.displaced[play["h"]] = True
    assert rule_against(play, "h") == "8.0.10"


def test_who_is_in_a_melee_does_not_fire(table):
    play = under(table, m=("ger-rifle", "K13", {}))
    assert why_not(play.state, play["m"], play.hex("J13")) is None
    play.state.melees[play.hex("K13")] = US
    assert rule_against(play, "m") == "30.1.3"


def test_a_sniper_fires_by_himself(table):
    play = under(
        table,
        s=("ger-sniper", "K13", {}),
        c=("ger-rifle", "K13", {"leader": "boss"}),
    )
    group = a.FireAtLanding(firer=play["c"], partner=play["s"])
    assert play.refused(group).rule == "7.1.1"
    assert why_not(play.state, play["s"], play.hex("J13")) is None


def test_smoke_around_the_firer_takes_from_his_fire(table):
    play = under(table, h=("ger-hmg", "K13", {}))
    assert OUT_OF_SMOKE not in force(play.state, play["h"], NONE, play["a"])[1].parts[::2]
    play.given(f.SmokeLaid(hexes=(play.hex("K13"),), ages=(FRESH,), by="artillery"))
    assert OUT_OF_SMOKE in force(play.state, play["h"], NONE, play["a"])[1].parts[::2]


@pytest.mark.rule("ost", "26.3.13")
def test_who_landed_in_the_battle_fires_no_starred_weapon(table):
    """Moved is moved: 8.0.10 holds for who came down this turn."""
    board = table(PLAIN).put("a", "us-hmg").put("home", "us-rifle", "A20")
    board.put("far", "ger-rifle", "J9").flies(US, ("transport", "J15", ("a",)), turn=1)
    board.falls = (1, 1)
    play = board.start()
    assert (where(play, "a"), play.state.moved[play["a"]]) == ("J13", True)
    assert play.refused(play.shot("a", "far")).rule == "8.0.10"


# --- what is open ground -------------------------------------------------------------------------


HILLY = {**LEGEND, "^": "hill", "v": "gully"}


@pytest.mark.border("ost", "26")
@pytest.mark.rule("ost", "26.3.5")
@pytest.mark.parametrize(
    ("sign", "expected"),
    [("^", 0), ("v", -5), ("u", -3), ("l", -3), ("h", -3), ("r", -5), ("m", -5)],
)
def test_the_ground_of_a_landing(table, sign, expected):
    level = {"^": "1", "v": "-"}.get(sign, "0")
    levels = tuple(
        "".join(level if c == "J" else "0" for c in "ABCDEFGHIJKLMNOPQRST")
        if row == 13
        else "0" * 20
        for row in range(1, 21)
    )
    board = stick(table, rows=terrain(J13=sign), falls=(1, 1, *(QUIET if expected else ())))
    board.map = HexMap(key="m", title="M", grid=board.map.grid, legend=HILLY, levels=levels)
    assert find(board.start().log, x.Landed).column == expected


def test_fallen_houses_are_other_ground():
    grid = ("...", ".h.", "...")
    ground = ground_of(HexMap(key="m", title="M", grid=grid, legend=LEGEND))
    h = ground.grid.find("B2")
    assert (harm(ground, h), harm(altered(ground, {h: RUBBLE}), h)) == (-3, -5)


@pytest.mark.parametrize("drawn", [True, False])
def test_a_glider_lands_on_a_hill_however_it_is_drawn(table, drawn):
    """Over J13, J12, J11 to J10; J12 is a hill of one level."""
    board = glider(table, rows=terrain(J12="^") if drawn else PLAIN, falls=(1, 1, 1, *QUIET))
    levels = tuple("0" * 9 + ("1" if row == 12 else "0") + "0" * 10 for row in range(1, 21))
    board.map = HexMap(key="m", title="M", grid=board.map.grid, legend=HILLY, levels=levels)
    play = board.start()
    assert find(play.log, x.GliderDown).why == ""
    assert [event.column for event in all_of(play, f.Blasted)] == [column(-5, 0)]
    assert where(play, "a") == "J10"


# --- what comes with the ground ------------------------------------------------------------------


def held(board, *hexes):
    return board.scenario(
        control=tuple(ControlHex(hex=h, name=f"Farm {h}", owner="german") for h in hexes)
    )


def test_who_gets_out_of_a_glider_takes_the_hex(table):
    board = held(glider(table, falls=(1, 1, 1, *QUIET)), "J10")
    assert board.start().state.control == [US]


def test_who_is_sent_on_takes_the_next_hex(table):
    board = held(glider(table, names=("a", "b"), falls=(1, 1, 1, *BENIGN)), "J11")
    play = board.put("x", "us-rifle", "J10").start()
    assert play.state.control == [GERMAN]
    play.do(a.Land(unit=play["b"], to=play.hex("J11")))
    assert play.state.control == [US]


def test_a_jeep_is_sent_on_to_where_it_can_stand(table):
    board = glider(
        table,
        rows=terrain(J9="w"),
        names=("jeep", "b"),
        kinds_of=("us-jeep", "us-airborne-rifle"),
        falls=(1, 1, 1, *BENIGN),
    )
    play = board.put("x", "us-rifle", "J10").start()
    assert play.refused(a.Land(unit=play["jeep"], to=play.hex("J9"))).rule == "26.4.15"
    play.do(a.Land(unit=play["b"], to=play.hex("J9")))
    assert where(play, "b") == "J9"
