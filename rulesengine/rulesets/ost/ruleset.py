"""Old School Tactical as a Ruleset: which chapter answers what.

`awaiting` reads who owes a decision off the state; `decide` hands an action to its chapter and
then lets the sequence of play run on to the next decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulesengine.contract import (
    Action,
    Answer,
    Battle,
    Decision,
    Doctrine,
    Event,
    Line,
    Piece,
    Refusal,
)
from rulesengine.documents import BattleResult, Catalogue, ElementType, Ending
from rulesengine.explain import Term, Throw
from rulesengine.pack import Fault
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import (
    airborne,
    command,
    driving,
    duel,
    fieldwork,
    going,
    hex_fire,
    luck,
    melee_phase,
    menu,
    rolling,
    setup,
    vehicle_fire,
    volley,
    works,
)
from rulesengine.rulesets.ost.catalogue import VERSION, catalogue
from rulesengine.rulesets.ost.events import AnyEvent, FireHeld
from rulesengine.rulesets.ost.evolve import evolve
from rulesengine.rulesets.ost.orders import CARRY_OUT, FREE, REFUSE, refuse_unknown
from rulesengine.rulesets.ost.questions import AnyQuestion
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.state import (
    AGAINST,
    CARD,
    CONCENTRATE,
    DUEL,
    EVADE,
    LANDING,
    MELEE,
    MOVING,
    NONE,
    OVER,
    REFORM,
    SETUP,
    State,
    View,
)

_REFORM = (a.Attach, a.Detach, a.Merge, a.Transfer, a.EndReform)
_IMPULSE = (
    a.Fire,
    a.Move,
    a.AssaultMove,
    a.Rally,
    a.Pivot,
    a.PickUp,
    a.Pass,
    a.DropPoint,
    a.VehicleFire,
    a.Drive,
    a.LeaveGun,
    a.SeekCover,
    a.LaySmoke,
    a.Clear,
    a.BlowUp,
    a.CallArtillery,
    a.AirStrike,
    a.HexFire,
    a.Scrap,
    a.Demolish,
    a.Load,
    a.Unload,
    a.RollingCover,
    a.LeaveCover,
    a.Exit,
    a.PlayCard,
)


SUPPORT = (a.CallArtillery, a.AirStrike)


def _both(wants: str, *options: type[Action]) -> tuple[tuple[Decision, ...], ...]:
    return tuple((Decision(side, wants, options),) for side in (0, 1))


DEPLOYING = _both("set up", a.Deploy)
REFORMING = _both("reform", *_REFORM)
IMPULSE = _both("an impulse", *_IMPULSE)
REACTING = _both("opportunity fire", a.Fire, a.HoldFire, a.VehicleFire, a.HexFire)
UNDER_PARACHUTES = _both("fire at a landing", a.FireAtLanding, a.HoldFire)
LANDING_PLACE = _both("where a unit lands", a.Land)
CARDS = _both("a luck card, or none", a.PlayCard, a.KeepCard)
EVADING = _both("evade the melee or stand", a.Evade, a.Stand)
DUELLING = _both("the target of a tank duel", a.DuelTarget)
CONCENTRATING = _both("concentrate the attack or not", a.Concentrate)
RETREATING = _both("a retreat out of the melee", a.Retreat)


class Ost:
    """The ruleset; stateless, one instance."""

    key = "ost"
    version = VERSION
    scenario_type = OstScenario
    action_type: Any = a.AnyAction
    event_type: Any = AnyEvent
    question_type: Any = AnyQuestion

    def catalogue(self) -> Catalogue:
        return catalogue()

    def check(self, scenario: OstScenario) -> list[Fault]:
        """Faults in the sense of a scenario of this ruleset, for the loader."""
        from rulesengine.rulesets.ost.check import check

        return check(scenario)

    def look_over(self, scenario: OstScenario) -> list[Fault]:
        """What of a sound scenario may not be what its author meant."""
        from rulesengine.rulesets.ost.look_over import look_over

        return look_over(scenario)

    def check_force(self, scenario: OstScenario, side: str) -> list[Fault]:
        """What keeps the force of one side from taking the field, whatever the other brings."""
        from rulesengine.rulesets.ost.company import check_force

        return check_force(scenario, side)

    def force_notes(self, scenario: OstScenario, side: str) -> tuple[str, ...]:
        """What of a force cannot be used as it comes, in sentences for its side."""
        from rulesengine.rulesets.ost.company import uncarried

        note = uncarried(scenario, side)
        return (note,) if note else ()

    def recast(self, scenario: OstScenario) -> tuple[ElementType, ...]:
        """Element types whose figures the scenario prints otherwise."""
        from rulesengine.rulesets.ost.recasts import recast_elements

        return recast_elements(scenario)

    def terms(
        self, scenario: OstScenario, called: Mapping[str, str]
    ) -> tuple[tuple[Term, ...], tuple[str, ...]]:
        """Terms of a scenario in words, and the paths of those that are not to be read bare."""
        from rulesengine.rulesets.ost import sheet

        return sheet.terms(scenario, called), sheet.unsaid(scenario)

    def setup(self, scenario: OstScenario) -> State:
        state = State(scenario)
        works.lay_out(state)
        return state

    def begin(self, battle: Battle[State]) -> None:
        """What is on the map before the sides set up."""
        works.announce(battle)

    def awaiting(self, state: State) -> tuple[Decision, ...]:
        if state.frames:
            return _owed_in_frame(state)
        phase = state.phase
        if phase == OVER:
            return ()
        if phase == SETUP:
            return DEPLOYING[state.queue[0]]
        if phase == REFORM:
            return REFORMING[state.reforming]
        return IMPULSE[state.active]

    def candidates(self, view: View, decision: Decision) -> Iterable[Action]:
        return menu.candidates(view, decision)

    def refuse(self, view: View, action: Action) -> Refusal | None:
        owed = self.awaiting(view.state)
        if not owed:
            return Refusal("The battle is over.", "2.4.p2")
        if owed[0].side != view.side:
            return Refusal("It is the other side's turn to decide.", "4.0.1")
        reacts = a.HoldFire in owed[0].options
        if reacts and isinstance(action, (*SUPPORT, a.PlayCard)):
            return Refusal("Artillery, aircraft and cards are no opportunity fire.", "27.6.10")
        if not isinstance(action, owed[0].options):
            return Refusal(f"What is owed now is {owed[0].wants}.", "2.0.p2")
        return refuse_unknown(view.state, action) or REFUSE[type(action)](view, action)

    def decide(self, battle: Battle[State], action: Action) -> None:
        state = battle.state
        phase = state.phase
        if state.frames:
            _decide_in_frame(battle, action)
        elif phase == SETUP:
            assert isinstance(action, a.Deploy)
            side = state.queue[0]
            setup.deploy(battle, action)
            airborne.plan(battle, side, action)
            if not state.queue:
                command.begin_play(battle)
        elif phase == REFORM:
            assert isinstance(action, _REFORM)
            setup.reform(battle, action)
            if state.reforming == NONE:
                command.start_play(battle)
        elif not (any(state.cards) and type(action) not in FREE and luck.hold(battle, action)):
            _carry_out(battle, action)

    evolve = staticmethod(evolve)

    def outcome(self, state: State) -> Ending | None:
        if state.ending is None:
            return None
        winner, how = state.ending
        if winner == NONE:
            return Ending(kind="draw", how=how)
        return Ending(kind="win", how=how, winner=state.scenario.sides[winner].key)

    def view(self, state: State, side: int) -> View:
        return View(state, side)

    def narrate(self, state: State, event: Event, side: int | None) -> Line | None:
        from rulesengine.rulesets.ost.narrate import narrate

        return narrate(state, event, side)

    def board(self, state: State, side: int | None) -> tuple[Piece, ...]:
        from rulesengine.rulesets.ost.board import board

        return board(state, side)

    def throws(self, state: State, event: Event) -> tuple[Throw, ...]:
        from rulesengine.rulesets.ost.throws import throws

        return throws(state, event)

    def result(self, state: State) -> BattleResult:
        from rulesengine.rulesets.ost.result import result

        return result(state, self.outcome(state))

    def fingerprint(self, state: State) -> Any:
        from rulesengine.rulesets.ost.result import fingerprint

        return fingerprint(state)

    def adjudicate(self, question: Any) -> Answer:
        from rulesengine.rulesets.ost.adjudicate import adjudicate

        return adjudicate(question)

    def doctrine(self, state: State, side: int) -> Doctrine:
        from rulesengine.rulesets.ost.doctrine import Sensible

        return Sensible(state, side)


def _owed_in_frame(state: State) -> tuple[Decision, ...]:
    frame = state.frames[-1]
    if frame.kind == MOVING:
        return REACTING[1 - frame.side]
    if frame.kind == LANDING:
        return UNDER_PARACHUTES[1 - frame.side] if frame.owed else LANDING_PLACE[frame.side]
    if frame.kind == CARD:
        return CARDS[frame.side]
    if frame.stage == CONCENTRATE:
        return CONCENTRATING[frame.side]
    if frame.stage == DUEL:
        return DUELLING[state.side[frame.shots[0][0]]]
    side = state.side[frame.queue[0]]
    return EVADING[side] if frame.stage == EVADE else RETREATING[side]


def _carry_out(battle: Battle[State], action: Action) -> None:
    """What the active side does in its impulse, then whose turn it is."""
    kind = type(action)
    CARRY_OUT[kind](battle, action)
    if kind not in FREE:
        if not battle.state.frames:
            _next(battle)
    elif kind is a.PlayCard:
        command.ended_by_destruction(battle)


def _next(battle: Battle[State], *, again: bool = False) -> None:
    state = battle.state
    if state.covers:
        fieldwork.tidy(battle)
    if state.acquired and state.veils:  # smoke and wrecks may have come between
        going.lose_sight(battle)
    if command.ended_by_destruction(battle):
        return
    if not (any(state.cards) and luck.offer(battle, again=again)):
        command.give_impulse(battle, again=again)


def _answer_with_card(battle: Battle[State], action: a.PlayCard | a.KeepCard) -> None:
    """A luck card against what the enemy has begun, or after one's own action. OST 3.3.3, 3.3.4."""
    state = battle.state
    if state.frames[-1].stage == AGAINST:
        order = luck.answer(battle, action)
        if order is None:
            _next(battle)
        else:
            _carry_out(battle, order)
        return
    if isinstance(action, a.PlayCard):
        luck.play(battle, action)
        if command.ended_by_destruction(battle) or luck.has_offer(state):
            return
    command.give_impulse(battle, again=luck.keep(battle))


