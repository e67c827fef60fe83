"""Where a side sets up: a plan from its zone, its posture and the ground (OST 3.1.4).

Used by the doctrine, and with a `variant` by the fuzzer for many different lawful set-ups.
"""

from __future__ import annotations

from collections import Counter

from rulesengine.rulesets.ost.aboard import squeezed_in, towed_in
from rulesengine.rulesets.ost.actions import Deploy
from rulesengine.rulesets.ost.berths import STACK, fitted, is_dry, is_laid_out
from rulesengine.rulesets.ost.charts import MARKERS
from rulesengine.rulesets.ost.entering import entry_hexes, together
from rulesengine.rulesets.ost.flights import set_up_aircraft
from rulesengine.rulesets.ost.goals import buildings_wanted
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import (
    ARC,
    ARMOR,
    CATEGORY,
    CREWED,
    ENGINEER,
    LARGE,
    LEADER,
    SNIPER,
    SQUAD,
    TRAITS,
    VEHICLE,
)
from rulesengine.rulesets.ost.setup import terms_of, weapons_of, zone_of
from rulesengine.rulesets.ost.sight import BLOCKED, look
from rulesengine.rulesets.ost.state import NONE, State, View
from rulesengine.rulesets.ost.streets import refuse_large
from rulesengine.rulesets.ost.tracks import may_stand
from rulesengine.rulesets.ost.vehicles import DRIVE, is_gun

COVER = 12
NEARNESS = 5
VIEW = 2
BARE = (0, 0)
FIELD_OF_FIRE = 3
"""Of a hex on the enemy's way that an anti-tank gun sees."""
STARTS = 6
"""Hexes of the enemy's zone that ways are drawn from."""


def plan(view: View, variant: int = 0) -> Deploy:
    """A lawful set-up of the whole side; variant 0 is the one a sensible player chooses."""
    state, side = view.state, view.side
    mine = [c for c in state.of_side[side] if c not in state.waiting]
    coming = [c for c in state.of_side[side] if c in state.waiting]
    leaders = [c for c in mine if CATEGORY[state.kind[c]] == LEADER]
    snipers = [c for c in mine if CATEGORY[state.kind[c]] == SNIPER]
    units = [c for c in mine if c not in leaders and c not in snipers]
    units.sort(key=lambda c: (CATEGORY[state.kind[c]] != CREWED, c))
    hexes = _ranked(state, side, variant)
    guns = [c for c in units if is_gun(state, c)]
    places = _lay_guns(state, side, guns, hexes)
    taken = set(places.values())
    rest = [c for c in units if c not in places]
    places |= _spread_out(state, rest, [h for h in hexes if h not in taken] or hexes)
    if not is_laid_out(state, units, places):
        places = fitted(state, units, hexes)
    for sniper in snipers if hexes else []:
        places[sniper] = hexes[(variant + 1) % len(hexes)]
    attached = _leaders(state, leaders, units, places, hexes)
    attached += _lead_arrivals(state, coming)
    squads = [*units, *coming]
    aboard = towed_in(state, [c for c in coming if entry_hexes(state, c)])
    if variant % 2:
        aboard += squeezed_in(state, units, places, {u: c for c, u in attached})
    return Deploy(
        places=tuple(sorted(places.items())),
        attached=tuple(attached),
        carried=_weapons(state, side, squads),
        hidden=_hidden(state, side, units, places, variant),
        facings=_facings(state, side, units, places),
        aboard=aboard,
        streets=_streets(state, units, places, {unit for unit, _ in aboard}, variant),
        aircraft=set_up_aircraft(state, side, objectives(state, side), variant),
    )


def _streets(
    state: State, units: list[int], places: dict[int, int], aboard: set[int], variant: int
) -> tuple[int, ...]:
    """Who stands in the street of a hex with road and house: guns too large for the house, and in
    a set-up out of the ordinary every other unit. OST 8.0.8, 16.6.1."""
    dual = state.ground.dual
    beside = [
        c for c in units if places[c] in dual and not DRIVE[state.kind[c]] and c not in aboard
    ]
    out = beside[::2] if variant % 2 else []
    return tuple(c for c in beside if c in out or TRAITS[state.kind[c]] & LARGE)


