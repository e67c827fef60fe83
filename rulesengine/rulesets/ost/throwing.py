"""What is thrown at a vehicle in the next hex, and flamethrowers (OST 10.0.8, 9.1.5)."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import damage, gunnery
from rulesengine.rulesets.ost.attacks import changes_of, shielded
from rulesengine.rulesets.ost.blast import at_risk, suffer_with
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.fire import smoked
from rulesengine.rulesets.ost.kinds import FIREPOWER, OPEN_TOP, SOFT, TRAITS
from rulesengine.rulesets.ost.state import SHAKEN, State
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.vehicle_events import VehicleShot
from rulesengine.rulesets.ost.vehicles import facing_defense

OPEN_TOP_THROWN = code("OPEN_TOP_THROWN")


def hurl(
    battle: Battle[State],
    firer: int,
    target: int,
    weapon: int,
    changes: Tally,
    *,
    adjacent: bool = True,
    intensive: bool = False,
) -> bool:
    """A weapon thrown at a vehicle in the next hex, or a flamethrower: half of its `weapon`
    firepower, no roll to hit, the squad's own left out. OST 10.0.8, 9.1.5. A satchel charge is ten
    with nothing added (10.2.3), and strikes those on or behind the vehicle by themselves (10.2.1,
    27.4.4). True if the vehicle has to stop."""
    state = battle.state
    shaken = adjacent and state.morale[firer] == SHAKEN
    smoke = smoked(state, (firer,)) if adjacent else 0
    strength = gunnery.thrown(
        weapon, adjacent=adjacent, shaken=shaken, intensive=intensive, smoked=smoke
    )
    printed, flank = facing_defense(state, target, state.hex[firer])
    resistance = shielded(state, (firer,), target, printed)
    if TRAITS[state.kind[target]] & OPEN_TOP:
        resistance.add(OPEN_TOP_THROWN)
    at = column(strength.value, resistance.value)
    roll = battle.dice.roll(6, 2)
    total = roll.total + changes.value
    result = gunnery.look_up(at, total)
    battle.emit(
        VehicleShot(
            firers=(firer,),
            target=target,
            flank=flank,
            soft=bool(TRAITS[state.kind[target]] & SOFT),
            how="thrown",
            firepower=strength.value,
            defense=resistance.value,
            column=at,
            roll=roll,
            total=total,
            result=result,
            modifiers=(*strength.parts, *resistance.parts, *changes.parts),
        )
    )
    exposed = at_risk(state, target, fire=True) if adjacent else []
    suffered = damage.apply_result(battle, target, result)
    return suffer_with(battle, target, exposed, "thrown") or suffered


def throw(
    battle: Battle[State], firer: int, target: int, weapon: int, *, ambush: bool, intensive: bool
) -> bool:
    """A bundle, a bottle or a flamethrower of a squad at a vehicle. OST 10.0.8."""
    state = battle.state
    changes = changes_of(state, (firer,), target, ambush, intensive)
    power = FIREPOWER[state.kind[weapon]][1]
    return hurl(battle, firer, target, power, changes, intensive=intensive)
