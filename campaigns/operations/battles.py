"""A battle from plan to report: forces, lock, and the ways to a result.

Locking freezes the forces into a snapshot, draws the key and publishes its commitment. An
engine's result, one entered by hand and one overruled are the same document and take the same
road from here on (`aftermath.py`, `battle_postings.py`).
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from campaigns import access, aftermath, engine, muster, scope
from campaigns.access import Action, Power
from campaigns.entries import Plan
from campaigns.models import (
    LIVE_STATES,
    OPEN_STATES,
    SIDED,
    Battle,
    BattleTerms,
    Comment,
    ForceSnapshot,
    Job,
    Result,
    ResultDraft,
    SealedKey,
    Seat,
    Side,
)
from campaigns.operations import battle_states, jobs
from campaigns.operations.battle_states import State
from campaigns.operations.detachments import choose_detachment
from campaigns.operations.ledger import lock_campaign, open_turn
from campaigns.refusals import Refused

__all__ = ["choose_detachment"]


# --- plan ------------------------------------------------------------------------------------


@transaction.atomic
def plan_battle(*, seat: Seat) -> Battle:
    """Plan the battle of the open turn's rung. Refuses a second one while the first stands."""
    access.require(seat, Action.PLAN_BATTLE)
    campaign = lock_campaign(seat.campaign)
    turn = open_turn(campaign)
    if not turn.rung:
        raise Refused("The ladder has ended: there is no battle to plan.")
    standing = campaign.battles.filter(
        turn=turn, rung=turn.rung, state__in=[*OPEN_STATES, State.POSTED]
    ).first()
    if standing is not None:
        raise Refused(f"{standing.title} {standing.stands} in this turn already.")
    rung = next(r for r in campaign.ladder if r["key"] == turn.rung)
    terms = BattleTerms.objects.get(campaign=campaign, key=rung["scenario"])
    document = json.loads(terms.document)
    last = campaign.battles.aggregate(last=Max("number"))["last"] or 0
    return Battle.objects.create(
        campaign=campaign,
        turn=turn,
        terms=terms,
        number=last + 1,
        rung=turn.rung,
        title=terms.title,
        place=document.get("place", ""),
        date=document.get("date", ""),
        limits={
            force["side"]: sum(len(unit["elements"]) for unit in force["units"])
            for force in document["forces"]
        },
    )


@transaction.atomic
def cancel_battle(*, seat: Seat, battle_id: str) -> Battle:
    """Give a battle up that has not been posted."""
    battle = access.battle_for(seat, battle_id, Action.PLAN_BATTLE, lock=True)
    battle_states.require(battle, State.PLANNED, State.LOCKED, State.REPORTED, what="cancelled")
    battle_states.move(battle, State.CANCELLED, expecting=State(battle.state), what="cancelled")
    return battle


# --- lock ------------------------------------------------------------------------------------


@transaction.atomic
def lock_forces(*, seat: Seat, battle_id: str) -> ForceSnapshot:
    """Freeze the forces, draw the key, publish its commitment.

    Refuses an empty side, a force that cannot be laid out, and units that another battle has.
    """
    access.require(seat, Action.LOCK)
    lock_campaign(seat.campaign)
    battle = access.battle_for(seat, battle_id, Action.LOCK, lock=True)
    battle_states.require(battle, State.PLANNED, what="locked")
    with access.blinded(seat, "The forces cannot lock as they are. A referee can see why."):
        for side in battle.campaign.sides.all():
            _refuse_double_duty(battle, muster.who_comes(battle, side))
        scenario = muster.scenario(battle)
        engine.validate(scenario)
    document = engine.canonical(scenario).decode()
    snapshot_hash = engine.digest(scenario)
    version = engine.version(battle.campaign.ruleset)
    attempt = battle.attempt + 1
    key = engine.new_key()
    snapshot = ForceSnapshot.objects.create(
        battle=battle,
        attempt=attempt,
        document=document,
        hash=snapshot_hash,
        ruleset_version=version,
        commitment=engine.commitment(key, snapshot_hash, version, attempt),
        locked_by=seat.user,
    )
    SealedKey.objects.create(snapshot=snapshot, key=key)
    Battle.objects.filter(pk=battle.pk).update(attempt=attempt)
    battle_states.move(battle, State.LOCKED, expecting=State.PLANNED, what="locked")
    return snapshot


def _refuse_double_duty(battle: Battle, force: muster.Muster) -> None:
    if not force.coming:
        raise Refused(f"{force.side.name} has nobody in this battle.")
    mine = {coming.unit.key for coming in force.coming}
    others = battle.campaign.battles.filter(state__in=LIVE_STATES).exclude(pk=battle.pk)
    for other in others:
        snapshot = current_snapshot(other)
        scenario = engine.read_scenario(battle.campaign.ruleset, snapshot.document)
        for unit in (unit for f in scenario.forces for unit in f.units):
            if unit.id in mine:
                raise Refused(
                    f"{unit.name} is in {other.title}, which is not posted yet."
                    " One battle after the other."
                )


