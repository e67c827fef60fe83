"""Changes of the order of battle that are levels, not counts: attachment, fatigue, morale.

Each is a posting with a dated status, so the order of battle of any past turn still stands.
"""

from __future__ import annotations

import secrets

from django.db import transaction

from campaigns import access, engine
from campaigns.access import Action
from campaigns.entries import Level
from campaigns.models import Posting, Seat, Status
from campaigns.operations import ledger
from campaigns.operations.ledger import Author
from campaigns.refusals import Refused


@transaction.atomic
def attach(*, seat: Seat, unit_id: str, formation_id: str, reason: str) -> Posting:
    """Attach a unit to another formation of its side, or send it home."""
    access.require(seat, Action.ADJUST)
    unit = access.unit_for(seat, unit_id)
    formation = access.formation_for(seat, formation_id)
    if formation.side_id != unit.side_id:
        raise Refused(f"{unit.name} cannot be attached to a formation of the other side.")
    return _set(seat, unit_id, Status.Kind.ATTACHMENT, formation.key, reason)


@transaction.atomic
def set_level(*, seat: Seat, unit_id: str, kind: str, value: str, reason: str) -> Posting:
    """The referee sets a unit's morale or fatigue, with a reason."""
    access.require(seat, Action.ADJUST)
    if kind not in (Status.Kind.MORALE, Status.Kind.FATIGUE):
        raise Refused("Only morale and fatigue are set by hand.", path="kind")
    words = engine.catalogue(seat.campaign.ruleset).morale
    if kind == Status.Kind.MORALE and value not in words:
        raise Refused(f"Morale can be {', '.join(words)}; not {value}.", path="value")
    if len(value) > 40:
        raise Refused("A level is a word or a number.", path="value")
    return _set(seat, unit_id, Status.Kind(kind), value, reason)


def _set(seat: Seat, unit_id: str, kind: Status.Kind, value: str, reason: str) -> Posting:
    unit = access.unit_for(seat, unit_id)
    if not reason.strip():
        raise Refused("Say why.", path="reason")
    campaign = ledger.lock_campaign(seat.campaign)
    last = unit.statuses.filter(kind=kind).order_by("pk").last()
    before = last.value if last else ""
    if before == value:
        raise Refused(f"{unit.name} is that already.")
    return ledger.post(
        campaign=campaign,
        kind=Posting.Kind.ADJUSTMENT,
        key=f"level:{campaign.uid}:{secrets.token_hex(8)}",
        author=Author(seat),
        reason=reason,
        audience=access.side_audience(unit.side.key),
        levels=[Level(kind, unit.key, unit.name, value, before)],
    )


@transaction.atomic
def note(*, seat: Seat, text: str) -> Posting:
    """Write a note into the journal, for everybody in the campaign."""
    access.require(seat, Action.ADJUST)
    if not text.strip():
        raise Refused("Write something first.", path="text")
    campaign = ledger.lock_campaign(seat.campaign)
    return ledger.post(
        campaign=campaign,
        kind=Posting.Kind.NOTE,
        key=f"note:{campaign.uid}:{secrets.token_hex(8)}",
        author=Author(seat),
        reason=text.strip(),
    )
