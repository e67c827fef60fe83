"""Laying out the sides (OST 3.1, 7.3, 20, 21), and the Reform Phase (OST 2.1, 10.0.14, 18.2)."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.quantities import many
from rulesengine.rulesets.ost.aboard import refuse_aboard, start_aboard
from rulesengine.rulesets.ost.actions import (
    Attach,
    Deploy,
    Detach,
    EndReform,
    Merge,
    Transfer,
)
from rulesengine.rulesets.ost.carriage import rides
from rulesengine.rulesets.ost.casualties import attach
from rulesengine.rulesets.ost.entering import together
from rulesengine.rulesets.ost.events import (
    Deployed,
    Detached,
    Handed,
    ReformEnded,
    ReformOwed,
)
from rulesengine.rulesets.ost.kinds import (
    ARC,
    ARMOR,
    CATEGORY,
    CREW,
    CREWED,
    LEADER,
    SNIPER,
    SQUAD,
    TRAITS,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.merging import merge
from rulesengine.rulesets.ost.places import refuse_places
from rulesengine.rulesets.ost.scenario import SideTerms
from rulesengine.rulesets.ost.state import (
    GOOD,
    NONE,
    OFF,
    State,
    View,
)
from rulesengine.rulesets.ost.street_events import StreetTaken
from rulesengine.rulesets.ost.tracks import may_stand
from rulesengine.rulesets.ost.vehicles import DRIVE
from rulesengine.rulesets.ost.works import tell_of_found


def terms_of(state: State, side: int) -> SideTerms:
    """What the scenario says of a side."""
    return state.terms()[side]


def zone_of(state: State, side: int) -> tuple[int, ...]:
    """The hexes a side sets up in."""
    return state.ground.grid.area(terms_of(state, side).zone)


def refuse_deploy(view: View, action: Deploy) -> Refusal | None:
    """OST 3.1.4, 7.3, 20.0.1, 21.0."""
    state, side = view.state, view.side
    zone = set(zone_of(state, side))
    places = dict(action.places)
    if sorted(places) != [c for c in state.of_side[side] if c not in state.waiting]:
        return Refusal("Every unit and leader of the side is placed, once.", "3.1.4")
    for c, h in places.items():
        if h not in zone:
            return Refusal(
                f"{state.names[c]} stands outside the set-up zone ({state.ground.name(h)}).",
                "3.1.4",
            )
        if CATEGORY[state.kind[c]] == VEHICLE and not may_stand(
            state.ground, DRIVE[state.kind[c]], h
        ):
            return Refusal(f"{state.names[c]} may not enter {state.ground.name(h)}.", "14.0.3")
    for c, facing in action.facings:
        if state.side[c] != side or not 0 <= facing < 6:
            return Refusal("A facing is a hexside, 0 (north) to 5.", "9.0.5")
    refusal = refuse_places(state, places, action)
    if refusal:
        return refusal
    return (
        _refuse_stacks(state, places, {unit for unit, _ in action.aboard})
        or _refuse_attachments(state, side, places, action.attached)
        or _refuse_carried(state, side, action.carried)
        or _refuse_hidden(state, side, action)
        or (refuse_aboard(state, action) if action.aboard else None)
    )


def _refuse_stacks(state: State, places: dict[int, int], aboard: set[int]) -> Refusal | None:
    """Riders are part of their vehicle, 20.0.3."""
    for h in set(places.values()):
        here = [CATEGORY[state.kind[c]] for c, at in places.items() if at == h]
        leaders = here.count(LEADER)
        units = len(here) - leaders - here.count(SNIPER)
        units -= sum(at == h and c in aboard and not state.is_single(c) for c, at in places.items())
        if units > 2 or leaders > 2:
            return Refusal(f"Too many counters in {state.ground.name(h)}.", "20.0.1")
    return None


def _refuse_attachments(
    state: State, side: int, places: dict[int, int], attached: tuple[tuple[int, int], ...]
) -> Refusal | None:
    led = [unit for _, unit in attached]
    for c in state.of_side[side]:
        if TRAITS[state.kind[c]] & ARMOR and c not in dict(attached):
            return Refusal("An armor leader starts in a vehicle.", "7.4.6")
    if len(set(led)) < len(led):
        return Refusal("Only one leader can attach to a unit.", "7.3.2")
    if len(dict(attached)) < len(attached):
        return Refusal("A leader attaches to one unit only.", "7.3.1")
    for leader, unit in attached:
        if state.side[leader] != side:
            return Refusal("A side attaches its own leaders.", "7.3.4")
        refusal = refuse_attachment(state, leader, unit)
        if refusal:
            return refusal
        if not together(state, leader, unit):
            return Refusal("He and the unit do not arrive together.", "7.3.5")
        if places.get(leader) != places.get(unit):
            return Refusal("A leader attaches to a unit of his own hex.", "7.3.3")
    return None


def refuse_attachment(state: State, leader: int, unit: int) -> Refusal | None:
    """Whether such a leader can lead such a unit at all."""
    if CATEGORY[state.kind[leader]] != LEADER:
        return Refusal("Only leaders attach.", "7.3.1")
    if TRAITS[state.kind[leader]] & ARMOR:
        if CATEGORY[state.kind[unit]] != VEHICLE:
            return Refusal("Armor leaders ride in vehicles.", "7.4.6")
    elif CATEGORY[state.kind[unit]] not in (SQUAD, CREWED, CREW):
        return Refusal("Leaders attach to foot units and crewed weapons.", "7.3.1")
    if state.side[leader] != state.side[unit]:
        return Refusal("A leader leads units of his own side.", "7.3.1")
    return None


def _refuse_carried(
    state: State, side: int, carried: tuple[tuple[int, int], ...]
) -> Refusal | None:
    given = [w for w, _ in carried]
    for place in {state.arrival[w] for w in weapons_of(state, side)}:
        mine = [w for w in weapons_of(state, side) if state.arrival[w] == place]
        squads = [
            c
            for c in state.of_side[side]
            if state.arrival[c] == place and CATEGORY[state.kind[c]] == SQUAD
        ]
        if sum(w in mine for w in given) != min(len(mine), len(squads)):
            return Refusal("Every support weapon is given to a squad, once.", "10.0.3")
    if len(set(given)) < len(given) or not set(given) <= set(weapons_of(state, side)):
        return Refusal("Every support weapon is given to a squad, once.", "10.0.3")
    carriers = [unit for _, unit in carried]
    if len(set(carriers)) < len(carriers):
        return Refusal("A unit carries one support weapon.", "10.0.12")
    for unit in carriers:
        if state.side[unit] != side or CATEGORY[state.kind[unit]] != SQUAD:
            return Refusal("Support weapons are carried by squads.", "10.0.p1")
    if not all(together(state, weapon, unit) for weapon, unit in carried):
        return Refusal("A weapon comes with the squads it arrives with.", "23.6.2")
    return None


def weapons_of(state: State, side: int) -> list[int]:
    """The support weapons of a side."""
    return [
        c for c, kind in enumerate(state.kind) if state.side[c] == side and CATEGORY[kind] == WEAPON
    ]


def _refuse_hidden(state: State, side: int, action: Deploy) -> Refusal | None:
    allowed = terms_of(state, side).hidden
    leaders = dict(action.attached)
    counted = [c for c in action.hidden if CATEGORY[state.kind[c]] != SNIPER and c not in leaders]
    for c in action.hidden:
        if state.side[c] != side:
            return Refusal("Only units of the side can be hidden by it.", "21.0.p1")
        if c in state.waiting:
            return Refusal("What is not on the map yet cannot hide on it.", "21.0.p1")
        if c in leaders and leaders[c] not in action.hidden:
            return Refusal("An attached leader hides with his unit.", "21.0.3")
    if len(counted) > allowed:
        return Refusal(f"The scenario lets {many(allowed, 'unit')} set up hidden.", "21.0.p1")
    return None


def deploy(battle: Battle[State], action: Deploy) -> None:
    """Lay the side out. Snipers start hidden (21.0.p1), on a vehicle if that is hidden, and what
    belongs to a hidden unit with it (21.0.3); a bunker or cover with nobody to be hidden with is
    seen (21.0.2)."""
    state = battle.state
    side, aboard = state.queue[0], dict(action.aboard)
    alone = (c for c in dict(action.places) if c not in aboard)
    snipers = [c for c in alone if CATEGORY[state.kind[c]] == SNIPER]
    hidden = set(action.hidden) | set(snipers)
    hidden |= {leader for leader, unit in action.attached if unit in hidden}
    facings, unseen = dict(action.facings), dict(state.unseen)
    arcs = [
        c
        for c in state.of_side[side]
        if TRAITS[state.kind[c]] & ARC or CATEGORY[state.kind[c]] == VEHICLE
    ]
    battle.emit(
        Deployed(
            side=side,
            places=action.places,
            attached=action.attached,
            carried=action.carried,
            hidden=tuple(sorted(hidden)),
            facings=tuple((c, facings.get(c, 0)) for c in arcs),
        )
    )
    tell_of_found(battle, unseen)
    for c in action.streets:
        battle.emit(StreetTaken(units=(c,), hex=state.hex[c], at_start=True))
    start_aboard(battle, action)


# --- the Reform Phase -----------------------------------------------------------------------------


def can_reform(state: State, side: int) -> bool:
    """Whether anything can be reorganised at all: else nobody is asked.

    Leaders attach, detach and merge; without any, weapons still change hands (10.0.14).
    """
    for c in state.of_side[side]:
        if state.hex[c] == OFF or state.locked(c):
            continue
        if CATEGORY[state.kind[c]] == LEADER and not TRAITS[state.kind[c]] & ARMOR:
            return True
        if state.weapon[c] != NONE:
            here = state.in_hex(state.hex[c], side)
            if any(_gains(state, c, other) for other in here):
                return True
    return False


def _gains(state: State, c: int, other: int) -> bool:
    """Whether a unit could have another's weapon, or the two could change theirs. OST 2.1.p6."""
    if refuse_hands(state, other) is not None:
        return False
    theirs = state.weapon[other]
    return theirs == NONE or state.kind[theirs] != state.kind[state.weapon[c]]


