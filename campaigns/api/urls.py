"""Addresses of the API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from campaigns.api import battles as b
from campaigns.api import campaigns as c
from campaigns.api.documents import DocumentSchema
from campaigns.api.endpoint import Unknown

app_name = "api"

Paths = list[URLPattern | URLResolver]

battle: Paths = [
    path("", b.BattleView.as_view(), name="battle"),
    path("forces/<slug:side>/", b.Forces.as_view(), name="battle_forces"),
    path("lock/", b.Lock.as_view(), name="battle_lock"),
    path("unlock/", b.Unlock.as_view(), name="battle_unlock"),
    path("table/", b.AtTable.as_view(), name="battle_table"),
    path("cancel/", b.Cancel.as_view(), name="battle_cancel"),
    path("resolutions/", b.Resolutions.as_view(), name="battle_resolutions"),
    path("odds/", b.Forecasts.as_view(), name="battle_odds"),
    path("result/", b.ResultView.as_view(), name="battle_result"),
    path("overrule/", b.Overrule.as_view(), name="battle_overrule"),
    path("preview/", b.Preview.as_view(), name="battle_preview"),
    path("postings/", b.Postings.as_view(), name="battle_postings"),
    path("corrections/", b.Corrections.as_view(), name="battle_corrections"),
    path("corrections/preview/", b.CorrectionTrial.as_view(), name="battle_correction_preview"),
    path("reveal/", b.Reveal.as_view(), name="battle_reveal"),
    path("report/", b.ReportView.as_view(), name="battle_report"),
    path("report/lines/", b.ReportLines.as_view(), name="battle_report_lines"),
    path("comments/", b.Comments.as_view(), name="battle_comments"),
]

campaign: Paths = [
    path("", c.CampaignView.as_view(), name="campaign"),
    path("turns/", c.Turns.as_view(), name="turns"),
    path("members/", c.Members.as_view(), name="members"),
    path("invitations/", c.Invitations.as_view(), name="invitations"),
    path("order-of-battle/", c.OrderOfBattle.as_view(), name="order_of_battle"),
    path("order-of-battle/changes/", c.Changes.as_view(), name="changes"),
    path("units/<slug:unit_id>/", c.UnitView.as_view(), name="unit"),
    path("history/", c.HistoryView.as_view(), name="history"),
    path("ledger/", c.LedgerView.as_view(), name="ledger"),
    path("journal/", c.JournalView.as_view(), name="journal"),
    path("journal/<slug:posting_id>/", c.PostingView.as_view(), name="posting"),
    path("journal/<slug:posting_id>/impact/", c.ImpactView.as_view(), name="impact"),
    path("journal/<slug:posting_id>/reversals/", c.Reversals.as_view(), name="reversals"),
    path("odds/<slug:forecast_id>/", b.ForecastView.as_view(), name="odds"),
    path("odds/<slug:forecast_id>/typical/<slug:outcome>/", b.Typical.as_view(), name="typical"),
    path("jobs/<slug:job_id>/", b.JobView.as_view(), name="job"),
    path("battles/", c.Battles.as_view(), name="battles"),
    path("battles/<slug:battle_id>/", include(battle)),
]

v1: Paths = [
    path("campaigns/", c.Home.as_view(), name="home"),
    path("packs/", c.Packs.as_view(), name="packs"),
    path("join/", c.Join.as_view(), name="join"),
    path("campaigns/<slug:slug>/", include(campaign)),
    path("schemas/<slug:ruleset>/<slug:name>/", DocumentSchema.as_view(), name="document"),
]

urlpatterns: Paths = [
    path("v1/", include(v1)),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api:schema"), name="docs"),
    re_path("", Unknown.as_view()),
]
