"""Bunkers and cover that lie hidden with the unit in them (OST 21.0.2), for `evolve.py` and the
set-up.

`state.unseen` names them until a unit in their hex is revealed: till then nothing on the table
knows of them, and nobody can be attacked in them, for whoever is there is found first.
"""

from __future__ import annotations

from rulesengine.rulesets.ost.state import State
from rulesengine.rulesets.ost.works import COVER, settle


def unearth(state: State, hexes: tuple[int, ...]) -> None:
    """What lies hidden in some hexes is there for all to see, but where another marker has come:
    one to a hex (13.0.p2), and a house that fell has taken it along (16.7.8)."""
    found = tuple(h for h in dict.fromkeys(hexes) if h in state.unseen)
    for h in found:
        side, marker = state.unseen.pop(h)
        if h in state.works:
            continue
        state.works[h] = marker
        state.covers.pop(h, None)
        if marker == COVER:
            state.covers[h] = side
    if found:
        settle(state, found)


def empty_of_hidden(state: State, side: int) -> tuple[int, ...]:
    """Those of a side with nobody hidden in them: they have nobody to be hidden with."""
    return tuple(
        h
        for h, (owner, _) in state.unseen.items()
        if owner == side and not any(state.hidden[c] for c in state.in_hex(h, side))
    )
