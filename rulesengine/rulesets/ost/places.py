"""Where a unit may be set up at all, whatever the zone (OST 3.1.2, 8.0.8, 14.8.1, 16.6.1)."""

from __future__ import annotations

from rulesengine.contract import Refusal
from rulesengine.rulesets.ost.actions import Deploy
from rulesengine.rulesets.ost.ground import IMPASSABLE
from rulesengine.rulesets.ost.kinds import CATEGORY, LARGE, TRAITS, VEHICLE
from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.streets import refuse_large
from rulesengine.rulesets.ost.works import BUNKER, known_work


def refuse_places(state: State, places: dict[int, int], action: Deploy) -> Refusal | None:
    """Deep water, streets without a house beside them, guns too large for a house. OST 3.1.2,
    14.8.1, 16.6.1, 8.0.8."""
    ground = state.ground
    aboard = {unit for unit, _ in action.aboard}
    for c in action.streets:
        walks = c in places and CATEGORY[state.kind[c]] != VEHICLE and c not in aboard
        if not walks or places[c] not in ground.dual:
            return Refusal(f"{state.names[c]} is beside no house with a street.", "16.6.1")
    for c, h in places.items():
        if h in ground.outside:
            return Refusal(f"{ground.name(h)} is not in play.", "3.1.2")
        if ground.foot[h] >= IMPASSABLE and not ground.road[h]:
            return Refusal(f"The water in {ground.name(h)} is too deep.", "14.8.1")
        if TRAITS[state.kind[c]] & LARGE and c not in (*action.streets, *aboard):
            if known_work(state, h, state.side[c]) == BUNKER:
                return Refusal(f"It is too large for what stands in {ground.name(h)}.", "8.0.8")
            refusal = refuse_large(state, (h,))
            if refusal:
                return refusal
    return None
