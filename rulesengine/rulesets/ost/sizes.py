"""How much of anything a scenario may hold: more would be a slip of the pen, and slow to refuse."""

from __future__ import annotations

from rulesengine.rulesets.ost.map_check import Found, add
from rulesengine.rulesets.ost.scenario import OstScenario

MOST_TERRAINS = 6
"""Words of one sign of a legend."""


def check_sizes(scenario: OstScenario, found: Found) -> None:
    """Add a fault for each list that is longer than any battle needs."""
    ground, deck = scenario.ground, scenario.luck_cards.deck if scenario.luck_cards else ()
    lists = [
        ("counters", scenario.counters or (), 300),
        ("ground.buildings", ground.buildings or (), 200),
        ("ground.legend", ground.legend, 100),
        ("luck_cards.deck", deck, 100),
        ("victory.goals", scenario.victory.goals or (), 20),
    ]
    for index, terms in enumerate(scenario.terms):
        flown = terms.airborne or ()
        aircraft = [each for operation in flown for each in operation.aircraft]
        lists += [
            (f"terms[{index}].airborne", flown, 20),
            (f"terms[{index}].airborne (aircraft)", aircraft, 60),
            (f"terms[{index}].artillery", terms.artillery, 20),
            (f"terms[{index}].works", terms.works, 200),
        ]
    for where, many, most in lists:
        if len(many) > most:
            add(found, where, f"{len(many)} of them; {most} at most")
    for recast in scenario.counters or ():
        if len(recast.figures) > 40:
            add(found, f'counters ("{recast.key}")', "more figures than a counter has")
            break
    for sign, word in ground.legend.items():
        if word.count("+") >= MOST_TERRAINS:
            add(found, f'ground.legend."{sign[:1]}"', f"{MOST_TERRAINS} terrains at most")
