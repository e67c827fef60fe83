"""A result document into a plan of postings: what was, what is left, where the rest went.

The elements reported must be those of the snapshot, one for one; what is unknown or missing
blocks posting, for absent is never destroyed. Each element leaves its account for another
condition, another type (through `converted`) or a sink. The plan says whether it balances and
what a referee should know, in plain sentences.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from campaigns import engine, entries, muster, scope, scored
from campaigns.engine import ELIMINATED, BattleResult, ElementFate, Scenario
from campaigns.entries import AccountRef, Level, Plan, Tally
from campaigns.fates import Draft, echoed
from campaigns.models import (
    LOSSES,
    Battle,
    Campaign,
    ForceSnapshot,
    Holder,
    Result,
    Status,
    Unit,
)

CAPTURED = "captured"


def plan(battle: Battle, snapshot: ForceSnapshot, result: Result) -> Plan:
    """What posting this result would write. Nothing is written."""
    scenario = engine.read_scenario(battle.campaign.ruleset, snapshot.document)
    document = engine.read_result(result.document)
    draft = _draft(battle.campaign, scenario)
    _rules(draft, snapshot, document)
    fates = echoed(draft, scenario, document)
    draft.blocks += _of_another_battle(scenario, document)
    for fate in fates:
        _fate(draft, fate)
    _spent(draft, document)
    _points(draft, scenario, document)
    _morale(draft, fates)
    _holdings(draft, battle, document)
    _stocks(draft, scenario)
    lines = entries.merged(draft.entries)
    levels = tuple(sorted(draft.levels, key=lambda v: (v.kind, v.subject)))
    tallies = _tallies(draft, fates)
    draft.blocks += [
        f"{t.name} of {draft.sides[t.side].name} do not add up: {t.before} before,"
        f" {t.after} after, {t.lost} lost, {t.converted} converted."
        for t in tallies
        if not t.holds
    ]
    basis = (snapshot.hash, document.hash, *_standing(draft))
    return Plan(
        entries=lines,
        levels=levels,
        warnings=tuple(draft.warnings),
        blocks=tuple(draft.blocks),
        tallies=tallies,
        hash=entries.hash_of(lines, levels, basis),
        basis=basis,
    )


def _of_another_battle(scenario: Scenario, document: BattleResult) -> list[str]:
    """What no result of this battle can say, by whatever way it came in."""
    told = [fault.why for fault in scope.faults(scenario, document, (document,))]
    if document.scenario and document.scenario != engine.digest(scenario):
        told.append("This result is of other forces than those that locked.")
    return told


def _draft(campaign: Campaign, scenario: Scenario) -> Draft:
    keys = [unit.id for force in scenario.forces for unit in force.units]
    units = {u.key: u for u in campaign.units.filter(key__in=keys).select_related("side")}
    sides = {s.key: s for s in campaign.sides.all()}
    return Draft(campaign, units, sides, muster.on_hand(units.values()))


def _standing(draft: Draft) -> Iterable[str]:
    """What the units hold now, so that a plan made before a change is found out."""
    for key in sorted(draft.units):
        held = draft.held.get(draft.units[key].pk, {})
        yield engine.digest({key: {kind: dict(counts) for kind, counts in held.items()}})


def _rules(draft: Draft, snapshot: ForceSnapshot, document: BattleResult) -> None:
    """Warn of a result by another version of the rules than the forces locked under."""
    if document.version != snapshot.ruleset_version:
        draft.warnings.append(
            f"This result names version {document.version or 'none'} of the rules; the forces"
            f" locked under version {snapshot.ruleset_version}."
        )


# --- elements ---------------------------------------------------------------------------------


def _fate(draft: Draft, fate: ElementFate) -> None:
    """The lines that one element's fate makes."""
    unit = draft.units[fate.unit]
    start = entries.unit_account(unit, fate.before)
    became = fate.became if fate.became and fate.became != fate.type else ""
    # What turned into something and then was lost is one loss, of what it was when it came: a
    # machine gun whose crew fell as riflemen is no machine gun and a squad.
    if became and (fate.after != ELIMINATED or fate.merged_into):
        converted = entries.side_account(Holder.CONVERTED, unit.side)
        draft.move(fate.type, 1, start, converted, fate.cause)
        end = _end(unit, fate)
        draft.move(became, 1, converted, end, fate.cause)
    elif fate.after != fate.before:
        draft.move(fate.type, 1, start, _end(unit, fate), fate.cause)


def _end(unit: Unit, fate: ElementFate) -> AccountRef:
    if fate.after != ELIMINATED:
        return entries.unit_account(unit, fate.after)
    if fate.merged_into:
        return entries.side_account(Holder.CONVERTED, unit.side)
    holder = Holder.CAPTURED if CAPTURED in fate.cause.lower() else Holder.DESTROYED
    return AccountRef(holder, unit.key)


def _tallies(draft: Draft, fates: list[ElementFate]) -> tuple[Tally, ...]:
    """Conservation by side and type, counted from the lines and not from the fates."""
    before: Counter[tuple[str, str]] = Counter()
    for fate in fates:
        before[draft.units[fate.unit].side.key, fate.type] += 1
    moved: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in draft.entries:
        side = _side_of(draft, entry.account)
        if entry.item.measure == "element" and side:
            moved[side, entry.item.key][entry.account.holder] += entry.quantity
    tallies = []
    for side, kind in sorted(set(before) | set(moved)):
        sums = moved[side, kind]
        # What the scenario brought from outside the ledger is neither before nor after.
        outside = sums[Holder.ARSENAL] + sums[Holder.EXPENDED]
        lost = sums[Holder.DESTROYED] + sums[Holder.CAPTURED] + sums[Holder.LOST] + outside
        start = before[side, kind]
        tallies.append(
            Tally(
                side,
                kind,
                draft.title(kind),
                start,
                start + sums[Holder.UNIT],
                lost,
                sums[Holder.CONVERTED],
            )
        )
    return tuple(tallies)


