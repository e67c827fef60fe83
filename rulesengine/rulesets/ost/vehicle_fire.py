"""The fire of vehicles (OST 29.0, 29.1, 9.3, 9.4): a main armament and the machine guns at once."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost import heavy
from rulesengine.rulesets.ost.actions import VehicleFire
from rulesengine.rulesets.ost.attacks import pepper, shell, strike_foot
from rulesengine.rulesets.ost.embrasures import WHY, barred
from rulesengine.rulesets.ost.events import PointsSpent, Revealed, ShakenByOwnFire
from rulesengine.rulesets.ost.fire import in_arc
from rulesengine.rulesets.ost.kinds import ARC, DUAL, TRAITS
from rulesengine.rulesets.ost.posts import ranged, shut_in, sight
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    OFF,
    State,
    View,
)
from rulesengine.rulesets.ost.tally import Tally
from rulesengine.rulesets.ost.targeting import refuse_mute, refuse_target
from rulesengine.rulesets.ost.vehicle_events import VehicleFireDeclared
from rulesengine.rulesets.ost.vehicles import (
    MG,
    MG_RANGE,
    figures_of,
    hull_works,
    is_armored,
    is_vehicle,
    lets_small_arms_in,
    main_left,
    main_works,
    mgs_work,
)
from rulesengine.rulesets.ost.volley import springs_up


def refuse_vehicle_fire(
    view: View, fire: VehicleFire, moving: tuple[int, ...] = ()
) -> Refusal | None:
    """OST 27.4, 29.0, 29.1; `moving` as for `targeting.refuse_fire`."""
    refusal = _refuse_firer(view, fire)
    if refusal:
        return refusal
    if fire.target == NONE and fire.mg == NONE:
        return Refusal("Name a target for the main armament or the machine guns.", "27.4.1")
    if moving and NONE not in (fire.target, fire.mg) and fire.target != fire.mg:
        return Refusal("In opportunity fire both armaments have one target.", "29.1.4")
    for target in (fire.target, fire.mg):
        if target != NONE:
            refusal = refuse_target(view, target, fire.firer, moving) or _refuse_sight(
                view, fire.firer, target
            )
            if refusal:
                return refusal
    if fire.target != NONE:
        refusal = _refuse_main(view, fire)
        if refusal:
            return refusal
    return _refuse_mgs(view, fire) if fire.mg != NONE else None


def _refuse_firer(view: View, fire: VehicleFire) -> Refusal | None:
    state, c = view.state, fire.firer
    if state.side[c] != view.side or state.hex[c] == OFF or not is_vehicle(state, c):
        return Refusal("That is not a vehicle of yours on the map.", "27.4.1")
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", "27.4.1")
    if state.locked(c):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    if state.morale[c] == BROKEN:
        return Refusal("A broken unit may not fire.", "17.3.2")
    if state.done[c]:
        return Refusal("After intensive fire the unit can do no more this turn.", "27.7.3")
    if c in state.mute:
        return refuse_mute(state, c)
    if state.acts(c) >= 2 and state.morale[c] != GOOD:
        return Refusal("Only a good order unit can fire intensively.", "27.7.p1")
    return None


def _refuse_sight(view: View, firer: int, target: int) -> Refusal | None:
    state = view.state
    there = view.hex[target]
    if state.hex[firer] == there:
        return Refusal("An enemy in the same hex is fought in melee.", "27.4.2")
    if sight(state, firer, target, there) & 3 == BLOCKED:
        rule = "15.3.7" if shut_in(state, firer, target, there) else "12.2.1"
        return Refusal("The line of sight is blocked.", rule)
    rule = barred(state, firer, state.hex[firer], there, target) if state.pillboxes else ""
    return Refusal(WHY[rule], rule) if rule else None


def _refuse_main(view: View, fire: VehicleFire) -> Refusal | None:
    state, c, target = view.state, fire.firer, fire.target
    there = view.hex[target]
    dual = bool(TRAITS[state.kind[c]] & DUAL)
    if fire.hull and not dual:
        return Refusal("It has one main armament only.", "9.3.p1")
    if not (hull_works if fire.hull else main_works)(state, c):
        return Refusal("That armament does not work.", "29.3.p6")
    if not main_left(state, c):
        return Refusal("Its main armament fires once a turn.", "9.4.1")
    he, ap, reach = figures_of(state, c, hull=fire.hull)
    distance = ranged(state, c, target, there)
    if distance > reach:
        return Refusal(f"{hex_count(distance)} is past the range of {reach}.", "29.0.2")
    if is_armored(state, target) and not ap:
        return Refusal("Against armor it takes armor-piercing firepower.", "29.0.1")
    if not is_armored(state, target) and not he:
        return Refusal("It has no high-explosive firepower.", "29.0.12")
    if fire.hull or TRAITS[state.kind[c]] & ARC:
        rule = "9.3.3" if fire.hull else "9.0.6"
        if not in_arc(state.ground, state.hex[c], there, state.facing[c]):
            return Refusal("The target is outside the covered arc.", rule)
    return None


def _refuse_mgs(view: View, fire: VehicleFire) -> Refusal | None:
    state, c = view.state, fire.firer
    if not mgs_work(state, c):
        return Refusal("It has no machine guns that work.", "29.3.p5")
    distance = ranged(state, c, fire.mg, view.hex[fire.mg])
    reach = MG_RANGE[state.kind[c]]
    if distance > reach:
        return Refusal(f"{hex_count(distance)} is past the range of {reach}.", "29.1.3")
    if is_vehicle(state, fire.mg) and not lets_small_arms_in(state, fire.mg):
        return Refusal("Machine guns do nothing to armor.", "29.1.2")
    return None


def resolve(battle: Battle[State], fire: VehicleFire, *, reaction: bool) -> bool:
    """Carry it out: the main armament first. True if a moving target has to stop."""
    state, c = battle.state, fire.firer
    hidden = state.hidden[c]
    intensive = state.acts(c) >= 2
    battle.emit(PointsSpent(side=state.side[c], points=1))
    if hidden:
        battle.emit(Revealed(units=(c,), why="fired"))
    battle.emit(
        VehicleFireDeclared(
            firer=c,
            target=fire.target,
            mg=fire.mg,
            hull=fire.hull,
            reaction=reaction,
            intensive=intensive,
            at_foot=fire.target != NONE and not is_vehicle(state, fire.target),
            spent=fire.target == NONE and not main_left(state, c),
        )
    )
    ambush = hidden or (reaction and springs_up(state, (c,)))
    suffered = False
    if fire.target != NONE:
        building = heavy.is_heavy(state, c) and heavy.may_bring_down(state, fire.target)
        there = state.hex[fire.target]
        suffered = _main(battle, fire, ambush=ambush, intensive=intensive)
        if building:
            suffered |= heavy.bring_down(battle, c, there)
    if fire.mg != NONE and _still_there(state, fire):
        firers = (c,)
        weapons = Tally(MG[state.kind[c]])
        attack = pepper if is_vehicle(state, fire.mg) else strike_foot
        hurt, _ = attack(battle, firers, fire.mg, weapons, ambush=ambush, intensive=intensive)
        suffered |= hurt
    if intensive:
        battle.emit(ShakenByOwnFire(unit=c))
    return suffered


def _still_there(state: State, fire: VehicleFire) -> bool:
    """Whether the second target still stands, as what it was: a crew that got out is another."""
    if state.hex[fire.mg] == OFF:
        return False
    return not is_vehicle(state, fire.mg) or lets_small_arms_in(state, fire.mg)


def _main(battle: Battle[State], fire: VehicleFire, *, ambush: bool, intensive: bool) -> bool:
    state, c, target = battle.state, fire.firer, fire.target
    if is_vehicle(state, target):
        return shell(battle, c, target, hull=fire.hull, ambush=ambush, intensive=intensive)
    weapons = Tally(figures_of(state, c, hull=fire.hull)[0])
    return strike_foot(battle, (c,), target, weapons, ambush=ambush, intensive=intensive)[0]
