"""What must hold over random battles with armour: points, damage, arcs.

Seeds and numbers are declared here, before any battle is fought.
"""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine import play
from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    CREWED,
    LEADER,
    SNIPER,
    SQUAD,
    TRAITS,
    TRANSPORT,
    VEHICLE,
)
from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.vehicles import in_front
from tests.engine.ost.battles import ARMOUR, FIGHTS, fight_of, key, random_battle, scenario

OST = ruleset("ost")
BATTLES = 4
WHOLE = ("destroyed", "destroyed in melee", "no retreat", "duel, no retreat")
"""Ways to lose a vehicle with its crew. OST 1.6, 29.6, 30.4.8."""


def price(state: State, c: int, spent: int) -> int:
    """Casualty points for what a counter has lost since the start, by the list of 1.6; `spent`
    are steps lost without points (8.1.10)."""
    kind = state.start_types[c]
    category = CATEGORY[kind]
    if category in (SQUAD, CREWED):
        return state.start_steps[c] - state.steps[c] - spent
    if category == VEHICLE:
        return _vehicle(state, c, kind)
    return int(state.steps[c] == 0) if category in (LEADER, SNIPER) else 0


def _vehicle(state: State, c: int, kind: int) -> int:
    if c not in state.lost_to:
        return 0
    if TRAITS[kind] & TRANSPORT or state.lost_to[c] not in WHOLE:
        return 1
    got_out = CATEGORY[state.kind[c]] != VEHICLE
    return 1 + int(state.steps[c] == 0) if got_out else 2


def unpaid(log: Any) -> dict[int, int]:
    """Steps lost by ammunition that gave out. OST 8.1.10."""
    folded = OST.setup(scenario(ARMOUR))
    steps: dict[int, int] = {}
    for event in log:
        if type(event).__name__ == "AmmoRanOut":
            steps[event.unit] = folded.steps[event.unit] - 1
        OST.evolve(folded, event)
    return steps


@pytest.mark.parametrize("rough", [False, True])
def test_casualty_points_are_those_of_what_is_lost(rough):
    for run in range(BATTLES):
        battle = random_battle(scenario(ARMOUR), "sums", run, rough=rough)
        state, spent = battle.state, unpaid(battle.log)
        for side in (0, 1):
            lost = [price(state, c, spent.get(c, 0)) for c in state.of_side[side]]
            assert sum(lost) == state.loss_points[side], (run, side)


@pytest.mark.parametrize("run", range(BATTLES))
def test_damage_never_heals(run):
    battle = random_battle(scenario(ARMOUR), "heals", run, rough=True)
    folded = OST.setup(scenario(ARMOUR))
    damage = list(folded.damage)
    for event in battle.log or ():
        OST.evolve(folded, event)
        assert all(now & was == was for now, was in zip(folded.damage, damage, strict=True))
        damage = list(folded.damage)


def test_every_hex_is_front_or_flank_of_each_facing_and_the_border_is_flank():
    """23.4.1, 23.4.2: half of the map less its border; opposite fronts never meet."""
    ground = OST.setup(scenario(ARMOUR)).ground
    grid = ground.grid
    middle = min(
        (h for h in range(grid.size) if min(grid.neighbours[h]) >= 0),
        key=lambda h: abs(h - grid.size // 2),
    )
    others = [h for h in range(grid.size) if h != middle]
    for facing in range(6):
        fronts = [h for h in others if in_front(ground, middle, facing, h)]
        behind = [h for h in others if in_front(ground, middle, (facing + 3) % 6, h)]
        border = [h for h in others if h not in fronts and h not in behind]
        assert not set(fronts) & set(behind)
        assert len(fronts) + len(behind) + len(border) == len(others)
        sides = [grid.neighbours[middle][(facing + d) % 6] for d in (5, 0, 1, 2, 3, 4)]
        assert [h in fronts for h in sides] == [True] * 3 + [False] * 3


@pytest.mark.parametrize("name", FIGHTS)
def test_the_reasons_of_victory_points_add_up_to_the_score(name):
    fought = play.play(fight_of(name), key("reasons", 1)).result
    battle = begin(fight_of(name), Tape(key("reasons", 1)))
    fight(battle)
    for number, side in enumerate(("allies", "axis")):
        parts = [p for p in fought.points if (p.side, p.what) == (side, "victory")]
        assert sum(p.quantity for p in parts) == battle.state.vp[number]
        assert len({p.why for p in parts}) == len(parts)
        assert "enemy losses" in {p.why for p in parts}
