"""What a side may choose (OST 4, 18, 21 to 27, 30). Counters and hexes are their numbers."""

from __future__ import annotations

from rulesengine.contract import Action

NONE = -1


class Deploy(Action, frozen=True, tag="ost.deploy"):
    """Lay out a whole side. OST 3.1, 7.3.4, 20, 21."""

    places: tuple[tuple[int, int], ...]
    """(counter, hex) of every unit and leader."""
    attached: tuple[tuple[int, int], ...] = ()
    """(leader, unit)."""
    carried: tuple[tuple[int, int], ...] = ()
    """(support weapon, unit)."""
    hidden: tuple[int, ...] = ()
    facings: tuple[tuple[int, int], ...] = ()
    """(crewed weapon with a covered arc, direction 0..5)."""
    aboard: tuple[tuple[int, int], ...] = ()
    """(unit, the vehicle it rides on). OST 24.0."""
    streets: tuple[int, ...] = ()
    """Units in the street of a hex with road and house. OST 16.6.1."""
    aircraft: tuple[tuple[int, int], ...] = ()
    """(aircraft of the side as its flights are numbered, hex it is set up in). OST 26.2."""


class Attach(Action, frozen=True, tag="ost.attach"):
    """Attach a leader to a unit of his hex in the Reform Phase. OST 7.3."""

    leader: int
    unit: int


class Detach(Action, frozen=True, tag="ost.detach"):
    leader: int


class Merge(Action, frozen=True, tag="ost.merge"):
    """Two reduced squads of one type become one full squad. OST 18.2."""

    kept: int
    """The one with the leader, in whose hex the squad forms."""
    gone: int


class Transfer(Action, frozen=True, tag="ost.transfer"):
    """Hand a support weapon to another unit of the stack in the Reform Phase, in exchange for what
    it carries. OST 10.0.14."""

    weapon: int
    unit: int


class EndReform(Action, frozen=True, tag="ost.end_reform"):
    pass


class Fire(Action, frozen=True, tag="ost.fire"):
    """Fire, in one's own impulse or as opportunity fire. OST 27.4 to 27.8."""

    firer: int
    target: int
    weapon: int = NONE
    """The firer's support weapon, if it is used."""
    alone: bool = False
    """The weapon fires past the unit's own range, without it. OST 10.0.5."""
    partner: int = NONE
    """The other unit of a fire group. OST 27.8."""
    partner_weapon: int = NONE
    second: int = NONE
    """Sustained fire: the target of its second attack. OST 8.1."""


class VehicleFire(Action, frozen=True, tag="ost.vehicle_fire"):
    """A vehicle fires a main armament, its machine guns, or both, each at a target. OST 29.1."""

    firer: int
    target: int = NONE
    """Of the main armament."""
    mg: int = NONE
    """Of the machine guns."""
    hull: bool = False
    """The hull gun of two main armaments. OST 9.3."""


class Drive(Action, frozen=True, tag="ost.drive"):
    """Drive along a path; a step into the hex one is in is a pivot. OST 23.4."""

    unit: int
    path: tuple[int, ...]
    facings: tuple[int, ...]
    """After each step: one hexside from before at most, in a pivot any."""
    weapons: tuple[tuple[int, int], ...] = ()
    """(steps gone, support weapon) to take on or put down there. OST 24.0.3."""
    gun: int = NONE
    """An unmanned gun where the path ends, to destroy. OST 8.0.9."""


class LeaveGun(Action, frozen=True, tag="ost.leave_gun"):
    """Those who manned a gun leave it, whole or destroyed. OST 8.2.2."""

    unit: int
    destroy: bool = False


class DuelTarget(Action, frozen=True, tag="ost.duel_target"):
    """Which of two enemy vehicles the lone one shoots at. OST 31.1.12."""

    target: int


class Move(Action, frozen=True, tag="ost.move"):
    """Move along a path; two units with a leader move as a group. OST 23."""

    unit: int
    path: tuple[int, ...]
    partner: int = NONE
    stealth: bool = False
    gun: int = NONE
    """An unmanned gun where the path ends, to man. OST 8.0.3."""
    scrap: bool = False
    """Destroy that gun instead. OST 8.0.9."""
    streets: tuple[int, ...] = ()
    """Hexes of the way with road and house where it keeps to the street. OST 16.6.1."""


class AssaultMove(Action, frozen=True, tag="ost.assault_move"):
    """Enter an adjacent enemy hex or empty control hex. OST 25."""

    unit: int
    hex: int
    partner: int = NONE
    street: bool = False
    """Into the street of a hex with road and house. OST 16.6.1."""
    gun: int = NONE
    """An unmanned gun where it ends, to man. OST 8.0.3."""
    scrap: bool = False
    """Destroy that gun instead. OST 8.0.9."""


class Pivot(Action, frozen=True, tag="ost.pivot"):
    """Turn a covered arc; counts as moving. OST 8.0.13."""

    unit: int
    facing: int


class Rally(Action, frozen=True, tag="ost.rally"):
    unit: int


class PickUp(Action, frozen=True, tag="ost.pick_up"):
    """Take up a support weapon that lies in the hex, and put down the one that is carried; costs
    nothing. OST 10.0.12, 10.0.13."""

    unit: int
    weapon: int


class SeekCover(Action, frozen=True, tag="ost.seek_cover"):
    """Try to find cover in one's hex; any number of times. OST 13.1."""

    unit: int


class LaySmoke(Action, frozen=True, tag="ost.lay_smoke"):
    """Engineers lay smoke in their hex or the next. OST 6.1.1."""

    unit: int
    hex: int


class Clear(Action, frozen=True, tag="ost.clear"):
    """Engineers begin to clear mines, wire or a roadblock. OST 6.1.3."""

    unit: int
    hex: int


