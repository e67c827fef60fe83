"""What has been begun and is not finished: the stack of interruptions of a battle."""

from __future__ import annotations

import msgspec

NOBODY = -1
"""No counter, no hex."""


class Frame(msgspec.Struct, gc=False):
    """Something begun and not finished, on the stack of interruptions.

    MOVING: `units` go along `path`; `at` hexes are entered; `owed` = the other side may fire.
    FIGHTING: the melee in `hex`; `queue` = counters that still have to evade or retreat,
    `stage` = EVADE, CONCENTRATE, STRIKE, RETREAT, or DUEL for a tank duel.
    LANDING: `units` come down by air (and with the first of them the leader in `queue`); `owed` =
    the enemy may fire, `shot` = that is over, `bumped` = they were set down elsewhere; `stage` =
    FALLING, CHOOSING where, or SPILLED out of a full hex. See `airborne.py`.
    Of a landing `shots` names those who have fired at it.
    CARD: `side` may play a luck card, AFTER its own action or AGAINST the `order` of the enemy.
    """

    kind: int
    side: int
    units: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    at: int = 0
    owed: bool = False
    shot: bool = False
    bumped: bool = False
    stealth: bool = False
    assault: bool = False
    hex: int = NOBODY
    queue: list[int] = []
    because: tuple[str, ...] = ()
    """The rules by which those of the queue leave a melee."""
    stage: int = 0
    target: int = NOBODY
    facings: tuple[int, ...] = ()
    """Of a vehicle, after each step of its path; empty for foot units."""
    duel: bool = False
    """A melee fought as a tank duel."""
    gun: int = NOBODY
    """The unmanned gun that is taken, or with `scrap` destroyed, where the path ends."""
    scrap: bool = False
    onto: int = NOBODY
    """The vehicle that is boarded where the path ends. OST 24.1."""
    exits: bool = False
    """The way leads off the map from there. OST 23.6.4."""
    stops: tuple[tuple[int, int], ...] = ()
    """(steps gone, support weapon) where a vehicle takes one on or puts it down. OST 24.0.3."""
    streets: tuple[int, ...] = ()
    """Hexes of the path where the units keep to the street. OST 16.6.1."""
    order: str = ""
    """What the other side is about to do, as JSON. OST 3.3.3."""
    shots: list[tuple[int, int]] = []
    """Of a tank duel: (vehicle still to shoot, 1 if at the flank), in order."""
