"""What is laid out for a battle: a side's force and the scenario's terms, cut to the viewer.

Before the lock a force is what would come; after it, what the snapshot froze; of a fight that is
not reached yet, what the pack says comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from campaigns import engine, muster
from campaigns.models import Battle, BattleTerms, ForceSnapshot, Side
from campaigns.projection import Viewer
from campaigns.reports.shortfalls import Spare, shortfall

SHOWN_TO_ALL = ("turns", "victory", "control", "options", "luck_cards", "notes")
"""Terms of a scenario that both sides read on its sheet. Whatever else a document holds is the
referee's, or a side's own where it names the side."""


@dataclass(frozen=True)
class Fact:
    """One term of the scenario."""

    label: str
    value: str
    estimate: bool
    note: str = ""
    """What it means, where its name alone does not say it."""


@dataclass(frozen=True)
class ForceUnit:
    uid: str
    key: str
    name: str
    formation: str
    symbol: str
    elements: tuple[tuple[str, str, str, int], ...]
    """(type, title, condition, how many)."""
    count: int
    arrives: str = ""
    """When and where a reinforcement comes on; empty for what is there from the start."""


@dataclass(frozen=True)
class StayingUnit:
    uid: str
    name: str
    why: str


@dataclass(frozen=True)
class SideForce:
    """A side's force. Of the other side a viewer is told its name and colour, no more."""

    key: str
    name: str
    colour: str
    affiliation: str
    visible: bool
    chosen: bool = False
    limit: int = 0
    count: int = 0
    over: int = 0
    units: tuple[ForceUnit, ...] = ()
    staying: tuple[StayingUnit, ...] = ()
    short: int = 0
    """Elements below what the scenario has room for, while the forces may be chosen."""
    could_come: tuple[Spare, ...] = ()
    """Of a force that is short: what its units hold and does not come."""
    lacks: tuple[str, ...] = ()
    """Units without men, weapons without hands, and what keeps the force from taking the field."""


def force_of(viewer: Viewer, row: Battle, side: Side, snapshot: ForceSnapshot | None) -> SideForce:
    if not viewer.owns(side.pk):
        return _unseen(side)
    if row.state != Battle.State.PLANNED and snapshot is not None:
        return _written(side, row.campaign.ruleset, snapshot.document, row.limits.get(side.key, 0))
    force = muster.who_comes(row, side)
    lacking = shortfall(row, side, force)
    ruleset = row.campaign.ruleset
    later = arrivals(engine.parsed(row.terms.document))
    units = tuple(
        ForceUnit(
            uid=coming.unit.uid,
            key=coming.unit.key,
            name=coming.unit.name,
            formation=coming.unit.formation.name,
            symbol=coming.unit.symbol,
            elements=tuple(
                (kind, engine.title_of(ruleset, kind), condition, count)
                for kind, counts in coming.strength.items()
                for condition, count in counts.items()
            ),
            count=coming.elements,
            arrives=later.get(coming.unit.key, ""),
        )
        for coming in force.coming
    )
    return SideForce(
        key=side.key,
        name=side.name,
        colour=side.colour,
        affiliation=side.affiliation,
        visible=True,
        chosen=force.chosen,
        limit=force.limit,
        count=force.elements,
        over=force.over,
        units=units,
        staying=tuple(StayingUnit(s.unit.uid, s.unit.name, s.why) for s in force.staying),
        short=lacking.short,
        could_come=lacking.could_come,
        lacks=lacking.lacks,
    )


def stated_force(viewer: Viewer, terms: BattleTerms, side: Side) -> SideForce:
    """A side's force as the pack states it for a scenario, whatever has become of it since."""
    if not viewer.owns(side.pk):
        return _unseen(side)
    force = _written(side, terms.campaign.ruleset, terms.document, 0)
    return replace(force, chosen=False, limit=force.count, over=0)


def _unseen(side: Side) -> SideForce:
    return SideForce(side.key, side.name, side.colour, side.affiliation, visible=False)


def arrivals(document: dict[str, Any]) -> dict[str, str]:
    """When and where the reinforcements of a scenario come on, by unit key."""
    return {
        key: f"turn {coming['turn']}, at {coming['at']}"
        for coming in document.get("arrivals", ())
        for key in coming["units"]
    }


