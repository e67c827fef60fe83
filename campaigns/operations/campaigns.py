"""A campaign from its pack to its purge.

Making one copies everything out of the pack: sides, order of battle, terms, ladder and house
rules; the first posting gives every unit what it is authorised. Purging deletes a whole
campaign, journal and all, and is the only deletion there is.
"""

from __future__ import annotations

import json
import secrets
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from campaigns import access, engine, entries
from campaigns.access import Action
from campaigns.entries import Entry
from campaigns.models import (
    LIVE_STATES,
    Account,
    ApiToken,
    Balance,
    Battle,
    BattleTerms,
    Campaign,
    Comment,
    Establishment,
    ForceSnapshot,
    Forecast,
    ForecastChunk,
    ForecastLane,
    Formation,
    Holder,
    InstalledPack,
    Job,
    Line,
    Log,
    Posting,
    PurgePermit,
    Result,
    Role,
    SealedKey,
    Seat,
    Side,
    Status,
    StoredReport,
    Turn,
    Unit,
)
from campaigns.models.campaign import SIDE_NAME
from campaigns.operations import forecasts, kept_answers, ledger
from campaigns.operations.ledger import Author
from campaigns.refusals import NotFound, Refused

OPTIONS = ("public", "opponent_comments")

CARRY_CHOICES = {
    "reduced": ("stay", "refit"),
    "merge_reduced": (True, False),
    "morale": ("recovers", "stays"),
    "lost_weapons": ("lost", "replaced"),
    "lost_leaders": ("lost", "replaced"),
}


# --- make --------------------------------------------------------------------------------------


@transaction.atomic
def create_from_pack(
    *,
    user: User,
    pack_key: str,
    title: str = "",
    side_names: dict[str, str] | None = None,
    options: dict[str, Any] | None = None,
    carry: dict[str, Any] | None = None,
    organiser_side: str = "",
) -> Seat:
    """Make a campaign from an installed pack; whoever makes it gets the organiser's seat.

    `side_names` renames sides, `carry` changes house rules, `organiser_side` seats the
    organiser as a commander too: then he sees that side only.
    """
    installed = InstalledPack.objects.filter(key=pack_key).first()
    if installed is None:
        raise NotFound
    pack: dict[str, Any] = json.loads(installed.document)
    head = pack["head"]
    title = _title(title) or head["title"]
    campaign = Campaign.objects.create(
        slug=new_slug(title),
        title=title[:120],
        summary=head["summary"],
        ruleset=head["ruleset"],
        ruleset_version=engine.version(head["ruleset"]),
        pack=head["key"],
        kind=head["kind"],
        starts=date.fromisoformat(head["starts"][:10]),
        ladder=head["ladder"],
        carry=_carry(head["carry"], carry or {}),
        replacements=head["replacements"],
        sources=head["sources"],
        options={"public": False, "opponent_comments": True, **_options(options or {})},
    )
    sides = _sides(campaign, head["sides"], side_names or {})
    _terms(campaign, pack)
    _orders_of_battle(campaign, pack, sides)
    rung = head["ladder"][0] if head["ladder"] else None
    Turn.objects.create(
        campaign=campaign,
        number=1,
        date=campaign.starts,
        rung=rung["key"] if rung else "",
        title=_title_of_rung(pack, rung),
    )
    side = sides.get(organiser_side)
    if organiser_side and side is None:
        raise Refused(f'This pack has no side "{organiser_side}".', path="organiser_side")
    seat = Seat.objects.create(campaign=campaign, user=user, role=Role.ORGANISER, side=side)
    _establish(campaign, seat)
    return seat


def _options(options: dict[str, Any]) -> dict[str, bool]:
    for key in options:
        if key not in OPTIONS:
            raise Refused(f'There is no option "{key}".', path=f"options.{key}")
    return {key: bool(value) for key, value in options.items()}


def _title(title: str) -> str:
    """A campaign's title as it is kept; empty where none is given."""
    title = title.strip()
    why = engine.name_fault(title) if title else ""
    if why:
        raise Refused(f"That is no title for a campaign: {why}.", path="title")
    return title


def new_slug(title: str) -> str:
    """An address from a title, with a random tail: it tells nothing of other campaigns."""
    return f"{slugify(title)[:60] or 'campaign'}-{secrets.token_hex(3)}"


