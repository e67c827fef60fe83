"""Choices in an airborne operation (OST 26.3, 26.4), for the menu and the doctrine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import landing_fire
from rulesengine.rulesets.ost.airborne import falling, places, why_placed
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.descent import harm
from rulesengine.rulesets.ost.kinds import DEFENSE
from rulesengine.rulesets.ost.state import NONE, OFF, SPILLED, View

ANSWERS = (a.FireAtLanding, a.Land)
"""First options of the decisions of this chapter."""
COVER, HARM = 12, 10
"""What a point of Defense, and of the column of a hard landing, is worth in danger."""


def fires(view: View) -> Iterator[Action]:
    """Who can fire at who comes down, alone or as a group."""
    state = view.state
    mine = [c for c in state.of_side[view.side] if state.hex[c] != OFF]
    h = state.hex[landing_fire.target_of(state)]
    able = [c for c in mine if landing_fire.why_not(state, c, h) is None]
    for one in able:
        for two in (NONE, *able):
            shot = a.FireAtLanding(firer=one, partner=two)
            if landing_fire.refuse(view, shot) is None:
                yield shot
    yield a.HoldFire()


def landings(view: View) -> Iterator[a.Land]:
    state = view.state
    frame = state.frames[-1]
    why = why_placed(state, frame)
    units = frame.units if frame.stage == SPILLED else (falling(state, frame),)
    for unit in units:
        for h in places(view, unit, state.hex[unit], why):
            yield a.Land(unit=unit, to=h)


def best(view: View, wants: type[Action], danger: Callable[[int], int]) -> Action:
    """The heaviest fire; the safest place. Fire at a landing costs nothing."""
    state = view.state
    if wants is a.Land:
        ground = state.ground
        return min(
            landings(view),
            key=lambda x: (
                danger(x.to) - COVER * ground.defense[x.to] - HARM * harm(ground, x.to),
                x.to,
            ),
        )
    target = landing_fire.target_of(state)
    shots = [x for x in fires(view) if isinstance(x, a.FireAtLanding)]

    def weight(x: a.FireAtLanding) -> tuple[int, bool, int]:
        strength = landing_fire.force(state, x.firer, x.partner, target)[1]
        at = column(strength.value, DEFENSE[state.kind[target]])
        return at, state.good_leader(x.firer) != NONE, -x.firer

    return max(shots, key=weight)
