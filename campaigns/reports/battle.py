"""A battle on one page: forces, terms, state, job, comments, and what may be done with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from campaigns import access, aftermath, engine
from campaigns.access import Action, Power
from campaigns.entries import Plan
from campaigns.models import Battle, Job, Posting, Seat
from campaigns.projection import Viewer, viewer_for
from campaigns.refusals import Refused
from campaigns.reports.aar import AarReport, Proof, aar, compose, proof_of
from campaigns.reports.corrected import Changed
from campaigns.reports.forces import Fact, SideForce, facts, force_of


@dataclass(frozen=True)
class JobReport:
    uid: str
    state: str
    state_name: str
    progress: int
    phase: str
    attempt: int
    error: str
    """The referee reads why a job failed; others that it did."""
    created_at: datetime
    finished_at: datetime | None

    @property
    def unfinished(self) -> bool:
        return self.state in (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True)
class CommentRow:
    author: str
    side: str
    kind: str
    text: str
    at: datetime


@dataclass(frozen=True)
class BattleReport:
    uid: str
    number: int
    title: str
    place: str
    date: str
    turn: int
    state: str
    state_name: str
    version: int
    attempt: int
    ruleset: str
    forces: tuple[SideForce, ...]
    facts: tuple[Fact, ...]
    job: JobReport | None
    proof: Proof | None
    comments: tuple[CommentRow, ...]
    may: tuple[str, ...]
    """Names of the buttons that make sense now: choose_forces lock unlock cancel resolve
    play_at_table leave_table cancel_job enter_result report_side overrule preview reveal reverse
    correct comment."""
    posting: str
    has_aar: bool
    outcome: str
    """Who won, for those who may read the report."""


def battle(seat: Seat, battle_id: str, preview: str = "") -> BattleReport:
    """A battle as this seat may see it."""
    row = access.battle_for(seat, battle_id)
    viewer = viewer_for(seat, preview)
    snapshot = row.latest_snapshot()
    job = row.jobs.order_by("-pk").first()
    posting = Posting.standing_for(row)
    sides = list(row.campaign.sides.all())
    may = () if viewer.preview else buttons(seat, row, job)
    revealed = snapshot is not None and snapshot.revealed_at is not None
    result = row.latest_result()
    told = posting is not None or (viewer.sees_all and result is not None)
    return BattleReport(
        uid=row.uid,
        number=row.number,
        title=row.title,
        place=row.place,
        date=row.date,
        turn=row.turn.number,
        state=row.state,
        state_name=row.get_state_display(),
        version=row.version,
        attempt=row.attempt,
        ruleset=row.campaign.ruleset,
        forces=tuple(force_of(viewer, row, side, snapshot) for side in sides),
        facts=tuple(facts(viewer, row.terms)),
        job=job_report(viewer, job) if job else None,
        proof=proof_of(viewer, row),
        comments=tuple(
            CommentRow(
                c.author_name,
                c.side.name if c.side else "",
                c.get_kind_display(),
                c.text,
                c.created_at,
            )
            for c in row.comments.select_related("side")
        ),
        may=tuple(b for b in may if not (b == "reveal" and revealed)),
        posting=posting.uid if posting else "",
        has_aar=told,
        outcome=engine.outcome_in_words(
            engine.parsed(result.document)["ending"], {side.key: side.name for side in sides}
        )
        if told and result is not None
        else "",
    )


# --- job and buttons ---------------------------------------------------------------------------


def job(seat: Seat, job_id: str) -> JobReport:
    """A job's progress, for polling."""
    return job_report(viewer_for(seat), access.job_for(seat, job_id))


def job_report(viewer: Viewer, row: Job) -> JobReport:
    """A job as far as a viewer may know: how many decisions and events there were counts hidden
    ones too, so that is the referee's; nor is its end told finer than to the second, since every
    decision takes its time."""
    finished = row.finished_at
    if finished is not None and not viewer.sees_all:
        finished = finished.replace(microsecond=0)
    told = row.error if viewer.sees_all or not row.error else "The referee knows why."
    return JobReport(
        uid=row.uid,
        state=row.state,
        state_name=row.get_state_display(),
        progress=row.progress if viewer.sees_all else 0,
        phase=row.phase if viewer.sees_all else "",
        attempt=row.attempt,
        error=told,
        created_at=row.created_at,
        finished_at=finished,
    )


_BUTTONS: tuple[tuple[str, Action, tuple[str, ...]], ...] = (
    ("choose_forces", Action.CHOOSE_FORCES, ("planned",)),
    ("lock", Action.LOCK, ("planned",)),
    ("unlock", Action.LOCK, ("locked",)),
    ("cancel", Action.PLAN_BATTLE, ("planned", "locked", "reported")),
    ("resolve", Action.RESOLVE, ("locked",)),
    ("play_at_table", Action.RESOLVE, ("locked",)),
    ("leave_table", Action.RESOLVE, ("at_table",)),
    ("cancel_job", Action.RESOLVE, ("resolving",)),
    ("enter_result", Action.ENTER_RESULT, ("locked", "at_table")),
    ("report_side", Action.ENTER_RESULT, ("at_table",)),
    ("overrule", Action.OVERRULE, ("reported",)),
    ("preview", Action.POST, ("reported",)),
    ("reveal", Action.REVEAL, ("reported", "posted", "reversed")),
    ("reverse", Action.REVERSE, ("posted",)),
    ("correct", Action.OVERRULE, ("posted",)),
)


