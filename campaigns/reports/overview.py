"""The desk: my campaigns and what needs me, one campaign at a glance, and who sits where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from campaigns import access, engine
from campaigns.access import Action
from campaigns.models import (
    OPEN_STATES,
    Battle,
    Campaign,
    InstalledPack,
    Result,
    Seat,
    Turn,
)
from campaigns.projection import viewer_for
from campaigns.reports import course
from campaigns.reports.battle import buttons
from campaigns.reports.history import JournalRow, Standing, journal, standings

NEEDS = {
    "choose_forces": "Choose who comes",
    "lock": "Lock the forces",
    "resolve": "Have it resolved, or play it at the table",
    "enter_result": "Enter the result",
    "report_side": "Report your side",
    "preview": "Look at the consequences and post",
    "plan_battle": "Plan the battle of this turn",
    "open_next": "Open the next turn",
}
"""What a button means to somebody who is waited for."""

CLOSES = "Close the last turn"
"""The same as opening the next where no fight follows."""


@dataclass(frozen=True)
class Need:
    """Something that waits for this person."""

    campaign: str
    slug: str
    battle: str
    title: str
    what: str
    button: str


@dataclass(frozen=True)
class CampaignCard:
    slug: str
    title: str
    ruleset: str
    state: str
    role: str
    side: str
    turn: int
    date: date
    turn_title: str


@dataclass(frozen=True)
class HomeReport:
    campaigns: tuple[CampaignCard, ...]
    archived: tuple[CampaignCard, ...]
    needs: tuple[Need, ...]


def home(user: Any) -> HomeReport:
    """A person's campaigns and what needs him, in a fixed number of queries."""
    seats = list(access.seats_of(user).order_by("-campaign__created_at"))
    campaigns = [seat.campaign_id for seat in seats]
    turns: dict[int, Turn] = {}
    for turn in Turn.objects.filter(campaign__in=campaigns).order_by("number"):
        turns[turn.campaign_id] = turn
    battles: dict[int, list[Battle]] = defaultdict(list)
    for row in Battle.objects.filter(campaign__in=campaigns, state__in=OPEN_STATES).select_related(
        "campaign"
    ):
        battles[row.campaign_id].append(row)
    latest = [turn.pk for turn in turns.values()]
    fought: dict[int, list[Battle]] = defaultdict(list)
    for row in Battle.objects.filter(turn__in=latest):
        fought[row.campaign_id].append(row)
    cards = [_card(seat, turns[seat.campaign_id]) for seat in seats]
    needs = [
        need
        for seat in seats
        for need in [
            *_needs(seat, battles[seat.campaign_id]),
            *_next(seat, fought[seat.campaign_id], turns[seat.campaign_id]),
        ]
    ]
    return HomeReport(
        campaigns=tuple(c for c in cards if c.state == Campaign.State.ACTIVE),
        archived=tuple(c for c in cards if c.state == Campaign.State.ARCHIVED),
        needs=tuple(needs),
    )


def _card(seat: Seat, turn: Turn) -> CampaignCard:
    return CampaignCard(
        slug=seat.campaign.slug,
        title=seat.campaign.title,
        ruleset=seat.campaign.ruleset,
        state=seat.campaign.state,
        role=seat.get_role_display(),
        side=seat.side.name if seat.side else "",
        turn=turn.number,
        date=turn.date,
        turn_title=turn.title,
    )


def _needs(seat: Seat, battles: list[Battle]) -> list[Need]:
    found = []
    for row in battles:
        for button in buttons(seat, row):
            if button in NEEDS:
                found.append(
                    Need(
                        seat.campaign.title,
                        seat.campaign.slug,
                        row.uid,
                        row.title,
                        NEEDS[button],
                        button,
                    )
                )
    return found


def _next(seat: Seat, battles: list[Battle], turn: Turn) -> list[Need]:
    """The step of the campaign itself that waits for this seat."""
    may = _may(seat, battles, turn)
    ways = [rung.get("next", {}) for rung in seat.campaign.ladder if rung["key"] == turn.rung]
    last = not any(key for way in ways for key in way.values())
    words = NEEDS | ({"open_next": CLOSES} if last else {})
    return [
        Need(seat.campaign.title, seat.campaign.slug, "", turn.title, words[step], step)
        for step in ("plan_battle", "open_next")
        if step in may
    ]


