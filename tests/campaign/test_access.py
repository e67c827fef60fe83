"""Who may do what, and what nobody is told."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from django.utils import timezone

from campaigns import access, projection
from campaigns.access import MATRIX, Action
from campaigns.models import Job, Seat
from campaigns.operations import (
    adjustments,
    battle_postings,
    battles,
    campaigns,
    jobs,
    members,
    oob,
    turns,
)
from campaigns.refusals import NotFound, Refused
from campaigns.reports import aar, history, overview, roster, units
from campaigns.reports import battle as battle_report
from campaigns.reports import oob as oob_report
from tests.campaign.conftest import SECRETS, Cast

ROLES = ("organiser", "referee", "red", "blue", "red_player", "spectator")

WHO_MAY: dict[Action, tuple[str, ...]] = {
    Action.SEE: ROLES,
    Action.SEE_FORCES: ("organiser", "referee", "red", "blue", "red_player"),
    Action.MANAGE: ("organiser",),
    Action.PURGE: ("organiser",),
    Action.PLAN_BATTLE: ("organiser", "referee"),
    Action.CHOOSE_FORCES: ("organiser", "referee", "red", "blue"),
    Action.LOCK: ("organiser", "referee"),
    Action.RESOLVE: ("organiser", "referee"),
    Action.ENTER_RESULT: ("organiser", "referee", "red", "blue", "red_player"),
    Action.OVERRULE: ("organiser", "referee"),
    Action.POST: ("organiser", "referee"),
    Action.REVERSE: ("organiser", "referee"),
    Action.ADJUST: ("organiser", "referee"),
    Action.REVEAL: ("organiser", "referee"),
    Action.FORECAST: ("organiser", "referee", "red", "blue"),
    Action.COMMENT: ("organiser", "referee", "red", "blue", "red_player"),
    Action.ADVANCE: ("organiser", "referee"),
    Action.PREVIEW_AS: ("organiser", "referee"),
}


def test_the_matrix_names_every_action() -> None:
    assert set(MATRIX) == set(Action) == set(WHO_MAY)


@pytest.mark.parametrize("action", list(Action))
def test_a_role_may_do_what_the_matrix_says_and_nothing_else(cast: Cast, action: Action) -> None:
    allowed = tuple(name for name, seat in cast.seats.items() if access.may(seat, action))
    assert allowed == WHO_MAY[action]


def test_an_organiser_with_a_side_sees_that_side_only_and_cannot_overrule(cast: Cast) -> None:
    seat = campaigns.create_from_pack(
        user=cast.stranger, pack_key=cast.pack.key, organiser_side="red"
    )
    assert projection.viewer_for(seat).audience == "red"
    assert not access.may(seat, Action.OVERRULE)
    assert access.may(seat, Action.POST)
    with pytest.raises(NotFound):
        access.side_for(seat, "blue")


def test_a_stranger_finds_nothing(cast: Cast) -> None:
    with pytest.raises(NotFound):
        access.seat_for(cast.stranger, cast.campaign.slug)
    other = campaigns.create_from_pack(user=cast.stranger, pack_key=cast.pack.key)
    battle = cast.planned()
    for attempt in (
        lambda: access.battle_for(other, battle.uid),
        lambda: access.unit_for(other, cast.unit("r1").uid),
        lambda: access.posting_for(other, cast.campaign.postings.first().uid),
    ):
        with pytest.raises(NotFound):
            attempt()


WRITES: dict[str, Callable[[Cast, Seat], object]] = {
    "plan": lambda c, s: battles.plan_battle(seat=s),
    "lock": lambda c, s: battles.lock_forces(seat=s, battle_id=c.campaign.battles.first().uid),
    "resolve": lambda c, s: battles.request_resolve(
        seat=s, battle_id=c.campaign.battles.first().uid
    ),
    "cancel": lambda c, s: battles.cancel_battle(seat=s, battle_id=c.campaign.battles.first().uid),
    "post": lambda c, s: battle_postings.post_result(
        seat=s, battle_id=c.campaign.battles.first().uid, plan_hash=""
    ),
    "adjust": lambda c, s: adjustments.adjust(
        seat=s,
        unit_id=c.unit("r1").uid,
        element="toy-squad",
        condition="fit",
        quantity=1,
        reason="?",
        key="?",
    ),
    "award": lambda c, s: adjustments.award(seat=s, side_key="red", points=1, reason="?", key="?"),
    "note": lambda c, s: oob.note(seat=s, text="?"),
    "advance": lambda c, s: turns.open_next(seat=s),
    "invite": lambda c, s: members.invite(seat=s, role="spectator"),
    "rename": lambda c, s: campaigns.rename(seat=s, title="Mine"),
    "archive": lambda c, s: campaigns.archive(seat=s),
    "purge": lambda c, s: campaigns.purge(seat=s, typed_title=c.campaign.title),
    "cancel job": lambda c, s: jobs.cancel(seat=s, job_id="?"),
    "reveal": lambda c, s: battles.reveal_key(seat=s, battle_id=c.campaign.battles.first().uid),
}


@pytest.mark.parametrize("name", list(WRITES))
@pytest.mark.parametrize("role", ["red", "red_player", "spectator"])
def test_players_and_spectators_are_refused_every_act_of_the_staff(
    cast: Cast, name: str, role: str
) -> None:
    cast.planned()
    with pytest.raises((Refused, NotFound)) as refusal:
        WRITES[name](cast, cast.seats[role])
    if refusal.type is Refused:
        assert "You may not" in refusal.value.why


def test_a_commander_does_not_find_the_other_sides_forces(cast: Cast) -> None:
    battle = cast.planned()
    theirs = cast.unit("b1")
    for attempt in (
        lambda: units.unit(cast.red, theirs.uid),
        lambda: access.side_for(cast.red, "blue"),
        lambda: battles.forces(seat=cast.red, battle_id=battle.uid, side_key="blue"),
        lambda: roster.roster(projection.viewer_for(cast.red), cast.campaign, "blue"),
        lambda: battles.choose_detachment(
            seat=cast.red, battle_id=battle.uid, side_key="blue", picks=[]
        ),
        lambda: battles.choose_detachment(
            seat=cast.red, battle_id=battle.uid, side_key="red", picks=[(theirs.uid, {})]
        ),
        lambda: projection.viewer_for(cast.red, "blue"),
    ):
        with pytest.raises(NotFound):
            attempt()


def everything(seat: Seat, battle_id: str, preview: str = "") -> str:
    """All that a seat can read, as one text."""
    viewer = projection.viewer_for(seat, preview)
    campaign = seat.campaign
    read: list[object] = [
        overview.campaign(seat, preview),
        battle_report.battle(seat, battle_id, preview),
        battle_report.battle_aar(seat, battle_id, preview),
        roster.battle_sheet(seat, battle_id, preview),
        history.history(viewer, campaign),
        history.journal(viewer),
        [history.posting(viewer, row) for row in viewer.postings()],
        oob_report.oob(viewer, campaign),
        oob_report.oob(viewer, campaign, 1),
        list(viewer.lines().values_list("account__code", "quantity")),
        list(viewer.accounts().values_list("code")),
    ]
    return msgspec.json.encode(read, enc_hook=str).decode()


HIDDEN = {
    "red": ("azuresecret", "Blue platoon", "unit:b", "b1/", "destroyed:b"),
    "blue": ("crimsonsecret", "Red platoon", "unit:r", "destroyed:r"),
    "spectator": (*SECRETS, "Red platoon", "Blue platoon", "unit:", "destroyed:"),
}


@pytest.mark.parametrize("role", list(HIDDEN))
def test_no_report_tells_a_viewer_the_other_sides_secrets(cast: Cast, role: str) -> None:
    battle, _ = cast.posted()
    seen = everything(cast.seats[role], battle.uid)
    # The toy's ruleset names the element that was shot at; that both sides may know.
    for line in aar.aar(projection.viewer_for(cast.seats[role]), battle).lines:
        seen = seen.replace(msgspec.json.encode(line.text).decode(), "")
    for hidden in HIDDEN[role]:
        if hidden != "b1/":
            assert hidden not in seen, hidden


def test_the_referee_sees_all_and_through_a_sides_eyes_what_it_sees(cast: Cast) -> None:
    battle, _ = cast.posted()
    truth = everything(cast.referee, battle.uid)
    assert all(word in truth for word in (*SECRETS, "Blue platoon", "Red platoon"))
    assert "azuresecret" not in everything(cast.referee, battle.uid, "red")
    assert battle_report.battle(cast.referee, battle.uid, "red").may == ()


def test_before_posting_only_the_referee_reads_the_report(cast: Cast) -> None:
    battle = cast.resolved()
    assert battle_report.battle_aar(cast.referee, battle.uid) is not None
    assert battle_report.battle_aar(cast.red, battle.uid) is None
    with pytest.raises(Refused):
        battle_report.preview(cast.red, battle.uid)


def test_an_adjustment_of_one_side_is_unknown_to_the_other(cast: Cast) -> None:
    posting = adjustments.adjust(
        seat=cast.referee,
        unit_id=cast.unit("r1").uid,
        element="toy-squad",
        condition="fit",
        quantity=1,
        reason="a secret column",
        key="1",
    )
    assert access.posting_for(cast.red, posting.uid) == posting
    with pytest.raises(NotFound):
        access.posting_for(cast.blue, posting.uid)
    assert "secret column" not in str(history.journal(projection.viewer_for(cast.blue)))


def test_a_player_learns_of_the_end_of_a_fight_to_the_second_only(cast: Cast) -> None:
    row = Job.objects.get(battle=cast.resolved())
    row.finished_at = timezone.now().replace(microsecond=123_456)
    row.save(update_fields=["finished_at"])
    whole = row.finished_at.replace(microsecond=0)
    assert battle_report.job(cast.referee, row.uid).finished_at == row.finished_at
    assert battle_report.job(cast.red, row.uid).finished_at == whole
    assert battle_report.job(cast.red, row.uid).progress == 0
