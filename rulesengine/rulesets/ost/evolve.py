"""What each event does to the table. No rules and no dice: a log folds to the same state for ever.

With `counters.py` the only place that changes a State.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import (
    airborne_evolve,
    bunkers,
    carriage,
    field_evolve,
    luck_evolve,
    melee_evolve,
    street_evolve,
    transport_evolve,
    vehicle_evolve,
)
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost.counters import detach, place, remove, reveal, touch, uncover
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.kinds import TRAITS
from rulesengine.rulesets.ost.state import (
    FIGHTING,
    MOVING,
    NONE,
    OFF,
    OVER,
    PLAY,
    REFORM,
    SETUP,
    SHAKEN,
    State,
)


def _deployed(state: State, event: e.Deployed) -> None:
    for leader, unit in event.attached:
        state.attached[leader], state.leader[unit] = unit, leader
    for weapon, unit in event.carried:
        state.weapon[unit], state.holder[weapon] = weapon, unit
    for c in event.hidden:
        state.hidden[c] = True
        if state.weapon[c] != NONE:
            state.hidden[state.weapon[c]] = True
    for c, facing in event.facings:
        state.facing[c] = facing
    for c, h in event.places:
        place(state, c, h)
    state.queue.remove(event.side)
    bunkers.unearth(state, bunkers.empty_of_hidden(state, event.side))


def _turn_started(state: State, event: e.TurnStarted) -> None:
    state.turn = event.turn
    if state.phase != SETUP:  # a glider's, from before the battle, is still to be fought
        state.fresh_melees.clear()
    state.phase = REFORM
    state.reforming = NONE


def _rallied(state: State, event: e.Rallied) -> None:
    state.morale[event.unit] = event.now
    touch(state, event.unit)


def _attached(state: State, event: e.Attached) -> None:
    state.attached[event.leader], state.leader[event.unit] = event.unit, event.leader
    touch(state, event.leader)
    touch(state, event.unit)


def _detached(state: State, event: e.Detached) -> None:
    detach(state, event.leader)


def _merged(state: State, event: e.Merged) -> None:
    state.steps[event.kept] = 2
    state.merged_into[event.gone] = event.kept
    touch(state, event.kept)
    remove(state, event.gone)
    bunkers.unearth(state, bunkers.empty_of_hidden(state, state.side[event.kept]))


def _handed(state: State, event: e.Handed) -> None:
    weapon, unit = event.weapon, event.unit
    holder = state.holder[weapon]
    if holder != NONE:
        if state.weapon[holder] == weapon:  # in an exchange it has the other one by now
            state.weapon[holder] = NONE
        touch(state, holder)
    state.holder[weapon] = unit
    if unit == NONE:
        uncover(state, weapon)
        return
    state.weapon[unit] = weapon
    state.side[weapon] = state.side[unit]
    state.hidden[weapon] = state.hidden[unit]
    enemy = state.known[1 - state.side[unit]]
    lay = enemy[weapon] if holder == NONE else OFF
    place(state, weapon, state.hex[unit])
    if state.hidden[unit]:
        enemy[weapon] = lay  # who does not see it taken up goes on seeing it lie there
    touch(state, unit)


def _reform_owed(state: State, event: e.ReformOwed) -> None:
    state.reforming = event.side


def _reform_ended(state: State, event: e.ReformEnded) -> None:
    state.reforming = NONE


def _initiative(state: State, event: e.InitiativeRolled) -> None:
    state.phase = PLAY
    state.active = event.winner
    state.first_play = True


def _impulses(state: State, event: e.ImpulsesRolled) -> None:
    state.impulses[event.side] = event.total


def _impulse_given(state: State, event: e.ImpulseGiven) -> None:
    state.active = event.side


def _passed(state: State, event: e.Passed) -> None:
    state.first_play = False


def _point_dropped(state: State, event: e.PointDropped) -> None:
    state.impulses[event.side] -= 1
    state.first_play = False


def _points_spent(state: State, event: e.PointsSpent) -> None:
    state.impulses[event.side] -= event.points
    state.first_play = False


def _move_declared(state: State, event: e.MoveDeclared) -> None:
    units, assault = event.units, event.assault
    frame = Frame(MOVING, state.side[units[0]], units, event.path)
    frame.stealth, frame.assault = event.stealth, assault
    state.frames.append(frame)
    marks = state.assaulted if assault else state.moved
    for c in units:
        marks[c] = True
    state.changes += units


def _entered(state: State, event: e.Entered) -> None:
    state.frames[-1].at += 1
    h = event.hex
    for c in event.units:
        place(state, c, h)
        state.displaced[c] = True
        if state.clearing:
            state.clearing.pop(c, None)  # who remains in his hex, 6.1.3
        leader = state.leader[c]
        if leader != NONE:
            place(state, leader, h)


def _reaction_owed(state: State, event: e.ReactionOwed) -> None:
    state.frames[-1].owed = True


def _fire_held(state: State, event: e.FireHeld) -> None:
    state.frames[-1].owed = False


def _revealed(state: State, event: e.Revealed) -> None:
    for c in event.units:
        reveal(state, c)
    if state.unseen:
        bunkers.unearth(state, tuple(state.hex[c] for c in event.units))


def _move_stopped(state: State, event: e.MoveStopped) -> None:
    frame = state.frames[-1]
    if event.why in ("mines", "shells"):
        frame.path = frame.path[: frame.at]
        if frame.facings:  # who is stopped keeps the facing it came with
            frame.facings = (*frame.facings[: frame.at - 1], state.facing[frame.units[-1]])
        frame.onto, frame.exits, frame.stops = NONE, False, ()
    else:
        frame.bumped = True


def _move_ended(state: State, event: e.MoveEnded) -> None:
    state.frames.pop()


def _pivoted(state: State, event: e.Pivoted) -> None:
    state.facing[event.unit] = event.facing
    state.moved[event.unit] = True
    touch(state, event.unit)


def _control(state: State, event: e.ControlTaken) -> None:
    state.control[event.place] = event.side


def _fire_declared(state: State, event: e.FireDeclared) -> None:
    firers, weapons = event.firers, event.weapons
    for c in firers:
        state.fired[c] += 1
        state.spent_statistic[c] += 1
        weapon = state.weapon[c]
        if weapon != NONE and weapon in weapons:
            state.firer_of[weapon] = c
    state.changes += firers
    if event.reaction:
        state.frames[-1].owed = False


def _casualty(state: State, event: e.CasualtyTaken) -> None:
    state.steps[event.unit] -= 1
    state.loss_points[state.side[event.unit]] += event.points
    touch(state, event.unit)


def _eliminated(state: State, event: e.Eliminated) -> None:
    c = event.unit
    state.loss_points[state.side[c]] += event.points
    for frame in state.frames:
        if frame.kind == FIGHTING and c in frame.queue:
            frame.queue.remove(c)
    leader = state.leader[c]
    if leader != NONE:  # they have acted as one, 7.3.7
        state.moved[leader] |= state.moved[c]
        state.assaulted[leader] |= state.assaulted[c]
        state.fired[leader] = max(state.fired[leader], state.fired[c])
    remove(state, c)


def _gut_checked(state: State, event: e.GutChecked) -> None:
    state.morale[event.unit] = event.now
    if event.now >= SHAKEN:
        state.clearing.pop(event.unit, None)  # good order to the turn's end, 6.1.3
    touch(state, event.unit)


def _ammo(state: State, event: e.AmmoRanOut) -> None:
    c = event.unit
    old = TRAITS[state.kind[c]]
    state.kind[c] = kind = state.recast.get(event.becomes, event.becomes)
    state.steps[c] = 1
    state.quality[c] = (state.quality[c] & ~old) | TRAITS[kind]
    touch(state, c)


def _own_fire(state: State, event: e.ShakenByOwnFire) -> None:
    state.morale[event.unit] = max(SHAKEN, state.morale[event.unit])
    state.clearing.pop(event.unit, None)
    state.done[event.unit] = True
    touch(state, event.unit)


def _busy(state: State, count: int) -> list[int]:
    """Counters of which something holds for this turn alone."""
    parts = (state.moved, state.fired, state.assaulted, state.done, state.displaced)
    busy = {c for part in (*parts, state.main_fired) for c in range(count) if part[c]}
    busy.update(c for c in range(count) if state.firer_of[c] != NONE)
    return sorted(busy.union(state.mute, state.clearing))


def _turn_ended(state: State, event: e.TurnEnded) -> None:
    count = len(state.kind)
    state.changes += _busy(state, count)
    state.moved = [False] * count
    state.assaulted = [False] * count
    state.fired = [0] * count
    state.done = [False] * count
    state.displaced = [False] * count
    state.firer_of = [NONE] * count
    state.main_fired = [0] * count
    state.acquired.clear()
    state.clearing.clear()
    state.strikes.clear()
    state.cards_shown.clear()
    if state.mute:
        carriage.end_turn(state)
    for side in (0, 1):
        state.vp[side] += event.points[side]


def _extended(state: State, event: e.ExtendedPlayRolled) -> None:
    state.extended = event.extended


def _battle_ended(state: State, event: e.BattleEnded) -> None:
    state.phase = OVER
    state.frames.clear()
    state.vp = list(event.points)
    state.ending = (event.winner, event.how)


def _nothing(state: State, event: Event) -> None:
    """An event that only tells."""


APPLY: dict[type[Event], Callable[[State, Any], None]] = {
    e.Deployed: _deployed,
    e.TurnStarted: _turn_started,
    e.Rallied: _rallied,
    e.Attached: _attached,
    e.Detached: _detached,
    e.Merged: _merged,
    e.Handed: _handed,
    e.ReformOwed: _reform_owed,
    e.ReformEnded: _reform_ended,
    e.InitiativeRolled: _initiative,
    e.ImpulsesRolled: _impulses,
    e.ImpulseGiven: _impulse_given,
    e.Passed: _passed,
    e.PointDropped: _point_dropped,
    e.PointsSpent: _points_spent,
    e.ReinforcementsDue: _nothing,
    e.MoveDeclared: _move_declared,
    e.Entered: _entered,
    e.ReactionOwed: _reaction_owed,
    e.FireHeld: _fire_held,
    e.Revealed: _revealed,
    e.MoveStopped: _move_stopped,
    e.MoveEnded: _move_ended,
    e.Pivoted: _pivoted,
    e.ControlTaken: _control,
    e.FireDeclared: _fire_declared,
    e.Shot: _nothing,
    e.CasualtyTaken: _casualty,
    e.Eliminated: _eliminated,
    e.GutChecked: _gut_checked,
    e.AlreadyBroken: _nothing,
    e.LeaderRolled: _nothing,
    e.AmmoRanOut: _ammo,
    e.ShakenByOwnFire: _own_fire,
    e.MeleeJoined: _nothing,
    e.Struck: _nothing,
    e.TurnEnded: _turn_ended,
    e.ExtendedPlayRolled: _extended,
    e.BattleEnded: _battle_ended,
    **melee_evolve.APPLY,
    **vehicle_evolve.APPLY,
    **field_evolve.APPLY,
    **transport_evolve.APPLY,
    **street_evolve.APPLY,
    **airborne_evolve.APPLY,
    **luck_evolve.APPLY,
}


def evolve(state: State, event: Event) -> None:
    """Apply one fact."""
    APPLY[type(event)](state, event)
    if state.armour and (state.riding or state.rolling or state.freight):
        carriage.keep_together(state)
