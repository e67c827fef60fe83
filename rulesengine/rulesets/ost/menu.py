"""A finite menu for every decision, from what the side knows: for interfaces and the fuzzer.

Everything on it is legal: each entry has been put to the same refusals as a player's action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from rulesengine.contract import Action, Decision
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import (
    airborne_menu,
    armour_menu,
    arriving,
    heavy,
    luck_menu,
    luck_own,
    support_menu,
    transport_menu,
)
from rulesengine.rulesets.ost.airborne import refuse_deploy
from rulesengine.rulesets.ost.assault import refuse_assault
from rulesengine.rulesets.ost.carriage import in_the_move
from rulesengine.rulesets.ost.command import refuse_pass
from rulesengine.rulesets.ost.deployment import plan
from rulesengine.rulesets.ost.fieldwork import (
    refuse_blow_up,
    refuse_clear,
    refuse_cover,
    refuse_smoke,
)
from rulesengine.rulesets.ost.kinds import (
    ARC,
    CATEGORY,
    STEALTH,
    SUSTAINED,
    TRAITS,
    WEAPON,
)
from rulesengine.rulesets.ost.loose_weapons import refuse_pick_up, refuse_scrap
from rulesengine.rulesets.ost.melee_phase import fighting_units, leaves_gun, retreats_of
from rulesengine.rulesets.ost.mines import is_engineer
from rulesengine.rulesets.ost.morale import refuse_rally
from rulesengine.rulesets.ost.movement import allowance, refuse_move, refuse_mover, refuse_pivot
from rulesengine.rulesets.ost.setup import refuse_reform
from rulesengine.rulesets.ost.state import (
    EVADE,
    NONE,
    OFF,
    View,
)
from rulesengine.rulesets.ost.streets import variants
from rulesengine.rulesets.ost.targeting import refuse_fire

VARIANTS = 6
"""Different set-ups on offer."""


def candidates(view: View, decision: Decision) -> Iterable[Action]:
    """The menu of a decision."""
    makers = {
        a.Deploy: _deployments,
        a.Attach: _reforms,
        a.Fire: _impulses,
        a.Evade: _evasions,
        a.Concentrate: _concentrations,
        a.Retreat: _retreats,
        a.DuelTarget: armour_menu.duel_targets,
        a.FireAtLanding: airborne_menu.fires,
        a.Land: airborne_menu.landings,
        a.PlayCard: luck_menu.candidates,
    }
    if decision.options[0] in (*airborne_menu.ANSWERS, a.PlayCard):
        return makers[decision.options[0]](view)
    if a.HoldFire in decision.options:
        return _reactions(view)
    return makers[decision.options[0]](view)


def _mine(view: View) -> list[int]:
    state = view.state
    return [c for c in state.of_side[view.side] if state.hex[c] != OFF]


def _deployments(view: View) -> Iterator[Action]:
    for variant in range(VARIANTS):
        action = plan(view, variant)
        if refuse_deploy(view, action) is None:
            yield action


def _reforms(view: View) -> Iterator[Action]:
    state = view.state
    mine = _mine(view)
    offered: list[a.Attach | a.Detach | a.Merge | a.Transfer | a.EndReform] = [a.EndReform()]
    for one in mine:
        if state.is_single(one):
            offered.append(a.Detach(leader=one))
        for two in mine:
            if one != two and state.ground.grid.distance(state.hex[one], state.hex[two]) <= 1:
                offered.append(a.Attach(leader=one, unit=two))
                offered.append(a.Merge(kept=one, gone=two))
                if state.weapon[one] != NONE:
                    offered.append(a.Transfer(weapon=state.weapon[one], unit=two))
    yield from (o for o in offered if refuse_reform(view, o) is None)


def _impulses(view: View) -> Iterator[Action]:
    state = view.state
    yield from _fires(view, ())
    for unit in _mine(view):
        yield from _moves(view, unit)
        yield from _assaults(view, unit)
        yield from _fieldwork(view, unit)
        rally = a.Rally(unit=unit)
        if refuse_rally(view, rally) is None:
            yield rally
        if TRAITS[state.kind[unit]] & ARC:
            for facing in range(6):
                pivot = a.Pivot(unit=unit, facing=facing)
                if refuse_pivot(view, pivot) is None:
                    yield pivot
    yield from _pick_ups(view)
    yield from support_menu.hex_fires(view)
    yield from heavy.demolitions(view)
    yield from support_menu.calls(view)
    yield from support_menu.sorties(view)
    yield from _entries(view)
    yield from armour_menu.orders(view)
    yield from transport_menu.orders(view)
    yield from luck_own.offers(view)
    for idle in (a.Pass(), a.DropPoint()):
        if refuse_pass(view, idle) is None:
            yield idle


def _reactions(view: View) -> Iterator[Action]:
    yield from _fires(view, in_the_move(view.state))
    yield from armour_menu.fires(view, in_the_move(view.state))
    yield from support_menu.hex_fires(view, in_the_move(view.state))
    yield a.HoldFire()


def _fires(view: View, moving: tuple[int, ...]) -> Iterator[Action]:
    state = view.state
    mine = _mine(view)
    targets = view.enemies()
    led = tuple(state.leader[c] for c in moving if state.leader[c] != NONE)  # for snipers, 7.1.3
    for firer in mine:
        weapon = state.weapon[firer]
        for target in (*moving, *led) if moving else targets:
            shots = [a.Fire(firer=firer, target=target)]
            if weapon != NONE:
                shots.append(a.Fire(firer=firer, target=target, weapon=weapon))
                shots.append(a.Fire(firer=firer, target=target, weapon=weapon, alone=True))
            if TRAITS[state.kind[firer]] & SUSTAINED:
                shots += (a.Fire(firer=firer, target=target, second=s) for s in targets)
            partners = [c for c in mine if c != firer] if state.leader[firer] != NONE else []
            shots += (
                a.Fire(firer=firer, target=target, weapon=own, partner=partner, partner_weapon=his)
                for partner in partners
                for own, his in product(_with(weapon), _with(state.weapon[partner]))
            )
            yield from (shot for shot in shots if refuse_fire(view, shot, moving) is None)


def _moves(view: View, unit: int) -> Iterator[Action]:
    state = view.state
    here = state.hex[unit]
    if refuse_mover(view, unit, stealth=False) is not None:
        return
    partners = [c for c in state.in_hex(here, view.side) if c != unit and not state.is_single(c)]
    stealthy = (False, True) if TRAITS[state.kind[unit]] & STEALTH else (False,)
    for path in state.ground.reach(here, max(1, allowance(state, unit))).values():
        for partner in (NONE, *partners):
            for stealth, streets in product(stealthy, variants(state.ground, path)):
                move = a.Move(
                    unit=unit, path=path, partner=partner, stealth=stealth, streets=streets
                )
                if refuse_move(view, move) is None:
                    yield move
                    yield from armour_menu.claims(view, move, path[-1])


def _entries(view: View) -> Iterator[Action]:
    """Reinforcements, alone or as a group under a leader. OST 23.6.2."""
    ready = arriving.enterable(view) if view.state.waiting else []
    for unit in ready:
        for _, order in arriving.ways_on(view, unit):
            if not arriving.refused(view, order):
                yield order
                if isinstance(order, a.Move):
                    yield from armour_menu.claims(view, order, order.path[-1])
            if isinstance(order, a.Move):
                for partner in ready:
                    group = a.Move(
                        unit=unit, path=order.path, partner=partner, streets=order.streets
                    )
                    if partner != unit and refuse_move(view, group) is None:
                        yield group


def _assaults(view: View, unit: int) -> Iterator[Action]:
    state = view.state
    for there, _ in state.ground.neighbours(state.hex[unit]):
        streets = (False, True) if there in state.ground.dual else (False,)
        for partner, street in product((NONE, *_mine(view)), streets):
            assault = a.AssaultMove(unit=unit, hex=there, partner=partner, street=street)
            if refuse_assault(view, assault) is None:
                yield assault
                yield from armour_menu.claims(view, assault, there)


def _fieldwork(view: View, unit: int) -> Iterator[Action]:
    """Cover, smoke, obstacles, one's own bunker. OST 6.1, 13.1, 13.4.9."""
    state = view.state
    if refuse_cover(view, a.SeekCover(unit=unit)) is None:
        yield a.SeekCover(unit=unit)
    if refuse_blow_up(view, a.BlowUp(unit=unit)) is None:
        yield a.BlowUp(unit=unit)
    if not is_engineer(state, unit):
        return
    here = state.hex[unit]
    for h in (here, *(n for n in state.ground.grid.neighbours[here] if n >= 0)):
        if refuse_smoke(view, a.LaySmoke(unit=unit, hex=h)) is None:
            yield a.LaySmoke(unit=unit, hex=h)
        if refuse_clear(view, a.Clear(unit=unit, hex=h)) is None:
            yield a.Clear(unit=unit, hex=h)