def current_snapshot(battle: Battle) -> ForceSnapshot:
    """The forces as they last locked. Refuses a battle that never did."""
    snapshot = battle.latest_snapshot()
    if snapshot is None:
        raise Refused(f"The forces of {battle.title} have not locked.")
    return snapshot


def current_result(battle: Battle) -> Result:
    """The result that counts. Refuses a battle without one."""
    result = battle.latest_result()
    if result is None:
        raise Refused(f"{battle.title} has no result yet.")
    return result


def outcome_of(battle: Battle) -> str:
    """How a battle ended, in a line for its staff."""
    ending = engine.parsed(current_result(battle).document)["ending"]
    names = dict(battle.campaign.sides.values_list("key", "name"))
    return engine.outcome_in_words(ending, names)


@transaction.atomic
def unlock_forces(*, seat: Seat, battle_id: str) -> Battle:
    """Let the forces be chosen anew. The attempt stays on record, its key is never used."""
    battle = access.battle_for(seat, battle_id, Action.LOCK, lock=True)
    battle_states.move(battle, State.PLANNED, expecting=State.LOCKED, what="unlocked")
    return battle


# --- fight -----------------------------------------------------------------------------------


@transaction.atomic
def request_resolve(*, seat: Seat, battle_id: str) -> Job:
    """Have the engine fight a locked battle. Asked twice, the job under way is returned."""
    battle = access.battle_for(seat, battle_id, Action.RESOLVE, lock=True)
    if battle.state == State.RESOLVING:
        under_way = battle.jobs.filter(state__in=jobs.UNFINISHED).first()
        if under_way is not None:
            return under_way
    snapshot = current_snapshot(battle)
    battle_states.move(
        battle, State.RESOLVING, expecting=State.LOCKED, what="resolved by the engine"
    )
    return jobs.enqueue(
        "resolve",
        campaign=battle.campaign,
        battle=battle,
        snapshot=snapshot,
        asked_by=seat.user,
    )


@transaction.atomic
def play_at_table(*, seat: Seat, battle_id: str) -> Battle:
    """The battle is played by people; its result is entered by hand."""
    battle = access.battle_for(seat, battle_id, Action.RESOLVE, lock=True)
    battle_states.move(battle, State.AT_TABLE, expecting=State.LOCKED, what="put on the table")
    return battle


@transaction.atomic
def leave_table(*, seat: Seat, battle_id: str) -> Battle:
    """The game was not played after all: the forces stay locked."""
    battle = access.battle_for(seat, battle_id, Action.RESOLVE, lock=True)
    battle_states.move(battle, State.LOCKED, expecting=State.AT_TABLE, what="taken off the table")
    return battle


# --- results by hand -------------------------------------------------------------------------


@transaction.atomic
def save_draft(*, seat: Seat, battle_id: str, document: dict[str, Any]) -> ResultDraft:
    """Keep what somebody has entered so far; only he reads it.

    A report of his side that he has sent stands until he sends another.
    """
    battle = access.battle_for(seat, battle_id, Action.ENTER_RESULT)
    snapshot = battle.latest_snapshot()
    sent = ResultDraft.objects.filter(
        battle=battle,
        author=seat.user,
        submitted_at__gte=snapshot.locked_at if snapshot else timezone.now(),
    ).first()
    if sent is not None:
        return sent
    draft, _ = ResultDraft.objects.update_or_create(
        battle=battle,
        author=seat.user,
        defaults={"document": document, "submitted_at": None, "side": None},
    )
    return draft


def draft_of(*, seat: Seat, battle_id: str) -> dict[str, Any]:
    """What this person has entered so far; empty when nothing."""
    battle = access.battle_for(seat, battle_id, Action.ENTER_RESULT)
    draft = ResultDraft.objects.filter(battle=battle, author=seat.user).first()
    return draft.document if draft else {}


@transaction.atomic
def enter_result(
    *, seat: Seat, battle_id: str, document: dict[str, Any] | str | bytes, note: str = ""
) -> Result:
    """The referee reports the whole of a battle, in the document every source uses.

    A player reports his own side with `table_reports.report_side`.
    """
    battle = access.battle_for(seat, battle_id, Action.ENTER_RESULT, lock=True)
    if Power.REFEREE not in access.powers(seat):
        raise Refused("You report your own side; the referee reports the whole battle.")
    battle_states.require(battle, State.AT_TABLE, State.LOCKED, what="reported")
    result = write_result(seat, battle, engine.read_result(document), reason=note)
    battle_states.move(battle, State.REPORTED, expecting=State(battle.state), what="reported")
    ResultDraft.objects.filter(battle=battle, author=seat.user).delete()
    return result


