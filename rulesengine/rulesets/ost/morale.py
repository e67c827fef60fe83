"""Rally (OST 18) and unit quality (OST 19)."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.actions import Rally
from rulesengine.rulesets.ost.events import PointsSpent, Rallied
from rulesengine.rulesets.ost.fire import ALL_BRANCHES, BRANCH, of_branch
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    COMMAND,
    ELITE,
    LEADER,
    POOR,
    SQUAD,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.state import (
    GOOD,
    NONE,
    OFF,
    SHAKEN,
    State,
    View,
)
from rulesengine.rulesets.ost.tally import Tally, code

NEEDED = (0, 7, 9)
"""To rally a shaken, a broken unit. OST 18.0.2, 18.0.3."""

LEADER_IN_RANGE = code("LEADER_IN_RANGE")
ELITE_RALLY = code("ELITE_RALLY")
POOR_RALLY = code("POOR_RALLY")


def rally_modifiers(leader: bool, elite: bool, poor: bool) -> Tally:
    """OST 18.0.4 as 7.2.3 and 19.0 give it (RULINGS.md)."""
    tally = Tally(0)
    if leader:
        tally.add(LEADER_IN_RANGE)
    if elite:
        tally.add(ELITE_RALLY)
    if poor:
        tally.add(POOR_RALLY)
    return tally


def rallied_to(morale: int, total: int) -> int:
    """The morale after an attempt. OST 18.0.5; a broken unit that fails is shaken, 18.0.6."""
    return GOOD if total >= NEEDED[morale] else SHAKEN


def leader_in_range(state: State, unit: int, *, own_branch: bool = False) -> int:
    """Another good order leader of the side that has the unit in command range, or NONE.

    OST 7.2.3, 7.2.6; leaders help other leaders, 7.3.10, never themselves. Leaders help those on
    foot (7.2.7), armor leaders those in vehicles (7.4.2), each whatever his branch: but to rally
    only, so for anything else ask for one of its `own_branch` (7.5.2). Who is in a melee does
    nothing else, 30.1.3.
    """
    distance, h = state.ground.grid.distance, state.hex[unit]
    crew = _is_tank_crew(state.kind[unit])
    for c in state.leaders[state.side[unit]]:
        here, kind = state.hex[c], state.kind[c]
        if (
            here != OFF
            and c != unit
            and state.morale[c] == GOOD
            and COMMAND[kind]
            and distance(here, h) <= COMMAND[kind]
            and here not in state.melees
            and bool(TRAITS[kind] & ARMOR) == crew
            and (not own_branch or of_branch(kind, state.kind[unit]))
        ):
            return c
    return NONE


def _helps(state: State, leader: int, unit: int) -> str:
    """What lets a leader help where he does not lead foot soldiers of his own branch."""
    him, helped = state.kind[leader], state.kind[unit]
    if _is_tank_crew(helped):
        return "vehicle"
    if CATEGORY[helped] == LEADER:
        return "leader"
    if CATEGORY[helped] != SQUAD or BRANCH[him] == BRANCH[helped]:
        return ""
    return "commissar" if ALL_BRANCHES[him] else "branch"


def _is_tank_crew(kind: int) -> bool:
    return CATEGORY[kind] == VEHICLE or bool(TRAITS[kind] & ARMOR)


def refuse_rally(view: View, action: Rally) -> Refusal | None:
    state, unit = view.state, action.unit
    if state.side[unit] != view.side or state.hex[unit] == OFF:
        return Refusal("That is not a unit of yours on the map.", "18.0.p1")
    if state.morale[unit] == GOOD:
        return Refusal("The unit is in good order.", "18.0.p1")
    if state.locked(unit):
        return Refusal("A unit in a melee can do nothing else, rally included.", "30.1.3")
    if state.done[unit]:
        return Refusal("After intensive fire the unit can do no more this turn.", "27.7.3")
    return None


def rally(battle: Battle[State], unit: int, *, free: bool) -> None:
    """Try to rally a unit; free at the start of a turn, else for an Impulse Point. OST 18."""
    state = battle.state
    traits = state.quality[unit]
    leader = leader_in_range(state, unit)
    modifiers = rally_modifiers(leader != NONE, bool(traits & ELITE), bool(traits & POOR))
    if not free:
        battle.emit(PointsSpent(side=state.side[unit], points=1))
    morale = state.morale[unit]
    roll = battle.dice.roll(6, 2)
    total = roll.total + modifiers.value
    battle.emit(
        Rallied(
            unit=unit,
            roll=roll,
            total=total,
            needed=NEEDED[morale],
            now=rallied_to(morale, total),
            free=free,
            modifiers=tuple(modifiers.parts),
            helps=_helps(state, leader, unit) if leader != NONE else "",
        )
    )


def free_rallies(battle: Battle[State]) -> None:
    """OST 18.1: one attempt for each shaken or broken unit, those in melees apart (30.1.3); leaders
    first, for who has rallied helps the others."""
    state = battle.state
    for side in (0, 1):
        leads = {c: CATEGORY[state.kind[c]] == LEADER for c in state.present[side]}
        for unit in sorted(leads, key=lambda c: not leads[c]):
            if state.morale[unit] != GOOD and not state.locked(unit):
                rally(battle, unit, free=True)