def _carry(printed: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    for key, value in changes.items():
        if key not in CARRY_CHOICES or value not in CARRY_CHOICES[key]:
            raise Refused(f'There is no house rule "{key}" = "{value}".', path=f"carry.{key}")
    return {**printed, **changes}


def _title_of_rung(pack: dict[str, Any], rung: dict[str, Any] | None) -> str:
    return pack["scenarios"][rung["scenario"]]["title"] if rung else ""


def _sides(
    campaign: Campaign, sides: list[dict[str, Any]], names: dict[str, str]
) -> dict[str, Side]:
    for key in names:
        if key not in {side["key"] for side in sides}:
            raise Refused(f'This pack has no side "{key}".', path=f"side_names.{key}")
    made = {}
    for position, side in enumerate(sides):
        why = engine.side_key_fault(side["key"])
        if why:
            raise Refused(
                f'This pack has a side with the key "{side["key"]}": {why}. The pack needs another'
                " key for it and has to be loaded anew."
            )
        made[side["key"]] = Side.objects.create(
            campaign=campaign,
            key=side["key"],
            name=_side_name(side["key"], names.get(side["key"], "").strip() or side["name"]),
            nation=side["nation"],
            colour=side["colour"],
            affiliation=side["affiliation"],
            position=position,
        )
    _refuse_alike(campaign, names)
    return made


def _refuse_alike(campaign: Campaign, names: dict[str, str]) -> None:
    """Every report names sides: two of one name could not be told apart in it. `names` were
    chosen just now, so that one of them is named as the fault."""
    sides = list(campaign.sides.order_by("position"))
    for place, side in enumerate(sides):
        twin = next((s for s in sides[:place] if engine.alike(s.name, side.name)), None)
        if twin is not None:
            chosen = twin if twin.key in names and side.key not in names else side
            raise Refused(
                f'Two sides cannot both be called "{side.name}". Give one of them another name.',
                path=f"side_names.{chosen.key}",
            )


def _side_name(key: str, name: str) -> str:
    if not name:
        raise Refused("A side needs a name.", path=f"side_names.{key}")
    why = engine.name_fault(name)
    if why:
        raise Refused(f"That is no name for a side: {why}.", path=f"side_names.{key}")
    if len(name) > SIDE_NAME:
        raise Refused(
            f"The name of a side has at most {SIDE_NAME} characters.", path=f"side_names.{key}"
        )
    return name


def _terms(campaign: Campaign, pack: dict[str, Any]) -> None:
    for key, scenario in pack["scenarios"].items():
        BattleTerms.objects.create(
            campaign=campaign,
            key=key,
            title=scenario["title"],
            document=engine.canonical(scenario).decode(),
            picks=pack["picks"].get(key, {}),
        )


def _orders_of_battle(campaign: Campaign, pack: dict[str, Any], sides: dict[str, Side]) -> None:
    for oob in pack["orders_of_battle"]:
        side = sides[oob["side"]]
        formations: dict[str, Formation] = {}
        for position, row in enumerate(oob["formations"]):
            formations[row["key"]] = Formation.objects.create(
                campaign=campaign,
                side=side,
                key=row["key"],
                name=row["name"],
                echelon=row["echelon"],
                symbol=row["symbol"],
                position=position,
            )
        for row in oob["formations"]:
            if row["parent"]:
                child = formations[row["key"]]
                child.parent = formations[row["parent"]]
                child.save(update_fields=["parent"])
        _units(campaign, side, oob["units"], formations)


def _units(
    campaign: Campaign, side: Side, rows: list[dict[str, Any]], formations: dict[str, Formation]
) -> None:
    units = Unit.objects.bulk_create(
        Unit(
            campaign=campaign,
            side=side,
            formation=formations[row["formation"]],
            key=row["key"],
            name=row["name"],
            quality=row["quality"],
            echelon=row["echelon"],
            symbol=row["symbol"],
            note=row["note"],
            position=position,
        )
        for position, row in enumerate(rows)
    )
    authorised = []
    for unit, row in zip(units, rows, strict=True):
        for position, (element, quantity) in enumerate(row["elements"].items()):
            kind = engine.element_type(campaign.ruleset, element)
            authorised.append(
                Establishment(
                    unit=unit,
                    element=element,
                    title=kind.title if kind else element,
                    category=kind.category if kind else "",
                    quantity=quantity,
                    position=position,
                )
            )
    Establishment.objects.bulk_create(authorised)


def _establish(campaign: Campaign, seat: Seat) -> None:
    """The first posting: every unit gets what it is authorised."""
    lines: list[Entry] = []
    rows = Establishment.objects.filter(unit__campaign=campaign).select_related("unit__side")
    for row in rows:
        kind = engine.element_type(campaign.ruleset, row.element)
        best = kind.conditions[0] if kind else "fit"
        lines += entries.move(
            entries.element_item(campaign.ruleset, row.element),
            row.quantity,
            entries.side_account(Holder.ESTABLISHMENT, row.unit.side),
            entries.unit_account(row.unit, best),
        )
    ledger.post(
        campaign=campaign,
        kind=Posting.Kind.ESTABLISHMENT,
        key=f"establishment:{campaign.uid}",
        author=Author(seat),
        lines=entries.merged(lines),
        reason="The order of battle of the pack",
    )


# --- manage ------------------------------------------------------------------------------------


@transaction.atomic
def rename(*, seat: Seat, title: str = "", side_names: dict[str, str] | None = None) -> Campaign:
    """Give the campaign or its sides other names. What the ledger stamped stays as it was."""
    access.require(seat, Action.MANAGE)
    campaign = ledger.lock_campaign(seat.campaign, archived=True)
    title = _title(title)
    if title:
        campaign.title = title[:120]
        campaign.save(update_fields=["title"])
    for key, name in (side_names or {}).items():
        if not campaign.sides.filter(key=key).update(name=_side_name(key, name.strip())):
            raise NotFound
    if side_names:
        _refuse_alike(campaign, side_names)
    return campaign


@transaction.atomic
def set_options(*, seat: Seat, options: dict[str, bool]) -> Campaign:
    """Switch house rules: `public`, `opponent_comments`."""
    access.require(seat, Action.MANAGE)
    campaign = ledger.lock_campaign(seat.campaign, archived=True)
    campaign.options |= _options(options)
    campaign.save(update_fields=["options"])
    return campaign


@transaction.atomic
def archive(*, seat: Seat) -> Campaign:
    """Close a campaign: it may be read, nothing in it may be done."""
    return _set_state(seat, Campaign.State.ARCHIVED)


@transaction.atomic
def unarchive(*, seat: Seat) -> Campaign:
    """Take a campaign out of the archive."""
    return _set_state(seat, Campaign.State.ACTIVE)


def _set_state(seat: Seat, state: Campaign.State) -> Campaign:
    access.require(seat, Action.MANAGE)
    campaign = ledger.lock_campaign(seat.campaign, archived=True)
    if state == Campaign.State.ARCHIVED and campaign.battles.filter(state__in=LIVE_STATES).exists():
        raise Refused("A battle is under way. Post it or cancel it first.")
    campaign.state = state
    campaign.save(update_fields=["state"])
    if state == Campaign.State.ARCHIVED:
        forecasts.end_all(campaign)
    return campaign


# --- purge -------------------------------------------------------------------------------------


@transaction.atomic
def purge(*, seat: Seat, typed_title: str) -> None:
    """Delete a campaign and its journal for good. Its organiser types its name to say so."""
    access.require(seat, Action.PURGE)
    campaign = ledger.lock_campaign(seat.campaign, archived=True)
    if typed_title.strip() != campaign.title:
        raise Refused(f'Type the name of the campaign, "{campaign.title}".', path="typed_title")
    PurgePermit.objects.create(campaign=campaign)
    _delete_battles_and_journal(campaign)
    kept_answers.forget_campaign(campaign)
    for rows in (campaign.units, campaign.formations):
        _delete(rows.all())
    campaign.invitations.all().delete()
    ApiToken.objects.filter(seat__campaign=campaign).delete()
    _delete(campaign.seats.all(), campaign.turns.all(), campaign.sides.all())
    campaign.delete()


def _delete_battles_and_journal(campaign: Campaign) -> None:
    of_battle = Battle.objects.filter(campaign=campaign)
    snapshots = ForceSnapshot.objects.filter(battle__campaign=campaign)
    _delete(
        StoredReport.objects.filter(battle__campaign=campaign),
        Line.objects.filter(posting__campaign=campaign),
        Status.objects.filter(posting__campaign=campaign),
        Balance.objects.filter(account__campaign=campaign),
        Posting.objects.filter(campaign=campaign).exclude(reverses=None),
        Posting.objects.filter(campaign=campaign).exclude(replaces=None),
        Posting.objects.filter(campaign=campaign),
        Account.objects.filter(campaign=campaign),
        Result.objects.filter(battle__campaign=campaign),
        Log.objects.filter(snapshot__in=snapshots),
        SealedKey.objects.filter(snapshot__in=snapshots),
        ForecastChunk.objects.filter(forecast__campaign=campaign),
        ForecastLane.objects.filter(forecast__campaign=campaign),
        Forecast.objects.filter(campaign=campaign),
        Job.objects.filter(campaign=campaign),
        snapshots,
        Comment.objects.filter(battle__campaign=campaign),
    )
    of_battle.delete()
    _delete(
        BattleTerms.objects.filter(campaign=campaign),
        Establishment.objects.filter(unit__campaign=campaign),
    )


def _delete(*querysets: Any) -> None:
    """Delete rows in the order given, past the PROTECT that guards them from anybody else."""
    for rows in querysets:
        rows._raw_delete(rows.db)
