"""Luck cards (OST 3.3): the deck, the draw, and when a card may be played.

Cards are drawn by dice after the set-up and are nobody else's to know. One is played in one's own
impulse, before or after its action, for nothing; or against what the enemy has just begun in his:
his order is held in a CARD frame until the holder has answered. What the cards do is in
`luck_own.py` and `luck_against.py`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from rulesengine.contract import Action, Battle, Refusal
from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import luck_against, luck_own
from rulesengine.rulesets.ost.charts import LUCK_CARD, LUCK_CARDS, LuckCard
from rulesengine.rulesets.ost.luck_events import (
    CardKept,
    CardOffered,
    CardPlayed,
    CardsDrawn,
    FoundNoVehicleCards,
    HandDealt,
    OrderHeld,
    OrderResumed,
)
from rulesengine.rulesets.ost.scenario import OstScenario
from rulesengine.rulesets.ost.state import AGAINST, CARD, NONE, State, View


def deck_of(scenario: OstScenario, *, vehicles: bool) -> list[int]:
    """The codes of all cards of a battle's deck, each as often as it is in it. OST 3.3.7."""
    terms = scenario.luck_cards
    if not terms:
        return []
    copies = {row.key: row.copies for row in LUCK_CARDS}
    if terms.deck:
        copies = {one.card: one.copies for one in terms.deck}
    plain = not vehicles and terms.vehicle_cards == "with vehicles"
    return [
        row.code
        for row in LUCK_CARDS
        for _ in range(copies.get(row.key, 0))
        if not (plain and row.vehicles)
    ]


def draw(battle: Battle[State]) -> None:
    """Each side draws its cards when both are set up. OST 3.3.p1, 3.3.1."""
    state = battle.state
    terms = state.scenario.luck_cards
    if not terms:
        return
    deck = deck_of(state.scenario, vehicles=state.armour)
    if len(deck) < len(deck_of(state.scenario, vehicles=True)):
        battle.emit(FoundNoVehicleCards())
    for side in (0, 1):
        cards, rolls = _drawn(battle, deck, terms.each)
        if cards:
            battle.emit(CardsDrawn(side=side, count=len(cards)))
            battle.emit(HandDealt(side=side, cards=cards, rolls=rolls))


def _drawn(
    battle: Battle[State], deck: list[int], each: int
) -> tuple[tuple[int, ...], tuple[Roll, ...]]:
    """Some cards off the deck; the last one is drawn without a die."""
    cards: list[int] = []
    rolls: list[Roll] = []
    for _ in range(min(each, len(deck))):
        at = 0
        if len(deck) > 1:
            rolls.append(battle.dice.roll(len(deck), 1))
            at = rolls[-1].total - 1
        cards.append(deck.pop(at))
    return tuple(cards), tuple(rolls)


# --- playing -------------------------------------------------------------------------------------


def held_order(state: State) -> Action | None:
    """What the enemy is about to do, if a card may be played against it now."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or frame.kind != CARD or frame.stage != AGAINST:
        return None
    order: Action = msgspec.json.decode(frame.order, type=a.AnyAction)
    return order


def refuse(view: View, action: a.PlayCard) -> Refusal | None:
    """OST 3.3.2, 3.3.3, 3.3.5, 3.3.6."""
    state = view.state
    row = LUCK_CARD.get(action.card)
    if row is None or row.code not in state.cards[view.side]:
        return Refusal("You hold no such card.", "3.3.5")
    if not all(state.ground.grid.on_map(h) for h in action.hexes):
        return Refusal("There is no such hex.", "1.1.p1")
    if not state.ground.outside.isdisjoint(action.hexes):
        return Refusal("That hex is not in play.", "3.1.2")
    order = held_order(state)
    if (row.moment == "enemy") != (order is not None):
        when = "while the enemy acts" if row.moment == "enemy" else "in your own impulse"
        return Refusal(f"That card is played {when}.", "3.3.3")
    if order is not None:
        why = luck_against.CARDS[row.key].why_not(state, view.side, order)
    else:
        why = _names_too_much(row, action) or luck_own.CARDS[row.key].why_not(view, action)
    return Refusal(why, "3.3.6") if why else None


def _names_too_much(row: LuckCard, action: a.PlayCard) -> str:
    """Whether an action names what the card does not ask for, or leaves out what it does."""
    hexes = {"hex": 1, "pair": 2, "line": 3}.get(row.aim, 0)
    right = (
        len(action.hexes) == hexes
        and (action.target != NONE) == (row.aim in ("unit", "enemy"))
        and (action.battery != NONE) == (row.aim == "battery")
    )
    return "" if right else "Name what the card asks for, and no more."


def play(battle: Battle[State], action: a.PlayCard, *, against: bool = False) -> None:
    """Turn a card up. In one's own impulse it is carried out at once."""
    state = battle.state
    row = LUCK_CARD[action.card]
    side = state.frames[-1].side if state.frames else state.active
    battle.emit(
        CardPlayed(
            side=side, card=row.code, target=action.target, hexes=action.hexes, against=against
        )
    )
    if not against:
        luck_own.CARDS[row.key].play(battle, side, action)


# --- against the enemy ---------------------------------------------------------------------------


def answers(state: State, side: int, order: Action) -> list[int]:
    """The cards of a side that can be played against an order of the other."""
    return [
        code
        for code in dict.fromkeys(state.cards[side])
        if LUCK_CARD[code].moment == "enemy"
        and not luck_against.CARDS[LUCK_CARD[code].key].why_not(state, side, order)
    ]


def hold(battle: Battle[State], order: Any) -> bool:
    """Hold an order if the other side has a card against it. True if it owes an answer."""
    state = battle.state
    if not answers(state, 1 - state.active, order):
        return False
    text = msgspec.json.encode(order).decode()
    battle.emit(OrderHeld(side=state.active, order=text))
    return True


def answer(battle: Battle[State], action: a.PlayCard | a.KeepCard) -> Action | None:
    """The card played against an order, or none: what is left of the order."""
    state = battle.state
    order = held_order(state)
    assert order is not None
    side = state.frames[-1].side
    if isinstance(action, a.KeepCard):
        battle.emit(CardKept(side=side))
        return order
    play(battle, action, against=True)
    battle.emit(OrderResumed(side=1 - side))
    return luck_against.CARDS[LUCK_CARD[action.card].key].play(battle, order)


# --- after one's own action ----------------------------------------------------------------------


def offer(battle: Battle[State], *, again: bool) -> bool:
    """After an impulse, ask its side for a card if it has one to play. OST 3.3.4."""
    if not has_offer(battle.state):
        return False
    battle.emit(CardOffered(side=battle.state.active, again=again))
    return True


def has_offer(state: State) -> bool:
    """Whether the side that acts has a card to play now."""
    if not state.cards[state.active]:
        return False
    return next(luck_own.offers(View(state, state.active)), None) is not None


def keep(battle: Battle[State]) -> bool:
    """No more cards after this impulse; whether the next one is that of the same side."""
    frame = battle.state.frames[-1]
    again = frame.shot
    battle.emit(CardKept(side=frame.side))
    return again
