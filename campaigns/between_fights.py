"""What happens between two fights of a ladder, as plans: refits, mergers, replacements.

The pack's carry table says what a force keeps. Elements that were converted or are lost for
good are not touched; what comes new comes from the arsenal, what comes back from where the
ledger sent it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from campaigns import engine, entries, muster
from campaigns.entries import Entry, Level, Plan
from campaigns.models import (
    Campaign,
    Establishment,
    Holder,
    Status,
    Unit,
)

LEADER = "leader"
WEAPONS = ("weapon", "gun", "mortar", "support")


def recovery(campaign: Campaign, rung: str = "") -> Plan:
    """Refit or merge the reduced, let morale recover, replace what the house rules replace; `rung`
    is the one that comes next."""
    units = list(campaign.units.select_related("side"))
    held: Mapping[int, muster.Strength] = muster.on_hand(units)
    lines: list[Entry] = []
    for unit in units:
        strength = held.get(unit.pk, {})
        has_leader = any(_category(campaign, kind) == LEADER for kind in strength)
        for kind, counts in strength.items():
            if campaign.carry.get("reduced") == "refit":
                lines += _refit(campaign, unit, kind, counts)
            elif campaign.carry.get("merge_reduced") and has_leader:
                lines += _merge(campaign, unit, kind, counts)
    held = _after(units, held, lines)
    lines += _replaced(campaign, units, held, _drafts(campaign, rung))
    levels = _recovered(campaign) if campaign.carry.get("morale") == "recovers" else []
    return Plan(entries=entries.merged(lines), levels=tuple(levels))


def _category(campaign: Campaign, kind: str) -> str:
    known = engine.element_type(campaign.ruleset, kind)
    return known.category if known else ""


def _conditions(campaign: Campaign, kind: str) -> tuple[str, ...]:
    known = engine.element_type(campaign.ruleset, kind)
    return known.conditions if known else ()


def _refit(campaign: Campaign, unit: Unit, kind: str, counts: dict[str, int]) -> list[Entry]:
    order = _conditions(campaign, kind)
    lines: list[Entry] = []
    for condition, count in counts.items():
        if order and condition != order[0]:
            lines += entries.move(
                entries.element_item(campaign.ruleset, kind),
                count,
                entries.unit_account(unit, condition),
                entries.unit_account(unit, order[0]),
                "refitted",
            )
    return lines


def _merge(campaign: Campaign, unit: Unit, kind: str, counts: dict[str, int]) -> list[Entry]:
    """Two reduced squads of a type become one at full strength; the other is no more."""
    order = _conditions(campaign, kind)
    pairs = counts.get("reduced", 0) // 2
    if not pairs or "reduced" not in order or "squad" not in _category(campaign, kind):
        return []
    item = entries.element_item(campaign.ruleset, kind)
    reduced = entries.unit_account(unit, "reduced")
    return [
        *entries.move(item, pairs, reduced, entries.unit_account(unit, order[0]), "merged"),
        *entries.move(
            item, pairs, reduced, entries.side_account(Holder.CONVERTED, unit.side), "merged"
        ),
    ]


def _after(
    units: list[Unit], held: Mapping[int, muster.Strength], lines: Iterable[Entry]
) -> dict[int, muster.Strength]:
    """What units hold once some lines are written."""
    by_key = {unit.key: unit.pk for unit in units}
    now: dict[int, muster.Strength] = {
        pk: {kind: dict(counts) for kind, counts in strength.items()}
        for pk, strength in held.items()
    }
    for entry in lines:
        if entry.account.holder is Holder.UNIT:
            counts = now.setdefault(by_key[entry.account.key], {}).setdefault(entry.item.key, {})
            condition = entry.account.condition
            counts[condition] = counts.get(condition, 0) + entry.quantity
    return now


def _drafts(campaign: Campaign, rung: str) -> set[str]:
    """Keys of the units that the pack sends men before a rung."""
    return {
        row["unit"]
        for row in campaign.replacements
        if row["before"] == rung and engine.fights(campaign.ruleset, row["element"])
    }


def _replaced(
    campaign: Campaign,
    units: list[Unit],
    held: Mapping[int, muster.Strength],
    drafted: set[str],
) -> list[Entry]:
    """Lost leaders or weapons up to the establishment, where the house rules replace them.

    A gun or a machine gun comes with its crew. A leader, or a weapon that a squad carries, comes
    to a unit that has somebody left who fights, or is sent some; else it waits until then.
    """
    leaders = campaign.carry.get("lost_leaders") == "replaced"
    weapons = campaign.carry.get("lost_weapons") == "replaced"
    if not leaders and not weapons:
        return []
    by_pk = {unit.pk: unit for unit in units}
    manned = {
        pk
        for pk, unit in by_pk.items()
        if unit.key in drafted or any(engine.fights(campaign.ruleset, k) for k in held.get(pk, {}))
    }
    lines: list[Entry] = []
    authorised = _authorised(campaign)
    for row in Establishment.objects.filter(unit__campaign=campaign):
        is_leader = LEADER in row.category
        is_weapon = not is_leader and any(word in row.category for word in WEAPONS)
        if not (is_leader and leaders) and not (is_weapon and weapons):
            continue
        if row.unit_id not in manned and not engine.fights(campaign.ruleset, row.element):
            continue
        missing = row.quantity - sum(held.get(row.unit_id, {}).get(row.element, {}).values())
        if missing > 0:
            unit = by_pk[row.unit_id]
            lines += _arrive(campaign, unit, row.element, missing, "replaced")
            back = _mounted(campaign, unit, row.element, missing, held, authorised)
            lines += back
            held = _after(units, held, back)
    return lines


def _authorised(campaign: Campaign) -> dict[tuple[int, str], int]:
    """How many of a type each unit is authorised, by its pk and the type."""
    rows = Establishment.objects.filter(unit__campaign=campaign)
    return {(row.unit_id, row.element): row.quantity for row in rows}


def _mounted(
    campaign: Campaign,
    unit: Unit,
    element: str,
    quantity: int,
    held: Mapping[int, muster.Strength],
    authorised: Mapping[tuple[int, str], int],
) -> list[Entry]:
    """Who got out of a lost vehicle, or fought on without their gun, man what comes in its place:
    else the unit would be above its establishment by them. Only whom it has beyond its own."""
    known = engine.element_type(campaign.ruleset, element)
    lines: list[Entry] = []
    for kind in dict.fromkeys(b.type for b in known.becomes) if known else ():
        counts = held.get(unit.pk, {}).get(kind, {})
        beyond = sum(counts.values()) - authorised.get((unit.pk, kind), 0)
        for condition in reversed(muster.ranked(campaign.ruleset, kind, counts)):
            take = min(quantity, beyond, counts[condition])
            if take > 0:
                lines += entries.move(
                    entries.element_item(campaign.ruleset, kind),
                    take,
                    entries.unit_account(unit, condition),
                    entries.side_account(Holder.CONVERTED, unit.side),
                    "manned what came",
                )
                quantity, beyond = quantity - take, beyond - take
    return lines


def _arrive(campaign: Campaign, unit: Unit, element: str, quantity: int, cause: str) -> list[Entry]:
    order = _conditions(campaign, element)
    return entries.move(
        entries.element_item(campaign.ruleset, element),
        quantity,
        entries.side_account(Holder.ARSENAL, unit.side),
        entries.unit_account(unit, order[0] if order else "fit"),
        cause,
    )


def _recovered(campaign: Campaign) -> list[Level]:
    best = engine.catalogue(campaign.ruleset).morale[0]
    newest: dict[str, Status] = {}
    for status in Status.objects.filter(
        posting__campaign=campaign, kind=Status.Kind.MORALE
    ).order_by("pk"):
        newest[status.subject] = status
    return [
        Level(Status.Kind.MORALE, status.subject, status.subject_name, best, status.value)
        for _, status in sorted(newest.items())
        if status.value != best
    ]


def replacements(campaign: Campaign, rung: str) -> Plan:
    """What the pack sends before a rung is fought, as far as units are below their establishment:
    a company that lost nothing, because its fight was passed by, has nobody to replace."""
    units = {unit.key: unit for unit in campaign.units.select_related("side")}
    held: Mapping[int, muster.Strength] = muster.on_hand(units.values())
    authorised = _authorised(campaign)
    sent: Counter[tuple[str, str]] = Counter()
    for row in campaign.replacements:
        if row["before"] == rung and row["unit"] in units:
            sent[row["unit"], row["element"]] += row["quantity"]
    lines: list[Entry] = []
    for (key, element), quantity in sent.items():
        unit = units[key]
        there = sum(held.get(unit.pk, {}).get(element, {}).values())
        missing = min(quantity, authorised.get((unit.pk, element), 0) - there)
        if missing > 0:
            lines += _arrive(campaign, unit, element, missing, "replacement")
            back = _mounted(campaign, unit, element, missing, held, authorised)
            lines += back
            held = _after(list(units.values()), held, back)
    return Plan(entries=entries.merged(lines))
