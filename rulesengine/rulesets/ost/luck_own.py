"""Luck cards in one's own impulse (OST 3.3, 32): what each needs, and what it does.

`why_not` says, from what the side knows, why a card cannot be played so; "" if it can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rulesengine.contract import Battle
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import air, blast
from rulesengine.rulesets.ost.artillery import area, batteries, uncover
from rulesengine.rulesets.ost.casualties import DIES_WITH_CASUALTY, gut_check, roll_for_leader
from rulesengine.rulesets.ost.charts import LUCK_CARD, LuckCard
from rulesengine.rulesets.ost.events import Revealed
from rulesengine.rulesets.ost.field_events import SmokeLaid, WorkPlaced
from rulesengine.rulesets.ost.fire import HEXSIDE_DEFENSE
from rulesengine.rulesets.ost.hex_fire import between
from rulesengine.rulesets.ost.kinds import ARMOR, CATEGORY, LEADER, SQUAD, TRAITS, VEHICLE
from rulesengine.rulesets.ost.luck_events import (
    ImpulsesChanged,
    MarkersLifted,
    MissionGained,
    MoraleMended,
    VehicleMended,
)
from rulesengine.rulesets.ost.posts import spots
from rulesengine.rulesets.ost.sight import BLOCKED, party_walls
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    HULL_OUT,
    MAIN_OUT,
    MGS_OUT,
    NONE,
    OFF,
    SHAKEN,
    State,
    View,
)
from rulesengine.rulesets.ost.tally import Tally
from rulesengine.rulesets.ost.works import COVER, FRESH, flatten_wire, known_work

STRAFING, SHELLS, GRENADES = 4, 3, 4
"""Firepower; that of a strafing run is printed, 3.3."""
POINTS = 2
ARMAMENTS = (MAIN_OUT, HULL_OUT, MGS_OUT)
"""In the order they are mended."""


class Own(NamedTuple):
    """A card: why it cannot be played so, and what it does."""

    why_not: Callable[[View, a.PlayCard], str]
    play: Callable[[Battle[State], int, a.PlayCard], None]


# --- what is seen ------------------------------------------------------------------------------


def sees(view: View, h: int) -> bool:
    """Whether a good order unit of the side is in a hex, or has a line of sight to it. OST 3.3,
    32.0.2."""
    state = view.state
    for c in state.of_side[view.side]:
        here = state.hex[c]
        able = here != OFF and state.morale[c] == GOOD and here not in state.melees
        if able and (here == h or spots(state, c, h) & 3 != BLOCKED):
            return True
    return False


def _no_target(view: View, action: a.PlayCard) -> str:
    """Hexes that are attacked: one of them seen, none a melee. OST 3.3, 27.4.3."""
    if any(h in view.state.melees for h in action.hexes):
        return "Nobody aims at a melee."
    return _unseen(view, action)


def _unseen(view: View, action: a.PlayCard) -> str:
    if any(sees(view, h) for h in action.hexes):
        return ""
    return "No good order unit of yours sees it."


def _not_a_line(view: View, action: a.PlayCard) -> str:
    grid = view.state.ground.grid
    one, two, three = action.hexes
    way = grid.direction(one, two)
    if way < 0 or grid.direction(two, three) != way:
        return "It takes three hexes in a line, each next to the one before."
    return _no_target(view, action)


def _not_a_pair(view: View, action: a.PlayCard) -> str:
    if view.state.ground.grid.direction(*action.hexes) < 0:
        return "It takes two hexes side by side."
    return _no_target(view, action)


def _mine(view: View, c: int) -> bool:
    state = view.state
    return state.side[c] == view.side and state.hex[c] != OFF and c in state.of_side[view.side]


def _enemy_on_foot(view: View, c: int) -> bool:
    """An enemy on foot that is seen, not in a melee."""
    state = view.state
    if c not in view.theirs or view.hex[c] == OFF or view.hex[c] in state.melees:
        return False
    return CATEGORY[state.kind[c]] != VEHICLE and not TRAITS[state.kind[c]] & ARMOR


# --- the cards ---------------------------------------------------------------------------------


def _strafe(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    """The example of 3.3: firepower 4 on each unit, as in any air strike (32.0.6 to 32.0.10)."""
    uncover(battle, action.hexes, "bombed")
    for h in action.hexes:
        blast.everybody(battle, h, Tally(STRAFING), "strafing run", by=side)
        blast.collapse(battle, h)


def _bomb(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    """An air strike without a point. OST 32.0.p1, 32.0.1."""
    one, two = action.hexes
    air.strike(battle, side, (one, two), card=True)


def _is_shaky(view: View, action: a.PlayCard) -> str:
    state, c = view.state, action.target
    if not _mine(view, c) or state.morale[c] == GOOD:
        return "It is for a shaken or broken unit of yours."
    return "A unit in a melee has no use for it." if state.locked(c) else ""


def _mend(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    battle.emit(MoraleMended(unit=action.target))


def _cannot_dig(view: View, action: a.PlayCard) -> str:
    state, c = view.state, action.target
    if not _mine(view, c) or CATEGORY[state.kind[c]] == VEHICLE or c in state.riding:
        return "It is for a unit of yours on foot."
    h = state.hex[c]
    _, found = state.mined.get(h, (NONE, True))
    if state.hidden[c] or state.locked(c) or state.attached[c] != NONE:
        return "That unit does not look for cover."
    marked = known_work(state, h, view.side) != NONE and found
    return "There is a marker in the hex already." if marked else ""


def _dig(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    h = battle.state.hex[action.target]
    if h not in battle.state.works:
        battle.emit(WorkPlaced(hex=h, marker=COVER, by=action.target))


def _always(view: View, action: a.PlayCard) -> str:
    return ""


def _hurry(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    battle.emit(ImpulsesChanged(side=side, points=POINTS))


def _has_not_acted(view: View, action: a.PlayCard) -> str:
    state, c = view.state, action.target
    if not _mine(view, c) or state.morale[c] != GOOD or state.done[c]:
        return "It is for a good order unit of yours that has not fired intensively."
    if state.locked(c) or state.attached[c] != NONE or c in state.riding:
        return "That unit has nothing to do again."
    return "" if state.acts(c) or state.main_fired[c] else "It has not acted this turn."


def _lift(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    battle.emit(MarkersLifted(unit=action.target))


def _is_whole(view: View, action: a.PlayCard) -> str:
    state, c = view.state, action.target
    hurt = _mine(view, c) and any(state.damage[c] & bit for bit in ARMAMENTS)
    return "" if hurt else "It is for a vehicle of yours with an armament out of order."


def _repair(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    damage = battle.state.damage[action.target]
    bit = next(bit for bit in ARMAMENTS if damage & bit)
    battle.emit(VehicleMended(unit=action.target, damage=bit))


def _is_free(view: View, action: a.PlayCard) -> str:
    c = action.target
    stuck = _mine(view, c) and view.state.bogged[c] and not view.state.locked(c)
    return "" if stuck else "It is for a bogged vehicle of yours."


def _pull(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    battle.emit(VehicleMended(unit=action.target, damage=0))
    flatten_wire(battle, action.target)


def _no_battery(view: View, action: a.PlayCard) -> str:
    count = len(batteries(view.state, view.side))
    return "" if 0 <= action.battery < count else "You have no such battery."


def _supply(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    battle.emit(MissionGained(side=side, battery=action.battery))


def _smoke_there(view: View, action: a.PlayCard) -> str:
    if view.state.smoke.get(action.hexes[0]) == FRESH:
        return "There is fresh smoke already."
    return _unseen(view, action)


def _lay(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    battle.emit(SmokeLaid(hexes=action.hexes, ages=(FRESH,), by="luck card"))


def _no_prey(view: View, action: a.PlayCard) -> str:
    state, c = view.state, action.target
    if not _enemy_on_foot(view, c) or state.morale[c] == BROKEN:
        return "It is on an enemy unit on foot that is not broken."
    if state.is_single(c):
        return "It is on a unit, not on one man."
    return "" if sees(view, view.hex[c]) else "No good order unit of yours sees it."


def _frighten(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    gut_check(battle, action.target, SHAKEN)


def _no_leader(view: View, action: a.PlayCard) -> str:
    state, c = view.state, action.target
    if not _enemy_on_foot(view, c) or CATEGORY[state.kind[c]] != LEADER:
        return "It is on an enemy leader on foot."
    return "" if sees(view, view.hex[c]) else "No good order unit of yours sees him."


def _pick(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    roll_for_leader(battle, action.target, DIES_WITH_CASUALTY)


def _out_of_reach(view: View, action: a.PlayCard) -> str:
    state, c = view.state, action.target
    if not _enemy_on_foot(view, c) or state.is_single(c) or c in state.riding:
        return "It is on an enemy unit on foot."
    return "" if _throwers(state, view.side, c) else "No good order squad of yours is next to it."


def _throwers(state: State, side: int, target: int) -> list[int]:
    """The hexes of squads next to an enemy who could throw at him: not through the walls between
    row houses, 16.4.3."""
    ground, there = state.ground, state.hex[target]
    return [
        state.hex[c]
        for c in state.of_side[side]
        if state.hex[c] != OFF
        and state.morale[c] == GOOD
        and c not in state.riding
        and CATEGORY[state.kind[c]] == SQUAD
        and not state.locked(c)
        and ground.grid.distance(state.hex[c], there) == 1
        and not party_walls(ground, state.hex[c], there)
    ]


def _throw(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    """From where the least hexside shelters him. OST 15.0.5."""
    state, c = battle.state, action.target
    sides = [between(state, here, c) for here in _throwers(state, side, c)]
    hexside = min(sides, key=lambda each: HEXSIDE_DEFENSE[each][1])
    blast.strike(battle, c, Tally(GRENADES), "luck card", by=side, hexside=hexside)


def _shell(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    uncover(battle, action.hexes, "shelled")
    blast.everybody(battle, action.hexes[0], Tally(SHELLS), "luck card", by=side)


def _spot(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    state = battle.state
    hexes = area(state, action.hexes[0])
    found = tuple(c for h in hexes for c in state.in_hex(h, 1 - side) if state.hidden[c])
    if found:
        battle.emit(Revealed(units=found, why="spotted"))


def _enemy_is_spent(view: View, action: a.PlayCard) -> str:
    left = view.state.impulses[1 - view.side]
    return "" if left > 1 else "The enemy has no points to lose."


def _tangle(battle: Battle[State], side: int, action: a.PlayCard) -> None:
    left = battle.state.impulses[1 - side]
    battle.emit(ImpulsesChanged(side=1 - side, points=-min(POINTS, left - 1)))


CARDS: dict[str, Own] = {
    "strafing-run": Own(_not_a_line, _strafe),
    "fighter-bombers": Own(_not_a_pair, _bomb),
    "second-wind": Own(_is_shaky, _mend),
    "quick-spades": Own(_cannot_dig, _dig),
    "fresh-orders": Own(_always, _hurry),
    "once-more": Own(_has_not_acted, _lift),
    "spare-parts": Own(_is_whole, _repair),
    "pulled-free": Own(_is_free, _pull),
    "one-more-mission": Own(_no_battery, _supply),
    "smoke-pots": Own(_smoke_there, _lay),
    "panic": Own(_no_prey, _frighten),
    "marksman": Own(_no_leader, _pick),
    "grenades": Own(_out_of_reach, _throw),
    "stray-shells": Own(_no_target, _shell),
    "spotter-plane": Own(_always, _spot),
    "tangled-wires": Own(_enemy_is_spent, _tangle),
}
"""By the key of their rows in `tables/luck_cards.toml`."""


# --- what can be done with a hand --------------------------------------------------------------


def offers(view: View) -> Iterator[a.PlayCard]:
    """Every card that can be played in one's own impulse now, at what a side would name."""
    for code in dict.fromkeys(view.state.cards[view.side]):
        row = LUCK_CARD[code]
        if row.moment == "impulse":
            yield from (x for x in _aims(view, row) if not CARDS[row.key].why_not(view, x))


def _aims(view: View, row: LuckCard) -> Iterator[a.PlayCard]:
    state = view.state
    neighbours = state.ground.grid.neighbours
    if row.aim in ("unit", "enemy"):
        side = view.side if row.aim == "unit" else 1 - view.side
        for c in state.of_side[side]:
            if view.hex[c] != OFF:
                yield a.PlayCard(card=row.code, target=c)
    elif row.aim == "battery":
        for number in range(len(state.missions[view.side])):
            yield a.PlayCard(card=row.code, battery=number)
    elif row.aim:
        for h in sorted({view.hex[c] for c in view.enemies()} - set(state.melees)):
            for way in range(6) if row.aim != "hex" else (0,):
                two = neighbours[h][way]
                three = neighbours[two][way] if two >= 0 else NONE
                hexes = {"hex": (h,), "pair": (h, two), "line": (h, two, three)}[row.aim]
                if min(hexes) >= 0 and state.ground.outside.isdisjoint(hexes):
                    yield a.PlayCard(card=row.code, hexes=hexes)
    else:
        yield a.PlayCard(card=row.code)
