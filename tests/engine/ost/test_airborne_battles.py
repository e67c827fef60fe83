"""Whole battles with drops and gliders: they end, fold, add up and keep their secrets."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.dice import Tape
from rulesengine.play import begin, fight, play
from rulesengine.proof import audit, rerun
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import airborne_events as x
from rulesengine.rulesets.ost.airborne_check import may_fly
from rulesengine.rulesets.ost.catalogue import unit_type
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.scenario import AirborneOperation, Aircraft
from tests.engine.ost.battles import key, parachuted, random_battle
from tests.engine.ost.test_conformance import (
    Watched,
    _never_named_before_revealed,
    check_links,
    check_stacks,
)

OST = ruleset("ost")


def test_the_battles_from_the_air_have_all_of_it():
    seen = set()
    for run in range(8):
        battle = random_battle(parachuted(), "all air", run, rough=True)
        seen |= {type(event) for event in battle.log or ()}
    assert set(x.AnyAirborneEvent.__args__) <= seen


def test_the_doctrine_drops_as_the_rules_allow():
    seen = set()
    for run in range(6):
        battle = begin(parachuted(), Tape(key("legal air", run)))
        fight(battle, [Watched(battle.state, side) for side in (0, 1)])
        check_stacks(battle.state)
        check_links(battle.state)
        seen |= {type(event) for event in battle.log or ()}
    assert {x.Landed, x.GliderDown, x.LandingFired} <= seen


def test_a_battle_from_the_air_is_proven_like_any_other():
    first = play(parachuted(), key("air", 7))
    assert play(parachuted(), key("air", 7)).hash == first.hash
    assert audit(first.log, key("air", 7)) > 100
    assert rerun(first, key("air", 7)).hash == first.hash


def test_nobody_hears_of_who_is_hidden_or_still_in_the_air():
    for run in range(4):
        battle = random_battle(parachuted(), "air whispers", run)
        _never_named_before_revealed(battle)
        state = OST.setup(battle.state.scenario)
        for event in battle.log or ():
            OST.evolve(state, event)
            for side in (0, 1, -1):
                line = OST.narrate(state, event, side)
                text = line.text if line else ""
                for c in state.waiting:
                    assert state.side[c] == side or state.names[c] not in text, text
                pieces = {piece.id for piece in OST.board(state, side)}
                assert not any(state.ids[c] in pieces for c in state.waiting)


# --- scenarios -----------------------------------------------------------------------------------


def changed(**fields):
    """The battle with its first aircraft, or its operation, another."""
    battle = parachuted()
    first, second = battle.terms
    operation = first.airborne[0]
    own = {k: v for k, v in fields.items() if k in AirborneOperation.__struct_fields__}
    inner = {k: v for k, v in fields.items() if k in Aircraft.__struct_fields__}
    aircraft = (msgspec.structs.replace(operation.aircraft[0], **inner), operation.aircraft[1])
    operation = msgspec.structs.replace(operation, **{"aircraft": aircraft, **own})
    terms = msgspec.structs.replace(first, airborne=(operation, *first.airborne[1:]))
    return msgspec.structs.replace(battle, terms=(terms, second))


def said(**fields):
    return " ".join(f"{fault.where} {fault.what}" for fault in check(changed(**fields)))


def test_the_battle_itself_has_no_fault():
    assert check(parachuted()) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "glider"}, "26.1.2"),
        ({"heading": ""}, "26.2.5"),
        ({"turn": 99}, "26.3.13"),
        ({"aircraft": ()}, "26.1.1"),
        ({"at": "ZZ9"}, ".at"),
        ({"at": "A12"}, "26.2.3"),
        ({"units": ("allies foot", "allies stick")}, "it holds 3"),
        ({"units": ("axis foot",)}, "other side"),
        ({"units": ("allies late stick",)}, "comes twice"),
        ({"supplies": ("allies foot",)}, "26.3.11"),
    ],
)
def test_faults_of_an_operation_are_named(fields, words):
    assert words in said(**fields)


def test_units_that_are_not_among_the_forces_are_left_out():
    battle = changed(units=("allies stick", "gone"))
    assert check(battle) == []
    state = OST.setup(battle)
    assert len(state.flights) == len(OST.setup(parachuted()).flights)


def test_an_aircraft_with_nobody_aboard_does_not_fly():
    battle = changed(units=("gone",))
    assert len(OST.setup(battle).flights) == len(OST.setup(parachuted()).flights) - 1
    fight(begin(battle, Tape(key("empty", 1))))


@pytest.mark.parametrize(
    ("kind", "transport", "glider"),
    [
        ("us-airborne-rifle", True, True),
        ("us-mmg", True, True),
        ("us-57mm", False, True),
        ("us-jeep", False, True),
        ("us-truck", False, False),
        ("us-m4", False, False),
        ("us-sniper", False, False),
        ("us-crew", False, False),
        ("ger-motorcycle", False, False),
    ],
)
def test_what_flies(kind, transport, glider):
    assert may_fly(unit_type(kind), glider=False) == transport
    assert may_fly(unit_type(kind), glider=True) == glider
