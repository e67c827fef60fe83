"""The order of battle as a tree, at any turn, and what changed between two."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from campaigns.models import Campaign, Formation, Holder, Side, Status, Turn, Unit
from campaigns.projection import Viewer
from campaigns.refusals import NotFound
from campaigns.reports import strengths
from campaigns.reports.strengths import ElementRow


@dataclass(frozen=True)
class UnitRow:
    uid: str
    key: str
    name: str
    side: str
    echelon: str
    symbol: str
    quality: str
    morale: str
    fatigue: str
    note: str
    elements: tuple[ElementRow, ...]
    authorised: int
    on_hand: int
    reduced: int
    home: str = ""
    """The formation it belongs to, where it is attached to another."""

    @property
    def gone(self) -> bool:
        return self.on_hand == 0

    @property
    def lost(self) -> int:
        return max(0, self.authorised - self.on_hand)


@dataclass(frozen=True)
class FormationNode:
    uid: str
    name: str
    echelon: str
    symbol: str
    depth: int
    units: tuple[UnitRow, ...]
    children: tuple[FormationNode, ...]
    authorised: int
    on_hand: int
    reduced: int


@dataclass(frozen=True)
class SideOob:
    key: str
    name: str
    colour: str
    affiliation: str
    formations: tuple[FormationNode, ...]
    authorised: int
    on_hand: int
    reduced: int


@dataclass(frozen=True)
class OobReport:
    """`sides` has those the viewer may see; `as_of` is None for now."""

    campaign: str
    turn: int
    as_of: int | None
    turns: tuple[int, ...]
    sides: tuple[SideOob, ...]


def oob(viewer: Viewer, campaign: Campaign, as_of: int | None = None) -> OobReport:
    """The order of battle now, or at the end of a turn."""
    turns = list(campaign.turns.all())
    _refuse_unknown(turns, as_of)
    rows = unit_rows(viewer, campaign, as_of)
    children: dict[int | None, list[Formation]] = defaultdict(list)
    places: dict[tuple[int, str], int] = {}
    for formation in viewer.formations():
        children[formation.parent_id].append(formation)
        places[formation.side_id, formation.key] = formation.pk
    attached = strengths.levels(viewer, Status.Kind.ATTACHMENT, as_of)
    units: dict[int, list[UnitRow]] = defaultdict(list)
    for unit, row in rows:
        place = places.get((unit.side_id, attached.get(unit.key, "")), unit.formation_id)
        away = place != unit.formation_id
        units[place].append(replace(row, home=unit.formation.name) if away else row)
    sides = [_side(s, children, units) for s in campaign.sides.all() if viewer.owns(s.pk)]
    return OobReport(
        campaign.title, turns[-1].number, as_of, tuple(t.number for t in turns), tuple(sides)
    )


def _refuse_unknown(turns: list[Turn], as_of: int | None) -> None:
    if as_of is not None and as_of not in {turn.number for turn in turns}:
        raise NotFound


def unit_rows(
    viewer: Viewer, campaign: Campaign, as_of: int | None = None
) -> list[tuple[Unit, UnitRow]]:
    """Every unit the viewer may see with its strength, in a fixed number of queries."""
    held = strengths.held(viewer, as_of)
    authorised = strengths.establishment(viewer)
    morale, fatigue = strengths.morale(viewer, as_of), strengths.fatigue(viewer, as_of)
    types = strengths.printed(campaign)
    found = []
    for unit in viewer.units().select_related("side", "formation"):
        elements = strengths.element_rows(
            campaign, types, authorised.get(unit.pk, []), held.get(unit.pk, {})
        )
        row = UnitRow(
            uid=unit.uid,
            key=unit.key,
            name=unit.name,
            side=unit.side.key,
            echelon=unit.echelon,
            symbol=unit.symbol,
            quality=unit.quality,
            morale=morale.get(unit.key, ""),
            fatigue=fatigue.get(unit.key, ""),
            note=unit.note,
            elements=elements,
            authorised=sum(e.authorised for e in elements),
            on_hand=sum(e.on_hand for e in elements),
            reduced=sum(e.reduced for e in elements),
        )
        found.append((unit, row))
    return found


def _side(
    side: Side,
    children: dict[int | None, list[Formation]],
    units: dict[int, list[UnitRow]],
) -> SideOob:
    roots = tuple(
        _node(formation, children, units, 0)
        for formation in children[None]
        if formation.side_id == side.pk
    )
    return SideOob(
        key=side.key,
        name=side.name,
        colour=side.colour,
        affiliation=side.affiliation,
        formations=roots,
        authorised=sum(n.authorised for n in roots),
        on_hand=sum(n.on_hand for n in roots),
        reduced=sum(n.reduced for n in roots),
    )


def _node(
    formation: Formation,
    children: dict[int | None, list[Formation]],
    units: dict[int, list[UnitRow]],
    depth: int,
) -> FormationNode:
    below = tuple(_node(child, children, units, depth + 1) for child in children[formation.pk])
    own = tuple(units[formation.pk])
    parts: tuple[UnitRow | FormationNode, ...] = (*own, *below)
    return FormationNode(
        uid=formation.uid,
        name=formation.name,
        echelon=formation.echelon,
        symbol=formation.symbol,
        depth=depth,
        units=own,
        children=below,
        authorised=sum(part.authorised for part in parts),
        on_hand=sum(part.on_hand for part in parts),
        reduced=sum(part.reduced for part in parts),
    )


# --- between two turns -------------------------------------------------------------------------


@dataclass(frozen=True)
class CausingLine:
    """A ledger line that made a difference."""

    posting: str
    turn: int
    kind: str
    reason: str
    condition: str
    quantity: int
    cause: str


@dataclass(frozen=True)
class Change:
    """One item of one unit: how many there were, how many there are, why."""

    unit: str
    unit_uid: str
    item: str
    name: str
    before: int
    after: int
    lines: tuple[CausingLine, ...]

    @property
    def change(self) -> int:
        return self.after - self.before


@dataclass(frozen=True)
class DifferenceReport:
    first: int
    last: int
    changes: tuple[Change, ...]


def difference(viewer: Viewer, campaign: Campaign, first: int, last: int) -> DifferenceReport:
    """What changed from the end of one turn to the end of a later one, line by line."""
    turns = list(campaign.turns.all())
    _refuse_unknown(turns, first)
    _refuse_unknown(turns, last)
    first, last = min(first, last), max(first, last)
    held = strengths.held(viewer, first)
    lines = (
        viewer.lines()
        .filter(
            account__holder=Holder.UNIT,
            posting__turn__number__gt=first,
            posting__turn__number__lte=last,
        )
        .select_related("posting", "posting__turn", "account", "account__unit")
    )
    grouped: dict[tuple[int, str], list[CausingLine]] = defaultdict(list)
    named: dict[tuple[int, str], tuple[str, str, str]] = {}
    for line in lines:
        unit = line.account.unit
        if unit is None:
            continue
        grouped[unit.pk, line.item].append(
            CausingLine(
                posting=line.posting.uid,
                turn=line.posting.turn.number,
                kind=line.posting.get_kind_display(),
                reason=line.posting.reason,
                condition=line.account.condition,
                quantity=line.quantity,
                cause=line.cause,
            )
        )
        named[unit.pk, line.item] = (unit.name, unit.uid, line.item_name)
    changes = []
    for (unit_id, item), causes in grouped.items():
        before = sum(held.get(unit_id, {}).get(item, {}).values())
        name, uid, title = named[unit_id, item]
        after = before + sum(cause.quantity for cause in causes)
        changes.append(Change(name, uid, item, title, before, after, tuple(causes)))
    return DifferenceReport(first, last, tuple(sorted(changes, key=lambda c: (c.unit, c.name))))
