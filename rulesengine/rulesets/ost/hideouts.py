"""Where an enemy might hide, from what a side knows (OST 21.0; for the doctrine).

Nobody is told how many hide or where. The scenario says whether the enemy may hide units and where
he sets up, and who hides stays: so they lie, if anywhere, in his zone, in cover, near what the side
is after. Who really hides is never asked.
"""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.artillery import area
from rulesengine.rulesets.ost.deployment import objectives
from rulesengine.rulesets.ost.kinds import CATEGORY, SQUAD, VEHICLE
from rulesengine.rulesets.ost.setup import terms_of, zone_of
from rulesengine.rulesets.ost.state import OFF, View

FEARED = 5
"""An ambush is feared the more the fewer hexes less than this it is from an objective."""
APPROACH = 8
"""Hexes from the foremost own squad to the hex spotted at which the plane is called."""
FEAR = 8
"""Worth of a look at a hex, per point of fear."""


class Hideouts:
    """Where one side fears an ambush."""

    __slots__ = ("_turn", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._turn = -1

    def spot(self, card: int) -> tuple[int, Action | None]:
        """The area most likely to hide an enemy before those who come near it, and what a look at
        it by the spotter plane is worth. Thought of once a turn."""
        view = self._view
        state, side = view.state, view.side
        if self._turn == state.turn or not terms_of(state, 1 - side).hidden:
            return 0, None
        self._turn = state.turn
        distance = state.ground.grid.distance
        feet = [
            state.hex[c]
            for c in state.of_side[side]
            if CATEGORY[state.kind[c]] in (SQUAD, VEHICLE) and state.hex[c] != OFF
        ]
        fears = self._suspicions()
        found: tuple[int, Action | None] = (0, None)
        for h in sorted(fears):
            if any(1 < distance(h, at) <= APPROACH for at in feet):
                hexes = area(state, h)
                worth = FEAR * sum(fears.get(n, 0) for n in hexes) // len(hexes)
                if worth > found[0]:
                    found = worth, a.PlayCard(card=card, hexes=(h,))
        return found

    def _suspicions(self) -> dict[int, int]:
        """How likely somebody hides there, by the hexes of the enemy's zone that nobody is seen in:
        cover counts, and objectives near by."""
        view = self._view
        state, side = view.state, view.side
        ground = state.ground
        taken = {state.hex[c] for c in state.of_side[side]} | {view.hex[c] for c in view.enemies()}
        aims = objectives(state, side)
        found = {}
        for h in zone_of(state, 1 - side):
            if h not in taken and h not in ground.outside:
                away = min(ground.grid.distance(h, aim) for aim in aims)
                found[h] = (1 + min(2, ground.defense[h])) * max(1, FEARED - away)
        return found
