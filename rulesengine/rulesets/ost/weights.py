"""What a doctrine thinks things are worth, by the posture of its side."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """What a doctrine thinks things are worth, in hundredths of a step."""

    cover: int = 13
    """A point of Defense."""
    nearer: int = 4
    """A hex nearer to the aim, before urgency."""
    spearhead: int = 8
    """Units that press on towards an aim; the next as many go half as eagerly."""
    slack: int = 2
    """Turns kept in hand before a unit hurries."""
    danger: int = 1
    """Thirds of the enemy's possible fire that count."""
    target: int = 7
    """An enemy in reach to a unit that has none."""
    keep_off: int = 4
    """Hexes that supporting weapons keep from their aim."""
    least_shot: int = 1
    """A shot worth less is not taken."""
    reaction: int = 16
    """Opportunity fire worth less is held; twice that while points are few."""
    price: int = 60
    """Hundredths of what a point could buy otherwise that opportunity fire must be worth."""
    control: int = 60
    """An assault on an objective, beside the fight."""
    prize: int = 3
    """A victory point of an objective that a unit can walk into."""
    assault: int = 40
    """An assault worth less is not made."""


SENSIBLE = {
    "meeting": Weights(),
    "attack": Weights(
        cover=9,
        nearer=9,
        spearhead=99,
        slack=1,
        keep_off=0,
        least_shot=3,
        reaction=8,
        control=40,
        prize=5,
        assault=20,
    ),
    "defend": Weights(
        cover=7,
        nearer=9,
        spearhead=99,
        slack=1,
        target=0,
        least_shot=6,
        price=0,
        prize=5,
    ),
}
"""By posture. Who attacks takes losses to be there in time; in a meeting he who waits in cover and
lets the other walk into his fire has the better of it. Found by play against the simple first
doctrine, over the shipped battles and mirrored ones."""

ARMOURED = SENSIBLE | {"meeting": SENSIBLE["meeting"]._replace(slack=3)}
"""The same where there are vehicles: guns keep infantry back, so it sets out a turn earlier. Found
by play of the armour battle with equal forces, against the doctrine without it."""
