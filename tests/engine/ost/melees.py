"""A melee on the table, for the tests of its chapters."""

from __future__ import annotations

from rulesengine.rulesets.ost import events as e
from tests.engine.table import US, ControlHex


def control(at, owner="german"):
    return {"control": (ControlHex(hex=at, name="Mill", owner=owner, per_turn=3),)}


NEXT_TURN = (6, 6, 1, 1, 1, 1)
"""Initiative to the US, one pip each for impulses."""


def joined(table, us=None, german=None, *, second=None, far=True, attacker=US, **scenario):
    """A melee in C4, marked by the attacker, with nothing else left to do in the turn."""
    battle = table().put("us", "us-rifle", "C3" if attacker == US else "C4", **(us or {}))
    battle = battle.put("german", "ger-rifle", "C4" if attacker == US else "C3", **(german or {}))
    if second:
        battle = battle.put("second", second, "C4")
    if far:
        battle = battle.put("far", "us-rifle", "A1").put("away", "ger-rifle", "H8")
    battle = battle.to_move(attacker).points(2, 2).scenario(**scenario)
    play = battle.start()
    play.do(play.assault("us" if attacker == US else "german", "C4"))
    return play


def strikes(news):
    return [event for event in news if isinstance(event, e.Struck)]
