"""The result form: counts by condition on paper, single elements in the document.

Each unit and element type is a row of counters, one a condition; they must add up to what came.
Conditions are given to the elements best first, so that as few as possible change. The card
layout and the keyboard grid send the same fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from campaigns import engine, scored
from campaigns.engine import Scenario
from campaigns.forms.fates import (
    Fate,
    ends_of,
    fates_of,
    merge,
    merges_as,
    morale_of,
    worth_of,
)
from campaigns.refusals import Refused
from campaigns.reports.ends import GONE, MERGED, end_of, words_of


@dataclass(frozen=True)
class Cell:
    """One counter: how many ended in a condition."""

    name: str
    condition: str
    words: str
    value: int
    whole: int
    rest: bool
    """Takes what the other counters of its row leave."""
    worth: int
    """Casualty points of each, counted from its best condition."""
    groups: str


@dataclass(frozen=True)
class Row:
    """One element type of a unit."""

    title: str
    whole: int
    before: str
    cells: tuple[Cell, ...]
    into_name: str
    into: str
    takers: tuple[tuple[str, str], ...]
    """Where its elements can merge into another unit's: that unit's key and name."""


@dataclass(frozen=True)
class Card:
    """One unit."""

    key: str
    name: str
    side: str
    rows: tuple[Row, ...]
    morale_name: str
    morale: str


@dataclass
class ResultForm:
    """A result being entered: prefilled from a draft or a document, or untouched."""

    scenario: Scenario
    data: Mapping[str, str] = field(default_factory=dict)
    side: str = ""
    """The key of the side reported; empty = both."""
    standing: Mapping[str, Any] = field(default_factory=dict)
    """The result document that is overruled or corrected."""

    def forces(self) -> list[engine.Force]:
        """The forces the form is about."""
        return [f for f in self.scenario.forces if self.side in ("", f.side)]

    # --- what the page shows ---

    def cards(self) -> list[Card]:
        """A card for every unit that came."""
        return [self._card(force.side, unit) for force in self.forces() for unit in force.units]

    def _card(self, side: str, unit: engine.Unit) -> Card:
        name = f"morale:{unit.id}"
        rows = tuple(self._row(side, unit.id, *group) for group in _by_type(unit))
        return Card(unit.id, unit.name, side, rows, name, self.data.get(name, ""))

    def _row(self, side: str, unit: str, kind: str, elements: list[engine.Element]) -> Row:
        ruleset = self.scenario.ruleset
        known = self.types.get(kind)
        start = Counter(element.condition for element in elements)
        cells = []
        for place, condition in enumerate(self._ends(unit, kind, start)):
            name = f"n:{unit}:{kind}:{condition}"
            cells.append(
                Cell(
                    name=name,
                    condition=condition,
                    words=words_of(ruleset, condition),
                    value=_shown(self.data.get(name), start[condition]),
                    whole=len(elements),
                    rest=place == 0,
                    worth=self._worth(kind, condition),
                    groups=f"lost-{side} points-{side}" if condition in GONE else f"points-{side}",
                )
            )
        before = ", ".join(f"{n} {condition}" for condition, n in start.items())
        title = known.title if known else kind
        name = f"into:{unit}:{kind}"
        return Row(
            title=title,
            whole=len(elements),
            before=before,
            cells=tuple(cells),
            into_name=name,
            into=self.data.get(name, ""),
            takers=self._takers(side, unit, merges_as(ruleset, kind)),
        )

    def _worth(self, kind: str, end: str) -> int:
        known = self.types.get(kind)
        best = known.conditions[0] if known and known.conditions else ""
        return worth_of(self.types, self.scenario.ruleset, kind, best, end)

    @cached_property
    def types(self) -> dict[str, engine.ElementType]:
        """Element types as this battle has them."""
        return engine.types_of(self.scenario)

    def base(self, side: str) -> int:
        """What the cells of a side count too much in casualty points: what it was short of before
        the battle, and of a standing fate what no cell can tell, such as of a gun without
        ammunition whose squad was lost in turn."""
        elements = [
            element
            for force in self.scenario.forces
            if force.side == side
            for unit in force.units
            for element in unit.elements
        ]
        before = {e.id: scored.worn(self.types, e.type, e.condition) for e in elements}
        return sum(before.values()) + sum(
            self._worth(fate["type"], end_of(fate))
            - scored.worth(self.types, engine.ElementFate(**fate))
            - before[fate["element"]]
            for fate in self.standing.get("elements", ())
            if fate["element"] in before
        )

    def _ends(self, unit: str, kind: str, start: Iterable[str]) -> list[str]:
        row = f"n:{unit}:{kind}:"
        told = [name.removeprefix(row) for name in self.data if name.startswith(row)]
        return ends_of(self.scenario.ruleset, kind, start, [t for t in told if t.count(":") == 2])

    def _takers(self, side: str, own: str, merged: str) -> tuple[tuple[str, str], ...]:
        """The other units that have elements which are, or can have become, what merges."""
        if not merged:
            return ()
        ruleset = self.scenario.ruleset
        return tuple(
            (unit.id, unit.name)
            for force in self.scenario.forces
            for unit in force.units
            if force.side == side and unit.id != own
            if any(merges_as(ruleset, e.type) == merged for e in unit.elements)
        )

    # --- what the page sent ---

    def document(self) -> dict[str, Any]:
        """The result document. Raises Refused at the first figure that cannot be.

        What the form does not change is kept from the standing document word for word.
        """
        kept = {fate["element"]: fate for fate in self.standing.get("elements", ())}
        fates: list[Fate] = []
        for force in self.forces():
            own: list[Fate] = []
            into = {}
            for unit in force.units:
                for kind, elements in _by_type(unit):
                    own += self._fates(unit, kind, elements, kept)
                    into[unit.id, kind] = self.data.get(f"into:{unit.id}:{kind}", "")
            fates += merge(self.scenario, own, into, kept)
        return {
            "spent": list(self.standing.get("spent", ())),
            "schema": "battle-result/1",
            "ruleset": self.scenario.ruleset,
            "version": engine.version(self.scenario.ruleset),
            "scenario": engine.digest(self.scenario),
            "source": "table",
            "ending": self._ending(),
            "elements": fates,
            "points": self._points(self.standing.get("points", ())),
            "holdings": self._holdings(),
            "turns": _number(self.data.get("turns"), 0),
        }

    def _fates(
        self,
        unit: engine.Unit,
        kind: str,
        elements: list[engine.Element],
        kept: Mapping[str, Fate],
    ) -> list[Fate]:
        """The fates of a row. Who ended as the standing document says is taken from it."""
        start = Counter(element.condition for element in elements)
        ends: list[str] = []
        for end in self._ends(unit.id, kind, start):
            sent = self.data.get(f"n:{unit.id}:{kind}:{end}")
            ends += [end] * _number(sent, start[end])
        if len(ends) != len(elements):
            title = engine.title_of(self.scenario.ruleset, kind)
            raise Refused(
                f"{unit.name} brought {len(elements)} {title}; you account for {len(ends)}."
                " Make the counters of that row add up.",
                path=f"{unit.id}:{kind}",
            )
        morale = self.data.get(f"morale:{unit.id}", "")
        return fates_of(self.scenario.ruleset, unit.id, elements, ends, kept, morale)

    def _ending(self) -> dict[str, str]:
        winner = self.data.get("winner", "")
        if not winner:
            raise Refused("Say who won, or that it was a draw.", path="winner")
        how = self.data.get("how", "").strip() or "as reported from the table"
        if winner == "draw":
            return {"kind": "draw", "how": how}
        return {"kind": "win", "how": how, "winner": winner}

    def _points(self, standing: Iterable[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
        """The points of each side; what adds up to what stands is kept with its reasons, and in
        its order. Of other victory points the reasons are kept as far as they still hold."""
        standing = list(standing)
        stood: Counter[tuple[str, str]] = Counter()
        for line in standing:
            stood[line["side"], line["what"]] += line["quantity"]
        told = {
            (side.key, what): _number(
                self.data.get(f"points:{what}:{side.key}"), 0, signed=what == "victory"
            )
            for side in self.scenario.sides
            for what in ("victory", "casualty")
        }
        points = [dict(x) for x in standing if told.get(_whose(x)) == stood[_whose(x)]]
        kept = {_whose(line) for line in points}
        for (side, what), quantity in told.items():
            if (side, what) in kept:
                continue
            if what == "victory":
                stand = [line for line in standing if _whose(line) == (side, what)]
                parts = self._victory(side, quantity, told[side, "casualty"], stand)
            else:
                parts = {"enemy losses, as reported": quantity}
            points += (
                {"side": side, "what": what, "why": why, "quantity": part}
                for why, part in parts.items()
                if part
            )
        return points

    def _victory(
        self, side: str, quantity: int, casualty: int, stand: list[Mapping[str, Any]]
    ) -> dict[str, int]:
        """Victory points by reason: those that stand, with what the losses come to now, or the head
        start; what they do not explain is as reported."""
        parts = {line["why"]: int(line["quantity"]) for line in stand}
        if scored.ENEMY_LOSSES in parts:
            parts[scored.ENEMY_LOSSES] = scored.rate(self.scenario) * casualty
        start = scored.start_of(self.scenario, side)
        if not stand and (start < 0 or quantity >= start):
            parts = {scored.HEAD_START: start}
        parts.pop(scored.REPORTED, None)
        return parts | {scored.REPORTED: quantity - sum(parts.values())}

    def _holdings(self) -> list[dict[str, str]]:
        holdings = []
        for hex_, name in places(self.scenario):
            side = self.data.get(f"hold:{hex_}", "")
            if side:
                holder = "" if side == "nobody" else side
                holdings.append({"place": hex_, "name": name, "side": holder})
        return holdings


def _whose(points: Mapping[str, Any]) -> tuple[str, str]:
    return points["side"], points["what"]


def places(scenario: Scenario) -> list[tuple[str, str]]:
    """What is to be held: place and name."""
    return [(c.hex, c.name) for c in getattr(scenario, "control", ())]


def prefilled(scenario: Scenario, document: Mapping[str, Any]) -> dict[str, str]:
    """The form's fields as they would have to be to make a given document."""
    counts: Counter[str] = Counter()
    data: dict[str, str] = {}
    for unit in _units(scenario):
        for element in unit.elements:
            counts[f"n:{unit.id}:{element.type}:{element.condition}"] += 0
    units = {element.id: unit.id for unit in _units(scenario) for element in unit.elements}
    told: dict[str, list[Fate]] = {}
    for fate in document.get("elements", ()):
        end = end_of(fate)
        counts[f"n:{fate['unit']}:{fate['type']}:{end}"] += 1
        taker = units.get(fate.get("merged_into", ""), "")
        if end == MERGED and taker != fate["unit"]:
            data[f"into:{fate['unit']}:{fate['type']}"] = taker
        told.setdefault(fate["unit"], []).append(fate)
    data |= {f"morale:{key}": morale_of(scenario.ruleset, own) for key, own in told.items()}
    data |= {name: str(number) for name, number in counts.items()}
    ending = document.get("ending", {})
    data["winner"] = "draw" if ending.get("kind") == "draw" else ending.get("winner", "")
    data["how"] = ending.get("how", "")
    data["turns"] = str(document.get("turns", 0))
    sums: Counter[str] = Counter()
    for points in document.get("points", ()):
        sums[f"points:{points['what']}:{points['side']}"] += points["quantity"]
    data |= {name: str(number) for name, number in sums.items()}
    for holding in document.get("holdings", ()):
        data[f"hold:{holding['place']}"] = holding.get("side") or "nobody"
    return data


def _units(scenario: Scenario) -> list[engine.Unit]:
    return [unit for force in scenario.forces for unit in force.units]


def _by_type(unit: engine.Unit) -> list[tuple[str, list[engine.Element]]]:
    groups: dict[str, list[engine.Element]] = {}
    for element in unit.elements:
        groups.setdefault(element.type, []).append(element)
    return list(groups.items())


def _shown(text: str | None, otherwise: int) -> int:
    """What a counter shows of what somebody typed; what is no number yet shows as it was."""
    try:
        return _number(text, otherwise)
    except Refused:
        return otherwise


LARGEST = 9999
"""No battle has so many of anything."""


def _number(text: str | None, otherwise: int, *, signed: bool = False) -> int:
    """A whole number as somebody typed it, below zero only where `signed`; refuses all else."""
    if text is None or not str(text).strip():
        return otherwise if text is None else 0
    try:
        number = int(str(text).strip())
    except ValueError:
        raise Refused(f'"{text}" is not a whole number.') from None
    if number < 0 and not signed:
        raise Refused("A number here cannot be below zero.")
    if abs(number) > LARGEST:
        raise Refused(f"A number here cannot be above {LARGEST}.")
    return number
