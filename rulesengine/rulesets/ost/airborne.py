"""Airborne operations (OST 26): flights set up, flown and dropped; who comes down, and where.

Flights are planned with the set-up of their side and flown before the battle, or at the start of
their turn. `go_on` flies them one after the other and stops where a decision is owed: the enemy's
fire at who comes down next to him (26.3.9), the owner's choice of another hex (26.3.8, 26.3.12,
26.4.15). What has been begun is a LANDING frame. Gliders are in `gliders.py`, the fire in
`landing_fire.py`.
"""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import blast, gliders, landing_fire
from rulesengine.rulesets.ost.actions import Deploy, FireAtLanding, HoldFire, Land
from rulesengine.rulesets.ost.airborne_events import (
    AircraftCame,
    AircraftLeft,
    Dropped,
    FlightsPlanned,
    Landed,
    LandingPlaced,
    PlaceOwed,
    SuppliesDropped,
)
from rulesengine.rulesets.ost.casualties import eliminate
from rulesengine.rulesets.ost.descent import arrive, drift, harm
from rulesengine.rulesets.ost.events import Revealed
from rulesengine.rulesets.ost.flights import APART, Flight, fits, reach
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.going import hidden_enemies
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.kinds import CATEGORY, LEADER
from rulesengine.rulesets.ost.movement import load
from rulesengine.rulesets.ost.setup import refuse_deploy as refuse_layout
from rulesengine.rulesets.ost.state import (
    FALLING,
    NONE,
    OFF,
    SETUP,
    SPILLED,
    State,
    View,
)
from rulesengine.rulesets.ost.tracks import may_stand
from rulesengine.rulesets.ost.vehicles import DRIVE

# --- the plan ------------------------------------------------------------------------------------


def refuse_deploy(view: View, action: Deploy) -> Refusal | None:
    """A set-up, with the aircraft of the side. OST 3.1.4, 26.1, 26.2."""
    refusal = refuse_layout(view, action)
    if refusal or not (view.state.flights or action.aircraft):
        return refusal
    return _refuse_loads(view, action) or _refuse_aircraft(view, action)


def _refuse_loads(view: View, action: Deploy) -> Refusal | None:
    state, led = view.state, dict(action.attached)
    for flight in flights_of(state, view.side):
        company = {state.arrival[c] for c in flight.units}
        for c in state.of_side[view.side]:
            alone = CATEGORY[state.kind[c]] == LEADER and c not in led
            if alone and state.arrival[c] in company:
                rule = "26.1.2" if flight.glider else "26.1.1"
                return Refusal("A leader flies attached to a unit of the aircraft.", rule)
        if any(unit in flight.units for unit, _ in action.aboard):
            return Refusal("A gun and a jeep fly side by side.", "26.1.2")
    return None


def _refuse_aircraft(view: View, action: Deploy) -> Refusal | None:
    state = view.state
    mine = {flight.number: flight for flight in flights_of(state, view.side)}
    at = dict(action.aircraft)
    if sorted(at) != sorted(mine) or len(at) < len(action.aircraft):
        return Refusal("Every aircraft of the side is set up, once.", "26.2.2")
    for number, h in at.items():
        if h not in mine[number].area:
            return Refusal("An aircraft is set up where the scenario says.", "26.2.1")
        if not fits(state, mine[number], h):
            return Refusal("The map ends before it has dropped its load.", "26.3.1")
        for other, there in at.items():
            company = mine[other].when == mine[number].when
            if other != number and company and state.ground.grid.distance(h, there) < APART:
                return Refusal("Four hexes at least lie between two aircraft.", "26.2.3")
    return None


def flights_of(state: State, side: int) -> list[Flight]:
    return [flight for flight in state.flights if flight.side == side]


def plan(battle: Battle[State], side: int, action: Deploy) -> None:
    """Note where a side sets its aircraft up. OST 26.2.2."""
    mine = {f.number: n for n, f in enumerate(battle.state.flights) if f.side == side}
    if mine:
        aircraft = tuple((mine[number], h) for number, h in sorted(action.aircraft))
        battle.emit(FlightsPlanned(side=side, aircraft=aircraft))


# --- flying --------------------------------------------------------------------------------------


def moment(state: State) -> int:
    """Now, as `Flight.when` counts: the turn, or one more than the first before the battle."""
    return state.scenario.turns + 1 if state.phase == SETUP else state.turn


