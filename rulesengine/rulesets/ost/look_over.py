"""What works in a scenario that has no fault, but may not be what its author meant."""

from __future__ import annotations

from rulesengine.quantities import many
from rulesengine.rulesets.ost.ground import ground_of
from rulesengine.rulesets.ost.luck import deck_of
from rulesengine.rulesets.ost.map_check import Found, add
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.state import State


def look_over(scenario: OstScenario) -> Found:
    """What is worth a second look of a sound scenario, each with its place in it."""
    found: Found = []
    _look_at_works(scenario, found)
    _look_at_cards(scenario, found)
    return found


def _look_at_works(scenario: OstScenario, found: Found) -> None:
    """Works beyond the set-up zone of their side: the book forbids none. OST 13.2.p1, 13.6.p1."""
    grid = ground_of(scenario.ground).grid
    zones = {terms.side: set(grid.area(terms.zone)) for terms in scenario.terms}
    for index, terms in enumerate(scenario.terms):
        for at, work in enumerate(terms.works):
            where = f'terms[{index}].works[{at}] ("{work.kind}").hexes'
            beyond = set(grid.area(work.hexes)) - zones[terms.side]
            other = next(each for each in scenario.terms if each.side != terms.side)
            theirs = beyond & zones[other.side]
            outside = f"outside the set-up zone of {terms.side} ({terms.zone})"
            inside = f"in the set-up zone of the enemy ({other.zone})"
            for hexes, place in ((beyond - theirs, outside), (theirs, inside)):
                if hexes:
                    names = ", ".join(grid.name(h) for h in sorted(hexes)[:4])
                    more = " ..." if len(hexes) > 4 else ""
                    verb = "is" if len(hexes) == 1 else "are"
                    add(found, where, f"{names}{more} {verb} {place}")


def _look_at_cards(scenario: OstScenario, found: Found) -> None:
    """Cards that a battle without vehicles takes out of its deck. OST 3.3.7."""
    terms = scenario.luck_cards
    if not terms:
        return
    left = len(deck_of(scenario, vehicles=State(scenario).armour))
    if left < 2 * terms.each:
        what = f"without vehicles the deck has {many(left, 'card')}, and two sides draw"
        mend = "Who draws second gets what is left."
        add(found, "luck_cards.deck", f"{what} {terms.each} each [3.3.7].", mend)