def _decide_in_frame(battle: Battle[State], action: Action) -> None:
    """A reaction in mid-move, or a choice inside a melee."""
    state = battle.state
    frame = state.frames[-1]
    if frame.kind == MOVING:
        _react(battle, action)
        return
    if frame.kind == LANDING:
        assert isinstance(action, a.FireAtLanding | a.HoldFire | a.Land)
        airborne.decide(battle, action)
        command.go_on_from_air(battle)
        return
    if frame.kind == CARD:
        assert isinstance(action, a.PlayCard | a.KeepCard)
        _answer_with_card(battle, action)
        return
    match action:
        case a.Evade() | a.Stand():
            melee_phase.evade(battle, action)
        case a.Concentrate():
            melee_phase.concentrate(battle, action)
        case a.Retreat():
            melee_phase.retreat(battle, action)
        case a.DuelTarget():
            duel.shoot(battle, action.target, chosen=True)
    if not melee_phase.go_on(battle):
        assert state.phase == MELEE
        command.end_turn(battle)


def _react(battle: Battle[State], action: Action) -> None:
    """Opportunity fire or none; OST 27.6.6: who halts a move lets the mover act again."""
    state = battle.state
    frame = state.frames[-1]
    suffered = False
    resolve: Any = RESOLVE.get(type(action))
    if resolve is not None:
        suffered = resolve(battle, action, reaction=True)
        if command.ended_by_destruction(battle):
            return
    else:
        battle.emit(FireHeld(side=1 - frame.side))
    on_wheels = rolling if len(frame.units) > 1 else driving
    mover: Any = on_wheels if frame.facings else going
    if not mover.after_reaction(battle, suffered=suffered):
        _next(battle, again=suffered)


RESOLVE = {
    a.Fire: volley.resolve,
    a.VehicleFire: vehicle_fire.resolve,
    a.HexFire: hex_fire.resolve,
}
"""How opportunity fire is carried out."""

RULESET = Ost()
