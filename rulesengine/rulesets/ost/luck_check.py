"""What a scenario says of luck cards, checked (OST 3.3)."""

from __future__ import annotations

from rulesengine.quantities import many
from rulesengine.rulesets.ost.charts import LUCK_CARDS
from rulesengine.rulesets.ost.map_check import Found, add, near
from rulesengine.rulesets.ost.scenario import OstScenario

MOST_DRAWN = 5
MOST_COPIES = 20
MOST_CARDS = 200
KEYS = {row.key for row in LUCK_CARDS}


def check_luck(scenario: OstScenario, found: Found) -> None:
    """Add every fault of the luck cards to `found`."""
    terms = scenario.luck_cards
    if not terms:
        return
    if not 0 <= terms.each <= MOST_DRAWN:
        add(found, "luck_cards.each", f"{terms.each}; a side draws 0 to {MOST_DRAWN} [3.3.p1]")
    seen: set[str] = set()
    for index, one in enumerate(terms.deck):
        where = f"luck_cards.deck[{index}]"
        if one.card not in KEYS:
            add(found, where, f'no luck card "{one.card}".', near(one.card, KEYS))
        if one.card in seen:
            add(found, where, f'"{one.card}" is there twice; write how many copies')
        seen.add(one.card)
        if not 0 <= one.copies <= MOST_COPIES:
            add(found, f"{where}.copies", f"{one.copies}; 0 to {MOST_COPIES}")
    cards = sum(max(0, one.copies) for one in terms.deck)
    if cards > MOST_CARDS:
        add(found, "luck_cards.deck", f"{many(cards, 'card')}; a deck holds {MOST_CARDS} at most")
    if terms.deck and not cards:
        add(found, "luck_cards.deck", "a deck without a card [3.3.p1]")
    elif terms.deck and cards < 2 * min(terms.each, MOST_DRAWN):
        what = f"{many(cards, 'card')} in it, but two sides draw {terms.each} each [3.3.p1]."
        add(found, "luck_cards.deck", what, f"{2 * terms.each} are enough.")
