"""Campaign forces into a battle: what a unit has becomes elements of the engine's scenario.

One function flattens the order of battle: a side's chosen detachment, or else the scenario's
default force, against what the ledger says each unit holds; it also says who stays behind and
why. Elements are named "<unit key>/<type>/<n>"; the best condition comes first.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from campaigns import engine
from campaigns.engine import Element, Force, Scenario
from campaigns.models import Balance, Battle, Holder, Side, Unit

Strength = dict[str, dict[str, int]]
"""Element type -> condition -> how many."""

SUPPORT = ("works", "artillery", "air_strikes", "exits", "airborne")
"""Terms of a side in a scenario that are that side's to know: what it has on the field or off the
map, and where it may leave."""


@dataclass(frozen=True)
class Coming:
    """A unit that comes, with what."""

    unit: Unit
    strength: Strength

    @property
    def elements(self) -> int:
        return sum(sum(by_condition.values()) for by_condition in self.strength.values())


@dataclass(frozen=True)
class Staying:
    """A unit that stays behind, and why."""

    unit: Unit
    why: str


@dataclass(frozen=True)
class Muster:
    """Who comes and who does not, of one side."""

    side: Side
    coming: tuple[Coming, ...]
    staying: tuple[Staying, ...]
    chosen: bool
    """By its commander; else the scenario's default force."""
    limit: int
    spare: tuple[Coming, ...] = ()
    """What its units hold and does not come."""

    @property
    def short(self) -> int:
        """Elements below what the scenario has room for."""
        return max(0, self.limit - self.elements)

    @property
    def elements(self) -> int:
        return sum(coming.elements for coming in self.coming)

    @property
    def over(self) -> int:
        """Elements above the battle's limit."""
        return max(0, self.elements - self.limit)


def on_hand(units: Iterable[Unit]) -> dict[int, Strength]:
    """What each unit holds now: by pk, type and condition, zeros left out."""
    held: dict[int, Strength] = defaultdict(lambda: defaultdict(dict))
    rows = Balance.objects.filter(
        account__unit__in=list(units), account__holder=Holder.UNIT, quantity__gt=0
    ).values_list("account__unit_id", "item", "account__condition", "quantity")
    for unit_id, item, condition, quantity in rows:
        if unit_id is not None:
            held[unit_id][item][condition] = quantity
    return held


def who_comes(battle: Battle, side: Side) -> Muster:
    """The force of one side, as it would lock now."""
    units = list(battle.campaign.units.filter(side=side).select_related("formation", "side"))
    held = on_hand(units)
    detached = {d.unit_id: d.elements for d in battle.detachments.filter(unit__side=side)}
    picks: Mapping[int, Mapping[str, int]] = detached or _default(battle, side, units)
    coming: list[Coming] = []
    staying: list[Staying] = []
    spare: list[Coming] = []
    for unit in units:
        has = held.get(unit.pk, {})
        if unit.pk not in picks:
            staying.append(Staying(unit, "not chosen" if detached else "not in this scenario"))
            spare += _left_over(unit, has, {})
            continue
        strength = _take(battle.campaign.ruleset, has, picks[unit.pk])
        spare += _left_over(unit, has, strength)
        if strength:
            coming.append(Coming(unit, strength))
        else:
            staying.append(Staying(unit, "nothing left of it"))
    return Muster(
        side,
        tuple(coming),
        tuple(staying),
        bool(detached),
        int(battle.limits.get(side.key, 0)),
        tuple(spare),
    )


def _left_over(unit: Unit, held: Strength, taken: Strength) -> list[Coming]:
    """What a unit holds beside what is taken of it; nothing where all of it comes."""
    left: Strength = {}
    for kind, conditions in sorted(held.items()):
        for condition, count in conditions.items():
            more = count - taken.get(kind, {}).get(condition, 0)
            if more:
                left.setdefault(kind, {})[condition] = more
    return [Coming(unit, left)] if left else []


def _default(battle: Battle, side: Side, units: list[Unit]) -> dict[int, dict[str, int]]:
    by_key = {unit.key: unit.pk for unit in units}
    picks = battle.terms.picks.get(side.key, [])
    if not picks:
        return {pk: {} for pk in by_key.values()}
    return {by_key[p["unit"]]: p.get("elements", {}) for p in picks if p["unit"] in by_key}


def _take(ruleset: str, held: Strength, wanted: Mapping[str, int]) -> Strength:
    """Of what a unit holds, what is wanted, best condition first; no wish means all."""
    taken: Strength = {}
    for kind in sorted(held):
        left = wanted.get(kind, 0) if wanted else None
        for condition in ranked(ruleset, kind, held[kind]):
            count = held[kind][condition]
            if left is not None:
                count = min(count, left)
                left -= count
            if count:
                taken.setdefault(kind, {})[condition] = count
    return taken


