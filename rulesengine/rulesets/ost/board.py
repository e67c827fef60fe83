"""What stands on the table, for one listener: the counters he sees, control and melee markers.

`side` is as for `narrate`: a side sees what stands in its `known`, the public (-1) what both
sides see, the referee (None) everything. A carried weapon is a mark on its carrier.
"""

from __future__ import annotations

from rulesengine.contract import Piece
from rulesengine.geometry.hexes import DIRECTION_NAMES
from rulesengine.rulesets.ost.carriage import freight_of, in_street
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.charts import LUCK_CARD, MARKERS
from rulesengine.rulesets.ost.flights import reach
from rulesengine.rulesets.ost.kinds import (
    ARC,
    CATEGORY,
    STEPS,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.state import (
    GOOD,
    HULL_OUT,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    MORALE_NAMES,
    NONE,
    OFF,
    STUCK,
    State,
)
from rulesengine.rulesets.ost.telling import called
from rulesengine.rulesets.ost.works import FRESH

DAMAGES = (
    (MGS_OUT, "machine guns out"),
    (MAIN_OUT, "main gun out"),
    (HULL_OUT, "hull gun out"),
    (IMMOBILE | STUCK, "immobilised"),
)


def board(state: State, side: int | None) -> tuple[Piece, ...]:
    """The table as this listener sees it."""
    hexes = _seen(state, side)
    counters = [
        _counter(state, c, h, hexes)
        for c, h in enumerate(hexes)
        if h != OFF and (state.holder[c] == NONE or hexes[state.holder[c]] == OFF)
        if c not in state.freight
    ]
    return (*_markers(state), *_works(state, side), *counters)


def _seen(state: State, side: int | None) -> list[int]:
    """The hex of each counter as the listener sees it."""
    if side is None:
        return state.hex
    if side >= 0:
        return state.known[side]
    return [OFF if OFF in (one, two) else two for one, two in zip(*state.known, strict=True)]


def _markers(state: State) -> list[Piece]:
    """Who controls what, where hand to hand fighting goes on, wrecks and guns without a crew:
    known to all."""
    found = [
        Piece(
            f"control {place.hex}", place.name, "", state.control[i], place.hex, marks=("control",)
        )
        for i, place in enumerate(state.scenario.control)
    ]
    for h, side in state.melees.items():
        name = state.ground.name(h)
        found.append(Piece(f"melee {name}", "Melee", "", side, name, marks=("melee",)))
    for h, count in state.wrecks.items():
        name = state.ground.name(h)
        title = "Wreck" if count == 1 else f"{count} wrecks"
        found.append(Piece(f"wreck {name}", title, "", -1, name, marks=("wreck",)))
    for gun, h in state.unmanned.items():
        found.append(
            Piece(
                f"unmanned {state.ids[gun]}",
                state.names[gun],
                TYPES[state.kind[gun]].key,
                -1,
                state.ground.name(h),
                facing=DIRECTION_NAMES[state.facing[gun]],
                marks=("unmanned",),
            )
        )
    return found


def _works(state: State, side: int | None) -> list[Piece]:
    """What a listener knows of battlefield markers: mines not found are their owner's. OST 13."""
    found = []
    for h, kind in state.works.items():
        row, name = MARKERS[kind], state.ground.name(h)
        owner, known = state.mined.get(h, (NONE, True))
        if not known and side not in (None, owner):
            continue
        facing = DIRECTION_NAMES[state.pillboxes[h]] if h in state.pillboxes else ""
        marks = (row.key,) if known else (row.key, "hidden")
        title = row.name.capitalize()
        found.append(Piece(f"{row.key} {name}", title, "", owner, name, facing, marks=marks))
    for h, (owner, kind) in state.unseen.items():
        if side in (None, owner):
            row = MARKERS[kind]
            name, title = state.ground.name(h), row.name.capitalize()
            marks = (row.key, "hidden")
            found.append(Piece(f"{row.key} {name}", title, "", owner, name, marks=marks))
    for number, (h, power, side_of) in enumerate(state.strikes):
        name = state.ground.name(h)
        title = f"Shells falling, FP {power}"
        found.append(Piece(f"strike {number} {name}", title, "", side_of, name, marks=("strike",)))
    found += _aloft(state)
    for number, (side_of, code, h) in enumerate(state.cards_shown):
        if h != OFF:
            name = state.ground.name(h)
            title = f"Luck card: {LUCK_CARD[code].title}"
            found.append(Piece(f"card {number} {name}", title, "", side_of, name, marks=("card",)))
    for h, age in state.smoke.items():
        name = state.ground.name(h)
        title = "Smoke" if age == FRESH else "Smoke, thinning"
        found.append(Piece(f"smoke {name}", title, "", -1, name, marks=("smoke", str(age))))
    return found


def _aloft(state: State) -> list[Piece]:
    """The aircraft over the map: seen by all, and what it carries by nobody. OST 26.2.2."""
    if state.aloft == NONE:
        return []
    flight, h = state.flights[state.aloft], state.flown[state.aloft]
    if not flight.glider:
        gone = sum(
            state.hex[c] != OFF or not state.steps[c] for c in (*flight.units, *flight.supplies)
        )
        h = (h, *reach(state, flight, h))[gone]
    name = state.ground.name(h)
    kind = "glider" if flight.glider else "transport"
    facing = "" if flight.glider else DIRECTION_NAMES[flight.heading]
    title = kind.capitalize()
    return [Piece(f"flight {state.aloft}", title, "", flight.side, name, facing, marks=(kind,))]


def _counter(state: State, c: int, h: int, hexes: list[int]) -> Piece:
    if CATEGORY[state.kind[c]] == WEAPON:
        # It lies, or is thought to lie, on the ground and is nobody's.
        kind, name = TYPES[state.kind[c]].key, state.names[c]
        return Piece(state.ids[c], name, kind, -1, state.ground.name(h), steps=1)
    morale = state.morale[c]
    faces = state.quality[c] & ARC or CATEGORY[state.kind[c]] == VEHICLE
    return Piece(
        id=state.ids[c],
        name=called(state, c),
        kind=TYPES[state.kind[c]].key,
        side=state.side[c],
        hex=state.ground.name(h),
        facing=DIRECTION_NAMES[state.facing[c]] if faces else "",
        steps=state.steps[c],
        morale="" if morale == GOOD else MORALE_NAMES[morale],
        marks=_marks(state, c, hexes),
    )


def _marks(state: State, c: int, hexes: list[int]) -> tuple[str, ...]:
    marks = []
    if state.hidden[c]:
        marks.append("hidden")
    if state.steps[c] < STEPS[state.kind[c]]:
        marks.append("reduced")
    if state.moved[c]:
        marks.append("moved")
    if state.assaulted[c]:
        marks.append("assaulted")
    if state.done[c]:
        marks.append("done")
    elif state.fired[c]:
        marks.append("fired" if state.fired[c] == 1 else "fired twice")
    if state.acts(c) >= 2 and not state.done[c]:
        marks.append("used")
    if state.bogged[c]:
        marks.append("bogged")
    if state.captured[c]:
        marks.append("captured")
    if CATEGORY[state.kind[c]] == VEHICLE:
        marks += [word for bits, word in DAMAGES if state.damage[c] & bits]
    if state.hex[c] in state.melees:
        marks.append("melee")
    if c in state.riding:
        marks.append("riding")
    if state.aloft != NONE and state.frames and c in state.frames[-1].units:
        marks.append("coming down")
    if c in state.rolling:
        marks.append("rolling cover")
    if c not in state.riding and in_street(state, c):
        marks.append("on road")
    marks += [f"carries {TYPES[state.kind[w]].title}" for w in freight_of(state, c)]
    weapon = state.weapon[c]
    if weapon != NONE and hexes[weapon] != OFF:
        marks.append(f"carries {TYPES[state.kind[weapon]].title}")
    return tuple(marks)