# --- one campaign ------------------------------------------------------------------------------


@dataclass(frozen=True)
class BattleCard:
    uid: str
    number: int
    title: str
    turn: int
    rung: str
    state: str
    state_name: str
    outcome: str
    """Who won, once it is posted."""


@dataclass(frozen=True)
class RungCard:
    """A rung of the ladder: fought, being fought, or possible still."""

    key: str
    title: str
    leads_to: tuple[tuple[str, str], ...]
    """(outcome, title of the next rung or "the end")."""
    following: tuple[str, ...]
    """The keys of the rungs it may lead to."""
    turn: int
    current: bool
    instead: str = ""
    """Of a rung that a result as it stands now would have led to: how it stood then."""


@dataclass(frozen=True)
class SideCard:
    key: str
    name: str
    colour: str
    affiliation: str
    players: tuple[str, ...]


@dataclass(frozen=True)
class Eyes:
    """Through whose eyes a report is: "referee", "public" or "side", and then which."""

    kind: str
    side: str
    side_name: str
    preview: bool


@dataclass(frozen=True)
class CampaignReport:
    slug: str
    title: str
    summary: str
    ruleset: str
    ruleset_version: str
    pack: str
    kind: str
    state: str
    is_public: bool
    turn: int
    date: date
    turn_title: str
    ended: bool
    viewer: Eyes
    sides: tuple[SideCard, ...]
    standings: tuple[Standing, ...]
    ladder: tuple[RungCard, ...]
    parted: tuple[str, ...]
    """Where a result leads elsewhere by now than the ladder went, in sentences."""
    battles: tuple[BattleCard, ...]
    journal: tuple[JournalRow, ...]
    needs: tuple[Need, ...]
    may: tuple[str, ...]
    """Among: manage plan_battle open_next adjust preview_as."""
    sources: tuple[str, ...]
    carry: tuple[tuple[str, str], ...]

    @property
    def at_last_rung(self) -> bool:
        """Whether no fight follows that of this turn."""
        return any(rung.current and not rung.following for rung in self.ladder)


def campaign(seat: Seat, preview: str = "") -> CampaignReport:
    """A campaign at a glance, as this seat may see it."""
    row = seat.campaign
    viewer = viewer_for(seat, preview)
    turns = list(row.turns.all())
    battles = list(row.battles.select_related("turn"))
    for battle in battles:
        battle.campaign = row
    open_battles = [b for b in battles if b.state in OPEN_STATES]
    ways = course.parted(row, turns, battles)
    outcomes = _outcomes(row, [b for b in battles if b.state == Battle.State.POSTED])
    return CampaignReport(
        slug=row.slug,
        title=row.title,
        summary=row.summary,
        ruleset=row.ruleset,
        ruleset_version=row.ruleset_version,
        pack=row.pack,
        kind=row.kind,
        state=row.state,
        is_public=row.is_public,
        turn=turns[-1].number,
        date=turns[-1].date,
        turn_title=turns[-1].title,
        ended=bool(row.ladder) and not turns[-1].rung,
        viewer=Eyes(viewer.kind, viewer.side_key, viewer.side_name, viewer.preview),
        sides=sides(row),
        standings=standings(viewer, row),
        ladder=rungs(row, turns, ways),
        parted=course.in_words(row, ways),
        battles=tuple(
            BattleCard(
                b.uid,
                b.number,
                b.title,
                b.turn.number,
                b.rung,
                b.state,
                b.get_state_display(),
                outcomes.get(b.pk, ""),
            )
            for b in battles
        ),
        journal=journal(viewer, limit=20),
        needs=() if viewer.preview else tuple(_needs(seat, open_battles)),
        may=() if viewer.preview else _may(seat, battles, turns[-1]),
        sources=tuple(row.sources),
        carry=tuple((k.replace("_", " "), str(v)) for k, v in row.carry.items()),
    )


