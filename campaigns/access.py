"""Who may do what: one matrix of role and action, asked by pages, API and tasks.

Access is a fetch: a row comes only through a function that checks. What is foreign or hidden
is `NotFound`, like what never was. What a person may see but not do is `Refused`, in words.
An organiser without a side also referees; one with a side commands it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from django.db.models import QuerySet

from campaigns import engine
from campaigns.models import (
    Battle,
    BattleTerms,
    Campaign,
    Forecast,
    Formation,
    Job,
    Posting,
    Role,
    Seat,
    Side,
    Unit,
)
from campaigns.refusals import NotFound, Refused

PUBLIC = "public"
REFEREE = "referee"


class Action(StrEnum):
    """What can be done. The value completes "You may not ..."."""

    SEE = "see this campaign"
    SEE_FORCES = "see these forces"
    MANAGE = "manage this campaign"
    PURGE = "purge this campaign"
    PLAN_BATTLE = "plan battles"
    CHOOSE_FORCES = "choose the forces of this side"
    LOCK = "lock the forces of a battle"
    RESOLVE = "have a battle resolved"
    ENTER_RESULT = "enter the result of this battle"
    OVERRULE = "overrule a result"
    POST = "post a result"
    REVERSE = "reverse a posting"
    ADJUST = "adjust the ledger"
    REVEAL = "reveal the dice"
    FORECAST = "ask for odds"
    COMMENT = "comment on this battle"
    ADVANCE = "open the next turn"
    PREVIEW_AS = "look through the eyes of a side"


class Power(StrEnum):
    """What a seat amounts to; an organiser's seat has two."""

    ORGANISER = "organiser"
    REFEREE = "referee"
    COMMANDER = "commander"
    PLAYER = "player"
    SPECTATOR = "spectator"


_EVERYBODY = frozenset(Power)
_STAFF = frozenset({Power.ORGANISER, Power.REFEREE})
_PLAYERS = frozenset({Power.COMMANDER, Power.PLAYER})

MATRIX: dict[Action, frozenset[Power]] = {
    Action.SEE: _EVERYBODY,
    Action.SEE_FORCES: frozenset({Power.REFEREE}) | _PLAYERS,
    Action.MANAGE: frozenset({Power.ORGANISER}),
    Action.PURGE: frozenset({Power.ORGANISER}),
    Action.PLAN_BATTLE: _STAFF,
    Action.CHOOSE_FORCES: frozenset({Power.REFEREE, Power.COMMANDER}),
    Action.LOCK: _STAFF,
    Action.RESOLVE: _STAFF,
    Action.ENTER_RESULT: frozenset({Power.REFEREE}) | _PLAYERS,
    Action.OVERRULE: frozenset({Power.REFEREE}),
    Action.POST: _STAFF,
    Action.REVERSE: _STAFF,
    Action.ADJUST: frozenset({Power.REFEREE}),
    Action.REVEAL: _STAFF,
    Action.FORECAST: frozenset({Power.REFEREE, Power.COMMANDER}),
    Action.COMMENT: frozenset({Power.ORGANISER, Power.REFEREE}) | _PLAYERS,
    Action.ADVANCE: _STAFF,
    Action.PREVIEW_AS: frozenset({Power.REFEREE}),
}

ARCHIVED = "This campaign is archived. Its organiser can take it out of the archive."

CHANGES = frozenset(Action) - {Action.SEE, Action.SEE_FORCES, Action.PREVIEW_AS, Action.PURGE}


def powers(seat: Seat) -> frozenset[Power]:
    """What a seat amounts to."""
    held = {Power(seat.role)}
    if seat.role == Role.ORGANISER:
        held.add(Power.COMMANDER if seat.side_id else Power.REFEREE)
    return frozenset(held)


def audience_of(seat: Seat) -> str:
    """Who a seat reads as: "referee", "public" or the key of its side."""
    if Power.REFEREE in powers(seat):
        return REFEREE
    if seat.role == Role.SPECTATOR or seat.side is None:
        return PUBLIC
    return side_audience(seat.side.key)


def side_audience(key: str) -> str:
    """The audience that a side is. A key that means another audience would open the fog: that
    is a ValueError, whatever pack or database it comes from."""
    why = engine.side_key_fault(key)
    if why:
        raise ValueError(f'"{key}" is no audience of a side: {why}')
    return key


@contextmanager
def blinded(seat: Seat | None, words: str) -> Iterator[None]:
    """What is refused in here may name either side's units: only a referee is told more."""
    try:
        yield
    except Refused as refusal:
        if seat is None or Power.REFEREE in powers(seat):
            raise
        raise Refused(words) from refusal


def may(seat: Seat, action: Action) -> bool:
    """Whether a seat may do something, as far as its role goes."""
    return bool(powers(seat) & MATRIX[action])


