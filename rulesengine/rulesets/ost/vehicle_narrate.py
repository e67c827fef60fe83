"""Words for what happens to vehicles and guns; see `narrate.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS, VCT_RESULTS
from rulesengine.rulesets.ost.damage import CREW_WAVERS, MINOR, SURVIVES
from rulesengine.rulesets.ost.state import (
    HULL_OUT,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    MORALE_NAMES,
    NONE,
)
from rulesengine.rulesets.ost.telling import Teller, Told, added, dice
from rulesengine.rulesets.ost.tracks import BOGS_ON
from rulesengine.rulesets.ost.vehicle_events import ABANDONED
from rulesengine.rulesets.ost.vehicles import DRIVE, is_lorry

SIDES = ("north", "north-east", "south-east", "south", "south-west", "north-west")


def _halves(halves: int) -> str:
    whole, half = divmod(halves, 2)
    return f"{whole or ''}{'½' if half else ''}" or "0"


def _declared(t: Teller, x: v.VehicleFireDeclared) -> Told:
    how = "Opportunity fire: " if x.reaction else ""
    if x.intensive:
        how += "Intensive fire: "
    what = []
    if x.target != NONE:
        what.append(f"{'the hull gun ' if x.hull else ''}at {t.name(x.target)}")
    if x.mg != NONE:
        what.append(f"the machine guns at {t.name(x.mg)}")
    return f"{how}{t.name(x.firer)} fires {' and '.join(what)}.", (x.firer,), 0


def _hit(t: Teller, x: v.HitRolled) -> Told:
    weapon = f" with {t.name(x.weapon)}" if x.weapon != NONE else ""
    verdict = "a critical hit" if x.critical else "a hit" if x.total >= x.needed else "a miss"
    far = "the next hex" if x.distance == 1 else f"{x.distance} hexes"
    text = (
        f"{t.name(x.firer)}{weapon} at {t.name(x.target)}, {far}: to hit {x.needed}: "
        f"{added(x.roll, x.total)}: {verdict}."
    )
    return text, (x.firer, x.target), 0


def _shot(t: Teller, x: v.VehicleShot) -> Told:
    side = "flank" if x.flank else "front"
    what = "FP" if x.soft or x.how == "thrown" else "AP"
    better = ", one better for the critical hit" if x.critical else ""
    text = (
        f"{t.names(x.firers)} at the {side} of {t.name(x.target)}: {what} {x.firepower} - Defense "
        f"{x.defense} = column {COLUMNS[x.column]}{better}; {added(x.roll, x.total)}: "
        f"{VCT_RESULTS[x.result] or 'no result'}."
    )
    return text, (*x.firers, x.target), 1 if x.result else 0


_PARTS = (
    (MGS_OUT, "the machine guns are out"),
    (MAIN_OUT, "the main gun is out"),
    (HULL_OUT, "the hull gun is out"),
    (IMMOBILE, "it is immobilised"),
)


def _damage(t: Teller, x: v.DamageRolled) -> Told:
    hurt = [words for bit, words in _PARTS if x.adds & bit]
    verdict = ", ".join(hurt) or (
        "the crew waver" if x.roll.total == CREW_WAVERS else "minor damage"
    )
    if is_lorry(t.state.kind[x.unit]) and x.roll.total > MINOR:
        verdict = "more than it can take"
    return f"{t.name(x.unit)} is hit: damage roll {x.roll.total}: {verdict}.", (x.unit,), 1


def _abandon(t: Teller, x: v.AbandonRolled) -> Told:
    verdict = "they stay" if x.roll.total >= x.needed else "they leave it"
    text = f"The crew of {t.name(x.unit)}: gut check {x.needed}: rolled {dice(x.roll)}: {verdict}."
    return text, (x.unit,), 0


def _crew(t: Teller, x: v.CrewRolled) -> Told:
    verdict = "they get out" if x.roll.total == SURVIVES else "nobody gets out"
    text = f"The crew of {t.name(x.unit)}: roll {x.roll.total}, out on {SURVIVES}: {verdict}."
    return text, (x.unit,), 1


def _wrecked(t: Teller, x: v.Wrecked) -> Told:
    how = "is abandoned" if x.why in ABANDONED else "is destroyed"
    return f"{t.state.names[x.unit]} {how}; a wreck is left.", (x.unit,), 2


def _leader(t: Teller, x: v.ArmorLeaderLost) -> Told:
    return f"{t.name(x.leader)} is lost.", (x.leader,), 2


def _unnerved(t: Teller, x: v.CrewUnnerved) -> Told:
    return f"{t.name(x.unit)} is {MORALE_NAMES[x.now]} at once.", (x.unit,), 1


def _lost(t: Teller, x: v.AcquisitionLost) -> Told:
    return f"{t.name(x.firer)} loses sight of {t.name(x.target)}.", (x.firer, x.target), 0


def _drive(t: Teller, x: v.DriveDeclared) -> Told:
    way = " ".join(t.state.ground.name(h) for h in x.path)
    onto = " onto the map" if x.enters else ""
    return f"{t.name(x.unit)} drives{onto}: {way}.", (x.unit,), int(x.enters)


def _turned(t: Teller, x: v.Turned) -> Told:
    return f"{t.name(x.unit)} faces {SIDES[x.facing]}.", (x.unit,), 0


def _bog(t: Teller, x: v.BogRolled) -> Told:
    verdict = "bogs down" if x.bogged else "gets through"
    least = BOGS_ON[DRIVE[t.state.kind[x.unit]]]
    rolled = f"{added(x.roll, x.total)}, bogged on {least} or less"
    return f"{t.name(x.unit)} {verdict} ({rolled}).", (x.unit,), int(x.bogged)


def _free(t: Teller, x: v.FreeingRolled) -> Told:
    verdict = "is free again" if x.freed else "stays bogged"
    if x.stuck:
        verdict = "is stuck for good"
    rolled = f"{added(x.roll, x.total)}, free on 3 or more"
    return f"{t.name(x.unit)} {verdict} ({rolled}).", (x.unit,), int(x.freed or x.stuck)


def _expended(t: Teller, x: v.Expended) -> Told:
    return f"{t.name(x.weapon)} is used up.", (x.weapon,), 0


def _blown(t: Teller, x: v.BlownBack) -> Told:
    return f"The blast fills the building in {t.place(x.hex)}.", (), 0


def _left(t: Teller, x: v.GunLeft) -> Told:
    verdict = "stays on the field" if x.remains else "is lost"
    return f"The gun of {t.name(x.gun)} {verdict} ({x.roll.total}).", (x.gun,), 1


def _claimed(t: Teller, x: v.GunClaimed) -> Told:
    what = "destroy" if x.scrap else "man"
    return f"{t.name(x.unit)} goes to {what} the gun of {t.name(x.gun)}.", (x.unit,), 0


def _manned(t: Teller, x: v.GunManned) -> Told:
    what = "captures" if x.captured else "mans"
    return f"{t.name(x.unit)} {what} the gun of {t.name(x.gun)}.", (x.unit,), 1


def _scrapped(t: Teller, x: v.GunDestroyed) -> Told:
    return f"{t.name(x.unit)} destroys the gun of {t.name(x.gun)}.", (x.unit,), 1


def _abandoned(t: Teller, x: v.GunAbandoned) -> Told:
    if x.buried:
        return f"{t.name(x.unit)} loses its gun, which is buried.", (x.unit,), 1
    what = "destroys and leaves" if x.destroyed else "leaves"
    return f"{t.name(x.unit)} {what} its gun.", (x.unit,), 1


def _struck(t: Teller, x: v.VehicleStruck) -> Told:
    text = (
        f"{t.team(x.side)} strike at {t.name(x.target)}, column {COLUMNS[x.column]}: "
        f"{added(x.roll, x.total)}: {VCT_RESULTS[x.result] or 'no result'}."
    )
    return text, (x.target,), 1 if x.result else 0


def _duel(t: Teller, x: v.DuelOpened) -> Told:
    rolls = " to ".join(str(total) for total in x.totals)
    first, flank = x.shots[0]
    where = ", into the flank" if flank else ""
    return f"Tank duel in {t.place(x.hex)}: {rolls}: {t.name(first)} first{where}.", (), 1


def _no_shot(t: Teller, x: v.DuelShotLost) -> Told:
    return f"{t.name(x.unit)} cannot shoot.", (x.unit,), 0


TELL: dict[type[Event], Callable[[Teller, Any], Told]] = {
    v.VehicleFireDeclared: _declared,
    v.HitRolled: _hit,
    v.VehicleShot: _shot,
    v.DamageRolled: _damage,
    v.AbandonRolled: _abandon,
    v.CrewRolled: _crew,
    v.Wrecked: _wrecked,
    v.ArmorLeaderLost: _leader,
    v.CrewUnnerved: _unnerved,
    v.AcquisitionLost: _lost,
    v.DriveDeclared: _drive,
    v.Turned: _turned,
    v.BogRolled: _bog,
    v.FreeingRolled: _free,
    v.Expended: _expended,
    v.BlownBack: _blown,
    v.GunLeft: _left,
    v.GunClaimed: _claimed,
    v.GunManned: _manned,
    v.GunDestroyed: _scrapped,
    v.GunAbandoned: _abandoned,
    v.VehicleStruck: _struck,
    v.DuelOpened: _duel,
    v.DuelShotLost: _no_shot,
}
