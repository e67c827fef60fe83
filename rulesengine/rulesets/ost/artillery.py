"""Off-board artillery (OST 33): called by a spotter, adrift if it is off, on seven hexes all turn
long."""

from __future__ import annotations

from msgspec import UNSET

from rulesengine.contract import Battle, Refusal
from rulesengine.quantities import hex_count
from rulesengine.rulesets.ost import blast
from rulesengine.rulesets.ost.actions import CallArtillery
from rulesengine.rulesets.ost.charts import ARTILLERY, ARTILLERY_BY_KEY, MARKERS, Artillery
from rulesengine.rulesets.ost.events import PointsSpent, Revealed
from rulesengine.rulesets.ost.field_events import SmokeLaid, WorkRemoved
from rulesengine.rulesets.ost.goal_events import BatteryRolled
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.kinds import CATEGORY, LEADER
from rulesengine.rulesets.ost.morale import leader_in_range
from rulesengine.rulesets.ost.posts import spots
from rulesengine.rulesets.ost.sight import BLOCKED
from rulesengine.rulesets.ost.state import GOOD, NONE, OFF, State, View
from rulesengine.rulesets.ost.support_events import (
    AccuracyRolled,
    ArtilleryCalled,
    Drifted,
    ObstacleShelled,
    StrikeFell,
)
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.works import FRESH, OLD

LEADER_SPOTS = code("LEADER_SPOTS")
DEGRADED_SPOTTING = code("DEGRADED_SPOTTING")
OUTER = code("OUTER_ARTILLERY_HEX")
SPOTTING_RANGE = 20
"""Hexes, or the spotter's own range if that is more. OST 33.1.2."""


def batteries(state: State, side: int) -> list[Artillery]:
    """The off-board batteries of a side. OST 3.1.8."""
    return [ARTILLERY[ARTILLERY_BY_KEY[b.kind]] for b in state.terms()[side].artillery]


def refuse_call(view: View, action: CallArtillery) -> Refusal | None:
    """OST 33.0, 33.1."""
    state, side = view.state, view.side
    if not 0 <= action.battery < len(state.missions[side]):
        return Refusal("The side has no such battery.", "33.0.p1")
    if not state.missions[side][action.battery]:
        return Refusal("That battery has no missions left.", "33.0.p1")
    if (side, action.battery) in state.silent:
        return Refusal("That battery cannot be called this turn.", "2.1.p4")
    refusal = refuse_spotter(view, action.spotter, action.hex)
    if refusal:
        return refusal
    reach = max(SPOTTING_RANGE, state.figures(action.spotter)[1])
    if state.ground.grid.distance(state.hex[action.spotter], action.hex) > reach:
        return Refusal(f"It spots up to {hex_count(reach)}.", "33.1.2")
    return None if action.smoke else refuse_melee(state, (action.hex,))


def roll_for_batteries(battle: Battle[State]) -> None:
    """Scenario rolls before a turn: which batteries can be called. OST 2.1.p4."""
    for side, terms in enumerate(battle.state.terms()):
        for number, battery in enumerate(terms.artillery):
            if battery.on is not UNSET:
                roll = battle.dice.roll(6, 1)
                needed = battery.on
                battle.emit(BatteryRolled(side=side, battery=number, roll=roll, needed=needed))


def refuse_spotter(view: View, spotter: int, h: int, *, aircraft: bool = False) -> Refusal | None:
    """Whether a unit can spot a hex for artillery or `aircraft`. OST 33.1.1, 32.0.2, 17.2.4,
    17.3.4."""
    state = view.state
    point, who = ("32.0.1", "32.0.2") if aircraft else ("33.0.1", "33.1.1")
    if not state.impulses[view.side]:
        return Refusal("This takes an Impulse Point.", point)
    if state.side[spotter] != view.side or state.hex[spotter] == OFF:
        return Refusal("The spotter is not a unit of yours on the map.", who)
    if spotter not in state.of_side[view.side]:
        return Refusal("A support weapon spots nothing.", who)
    if state.morale[spotter] != GOOD:
        rule = "17.2.4" if state.morale[spotter] == 1 else "17.3.4"
        return Refusal("Only a good order unit can spot.", rule)
    if state.done[spotter]:
        return Refusal("After intensive fire the unit can do no more this turn.", "27.7.3")
    if state.locked(spotter):
        return Refusal("A unit in a melee can do nothing else.", "30.1.3")
    here = state.hex[spotter]
    if here != h and spots(state, spotter, h) & 3 == BLOCKED:
        return Refusal("The spotter has no line of sight to the hex.", "12.2.2")
    return None


def refuse_melee(state: State, hexes: tuple[int, ...]) -> Refusal | None:
    """Nobody aims at a melee; what is aimed next to it may strike it. OST 27.4.3, 30.1.2."""
    if all(h not in state.melees for h in hexes):
        return None
    return Refusal("Units in a melee may not be fired at.", "27.4.3")


def accuracy_modifiers(*, leads: bool, degraded: bool) -> Tally:
    """OST 33.2.3, 7.2.3: at most +1 and -1."""
    tally = Tally(0)
    if leads:
        tally.add(LEADER_SPOTS)
    if degraded:
        tally.add(DEGRADED_SPOTTING)
    return tally