def refuse_reform(
    view: View, action: Attach | Detach | Merge | Transfer | EndReform
) -> Refusal | None:
    state = view.state
    if isinstance(action, Attach):
        return _refuse_attach(view, action)
    if isinstance(action, Detach):
        if state.side[action.leader] != view.side or state.attached[action.leader] == NONE:
            return Refusal("He is not attached to a unit.", "7.3.p1")
        if TRAITS[state.kind[action.leader]] & ARMOR:
            return Refusal("An armor leader stays in his vehicle.", "7.4.6")
        return refuse_busy(view, action.leader)
    if isinstance(action, Merge):
        return _refuse_merge(view, action)
    if isinstance(action, Transfer):
        return _refuse_transfer(view, action)
    return None


def refuse_busy(view: View, unit: int) -> Refusal | None:
    """Whether a counter can have anything done to it beside moving and fighting."""
    state = view.state
    if state.side[unit] != view.side or state.hex[unit] == OFF:
        return Refusal("That is not a counter of yours on the map.", "2.1.p6")
    if state.locked(unit):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    if rides(state, unit):
        return Refusal("Who rides on a vehicle stays as he is.", "24.0.2")
    return None


def _refuse_attach(view: View, action: Attach) -> Refusal | None:
    state = view.state
    refusal = (
        refuse_busy(view, action.leader)
        or refuse_busy(view, action.unit)
        or refuse_attachment(state, action.leader, action.unit)
    )
    if refusal:
        return refusal
    if state.hex[action.leader] != state.hex[action.unit]:
        return Refusal("A leader attaches to a unit of his own hex.", "7.3.3")
    if state.attached[action.leader] != NONE:
        return Refusal("He is attached already; detach him first.", "7.3.2")
    if state.leader[action.unit] != NONE:
        return Refusal("Only one leader can attach to a unit.", "7.3.2")
    return None


