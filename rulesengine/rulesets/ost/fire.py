"""Fire combat (OST 27, 28): firepower against Defense, one look-up.

Pure rules (integers in, an explained number out): `ask`, the odds and the doctrine call the same.
Then the facts of one attack. `targeting.py` has what may not be done, `volley.py` the resolution.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesengine.geometry.hexes import DIRECTIONS
from rulesengine.rulesets.ost.actions import Fire
from rulesengine.rulesets.ost.catalogue import column
from rulesengine.rulesets.ost.charts import (
    HEXSIDE_BY_KEY,
    HEXSIDES,
    ICT,
    MARKER_BY_KEY,
    MARKERS,
    TERRAIN,
)
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    FIREPOWER,
    RANGE,
    SNIPER,
    SQUAD,
)
from rulesengine.rulesets.ost.posts import dims, sight
from rulesengine.rulesets.ost.state import GOOD, NONE, SHAKEN, State
from rulesengine.rulesets.ost.tally import Tally, code

ADJACENT_TARGET = code("ADJACENT_TARGET")
DEGRADED_SIGHT = code("DEGRADED_SIGHT")
SHAKEN_FIREPOWER = code("SHAKEN_FIREPOWER")
INTENSIVE_FIREPOWER = code("INTENSIVE_FIREPOWER")
SNIPER_AT_SINGLE_PERSON = code("SNIPER_AT_SINGLE_PERSON")
MOVING_FIRE = code("MOVING_FIRE")
LEADER_ATTACHED = code("LEADER_ATTACHED")
AMBUSH = code("AMBUSH")
INTENSIVE_FIRE = code("INTENSIVE_FIRE")
HEIGHT_ADVANTAGE = code("HEIGHT_ADVANTAGE")
HEIGHT_DISADVANTAGE = code("HEIGHT_DISADVANTAGE")

TERRAIN_DEFENSE = tuple((row.code, row.defense) for row in TERRAIN)
HEXSIDE_DEFENSE = ((0, 0), *((row.code, row.defense) for row in HEXSIDES))
"""By index + 1, as `sight.shield` gives it."""

BOCAGE = 1 + HEXSIDE_BY_KEY["bocage"]

BRANCH = column(lambda t: t.branch)
ALL_BRANCHES = column(lambda t: "all branches" in t.traits)

MOST_DEGRADING = 2
OUT_OF_SMOKE = code("FIRES_OUT_OF_SMOKE")
SMOKE_FIREPOWER = MARKERS[MARKER_BY_KEY["smoke"]].firepower_out


def firepower(
    weapons: int,
    *,
    adjacent: bool = False,
    degraded: int = 0,
    shaken: bool = False,
    intensive: bool = False,
    smoked: int = 0,
) -> Tally:
    """Firepower of one attack, before the target's Defense. OST 27.1; `smoked`: how many of the
    firers stand in smoke, 13.9.4."""
    tally = Tally(weapons)
    if smoked:
        tally.plus(OUT_OF_SMOKE, smoked * SMOKE_FIREPOWER)
    if adjacent:
        tally.add(ADJACENT_TARGET)
    if degraded:
        tally.add(DEGRADED_SIGHT, min(degraded, MOST_DEGRADING))
    if intensive:
        tally.add(INTENSIVE_FIREPOWER)
    if shaken:
        tally.halve(SHAKEN_FIREPOWER)
    return tally.at_least(1)


def defense(printed: int, terrain: tuple[int, ...], hexside: int = 0) -> Tally:
    """Defense of a unit under fire. OST 27.1, 14.0.2, 14.0.9, 15.0.5, 15.0.7.

    `terrain` are indexes in TERRAIN, `hexside` is what `sight.shield` says.
    """
    tally = Tally(printed)
    for kind in terrain:
        tally.plus(*TERRAIN_DEFENSE[kind])
    if hexside:
        tally.plus(*HEXSIDE_DEFENSE[hexside])
    return tally


def roll_modifiers(
    *,
    moved: bool = False,
    leader: bool = False,
    ambush: bool = False,
    intensive: bool = False,
    height: int = 0,
) -> Tally:
    """What changes the attack roll. OST 27.1.3; `height` as `posts.advantage` gives it."""
    tally = Tally(0)
    if moved:
        tally.add(MOVING_FIRE)
    if leader:
        tally.add(LEADER_ATTACHED)
    if ambush:
        tally.add(AMBUSH)
    if intensive:
        tally.add(INTENSIVE_FIRE)
    if height:
        tally.add(HEIGHT_ADVANTAGE if height > 0 else HEIGHT_DISADVANTAGE)
    return tally


def look_up(at: int, total: int) -> int:
    """The result in a column for a modified roll; 12 and over share a row, so do 2 and under.
    OST 28.0.4."""
    return ICT[12 if total > 12 else total if total > 0 else 0][at]


def in_arc(ground: Ground, a: int, b: int, facing: int) -> bool:
    """Whether b lies in the covered arc of a weapon in a: three hexes wide, then widening along
    the lines through the outer two. OST 8.0.12."""
    grid = ground.grid
    dq, dr = grid.q[b] - grid.q[a], grid.r[b] - grid.r[a]
    (lq, lr), (rq, rr) = DIRECTIONS[(facing - 1) % 6], DIRECTIONS[(facing + 1) % 6]
    turn = lq * rr - lr * rq
    left, right = (dq * rr - dr * rq) * turn, (lq * dr - lr * dq) * turn
    return left >= 0 and right >= 0


def street(terrain: tuple[int, ...]) -> tuple[int, ...]:
    """The terrain of a hex that shelters a vehicle: it stands in the road, not in the house.
    OST 16.6.6."""
    known = _STREETS.get(terrain)
    if known is None:
        known = _STREETS[terrain] = tuple(k for k in terrain if not TERRAIN[k].collapse)
    return known


def beside(hexside: int) -> int:
    """What a hexside is to a vehicle: of bocage it has nothing. OST 15.3.4, 15.3.7."""
    return 0 if hexside == BOCAGE else hexside


_STREETS: dict[tuple[int, ...], tuple[int, ...]] = {}


# --- the facts of one attack -----------------------------------------------------------------


def contribution(state: State, firer: int, weapon: int, distance: int, *, alone: bool) -> int:
    """Firepower a unit and its support weapon bring at a distance. OST 10.0.4, 10.0.5."""
    kind, steps = state.kind[firer], state.steps[firer]
    total = 0 if alone or distance > RANGE[kind][steps] else FIREPOWER[kind][steps]
    if weapon != NONE:
        kind = state.kind[weapon]
        if distance <= RANGE[kind][1]:
            total += FIREPOWER[kind][1]
    return total


def weapons_firepower(state: State, fire: Fire, target: int, distances: Sequence[int]) -> Tally:
    """All firepower of the group added together (27.8.1), each shaken member's own halved
    (10.0.16); a sniper's doubled against single persons (7.1.4)."""
    total = contribution(state, fire.firer, fire.weapon, distances[0], alone=fire.alone)
    tally = Tally(total)
    if fire.partner != NONE:
        other = contribution(state, fire.partner, fire.partner_weapon, distances[1], alone=False)
        tally.value += other
        for member, share in ((fire.firer, total), (fire.partner, other)):
            if state.morale[member] == SHAKEN:
                tally.plus(SHAKEN_FIREPOWER, share // 2 - share)
    elif CATEGORY[state.kind[fire.firer]] == SNIPER and state.is_single(target):
        tally.plus(SNIPER_AT_SINGLE_PERSON, total)
    return tally


def degrading(state: State, firers: tuple[int, ...], target: int) -> int:
    """Degrading hexes and hexsides on the way: what two lines share counts once. OST 27.8.7."""
    if len(firers) == 1:
        return sight(state, firers[0], target, state.hex[target]) & 3
    lines = [dims(state, c, target) for c in firers]
    return len(lines[0] | lines[1])


def smoked(state: State, firers: tuple[int, ...]) -> int:
    """How many of the firers stand in smoke. OST 13.9.4."""
    return sum(state.hex[c] in state.smoke for c in firers) if state.smoke else 0


def firers_of(fire: Fire) -> tuple[int, ...]:
    return (fire.firer,) if fire.partner == NONE else (fire.firer, fire.partner)


def leads(state: State, firers: tuple[int, ...]) -> bool:
    """Whether a leader helps the roll of any of them. Of a group it is enough that one unit is of
    his branch, whichever of them he is with. OST 7.2.4, 7.5.3."""
    for one in firers:
        leader = state.good_leader(one)
        if leader != NONE:
            for c in firers:
                if of_branch(state.kind[leader], state.kind[c]):
                    return True
    return False


def inspired(state: State, unit: int) -> bool:
    """Whether a good order leader of its own branch is attached to a unit. OST 7.2.6, 7.5.1."""
    leader = state.leader[unit]
    if leader == NONE or state.morale[leader] != GOOD:  # `good_leader`, asked for most often here
        return False
    return of_branch(state.kind[leader], state.kind[unit])


def of_branch(leader: int, led: int) -> bool:
    """Whether such a leader gives such a unit what he gives his own branch. OST 7.5.1.

    Commissars help everyone (7.5.4); crewed weapons are of the branch of whoever leads them.
    """
    return ALL_BRANCHES[leader] or CATEGORY[led] != SQUAD or BRANCH[leader] == BRANCH[led]
