"""Victory conditions that a scenario states in so many words (OST 3.1.9): goals of one side.

A goal is met when all it needs is met: control of so many hexes, buildings held, units that left
the map, losses of the enemy, few of one's own, points. It counts at the end of the battle, or ends
it: at the end of a turn, or at once. Where no side has met one, victory points decide, or the side
that the scenario names.
"""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.events import BattleEnded
from rulesengine.rulesets.ost.goal_events import GoalMet
from rulesengine.rulesets.ost.movement import can_hold
from rulesengine.rulesets.ost.scenario import Goal, Need
from rulesengine.rulesets.ost.scoring import final_points, is_contested
from rulesengine.rulesets.ost.state import GOOD, NONE, State


def goals_of(state: State) -> tuple[Goal, ...]:
    """Empty in most battles."""
    return state.scenario.victory.goals or ()


def amount(state: State, side: int, need: Need) -> int:
    """How far a side has come with one of its needs."""
    if need.kind == "control":
        wanted = set(state.ground.grid.area(need.hexes)) if need.hexes else set(state.control_at)
        held = (p for h, p in state.control_at.items() if h in wanted)
        return sum(state.control[p] == side and not is_contested(state, p) for p in held)
    if need.kind == "buildings":
        area = state.ground.grid.area(need.hexes)
        return sum(holds_building(state, side, h) for h in area)
    if need.kind == "exited":
        left = (c for c in state.exited if state.start_side[c] == side)
        return sum(not state.is_single(c) for c in left)
    if need.kind == "enemy losses":
        return state.loss_points[1 - side]
    if need.kind == "own losses":
        return state.loss_points[side]
    return final_points(state)[side]


def holds_building(state: State, side: int, h: int) -> bool:
    """Whether a good order unit of a side that could hold ground stands in a building, and no enemy
    in the hex. OST 3.2.2, 3.2.3."""
    if not state.ground.structure[h] or state.in_hex(h, 1 - side):
        return False
    return any(can_hold(state, c) and state.morale[c] == GOOD for c in state.in_hex(h, side))


def is_met(state: State, goal: Goal) -> bool:
    """Whether a side has all that one of its goals needs."""
    side = side_of(state, goal)
    for need in goal.needs:
        there = amount(state, side, need)
        if need.at_least and there < need.at_least:
            return False
        if need.at_most is not None and there > need.at_most:
            return False
    return True


def side_of(state: State, goal: Goal) -> int:
    return [side.key for side in state.scenario.sides].index(goal.side)


def met(state: State, *when: str) -> list[int]:
    """The goals that count now and are met, by their place in the scenario."""
    return [i for i, g in enumerate(goals_of(state)) if g.when in when and is_met(state, g)]


def end_if_met(battle: Battle[State], *when: str) -> bool:
    """End the battle for goals that end it: "at once", "turn end". OST 3.1.9, 3.1.7."""
    reached = met(battle.state, *when) if goals_of(battle.state) else []
    if reached:
        _end(battle, reached)
    return bool(reached)


def decide_at_end(battle: Battle[State]) -> bool:
    """The battle has run its course: whether its goals decide it. OST 2.4.p3, 3.1.9."""
    state = battle.state
    if not goals_of(state):
        return False
    reached = met(state, "end", "turn end", "at once")
    otherwise = state.scenario.victory.otherwise
    if reached:
        _end(battle, reached)
    elif otherwise:
        winner = [side.key for side in state.scenario.sides].index(otherwise)
        how = "the other side missed its goal"
        battle.emit(BattleEnded(winner=winner, how=how, points=final_points(state)))
    return bool(reached or otherwise)


def _end(battle: Battle[State], reached: list[int]) -> None:
    state = battle.state
    goals = goals_of(state)
    for number in reached:
        goal = goals[number]
        battle.emit(GoalMet(side=side_of(state, goal), goal=number, sudden=goal.when != "end"))
    sides = {side_of(state, goals[number]) for number in reached}
    winner = sides.pop() if len(sides) == 1 else NONE
    how = goals[reached[0]].name if winner != NONE else "both sides reached a goal"
    battle.emit(BattleEnded(winner=winner, how=how, points=final_points(state)))


def buildings_wanted(state: State, side: int) -> list[int]:
    """Buildings that a goal of the side asks for and it does not hold yet."""
    wanted: dict[int, None] = {}
    for goal in goals_of(state):
        if side_of(state, goal) == side:
            for need in goal.needs:
                if need.kind == "buildings":
                    wanted |= dict.fromkeys(state.ground.grid.area(need.hexes))
    return [h for h in wanted if not holds_building(state, side, h)]