def _written(side: Side, ruleset: str, document: str, limit: int) -> SideForce:
    """The force that is written in a scenario document."""
    scenario = engine.read_scenario(ruleset, document)
    later = arrivals(engine.parsed(document))
    known = {unit.key: unit for unit in side.units.all()}
    units = []
    for force in scenario.forces:
        if force.side != side.key:
            continue
        for unit in force.units:
            counts: dict[tuple[str, str], int] = {}
            for element in unit.elements:
                place = (element.type, element.condition)
                counts[place] = counts.get(place, 0) + 1
            units.append(
                ForceUnit(
                    uid=known[unit.id].uid if unit.id in known else "",
                    key=unit.id,
                    name=unit.name,
                    formation=unit.formation,
                    symbol=known[unit.id].symbol if unit.id in known else "",
                    elements=tuple(
                        (kind, engine.title_of(ruleset, kind), condition, count)
                        for (kind, condition), count in counts.items()
                    ),
                    count=len(unit.elements),
                    arrives=later.get(unit.id, ""),
                )
            )
    count = sum(unit.count for unit in units)
    return SideForce(
        key=side.key,
        name=side.name,
        colour=side.colour,
        affiliation=side.affiliation,
        visible=True,
        chosen=True,
        limit=limit,
        count=count,
        over=max(0, count - limit),
        units=tuple(units),
    )


# --- terms -------------------------------------------------------------------------------------


def facts(viewer: Viewer, scenario: BattleTerms, *, usual: bool = True) -> list[Fact]:
    """The scenario's terms that this viewer may read, flat, with their estimate marks; without
    `usual`, no option that is off and that nobody expects to be on."""
    document = engine.parsed(scenario.document)
    marks = set(document.get("estimates", ()))
    notes = engine.term_notes(scenario.campaign.ruleset)
    found: list[Fact] = []
    sides = {side.key: side for side in scenario.campaign.sides.all()}
    own = {key: side.name for key, side in sides.items() if viewer.owns(side.pk)}
    second = [side["key"] for side in document.get("sides", ())][1:2]
    told, bare = _told(scenario, document, sides.values())
    for path in bare:
        _drop(document, path)
    head_start = (document.get("victory") or {}).get("handicap", 0)
    if not head_start:
        _drop(document, "victory.handicap")
    if not usual:
        _leave_out_the_usual(scenario.campaign.ruleset, document)
    for key in (*SHOWN_TO_ALL, "ground"):
        found += [
            Fact(
                f"{term.head}, {term.label}",
                term.text,
                not term.printed and _marked(term.path, marks),
            )
            for term in told
            if not (term.side or term.detail) and _marked(term.path, {key})
        ]
        if key in SHOWN_TO_ALL and key in document:
            _flatten(found, key.replace("_", " "), key, document[key], marks, notes)
    for index, terms in enumerate(document.get("terms", ())):
        owner = own.get(terms.get("side", ""))
        if owner is not None:
            shown = {k: v for k, v in terms.items() if k not in ("side", *muster.SUPPORT)}
            found += [
                Fact(f"{owner}, {term.label}", term.text, _marked(term.path, marks))
                for term in told
                if term.side == terms["side"]
            ]
            found += _support(owner, terms, f"terms[{index}]", marks)
            _flatten(found, owner, f"terms[{index}]", shown, marks, notes)
    if not second:
        return found
    ahead = second[0]
    if head_start < 0:
        ahead = next((s["key"] for s in document["sides"] if s["key"] != ahead), ahead)
    start = f"head start: {sides[ahead].name if ahead in sides else ahead}"
    return [
        replace(fact, label=fact.label.replace(HEAD_START, start), value=str(abs(head_start)))
        if HEAD_START in fact.label
        else fact
        for fact in found
    ]


def own_terms(viewer: Viewer, scenario: BattleTerms) -> list[tuple[str, dict[str, Any]]]:
    """Each side's name with the terms that this viewer may read of it, {} for none; his own sides
    come first."""
    sides = {side.key: side for side in scenario.campaign.sides.all()}
    found = []
    for terms in engine.parsed(scenario.document).get("terms", ()):
        side = sides.get(terms.get("side", ""))
        if side is not None:
            found.append((side.name, terms if viewer.owns(side.pk) else {}))
    return sorted(found, key=lambda pair: not pair[1])


def details(scenario: BattleTerms) -> list[Fact]:
    """What only a sheet on paper has room for of the terms that everybody reads: the deck."""
    document = engine.parsed(scenario.document)
    marks = set(document.get("estimates", ()))
    told, _ = _told(scenario, document, scenario.campaign.sides.all())
    return [
        Fact(term.label, term.text, _marked(term.path, marks))
        for term in told
        if term.detail and not term.side and term.path.split(".")[0] in SHOWN_TO_ALL
    ]


