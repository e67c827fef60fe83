"""The doctrine at a narrow entrance (OST 23.6.1, 20.0.4): who is in makes room."""

from __future__ import annotations

import pytest

from rulesengine.dice import Tape
from rulesengine.documents import Arrival
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.arriving import ROOM, best_way_out, jammed
from tests.engine.ost.battles import key
from tests.engine.table import ControlHex

OST = ruleset("ost")
WALL = ("wwwwwwww",) * 3
"""Nobody sees through it."""


def entrance(table, *types, sign="w", at="D1", turns=8):
    """Units that all come on in one hex from the first turn; the enemy is behind woods."""
    rows = (f"...{sign}....", *("........",) * 12, *WALL, *("........",) * 4)
    board = table(rows).put("first", "us-rifle", "A12")
    for n in range(6):
        board.put(f"foe {n}", "ger-rifle", f"{'FGH'[n % 3]}20")
    names = tuple(f"late {n}" for n in range(len(types)))
    for name, kind in zip(names, types, strict=True):
        board.put(name, kind)
    place = ControlHex(hex="D11", name="Mill", owner="german", at_end=3)
    coming = Arrival(units=names, turn=1, at=at)
    return board.scenario(arrivals=(coming,), control=(place,), turns=turns)


@pytest.mark.parametrize("run", range(4))
@pytest.mark.parametrize(
    "types", [("us-m4",) * 8, ("us-rifle",) * 8, ("us-m4", "us-rifle") * 4], ids=len
)
def test_one_hex_of_woods_keeps_nobody_off_but_who_stands_bogged_in_it(table, types, run):
    battle = begin(entrance(table, *types).document(), Tape(key("entrance", run)))
    fight(battle)
    state = battle.state
    stuck = [c for c in state.alive(0) if state.bogged[c]]
    assert len(stuck) < 2
    assert not state.waiting


def view_of(table, types, inside, **more):
    """The entrance with the first few of them in it, in the turn after they came."""
    play = entrance(table, *types, **more).points(9, 9).start()
    for n in range(inside):
        play.dice(6) if types[n] == "us-m4" and more.get("sign", "w") == "w" else None
        way = (("D1", 3),)
        if types[n] == "us-m4":
            play.drive(f"late {n}", *way)
        else:
            play.move(f"late {n}", "D1")
        play.idle()
    play.out(6, 6, 1, 1, 1, 1)
    return play, OST.view(play.state, 0)


def no_danger(unit, h, facing):
    return 0


@pytest.mark.parametrize(("inside", "full"), [(1, False), (2, True)])
def test_an_entrance_is_jammed_when_the_next_has_no_room(table, inside, full):
    play, view = view_of(table, ("us-m4",) * 3, inside)
    units = [play[f"late {n}"] for n in range(inside)]
    assert jammed(view) == ({play.hex("D1")} if full else set())
    out = best_way_out(view, no_danger, units)
    assert (out is not None) == full
    if full:
        worth, order = out
        assert worth == ROOM
        assert isinstance(order, a.Drive)
        assert order.path[-1] != play.hex("D1")
        play.do(order)
        assert jammed(view) == set()


def test_nobody_makes_room_for_nobody(table):
    play, view = view_of(table, ("us-rifle",) * 2, 2)
    assert not play.state.waiting
    assert best_way_out(view, no_danger, [play["late 0"]]) is None


def test_who_has_another_hex_to_come_on_in_is_not_in_the_way(table):
    _, view = view_of(table, ("us-rifle",) * 3, 2, at="D1, E1")
    assert jammed(view) == set()


def test_the_way_out_shuns_known_fire(table):
    play, view = view_of(table, ("us-rifle",) * 3, 2)
    _, plain = best_way_out(view, no_danger, [play["late 0"]])
    _, wary = best_way_out(view, lambda u, h, f: 900 * (h == plain.path[-1]), [play["late 0"]])
    assert wary.path[-1] not in (plain.path[-1], play.hex("D1"))