def ranked(ruleset: str, kind: str, conditions: Iterable[str]) -> list[str]:
    """Conditions from best to worst, as the catalogue ranks them."""
    known = engine.element_type(ruleset, kind)
    order = list(known.conditions) if known else []
    return sorted(conditions, key=lambda c: (order.index(c) if c in order else len(order), c))


def scenario(battle: Battle) -> Scenario:
    """The battle's scenario with the forces as they stand. Refuses one that cannot be."""
    document = json.loads(battle.terms.document)
    sides = list(battle.campaign.sides.all())
    document["forces"] = [
        msgspec.to_builtins(_force(battle.campaign.ruleset, who_comes(battle, side)))
        for side in sides
    ]
    document["sides"] = [{"key": side.key, "name": side.name} for side in sides]
    # Marks on the default force say nothing of the force that comes.
    document["estimates"] = [
        path for path in document.get("estimates", []) if not path.startswith("forces")
    ]
    return engine.read_scenario(battle.campaign.ruleset, msgspec.json.encode(document))


def known_scenario(battle: Battle, side: Side) -> Scenario:
    """The battle as one side can reckon with it: its own force as it stands against the force
    that the scenario gives the other, at full strength and under names that tell nothing, and
    without the works, guns and aircraft that are the other's to know, and who comes by them."""
    document = json.loads(battle.terms.document)
    for force in document["forces"]:
        if force["side"] != side.key:
            flying = _flying(document, force["side"])
            walking = [unit for unit in force["units"] if unit["id"] not in flying]
            force["units"] = walking or force["units"]
    alias = {
        unit["id"]: f"estimate-{number}"
        for force in document["forces"]
        if force["side"] != side.key
        for number, unit in enumerate(force["units"], 1)
    }
    document["forces"] = [
        msgspec.to_builtins(_force(battle.campaign.ruleset, who_comes(battle, side)))
        if force["side"] == side.key
        else _unnamed(force)
        for force in document["forces"]
    ]
    for arrival in document.get("arrivals", []):
        arrival["units"] = [alias.get(key, key) for key in arrival["units"]]
    for terms in document.get("terms", ()):
        if terms["side"] != side.key:
            for unknown in SUPPORT:
                terms.pop(unknown, None)
    document["sides"] = [{"key": s.key, "name": s.name} for s in battle.campaign.sides.all()]
    document["estimates"] = []
    return engine.read_scenario(battle.campaign.ruleset, msgspec.json.encode(document))


def _flying(document: dict[str, Any], side: str) -> set[str]:
    """Units of a side that a scenario brings by air."""
    return {
        unit
        for terms in document.get("terms", ())
        if terms["side"] == side
        for operation in terms.get("airborne") or ()
        for aircraft in operation["aircraft"]
        for unit in (*aircraft.get("units", ()), *aircraft.get("supplies", ()))
    }


def _unnamed(force: dict[str, Any]) -> dict[str, Any]:
    units = []
    for number, unit in enumerate(force["units"], 1):
        key = f"estimate-{number}"
        elements = [
            {"id": f"{key}/{at}", "type": element["type"]}
            for at, element in enumerate(unit["elements"], 1)
        ]
        units.append({"id": key, "name": f"enemy unit {number}", "elements": elements})
    return {"side": force["side"], "units": units}


def _force(ruleset: str, muster: Muster) -> Force:
    return Force(
        side=muster.side.key,
        units=tuple(
            engine.Unit(
                id=coming.unit.key,
                name=coming.unit.name,
                formation=coming.unit.formation.name,
                quality=coming.unit.quality,
                elements=elements_of(ruleset, coming.unit.key, coming.strength),
            )
            for coming in muster.coming
        ),
    )


def elements_of(ruleset: str, unit_key: str, strength: Strength) -> tuple[Element, ...]:
    """Counts as single elements, numbered within their type from the best condition on."""
    elements = []
    for kind in sorted(strength):
        number = 0
        for condition in ranked(ruleset, kind, strength[kind]):
            for _ in range(strength[kind][condition]):
                number += 1
                elements.append(
                    Element(id=f"{unit_key}/{kind}/{number}", type=kind, condition=condition)
                )
    return tuple(elements)


def still_stands(battle: Battle, scenario_then: Scenario) -> bool:
    """Whether every unit still holds at least what it brought to a locked battle."""
    keys = [unit.id for force in scenario_then.forces for unit in force.units]
    units = {u.key: u for u in battle.campaign.units.filter(key__in=keys)}
    held = on_hand(units.values())
    for force in scenario_then.forces:
        for unit in force.units:
            if unit.id not in units:
                return False
            need: dict[tuple[str, str], int] = defaultdict(int)
            for element in unit.elements:
                need[element.type, element.condition] += 1
            mine = held.get(units[unit.id].pk, {})
            if any(mine.get(t, {}).get(c, 0) < n for (t, c), n in need.items()):
                return False
    return True