def _ranked(state: State, side: int, variant: int) -> list[int]:
    """The hexes of the zone, best first."""
    ground = state.ground
    zone = [h for h in zone_of(state, side) if is_dry(state, h)]
    aims = objectives(state, side)
    attacking = terms_of(state, side).posture == "attack"
    distance, shelter = ground.grid.distance, state.shelter
    home = home_of(state, side)
    key = (tuple(zone), tuple(aims), attacking, variant, home)
    known = ground.rankings.get(key)
    if known is not None and not shelter:
        return list(known)

    def score(h: int) -> int:
        near = -min((distance(h, aim) for aim in aims), default=0)
        owner, marker = state.unseen.get(h, (NONE, NONE))
        works = MARKERS[marker].defense if owner == side else shelter.get(h, BARE)[0]
        value = COVER * (ground.defense[h] + works) + NEARNESS * near
        if not attacking:
            value += VIEW * _outlook(state, h)
        if variant:
            value += (h * 7919 + variant * 104729) % 60
        return value

    ranked = sorted(zone, key=lambda h: (-score(h), from_home(ground, h, home)))
    if not shelter:
        ground.rankings[key] = tuple(ranked)
    return ranked


def home_of(state: State, side: int) -> int:
    """The column a side comes from: the middle of its zone."""
    columns = [state.ground.grid.q[h] for h in zone_of(state, side)]
    return sum(columns) // len(columns)


def from_home(ground: Ground, h: int, home: int) -> tuple[int, int, int]:
    """An order of hexes for breaking ties that a mirrored map mirrors too."""
    row, column = divmod(h, ground.grid.columns)
    return row, abs(column - home), column


def _outlook(state: State, h: int) -> int:
    """How many of a few hexes around can be seen: a cheap measure of a field of fire."""
    ground = state.ground
    known = ground.outlooks.get(h)
    if known is not None:
        return known
    seen = 0
    for n in ground.grid.neighbours[h]:
        here = n
        for _ in range(4):
            if here < 0:
                break
            here = ground.grid.neighbours[here][ground.grid.neighbours[h].index(n)]
        if here >= 0 and look(ground, h, here) & 3 != BLOCKED:
            seen += 1
    ground.outlooks[h] = seen
    return seen


