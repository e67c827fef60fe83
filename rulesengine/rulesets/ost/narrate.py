"""Words for events, for who may hear them.

`side` is a side's number, None for the referee (hears all), -1 for the public. What concerns a
hidden unit only its own side hears; that a reaction was possible is told to the referee alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.contract import Event, Line
from rulesengine.explain import IDLE
from rulesengine.rulesets.ost import (
    airborne_narrate,
    field_narrate,
    luck_narrate,
    street_narrate,
    transport_narrate,
)
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import COLUMNS, ICT_RESULTS
from rulesengine.rulesets.ost.state import (
    GOOD,
    MORALE_NAMES,
    NONE,
    State,
)
from rulesengine.rulesets.ost.tally import words
from rulesengine.rulesets.ost.telling import Teller, Told, added, dice, means
from rulesengine.rulesets.ost.vehicle_narrate import TELL
from rulesengine.rulesets.ost.works import dug_in

PUBLIC = -1

RULES = 6
"""Rule numbers on a line, those of its modifiers apart; the event in the log has all."""


def narrate(state: State, event: Event, side: int | None) -> Line | None:
    """One line for an event, or None if this listener never learns of it."""
    teller = Teller(state, side)
    if side is not None and isinstance(event, (e.ReactionOwed, e.FireHeld, e.RetreatsOwed)):
        return None
    teach = _TELL.get(type(event))
    told = teach(teller, event) if teach else None
    if told is None:
        return None
    text, about, weight = told
    if any(not teller.hears(c) for c in about):
        return None
    modifiers = getattr(event, "modifiers", ())
    if isinstance(event, e.MeleeJoined):
        modifiers = (*event.modifiers[0], *event.modifiers[1])
    changes = words(modifiers)
    shown = {change.rule for change in changes}
    rules = [rule for rule in dict.fromkeys(event.cites()) if rule not in shown]
    return Line(
        text=text,
        rules=tuple(rules[:RULES]),
        modifiers=changes,
        units=teller.units(*about),
        weight=weight,
        fire=_line_of_fire(teller, event),
        means=means(event),
    )


def _fired(event: Event) -> list[tuple[int, int]]:
    """(firer, target) of every shot that an event tells of."""
    match event:
        case e.FireDeclared():
            targets = (event.target, event.second)
            return [(c, t) for t in targets if t != NONE for c in event.firers]
        case v.VehicleFireDeclared():
            return [(event.firer, t) for t in (event.target, event.mg) if t != NONE]
        case v.HitRolled():
            return [(event.firer, event.target)]
        case e.Shot():
            return [(c, event.target) for c in event.firers]
        case v.VehicleShot() if event.how != "duel":
            return [(c, event.target) for c in event.firers]
    return []


def _line_of_fire(t: Teller, event: Event) -> tuple[tuple[str, str], ...]:
    """From which hexes to which a shot goes, as far as the listener may know."""
    name, hexes = t.state.ground.name, t.state.hex
    pairs = _fired(event)
    return tuple(
        dict.fromkeys(
            (name(hexes[a]), name(hexes[b])) for a, b in pairs if t.hears(a) and t.hears(b)
        )
    )


def _result(code: int) -> str:
    return ICT_RESULTS[code] or "no result"


def _deployed(t: Teller, x: e.Deployed) -> Told:
    seen = [c for c, _ in x.places if t.hears(c)]
    text = f"{t.team(x.side)} set up: "
    text += ", ".join(f"{t.name(c)} in {t.place(dict(x.places)[c])}" for c in seen) or (
        "hidden" if x.places else "nobody, who is still to come"
    )
    return f"{text}.", (), 0


def _turn(t: Teller, x: e.TurnStarted) -> Told:
    if x.turn == 0:
        return "Extended play: one more turn.", (), 1
    return f"Turn {t.state.scenario.turns - x.turn + 1} of {t.state.scenario.turns}.", (), 1


def _rallied(t: Teller, x: e.Rallied) -> Told:
    how = "tries a free rally" if x.free else "tries to rally"
    verdict = "rallies" if x.now == GOOD else f"stays {MORALE_NAMES[x.now]}"
    if x.needed == 9 and x.now != GOOD:
        verdict = "pulls itself together to shaken"
    rolled = added(x.roll, x.total)
    text = f"{t.name(x.unit)} {how}: {rolled}, {x.needed} needed: {verdict}."
    return text, (x.unit,), 0


def _attached(t: Teller, x: e.Attached) -> Told:
    return f"{t.name(x.leader)} joins {t.name(x.unit)}.", (x.leader, x.unit), 0


def _detached(t: Teller, x: e.Detached) -> Told:
    return f"{t.name(x.leader)} leaves his unit.", (x.leader,), 0


def _merged(t: Teller, x: e.Merged) -> Told:
    return f"{t.name(x.gone)} merges into {t.name(x.kept)}.", (x.kept, x.gone), 0


def _handed(t: Teller, x: e.Handed) -> Told:
    if x.unit == NONE:
        return f"{t.name(x.weapon)} is left on the ground.", (x.weapon,), 0
    return f"{t.name(x.unit)} takes {t.name(x.weapon)}.", (x.unit, x.weapon), 0


def _initiative(t: Teller, x: e.InitiativeRolled) -> Told:
    rolls = ", ".join(dice(roll) for roll in x.rolls)
    return f"Initiative: {rolls}; {t.team(x.winner)} begin.", (), 0


def _impulses(t: Teller, x: e.ImpulsesRolled) -> Told:
    text = f"{t.team(x.side)} roll {dice(x.roll)} + {x.plus}"
    if x.losses:
        text += f" - {x.losses} for losses"
    return f"{text}: {x.total} Impulse Point{'s' * (x.total != 1)}.", (), 0


def _passed(t: Teller, x: e.Passed) -> Told:
    return f"{t.team(x.side)} pass.", (), IDLE


def _dropped(t: Teller, x: e.PointDropped) -> Told:
    return f"{t.team(x.side)} let a point go.", (), IDLE


def _due(t: Teller, x: e.ReinforcementsDue) -> Told:
    return f"Reinforcements can enter: {t.names(x.units)}.", x.units, 1


def _declared(t: Teller, x: e.MoveDeclared) -> Told:
    how = "assault" if x.assault else "move by stealth" if x.stealth else "move"
    if len(x.units) == 1:
        how = {"assault": "assaults", "move": "moves"}.get(how, "moves by stealth")
    way = " ".join(t.state.ground.name(h) for h in x.path)
    onto = " onto the map" if x.enters else ""
    where = f": {way}" if way else f" in {t.place(t.state.hex[x.units[0]])}"
    return f"{t.names(x.units)} {how}{onto}{where}.", x.units, int(x.enters)


def _owed(t: Teller, x: e.ReactionOwed) -> Told:
    return f"{t.team(x.side)} may fire.", (), 0


def _held(t: Teller, x: e.FireHeld) -> Told:
    return f"{t.team(x.side)} hold their fire.", (), 0


def _revealed(t: Teller, x: e.Revealed) -> Told:
    found: dict[int, tuple[int, ...]] = {}
    for c in x.units:
        found[t.state.hex[c]] = (*found.get(t.state.hex[c], ()), c)
    parts = []
    for h, units in found.items():
        what = "is revealed" if len(units) == 1 else "are revealed"
        inside = dug_in(t.state, units)
        parts.append(f"{t.names(units)} {what} in {t.place(h)}{', ' + inside if inside else ''}")
    return "; ".join(parts) + ".", x.units, 1


def _stopped(t: Teller, x: e.MoveStopped) -> Told:
    return f"The move of {t.names(x.units)} is halted: {x.why}.", x.units, 0


def _pivoted(t: Teller, x: e.Pivoted) -> Told:
    return f"{t.name(x.unit)} turns its arc.", (x.unit,), 0


def _control(t: Teller, x: e.ControlTaken) -> Told:
    place = t.state.scenario.control[x.place]
    return f"{t.team(x.side)} take {place.name} ({place.hex}).", (), 2


def _fire(t: Teller, x: e.FireDeclared) -> Told:
    how = "Opportunity fire: " if x.reaction else ""
    if x.intensive:
        how += "Intensive fire: "
    if x.second != NONE:
        how += "Sustained fire: "
    weapons = f" with {t.names(x.weapons)}" if x.weapons else ""
    fires = "fires" if len(x.firers) == 1 else "fire as a group"
    if x.weapons and x.by != e.WITH:
        weapons, fires = "", f"fires {t.names(x.weapons)} alone"
    return f"{how}{t.names(x.firers)}{weapons} {fires} at {t.name(x.target)}.", x.firers, 0


def _shot(t: Teller, x: e.Shot) -> Told:
    far = "the next hex" if x.distance == 1 else f"{x.distance} hexes"
    text = (
        f"{t.names(x.firers)} at {t.name(x.target)}, {far}: FP {x.firepower} - Defense "
        f"{x.defense} = column {COLUMNS[x.column]}; {added(x.roll, x.total)}: {_result(x.result)}."
    )
    return text, (*x.firers, x.target), 1 if x.result else 0


def _casualty(t: Teller, x: e.CasualtyTaken) -> Told:
    return f"{t.name(x.unit)} takes casualties and is reduced.", (x.unit,), 1


def _eliminated(t: Teller, x: e.Eliminated) -> Told:
    return f"{t.name(x.unit)} is lost ({x.why}).", (x.unit,), 2


def _gut(t: Teller, x: e.GutChecked) -> Told:
    passed = x.roll.total >= x.needed
    verdict = "holds" if passed else f"is {MORALE_NAMES[x.now]}"
    text = (
        f"{t.name(x.unit)}: gut check {x.needed}: rolled {dice(x.roll)} = {x.roll.total}, "
        f"{verdict}."
    )
    return text, (x.unit,), 0 if passed else 1


def _already(t: Teller, x: e.AlreadyBroken) -> Told:
    return f"{t.name(x.unit)} is broken already.", (x.unit,), 0


def _leader(t: Teller, x: e.LeaderRolled) -> Told:
    verdict = "is hit" if x.roll.total <= x.dies_on else "is unhurt"
    needed = f"hit on 1 to {x.dies_on}" if x.dies_on > 1 else "hit on 1"
    text = f"{t.name(x.leader)}: leader casualty roll {x.roll.total}, {needed}: {verdict}."
    return text, (x.leader,), 0


def _ammo(t: Teller, x: e.AmmoRanOut) -> Told:
    return f"{t.state.names[x.unit]}: ammunition out; the crew fight on as riflemen.", (x.unit,), 2


def _own_fire(t: Teller, x: e.ShakenByOwnFire) -> Told:
    return f"{t.name(x.unit)} is shaken by its own intensive fire.", (x.unit,), 0


def _marked(t: Teller, x: e.MeleeMarked) -> Told:
    return f"Melee in {t.place(x.hex)}.", (), 1


def _phase(t: Teller, x: e.MeleePhaseBegan) -> Told:
    return ("Melee Phase.", (), 0) if x.hexes else None


def _evaded(t: Teller, x: e.Evaded) -> Told:
    if x.roll is None:
        return f"{t.name(x.unit)} stands in the melee.", (x.unit,), 0
    verdict = f"slips away to {t.place(x.to)}" if x.to != NONE else "does not get away"
    return f"{t.name(x.unit)} tries to evade: {x.roll.total}: {verdict}.", (x.unit,), 0


def _concentrated(t: Teller, x: e.Concentrated) -> Told:
    if x.target == NONE:
        return f"{t.team(x.side)} strike at all.", (), 0
    return f"{t.team(x.side)} concentrate on {t.name(x.target)}.", (x.target,), 0


def _joined(t: Teller, x: e.MeleeJoined) -> Told:
    parts = []
    for side in (0, 1):
        if x.columns[side] == NONE:
            parts.append(f"{t.team(side)} cannot strike")
        else:
            parts.append(
                f"{t.team(side)} FP {x.firepower[side]} - Defense {x.defense[1 - side]} = column "
                f"{COLUMNS[x.columns[side]]}"
            )
    return f"Melee in {t.place(x.hex)}: {'; '.join(parts)}.", (), 1


def _struck(t: Teller, x: e.Struck) -> Told:
    text = (
        f"{t.team(x.side)} strike at {t.name(x.target)}, column {COLUMNS[x.column]}: "
        f"{added(x.roll, x.total)}: {_result(x.result)}."
    )
    return text, (x.target,), 1 if x.result else 0


def _retreated(t: Teller, x: e.Retreated) -> Told:
    return f"{t.name(x.unit)} falls back to {t.place(x.to)}.", (x.unit,), 1


def _closed(t: Teller, x: e.MeleeClosed) -> Told:
    verdict = "is decided" if x.resolved else "goes on next turn"
    return f"The melee in {t.place(x.hex)} {verdict}.", (), 1


def _ended(t: Teller, x: e.TurnEnded) -> Told:
    if not any(x.points):
        return None
    scored = ", ".join(f"{t.team(s)} score {x.points[s]}" for s in (0, 1) if x.points[s])
    return f"End of the turn: {scored}.", (), 1


def _extended(t: Teller, x: e.ExtendedPlayRolled) -> Told:
    total = sum(roll.total for roll in x.rolls)
    verdict = "one more turn" if x.extended else "the battle ends"
    # That there is one more turn is told by the turn.
    return f"Extended play: {total}, 7 needed: {verdict}.", (), 0 if x.extended else 1


def _over(t: Teller, x: e.BattleEnded) -> Told:
    result = "A draw" if x.winner == NONE else f"{t.team(x.winner)} win"
    points = " : ".join(f"{t.team(s)} {x.points[s]}" for s in (0, 1))
    return f"{result} ({x.how}). Victory points {points}.", (), 2


_TELL: dict[type[Event], Callable[[Teller, Any], Told]] = {
    e.Deployed: _deployed,
    e.TurnStarted: _turn,
    e.Rallied: _rallied,
    e.Attached: _attached,
    e.Detached: _detached,
    e.Merged: _merged,
    e.Handed: _handed,
    e.InitiativeRolled: _initiative,
    e.ImpulsesRolled: _impulses,
    e.Passed: _passed,
    e.PointDropped: _dropped,
    e.ReinforcementsDue: _due,
    e.MoveDeclared: _declared,
    e.ReactionOwed: _owed,
    e.FireHeld: _held,
    e.Revealed: _revealed,
    e.MoveStopped: _stopped,
    e.Pivoted: _pivoted,
    e.ControlTaken: _control,
    e.FireDeclared: _fire,
    e.Shot: _shot,
    e.CasualtyTaken: _casualty,
    e.Eliminated: _eliminated,
    e.GutChecked: _gut,
    e.AlreadyBroken: _already,
    e.LeaderRolled: _leader,
    e.AmmoRanOut: _ammo,
    e.ShakenByOwnFire: _own_fire,
    e.MeleeMarked: _marked,
    e.MeleePhaseBegan: _phase,
    e.Evaded: _evaded,
    e.Concentrated: _concentrated,
    e.MeleeJoined: _joined,
    e.Struck: _struck,
    e.Retreated: _retreated,
    e.MeleeClosed: _closed,
    e.TurnEnded: _ended,
    e.ExtendedPlayRolled: _extended,
    e.BattleEnded: _over,
    **field_narrate.TELL,
    **transport_narrate.TELL,
    **street_narrate.TELL,
    **airborne_narrate.TELL,
    **luck_narrate.TELL,
    **TELL,
}