def _refuse_merge(view: View, action: Merge) -> Refusal | None:
    """OST 18.2."""
    state = view.state
    kept, gone = action.kept, action.gone
    refusal = refuse_busy(view, kept) or refuse_busy(view, gone)
    if refusal:
        return refusal
    if kept == gone or state.kind[kept] != state.kind[gone]:
        return Refusal("Two squads of the same type merge.", "18.2.p1")
    if CATEGORY[state.kind[kept]] != SQUAD:
        return Refusal("Weapon teams do not merge.", "18.2.4")
    if state.steps[kept] != 1 or state.steps[gone] != 1:
        return Refusal("Only reduced squads merge.", "18.2.p1")
    if state.ground.grid.distance(state.hex[kept], state.hex[gone]) > 1:
        return Refusal("They must be in the same or adjacent hexes.", "18.2.1")
    if state.morale[kept] != GOOD or state.morale[gone] != GOOD:
        return Refusal("Both must be in good order.", "18.2.1")
    if state.good_leader(kept) == NONE:
        return Refusal("A good order leader must be attached to the one that stays.", "18.2.2")
    laden = NONE not in (state.weapon[kept], state.weapon[gone])
    if laden and state.hidden[kept] and state.hidden[gone]:
        return Refusal("What a hidden squad puts down would be seen.", "21.0.3")
    return None


