"""Whether everybody of a side has a hex to be set up in (OST 3.1.4, 20.0.1, 8.0.8, 14.0.3, 14.8.1):
two units a hex, each where it may stand at all."""

from __future__ import annotations

from collections import Counter

from rulesengine.quantities import hex_count, many
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.kinds import CATEGORY, LARGE, LEADER, SNIPER, TRAITS
from rulesengine.rulesets.ost.map_check import Found, add
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.setup import zone_of
from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.streets import refuse_large
from rulesengine.rulesets.ost.tracks import may_stand
from rulesengine.rulesets.ost.vehicles import DRIVE
from rulesengine.rulesets.ost.works import BUNKER, known_work

STACK = 2
"""Units, and leaders, that one hex holds. OST 20.0.1."""


def is_dry(state: State, h: int) -> bool:
    """Whether anybody may be set up in a hex: it is in play, and no deep water but by a bridge. OST
    3.1.2, 14.8.1."""
    ground = state.ground
    return h not in ground.outside and bool(ground.road[h] or ground.foot[h] < IMPASSABLE)


def may_begin(state: State, c: int, h: int) -> bool:
    """Whether a counter may be set up in a hex, a large gun in its street at least. OST 8.0.8,
    14.0.3."""
    drive = DRIVE[state.kind[c]]
    if not is_dry(state, h) or (drive and not may_stand(state.ground, drive, h)):
        return False
    if TRAITS[state.kind[c]] & LARGE:
        if known_work(state, h, state.side[c]) == BUNKER:
            return False
        return h in state.ground.dual or refuse_large(state, (h,)) is None
    return True


def is_laid_out(state: State, units: list[int], places: dict[int, int]) -> bool:
    """Whether all units have a place where they may stand, no more than two a hex."""
    if any(c not in places or not may_begin(state, c, places[c]) for c in units):
        return False
    return max(Counter(places[c] for c in units).values(), default=0) <= STACK


def fitted(state: State, units: list[int], hexes: list[int]) -> dict[int, int]:
    """Places for as many units as fit into hexes, the first of them first: whoever stands in the
    way of another goes where he can go as well."""
    held: dict[int, list[int]] = {h: [] for h in hexes}

    def settle(unit: int, tried: set[int]) -> bool:
        for h in hexes:
            if h in tried or not may_begin(state, unit, h):
                continue
            tried.add(h)
            if len(held[h]) < STACK:
                held[h].append(unit)
                return True
            for other in held[h]:
                if settle(other, tried):
                    held[h][held[h].index(other)] = unit
                    return True
        return False

    for unit in units:
        settle(unit, set())
    return {unit: h for h, here in held.items() for unit in here}


def check_room(scenario: OstScenario, found: Found) -> None:
    """Every side can be set up in its zone, as far as nothing else is amiss."""
    if found:
        return  # of other things, which would only be said again
    state = State(scenario)
    for side, terms in enumerate(state.terms()):
        mine = [c for c in state.of_side[side] if c not in state.waiting]
        units = [c for c in mine if CATEGORY[state.kind[c]] not in (LEADER, SNIPER)]
        hexes = [h for h in zone_of(state, side) if is_dry(state, h)]
        at = [each.side for each in scenario.terms].index(terms.side)
        where = f'terms[{at}].zone ("{terms.side}")'
        if mine and not hexes:
            add(found, where, "nobody can stand anywhere in it [14.8.1]")
            continue
        leaders = sum(CATEGORY[state.kind[c]] == LEADER for c in mine)
        if leaders > STACK * len(hexes):
            what = f"{many(leaders, 'leader')} do not fit in the {hex_count(len(hexes))} one can"
            add(found, where, f"{what} stand in, {STACK} a hex [20.0.1]")
            continue
        placed = fitted(state, units, hexes)
        left = [c for c in units if c not in placed]
        if left:
            names = ", ".join(state.names[c] for c in left[:4])
            what = f"no room in it for {names}: {STACK} units a hex, each where it may stand"
            add(found, where, f"{what} [20.0.1, 14.0.3]")
