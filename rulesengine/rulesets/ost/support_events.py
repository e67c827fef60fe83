"""Artillery and aircraft from off the map (OST 32, 33). Kinds are for ever; see `events.py`."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from rulesengine.contract import Event
from rulesengine.dice import Roll
from rulesengine.rulesets.ost.charts import MARKERS, MODIFIER, rules_of_modifiers

__all__ = [
    "AccuracyRolled",
    "AirStrikeCalled",
    "AnySupportEvent",
    "ArtilleryCalled",
    "Drifted",
    "HexFireDeclared",
    "MortarDrifted",
    "ObstacleShelled",
    "PilotRolled",
    "StrikeFell",
]


LEADER_AT_MORTAR = MODIFIER["LEADER_AT_MORTAR"].code


class ArtilleryCalled(Event, frozen=True, tag="ost.artillery_called"):
    """A spotter calls a mission of a battery upon a hex."""

    spotter: int
    battery: int
    """Index in the side's batteries."""
    hex: int
    smoke: bool

    def cites(self) -> tuple[str, ...]:
        smoke = ("33.0.5",) if self.smoke else ()
        return ("33.0.1", "33.1.1", "33.1.2", "33.1.3", "33.1.4", "3.1.8", *smoke)


class AccuracyRolled(Event, frozen=True, tag="ost.accuracy_rolled"):
    """Whether a strike falls where it was called."""

    side: int
    roll: Roll
    total: int
    needed: int
    modifiers: tuple[int, ...]
    mortar: bool = False
    """Of a squad's own mortar."""

    @property
    def accurate(self) -> bool:
        return self.total >= self.needed

    def cites(self) -> tuple[str, ...]:
        if self.mortar:
            led = ("10.3.4",) if LEADER_AT_MORTAR in self.modifiers[::2] else ()
            return ("10.3.5", *led, *rules_of_modifiers(self.modifiers))
        verdict = "33.2.4" if self.accurate else "33.2.5"
        return ("33.2.1", "33.2.2", verdict, *rules_of_modifiers(self.modifiers))


class Drifted(Event, frozen=True, tag="ost.drifted"):
    """A strike moves off; `hex` -1 where that is off the map."""

    rolls: tuple[Roll, Roll]
    """For the direction, then for the distance."""
    hex: int

    def cites(self) -> tuple[str, ...]:
        gone = ("33.3.4",) if self.hex < 0 else ("33.3.3",)
        return ("33.3.1", "33.3.2", *gone)


class StrikeFell(Event, frozen=True, tag="ost.strike_fell"):
    """Shells fall on a hex and the six around, for the rest of the turn."""

    side: int
    battery: int
    hex: int
    firepower: int
    around: int

    def cites(self) -> tuple[str, ...]:
        return ("33.0.3", "33.0.4", "33.4.9")


class ObstacleShelled(Event, frozen=True, tag="ost.obstacle_shelled"):
    """Whether shells remove wire or a roadblock."""

    side: int
    hex: int
    marker: int
    roll: Roll
    needed: int

    def cites(self) -> tuple[str, ...]:
        return ("13.6.8" if MARKERS[self.marker].key == "wire" else "13.7.6",)


class AirStrikeCalled(Event, frozen=True, tag="ost.air_strike_called"):
    """Aircraft attack two hexes side by side."""

    side: int
    hexes: tuple[int, int]
    card: bool | UnsetType = UNSET
    """By a luck card, for nothing."""

    def cites(self) -> tuple[str, ...]:
        if self.card is True:
            return ("32.0.1", "32.0.2", "32.0.3", "32.0.p1")
        return ("32.0.1", "32.0.2", "32.0.3", "3.1.8", "32.0.p1")


PILOTS = {4: "32.0.p2", 6: "32.0.p3", 8: "32.0.p4"}
"""The rule of each quality, by its firepower."""


class PilotRolled(Event, frozen=True, tag="ost.pilot_rolled"):
    """How good the pilot is, and so the firepower in both hexes."""

    side: int
    roll: Roll
    firepower: int

    def cites(self) -> tuple[str, ...]:
        return ("32.0.4", "32.0.5", PILOTS[self.firepower])


class HexFireDeclared(Event, frozen=True, tag="ost.hex_fire_declared"):
    """A squad throws a satchel charge, or fires its mortar, at all of a hex."""

    unit: int
    weapon: int
    hex: int
    mortar: bool
    smoke: bool
    reaction: bool
    intensive: bool

    def cites(self) -> tuple[str, ...]:
        reaction = ("27.6.1", "27.6.2", "27.6.9") if self.reaction else ()
        intensive = ("27.7.p1", "27.7.1") if self.intensive else ()
        own: tuple[str, ...] = ("10.2.p1", "10.2.1", "10.2.2")
        if self.mortar:
            bombs = ("10.3.9", "10.3.11", "10.3.13", "10.3.15", "16.5.6")
            own = ("10.3.1", "10.3.2", "10.3.3", *bombs)
        smoke = ("10.3.12",) if self.smoke else ()
        return ("27.4.1", "22.0.3", *own, *smoke, *reaction, *intensive)


class MortarDrifted(Event, frozen=True, tag="ost.mortar_drifted"):
    """A mortar's bombs fall one hex off; -1 off the map."""

    roll: Roll
    hex: int

    def cites(self) -> tuple[str, ...]:
        return ("10.3.6", "33.3.1")


AnySupportEvent = (
    ArtilleryCalled
    | AccuracyRolled
    | Drifted
    | StrikeFell
    | ObstacleShelled
    | AirStrikeCalled
    | PilotRolled
    | HexFireDeclared
    | MortarDrifted
)
