"""Fire out of and into pillboxes (OST 13.5.8 to 13.5.10)."""

from __future__ import annotations

from rulesengine.rulesets.ost.fire import in_arc
from rulesengine.rulesets.ost.kinds import CATEGORY, CREWED
from rulesengine.rulesets.ost.state import NONE, State
from rulesengine.rulesets.ost.vehicles import is_vehicle

WHY = {
    "13.5.9": "At range a pillbox is fired out of and into through its arc only.",
    "13.5.10": "A crewed weapon fires out of the pillbox's arc only.",
}


def barred(state: State, firer: int, here: int, there: int, target: int = NONE) -> str:
    """The rule by which a pillbox at either end stops a shot, "" if none does. At range its arc
    counts; men fire at those next to it any way, and these at them, crewed weapons never. A
    vehicle in its hex stands outside (13.5.2)."""
    ground = state.ground
    close = ground.grid.distance(here, there) == 1
    facing = NONE if is_vehicle(state, firer) else state.pillboxes.get(here, NONE)
    crewed = CATEGORY[state.kind[firer]] == CREWED
    if facing != NONE and (crewed or not close) and not in_arc(ground, here, there, facing):
        return "13.5.10" if close else "13.5.9"
    outside = target != NONE and is_vehicle(state, target)
    facing = NONE if outside else state.pillboxes.get(there, NONE)
    if facing != NONE and not close and not in_arc(ground, there, here, facing):
        return "13.5.9"
    return ""