def late(state: State) -> bool:
    """Whether units that land now are reinforcements. OST 26.3.13, 26.4.16."""
    return state.phase != SETUP


def due(state: State) -> int:
    """The next flight of this moment, or NONE."""
    when = moment(state)
    for number, flight in enumerate(state.flights):
        if flight.when == when and state.flown[number] != OFF:
            return number
    return NONE


def go_on(battle: Battle[State]) -> bool:
    """Fly what is due. True while a side owes a decision."""
    state = battle.state
    while True:
        if state.frames:
            if _settle(battle, state.frames[-1]):
                return True
        elif state.aloft == NONE:
            if _spill(battle):
                return True
            number = due(state)
            if number == NONE:
                return False
            _take_off(battle, number)
        elif state.flights[state.aloft].glider:
            gliders.come_down(battle, state.aloft, moved=late(state))
        elif not _drop_next(battle):
            battle.emit(AircraftLeft(flight=state.aloft, side=state.flights[state.aloft].side))


def _take_off(battle: Battle[State], number: int) -> None:
    flight = battle.state.flights[number]
    battle.emit(
        AircraftCame(
            flight=number,
            side=flight.side,
            hex=battle.state.flown[number],
            heading=flight.heading,
            units=flight.units,
        )
    )


def _drop_next(battle: Battle[State]) -> bool:
    """The next of the load, over the next hex of the path. OST 26.3.1 to 26.3.4, 26.3.11."""
    state = battle.state
    flight = state.flights[state.aloft]
    path = reach(state, flight, state.flown[state.aloft])
    for step, c in enumerate((*flight.units, *flight.supplies)):
        if state.hex[c] != OFF or not state.steps[c]:
            continue
        above = path[step]
        rolls, h, edge = drift(battle, above)
        if c in flight.supplies:
            battle.emit(SuppliesDropped(weapon=c, over=above, rolls=rolls, hex=h, edge=edge))
        else:
            battle.emit(Dropped(unit=c, over=above, rolls=rolls, hex=h, edge=edge))
            _uncover(battle, state.side[c], h)
        return True
    return False


def _uncover(battle: Battle[State], side: int, h: int) -> None:
    """Who falls among hidden enemies finds them. OST 21.0.6."""
    met = hidden_enemies(battle.state, side, h)
    if met:
        battle.emit(Revealed(units=met, why="met"))


# --- coming down ---------------------------------------------------------------------------------


def falling(state: State, frame: Frame) -> int:
    """Who is coming down: the unit, or its leader if he is left alone; NONE if nobody is."""
    for c in (*frame.units, *frame.queue):
        if state.hex[c] != OFF and state.attached[c] == NONE:
            return c
    return NONE


def _settle(battle: Battle[State], frame: Frame) -> bool:
    """Take up a landing. True while a decision is owed.

    Fire comes before the ground does (26.3.9): in the hex fallen to where that is the enemy's,
    else in the one where the unit will stand.
    """
    state = battle.state
    if frame.owed or (frame.stage == SPILLED and _may_choose(state, frame)):
        return True
    if frame.stage == SPILLED:
        unit = frame.units[0]
        battle.emit(LandingPlaced(unit=unit, to=state.hex[unit], why="spilled"))
        return False
    unit = falling(state, frame)
    if unit == NONE:
        battle.emit(Landed(unit=frame.units[0], hex=NONE, column=0, moved=False))
        return False
    h = state.hex[unit]
    among = bool(state.in_hex(h, 1 - frame.side))
    full = crowded(state, h, frame.side)
    again = state.options.all_fire_at_landings is True and frame.shots
    fires = frame.stage == FALLING and (again or not frame.shot) and (among or not full)
    if fires and landing_fire.owes(battle, frame.side, h):
        return True
    if (among or full) and _may_choose(state, frame):
        if frame.stage == FALLING:
            battle.emit(PlaceOwed(units=(unit,), why=why_placed(state, frame)))
        return True
    if among:
        eliminate(battle, unit, "no retreat")
    else:
        _touch_down(battle, unit)
    return False


def _may_choose(state: State, frame: Frame) -> bool:
    """Whether there is another hex for who comes down: perhaps no longer, when hidden enemies were
    found in the last. OST 21.0.6, 26.3.8."""
    able = frame.units if frame.stage == SPILLED else (falling(state, frame),)
    view, why = View(state, frame.side), why_placed(state, frame)
    return any(places(view, c, state.hex[c], why) for c in able)


