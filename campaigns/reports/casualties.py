"""What each side and unit lost, by turn: what went for good, and what was left of as less.

A tank that burnt and let its crew out is a tank lost, and a gun whose crew fights on as a squad
is a gun lost; in the ledger both turned into something else, through the side's `converted`
account. Squads that were put together into one lost nobody by it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Q, Sum

from campaigns import engine
from campaigns.models import LOSSES, Campaign, Holder
from campaigns.projection import Viewer


@dataclass(frozen=True)
class CasualtyRow:
    turn: int
    side: str
    name: str
    lost: int


@dataclass(frozen=True)
class UnitCasualties:
    unit: str
    unit_uid: str
    side: str
    turn: int
    lost: int


def by_type(viewer: Viewer, campaign: Campaign) -> tuple[CasualtyRow, ...]:
    """Elements lost, by turn, side and type; what was reversed cancels out."""
    turned = Q(account__holder=Holder.CONVERTED) & _turned(campaign)
    rows = viewer.lines().filter(Q(account__holder__in=LOSSES) | turned)
    sums = (
        rows.order_by("posting__turn__number", "account__side__position", "item_name")
        .values_list("posting__turn__number", "account__side__key", "item_name")
        .annotate(total=Sum("quantity"))
    )
    return tuple(
        CasualtyRow(turn, side or "", name, total) for turn, side, name, total in sums if total
    )


def by_unit(viewer: Viewer, campaign: Campaign) -> tuple[UnitCasualties, ...]:
    """Elements lost, by unit and turn; what was reversed cancels out.

    The account that things turn into others through is the side's. What a unit lost by it is
    what left the unit in battle, of a type that can turn into another: into whatever account.
    """
    turned = _turned(campaign)
    lost = viewer.lines().filter(~turned, account__holder__in=LOSSES)
    left = viewer.lines().filter(turned, account__holder=Holder.UNIT)
    found: Counter[tuple[int, int, str, str, str]] = Counter()
    for rows, sign in ((lost, 1), (left, -1)):
        sums = (
            rows.order_by()
            .values_list(
                "posting__turn__number",
                "account__unit__position",
                "account__unit__name",
                "account__unit__uid",
                "account__side__key",
                "account__unit__side__key",
            )
            .annotate(total=Sum("quantity"))
        )
        for turn, place, name, uid, side, own, total in sums:
            found[turn, place or 0, name or "", uid or "", own or side or ""] += sign * total
    return tuple(
        UnitCasualties(name, uid, side, turn, total)
        for (turn, _, name, uid, side), total in sorted(found.items())
        if total
    )


def _turned(campaign: Campaign) -> Q:
    """Lines of battles about types that can turn into another within one."""
    kinds = engine.catalogue(campaign.ruleset).elements
    turning = [kind.key for kind in kinds if kind.becomes]
    return Q(posting__battle__isnull=False, item__in=turning)
