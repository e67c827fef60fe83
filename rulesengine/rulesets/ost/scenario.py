"""The scenario document of Old School Tactical (OST 3.1): ground, terms, forces.

`HexMap` is also the map file a club member writes by hand (TOML): a character grid with its
legend, roads and hexsides as strings, and shapes for what stands inside a hex.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rulesengine.documents import Doc, Label, Scenario
from rulesengine.rulesets.ost.recasts import Recast


class Hexsides(Doc, frozen=True, kw_only=True):
    """Hexside terrain (OST 15): "F5/NE" is the north-east side of F5, "F5/N+NE+SE" three."""

    kind: Literal["hedge", "stone wall", "bocage"]
    sides: tuple[str, ...]


class Road(Doc, frozen=True, kw_only=True):
    """A road as the hexes it runs through, in order, each next to the one before."""

    hexes: str
    name: str = ""


class Footprint(Doc, frozen=True, kw_only=True):
    """The shape of what stands in a hex, where it is not the usual disc of 0.6 inner radius.

    `polygon` holds points in hundredths of the inner radius from the centre dot, x to the
    east, y to the south.
    """

    hex: str
    polygon: tuple[tuple[int, int], ...]


class Named(Doc, frozen=True, kw_only=True):
    hex: str
    name: str


class HexMap(Doc, frozen=True, kw_only=True):
    """A battlefield.

    `grid` has one string a row, one character a column; `legend` gives each character its
    terrain, several where they share a hex ("woods + stream"). `levels` is a second grid of
    `0`..`3` and `-` for a gully; empty = all at level 0. A raised hex is a hill, unless it holds
    a structure and its terrain does not say `hill`: then the level is that of the building's top
    ("light structure" at 1 has two storeys; "hill + light structure" at 1 is a house on a hill).
    """

    key: str
    title: str
    grid: tuple[str, ...]
    legend: dict[str, str]
    levels: tuple[str, ...] = ()
    hexsides: tuple[Hexsides, ...] = ()
    steep: tuple[str, ...] = ()
    """Hexsides of hills that no unit can cross, written as in `hexsides`. OST 14.14.4."""
    party_walls: tuple[str, ...] | UnsetType = UNSET
    """Hexsides that divide row houses, written as in `hexsides`. OST 16.4."""
    in_play: str | UnsetType = UNSET
    """The part of the map that is played on, "C3:M12"; nobody leaves it, sight does. OST 3.1.2."""
    buildings: tuple[str, ...] | UnsetType = UNSET
    """Structures of several hexes, each as its hexes: "F5, F6, G6". OST 16.3.6."""
    heavy_urban: bool | UnsetType = UNSET
    """A city: sight to and from streets between houses goes by 12.7."""
    roads: tuple[Road, ...] = ()
    bad_roads: bool = False
    """Vehicles pay a whole point by road. OST 14.13.5."""
    footprints: tuple[Footprint, ...] = ()
    names: tuple[Named, ...] = ()
    source: str = ""


class Impulses(Doc, frozen=True, kw_only=True):
    """The impulse dice of a side: 2D6+3 is dice 2, plus 3. OST 4.0."""

    dice: int
    plus: int = 0


class Work(Doc, frozen=True, kw_only=True):
    """Battlefield markers of one kind that a side has on the map from the start. OST 13.

    Mines are hidden; the other works are there for all to see, but for bunkers and cover that are
    to be hidden with the unit in them.
    """

    kind: Literal["cover", "foxholes", "trench", "mines", "bunker", "pillbox", "wire", "roadblock"]
    hexes: str
    """Where: "F5, G6:G8"; one marker a hex."""
    facing: Literal["", "N", "NE", "SE", "S", "SW", "NW"] = ""
    """Where a pillbox looks. OST 13.5.8."""
    hidden: bool | UnsetType = UNSET
    """A bunker, or cover, that lies hidden while a unit hides in it; with nobody hidden there it is
    seen. OST 21.0.2."""


class Battery(Doc, frozen=True, kw_only=True):
    """Off-board artillery of a side: how many missions it fires in the battle. OST 33."""

    kind: Literal["mortar battery", "field artillery", "artillery", "heavy artillery", "rockets"]
    missions: int = 1
    on: int | UnsetType = UNSET
    """It can be called only in turns that begin with this much or more on a die. OST 2.1.p4."""


class Exit(Doc, frozen=True, kw_only=True):
    """Hexes at the edge of the map over which units of a side may leave it. OST 23.6.5."""

    hexes: str
    """Where: "A1:A8"."""
    points: int = 0
    """Victory points for each squad, crewed weapon, crew and vehicle that leaves there."""


class Aircraft(Doc, frozen=True, kw_only=True):
    """An aircraft with its load. OST 26.1."""

    kind: Literal["transport", "glider"]
    at: str
    """The hexes it may be set up in: "C3" or "B2:F4". OST 26.2.1."""
    units: tuple[Label, ...]
    """Ids of the units aboard; a transport drops them in this order. One that is not among the
    forces is left out."""
    supplies: tuple[Label, ...] = ()
    """Ids of units of support weapons that a transport drops by themselves. OST 26.3.11."""


class AirborneOperation(Doc, frozen=True, kw_only=True):
    """Units that come by air: before the battle, or as reinforcements. OST 26."""

    aircraft: tuple[Aircraft, ...]
    turn: int = 0
    """The turn in which they come, from 1; 0 is before the battle."""
    heading: Literal["", "N", "NE", "SE", "S", "SW", "NW"] = ""
    """Where all its transports fly; gliders need none. OST 26.2.5."""


class SideTerms(Doc, frozen=True, kw_only=True):
    """What the scenario sheet says of one side. OST 3.1."""

    side: str
    gut_check: int
    impulses: Impulses
    posture: Literal["attack", "defend", "meeting"]
    zone: str
    """Where it sets up: "A1:F20, G3"."""
    order: int
    """1 sets up first."""
    hidden: int = 0
    """How many foot units may set up hidden, besides snipers. OST 21.0."""
    branch: str = ""
    works: tuple[Work, ...] = ()
    artillery: tuple[Battery, ...] = ()
    air_strikes: int = 0
    """OST 32."""
    exits: tuple[Exit, ...] | UnsetType = UNSET
    """Where it may leave the map; nowhere if nothing is said. OST 23.6.5."""
    airborne: tuple[AirborneOperation, ...] | UnsetType = UNSET
    """What comes by air; nothing if nothing is said. OST 26."""


class CardCopies(Doc, frozen=True, kw_only=True):
    """How often a luck card is in the deck of a battle. OST 3.3."""

    card: Label
    """Key of a card: "strafing-run"."""
    copies: int


class LuckCards(Doc, frozen=True, kw_only=True):
    """Luck cards are drawn after the set-up. OST 3.3."""

    each: int = 1
    """How many each side draws. OST 3.3.p1."""
    deck: tuple[CardCopies, ...] = ()
    """The whole deck, if it is not the one that comes with the game."""
    vehicle_cards: Literal["with vehicles", "always"] = "with vehicles"
    """Whether the deck has its vehicle cards in a battle of infantry. OST 3.3.7."""


class ControlHex(Doc, frozen=True, kw_only=True):
    """OST 3.2. `per_turn` points are scored at each turn's end, `at_end` once."""

    hex: str
    name: str
    owner: str = ""
    per_turn: int = 0
    at_end: int = 0


