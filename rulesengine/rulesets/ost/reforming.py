"""What a side does in its Reform Phase (OST 2.1; for the doctrine)."""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.carriage import rides
from rulesengine.rulesets.ost.kinds import CATEGORY, LEADER, SQUAD
from rulesengine.rulesets.ost.state import GOOD, NONE, OFF, State, View
from rulesengine.rulesets.ost.vehicles import is_vehicle


def best_reform(view: View) -> Action:
    """Leaders to units without one, reduced squads together. OST 2.1."""
    state = view.state
    for leader in state.of_side[view.side]:
        h = state.hex[leader]
        if CATEGORY[state.kind[leader]] != LEADER or h == OFF or h in state.melees:
            continue
        if rides(state, leader):
            continue
        if state.attached[leader] == NONE:
            for c in state.in_hex(h, view.side):
                free = not state.is_single(c) and state.leader[c] == NONE
                kept = not state.hidden[c] or state.hidden[leader]  # else he gives it away
                if free and kept and not is_vehicle(state, c) and c not in state.riding:
                    return a.Attach(leader=leader, unit=c)
        elif state.morale[leader] == GOOD:
            merge = _merge(view, state.attached[leader])
            if merge is not None:
                return merge
    return a.EndReform()


def _merge(view: View, kept: int) -> Action | None:
    """OST 18.2."""
    state = view.state
    if not _can_merge(state, kept):
        return None
    grid = state.ground.grid
    for h in (state.hex[kept], *grid.neighbours[state.hex[kept]]):
        for c in state.in_hex(h, view.side):
            same = c != kept and state.kind[c] == state.kind[kept] and _can_merge(state, c)
            shows = state.hidden[kept] and not state.hidden[c]
            if same and not shows and NONE in (state.weapon[c], state.weapon[kept]):
                return a.Merge(kept=kept, gone=c)
    return None


def _can_merge(state: State, c: int) -> bool:
    return (
        CATEGORY[state.kind[c]] == SQUAD
        and state.steps[c] == 1
        and state.morale[c] == GOOD
        and state.hex[c] not in state.melees
        and c not in state.riding
    )