def _outcomes(row: Campaign, posted: list[Battle]) -> dict[int, str]:
    """Who won each posted battle, in words, by pk."""
    names = {side.key: side.name for side in row.sides.all()}
    rows = Result.objects.filter(battle__in=posted).order_by("pk")
    newest = dict(rows.values_list("battle_id", "document"))
    return {
        pk: engine.outcome_in_words(engine.parsed(document)["ending"], names)
        for pk, document in newest.items()
    }


def sides(row: Campaign) -> tuple[SideCard, ...]:
    """The sides and who plays them, for those who have a seat."""
    players: dict[int | None, list[str]] = defaultdict(list)
    for seat in row.seats.select_related("user"):
        players[seat.side_id].append(seat.user.get_username())
    return tuple(
        SideCard(s.key, s.name, s.colour, s.affiliation, tuple(players[s.pk]))
        for s in row.sides.all()
    )


def rungs(
    row: Campaign, turns: list[Turn], ways: Iterable[course.Parted] | None = None
) -> tuple[RungCard, ...]:
    """The ladder of a campaign, as far as it has come; `ways` where they are known already."""
    if ways is None:
        ways = course.parted(row, turns, row.battles.select_related("turn"))
    instead = {way.leads_to: way.then for way in ways if way.now}
    titles = dict(row.terms.values_list("key", "title"))
    of_rung = {rung["key"]: titles.get(rung["scenario"], rung["key"]) for rung in row.ladder}
    names = {side.key: side.name for side in row.sides.all()}
    reached = {turn.rung: turn.number for turn in turns if turn.rung}
    return tuple(
        RungCard(
            key=rung["key"],
            title=of_rung[rung["key"]],
            leads_to=tuple(
                (names.get(outcome, outcome), of_rung.get(following, "the end"))
                for outcome, following in rung.get("next", {}).items()
            ),
            following=tuple(dict.fromkeys(k for k in rung.get("next", {}).values() if k)),
            turn=reached.get(rung["key"], 0),
            current=turns[-1].rung == rung["key"],
            instead=instead.get(rung["key"], ""),
        )
        for rung in row.ladder
    )


PASSED_BY = "passed by"


def stands(rung: RungCard, ladder: tuple[RungCard, ...]) -> str:
    """When a rung was reached; of another whether it may still come, or is passed by."""
    if rung.turn:
        return f"turn {rung.turn}"
    follows = {each.key: each.following for each in ladder}
    ahead = [each.key for each in ladder if each.current]
    for key in ahead:
        ahead += [k for k in follows.get(key, ()) if k not in ahead]
    if rung.key in ahead:
        return "not reached"
    return PASSED_BY + (f": the result then stood as {rung.instead}" if rung.instead else "")


def _may(seat: Seat, battles: list[Battle], turn: Turn) -> tuple[str, ...]:
    found = []
    if access.may(seat, Action.MANAGE):
        found.append("manage")
    if access.may(seat, Action.PREVIEW_AS):
        found.append("preview_as")
    if not seat.campaign.is_active:
        return tuple(found)
    here = [b for b in battles if b.turn_id == turn.pk]
    standing = any(b.state in OPEN_STATES for b in here)
    posted = any(b.state == Battle.State.POSTED for b in here)
    if access.may(seat, Action.PLAN_BATTLE) and turn.rung and not standing and not posted:
        found.append("plan_battle")
    if access.may(seat, Action.ADVANCE) and turn.rung and posted and not standing:
        found.append("open_next")
    if access.may(seat, Action.ADJUST):
        found.append("adjust")
    return tuple(found)


@dataclass(frozen=True)
class PackCard:
    key: str
    title: str
    ruleset: str
    kind: str
    summary: str
    sides: tuple[tuple[str, str], ...]
    rungs: int
    carry: tuple[tuple[str, Any], ...]


def packs() -> tuple[PackCard, ...]:
    """The packs a campaign can be made from."""
    cards = []
    for row in InstalledPack.objects.all():
        head = engine.parsed(row.document)["head"]
        cards.append(
            PackCard(
                row.key,
                row.title,
                row.ruleset,
                row.kind,
                row.summary,
                tuple((s["key"], s["name"]) for s in head["sides"]),
                len(head["ladder"]),
                tuple(head["carry"].items()),
            )
        )
    return tuple(cards)
