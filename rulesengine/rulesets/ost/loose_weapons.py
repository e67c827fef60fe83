"""Support weapons on the ground (OST 10.0.12, 10.0.13): taken up, or destroyed, for nothing, by an
active unit in their hex."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost.actions import PickUp, Scrap
from rulesengine.rulesets.ost.events import Handed
from rulesengine.rulesets.ost.field_events import WeaponScrapped
from rulesengine.rulesets.ost.kinds import CATEGORY, WEAPON
from rulesengine.rulesets.ost.setup import refuse_busy, refuse_hands
from rulesengine.rulesets.ost.state import BROKEN, NONE, State, View


def _is_active(state: State, unit: int) -> bool:
    """Whether a unit can still be called upon: not broken (17.3.2), not after intensive fire
    (27.7.3). OST 10.0.13."""
    return state.morale[unit] != BROKEN and not state.done[unit]


def refuse_pick_up(view: View, action: PickUp) -> Refusal | None:
    """OST 10.0.13; who carries one already puts it down for the other, 10.0.12."""
    state = view.state
    refusal = refuse_busy(view, action.unit) or refuse_hands(state, action.unit)
    if refusal:
        return refusal
    if state.weapon[action.unit] != NONE and state.hidden[action.unit]:
        return Refusal("What a hidden squad puts down would be seen.", "21.0.3")
    if not _is_active(state, action.unit):
        return Refusal("Only a unit able to act picks up weapons.", "10.0.13")
    if action.weapon in state.freight:
        return Refusal("It is on a vehicle, which has to put it down.", "24.0.3")
    lies = state.holder[action.weapon] == NONE and CATEGORY[state.kind[action.weapon]] == WEAPON
    if not lies or state.hex[action.weapon] != state.hex[action.unit]:
        return Refusal("No such weapon lies in the hex.", "10.0.13")
    return None


def refuse_scrap(view: View, action: Scrap) -> Refusal | None:
    """OST 10.0.13: what lies in the hex, or what one carries oneself. Who does it need not be able
    to carry it."""
    state = view.state
    refusal = refuse_busy(view, action.unit)
    if refusal:
        return refusal
    if not _is_active(state, action.unit):
        return Refusal("Only a unit able to act destroys weapons.", "10.0.13")
    if action.weapon in state.freight:
        return Refusal("It is on a vehicle, which has to put it down.", "24.0.3")
    free = state.holder[action.weapon] in (NONE, action.unit)
    lies = free and CATEGORY[state.kind[action.weapon]] == WEAPON
    if not lies or state.hex[action.weapon] != state.hex[action.unit]:
        return Refusal("No such weapon lies in the hex.", "10.0.13")
    return None


def scrap(battle: Battle[State], action: Scrap) -> None:
    battle.emit(WeaponScrapped(unit=action.unit, weapon=action.weapon))


def pick_up(battle: Battle[State], action: PickUp) -> None:
    """Take it up, and put down what was carried. OST 10.0.12, 10.0.13."""
    carried = battle.state.weapon[action.unit]
    if carried != NONE:
        battle.emit(Handed(weapon=carried, unit=NONE, why="put down"))
    battle.emit(Handed(weapon=action.weapon, unit=action.unit, why="picked up"))
