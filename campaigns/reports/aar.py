"""The after-action report: what happened and why, as one audience may know it.

Lines come from the ruleset's own narration for that audience. Composed once when the battle is
posted and stored; the proof is added when it is read, since a key may be revealed later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import msgspec

from campaigns import battle_log, engine
from campaigns.engine import ELIMINATED, BattleResult
from campaigns.models import Battle, ForceSnapshot, Log, Posting, Result, StoredReport, Unit
from campaigns.projection import Viewer
from campaigns.reports.ledger import PostedLine, posted

LEVELS = {"all": engine.IDLE, "notable": 1, "turning": 2}
"""How much of what happened is told: the least weight of a line."""


@dataclass(frozen=True)
class ModifierRow:
    amount: int
    name: str
    rule: str


@dataclass(frozen=True)
class AarLine:
    """One thing that happened: words, the rules that made it so, the units it tells of."""

    text: str
    rules: tuple[str, ...] = ()
    modifiers: tuple[ModifierRow, ...] = ()
    units: tuple[str, ...] = ()
    weight: int = 0
    means: str = ""
    """What the letters that the text ends in mean: "a casualty"."""


@dataclass(frozen=True)
class LossRow:
    """One element type of one unit: what it came with and what is left."""

    unit: str
    unit_uid: str
    side: str
    item: str
    name: str
    before: int
    lost: int
    reduced: int
    became: tuple[str, ...]
    causes: tuple[tuple[str, int], ...]
    merged: int = 0
    """How many went into another element: neither lost nor there."""


@dataclass(frozen=True)
class PointRow:
    side: str
    what: str
    why: str
    quantity: int


@dataclass(frozen=True)
class Proof:
    """The sealed dice: what was promised before, what can be checked since."""

    commitment: str
    snapshot_hash: str
    attempt: int
    version: str
    log_hash: str
    result_hash: str
    key: str
    """Hex; empty while it is sealed."""

    @property
    def revealed(self) -> bool:
        return bool(self.key)


@dataclass(frozen=True)
class AarReport:
    battle: str
    title: str
    place: str
    date: str
    turn: int
    audience: str
    source: str
    ending: str
    how: str
    winner: str
    """The side's key; empty for a draw."""
    winner_name: str
    turns: int
    overruled: str
    """The reason, where a referee overruled the result."""
    lines: tuple[AarLine, ...]
    losses: tuple[LossRow, ...]
    points: tuple[PointRow, ...]
    holdings: tuple[tuple[str, str], ...]
    posted: tuple[PostedLine, ...] = ()
    posting: str = ""
    corrected: bool = False
    """Whether it was posted in the place of another: then `overruled` says why."""
    proof: Proof | None = None

    def of_unit(self, unit_key: str) -> tuple[AarLine, ...]:
        """The lines that tell of one unit."""
        return tuple(line for line in self.lines if unit_key in line.units)

    def told(self, level: str) -> AarReport:
        """The report with the lines of one of `LEVELS`, or with none of any other."""
        return replace(self, lines=shown(self.lines, level) if level in LEVELS else ())


def compose(
    viewer: Viewer,
    battle: Battle,
    result: Result,
    posting: Posting | None = None,
    lines: tuple[AarLine, ...] | None = None,
) -> AarReport:
    """Write the report of a result for one audience; `lines` where they were told before."""
    document = engine.read_result(result.document)
    sides = {side.key: side.name for side in battle.campaign.sides.all()}
    return AarReport(
        battle=battle.uid,
        title=battle.title,
        place=battle.place,
        date=battle.date,
        turn=battle.turn.number,
        audience=viewer.audience,
        source=result.source,
        ending=document.ending.kind,
        how=document.ending.how,
        winner=document.ending.winner,
        winner_name=sides.get(document.ending.winner, ""),
        turns=document.turns,
        overruled=result.reason if result.overrules_id else "",
        lines=told(viewer, result.snapshot) if lines is None else lines,
        losses=_losses(viewer, battle, document),
        points=tuple(
            PointRow(p.side, p.what, p.why, p.quantity) for p in document.points if p.quantity
        ),
        holdings=tuple((h.name, sides.get(h.side, "")) for h in document.holdings),
        posted=_posted(viewer, posting) if posting else (),
        posting=posting.uid if posting else "",
        corrected=posting is not None and posting.kind == Posting.Kind.CORRECTION,
    )


def told(viewer: Viewer, snapshot: ForceSnapshot) -> tuple[AarLine, ...]:
    """What an audience is told of a fight. It depends on nothing but the stored log."""
    log = battle_log.of_snapshot(snapshot)
    if log is None:
        return ()
    return lines_of(engine.narrate(log, viewer.narrated_to))


def lines_of(told: Iterable[engine.Line]) -> tuple[AarLine, ...]:
    """What the engine told, as lines of a report."""
    return tuple(
        AarLine(
            text=line.text,
            rules=line.rules,
            modifiers=tuple(ModifierRow(m.amount, m.name, m.rule) for m in line.modifiers),
            units=line.units,
            weight=line.weight,
            means=line.means,
        )
        for line in told
    )


LULL = 3
"""So many idle lines one after another are worth a line among what mattered."""


