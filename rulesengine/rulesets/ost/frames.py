"""What has been begun and is not finished: the stack of interruptions of a battle."""

from __future__ import annotations

NOBODY = -1
"""No counter, no hex."""


class Frame:
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

    __slots__ = (
        "assault",
        "at",
        "bumped",
        "duel",
        "exits",
        "facings",
        "gun",
        "hex",
        "kind",
        "onto",
        "order",
        "owed",
        "path",
        "queue",
        "scrap",
        "shot",
        "shots",
        "side",
        "stage",
        "stealth",
        "stops",
        "streets",
        "target",
        "units",
    )

    def __init__(self, kind: int, side: int) -> None:
        self.kind = kind
        self.side = side
        self.units: tuple[int, ...] = ()
        self.path: tuple[int, ...] = ()
        self.at = 0
        self.owed = False
        self.shot = False
        self.bumped = False
        self.stealth = False
        self.assault = False
        self.hex = NOBODY
        self.queue: list[int] = []
        self.stage = 0
        self.target = NOBODY
        self.facings: tuple[int, ...] = ()
        """Of a vehicle, after each step of its path; empty for foot units."""
        self.duel = False
        """A melee fought as a tank duel."""
        self.gun = NOBODY
        """The unmanned gun that is taken, or with `scrap` destroyed, where the path ends."""
        self.scrap = False
        self.onto = NOBODY
        """The vehicle that is boarded where the path ends. OST 24.1."""
        self.exits = False
        """The way leads off the map from there. OST 23.6.4."""
        self.stops: tuple[tuple[int, int], ...] = ()
        """(steps gone, support weapon) where a vehicle takes one on or puts it down. OST 24.0.3."""
        self.streets: tuple[int, ...] = ()
        """Hexes of the path where the units keep to the street. OST 16.6.1."""
        self.order = ""
        """What the other side is about to do, as JSON. OST 3.3.3."""
        self.shots: list[tuple[int, int]] = []
        """Of a tank duel: (vehicle still to shoot, 1 if at the flank), in order."""
