"""What hides is in no menu and no words: the same offer wherever a hidden gun stands.

Seeds and numbers are declared here, before any battle is fought.
"""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.dice import Tape
from rulesengine.play import act, begin
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.state import (
    NONE,
    OFF,
    PLAY,
    State,
)
from tests.engine.ost.battles import (
    ARMOUR,
    FIGHTS,
    Rough,
    fight_of,
    joined,
    key,
    random_battle,
    scenario,
)
from tests.engine.ost.test_armour_laws import hiding

OST = ruleset("ost")
EVERY = 5
"""Every how many decisions the menu is compared."""
GUNS = ("ger-pak40", "ger-pak36")


def ambushed() -> OstScenario:
    return hiding(hiding(joined(scenario(ARMOUR), "axis", *GUNS), "axis", 4), "allies", 4)


def put(state: State, c: int, h: int) -> None:
    """Lay a counter and the leader with it elsewhere, behind the back of the rules."""
    for each in (c, state.leader[c]):
        if each != NONE:
            stack = state.stacks[state.hex[each]]
            stack.remove(each)
            if not stack:
                del state.stacks[state.hex[each]]
            state.stacks.setdefault(h, []).append(each)
            state.hex[each] = h


def offer(state: State, decision: Any) -> tuple[Any, ...]:
    menu = list(OST.candidates(OST.view(state, decision.side), decision))
    return (*menu, OST.board(state, decision.side))


@pytest.mark.parametrize("run", range(3))
def test_the_menu_is_the_same_wherever_a_hidden_enemy_stands(run):
    battle = begin(ambushed(), Tape(key("secret", run)))
    state, player = battle.state, Rough(Tape(key("secret player", run)))
    number = compared = 0
    while OST.awaiting(state):
        decision = OST.awaiting(state)[0]
        number += 1
        if state.phase == PLAY and not state.frames and number % EVERY == 0:
            compared += _compare(state, decision)
        act(battle, decision.side, player.choose(OST.view(state, decision.side), decision))
    assert compared


def _compare(state: State, decision: Any) -> int:
    hidden = [
        c
        for c in state.of_side[1 - decision.side]
        if state.hidden[c] and state.hex[c] != OFF and state.attached[c] == NONE
    ]
    empty = next(h for h in range(state.ground.grid.size) if h not in state.stacks)
    before = offer(state, decision) if hidden else ()
    for c in hidden:
        home = state.hex[c]
        put(state, c, empty)
        assert offer(state, decision) == before, state.names[c]
        put(state, c, home)
    return len(hidden)


@pytest.mark.parametrize("name", ["armour", *FIGHTS[:1]])
def test_nobody_hears_of_what_hides_or_has_not_come(name):
    battlefield = ambushed() if name == "armour" else fight_of(name)
    battle = random_battle(battlefield, "heard", 1, rough=True)
    folded = OST.setup(battlefield)
    for event in battle.log or ():
        OST.evolve(folded, event)
        moving = {c for frame in folded.frames for c in frame.units}
        for side in (0, 1, -1):
            line = OST.narrate(folded, event, side)
            unknown = [
                c
                for c, hidden in enumerate(folded.hidden)
                if folded.side[c] != side and c not in moving and (hidden or c in folded.waiting)
            ]
            told = [folded.names[c] for c in unknown if line and folded.names[c] in line.text]
            assert not told, (side, line)