class BlowUp(Action, frozen=True, tag="ost.blow_up"):
    """Blow up the bunker one is in. OST 13.4.9."""

    unit: int


class CallArtillery(Action, frozen=True, tag="ost.call_artillery"):
    """A unit that sees a hex calls a mission of a battery upon it. OST 33."""

    spotter: int
    battery: int
    hex: int
    smoke: bool = False


class AirStrike(Action, frozen=True, tag="ost.air_strike"):
    """Aircraft attack the hex a unit sees and one beside it. OST 32."""

    spotter: int
    hex: int
    other: int


class HexFire(Action, frozen=True, tag="ost.hex_fire"):
    """A satchel charge or a mortar at all of a hex. OST 10.2, 10.3."""

    unit: int
    weapon: int
    hex: int
    smoke: bool = False


class Demolish(Action, frozen=True, tag="ost.demolish"):
    """A heavy gun fires at an empty building. OST 16.7.3."""

    unit: int
    hex: int


class Scrap(Action, frozen=True, tag="ost.scrap"):
    """Destroy a support weapon that lies in the hex; costs nothing. OST 10.0.13."""

    unit: int
    weapon: int


class Load(Action, frozen=True, tag="ost.load"):
    """Move to a vehicle and get on it. OST 24.1."""

    unit: int
    vehicle: int
    path: tuple[int, ...] = ()
    streets: tuple[int, ...] = ()
    """Hexes of the way with road and house where it keeps to the street. OST 16.6.1."""


class Unload(Action, frozen=True, tag="ost.unload"):
    """Get off a vehicle, and move on with what points are left. OST 24.2."""

    unit: int
    path: tuple[int, ...] = ()
    facing: int = 0
    """Of a covered arc. OST 24.2.5."""
    streets: tuple[int, ...] = ()
    """Hexes of the way with road and house where it keeps to the street. OST 16.6.1."""
    gun: int = NONE
    """An unmanned gun where it ends, to man. OST 8.0.3."""
    scrap: bool = False
    """Destroy that gun instead. OST 8.0.9."""


class RollingCover(Action, frozen=True, tag="ost.rolling_cover"):
    """A squad and an armored vehicle move together. OST 23.2."""

    unit: int
    vehicle: int
    path: tuple[int, ...]
    facings: tuple[int, ...]
    """Of the vehicle after each step."""
    gun: int = NONE
    """An unmanned gun where it ends, to man. OST 8.0.3."""
    scrap: bool = False
    """Destroy that gun instead. OST 8.0.9."""


class LeaveCover(Action, frozen=True, tag="ost.leave_cover"):
    """Give rolling cover up; costs nothing. OST 23.2.9."""

    unit: int


class Exit(Action, frozen=True, tag="ost.exit"):
    """Move to the edge of the map and leave it. OST 23.6.4."""

    unit: int
    path: tuple[int, ...] = ()
    facings: tuple[int, ...] = ()
    """Of a vehicle, after each step."""
    streets: tuple[int, ...] = ()
    """Hexes of the way with road and house where it keeps to the street. OST 16.6.1."""


class Pass(Action, frozen=True, tag="ost.pass"):
    """Let the other side go on, holding fewer points. OST 4.0.6."""


class DropPoint(Action, frozen=True, tag="ost.drop_point"):
    """Give up a point without acting. OST 4.0.7."""


class HoldFire(Action, frozen=True, tag="ost.hold_fire"):
    """Decline opportunity fire in this hex."""


class Evade(Action, frozen=True, tag="ost.evade"):
    """A single person tries to slip out of a melee. OST 7.0.4."""

    unit: int
    to: int


class Stand(Action, frozen=True, tag="ost.stand"):
    """A single person stays in the melee."""

    unit: int


class Concentrate(Action, frozen=True, tag="ost.concentrate"):
    """The outnumbered side attacks one unit only, or all (target -1). OST 30.5."""

    target: int = NONE


class Retreat(Action, frozen=True, tag="ost.retreat"):
    """Where a unit goes that must leave a melee hex. OST 30.4.3; `destroy`: those who manned a gun
    that cannot walk leave it behind destroyed, 8.2.2."""

    unit: int
    to: int
    destroy: bool = False


class FireAtLanding(Action, frozen=True, tag="ost.fire_at_landing"):
    """A unit or group next to where an enemy comes down fires at him, for nothing. OST 26.3.9."""

    firer: int
    partner: int = NONE


class Land(Action, frozen=True, tag="ost.land"):
    """Where a unit comes down that cannot stay where it fell. OST 26.3.8, 26.3.12, 26.4.15."""

    unit: int
    to: int


class PlayCard(Action, frozen=True, tag="ost.play_card"):
    """Play a luck card; costs nothing. OST 3.3.3."""

    card: int
    """Its code."""
    target: int = NONE
    """A unit of one's own or of the enemy, as the card says."""
    hexes: tuple[int, ...] = ()
    battery: int = NONE


class KeepCard(Action, frozen=True, tag="ost.keep_card"):
    """Play none now."""


AnyAction = (
    Deploy
    | Attach
    | Detach
    | Merge
    | Transfer
    | EndReform
    | Fire
    | Move
    | AssaultMove
    | Pivot
    | Rally
    | PickUp
    | Pass
    | DropPoint
    | HoldFire
    | Evade
    | Stand
    | Concentrate
    | Retreat
    | VehicleFire
    | Drive
    | LeaveGun
    | DuelTarget
    | SeekCover
    | LaySmoke
    | Clear
    | BlowUp
    | CallArtillery
    | AirStrike
    | HexFire
    | Scrap
    | Demolish
    | Load
    | Unload
    | RollingCover
    | LeaveCover
    | Exit
    | FireAtLanding
    | Land
    | PlayCard
    | KeepCard
)
