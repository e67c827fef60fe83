"""What a side has scored (OST 1.5, 1.6, 3.2): by turn, at the end, and which hexes count."""

from __future__ import annotations

from rulesengine.rulesets.ost.movement import can_hold
from rulesengine.rulesets.ost.state import NONE, State


def is_contested(state: State, place: int) -> bool:
    """Whether a melee goes on in a control hex with somebody in it who can take it from its
    owner. OST 3.2.3, 3.2.4."""
    h = state.ground.grid.find(state.scenario.control[place].hex)
    if h not in state.melees:
        return False
    owner = state.control[place]
    return owner == NONE or any(can_hold(state, c) for c in state.in_hex(h, 1 - owner))


def final_points(state: State) -> tuple[int, int]:
    """Victory points of both sides: scored by turn, held at the end, and for enemy losses."""
    first, second = (state.vp[s] + sum(n for _, n in points_at_end(state, s)) for s in (0, 1))
    return first, second


def points_at_end(state: State, side: int) -> list[tuple[str, int]]:
    """(why, victory points) that a side gets when the battle is over. OST 3.2, 1.6."""
    points = [
        (f"{control.name} held at the end", control.at_end)
        for place, control in enumerate(state.scenario.control)
        if state.control[place] == side and not is_contested(state, place)
    ]
    losses = state.scenario.victory.per_casualty * state.loss_points[1 - side]
    if state.exit_points[side]:
        points.append(("left the map", state.exit_points[side]))
    return [*points, ("enemy losses", losses)]


def victory_points(state: State, side: int) -> list[tuple[str, int]]:
    """(why, points) of a side's score after the battle; they add up to it."""
    start = state.scenario.victory.handicap if side else 0
    at_end = points_at_end(state, side)
    by_turn = state.vp[side] - start - sum(points for _, points in at_end)
    parts = [("head start", start), ("places held, turn by turn", by_turn), *at_end]
    return [(why, points) for why, points in parts if points] or [("the battle", 0)]