def shown(lines: Iterable[AarLine], wanted: str) -> tuple[AarLine, ...]:
    """The lines of a wish: "all", "notable" (anything else means this too) or "turning".

    A fight that goes to sleep matters, its every yawn does not: among what mattered a run of
    idle lines is one line that counts them. Who reads only what mattered is told in words what
    the letters of the tables mean.
    """
    least = LEVELS.get(wanted, 1)
    kept: list[AarLine] = []
    for idle, run in groupby(lines, key=lambda line: line.weight == engine.IDLE):
        told = tuple(run)
        if idle and least == 1:
            kept += [_lull(told)] if len(told) >= LULL else []
        else:
            kept += [line for line in told if line.weight >= least]
    return tuple(kept) if least == engine.IDLE else tuple(map(spelled, kept))


def spelled(line: AarLine) -> AarLine:
    """A line with the letters of its result in words."""
    return replace(line, text=engine.in_full(line.text, line.means), means="")


def _lull(run: tuple[AarLine, ...]) -> AarLine:
    counts = Counter(line.text.rstrip(".") for line in run)
    text = ", ".join(f"{words} ({n} times)" if n > 1 else words for words, n in counts.items())
    rules = dict.fromkeys(rule for line in run for rule in line.rules)
    return AarLine(text=f"A lull: {text}.", rules=tuple(rules), weight=engine.IDLE)


def _losses(viewer: Viewer, battle: Battle, document: BattleResult) -> tuple[LossRow, ...]:
    units: dict[str, Unit] = {u.key: u for u in viewer.units().select_related("side")}
    fates: dict[tuple[str, str], list[engine.ElementFate]] = {}
    for fate in document.elements:
        if fate.unit in units:
            fates.setdefault((fate.unit, fate.type), []).append(fate)
    rows = []
    for (key, kind), group in fates.items():
        unit = units[key]
        gone = [f for f in group if f.after == ELIMINATED and not f.merged_into]
        causes = Counter(f.cause or "not said" for f in gone)
        rows.append(
            LossRow(
                unit=unit.name,
                unit_uid=unit.uid,
                side=unit.side.key,
                item=kind,
                name=engine.title_of(battle.campaign.ruleset, kind),
                before=len(group),
                lost=len(gone),
                reduced=sum(f.after not in (f.before, ELIMINATED) for f in group),
                became=tuple(
                    engine.title_of(battle.campaign.ruleset, f.became)
                    for f in group
                    if f.became and f.after != ELIMINATED
                ),
                causes=tuple(causes.most_common()),
                merged=sum(bool(f.merged_into) for f in group),
            )
        )
    return tuple(rows)


def _posted(viewer: Viewer, posting: Posting) -> tuple[PostedLine, ...]:
    rows = viewer.lines().filter(posting=posting).select_related("account")
    return tuple(posted(line) for line in rows)


def to_document(report: AarReport) -> dict[str, Any]:
    """A report as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(report)
    return plain


def from_document(document: dict[str, Any]) -> AarReport:
    """A stored report."""
    return msgspec.convert(document, AarReport)


def proof_of(viewer: Viewer, battle: Battle) -> Proof | None:
    """What can be checked of the last attempt; the key only once it was revealed."""
    snapshot = battle.snapshots.select_related("log", "sealed_key").order_by("-attempt").first()
    if snapshot is None:
        return None
    # What the dice came to is the engine's own result, whatever was overruled or corrected since.
    fought = snapshot.results.filter(source="engine").order_by("pk").first()
    result = fought or battle.latest_result()
    log = getattr(snapshot, "log", None)
    # Forces and losses can be guessed from a bare hash of them; the commitment alone is salted.
    told = viewer.sees_all or snapshot.revealed_at is not None
    return Proof(
        commitment=snapshot.commitment,
        snapshot_hash=snapshot.hash if told else "",
        attempt=snapshot.attempt,
        version=snapshot.ruleset_version,
        log_hash=log.hash if log and told else "",
        result_hash=result.hash if result and told else "",
        key=bytes(snapshot.sealed_key.key).hex() if snapshot.revealed_at else "",
    )


def aar(viewer: Viewer, battle: Battle) -> AarReport | None:
    """The report of a battle as this viewer may read it: stored if posted; before that only
    the referee reads one; None where there is none to read."""
    stored = _stored(viewer, battle)
    if stored is not None:
        return replace(from_document(stored.document), proof=proof_of(viewer, battle))
    result = battle.latest_result()
    if result is None or not viewer.sees_all:
        return None
    return replace(compose(viewer, battle, result), proof=proof_of(viewer, battle))


def fight_read(viewer: Viewer, battle: Battle) -> Log | None:
    """The log of the very fight whose report this viewer reads; None where he reads none, or
    where no engine fought it."""
    stored = _stored(viewer, battle)
    if stored is not None:
        snapshot = stored.result.snapshot_id
    else:
        result = battle.latest_result() if viewer.sees_all else None
        if result is None:
            return None
        snapshot = result.snapshot_id
    return Log.objects.filter(snapshot=snapshot).first()


def published(viewer: Viewer, battles: Iterable[Battle]) -> dict[int, StoredReport]:
    """The stored report that a viewer reads of each battle, by the battle's row; in one query."""
    rows = StoredReport.objects.filter(battle__in=battles, audience=viewer.audience)
    return {row.battle_id: row for row in rows.select_related("result").order_by("pk")}


def _stored(viewer: Viewer, battle: Battle) -> StoredReport | None:
    rows = StoredReport.objects.filter(battle=battle, audience=viewer.audience)
    return rows.select_related("result").order_by("-pk").first()
