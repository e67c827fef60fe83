"""What units hold, now or at the end of any turn: sums of ledger lines, in two queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Sum

from campaigns import engine
from campaigns.engine import ElementType
from campaigns.models import Balance, BattleTerms, Campaign, Establishment, Holder, Status
from campaigns.muster import Strength, ranked
from campaigns.projection import Viewer


@dataclass(frozen=True)
class ElementRow:
    """One element type of a unit: authorised, on hand, and in which condition."""

    type: str
    title: str
    category: str
    symbol: str
    authorised: int
    on_hand: int
    reduced: int
    conditions: tuple[tuple[str, int], ...]
    """Best first: (("fit", 3), ("reduced", 1))."""
    figures: tuple[tuple[str, str], ...] = ()
    figures_when: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    """(condition, figures) of those on hand whose figures differ."""
    """What is printed on the counter."""
    status: str = ""
    """printed, repaired or estimate."""


def held(viewer: Viewer, as_of: int | None = None) -> dict[int, Strength]:
    """By unit pk, type and condition; what the viewer may know. `as_of` is a turn's number."""
    found: dict[int, Strength] = defaultdict(lambda: defaultdict(dict))
    rows: Iterable[tuple[int | None, str, str, int]]
    if as_of is None:
        accounts = viewer.accounts().filter(holder=Holder.UNIT)
        rows = Balance.objects.filter(account__in=accounts).values_list(
            "account__unit_id", "item", "account__condition", "quantity"
        )
    else:
        rows = (
            viewer.lines()
            .filter(account__holder=Holder.UNIT, posting__turn__number__lte=as_of)
            .order_by()
            .values_list("account__unit_id", "item", "account__condition")
            .annotate(total=Sum("quantity"))
        )
    for unit_id, item, condition, quantity in rows:
        if quantity and unit_id is not None:
            found[unit_id][item][condition] = quantity
    return found


def levels(viewer: Viewer, kind: str, as_of: int | None = None) -> dict[str, str]:
    """The newest value of a kind of level by subject."""
    rows = viewer.statuses().filter(kind=kind)
    if as_of is not None:
        rows = rows.filter(posting__turn__number__lte=as_of)
    return dict(rows.order_by("pk").values_list("subject", "value"))


def morale(viewer: Viewer, as_of: int | None = None) -> dict[str, str]:
    return levels(viewer, Status.Kind.MORALE, as_of)


def fatigue(viewer: Viewer, as_of: int | None = None) -> dict[str, str]:
    return levels(viewer, Status.Kind.FATIGUE, as_of)


def establishment(viewer: Viewer) -> dict[int, list[Establishment]]:
    """What units are authorised, by unit pk."""
    found: dict[int, list[Establishment]] = defaultdict(list)
    for row in Establishment.objects.filter(unit__in=viewer.units()):
        found[row.unit_id].append(row)
    return found


def printed(campaign: Campaign) -> Mapping[str, ElementType]:
    """Element types by key as the campaign's pack has them, what it prints otherwise included."""
    terms = BattleTerms.objects.filter(campaign=campaign).first()
    return engine.types_in(campaign.ruleset, terms.document if terms else "{}")


def element_rows(
    campaign: Campaign,
    types: Mapping[str, ElementType],
    authorised: list[Establishment],
    strength: Strength,
) -> tuple[ElementRow, ...]:
    """The elements of a unit, authorised ones first, then what it came by."""
    wanted = {row.element: row.quantity for row in authorised}
    kinds = [*wanted, *sorted(set(strength) - set(wanted))]
    return tuple(
        _row(campaign.ruleset, kind, types.get(kind), wanted.get(kind, 0), strength.get(kind, {}))
        for kind in kinds
    )


def _lesser(
    known: ElementType, counts: dict[str, int]
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    return tuple((c, f) for c, f in known.figures_when.items() if counts.get(c))


def _row(
    ruleset: str, kind: str, known: ElementType | None, authorised: int, counts: dict[str, int]
) -> ElementRow:
    best = known.conditions[0] if known else "fit"
    return ElementRow(
        type=kind,
        title=known.title if known else kind,
        category=known.category if known else "",
        symbol=known.symbol if known else "",
        authorised=authorised,
        on_hand=sum(counts.values()),
        reduced=sum(count for condition, count in counts.items() if condition != best),
        conditions=tuple((c, counts[c]) for c in ranked(ruleset, kind, counts)),
        figures=known.figures if known else (),
        figures_when=_lesser(known, counts) if known else (),
        status=known.status if known else "",
    )
