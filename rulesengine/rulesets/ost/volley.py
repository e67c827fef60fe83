"""Fire carried out (OST 27.3, 27.4, 27.7, 28, 29): spend, reveal, declare, attack, results."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import heavy
from rulesengine.rulesets.ost.actions import Fire
from rulesengine.rulesets.ost.attacks import pepper, shell, strike_foot
from rulesengine.rulesets.ost.casualties import gut_check, run_out_of_ammunition
from rulesengine.rulesets.ost.events import (
    ANTITANK_ALONE,
    BEYOND,
    THROWN_ALONE,
    WITH,
    FireDeclared,
    PointsSpent,
    Revealed,
    ShakenByOwnFire,
)
from rulesengine.rulesets.ost.fire import (
    firers_of,
    weapons_firepower,
)
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    BLOWBACK,
    CATEGORY,
    FLAME,
    LEADER,
    SINGLE_USE,
    SUSTAINED,
    THROWN,
    TRAITS,
)
from rulesengine.rulesets.ost.posts import ranged
from rulesengine.rulesets.ost.state import (
    BROKEN,
    NONE,
    OFF,
    SHAKEN,
    State,
)
from rulesengine.rulesets.ost.throwing import throw
from rulesengine.rulesets.ost.vehicle_events import (
    BlownBack,
    Expended,
)
from rulesengine.rulesets.ost.vehicles import (
    is_vehicle,
    shells,
)
from rulesengine.rulesets.ost.works import is_enclosed


def resolve(battle: Battle[State], fire: Fire, *, reaction: bool) -> bool:
    """Carry out a fire action: spend, reveal, declare, attack. True if a target suffered."""
    state = battle.state
    firers = firers_of(fire)
    hidden = tuple([c for c in firers if state.hidden[c]])
    intensive = state.acts(fire.firer) >= 2
    battle.emit(PointsSpent(side=state.side[fire.firer], points=len(firers)))
    if hidden:
        battle.emit(Revealed(units=hidden, why="fired"))
    weapons = tuple([w for w in (fire.weapon, fire.partner_weapon) if w != NONE])
    leader = CATEGORY[state.kind[fire.target]] == LEADER
    battle.emit(
        FireDeclared(
            firers=firers,
            weapons=weapons,
            target=fire.target,
            second=fire.second,
            reaction=reaction,
            intensive=intensive,
            at_group=reaction and len(state.frames[-1].units) > 1,
            at_leader=leader and _stands_alone(state, fire.target),
            picks=leader and state.attached[fire.target] != NONE,
            by=_way_of(state, fire),
        )
    )
    ambush = bool(hidden) or (reaction and springs_up(state, firers))
    gun = next((c for c in firers if heavy.is_heavy(state, c)), NONE)
    building = gun != NONE and heavy.may_bring_down(state, fire.target)
    there = state.hex[fire.target]
    suffered = attack(battle, fire, fire.target, ambush=ambush, intensive=intensive)
    if building:
        suffered |= heavy.bring_down(battle, gun, there)
    if fire.second != NONE:
        suffered |= _second_attack(battle, fire, ambush=ambush, intensive=intensive)
    for weapon in weapons:
        _after_use(battle, weapon)
    if intensive and state.hex[fire.firer] != OFF:
        battle.emit(ShakenByOwnFire(unit=fire.firer))
    return suffered


def _way_of(state: State, fire: Fire) -> str:
    """Whether the support weapon fires with its squad or alone."""
    if fire.weapon == NONE:
        return WITH
    traits = TRAITS[state.kind[fire.weapon]]
    if state.armour and is_vehicle(state, fire.target) and traits & (ANTITANK | THROWN | FLAME):
        return ANTITANK_ALONE if traits & ANTITANK else THROWN_ALONE
    return BEYOND if fire.alone else WITH


def _stands_alone(state: State, target: int) -> bool:
    """Whether a leader is in a hex with no unit, as far as anybody sees. OST 27.4.7."""
    here = state.in_hex(state.hex[target], state.side[target])
    return all(CATEGORY[state.kind[c]] == LEADER or state.hidden[c] for c in here)


def _after_use(battle: Battle[State], weapon: int) -> None:
    """A single-use weapon is spent (10.0.6); a rocket fired in a building shakes the hex, all
    units of it, by a gut check each (10.1.3), but not in ruins (16.5.6)."""
    state = battle.state
    h, traits, firer = state.hex[weapon], TRAITS[state.kind[weapon]], state.holder[weapon]
    if traits & SINGLE_USE:
        battle.emit(Expended(weapon=weapon))
    if traits & BLOWBACK and h != OFF and firer != NONE and is_enclosed(state, firer):
        battle.emit(BlownBack(hex=h))
        for c in list(state.stacks.get(h, ())):
            if state.morale[c] != BROKEN:
                gut_check(battle, c, SHAKEN)


def springs_up(state: State, firers: tuple[int, ...]) -> bool:
    """Whether a firer has just been bumped into: the hex ahead of the halted move is his.

    OST 21.0.6: whoever was met there was hidden until now, so his fire is an ambush.
    """
    frame = state.frames[-1]
    return frame.bumped and any(state.hex[c] == frame.path[frame.at] for c in firers)


def _second_attack(battle: Battle[State], fire: Fire, *, ambush: bool, intensive: bool) -> bool:
    """Sustained fire goes on, unless the first attack took the target or the gun. OST 8.1.7."""
    state = battle.state
    if state.hex[fire.second] == OFF or not TRAITS[state.kind[fire.firer]] & SUSTAINED:
        return False
    return attack(battle, fire, fire.second, ambush=ambush, intensive=intensive)


def attack(
    battle: Battle[State], fire: Fire, target: int, *, ambush: bool, intensive: bool
) -> bool:
    """One attack roll and its result, on whichever table is the target's. OST 27.2, 27.3."""
    state = battle.state
    hard = state.armour and is_vehicle(state, target)
    if hard and fire.weapon != NONE and TRAITS[state.kind[fire.weapon]] & (THROWN | FLAME):
        return throw(battle, fire.firer, target, fire.weapon, ambush=ambush, intensive=intensive)
    if hard and shells(state, fire):
        return shell(
            battle, fire.firer, target, weapon=fire.weapon, ambush=ambush, intensive=intensive
        )
    firers, there = firers_of(fire), state.hex[target]
    if state.ground.relief:
        ranges = [ranged(state, c, target, there) for c in firers]
    else:  # the plain distance
        ranges = [state.ground.grid.distance(state.hex[c], there) for c in firers]
    weapons = weapons_firepower(state, fire, target, ranges)
    if hard:
        suffered, faces = pepper(
            battle, firers, target, weapons, ambush=ambush, intensive=intensive
        )
    else:
        suffered, faces = strike_foot(
            battle, firers, target, weapons, ambush=ambush, intensive=intensive
        )
    if fire.second != NONE and faces in ((1, 1), (2, 2)):
        run_out_of_ammunition(battle, fire.firer)
    return suffered
