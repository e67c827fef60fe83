"""Old School Tactical as a Ruleset: which chapter answers what.

`awaiting` reads who owes a decision off the state; `decide` hands an action to its chapter and
then lets the sequence of play run on to the next decision.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from rulesengine.documents import BattleResult, Catalogue, Ending
from rulesengine.explain import Throw
from rulesengine.pack import Fault
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import (
    air,
    artillery,
    assault,
    command,
    driving,
    duel,
    exits,
    fieldwork,
    guns,
    melee_phase,
    menu,
    morale,
    movement,
    rolling,
    setup,
    targeting,
    transport,
    vehicle_fire,
    volley,
    works,
)
from rulesengine.rulesets.ost.carriage import in_the_move
from rulesengine.rulesets.ost.catalogue import VERSION, catalogue
from rulesengine.rulesets.ost.events import AnyEvent, FireHeld
from rulesengine.rulesets.ost.evolve import evolve
from rulesengine.rulesets.ost.questions import AnyQuestion
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.state import (
    CONCENTRATE,
    DUEL,
    EVADE,
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
    a.Load,
    a.Unload,
    a.RollingCover,
    a.LeaveCover,
    a.Exit,
)


def _both(wants: str, *options: type[Action]) -> tuple[tuple[Decision, ...], ...]:
    return tuple((Decision(side, wants, options),) for side in (0, 1))


DEPLOYING = _both("set up", a.Deploy)
REFORMING = _both("reform", *_REFORM)
IMPULSE = _both("an impulse", *_IMPULSE)
REACTING = _both("opportunity fire", a.Fire, a.HoldFire, a.VehicleFire)
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

    def setup(self, scenario: OstScenario) -> State:
        state = State(scenario)
        works.lay_out(state)
        return state

    def begin(self, battle: Battle[State]) -> None:
        """Nothing happens before the sides set up."""

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
        if not isinstance(action, owed[0].options):
            return Refusal(f"What is owed now is {owed[0].wants}.", "2.0.p2")
        return _refuse_unknown(view.state, action) or _refuse(view, action)

    def decide(self, battle: Battle[State], action: Action) -> None:
        state = battle.state
        phase = state.phase
        if state.frames:
            _decide_in_frame(battle, action)
        elif phase == SETUP:
            assert isinstance(action, a.Deploy)
            setup.deploy(battle, action)
            if not state.queue:
                command.start_turn(battle)
        elif phase == REFORM:
            assert isinstance(action, _REFORM)
            setup.reform(battle, action)
            if state.reforming == NONE:
                command.start_play(battle)
        else:
            _impulse(battle, action)

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
    if frame.stage == CONCENTRATE:
        return CONCENTRATING[frame.side]
    if frame.stage == DUEL:
        return DUELLING[state.side[frame.shots[0][0]]]
    side = state.side[frame.queue[0]]
    return EVADING[side] if frame.stage == EVADE else RETREATING[side]


COUNTERS = ("unit", "spotter", "firer", "target", "weapon", "leader", "kept", "gone", "vehicle")
OPTIONAL = ("partner", "partner_weapon", "second", "weapon", "target", "mg", "gun")
"""Fields that hold counters; those may be NONE where the action allows it."""


def _refuse_unknown(state: State, action: Action) -> Refusal | None:
    """Counters and hexes that do not exist, whoever sent them."""
    count = len(state.kind)
    on_map = state.ground.grid.on_map
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if name in COUNTERS or name in OPTIONAL:
            known = 0 <= value < count or (value == NONE and name in OPTIONAL)
            if not known or (value == NONE and isinstance(action, _NEEDS.get(name, ()))):
                return Refusal("There is no such counter.", "5.0.p3")
        elif name in ("hex", "other", "to", "path"):
            hexes = value if isinstance(value, tuple) else (value,)
            if not all(on_map(h) for h in hexes):
                return Refusal("There is no such hex.", "1.1.p1")
        elif isinstance(action, a.Deploy):
            pairs = [pair if isinstance(pair, tuple) else (pair, 0) for pair in value]
            for one, two in pairs:
                other = name in ("attached", "carried", "aboard")
                if not 0 <= one < count or (other and not 0 <= two < count):
                    return Refusal("There is no such counter.", "5.0.p3")
                if name == "places" and not on_map(two):
                    return Refusal("There is no such hex.", "1.1.p1")
    return None


_NEEDS: dict[str, tuple[type[Action], ...]] = {
    "weapon": (a.PickUp, a.Transfer),
    "target": (a.Fire, a.DuelTarget),
}
"""Where an otherwise optional counter has to be named."""


def _refuse(view: View, action: Action) -> Refusal | None:
    state = view.state
    match action:
        case a.Deploy():
            return setup.refuse_deploy(view, action)
        case a.Attach() | a.Detach() | a.Merge() | a.Transfer() | a.EndReform():
            return setup.refuse_reform(view, action)
        case a.Fire():
            return targeting.refuse_fire(view, action, in_the_move(state))
        case a.VehicleFire():
            return vehicle_fire.refuse_vehicle_fire(view, action, in_the_move(state))
        case a.Drive():
            return driving.refuse_drive(view, action)
        case a.LeaveGun():
            return guns.refuse_leave(view, action)
        case a.DuelTarget():
            return duel.refuse_target(view, action)
        case a.Move():
            return movement.refuse_move(view, action)
        case a.AssaultMove():
            return assault.refuse_assault(view, action)
        case a.Pivot():
            return movement.refuse_pivot(view, action)
        case a.Rally():
            return morale.refuse_rally(view, action)
        case a.PickUp():
            return setup.refuse_pick_up(view, action)
        case a.SeekCover():
            return fieldwork.refuse_cover(view, action)
        case a.LaySmoke():
            return fieldwork.refuse_smoke(view, action)
        case a.Clear():
            return fieldwork.refuse_clear(view, action)
        case a.BlowUp():
            return fieldwork.refuse_blow_up(view, action)
        case a.CallArtillery():
            return artillery.refuse_call(view, action)
        case a.AirStrike():
            return air.refuse_air_strike(view, action)
        case a.Load():
            return transport.refuse_load(view, action)
        case a.Unload():
            return transport.refuse_unload(view, action)
        case a.RollingCover():
            return rolling.refuse_rolling(view, action)
        case a.LeaveCover():
            return transport.refuse_leave_cover(view, action)
        case a.Exit():
            return exits.refuse_exit(view, action)
        case a.Pass() | a.DropPoint():
            return command.refuse_pass(view, action)
        case a.Evade() | a.Stand() | a.Concentrate() | a.Retreat():
            return melee_phase.refuse_in_melee(view, action)
    return None


def _impulse(battle: Battle[State], action: Action) -> None:
    """One impulse of the active side, then whose turn it is."""
    state = battle.state
    match action:
        case a.Fire():
            volley.resolve(battle, action, reaction=False)
        case a.VehicleFire():
            vehicle_fire.resolve(battle, action, reaction=False)
        case a.Drive():
            driving.start(battle, action)
        case a.LeaveGun():
            guns.leave(battle, action)
            return
        case a.Move():
            movement.start(battle, action)
        case a.AssaultMove():
            assault.start(battle, action)
        case a.Pivot():
            movement.pivot(battle, action)
        case a.Rally():
            morale.rally(battle, action.unit, free=False)
        case a.PickUp():
            setup.pick_up(battle, action)
            return
        case a.SeekCover():
            fieldwork.seek_cover(battle, action)
        case a.LaySmoke():
            fieldwork.lay_smoke(battle, action)
        case a.Clear():
            fieldwork.clear(battle, action)
        case a.BlowUp():
            fieldwork.blow_up(battle, action)
        case a.CallArtillery():
            artillery.call(battle, action)
        case a.AirStrike():
            air.call(battle, action)
        case a.Load():
            transport.start_load(battle, action)
        case a.Unload():
            transport.start_unload(battle, action)
        case a.RollingCover():
            rolling.start(battle, action)
        case a.LeaveCover():
            transport.leave_cover(battle, action)
            return
        case a.Exit():
            exits.start(battle, action)
        case a.Pass() | a.DropPoint():
            command.pass_by(battle, action)
    if not state.frames:
        _next(battle)


def _next(battle: Battle[State], *, again: bool = False) -> None:
    if battle.state.covers:
        fieldwork.tidy(battle)
    if not command.ended_by_destruction(battle):
        command.give_impulse(battle, again=again)


def _decide_in_frame(battle: Battle[State], action: Action) -> None:
    """A reaction in mid-move, or a choice inside a melee."""
    state = battle.state
    frame = state.frames[-1]
    if frame.kind == MOVING:
        _react(battle, action)
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
    if isinstance(action, (a.Fire, a.VehicleFire)):
        resolve: Any = volley.resolve if isinstance(action, a.Fire) else vehicle_fire.resolve
        suffered = resolve(battle, action, reaction=True)
        if command.ended_by_destruction(battle):
            return
    else:
        battle.emit(FireHeld(side=1 - frame.side))
    on_wheels = rolling if len(frame.units) > 1 else driving
    mover: Any = on_wheels if frame.facings else movement
    if not mover.after_reaction(battle, suffered=suffered):
        _next(battle, again=suffered)


RULESET = Ost()