def _refuse_transfer(view: View, action: Transfer) -> Refusal | None:
    """OST 10.0.14, 2.1.p6; to one that carries another it is an exchange, 10.0.12."""
    state = view.state
    holder = state.holder[action.weapon]
    if holder == NONE or CATEGORY[state.kind[action.weapon]] != WEAPON:
        return Refusal("Nobody carries that weapon.", "10.0.14")
    refusal = refuse_busy(view, holder) or refuse_busy(view, action.unit)
    if refusal:
        return refusal
    if state.hex[holder] != state.hex[action.unit]:
        return Refusal("Weapons change hands within a stack.", "10.0.14")
    if holder == action.unit:
        return Refusal("It carries that weapon.", "10.0.14")
    return refuse_hands(state, action.unit)


def refuse_hands(state: State, unit: int) -> Refusal | None:
    """Whether a unit carries support weapons at all."""
    if state.is_single(unit):
        return Refusal("Single persons use no support weapons.", "7.0.3")
    if CATEGORY[state.kind[unit]] != SQUAD:
        return Refusal("Support weapons are carried by squads.", "10.0.p1")
    return None


def reform(battle: Battle[State], action: Attach | Detach | Merge | Transfer | EndReform) -> None:
    """One act of the Reform Phase."""
    state = battle.state
    if isinstance(action, Attach):
        attach(battle, action.leader, action.unit)
    elif isinstance(action, Detach):
        battle.emit(Detached(leader=action.leader))
    elif isinstance(action, Transfer):
        giver, other = state.holder[action.weapon], state.weapon[action.unit]
        battle.emit(Handed(weapon=action.weapon, unit=action.unit, why="reform"))
        if other != NONE:
            battle.emit(Handed(weapon=other, unit=giver, why="reform"))
    elif isinstance(action, Merge):
        merge(battle, action.kept, action.gone)
    else:
        side = state.reforming
        battle.emit(ReformEnded(side=side))
        offer_reform(battle, side + 1)


def offer_reform(battle: Battle[State], first: int = 0) -> None:
    """Ask the next side that has something to reorganise."""
    for side in range(first, 2):
        if can_reform(battle.state, side):
            battle.emit(ReformOwed(side=side))
            return
