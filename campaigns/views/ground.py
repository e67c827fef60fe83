"""The battlefield of a scenario for the map: ground and places for all, set-up areas by viewer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from campaigns.models import BattleTerms, Side
from campaigns.projection import Viewer
from campaigns.reports.forces import Fact
from campaigns.templatetags.battlefield import area, centre

SIGNS = {
    "cover": "cv",
    "foxholes": "fx",
    "trench": "tr",
    "mines": "mi",
    "bunker": "bu",
    "pillbox": "pb",
    "wire": "wi",
    "roadblock": "rb",
}
"""Works by the sign on their plate, as a replay has them."""
PLATE_HEIGHT = 14


@dataclass(frozen=True)
class Held:
    """A place that is fought for."""

    name: str
    hex: str
    owner: str
    per_turn: int
    at_end: int


@dataclass(frozen=True)
class Plate:
    """A work in a hex, as a small plate on the map."""

    x: float
    y: float
    sign: str
    kind: str
    colour: str
    side: str


@dataclass(frozen=True)
class Battlefield:
    """What the map tag draws, and the table beside it."""

    ground: Mapping[str, Any]
    control: tuple[Mapping[str, Any], ...]
    """Places to be held, with the name and the colour of who holds them at the start."""
    held: tuple[Held, ...]
    held_estimate: bool
    zones: tuple[tuple[str, ...], ...]
    """(colour, words, hexes) of set-up areas, and with a kind ("entry", "exit") of where
    reinforcements come on and where a side may leave, of the sides whose terms the viewer may
    read."""
    plates: tuple[Plate, ...]
    """Works of the sides whose terms the viewer may read."""
    notes: str


def battlefield(viewer: Viewer, scenario: BattleTerms) -> Battlefield:
    """The battlefield as this viewer may see it."""
    document = json.loads(scenario.document)
    sides = {side.key: side for side in scenario.campaign.sides.all()}
    names = {key: side.name for key, side in sides.items()}
    own = [
        (sides[terms["side"]], terms)
        for terms in document.get("terms", ())
        if terms.get("side") in sides and viewer.owns(sides[terms["side"]].pk)
    ]
    control = tuple(_held(place, sides) for place in document.get("control", ()))
    return Battlefield(
        ground=document.get("ground", {}),
        control=control,
        held=tuple(
            Held(
                place["name"],
                place["hex"],
                names.get(place.get("owner", ""), ""),
                place.get("per_turn", 0),
                place.get("at_end", 0),
            )
            for place in control
        ),
        held_estimate="control" in document.get("estimates", ()),
        zones=(
            *(
                (side.colour, f"set-up area: {side.name}", terms["zone"])
                for side, terms in own
                if terms.get("zone")
            ),
            *_entries(viewer, scenario, document),
            *(
                (side.colour, f"{side.name} may leave the map", _joined(terms["exits"]), "exit")
                for side, terms in own
                if terms.get("exits")
            ),
        ),
        plates=tuple(_plates(own)),
        notes=str(document.get("notes", "")).strip(),
    )


def _joined(exits: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(way["hexes"] for way in exits)


def _plates(own: Iterable[tuple[Side, Mapping[str, Any]]]) -> Iterator[Plate]:
    """One plate a work and hex, over each other where a hex has several."""
    there: Counter[tuple[int, int]] = Counter()
    for side, terms in own:
        for work in terms.get("works", ()):
            for hex_ in sorted(set(area(work["hexes"]))):
                x, y = centre(*hex_)
                y -= PLATE_HEIGHT * there[hex_]
                there[hex_] += 1
                kind = work["kind"]
                sign = SIGNS.get(kind, kind[:2])
                yield Plate(round(x, 1), round(y, 1), sign, kind, side.colour, side.name)


def _held(place: Mapping[str, Any], sides: Mapping[str, Side]) -> dict[str, Any]:
    owner = sides.get(place.get("owner", ""))
    whose = {"holder": owner.name, "colour": owner.colour} if owner else {}
    return {**place, **whose}


def _entries(
    viewer: Viewer, scenario: BattleTerms, document: Mapping[str, Any]
) -> Iterator[tuple[str, ...]]:
    """Where reinforcements come on, for their own side and the referee."""
    arrivals = document.get("arrivals", ())
    keys = [key for coming in arrivals for key in coming["units"]]
    units = scenario.campaign.units.filter(key__in=keys).select_related("side") if keys else ()
    of_unit = {unit.key: unit.side for unit in units}
    for coming in arrivals:
        side = next((of_unit[key] for key in coming["units"] if key in of_unit), None)
        if side is not None and viewer.owns(side.pk):
            words = f"{side.name} come on from turn {coming['turn']}"
            yield side.colour, words, coming["at"], "entry"


def grouped(facts: Iterable[Fact]) -> list[tuple[str, list[Fact]]]:
    """The terms under the head of what they belong to: "Victory", "Options", a side's name.

    Places to be held and the notes have a place of their own on the page.
    """
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        head, comma, label = fact.label.partition(", ")
        if head.split(":")[0] in ("control", "notes"):
            continue
        if not comma:
            head, label = "scenario", head
        group = head[:1].upper() + head[1:]
        groups.setdefault(group, []).append(replace(fact, label=label))
    return list(groups.items())
