"""Campaigns, members, order of battle and history as JSON."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import access
from campaigns.api import contents as c
from campaigns.api.endpoint import AS, Endpoint, answer, describe, number, whole
from campaigns.api.pagination import PAGING, LinePages, PostingPages
from campaigns.api.problem import Malformed
from campaigns.api.tokens import SESSION
from campaigns.operations import battle_postings, battles, campaigns, members, turns
from campaigns.refusals import NotFound
from campaigns.reports import history, ledger, oob, overview, seats, units


class Home(Endpoint):
    @describe(
        "campaigns_list", "My campaigns and what needs me", overview.HomeReport, scope=SESSION
    )
    def get(self, request: Request) -> Response:
        return answer(overview.home(request.user))

    @describe(
        "campaigns_create",
        "Open a campaign from a pack",
        c.CampaignMade,
        takes=c.NewCampaign,
        status=201,
        scope=SESSION,
    )
    def post(self, request: Request) -> Response:
        body = c.parse(request.data, c.NewCampaign)
        assert isinstance(request.user, User)
        seat = campaigns.create_from_pack(
            user=request.user,
            pack_key=body.pack,
            title=body.title,
            side_names=body.side_names,
            options=dict(body.options),
            carry=body.carry,
            organiser_side=body.organiser_side,
        )
        made = c.CampaignMade(seat.campaign.slug, seat.campaign.title)
        return answer(made, 201, reverse("api:campaign", args=[seat.campaign.slug]))


class Packs(Endpoint):
    @describe("packs_list", "Packs a campaign can be opened from", c.Packs, scope=SESSION)
    def get(self, request: Request) -> Response:
        return answer(c.Packs(overview.packs()))


class Join(Endpoint):
    @describe(
        "join", "Take the seat of an invitation", c.CampaignMade, takes=c.Token, scope=SESSION
    )
    def post(self, request: Request) -> Response:
        body = c.parse(request.data, c.Token)
        assert isinstance(request.user, User)
        seat = members.accept(user=request.user, token=body.token)
        return answer(c.CampaignMade(seat.campaign.slug, seat.campaign.title))


class CampaignView(Endpoint):
    @describe("campaign_read", "A campaign", overview.CampaignReport, parameters=(AS,))
    def get(self, request: Request, slug: str) -> Response:
        return answer(overview.campaign(self.seat, self.preview))


class Turns(Endpoint):
    @describe("turns_open_next", "Open the next turn", c.TurnOpened, status=201)
    def post(self, request: Request, slug: str) -> Response:
        turn = turns.open_next(seat=self.seat)
        return answer(c.TurnOpened(turn.number if turn else None), 201)


class Members(Endpoint):
    @describe("members_list", "Seats and invitations", seats.MembersReport)
    def get(self, request: Request, slug: str) -> Response:
        return answer(seats.members(self.seat))


class Invitations(Endpoint):
    keeps = False

    @describe(
        "invitations_create",
        "Invite somebody; the token is shown this once",
        c.InvitationMade,
        takes=c.NewInvitation,
        status=201,
        scope=SESSION,
    )
    def post(self, request: Request, slug: str) -> Response:
        body = c.parse(request.data, c.NewInvitation)
        made = members.invite(seat=self.seat, role=body.role, side_key=body.side, note=body.note)
        row = made.invitation
        side = row.side.key if row.side else ""
        return answer(c.InvitationMade(row.uid, made.token, row.role, side), 201)


class OrderOfBattle(Endpoint):
    @describe(
        "order_of_battle",
        "The order of battle, as of any turn",
        oob.OobReport,
        parameters=(whole("as_of", "Turn; the present if left out."), AS),
    )
    def get(self, request: Request, slug: str) -> Response:
        return answer(oob.oob(self.viewer, self.seat.campaign, number(request, "as_of")))


class Changes(Endpoint):
    @describe(
        "order_of_battle_changes",
        "What changed between two turns, with the causing postings",
        oob.DifferenceReport,
        parameters=(
            whole("first", "Turn.", required=True),
            whole("last", "Turn.", required=True),
            AS,
        ),
    )
    def get(self, request: Request, slug: str) -> Response:
        first, last = number(request, "first"), number(request, "last")
        if first is None or last is None:
            raise Malformed("first and last: two turns are needed", "first")
        return answer(oob.difference(self.viewer, self.seat.campaign, first, last))


class UnitView(Endpoint):
    @describe("unit_read", "One unit's life", units.UnitReport, parameters=(AS,))
    def get(self, request: Request, slug: str, unit_id: str) -> Response:
        return answer(units.unit(self.seat, unit_id, self.preview))


class HistoryView(Endpoint):
    @describe("history", "Points and casualties by turn", history.HistoryReport, parameters=(AS,))
    def get(self, request: Request, slug: str) -> Response:
        return answer(history.history(self.viewer, self.seat.campaign))


class JournalView(Endpoint):
    @describe(
        "journal",
        "Who did what, when and why; newest first, by pages",
        c.JournalPage,
        parameters=(*PAGING, AS),
    )
    def get(self, request: Request, slug: str) -> Response:
        pages = PostingPages()
        rows = pages.take(history.postings(self.viewer), request)
        told = history.journal_rows(self.viewer, rows)
        return answer(c.JournalPage(pages.get_next_link(), pages.get_previous_link(), told))


class LedgerView(Endpoint):
    @describe(
        "ledger",
        "The lines of the ledger; newest first, by pages",
        c.LedgerPage,
        parameters=(*PAGING, AS),
    )
    def get(self, request: Request, slug: str) -> Response:
        pages = LinePages()
        rows = pages.take(ledger.lines(self.viewer), request)
        told = tuple(ledger.row(line) for line in rows)
        return answer(c.LedgerPage(pages.get_next_link(), pages.get_previous_link(), told))


class PostingView(Endpoint):
    @describe("posting_read", "One posting and its lines", history.PostingReport, parameters=(AS,))
    def get(self, request: Request, slug: str, posting_id: str) -> Response:
        row = access.posting_for(self.seat, posting_id)
        if not self.viewer.may_know(row):
            raise NotFound
        return answer(history.posting(self.viewer, row))


class ImpactView(Endpoint):
    @describe("posting_impact", "What depends on a posting", battle_postings.Impact)
    def get(self, request: Request, slug: str, posting_id: str) -> Response:
        return answer(battle_postings.impact(seat=self.seat, posting_id=posting_id))


class Reversals(Endpoint):
    @describe("posting_reverse", "Reverse a posting", c.Posted, takes=c.Reasoned, status=201)
    def post(self, request: Request, slug: str, posting_id: str) -> Response:
        body = c.parse(request.data, c.Reasoned)
        made = battle_postings.reverse_posting(
            seat=self.seat, posting_id=posting_id, reason=body.reason
        )
        return answer(c.Posted(made.uid, made.kind), 201)


class Battles(Endpoint):
    @describe("battles_plan", "Plan the battle of the open turn", c.BattlePlanned, status=201)
    def post(self, request: Request, slug: str) -> Response:
        made = battles.plan_battle(seat=self.seat)
        place = reverse("api:battle", args=[slug, made.uid])
        return answer(c.BattlePlanned(made.uid, made.title), 201, place)