def objectives(state: State, side: int) -> list[int]:
    """Control hexes worth having, those the enemy holds first; else the enemy's zone."""
    ground = state.ground
    places = [(state.control[place] == side, h) for h, place in state.control_at.items()]
    attacking = terms_of(state, side).posture != "defend"
    wanted = [h for held, h in sorted(places) if not held or not attacking]
    for way in terms_of(state, side).exits or ():
        if way.points:
            area = ground.grid.area(way.hexes)
            wanted.append(area[len(area) // 2])
    if state.scenario.victory.goals:
        wanted += buildings_wanted(state, side)
    if wanted:
        return wanted
    zone = zone_of(state, 1 - side)
    return [zone[len(zone) // 2]]


def _spread_out(state: State, units: list[int], hexes: list[int]) -> dict[int, int]:
    """One unit a hex down the list, two only where the zone is too small; a vehicle in the next
    hex it may enter. Who finds no room so is left out."""
    if not any(DRIVE[state.kind[c]] for c in units):
        return dict(
            zip(units, hexes * (len(units) // len(hexes) + 1) if hexes else (), strict=False)
        )
    left = hexes * 2
    places = {}
    for unit in sorted(units, key=lambda c: not DRIVE[state.kind[c]]):
        drive = DRIVE[state.kind[unit]]
        free = (h for h in left if not drive or may_stand(state.ground, drive, h))
        h = next(free, None)
        if h is not None:
            places[unit] = h
            left.remove(h)
    return places


def _lay_guns(state: State, side: int, guns: list[int], hexes: list[int]) -> dict[int, int]:
    """Anti-tank guns where they see most of the way the enemy comes, in cover. OST 8.0."""
    places: dict[int, int] = {}
    if not guns:
        return places
    ground = state.ground
    way = _approach(state, side)

    def score(h: int) -> int:
        seen = sum(look(ground, h, there) & 3 != BLOCKED for there in way if there != h)
        return COVER * min(ground.defense[h], 2) + FIELD_OF_FIRE * seen

    for gun in guns:
        free = [h for h in hexes if h not in places.values()]
        if TRAITS[state.kind[gun]] & LARGE:
            free = [h for h in free if h in ground.dual or refuse_large(state, (h,)) is None]
        if free:
            places[gun] = max(free, key=lambda h: (score(h), -hexes.index(h)))
    return places


def _approach(state: State, side: int) -> list[int]:
    """Hexes all along the ways from the enemy's zone to what he wants."""
    grid = state.ground.grid
    zone = zone_of(state, 1 - side)
    found: dict[int, None] = {}
    for start in zone[:: max(1, len(zone) // STARTS)]:
        for aim in objectives(state, 1 - side):
            here = start
            while here != aim:
                here = min(
                    (n for n in grid.neighbours[here] if n >= 0),
                    key=lambda n: (grid.distance(n, aim), n),
                )
                found[here] = None
    return list(found)


def _leaders(
    state: State,
    leaders: list[int],
    units: list[int],
    places: dict[int, int],
    hexes: list[int],
) -> list[tuple[int, int]]:
    """Each to his own unit if he can, machine guns before squads; one leader a unit. Who finds none
    stands with others, two leaders a hex."""
    attached, left = [], []
    free = [c for c in units if not DRIVE[state.kind[c]]]
    crews = [c for c in units if DRIVE[state.kind[c]]]
    for number, leader in enumerate(leaders):
        if TRAITS[state.kind[leader]] & ARMOR:
            vehicle = _own_first(state, leader, crews)
            crews.remove(vehicle)
            attached.append((leader, vehicle))
            places[leader] = places[vehicle]
            continue
        unit = _own_first(state, leader, free)
        if unit == NONE:
            left.append((number, leader))
            continue
        free.remove(unit)
        attached.append((leader, unit))
        places[leader] = places[unit]
    full = Counter(places[leader] for leader, _ in attached)
    for number, leader in left:
        company = [places[units[(number + n) % len(units)]] for n in range(len(units))]
        h = next((h for h in (*company, *hexes) if full[h] < STACK), None)
        if h is not None:
            places[leader] = h
            full[h] += 1
    return attached


def _lead_arrivals(state: State, coming: list[int]) -> list[tuple[int, int]]:
    """Leaders of reinforcements enter with a unit of theirs, if they can. OST 7.3.5, 7.4.6."""
    attached = []
    free = [c for c in coming if CATEGORY[state.kind[c]] in (SQUAD, CREWED, VEHICLE)]
    for leader in (c for c in coming if CATEGORY[state.kind[c]] == LEADER):
        rides = bool(TRAITS[state.kind[leader]] & ARMOR)
        takers = [
            c for c in free if bool(DRIVE[state.kind[c]]) == rides and together(state, leader, c)
        ]
        unit = _own_first(state, leader, takers)
        if unit != NONE:
            free.remove(unit)
            attached.append((leader, unit))
    return attached


def _own_first(state: State, c: int, takers: list[int]) -> int:
    """The first taker of the counter's own unit, else the first there is; NONE if none is."""
    own = (t for t in takers if state.unit_ids[t] == state.unit_ids[c])
    return next(own, takers[0] if takers else NONE)


def _weapons(state: State, side: int, units: list[int]) -> tuple[tuple[int, int], ...]:
    """Support weapons to squads, those of their own unit first, engineers last."""
    weapons = weapons_of(state, side)
    squads = [c for c in units if CATEGORY[state.kind[c]] == SQUAD]
    squads.sort(key=lambda c: bool(TRAITS[state.kind[c]] & ENGINEER))
    carried = []
    for weapon in weapons:
        squad = _own_first(state, weapon, [c for c in squads if together(state, weapon, c)])
        if squad != NONE:
            squads.remove(squad)
            carried.append((weapon, squad))
    return tuple(carried)


def _hidden(
    state: State, side: int, units: list[int], places: dict[int, int], variant: int
) -> tuple[int, ...]:
    """Who is in what hides with him, anti-tank guns, then those in the best cover, as many
    as the scenario lets."""
    allowed = terms_of(state, side).hidden

    def rank(c: int) -> tuple[bool, bool, int, int]:
        h = places[c]
        outside = state.unseen.get(h, (NONE,))[0] != side or bool(DRIVE[state.kind[c]])
        return outside, not is_gun(state, c), -state.ground.defense[h], (c + variant) % 97

    order = sorted(units, key=rank)
    return tuple(sorted(order[:allowed]))


def _facings(
    state: State, side: int, units: list[int], places: dict[int, int]
) -> tuple[tuple[int, int], ...]:
    """Covered arcs look to the middle of the enemy's zone."""
    grid = state.ground.grid
    zone = zone_of(state, 1 - side)
    aim = zone[len(zone) // 2]
    facings = []
    for c in units:
        if TRAITS[state.kind[c]] & ARC or DRIVE[state.kind[c]]:
            ways = grid.neighbours[places[c]]
            best = min(
                (d for d in range(6) if ways[d] >= 0), key=lambda d: grid.distance(ways[d], aim)
            )
            facings.append((c, best))
    return tuple(facings)