def require(seat: Seat, action: Action, side: Side | None = None) -> None:
    """Refuse what a seat may not do. With a side: nor may a player for another side."""
    if not may(seat, action):
        raise Refused(f"You may not {action.value}: you are {_article(seat)} here.")
    if side is not None and Power.REFEREE not in powers(seat) and seat.side_id != side.pk:
        raise NotFound
    if action in CHANGES and action is not Action.MANAGE and not seat.campaign.is_active:
        raise Refused(ARCHIVED)


def _article(seat: Seat) -> str:
    word = Role(seat.role).label
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def seat_for(user: Any, slug: str) -> Seat:
    """The seat of a user in a campaign. NotFound for a stranger."""
    if not getattr(user, "is_authenticated", False):
        raise NotFound
    seat = (
        Seat.objects.select_related("campaign", "side", "user")
        .filter(campaign__slug=slug, user=user)
        .first()
    )
    if seat is None:
        raise NotFound
    return seat


def seats_of(user: Any) -> QuerySet[Seat]:
    """Every seat of a user."""
    return Seat.objects.select_related("campaign", "side", "user").filter(user=user)


def public_campaign(slug: str) -> Campaign:
    """A campaign whose chronicle anyone may read. NotFound for any other."""
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is None or not campaign.is_public:
        raise NotFound
    return campaign


def battle_for(
    seat: Seat, battle_id: str, action: Action = Action.SEE, *, lock: bool = False
) -> Battle:
    """A battle of the seat's campaign, checked for an action, locked for writing if asked."""
    rows = Battle.objects.select_related("campaign", "turn", "terms__campaign")
    if lock:
        rows = rows.select_for_update(of=("self",))
    battle = rows.filter(campaign_id=seat.campaign_id, uid=battle_id).first()
    if battle is None:
        raise NotFound
    require(seat, action)
    return battle


def terms_for(seat: Seat, rung: str) -> BattleTerms:
    """The scenario of a rung of the seat's ladder, reached or not. NotFound for any other key."""
    require(seat, Action.SEE)
    scenarios = {step["key"]: step["scenario"] for step in seat.campaign.ladder}
    terms = (
        BattleTerms.objects.select_related("campaign")
        .filter(campaign_id=seat.campaign_id, key=scenarios.get(rung))
        .first()
    )
    if terms is None:
        raise NotFound
    return terms


def job_for(seat: Seat, job_id: str, *, lock: bool = False) -> Job:
    """A job of the seat's campaign. What works out odds is known by its forecast alone."""
    rows = Job.objects.select_related("battle", "campaign").filter(lane=None)
    if lock:
        rows = rows.select_for_update(of=("self",))
    job = rows.filter(campaign_id=seat.campaign_id, uid=job_id).first()
    if job is None:
        raise NotFound
    return job


def forecast_for(seat: Seat, forecast_id: str) -> Forecast:
    """Odds that this seat's own side, or the referee, asked for. Any other is NotFound."""
    rows = Forecast.objects.select_related("battle", "campaign", "side")
    forecast = rows.filter(campaign_id=seat.campaign_id, uid=forecast_id).first()
    if forecast is None or not may(seat, Action.SEE_FORCES):
        raise NotFound
    mine = REFEREE if forecast.side is None else forecast.side.key
    if audience_of(seat) != mine:
        raise NotFound
    return forecast


def side_for(seat: Seat, key: str, action: Action = Action.SEE_FORCES) -> Side:
    """A side of the campaign, if the seat may do this for it. A foreign one is NotFound."""
    side = Side.objects.filter(campaign_id=seat.campaign_id, key=key).first()
    if side is None or not may(seat, action):
        raise NotFound
    require(seat, action, side)
    return side


def unit_for(seat: Seat, unit_id: str) -> Unit:
    """A unit whose strength the seat may see. The other side's is NotFound."""
    unit = (
        Unit.objects.select_related("side", "formation", "campaign")
        .filter(campaign_id=seat.campaign_id, uid=unit_id)
        .first()
    )
    if unit is None or not may(seat, Action.SEE_FORCES):
        raise NotFound
    require(seat, Action.SEE_FORCES, unit.side)
    return unit


def formation_for(seat: Seat, formation_id: str) -> Formation:
    """A formation the seat may see."""
    formation = (
        Formation.objects.select_related("side")
        .filter(campaign_id=seat.campaign_id, uid=formation_id)
        .first()
    )
    if formation is None or not may(seat, Action.SEE_FORCES):
        raise NotFound
    require(seat, Action.SEE_FORCES, formation.side)
    return formation


def posting_for(
    seat: Seat, posting_id: str, action: Action = Action.SEE, *, lock: bool = False
) -> Posting:
    """A posting the seat may know of."""
    rows = Posting.objects.select_related("campaign", "turn", "battle", "actor")
    if lock:
        rows = rows.select_for_update(of=("self",))
    posting = rows.filter(campaign_id=seat.campaign_id, uid=posting_id).first()
    if posting is None:
        raise NotFound
    audience = audience_of(seat)
    if audience != REFEREE and posting.audience not in ("all", audience):
        raise NotFound
    require(seat, action)
    return posting
