"""Who has to leave a melee hex once the blows have fallen (OST 30.4.3 to 30.4.7), case by case."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.retreats import must_retreat
from tests.engine.table import US

HEX = "D4"
SHAKEN, GOOD = "shaken", "good order"


def left(table, attackers, defenders):
    """What is left in the hex of a melee that the US began, as (name, kind, morale)."""
    board = table().put("far", "us-rifle", "A8").put("away", "ger-rifle", "H1")
    for name, kind, morale in (*attackers, *defenders):
        board.put(name, kind, HEX, morale=morale)
    play = board.start()
    return play.given(e.MeleeMarked(hex=play.hex(HEX), side=US))


def squad(name, morale=GOOD):
    return (name, "us-rifle" if name.startswith("a") else "ger-rifle", morale)


def leader(name, morale=GOOD):
    return (name, "us-sergeant" if name.startswith("a") else "ger-sergeant", morale)


LORRY = ("d lorry", "ger-truck", GOOD)
SNIPER = ("d sniper", "ger-sniper", GOOD)


@pytest.mark.border("ost", "30")
@pytest.mark.parametrize(
    ("attackers", "defenders", "leaving", "rule"),
    [
        ([squad("a")], [squad("d")], [], ""),
        ([squad("a")], [squad("d", SHAKEN)], ["d"], "30.4.3"),
        ([squad("a", SHAKEN)], [squad("d")], ["a"], "30.4.3"),
        ([squad("a", SHAKEN)], [squad("d", SHAKEN)], ["a"], "30.4.5"),
        ([squad("a", SHAKEN)], [squad("d", SHAKEN), squad("d2")], ["a"], "30.4.4"),
        ([squad("a"), squad("a2", SHAKEN)], [squad("d", SHAKEN)], ["a2", "d"], "30.4.3"),
        ([], [squad("d", SHAKEN)], [], "30.4.4"),
        ([], [squad("d")], [], ""),
        ([squad("a", SHAKEN)], [], [], ""),
        ([leader("al")], [squad("d")], ["al"], "30.4.6"),
        ([leader("al")], [squad("d", SHAKEN)], ["d"], "30.4.3"),
        ([leader("al"), squad("a", SHAKEN)], [squad("d", SHAKEN)], ["a", "d"], "30.4.3"),
        ([leader("al"), squad("a", SHAKEN)], [squad("d")], ["a", "al"], "30.4.6"),
        ([leader("al"), squad("a")], [squad("d")], [], ""),
        ([squad("a")], [leader("dl")], ["dl"], "30.4.6"),
        ([squad("a", SHAKEN)], [leader("dl")], ["a"], "30.4.3"),
        ([leader("al")], [leader("dl")], ["al"], "30.4.6"),
        ([squad("a")], [leader("dl"), SNIPER], ["dl"], "30.4.6"),
        ([squad("a")], [leader("dl", SHAKEN), squad("d")], ["dl"], "30.4.3"),
        ([squad("a")], [LORRY], ["d lorry"], "30.4.7"),
        ([squad("a", SHAKEN)], [LORRY], ["a"], "30.4.3"),
        ([squad("a")], [LORRY, squad("d")], ["d lorry"], "30.4.7"),
        ([squad("a")], [LORRY, squad("d", SHAKEN)], ["d", "d lorry"], "30.4.7"),
    ],
)
def test_who_leaves(table, attackers, defenders, leaving, rule):
    play = left(table, attackers, defenders)
    units, because = must_retreat(play.state, play.hex(HEX))
    assert sorted(units) == sorted(play[name] for name in leaving)
    assert rule in because if rule else not because
    assert ("17.2.5" in because) == any(play.morale(name) == SHAKEN for name in leaving)
