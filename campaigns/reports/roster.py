"""What goes to the table on paper: a side's roster, and the battle sheet.

Only units that are deployed, of the sides the viewer may see; a blind sheet for the opponent
names neither. Elements are single cards with their printed figures and boxes to tick.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaigns import access, engine
from campaigns.engine import ElementType
from campaigns.models import Campaign, Seat
from campaigns.projection import Viewer, viewer_for
from campaigns.refusals import NotFound
from campaigns.reports.battle import battle
from campaigns.reports.forces import Fact, SideForce, details, facts
from campaigns.reports.oob import UnitRow, unit_rows


@dataclass(frozen=True)
class RosterReport:
    campaign: str
    turn: int
    as_of: int | None
    side: str
    units: tuple[UnitRow, ...]


def roster(
    viewer: Viewer, campaign: Campaign, side_key: str, as_of: int | None = None
) -> RosterReport:
    """Every unit of a side with its elements and their figures, for print."""
    side = campaign.sides.filter(key=side_key).first()
    if side is None or not viewer.owns(side.pk):
        raise NotFound
    rows = tuple(row for _, row in unit_rows(viewer, campaign, as_of) if row.side == side.key)
    last = campaign.turns.last()
    return RosterReport(campaign.title, last.number if last else 0, as_of, side.name, rows)


@dataclass(frozen=True)
class ElementCard:
    """One counter, stand or figure with what is printed on it."""

    title: str
    category: str
    condition: str
    count: int
    figures: tuple[tuple[str, str], ...]
    status: str


@dataclass(frozen=True)
class UnitCard:
    uid: str
    name: str
    formation: str
    symbol: str
    elements: tuple[ElementCard, ...]
    arrives: str


@dataclass(frozen=True)
class SheetSide:
    force: SideForce
    cards: tuple[UnitCard, ...]


@dataclass(frozen=True)
class BattleSheet:
    battle: str
    title: str
    place: str
    date: str
    turn: int
    state: str
    commitment: str
    facts: tuple[Fact, ...]
    cards: tuple[Fact, ...]
    """The luck cards of the deck."""
    sides: tuple[SheetSide, ...]


def battle_sheet(seat: Seat, battle_id: str, preview: str = "") -> BattleSheet:
    """A battle on paper, as this seat may have it."""
    report = battle(seat, battle_id, preview)
    row = access.battle_for(seat, battle_id)
    types = engine.types_in(report.ruleset, row.terms.document)
    return BattleSheet(
        battle=report.uid,
        title=report.title,
        place=report.place,
        date=report.date,
        turn=report.turn,
        state=report.state_name,
        commitment=report.proof.commitment if report.proof else "",
        facts=tuple(facts(viewer_for(seat, preview), row.terms, usual=False)),
        cards=tuple(details(row.terms)),
        sides=tuple(SheetSide(force, _cards(types, force)) for force in report.forces),
    )


def _cards(types: Mapping[str, ElementType], force: SideForce) -> tuple[UnitCard, ...]:
    return tuple(
        UnitCard(
            uid=unit.uid,
            name=unit.name,
            formation=unit.formation,
            symbol=unit.symbol,
            elements=tuple(
                _element(types.get(kind), title, condition, count)
                for kind, title, condition, count in unit.elements
            ),
            arrives=unit.arrives,
        )
        for unit in force.units
    )


def _element(known: ElementType | None, title: str, condition: str, count: int) -> ElementCard:
    return ElementCard(
        title=title,
        category=known.category if known else "",
        condition=condition,
        count=count,
        figures=known.figures_when.get(condition, known.figures) if known else (),
        status=known.status if known else "",
    )
