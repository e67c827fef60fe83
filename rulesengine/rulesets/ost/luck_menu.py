"""Luck cards for the menu and the doctrine (OST 3.3): what can be played, and whether it pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulesengine.contract import Action
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import luck_own
from rulesengine.rulesets.ost.charts import LUCK_CARD
from rulesengine.rulesets.ost.fire import firers_of
from rulesengine.rulesets.ost.luck import answers, held_order
from rulesengine.rulesets.ost.state import BROKEN, SHAKEN, View
from rulesengine.rulesets.ost.support_menu import hex_worth
from rulesengine.rulesets.ost.worth import MORALE_WORTH

PAYS = 45
"""Least worth, in hundredths of a step, for which a card is played; in the last turn a third."""
PLACED = 20
"""The same for smoke, and for the spotter plane."""
SURE = 50
NEAR = 6
"""Hexes at which the enemy makes men dig."""


Placed = Mapping[str, Callable[[int], tuple[int, Action | None]]]
"""By the key of a card that goes where no enemy is seen: what the best place for a card of its code
is worth, and that order."""


def candidates(view: View) -> Iterator[Action]:
    """When a card is asked for."""
    order = held_order(view.state)
    if order is None:
        yield from luck_own.offers(view)
    else:
        yield from (a.PlayCard(card=code) for code in answers(view.state, view.side, order))
    yield a.KeepCard()


def best(view: View, placed: Placed) -> a.PlayCard | None:
    """The card of one's own impulse that pays most, if one pays."""
    state = view.state
    for code in state.cards[view.side]:
        place = placed.get(LUCK_CARD[code].key)
        if place is not None:
            worth, order = place(code)
            if isinstance(order, a.PlayCard) and worth >= PLACED:
                return order
    floor = PAYS if state.turn > 1 else PAYS // 3
    found: a.PlayCard | None = None
    for offered in luck_own.offers(view):
        value = _WORTH[LUCK_CARD[offered.card].key](view, offered)
        if value >= floor:
            floor, found = value + 1, offered
    return found


def answer(view: View, placed: Placed) -> Action:
    """Against what the enemy has begun: the first card that is not too good for it."""
    state = view.state
    order = held_order(state)
    if order is None:
        return best(view, placed) or a.KeepCard()
    for code in answers(state, view.side, order):
        if _is_worth_it(view, LUCK_CARD[code].key, order):
            return a.PlayCard(card=code)
    return a.KeepCard()


WEIGHTY, LONG = 4, 3
"""Firepower of a shot, hexes of a move, for which a card is played against it."""
MARCHES = (a.Move, a.Load, a.Unload, a.RollingCover)
"""What it takes so many hexes of; who leaves the map is always worth it."""


def _is_worth_it(view: View, key: str, order: Action) -> bool:
    state = view.state
    if isinstance(order, a.Fire):
        return sum(state.figures(c)[0] for c in firers_of(order)) >= WEIGHTY
    if isinstance(order, MARCHES) and key == "second-thoughts":
        return len(order.path) >= LONG
    if isinstance(order, a.Rally):
        return state.steps[order.unit] > 1
    return True


def _strike(power: int) -> Callable[[View, a.PlayCard], int]:
    return lambda view, x: sum(hex_worth(view, h, power, "air strike") for h in x.hexes)


def _rally(view: View, x: a.PlayCard) -> int:
    state = view.state
    return MORALE_WORTH[state.morale[x.target]] * state.steps[x.target]


def _dig(view: View, x: a.PlayCard) -> int:
    state = view.state
    h = state.hex[x.target]
    near = any(state.ground.grid.distance(view.hex[c], h) <= NEAR for c in view.enemies())
    return SURE if near and not state.ground.defense[h] and state.steps[x.target] > 1 else 0


def _again(view: View, x: a.PlayCard) -> int:
    state = view.state
    power = state.figures(x.target)[0]
    spent = state.acts(x.target) >= 2 and state.impulses[view.side] > 1
    return 10 * power if spent and view.enemies() else 0


def _hurry(view: View, x: a.PlayCard) -> int:
    return SURE if view.state.impulses[view.side] == 1 and view.enemies() else 0


def _tangle(view: View, x: a.PlayCard) -> int:
    return SURE if view.state.impulses[1 - view.side] > 2 and view.enemies() else 0


def _panic(view: View, x: a.PlayCard) -> int:
    state, c = view.state, x.target
    worse = BROKEN if state.morale[c] == SHAKEN else SHAKEN
    lost = MORALE_WORTH[worse] - MORALE_WORTH[state.morale[c]]
    return lost * state.steps[c]


def _grenades(view: View, x: a.PlayCard) -> int:
    return hex_worth(view, view.hex[x.target], luck_own.GRENADES, "luck card")


def _sure(view: View, x: a.PlayCard) -> int:
    return SURE


def _elsewhere(view: View, x: a.PlayCard) -> int:
    """Smoke and the spotter plane go where no enemy is seen: see `Placed`."""
    return 0


_WORTH: dict[str, Callable[[View, a.PlayCard], int]] = {
    "strafing-run": _strike(luck_own.STRAFING),
    "fighter-bombers": _strike(6),
    "second-wind": _rally,
    "quick-spades": _dig,
    "fresh-orders": _hurry,
    "once-more": _again,
    "spare-parts": _sure,
    "pulled-free": _sure,
    "one-more-mission": _sure,
    "smoke-pots": _elsewhere,
    "panic": _panic,
    "marksman": _sure,
    "grenades": _grenades,
    "stray-shells": _strike(luck_own.SHELLS),
    "spotter-plane": _elsewhere,
    "tangled-wires": _tangle,
}