def buttons(seat: Seat, row: Battle, job_row: Job | None = None) -> tuple[str, ...]:
    """What this seat can do with a battle in its state, by name."""
    if not row.campaign.is_active:
        return ()
    found = [
        name
        for name, action, states in _BUTTONS
        if row.state in states and access.may(seat, action)
    ]
    referee = Power.REFEREE in access.powers(seat)
    if not referee and "enter_result" in found:
        found.remove("enter_result")
    if seat.side is None and "report_side" in found:
        found.remove("report_side")
    if access.may(seat, Action.COMMENT):
        found.append("comment")
    return tuple(found)


# --- preview of posting --------------------------------------------------------------------------


@dataclass(frozen=True)
class PreviewReport:
    """What posting would write. `plan_hash` is what `post_result` asks for."""

    battle: str
    title: str
    plan_hash: str
    blocks: tuple[str, ...]
    warnings: tuple[str, ...]
    tallies: tuple[tuple[str, str, int, int, int, int], ...]
    """(side, element, before, after, lost, converted)."""
    entries: tuple[tuple[str, str, str, int, str], ...]
    """(account, item, condition, quantity, cause)."""
    levels: tuple[tuple[str, str, str, str], ...]
    """(who or what, which level, before, after)."""
    aar: AarReport | None
    changes: tuple[Changed, ...] = ()
    """What a correction tells otherwise than what stands; empty for a first posting."""

    @property
    def postable(self) -> bool:
        return not self.blocks


def preview(seat: Seat, battle_id: str) -> PreviewReport:
    """The plan of posting a reported battle, cut to what this seat may see."""
    row = access.battle_for(seat, battle_id, Action.POST)
    viewer = viewer_for(seat)
    snapshot, result = row.latest_snapshot(), row.latest_result()
    if row.state != Battle.State.REPORTED or snapshot is None or result is None:
        raise Refused(f"{row.title} has nothing to post: it {row.stands}.")
    plan = aftermath.plan(row, snapshot, result)
    return preview_of(viewer, row, plan, compose(viewer, row, result))


def preview_of(
    viewer: Viewer, row: Battle, plan: Plan, report: AarReport | None = None
) -> PreviewReport:
    """A plan cut to what a viewer may see."""
    own = {s.key for s in row.campaign.sides.all() if viewer.owns(s.pk)}
    mine = own | {u.key for u in viewer.units()}
    open_to_all = {"victory", "award"}
    names = {s.key: s.name for s in row.campaign.sides.all()}
    hidden = not viewer.sees_all
    held = _held_at_the_start(row)
    return PreviewReport(
        battle=row.uid,
        title=row.title,
        plan_hash=plan.hash,
        blocks=("The referee has to look at it.",) if hidden and plan.blocks else plan.blocks,
        warnings=() if hidden else plan.warnings,
        tallies=tuple(
            (t.side, t.name, t.before, t.after, t.lost, t.converted)
            for t in plan.tallies
            if t.side in own
        ),
        entries=tuple(
            (e.account.code, e.item.name, e.account.condition, e.quantity, e.cause)
            for e in plan.entries
            if viewer.sees_all or e.account.key in mine or e.account.holder.value in open_to_all
        ),
        levels=tuple(
            (
                v.subject_name,
                v.kind.label,
                names.get(before, before),
                names.get(v.value, v.value),
            )
            for v in plan.levels
            for before in [v.before or held.get(v.subject, "")]
            if not v.is_unit or viewer.sees_all or v.subject in mine
        ),
        aar=report,
    )


def _held_at_the_start(row: Battle) -> dict[str, str]:
    """Who the scenario says holds its places when the battle begins, by subject of a level."""
    places = engine.parsed(row.terms.document).get("control", ())
    return {f"{row.terms.key}/{p['hex']}": p.get("owner", "") for p in places}


def result_form(seat: Seat, battle_id: str) -> dict[str, Any]:
    """A result document to fill in: every element as it started, of the sides one may report.

    The referee's form of a reported battle is prefilled with the result that stands.
    """
    row = access.battle_for(seat, battle_id, Action.ENTER_RESULT)
    viewer = viewer_for(seat)
    standing = row.latest_result()
    if viewer.sees_all and standing is not None:
        document: dict[str, Any] = json.loads(standing.document)
        return document
    snapshot = row.latest_snapshot()
    if snapshot is None:
        raise Refused(f"The forces of {row.title} have not locked.")
    scenario = engine.read_scenario(row.campaign.ruleset, snapshot.document)
    own = {s.key for s in row.campaign.sides.all() if viewer.owns(s.pk)}
    return {
        "schema": "battle-result/1",
        "ruleset": row.campaign.ruleset,
        "version": snapshot.ruleset_version,
        "scenario": snapshot.hash if viewer.sees_all else "",
        "source": "table",
        "ending": {"kind": "draw", "how": "", "winner": ""},
        "elements": [
            {
                "unit": unit.id,
                "element": element.id,
                "type": element.type,
                "before": element.condition,
                "after": element.condition,
                "became": "",
                "morale": "",
                "cause": "",
            }
            for force in scenario.forces
            if force.side in own
            for unit in force.units
            for element in unit.elements
        ],
        "spent": [],
        "points": [],
        "holdings": [],
        "turns": 0,
        "log": "",
    }


def battle_aar(seat: Seat, battle_id: str, preview: str = "") -> AarReport | None:
    """The after-action report as this seat may read it; None where there is none yet."""
    return aar(viewer_for(seat, preview), access.battle_for(seat, battle_id))