def _touch_down(battle: Battle[State], unit: int) -> None:
    """On the ground: a hard landing, then all that comes with entering a hex. OST 26.3.5, 26.3.6,
    3.2.2, 13.3.1."""
    state = battle.state
    h = state.hex[unit]
    column = harm(state.ground, h)
    battle.emit(Landed(unit=unit, hex=h, column=column, moved=late(state)))
    if column:
        blast.strike_at(battle, unit, column, "landing")
    arrive(battle, (unit,))


def crowded(state: State, h: int, side: int) -> bool:
    """Whether a hex holds more of a side than it may. OST 20.0.1, 7.1.2."""
    return not state.room(h, side, 0)


def places(view: View, unit: int, h: int, why: str) -> list[int]:
    """Where a unit may go instead of a hex: next to it; open ground first where it fell among
    enemies (26.3.8). Where nothing next to it is free, as near as there is."""
    state = view.state
    units, leaders = load(state, (unit,))
    seen, edge = {h}, [h]
    while edge:
        ring = {n for here in edge for n in state.ground.grid.neighbours[here] if n >= 0} - seen
        ring -= state.ground.outside
        free = sorted(n for n in ring if _is_free(view, unit, n, units, leaders))
        soft = [n for n in free if not harm(state.ground, n)] if why == "enemy" else []
        if soft or free:
            return soft or free
        seen |= ring
        edge = sorted(ring)
    return []


def _is_free(view: View, unit: int, h: int, units: int, leaders: int) -> bool:
    """Whether a unit can go to a hex: room, no enemy that is seen, no deep water. OST 26.3.8,
    26.3.12, 23.0.5, 14.8.1."""
    state = view.state
    if any(view.hex[c] == h for c in view.theirs) or h in state.melees:
        return False
    if state.ground.foot[h] >= IMPASSABLE and not state.ground.road[h]:
        return False
    drive = DRIVE[state.kind[unit]]
    if drive and not may_stand(state.ground, drive, h):
        return False
    return state.room(h, view.side, units, leaders)


def why_placed(state: State, frame: Frame) -> str:
    """A key of PLACES: why a unit of a landing has to go elsewhere."""
    if frame.stage == SPILLED:
        return "spilled"
    h = state.hex[falling(state, frame)]
    return "enemy" if state.in_hex(h, 1 - frame.side) else "full"


def refuse_land(view: View, action: Land) -> Refusal | None:
    """OST 26.3.8, 26.3.12, 26.4.15."""
    state = view.state
    frame = state.frames[-1]
    why = why_placed(state, frame)
    rule = {"enemy": "26.3.8", "full": "26.3.12", "spilled": "26.4.15"}[why]
    able = frame.units if why == "spilled" else (falling(state, frame),)
    if action.unit not in able:
        return Refusal("That is not the unit that comes down.", rule)
    if action.to in places(view, action.unit, state.hex[action.unit], why):
        return None
    if why == "enemy":
        return Refusal("It lands next to there, in the open if it can.", rule)
    return Refusal("It goes to a hex next to there that has room and no enemy.", rule)


def decide(battle: Battle[State], action: FireAtLanding | HoldFire | Land) -> None:
    """A decision in mid-landing."""
    state = battle.state
    frame = state.frames[-1]
    if isinstance(action, Land):
        if hidden_enemies(state, frame.side, action.to):
            _uncover(battle, frame.side, action.to)
            return
        why = why_placed(state, frame)
        battle.emit(LandingPlaced(unit=action.unit, to=action.to, why=why))
        if why == "spilled":
            arrive(battle, (action.unit,))
    else:
        landing_fire.resolve(battle, action)


def _spill(battle: Battle[State]) -> bool:
    """Ask where some go if there are too many in a hex after a glider came down. OST 26.4.15."""
    state = battle.state
    for side in (0, 1):
        for h, stack in state.stacks.items():
            mine = [c for c in stack if state.side[c] == side]
            if mine and crowded(state, h, side):
                down = {c for flight in state.flights if flight.glider for c in flight.units}
                units = tuple(c for c in mine if c in down and c not in state.riding)
                if units and places(View(state, side), units[0], h, "spilled"):
                    battle.emit(PlaceOwed(units=units, why="spilled"))
                    return True
    return False
