"""Words for events of the field; see `narrate.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import goal_events as g
from rulesengine.rulesets.ost import heavy_events as hv
from rulesengine.rulesets.ost import support_events as s
from rulesengine.rulesets.ost.charts import COLUMNS, ICT_RESULTS, MARKERS, VCT_RESULTS
from rulesengine.rulesets.ost.telling import Teller, Told, added

GONE = {
    "left": "is given up",
    "driven flat": "is driven flat",
    "engineers": "is cleared",
    "satchel charge": "is blown away",
    "artillery": "is shot away",
    "blown up": "is blown up by those inside",
    "collapsed": "comes down",
}


STRUCK = {"landing": "Hard landing", "luck card": "Attack by a luck card"}
"""What strikes, where its key alone does not say it."""


IN_A_COLUMN = ("collateral damage", "landing", "glider crash", "glider landing")
"""Attacks that the book puts into a column, without firepower. OST 24.4, 26.3.5, 26.4.8."""


def _blasted(t: Teller, x: f.Blasted) -> Told:
    results = VCT_RESULTS if x.vehicle else ICT_RESULTS
    sum_of = f"FP {x.firepower} - Defense {x.defense} = "
    if x.why in IN_A_COLUMN:
        sum_of = "unmodified, "
    text = (
        f"{STRUCK.get(x.why, x.why.capitalize())} at {t.name(x.target)}: "
        f"{sum_of}column {COLUMNS[x.column]}; "
        f"{added(x.roll, x.total)}: {results[x.result] or 'no result'}."
    )
    return text, (x.target,), 1 if x.result else 0


def _laid(t: Teller, x: f.WorksLaid) -> Told:
    row = MARKERS[x.marker]
    if (row.key == "mines" or x.hidden) and t.side not in (None, x.side):
        return None
    where = ", ".join(t.place(h) for h in x.hexes)
    with_whom = ", hidden with whoever hides there" if x.hidden else ""
    return f"{t.team(x.side)} have {row.name} in {where}{with_whom}.", (), 0


def _found(t: Teller, x: f.MinesFound) -> Told:
    how = "finds" if x.engineers else "sets off"
    return f"{t.name(x.by)} {how} mines in {t.place(x.hex)}.", (x.by,), 2


def _placed(t: Teller, x: f.WorkPlaced) -> Told:
    return f"{t.name(x.by)} has {MARKERS[x.marker].name} in {t.place(x.hex)}.", (x.by,), 0


def _removed(t: Teller, x: f.WorkRemoved) -> Told:
    row = MARKERS[x.marker]
    gone = GONE[x.why].replace("is ", "are ", 1) if row.key == "mines" else GONE[x.why]
    text = f"{row.name.capitalize()} in {t.place(x.hex)} {gone}."
    return text, (), 0 if x.why == "left" else 1


def _smoke(t: Teller, x: f.SmokeLaid) -> Told:
    around = " and around" if len(x.hexes) > 1 else ""
    return f"Smoke ({x.by}) in {t.place(x.hexes[0])}{around}.", (), 1


def _aged(t: Teller, x: f.SmokeAged) -> Told:
    where = ", ".join(t.place(h) for h in x.gone)
    return (f"The smoke clears in {where}.", (), 0) if x.gone else None


def _collapse(t: Teller, x: f.CollapseRolled) -> Told:
    what = "bunker" if x.bunker else "building"
    verdict = "it comes down" if x.falls else "it stands"
    text = f"The {what} in {t.place(x.hex)}: {added(x.roll, x.total)}, {x.needed} brings it down: "
    return f"{text}{verdict}.", (), 2 if x.falls else 0


def _buried(t: Teller, x: f.WeaponBuried) -> Told:
    return f"{t.name(x.weapon)} is buried.", (x.weapon,), 1


def _crew_left(t: Teller, x: f.CrewLeft) -> Told:
    return f"{t.name(x.unit)} is lost under the ruins; its crew is left.", (x.unit,), 2


def _sought(t: Teller, x: f.CoverSought) -> Told:
    verdict = "finds some" if x.roll.total >= x.needed else "finds none"
    text = f"{t.name(x.unit)} looks for cover: {x.roll.total}, {x.needed} needed: {verdict}."
    return text, (x.unit,), 0


def _lays(t: Teller, x: f.SmokePlaced) -> Told:
    return f"{t.name(x.unit)} lays smoke in {t.place(x.hex)}.", (x.unit,), 0


def _clears(t: Teller, x: f.ClearingBegun) -> Told:
    return f"{t.name(x.unit)} begins to clear the way in {t.place(x.hex)}.", (x.unit,), 1


def _blows(t: Teller, x: f.BlownUp) -> Told:
    return f"{t.name(x.unit)} blows up its bunker.", (x.unit,), 1


def _mine_damage(t: Teller, x: f.MineDamage) -> Told:
    return f"{t.name(x.unit)} is immobilised by mines.", (x.unit,), 1


def _called(t: Teller, x: s.ArtilleryCalled) -> Told:
    what = "a smoke mission" if x.smoke else "artillery"
    return f"{t.name(x.spotter)} calls {what} on {t.place(x.hex)}.", (x.spotter,), 1


def _accuracy(t: Teller, x: s.AccuracyRolled) -> Told:
    verdict = "on target" if x.accurate else "off"
    return f"Accuracy: {added(x.roll, x.total)}, {x.needed} needed: {verdict}.", (), 0


def _drifted(t: Teller, x: s.Drifted) -> Told:
    where = t.place(x.hex) if x.hex >= 0 else "off the map"
    way, far = (roll.total for roll in x.rolls)
    text = f"The strike drifts: direction {way}, {far} hex{'es' * (far != 1)}: {where}."
    return text, (), 1


def _fell(t: Teller, x: s.StrikeFell) -> Told:
    return f"Shells fall on {t.place(x.hex)}: FP {x.firepower}, around it {x.around}.", (), 2


def _obstacle(t: Teller, x: s.ObstacleShelled) -> Told:
    name = MARKERS[x.marker].name
    return f"The {name} in {t.place(x.hex)}: {x.roll.total}, {x.needed} removes it.", (), 0


def _air(t: Teller, x: s.AirStrikeCalled) -> Told:
    one, two = (t.place(h) for h in x.hexes)
    return f"{t.team(x.side)}: an air strike on {one} and {two}.", (), 2


def _hex_fire(t: Teller, x: s.HexFireDeclared) -> Told:
    how = "Opportunity fire: " if x.reaction else "Intensive fire: " if x.intensive else ""
    does = f"fires {t.name(x.weapon)} at" if x.mortar else f"throws {t.name(x.weapon)} into"
    smoke = ", smoke" if x.smoke else ""
    return f"{how}{t.name(x.unit)} {does} {t.place(x.hex)}{smoke}.", (x.unit,), 0


def _mortar_drifted(t: Teller, x: s.MortarDrifted) -> Told:
    where = t.place(x.hex) if x.hex >= 0 else "off the map"
    return f"The bombs fall a hex off, direction {x.roll.total}: {where}.", (), 0


def _goal(t: Teller, x: g.GoalMet) -> Told:
    goals = t.state.scenario.victory.goals or ()
    return f"{t.team(x.side)} reach their goal: {goals[x.goal].name}.", (), 2


def _battery(t: Teller, x: g.BatteryRolled) -> Told:
    if t.side not in (None, x.side):
        return None
    kind = t.state.terms()[x.side].artillery[x.battery].kind
    verdict = "can be called this turn" if x.ready else "cannot be called this turn"
    return (
        f"{kind.capitalize()} ({t.team(x.side)}): {x.roll.total}, {x.needed} needed: {verdict}.",
        (),
        0,
    )


def _at_building(t: Teller, x: hv.BuildingFiredAt) -> Told:
    verdict = "a hit" if x.hit else "a miss"
    how = "Intensive fire: " if x.intensive else ""
    text = f"{how}{t.name(x.firer)} fires at the building in {t.place(x.hex)}: "
    return f"{text}{added(x.roll, x.total)}, {x.needed} needed: {verdict}.", (x.firer,), int(x.hit)


def _scrapped(t: Teller, x: f.WeaponScrapped) -> Told:
    return f"{t.name(x.unit)} destroys {t.name(x.weapon)}.", (x.unit,), 0


PILOT = {4: "green", 6: "veteran", 8: "ace"}


def _pilot(t: Teller, x: s.PilotRolled) -> Told:
    return f"The pilot: {x.roll.total}: {PILOT[x.firepower]}, FP {x.firepower}.", (), 1


TELL: dict[type[Event], Callable[[Teller, Any], Told]] = {
    f.Blasted: _blasted,
    f.WorksLaid: _laid,
    f.MinesFound: _found,
    f.WorkPlaced: _placed,
    f.WorkRemoved: _removed,
    f.SmokeLaid: _smoke,
    f.SmokeAged: _aged,
    f.CollapseRolled: _collapse,
    f.WeaponBuried: _buried,
    f.CrewLeft: _crew_left,
    f.CoverSought: _sought,
    f.SmokePlaced: _lays,
    f.ClearingBegun: _clears,
    f.BlownUp: _blows,
    f.MineDamage: _mine_damage,
    s.ArtilleryCalled: _called,
    s.AccuracyRolled: _accuracy,
    s.Drifted: _drifted,
    s.StrikeFell: _fell,
    s.ObstacleShelled: _obstacle,
    s.AirStrikeCalled: _air,
    s.PilotRolled: _pilot,
    s.HexFireDeclared: _hex_fire,
    s.MortarDrifted: _mortar_drifted,
    f.WeaponScrapped: _scrapped,
    hv.BuildingFiredAt: _at_building,
    g.GoalMet: _goal,
    g.BatteryRolled: _battery,
}
