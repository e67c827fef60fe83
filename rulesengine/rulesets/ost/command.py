"""The sequence of play (OST 2, 3, 4): turns, initiative, impulses, scoring, the end."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.dice import Roll
from rulesengine.rulesets.ost import airborne, luck, melee_phase
from rulesengine.rulesets.ost.actions import DropPoint, Pass
from rulesengine.rulesets.ost.artillery import roll_for_batteries
from rulesengine.rulesets.ost.driving import free_bogged
from rulesengine.rulesets.ost.entering import announce, can_ever_enter
from rulesengine.rulesets.ost.events import (
    BattleEnded,
    ExtendedPlayRolled,
    ImpulseGiven,
    ImpulsesRolled,
    InitiativeRolled,
    Passed,
    PointDropped,
    TurnEnded,
    TurnStarted,
)
from rulesengine.rulesets.ost.field_events import SmokeAged
from rulesengine.rulesets.ost.fieldwork import finish_clearing, tidy
from rulesengine.rulesets.ost.goals import decide_at_end, end_if_met, goals_of
from rulesengine.rulesets.ost.morale import free_rallies
from rulesengine.rulesets.ost.scoring import final_points, is_contested
from rulesengine.rulesets.ost.setup import offer_reform, terms_of
from rulesengine.rulesets.ost.state import (
    NONE,
    OVER,
    SETUP,
    State,
    View,
)
from rulesengine.rulesets.ost.works import FRESH, OLD

LOSSES_PER_POINT = 5
"""Enemy casualty points that cost an Impulse Point. OST 1.7."""

EXTENDED_PLAY = 7
"""Total of both dice for one more turn. OST 1.4."""


def impulses(rolled: int, plus: int, losses: int) -> int:
    """Impulse Points of a turn: never below 1 through losses. OST 1.7, 4.0.3."""
    return max(1, rolled + plus - losses // LOSSES_PER_POINT)


def start_turn(battle: Battle[State]) -> None:
    """Pre-turn actions up to the Reform Phase. OST 2.1."""
    state = battle.state
    first = state.phase == SETUP
    battle.emit(TurnStarted(turn=state.turn if first else state.turn - 1))
    if state.waiting:
        announce(battle)
    if state.flights and airborne.go_on(battle):
        return
    open_turn(battle, first=first)


def go_on_from_air(battle: Battle[State]) -> None:
    """Flights went on after a decision: what comes when the last has landed. OST 26.3.1,
    26.3.13."""
    state = battle.state
    if airborne.go_on(battle) or ended_by_destruction(battle):
        return
    if state.phase == SETUP:
        start_turn(battle)
    else:
        open_turn(battle, first=state.turn == state.scenario.turns)


def begin_play(battle: Battle[State]) -> None:
    """Both sides are set up: luck cards, flights before the battle, then the first turn. OST
    3.3.1, 26.3.1."""
    luck.draw(battle)
    if battle.state.flights:
        go_on_from_air(battle)
    else:
        start_turn(battle)


def open_turn(battle: Battle[State], *, first: bool) -> None:
    """The rest of the pre-turn actions, after reinforcements. OST 2.1; the first turn has a Reform
    Phase only where somebody has landed since the set-up."""
    state = battle.state
    if state.flights and ended_by_destruction(battle):
        return
    if state.smoke:
        age_smoke(battle)
    roll_for_batteries(battle)
    free_rallies(battle)
    free_bogged(battle)
    if not first or any(flight.when >= state.turn for flight in state.flights):
        offer_reform(battle)
    if state.reforming == NONE:
        start_play(battle)


def age_smoke(battle: Battle[State]) -> None:
    """Smoke lasts two turns. OST 2.1.p3, 13.9.2."""
    ages = sorted(battle.state.smoke.items())
    gone = tuple(h for h, age in ages if age == OLD)
    battle.emit(SmokeAged(gone=gone, thin=tuple(h for h, age in ages if age == FRESH)))


def start_play(battle: Battle[State]) -> None:
    """Initiative and Impulse Points, then the first impulse. OST 2.2, 3.4, 4.0."""
    state = battle.state
    rolls: list[Roll] = []
    while True:
        pair = (battle.dice.roll(6, 2), battle.dice.roll(6, 2))
        rolls += pair
        if pair[0].total != pair[1].total:
            break
    winner = 0 if pair[0].total > pair[1].total else 1
    battle.emit(InitiativeRolled(rolls=tuple(rolls), winner=winner))
    for side in (0, 1):
        terms = terms_of(state, side).impulses
        roll = battle.dice.roll(6, terms.dice)
        losses = state.loss_points[side]
        battle.emit(
            ImpulsesRolled(
                side=side,
                roll=roll,
                plus=terms.plus,
                losses=losses // LOSSES_PER_POINT,
                total=impulses(roll.total, terms.plus, losses),
            )
        )
    battle.emit(ImpulseGiven(side=winner))


def refuse_pass(view: View, action: Pass | DropPoint) -> Refusal | None:
    state, side = view.state, view.side
    fewer = state.impulses[side] < state.impulses[1 - side]
    if isinstance(action, Pass) and not fewer:
        rule = "3.4.3" if state.first_play else "4.0.6"
        return Refusal("Only the side with fewer Impulse Points may pass.", rule)
    if isinstance(action, DropPoint) and fewer:
        return Refusal("With fewer points than the enemy, pass instead.", "4.0.7")
    return None


def pass_by(battle: Battle[State], action: Pass | DropPoint) -> None:
    state = battle.state
    if isinstance(action, Pass):
        battle.emit(Passed(side=state.active, first=state.first_play))
    else:
        battle.emit(PointDropped(side=state.active))


def give_impulse(battle: Battle[State], *, again: bool = False) -> None:
    """Whose impulse is next; `again` gives it back to the side that was halted (27.6.6)."""
    state = battle.state
    side = state.active if again else 1 - state.active
    if not state.impulses[side]:
        side = 1 - side
        if not state.impulses[side]:
            end_play(battle)
            return
    battle.emit(ImpulseGiven(side=side))


def end_play(battle: Battle[State]) -> None:
    """The Melee Phase, and when it is over the end of the turn. OST 2.2, 2.3."""
    melee_phase.begin_phase(battle)
    if not melee_phase.go_on(battle):
        end_turn(battle)


def end_turn(battle: Battle[State]) -> None:
    """Markers off, points scored, then the next turn or the end. OST 2.3, 2.4, 1.4."""
    state = battle.state
    if ended_by_destruction(battle):
        return
    if state.covers:
        tidy(battle)
    if state.clearing:
        finish_clearing(battle)
    scored = [0, 0]
    disputed = []
    for place, control in enumerate(state.scenario.control):
        owner = state.control[place]
        if is_contested(state, place):
            disputed.append(place)
        elif owner != NONE:
            scored[owner] += control.per_turn
    battle.emit(TurnEnded(points=(scored[0], scored[1]), contested=tuple(disputed)))
    if end_if_met(battle, "turn end", "at once"):
        return
    if state.turn > 1:
        start_turn(battle)
        return
    if state.turn == 1 and state.options.extended_play:
        rolls = (battle.dice.roll(6, 1), battle.dice.roll(6, 1))
        extended = rolls[0].total + rolls[1].total >= EXTENDED_PLAY
        battle.emit(ExtendedPlayRolled(rolls=rolls, extended=extended))
        if extended:
            start_turn(battle)
            return
    end_battle(battle)


def ended_by_destruction(battle: Battle[State]) -> bool:
    """A side without units, on the map or still to come, has lost at once. OST 3.1.10."""
    state = battle.state
    if state.phase == OVER or (goals_of(state) and end_if_met(battle, "at once")):
        return True
    if all(state.present):
        return False
    left = [has_units(state, side) for side in (0, 1)]
    if all(left):
        return False
    points = final_points(state)
    winner = left.index(True) if any(left) else NONE
    how = "all enemy units destroyed" if any(left) else "both sides destroyed"
    battle.emit(BattleEnded(winner=winner, how=how, points=points))
    return True


def has_units(state: State, side: int) -> bool:
    """Whether a side has anybody on the map, still to come, or off it by an exit."""
    if state.present[side]:
        return True
    return any(can_ever_enter(state, c) for c in state.of_side[side]) or any(
        state.side[c] == side for c in state.exited
    )


def end_battle(battle: Battle[State]) -> None:
    """Count victory. OST 2.4, 3.1.9."""
    state = battle.state
    if decide_at_end(battle):
        return
    points = final_points(state)
    lead = points[0] - points[1]
    winner = NONE
    if abs(lead) >= max(1, state.scenario.victory.margin):
        winner = 0 if lead > 0 else 1
    how = "victory points" if winner != NONE else "no side leads by enough"
    battle.emit(BattleEnded(winner=winner, how=how, points=points))