def _with(weapon: int) -> tuple[int, ...]:
    """To fire with the support weapon one has, or without."""
    return (NONE,) if weapon == NONE else (weapon, NONE)


def _pick_ups(view: View) -> Iterator[Action]:
    state = view.state
    weapons = [c for c, kind in enumerate(state.kind) if CATEGORY[kind] == WEAPON]
    for weapon in [w for w in weapons if state.hex[w] != OFF]:
        for unit in state.in_hex(state.hex[weapon], view.side):
            action = a.PickUp(unit=unit, weapon=weapon)
            if refuse_pick_up(view, action) is None:
                yield action
            if refuse_scrap(view, a.Scrap(unit=unit, weapon=weapon)) is None:
                yield a.Scrap(unit=unit, weapon=weapon)


def _evasions(view: View) -> Iterator[Action]:
    unit = view.state.frames[-1].queue[0]
    assert view.state.frames[-1].stage == EVADE
    yield a.Stand(unit=unit)
    yield from (a.Evade(unit=unit, to=h) for h in retreats_of(view.state, unit))


def _concentrations(view: View) -> Iterator[Action]:
    frame = view.state.frames[-1]
    yield a.Concentrate()
    for c in fighting_units(view.state, frame.hex, 1 - frame.side):
        yield a.Concentrate(target=c)


def _retreats(view: View) -> Iterator[Action]:
    state = view.state
    unit = state.frames[-1].queue[0]
    ends = (False, True) if leaves_gun(state, unit) else (False,)
    for h in retreats_of(state, unit):
        yield from (a.Retreat(unit=unit, to=h, destroy=end) for end in ends)