def _side_of(draft: Draft, account: AccountRef) -> str:
    if account.holder is Holder.UNIT or account.holder in LOSSES:
        return draft.units[account.key].side.key
    return account.key if account.key in draft.sides else ""


# --- what was used up, scored, held --------------------------------------------------------------


def _spent(draft: Draft, document: BattleResult) -> None:
    """What was used up leaves its unit; what the unit never held came with the scenario."""
    leaving: Counter[tuple[str, str, str]] = Counter()
    for spent in document.spent:
        unit = draft.units.get(spent.unit)
        if unit is None or spent.quantity <= 0:
            continue
        expended = entries.side_account(Holder.EXPENDED, unit.side)
        left = spent.quantity
        held = draft.held.get(unit.pk, {}).get(spent.item, {})
        for condition in muster.ranked(draft.ruleset, spent.item, held):
            place = (spent.unit, spent.item, condition)
            take = min(left, held[condition] - leaving[place])
            if take > 0:
                account = entries.unit_account(unit, condition)
                draft.move(spent.item, take, account, expended, "expended")
                leaving[place] += take
                left -= take
        if left:
            arsenal = entries.side_account(Holder.ARSENAL, unit.side)
            draft.move(spent.item, left, arsenal, expended, "expended")
            if held:
                draft.warnings.append(
                    f"{unit.name} spent {left} {draft.title(spent.item)} more than it had."
                )


def _points(draft: Draft, scenario: Scenario, document: BattleResult) -> None:
    for points in document.points:
        side = draft.sides.get(points.side)
        if side is not None and points.quantity:
            draft.entries += entries.move(
                entries.points_item(points.what),
                points.quantity,
                AccountRef(Holder.AWARD),
                entries.side_account(Holder.SCORE, side),
                points.why,
            )
    if document.source != "engine":
        draft.warnings += scored.doubts(scenario, document)
    lost = any(f.after == engine.ELIMINATED and not f.merged_into for f in document.elements)
    counted = any(p.what == "casualty" and p.quantity for p in document.points)
    if lost and not counted and not scored.counts_losses(scenario):
        draft.warnings.append("Elements were lost, and yet nobody has casualty points for it.")
    if document.ending.winner and not document.points and not scored.margin(scenario):
        draft.warnings.append("A side won, and yet nobody scores a point.")


def _morale(draft: Draft, fates: list[ElementFate]) -> None:
    """A unit's morale is that of its worst element that is left."""
    words = engine.catalogue(draft.ruleset).morale
    worst: dict[str, str] = {}
    for fate in fates:
        if fate.after != ELIMINATED and fate.morale in words:
            now = worst.get(fate.unit, words[0])
            worst[fate.unit] = max(now, fate.morale, key=words.index)
    known = levels_now(draft.campaign, Status.Kind.MORALE)
    for key, morale in sorted(worst.items()):
        before = known.get(key, words[0])
        if morale != before:
            draft.levels.append(
                Level(Status.Kind.MORALE, key, draft.units[key].name, morale, before)
            )


def _holdings(draft: Draft, battle: Battle, document: BattleResult) -> None:
    known = levels_now(draft.campaign, Status.Kind.HOLDING)
    places = Counter(holding.place for holding in document.holdings)
    for holding in document.holdings:
        if places[holding.place] > 1 or (holding.side and holding.side not in draft.sides):
            continue
        subject = f"{battle.terms.key}/{holding.place}"
        before = known.get(subject, "")
        if holding.side != before:
            draft.levels.append(
                Level(
                    Status.Kind.HOLDING, subject, holding.name, holding.side, before, is_unit=False
                )
            )


def levels_now(campaign: Campaign, kind: Status.Kind) -> dict[str, str]:
    """The newest value of a kind of level, by subject."""
    rows = Status.objects.filter(posting__campaign=campaign, kind=kind).order_by("pk")
    return dict(rows.values_list("subject", "value"))


def _stocks(draft: Draft, scenario: Scenario) -> None:
    """Nothing may leave a unit that it no longer holds."""
    leaving: Counter[tuple[str, str, str]] = Counter()
    for entry in draft.entries:
        if entry.account.holder is Holder.UNIT:
            leaving[entry.account.key, entry.item.key, entry.account.condition] += entry.quantity
    for (key, kind, condition), change in sorted(leaving.items()):
        has = draft.held.get(draft.units[key].pk, {}).get(kind, {}).get(condition, 0)
        if has + change < 0:
            draft.blocks.append(
                f"{draft.units[key].name} would lose {-change} {draft.title(kind)} ({condition})"
                f" but has {has} now: its strength changed after the forces locked. Undo the later"
                " act first, or take the difference off with the referee's adjustment."
            )
    for unit_key, unit in draft.units.items():
        fought = any(u.id == unit_key for f in scenario.forces for u in f.units)
        held = draft.held.get(unit.pk, {})
        before = sum(sum(counts.values()) for counts in held.values())
        change = sum(n for (key, _, _), n in leaving.items() if key == unit_key)
        if fought and before and before + change <= 0:
            draft.warnings.append(f"{unit.name} is wiped out.")
