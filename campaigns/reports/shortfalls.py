"""What a force is short of before it locks, and who could come: for its own side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaigns import engine, muster
from campaigns.models import Battle, Establishment, Side, Unit
from campaigns.muster import Muster, Strength


@dataclass(frozen=True)
class Spare:
    """A unit, or what of it does not come yet, and could."""

    uid: str
    name: str
    what: str
    """ "2 × Infantry squad, 1 × Leutnant"."""


@dataclass(frozen=True)
class Shortfall:
    """What a force lacks."""

    limit: int
    """Elements that the scenario has room for."""
    short: int
    """Elements below what the scenario has room for."""
    could_come: tuple[Spare, ...]
    lacks: tuple[str, ...]
    """In sentences, without their full stop: units without men, weapons without hands, and what
    keeps the force from taking the field."""


def shortfall(row: Battle, side: Side, force: Muster) -> Shortfall:
    """What a side's force lacks as it would lock now. The caller looks who may know."""
    ruleset = row.campaign.ruleset
    could = tuple(
        Spare(spare.unit.uid, spare.unit.name, counted(ruleset, spare.strength))
        for spare in force.spare
    )
    return Shortfall(
        force.limit, force.short, could if force.short else (), _lacks(row, side, force)
    )


def _lacks(row: Battle, side: Side, force: Muster) -> tuple[str, ...]:
    if not force.coming:
        return ()
    ruleset = row.campaign.ruleset
    without = [
        coming
        for coming in force.coming
        if not any(engine.fights(ruleset, kind) for kind in coming.strength)
    ]
    authorised = Establishment.objects.filter(unit__in=[c.unit for c in without])
    once_fought = {r.unit_id for r in authorised if engine.fights(ruleset, r.element)}
    alone = [
        f"{coming.unit.name} brings nobody who fights, only {counted(ruleset, coming.strength)}"
        for coming in without
        if coming.unit.pk in once_fought
    ]
    known = muster.known_scenario(row, side)
    faults = [fault.rstrip(".") for fault in engine.force_faults(known, side.key)]
    return (*faults, *engine.force_notes(known, side.key), *alone)


def missing(units: Iterable[Unit], held: Mapping[int, Strength]) -> dict[int, str]:
    """By unit pk, what it was authorised and no longer holds, in words."""
    gone: dict[int, list[str]] = {}
    for row in Establishment.objects.filter(unit__in=list(units)):
        less = row.quantity - sum(held.get(row.unit_id, {}).get(row.element, {}).values())
        if less > 0:
            gone.setdefault(row.unit_id, []).append(f"{less} × {row.title}")
    return {pk: ", ".join(words) for pk, words in gone.items()}


def counted(ruleset: str, strength: Strength) -> str:
    """Elements in words: "2 × Infantry squad, 1 × Leutnant (reduced)"."""
    return ", ".join(
        f"{count} × {engine.title_of(ruleset, kind)}"
        + ("" if condition == "fit" else f" ({condition})")
        for kind, conditions in strength.items()
        for condition, count in conditions.items()
    )
