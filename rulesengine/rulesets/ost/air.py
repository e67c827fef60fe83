"""Air strikes (OST 32): two hexes side by side, with what the pilot is worth."""

from __future__ import annotations

from msgspec import UNSET

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import blast
from rulesengine.rulesets.ost.actions import AirStrike
from rulesengine.rulesets.ost.artillery import refuse_melee, refuse_spotter, uncover
from rulesengine.rulesets.ost.events import PointsSpent
from rulesengine.rulesets.ost.state import State, View
from rulesengine.rulesets.ost.support_events import AirStrikeCalled, PilotRolled
from rulesengine.rulesets.ost.tally import Tally

PILOTS = ((2, 4), (5, 6), (6, 8))
"""(1D6 up to, firepower): green, veteran, ace. OST 32.0.4."""


def firepower(face: int) -> int:
    """OST 32.0.4."""
    return next(power for up_to, power in PILOTS if face <= up_to)


def refuse_air_strike(view: View, action: AirStrike) -> Refusal | None:
    """OST 32.0.1 to 32.0.3; the spotter sees the first of the hexes."""
    state = view.state
    if not state.sorties[view.side]:
        return Refusal("The side has no air strike left.", "32.0.p1")
    if state.ground.grid.distance(action.hex, action.other) != 1:
        return Refusal("An air strike is on two hexes side by side.", "32.0.2")
    refusal = refuse_melee(state, (action.hex, action.other))
    return refusal or refuse_spotter(view, action.spotter, action.hex, aircraft=True)


def call(battle: Battle[State], action: AirStrike) -> None:
    """Carry it out: every unit of both hexes, then what stands there. OST 32.0.4 to 32.0.9."""
    side = battle.state.side[action.spotter]
    battle.emit(PointsSpent(side=side, points=1))
    strike(battle, side, (action.hex, action.other))


def strike(battle: Battle[State], side: int, hexes: tuple[int, int], *, card: bool = False) -> None:
    """The strike itself, from the scenario's aircraft or by a luck `card`. OST 32.0.p1, 32.0.3 to
    32.0.10."""
    battle.emit(AirStrikeCalled(side=side, hexes=hexes, card=card or UNSET))
    roll = battle.dice.roll(6, 1)
    power = firepower(roll.total)
    battle.emit(PilotRolled(side=side, roll=roll, firepower=power))
    uncover(battle, hexes, "bombed")
    for h in hexes:
        blast.everybody(battle, h, Tally(power), "air strike", by=side)
        blast.collapse(battle, h)