class Need(Doc, frozen=True, kw_only=True):
    """One thing a goal asks for. OST 3.1.9."""

    kind: Literal["control", "buildings", "exited", "enemy losses", "own losses", "points"]
    """Control hexes held; buildings with a unit of the side in them and no enemy; units that left
    the map, single persons apart; casualty points of the enemy or of the side; victory points."""
    hexes: str = ""
    """Which control hexes (all, if nothing is said) or which buildings: "F5, G6:G8"."""
    at_least: int = 0
    at_most: int | None = None


class Goal(Doc, frozen=True, kw_only=True):
    """What one side has to reach: all of its needs together. OST 3.1.9."""

    name: str
    side: str
    needs: tuple[Need, ...]
    when: Literal["end", "turn end", "at once"] = "end"
    """When it counts; otherwise than at the end it ends the battle."""


class Victory(Doc, frozen=True, kw_only=True):
    """How points decide: a lead of `margin` or more wins, less is a draw."""

    per_casualty: int = 1
    """Victory points for each enemy casualty point at the end. OST 1.6."""
    margin: int = 1
    handicap: int = 0
    """Points the second side starts with."""
    goals: tuple[Goal, ...] | UnsetType = UNSET
    """Who meets a goal wins; if both sides do it is a draw."""
    otherwise: str | UnsetType = UNSET
    """The side that wins where no goal was met; if nothing is said points decide."""


def _told(words: str) -> msgspec.Meta:
    return msgspec.Meta(description=words)


class Options(Doc, frozen=True, kw_only=True):
    """Named readings and optional rules (RULINGS.md), as the scenario sets them. The
    descriptions are for the players' sheet too."""

    extended_play: Annotated[
        bool,
        _told("After the last turn both sides roll a die: at 7 or more together, one more turn."),
    ] = True
    leader_rolls_for_hex: Annotated[
        bool,
        _told("A leader may be hit with any unit of his hex, not only with the one he leads."),
    ] = False
    """OST 27.4.5 read to the letter."""
    melee_halves_after_bonus: Annotated[
        bool,
        _told("Where all of a side are shaken in a melee, its +2 is halved with their firepower."),
    ] = False
    duel_without_bonus: Annotated[
        bool, _told("Shots of a tank duel do without the +2 that they otherwise have.")
    ] = False
    """As the book's example of 31.1.6 has them."""
    cavalry_charges: Annotated[
        bool | UnsetType,
        _told("Cavalry in good order that assaults adds one to its side's rolls in that melee."),
    ] = UNSET
    """What a charge is the book does not say. OST 30.2.6."""
    gliders_roll_for_bocage: Annotated[
        bool | UnsetType,
        _told("Bocage may wreck a glider as a hedge does, on 1 or 2; otherwise it always does."),
    ] = UNSET
    """OST 26.4.7 without 26.4.6's heavy terrain."""
    all_fire_at_landings: Annotated[
        bool | UnsetType,
        _told("Each enemy unit next to a landing may fire at it, not one of them or a group."),
    ] = UNSET
    """OST 26.3.9 read for every unit by itself."""


class OstScenario(Scenario, frozen=True, kw_only=True):
    """A battle of Old School Tactical, complete in one document."""

    ground: HexMap
    turns: int
    terms: tuple[SideTerms, SideTerms]
    control: tuple[ControlHex, ...] = ()
    victory: Victory = Victory()
    options: Options = Options()
    counters: tuple[Recast, ...] | UnsetType = UNSET
    """Counters whose figures are not those of the catalogue."""
    luck_cards: LuckCards | UnsetType = UNSET
    """Whether luck cards are used; if nothing is said, not. OST 3.3."""
    notes: str = ""

    @property
    def most_turns(self) -> int:
        """Those printed, and one of extended play. OST 1.4."""
        return self.turns + self.options.extended_play

    @property
    def head_start(self) -> tuple[int, int]:
        return (0, self.victory.handicap)
