"""Guns so heavy that they bring buildings down (OST 16.7.2, 16.7.3): those whose cards say
"collapse".

What they do to a building beside those inside is rolled for after the attack; an empty house can
be a target by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine.contract import Battle, Refusal
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost import blast, gunnery
from rulesengine.rulesets.ost.actions import Demolish
from rulesengine.rulesets.ost.carriage import in_street, in_vehicle
from rulesengine.rulesets.ost.events import PointsSpent, Revealed, ShakenByOwnFire
from rulesengine.rulesets.ost.fire import in_arc, inspired
from rulesengine.rulesets.ost.heavy_events import BuildingFiredAt, HeavyRoundStruck
from rulesengine.rulesets.ost.kinds import (
    ARC,
    ASTERISK,
    CATEGORY,
    COLLAPSE,
    CREWED,
    ELITE,
    POOR,
    TRAITS,
)
from rulesengine.rulesets.ost.posts import over_hex, spots
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.state import BROKEN, GOOD, OFF, SHAKEN, State, View
from rulesengine.rulesets.ost.tally import Tally
from rulesengine.rulesets.ost.targeting import refuse_mute
from rulesengine.rulesets.ost.vehicles import MAIN_RANGE, is_vehicle, main_left, main_works


def is_heavy(state: State, c: int) -> bool:
    """Whether its card lists collapse. OST 16.7.2."""
    return bool(TRAITS[state.kind[c]] & COLLAPSE)


def may_bring_down(state: State, target: int) -> bool:
    """Whether fire at a unit is fire at a building or bunker: not at who is in the street, nor at
    a vehicle, which is never inside (13.4.2, 16.6.6), or who rides on it."""
    outside = in_street(state, target) or in_vehicle(state, target)
    return not outside and blast.may_collapse(state, state.hex[target])


def bring_down(battle: Battle[State], firer: int, h: int) -> bool:
    """A heavy gun has fired at those in a building or bunker: does it stand? OST 16.7.4. True if it
    falls on somebody whose move it ends."""
    battle.emit(HeavyRoundStruck(firer=firer, hex=h))
    return blast.collapse(battle, h)


def refuse_demolish(view: View, action: Demolish) -> Refusal | None:
    """OST 16.7.3; in all else like any fire, 27.4, downhill a hex farther (12.4.6)."""
    state, c, h = view.state, action.unit, action.hex
    refusal = _refuse_firer(view, c)
    if refusal:
        return refusal
    if not blast.may_collapse(state, h) or not state.ground.structure[h]:
        return Refusal("There is no building that could fall.", "16.7.3")
    if any(view.hex[x] == h and not in_street(state, x) for x in _known(view)):
        return Refusal("Somebody is in it: fire at him.", "16.7.3")
    if h in state.melees:
        return Refusal("Units in a melee may not be fired at.", "27.4.3")
    here = state.hex[c]
    distance = state.ground.grid.distance(here, h)
    if not distance:
        return Refusal("It stands in that hex itself.", "27.4.2")
    if distance > MAIN_RANGE[state.kind[c]] + (over_hex(state, c, h) > 0):
        return Refusal(f"{hex_count(distance)} is past its range.", "27.4.2")
    if spots(state, c, h) & 3 == BLOCKED:
        return Refusal("The line of sight is blocked.", "12.2.1")
    if TRAITS[state.kind[c]] & ARC and not in_arc(state.ground, here, h, state.facing[c]):
        return Refusal("The building is outside the covered arc.", "8.0.12")
    return None


def _known(view: View) -> list[int]:
    return [*view.enemies(), *view.state.alive(view.side)]


def _refuse_firer(view: View, c: int) -> Refusal | None:
    state = view.state
    if state.side[c] != view.side or state.hex[c] == OFF:
        return Refusal("That is not a unit of yours on the map.", "27.4.1")
    if not is_heavy(state, c):
        return Refusal("Its card does not list collapse.", "16.7.2")
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
    if is_vehicle(state, c):
        if not main_works(state, c):
            return Refusal("Its main armament does not work.", "29.3.p6")
        if not main_left(state, c):
            return Refusal("Its main armament fires once a turn.", "9.4.1")
    elif TRAITS[state.kind[c]] & ASTERISK and state.displaced[c]:
        return Refusal("It has moved and is marked *: it may not fire after moving.", "8.0.10")
    return None


def aim_at_building(state: State, c: int, h: int, *, ambush: bool) -> Tally:
    """What changes the roll to hit a building. OST 16.7.3, 1.9, 12.4.11, 12.4.12, 21.0.7."""
    distance = state.ground.grid.distance(state.hex[c], h)
    quality = state.quality[c]
    vehicle = is_vehicle(state, c)
    tally = gunnery.to_hit_modifiers(
        captured=state.captured[c],
        shaken=state.morale[c] == SHAKEN,
        reduced=CATEGORY[state.kind[c]] == CREWED and state.steps[c] == 1,
        quality=bool(quality & ELITE) - bool(quality & POOR),
        adjacent=distance == 1,
        degraded=spots(state, c, h) & 3,
    )
    both = gunnery.both_rolls(
        moved=state.moved[c],
        leader=not vehicle and inspired(state, c),
        armor_leader=vehicle and state.good_leader(c) >= 0,
        ambush=ambush,
        intensive=state.acts(c) >= 2,
        height=over_hex(state, c, h),
    )
    tally.value += both.value
    tally.parts += both.parts
    return tally


def demolish(battle: Battle[State], action: Demolish) -> None:
    """Fire at an empty building: to hit, then the roll whether it falls. OST 16.7.3."""
    state, c, h = battle.state, action.unit, action.hex
    intensive, ambush = state.acts(c) >= 2, state.hidden[c]
    battle.emit(PointsSpent(side=state.side[c], points=1))
    if ambush:
        battle.emit(Revealed(units=(c,), why="fired"))
    aim = aim_at_building(state, c, h, ambush=ambush)
    distance = state.ground.grid.distance(state.hex[c], h)
    roll = battle.dice.roll(6, 2)
    fired = BuildingFiredAt(
        firer=c,
        hex=h,
        distance=distance,
        needed=gunnery.needed_to_hit(distance),
        roll=roll,
        total=roll.total + aim.value,
        critical=roll.faces == gunnery.CRITICAL,
        intensive=intensive,
        modifiers=tuple(aim.parts),
    )
    battle.emit(fired)
    if fired.hit:
        blast.collapse(battle, h)
    if intensive:
        battle.emit(ShakenByOwnFire(unit=c))


def demolitions(view: View) -> Iterator[Demolish]:
    """What is on offer: every building every heavy gun can fire at."""
    state = view.state
    heavy = [c for c in state.alive(view.side) if is_heavy(state, c)]
    if not heavy:
        return
    houses = [h for h in state.ground.grid.hexes if state.ground.structure[h]]
    for c in heavy:
        for h in houses:
            action = Demolish(unit=c, hex=h)
            if refuse_demolish(view, action) is None:
                yield action


def worth_shelling(view: View) -> Demolish | None:
    """For a gun that has nothing better to do: a building the enemy controls, where somebody may
    hide."""
    state = view.state
    theirs = [h for h, place in state.control_at.items() if state.control[place] == 1 - view.side]
    if not theirs:
        return None
    guns = (c for c in state.alive(view.side) if is_heavy(state, c) and state.acts(c) < 2)
    offers = (Demolish(unit=c, hex=h) for c in guns for h in theirs)
    return next((offer for offer in offers if refuse_demolish(view, offer) is None), None)
