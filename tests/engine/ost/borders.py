"""What tests on the borders of chapters share."""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from tests.engine.table import Play

OST = ruleset("ost")


def hold(play: Play) -> None:
    """Let every chance of opportunity fire go."""
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())


def may(play: Play, action: Action) -> bool:
    """Whether the side to move may do it."""
    return OST.refuse(OST.view(play.state, play.owed), action) is None