def _told(
    scenario: BattleTerms, document: dict[str, Any], sides: Iterable[Side]
) -> tuple[tuple[engine.Term, ...], tuple[str, ...]]:
    """Terms that the ruleset puts into words, under the names of this campaign."""
    called = {side.key: side.name for side in sides}
    if any(terms.get("airborne") for terms in document.get("terms", ())):
        called = dict(scenario.campaign.units.values_list("key", "name")) | called
    return engine.terms_told(scenario.campaign.ruleset, scenario.document, called)


def _drop(document: dict[str, Any], path: str) -> None:
    *way, last = path.split(".")
    for key in way:
        document = document.get(key, {})
    document.pop(last, None)


def _support(owner: str, terms: dict[str, Any], path: str, marks: set[str]) -> list[Fact]:
    """What is the side's own to know, as sentences rather than as bare keys."""
    works = [
        f"{w['kind']} in {w['hexes']}{', hidden' if w.get('hidden') else ''}"
        for w in terms.get("works", ())
    ]
    guns = [
        f"{b['kind']}, missions: {b.get('missions', 1)}"
        + (f", on a roll of {b['on']} or more" if b.get("on") else "")
        for b in terms.get("artillery", ())
    ]
    flown = terms.get("air_strikes", 0)
    ways = [
        f"{way['hexes']}, points a unit: {way.get('points', 0)}" for way in terms.get("exits", ())
    ]
    told = (
        ("works", "; ".join(works)),
        ("artillery", "; ".join(guns)),
        ("air_strikes", str(flown) if flown else ""),
        ("exits", "; ".join(ways)),
    )
    return [
        Fact(f"{owner}, {key.replace('_', ' ')}", words, _marked(f"{path}.{key}", marks))
        for key, words in told
        if words
    ]


HEAD_START = "head start of the second side"

WORDS = {
    "hidden": "elements hidden at the start",
    "order": "order of set-up",
    "zone": "sets up in",
    "per casualty": "points a casualty",
    "margin": "margin to win by",
    "handicap": HEAD_START,
}
"""Terms whose key alone would not tell a reader what they mean."""


def _dice(value: Any) -> str:
    """Dice with an addition, as a player writes them; empty for anything else."""
    if not isinstance(value, dict) or "dice" not in value or set(value) - {"dice", "plus"}:
        return ""
    plus = value.get("plus", 0)
    return f"{value['dice']}D6" + (f"{plus:+d}".replace("-", "−") if plus else "")


def _flatten(
    found: list[Fact],
    label: str,
    path: str,
    value: Any,
    marks: set[str],
    notes: Mapping[str, str],
) -> None:
    if isinstance(value, dict):
        if "name" in value:
            name = value["name"]
            value = {k: v for k, v in value.items() if k != "name"}
            label = f"{label}: {name}"
        for key, inner in value.items():
            words = key.replace("_", " ")
            words = WORDS.get(words, words)
            dice = _dice(inner)
            if dice:
                words = words.removesuffix("s") + " dice"
            _flatten(found, f"{label}, {words}", f"{path}.{key}", dice or inner, marks, notes)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _flatten(found, label, f"{path}[{index}]", inner, marks, notes)
    elif value not in ("", None):
        text = str(value)
        if isinstance(value, bool):
            text = "yes" if value else "no"
        found.append(Fact(label, text, _marked(path, marks), notes.get(path, "")))


def _leave_out_the_usual(ruleset: str, document: dict[str, Any]) -> None:
    """Drop options that are off and that nobody expects to be on: no news to a table."""
    for path in engine.off_unless_said(ruleset):
        name = path.removeprefix("options.")
        if (document.get("options") or {}).get(name) is False:
            _drop(document, path)


def _marked(path: str, marks: set[str]) -> bool:
    """A mark on a part of the document covers everything within it."""
    return any(path == m or path.startswith((f"{m}.", f"{m}[")) for m in marks)


@dataclass(frozen=True)
class Counter:
    """What is printed on one kind of counter that comes to a battle."""

    side: str
    colour: str
    key: str
    title: str
    figures: tuple[tuple[str, str], ...]
    status: str


def counters(viewer: Viewer, row: Battle) -> list[Counter]:
    """The kinds of counter of those forces that a viewer may see, each once."""
    snapshot = row.latest_snapshot()
    types = engine.types_in(row.campaign.ruleset, row.terms.document)
    found: list[Counter] = []
    for side in row.campaign.sides.all():
        force = force_of(viewer, row, side, snapshot)
        keys = {kind for unit in force.units for kind, *_ in unit.elements}
        for key in sorted(keys):
            kind = types.get(key)
            if kind is not None and kind.figures:
                figures, status = kind.figures, kind.status
                found.append(Counter(side.name, side.colour, key, kind.title, figures, status))
    return found
