"""A battle's life as JSON: forces, lock, resolve, result, preview, post, correct, reveal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api import conditions
from campaigns.api import contents as c
from campaigns.api.contents import plain
from campaigns.api.endpoint import AS, Endpoint, answer, choice, chosen, describe, if_match
from campaigns.api.pagination import PAGING, of_told
from campaigns.models import Job, Scope
from campaigns.operations import (
    battle_postings,
    battles,
    corrections,
    detachments,
    forecasts,
    jobs,
    table_reports,
)
from campaigns.refusals import NotFound, Refused
from campaigns.reports import aar, battle, odds


class BattleView(Endpoint):
    @describe("battle_read", "A battle", battle.BattleReport, parameters=(AS,))
    def get(self, request: Request, slug: str, battle_id: str) -> Response:
        return answer(battle.battle(self.seat, battle_id, self.preview))


def act(operation: Callable[..., Any], name: str, summary: str) -> type[Endpoint]:
    """An endpoint for an act that takes no more words; it answers with the battle as it is then."""

    class Act(Endpoint):
        @describe(name, summary, battle.BattleReport, parameters=(if_match(required=False),))
        def post(self, request: Request, slug: str, battle_id: str) -> Response:
            conditions.match(request, plain(battle.battle(self.seat, battle_id)), needed=False)
            operation(seat=self.seat, battle_id=battle_id)
            return answer(battle.battle(self.seat, battle_id))

    return Act


Lock = act(battles.lock_forces, "battle_lock", "Freeze the forces and seal the dice")
Unlock = act(battles.unlock_forces, "battle_unlock", "Choose the forces anew")
AtTable = act(battles.play_at_table, "battle_play_at_table", "Play it at the table")
Cancel = act(battles.cancel_battle, "battle_cancel", "Cancel the battle")


class Reveal(Endpoint):
    @describe("battle_reveal", "Reveal the key of the dice", c.Revealed)
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        return answer(c.Revealed(battles.reveal_key(seat=self.seat, battle_id=battle_id)))


class Forces(Endpoint):
    @describe(
        "battle_forces",
        "Choose who comes, of one side; no picks: the scenario's default force",
        battle.BattleReport,
        takes=c.Detachment,
        parameters=(if_match(required=True),),
        scope=Scope.FORCES,
    )
    def put(self, request: Request, slug: str, battle_id: str, side: str) -> Response:
        body = c.parse(request.data, c.Detachment)
        picks = [(pick.unit, pick.elements) for pick in body.picks]
        with transaction.atomic():
            standing = detachments.chosen(
                seat=self.seat, battle_id=battle_id, side_key=side, lock=True
            )
            conditions.match(request, plain(_detachment(standing)), needed=True)
            battles.choose_detachment(
                seat=self.seat, battle_id=battle_id, side_key=side, picks=picks
            )
        return answer(battle.battle(self.seat, battle_id))

    @describe(
        "battle_forces_read",
        "Who was chosen to come, of one side; its ETag is needed to choose anew",
        c.Detachment,
    )
    def get(self, request: Request, slug: str, battle_id: str, side: str) -> Response:
        standing = detachments.chosen(seat=self.seat, battle_id=battle_id, side_key=side)
        return answer(_detachment(standing))


def _detachment(standing: list[tuple[str, dict[str, int]]]) -> c.Detachment:
    return c.Detachment(picks=[c.Pick(unit=unit, elements=kinds) for unit, kinds in standing])


class Resolutions(Endpoint):
    @describe(
        "battle_resolve",
        "Have the engine fight it; follow the job at `Location`",
        battle.JobReport,
        status=202,
    )
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        job: Job = battles.request_resolve(seat=self.seat, battle_id=battle_id)
        report = battle.job(self.seat, job.uid)
        made = answer(report, 202, reverse("api:job", args=[slug, job.uid]))
        made["Retry-After"] = "1"
        return made


class Forecasts(Endpoint):
    @describe(
        "odds_ask",
        "Have the odds worked out, from what you know; follow them at `Location`",
        odds.OddsReport,
        takes=c.OddsWanted,
        status=202,
        scope=Scope.FORCES,
    )
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        body = c.parse(request.data, c.OddsWanted)
        row = forecasts.ask(
            seat=self.seat, battle_id=battle_id, most=body.most, half_width=body.half_width
        )
        report = odds.odds(self.seat, row.uid)
        made = answer(report, 202, reverse("api:odds", args=[slug, row.uid]))
        made["Retry-After"] = "1"
        return made


class ForecastView(Endpoint):
    @describe("odds_read", "Odds, or how far they are", odds.OddsReport)
    def get(self, request: Request, slug: str, forecast_id: str) -> Response:
        return answer(odds.odds(self.seat, forecast_id))

    @describe("odds_cancel", "Stop working out odds", odds.OddsReport, scope=Scope.FORCES)
    def delete(self, request: Request, slug: str, forecast_id: str) -> Response:
        forecasts.cancel(seat=self.seat, forecast_id=forecast_id)
        return answer(odds.odds(self.seat, forecast_id))


class Typical(Endpoint):
    @describe("odds_typical", "A typical battle of one outcome, told", odds.TypicalReport)
    def get(self, request: Request, slug: str, forecast_id: str, outcome: str) -> Response:
        return answer(odds.typical(self.seat, forecast_id, outcome))


class JobView(Endpoint):
    @describe("job_read", "A job", battle.JobReport)
    def get(self, request: Request, slug: str, job_id: str) -> Response:
        return answer(battle.job(self.seat, job_id))

    @describe("job_cancel", "Cancel a job", battle.JobReport)
    def delete(self, request: Request, slug: str, job_id: str) -> Response:
        jobs.cancel(seat=self.seat, job_id=job_id)
        return answer(battle.job(self.seat, job_id))


class ResultView(Endpoint):
    @describe(
        "result_form", "A result document to fill in, prefilled with what stands", c.ResultEntry
    )
    def get(self, request: Request, slug: str, battle_id: str) -> Response:
        return answer(c.ResultEntry(document=battle.result_form(self.seat, battle_id)))

    @describe(
        "result_enter",
        "Enter the result of a battle played at the table",
        battle.BattleReport,
        takes=c.ResultEntry,
        status=201,
        scope=Scope.RESULTS,
    )
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        body = c.parse(request.data, c.ResultEntry)
        if self.viewer.sees_all:
            battles.enter_result(
                seat=self.seat, battle_id=battle_id, document=body.document, note=body.note
            )
        else:
            table_reports.report_side(seat=self.seat, battle_id=battle_id, document=body.document)
        return answer(battle.battle(self.seat, battle_id), 201)


class Overrule(Endpoint):
    @describe(
        "result_overrule",
        "The referee overrules lines of a result before it is posted",
        battle.BattleReport,
        takes=c.ReasonedResult,
        status=201,
    )
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        body = c.parse(request.data, c.ReasonedResult)
        battles.overrule(
            seat=self.seat, battle_id=battle_id, document=body.document, reason=body.reason
        )
        return answer(battle.battle(self.seat, battle_id), 201)


class Preview(Endpoint):
    @describe("battle_preview", "What posting would write, dry", battle.PreviewReport)
    def get(self, request: Request, slug: str, battle_id: str) -> Response:
        return answer(battle.preview(self.seat, battle_id))


class Postings(Endpoint):
    @describe("battle_post", "Post the previewed result", c.Posted, takes=c.PlanHash, status=201)
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        body = c.parse(request.data, c.PlanHash)
        made = battle_postings.post_result(
            seat=self.seat, battle_id=battle_id, plan_hash=body.plan_hash
        )
        place = reverse("api:posting", args=[slug, made.uid])
        return answer(c.Posted(made.uid, made.kind), 201, place)


class Corrections(Endpoint):
    @describe(
        "battle_correct",
        "Reverse a posted battle and post the corrected result",
        c.Posted,
        takes=c.Correction,
        status=201,
    )
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        body = c.parse(request.data, c.Correction)
        made = corrections.correct_battle(
            seat=self.seat,
            battle_id=battle_id,
            document=body.document,
            reason=body.reason,
            plan_hash=body.plan_hash,
        )
        return answer(c.Posted(made.uid, made.kind), 201)


class CorrectionTrial(Endpoint):
    @describe(
        "battle_correct_preview",
        "What a correction would change in the ledger, dry",
        battle.PreviewReport,
        takes=c.ReasonedResult,
    )
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        body = c.parse(request.data, c.ReasonedResult)
        return answer(
            corrections.try_correction(
                seat=self.seat, battle_id=battle_id, document=body.document, reason=body.reason
            )
        )


class Comments(Endpoint):
    @describe(
        "battle_comment",
        "Say something of a battle",
        battle.BattleReport,
        takes=c.Words,
        status=201,
        scope=Scope.RESULTS,
    )
    def post(self, request: Request, slug: str, battle_id: str) -> Response:
        body = c.parse(request.data, c.Words)
        battles.comment(seat=self.seat, battle_id=battle_id, text=body.text, kind=body.kind)
        return answer(battle.battle(self.seat, battle_id), 201)


LEVEL = choice("show", "Which lines: all, what mattered, turning points.", aar.LEVELS, "all")
LINES = choice(
    "show",
    "Which of its lines: all, what mattered, turning points, or none, to read them by pages.",
    (*aar.LEVELS, "none"),
    "all",
)


class ReportView(Endpoint):
    @describe("battle_report", "The after-action report", aar.AarReport, parameters=(LINES, AS))
    def get(self, request: Request, slug: str, battle_id: str) -> Response:
        return answer(self.read(battle_id).told(chosen(request, LINES)))

    def read(self, battle_id: str) -> aar.AarReport:
        """The report as this caller may read it. Raises NotFound."""
        try:
            report = battle.battle_aar(self.seat, battle_id, self.preview)
        except Refused as refusal:
            raise NotFound from refusal
        if report is None:
            raise NotFound
        return report


class ReportLines(ReportView):
    @describe(
        "battle_report_lines",
        "What happened, line by line; by pages",
        c.ReportPage,
        parameters=(LEVEL, *PAGING, AS),
    )
    def get(self, request: Request, slug: str, battle_id: str) -> Response:
        report = self.read(battle_id).told(chosen(request, LEVEL))
        told, following, previous = of_told(report.lines, request)
        return answer(c.ReportPage(following, previous, tuple(told)))
