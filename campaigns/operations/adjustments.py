"""What the referee does to the ledger by hand: elements given or taken, points awarded."""

from __future__ import annotations

from django.db import transaction

from campaigns import access, engine, entries
from campaigns.access import Action
from campaigns.entries import AccountRef
from campaigns.models import Holder, Posting, Seat
from campaigns.operations import ledger
from campaigns.operations.ledger import Author
from campaigns.refusals import Refused

LONGEST_CAUSE = 200
"""Characters of a reason that stand on each line; the posting holds all of it."""


def _refuse_outsize(quantity: int, path: str) -> None:
    if abs(quantity) > 9999:
        raise Refused("At most 9999 in one act.", path=path)


@transaction.atomic
def adjust(
    *,
    seat: Seat,
    unit_id: str,
    element: str,
    condition: str,
    quantity: int,
    reason: str,
    key: str,
) -> Posting:
    """The referee gives a unit elements, or (negative) takes some away, with a reason."""
    access.require(seat, Action.ADJUST)
    unit = access.unit_for(seat, unit_id)
    if not reason.strip():
        raise Refused("An adjustment needs a reason.", path="reason")
    if not quantity:
        raise Refused("An adjustment of nothing changes nothing.", path="quantity")
    _refuse_outsize(quantity, "quantity")
    kind = engine.element_type(seat.campaign.ruleset, element)
    if kind is None:
        raise Refused(f'The catalogue has no element "{element}".', path="element")
    if condition not in kind.conditions:
        allowed = ", ".join(kind.conditions)
        raise Refused(f"A {kind.title} can be {allowed}, not {condition}.", path="condition")
    ledger.lock_campaign(seat.campaign)
    return ledger.post(
        campaign=seat.campaign,
        kind=Posting.Kind.ADJUSTMENT,
        key=f"adjust:{seat.campaign.uid}:{key}",
        author=Author(seat),
        reason=reason,
        audience=access.side_audience(unit.side.key),
        lines=entries.move(
            entries.element_item(seat.campaign.ruleset, element),
            quantity,
            entries.side_account(Holder.ARSENAL, unit.side),
            entries.unit_account(unit, condition),
            reason[:LONGEST_CAUSE],
        ),
    )


@transaction.atomic
def award(*, seat: Seat, side_key: str, points: int, reason: str, key: str) -> Posting:
    """The referee awards victory points to a side, or (negative) takes some, with a reason."""
    access.require(seat, Action.ADJUST)
    side = access.side_for(seat, side_key, Action.ADJUST)
    if not reason.strip():
        raise Refused("An award needs a reason.", path="reason")
    if not points:
        raise Refused("An award of nothing changes nothing.", path="points")
    _refuse_outsize(points, "points")
    ledger.lock_campaign(seat.campaign)
    return ledger.post(
        campaign=seat.campaign,
        kind=Posting.Kind.AWARD,
        key=f"award:{seat.campaign.uid}:{key}",
        author=Author(seat),
        reason=reason,
        lines=entries.move(
            entries.points_item("victory"),
            points,
            AccountRef(Holder.AWARD),
            entries.side_account(Holder.SCORE, side),
            reason[:LONGEST_CAUSE],
        ),
    )
