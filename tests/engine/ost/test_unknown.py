"""Actions that name what is not there are refused in a sentence, never with a traceback."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a

NOWHERE = (-7, 10_000)


@pytest.mark.parametrize("wrong", NOWHERE)
@pytest.mark.parametrize(
    "make",
    [
        lambda n: a.Fire(firer=n, target=1),
        lambda n: a.Fire(firer=0, target=n),
        lambda n: a.Fire(firer=0, target=1, weapon=n),
        lambda n: a.Fire(firer=0, target=1, partner=n),
        lambda n: a.Fire(firer=0, target=1, second=n),
        lambda n: a.Move(unit=n, path=(10,)),
        lambda n: a.Move(unit=0, path=(n,)),
        lambda n: a.Move(unit=0, path=(10,), partner=n),
        lambda n: a.AssaultMove(unit=0, hex=n),
        lambda n: a.AssaultMove(unit=n, hex=10),
        lambda n: a.Rally(unit=n),
        lambda n: a.Pivot(unit=n, facing=1),
        lambda n: a.PickUp(unit=0, weapon=n),
    ],
)
def test_an_unknown_counter_or_hex_is_refused(table, make, wrong):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C6").start()
    refusal = battle.refused(make(wrong))
    assert "no such" in refusal.why


def test_a_needed_counter_cannot_be_left_out(table):
    battle = table().put("us", "us-rifle", "C3").put("german", "ger-rifle", "C6").start()
    assert "no such" in battle.refused(a.Fire(firer=0, target=-1)).why
    assert "no such" in battle.refused(a.PickUp(unit=0, weapon=-1)).why