@transaction.atomic
def overrule(
    *, seat: Seat, battle_id: str, document: dict[str, Any] | str | bytes, reason: str
) -> Result:
    """Put another result in the place of the one reported, before it is posted, with a reason."""
    battle = access.battle_for(seat, battle_id, Action.OVERRULE, lock=True)
    battle_states.require(battle, State.REPORTED, what="overruled")
    if not reason.strip():
        raise Refused("Overruling a result needs a reason.", path="reason")
    standing = current_result(battle)
    return write_result(
        seat, battle, engine.read_result(document), reason=reason, overrules=standing
    )


def write_result(
    seat: Seat,
    battle: Battle,
    document: engine.BattleResult,
    *,
    reason: str,
    overrules: Result | None = None,
) -> Result:
    """Keep a result that was checked for access. Refuses one that cannot be of this battle, at
    the field that says so, and another game's."""
    snapshot = current_snapshot(battle)
    if document.source == "engine":  # a person vouches for what he sends, whoever wrote it first
        document = msgspec.structs.replace(document, source="table")
    if document.ruleset != battle.campaign.ruleset:
        raise Refused(
            f"This is a result of {document.ruleset}; the campaign is played by"
            f" {battle.campaign.ruleset}.",
            path="ruleset",
        )
    document = scope.settled(
        engine.read_scenario(battle.campaign.ruleset, snapshot.document),
        document,
        [engine.read_result(row.document) for row in _standing(snapshot, overrules)],
    )
    return Result.objects.create(
        snapshot=snapshot,
        battle=battle,
        source=document.source,
        document=engine.canonical(document).decode(),
        hash=document.hash,
        overrules=overrules,
        reason=reason,
        by=seat.user,
        by_name=seat.user.get_username(),
    )


def _standing(snapshot: ForceSnapshot, overruled: Result | None) -> list[Result]:
    """What was accepted of the same forces: the engine's result, and the one overruled now."""
    rows = list(Result.objects.filter(snapshot=snapshot, source="engine"))
    return [*rows, overruled] if overruled is not None else rows


def result_of(*, seat: Seat, battle_id: str) -> dict[str, Any]:
    """The result that counts, as a document to prefill the hand form with. For the referee."""
    battle = access.battle_for(seat, battle_id, Action.OVERRULE)
    document: dict[str, Any] = json.loads(current_result(battle).document)
    return document


@transaction.atomic
def comment(*, seat: Seat, battle_id: str, text: str, kind: str = "comment") -> Comment:
    """Say something of a battle; everybody who sees it may read that."""
    battle = access.battle_for(seat, battle_id, Action.COMMENT)
    if kind not in Comment.Kind.values:
        words = ", ".join(Comment.Kind.values)
        raise Refused(f'A comment is one of {words}, not "{kind}".', path="kind")
    if not battle.campaign.options.get("opponent_comments", True) and seat.role in SIDED:
        raise Refused("In this campaign only its staff comments on battles.")
    if not text.strip():
        raise Refused("Write something first.", path="text")
    if len(text) > 4000:
        raise Refused("A comment has at most 4,000 characters.", path="text")
    return Comment.objects.create(
        battle=battle,
        author=seat.user,
        author_name=seat.user.get_username(),
        side=seat.side,
        kind=Comment.Kind(kind),
        text=text.strip(),
    )


# --- dice ------------------------------------------------------------------------------------


@transaction.atomic
def reveal_key(*, seat: Seat, battle_id: str) -> str:
    """Open the key of a battle that has been fought; in hex."""
    battle = access.battle_for(seat, battle_id, Action.REVEAL, lock=True)
    battle_states.require(battle, *battle_states.CAN_REVEAL, what="opened")
    snapshot = current_snapshot(battle)
    ForceSnapshot.objects.filter(pk=snapshot.pk, revealed_at__isnull=True).update(
        revealed_at=timezone.now()
    )
    return bytes(snapshot.sealed_key.key).hex()


def preview(*, seat: Seat, battle_id: str) -> Plan:
    """What posting the reported result would write. The same plan that posting makes."""
    battle = access.battle_for(seat, battle_id, Action.POST)
    battle_states.require(battle, State.REPORTED, what="posted")
    return aftermath.plan(battle, current_snapshot(battle), current_result(battle))


def forces(*, seat: Seat, battle_id: str, side_key: str) -> muster.Muster:
    """Who comes of a side, who stays and why, as it would lock now."""
    battle = access.battle_for(seat, battle_id, Action.SEE_FORCES)
    side: Side = access.side_for(seat, side_key, Action.SEE_FORCES)
    return muster.who_comes(battle, side)