def aimed(state: State, spotter: int, h: int) -> Tally:
    """What changes the accuracy roll of a mission spotted by a unit: leaders of another branch
    are no help in it, 7.5.2."""
    leads = CATEGORY[state.kind[spotter]] == LEADER or (
        leader_in_range(state, spotter, own_branch=True) != NONE
    )
    degraded = state.hex[spotter] != h and bool(spots(state, spotter, h) & 3)
    return accuracy_modifiers(leads=leads, degraded=degraded)


def call(battle: Battle[State], action: CallArtillery) -> None:
    """Carry a mission out at once. OST 33.1 to 33.4."""
    state, side = battle.state, battle.state.side[action.spotter]
    battery = batteries(state, side)[action.battery]
    battle.emit(PointsSpent(side=side, points=1))
    battle.emit(
        ArtilleryCalled(
            spotter=action.spotter, battery=action.battery, hex=action.hex, smoke=action.smoke
        )
    )
    changes = aimed(state, action.spotter, action.hex)
    roll = battle.dice.roll(6, 1)
    rolled = AccuracyRolled(
        side=side,
        roll=roll,
        total=roll.total + changes.value,
        needed=battery.accuracy,
        modifiers=tuple(changes.parts),
    )
    battle.emit(rolled)
    h = action.hex if rolled.accurate else drift(battle, action.hex)
    if h == NONE:
        return
    if action.smoke:
        around = tuple(n for n in state.ground.grid.neighbours[h] if n >= 0)
        ages = (FRESH, *(OLD for _ in around))
        battle.emit(SmokeLaid(hexes=(h, *around), ages=ages, by="artillery"))
    else:
        shell(battle, side, action.battery, h)


def drift(battle: Battle[State], h: int) -> int:
    """Where a strike goes that is off: a direction, then a distance. NONE off the map. OST 33.3."""
    direction, distance = battle.dice.roll(6, 1), battle.dice.roll(6, 1)
    there = drifted(battle.state, h, direction.total, distance.total)
    battle.emit(Drifted(rolls=(direction, distance), hex=there))
    return there


def drifted(state: State, h: int, direction: int, distance: int) -> int:
    """Where a strike called on a hex drifts to. OST 33.3."""
    return adrift(state.ground, h, direction, distance)


def adrift(ground: Ground, h: int, direction: int, distance: int) -> int:
    """The hex so far in a direction, 1 being north and the rest clockwise; NONE off the map that is
    played on. OST 33.3.1, 33.3.2, 33.3.4."""
    for _ in range(distance):
        h = ground.grid.neighbours[h][direction - 1]
        if h < 0:
            return NONE
    if h in ground.outside:
        return NONE
    return h


def area(state: State, h: int) -> tuple[int, ...]:
    """The strike hex and those around it on the map. OST 33.0.3."""
    return (h, *(n for n in state.ground.grid.neighbours[h] if n >= 0))


def strength(firepower: int, *, outer: bool) -> Tally:
    """Firepower in the strike hex, and in one of the six around. OST 33.0.4."""
    tally = Tally(firepower)
    if outer:
        tally.halve(OUTER)
    return tally


def shell(battle: Battle[State], side: int, number: int, h: int) -> None:
    """High explosive on seven hexes. OST 33.0.4, 33.4."""
    state = battle.state
    battery = batteries(state, side)[number]
    hexes = area(state, h)
    uncover(battle, hexes, "shelled")
    battle.emit(
        StrikeFell(
            side=side,
            battery=number,
            hex=h,
            firepower=battery.firepower,
            around=battery.firepower // 2,
        )
    )
    for there in hexes:
        power = strength(battery.firepower, outer=there != h)
        blast.everybody(battle, there, power, "artillery", by=side)
        blast.collapse(battle, there, charge="rockets" if battery.rockets else "")
        _clear(battle, side, there)


def uncover(battle: Battle[State], hexes: tuple[int, ...], why: str) -> None:
    """Hidden units in hexes that are struck are revealed. OST 21.0.5, 33.4.7."""
    state = battle.state
    hidden = tuple(c for h in hexes for c in state.stacks.get(h, ()) if state.hidden[c])
    if hidden:
        battle.emit(Revealed(units=hidden, why=why))


def _clear(battle: Battle[State], side: int, h: int) -> None:
    """Shells may remove wire and roadblocks. OST 13.6.8, 13.7.6."""
    kind = battle.state.works.get(h, NONE)
    if kind == NONE or not MARKERS[kind].clears:
        return
    roll = battle.dice.roll(6, 1)
    needed = MARKERS[kind].clears
    battle.emit(ObstacleShelled(side=side, hex=h, marker=kind, roll=roll, needed=needed))
    if roll.total >= needed:
        battle.emit(WorkRemoved(hex=h, marker=kind, why="artillery"))


def ran_into(battle: Battle[State], units: tuple[int, ...]) -> bool:
    """Units come into a hex that is under fire this turn. True if one of them has to stop. OST
    33.4.9, 33.4.10, 28.1."""
    state = battle.state
    there = [state.hex[c] for c in units if state.hex[c] != OFF]
    if not state.strikes or not there:
        return False
    h = there[0]
    suffered = False
    for centre, power, by in state.strikes:
        if h in area(state, centre):
            for unit in units:
                if state.hex[unit] == h:
                    force = strength(power, outer=h != centre)
                    suffered |= blast.strike(battle, unit, force, "artillery", again=True, by=by)
    return suffered or any(state.hex[c] == OFF for c in units)
