"""Whole battles between houses: they end, fold, hide and add up; the doctrine keeps the rules."""

from __future__ import annotations

import pytest

from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.kinds import CATEGORY, LARGE, TRAITS, VEHICLE
from rulesengine.rulesets.ost.state import OFF
from tests.engine.ost.battles import in_town, key, random_battle
from tests.engine.ost.test_conformance import (
    Watched,
    check_links,
    check_stacks,
)
from tests.engine.ost.test_remembering import Remembering

OST = ruleset("ost")


def test_the_town_is_a_lawful_battle():
    assert check(in_town()) == []


def test_the_battles_between_houses_have_all_of_it():
    seen = set()
    for run in range(3):
        battle = random_battle(in_town(), "all streets", run, rough=run > 0)
        seen |= {type(event).__name__ for event in battle.log or ()}
    assert {"StreetsChosen", "StreetTaken", "WentIndoors", "MarkedOnRoad"} <= seen
    assert {"BuildingFiredAt", "CollapseRolled"} <= seen


@pytest.mark.parametrize("run", range(3))
def test_nobody_is_in_a_street_where_there_is_none(run):
    battle = random_battle(in_town(), "where", run, rough=True)
    folded = OST.setup(in_town())
    for event in battle.log or ():
        OST.evolve(folded, event)
        for c in folded.street:
            assert folded.hex[c] != OFF
            assert folded.ground.structure[folded.hex[c]] or folded.hex[c] in folded.works
            assert CATEGORY[folded.kind[c]] != VEHICLE
        for c, kind in enumerate(folded.kind):
            h = folded.hex[c]
            if TRAITS[kind] & LARGE and h != OFF and h in folded.ground.dual:
                assert c in folded.street or c in folded.riding


def test_the_doctrine_fights_between_houses_as_the_rules_allow():
    seen = set()
    for run in range(3):
        battle = begin(in_town(), Tape(key("legal town", run)))
        fight(battle, [Watched(battle.state, side) for side in (0, 1)])
        check_stacks(battle.state)
        check_links(battle.state)
        seen |= {type(event).__name__ for event in battle.log or ()}
    assert {"StreetTaken", "WentIndoors", "MarkedOnRoad"} <= seen


@pytest.mark.parametrize("run", [43, *range(4)])
def test_the_doctrine_sees_that_a_house_has_fallen(run):
    """A way planned through a house is no way over its rubble: it costs more."""
    battle = begin(in_town(), Tape(key("w town", run)))
    fight(battle, [Watched(battle.state, side) for side in (0, 1)])
    assert not battle.state.frames


def test_shots_from_streets_are_remembered_as_they_are():
    battle = begin(in_town(), Tape(key("caches", 1)))
    fight(battle, [Remembering(battle.state, side) for side in (0, 1)])
    assert len(battle.log or ()) > 100
