"""Which way the doctrine turns a vehicle and a gun (OST 8.0.12, 9.0.6, 9.3.3): its own field of
fire, not the front that armour has."""

from __future__ import annotations

import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.drives import Drives
from rulesengine.rulesets.ost.fire import in_arc
from rulesengine.rulesets.ost.vehicles import in_front
from rulesengine.rulesets.ost.weights import Weights

LONG = ("........",) * 12
N, NE, SE, S, SW, NW = range(6)
BESIDE, AHEAD = "H6", "D3"
"""In front of who looks north in D7, but outside the arc of a fixed gun; and inside it."""


def looking_north(table, kind, at=BESIDE, **more):
    """A vehicle or gun and one enemy tank; the enemy's infantry is far off."""
    german = kind.startswith("ger-")
    foe, far = ("us-m4", "us-rifle") if german else ("ger-pz4h", "ger-rifle")
    play = table(LONG).put("own", kind, "D7", facing=N, **more).put("foe", foe, at, facing=NW)
    return play.put("far", far, "A12").start()


def drives(play):
    return Drives(ruleset("ost").view(play.state, play.state.side[play["own"]]), Weights())


def worth(play, facing):
    """What having the enemy before the muzzle is worth to it where it stands."""
    c, of = play["own"], drives(play)
    of.danger(c, play.state.hex[c], facing)  # looks where the enemy's guns are
    return of._targets(c, play.state.hex[c], facing)


def test_the_two_places_are_what_they_are_said_to_be(table):
    play = looking_north(table, "us-m4")
    ground, here = play.state.ground, play.hex("D7")
    assert in_front(ground, here, N, play.hex(BESIDE))
    assert not in_arc(ground, here, play.hex(BESIDE), N)
    assert in_arc(ground, here, play.hex(AHEAD), N)


@pytest.mark.parametrize(
    ("kind", "at", "wanted"),
    [
        ("us-m4", BESIDE, True),
        ("ger-stug3g", BESIDE, False),
        ("ger-stug3g", AHEAD, True),
    ],
)
def test_a_fixed_gun_has_a_target_in_its_arc_a_turret_anywhere(table, kind, at, wanted):
    assert (worth(looking_north(table, kind, at=at), N) > 0) == wanted


@pytest.mark.parametrize(
    ("condition", "at", "wanted"),
    [("fit", BESIDE, True), ("main gun out", BESIDE, False), ("main gun out", AHEAD, True)],
)
def test_with_its_turret_out_the_hull_gun_still_looks_ahead(table, condition, at, wanted):
    play = looking_north(table, "us-m3-lee", at=at, condition=condition)
    assert (worth(play, N) > 0) == wanted


def test_a_gun_turns_to_what_is_outside_its_arc_and_leaves_it_at_that_inside(table):
    aside = looking_north(table, "us-57mm")
    turned = drives(aside).pivot([aside["own"]], 0)
    assert turned is not None
    order = turned[1]
    assert isinstance(order, a.Pivot)
    assert in_arc(aside.state.ground, aside.hex("D7"), aside.hex(BESIDE), order.facing)
    for at in ("D3", "E4", "C4"):
        ahead = looking_north(table, "us-57mm", at=at)
        assert drives(ahead).pivot([ahead["own"]], 0) is None
