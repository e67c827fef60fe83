"""Addresses of the pages. Ids in them are opaque; UI state is in the query."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from campaigns.views import (
    accounts,
    adjustments,
    battle_reports,
    battles,
    campaigns,
    chronicle,
    exports,
    history,
    members,
    odds,
    oob,
    postings,
    replay,
    results,
    site,
    style,
)

battle: list[URLPattern | URLResolver] = [
    path("", battles.battle_page, name="battle"),
    path("do/<slug:act>/", battles.battle_act, name="battle_act"),
    path("forces/<slug:side>/", battles.forces, name="battle_forces"),
    path("progress/", battles.progress, name="battle_progress"),
    path("sheet/", oob.sheet, name="battle_sheet"),
    path("result/", results.enter, name="battle_result"),
    path("result/draft/", results.draft, name="battle_draft"),
    path("overrule/", results.overrule, name="battle_overrule"),
    path("preview/", postings.preview, name="battle_preview"),
    path("reverse/", postings.reverse_battle, name="battle_reverse"),
    path("correct/", results.correct, name="battle_correct"),
    path("report/", battle_reports.page, name="battle_report"),
    path("report/check/", battle_reports.check, name="battle_check"),
    path("replay/", replay.page, name="battle_replay"),
    path("replay/frames/", replay.frames, name="battle_frames"),
    path("odds/ask/", odds.ask, name="odds_ask"),
    path("report/comment/", battle_reports.comment, name="battle_comment"),
]

campaign: list[URLPattern | URLResolver] = [
    path("", campaigns.page, name="campaign"),
    path("next-turn/", campaigns.next_turn, name="next_turn"),
    path("settings/", campaigns.settings, name="settings"),
    path("members/", members.page, name="members"),
    path("members/<slug:seat_id>/", members.seat_page, name="seat"),
    path("order-of-battle/", oob.page, name="oob"),
    path("order-of-battle.csv", exports.order_of_battle, name="oob_csv"),
    path("ledger.csv", exports.ledger, name="ledger_csv"),
    path("order-of-battle/changes/", oob.changes, name="oob_changes"),
    path("roster/<slug:side>/", oob.roster_page, name="roster"),
    path("units/<slug:unit_id>/", oob.unit, name="unit"),
    path("units/<slug:unit_id>/<slug:act>/", adjustments.unit, name="unit_adjust"),
    path("chronicle/", chronicle.page, name="chronicle"),
    path("history/", history.page, name="history"),
    path("history/luck/", history.luck, name="luck"),
    path("odds/", odds.calibration, name="calibration"),
    path("odds/<slug:forecast_id>/", odds.progress, name="odds_progress"),
    path("odds/<slug:forecast_id>/cancel/", odds.cancel, name="odds_cancel"),
    path("odds/<slug:forecast_id>/typical/<slug:outcome>/", odds.typical, name="odds_typical"),
    path("journal/", history.journal, name="journal"),
    path("journal/note/", adjustments.note, name="note"),
    path("journal/<slug:posting_id>/", history.posting, name="posting"),
    path("battles/plan/", battles.plan, name="battle_plan"),
    path("battles/<slug:battle_id>/", include(battle)),
    path("jobs/<slug:job_id>/cancel/", battles.job_cancel, name="job_cancel"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", campaigns.home, name="home"),
    path("new/", campaigns.packs, name="packs"),
    path("new/<slug:pack>/", campaigns.new, name="new_campaign"),
    path("join/<str:token>/", members.join, name="join"),
    path("c/<slug:slug>/", include(campaign)),
    path("chronicles/", chronicle.every, name="chronicles"),
    path("about/", site.about, name="about"),
    path("style/", style.style_page, name="style"),
    path("sign-in/", accounts.SignIn.as_view(), name="login"),
    path("sign-out/", accounts.SignOut.as_view(), name="logout"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.ChangePassword.as_view(), name="password"),
    path("reset/<uidb64>/<token>/", accounts.ResetPassword.as_view(), name="reset"),
]
