"""Who comes to a battle, as a side's commander chooses it before the forces lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from campaigns import access, engine, muster
from campaigns.access import Action, Power
from campaigns.models import Battle, Detachment, Seat, Side, Unit
from campaigns.operations import battle_states
from campaigns.operations.battle_states import State
from campaigns.refusals import NotFound, Refused

Picks = Sequence[tuple[str, Mapping[str, int]]]
"""(unit's uid, element type -> how many; empty = all)."""


@transaction.atomic
def choose_detachment(*, seat: Seat, battle_id: str, side_key: str, picks: Picks) -> Battle:
    """Choose who comes, of one side. No picks at all: the scenario's default force.

    A commander stays within the battle's limit; the referee may go over it.
    """
    battle = access.battle_for(seat, battle_id, Action.CHOOSE_FORCES, lock=True)
    side = access.side_for(seat, side_key, Action.CHOOSE_FORCES)
    battle_states.require(battle, State.PLANNED, what="given other forces")
    units = {unit.uid: unit for unit in battle.campaign.units.filter(side=side)}
    held = muster.on_hand(units.values())
    rows: list[Detachment] = []
    for uid, elements in picks:
        if uid not in units:
            raise NotFound
        if any(row.unit == units[uid] for row in rows):
            raise Refused(f"{units[uid].name} is chosen twice.", path=uid)
        if elements and not any(elements.values()):
            continue
        rows.append(_detachment(battle, units[uid], elements, held.get(units[uid].pk, {})))
    if picks and not rows:
        raise Refused("Nobody would come. Choose at least one element.")
    battle.detachments.filter(unit__side=side).delete()
    Detachment.objects.bulk_create(rows)
    chosen = muster.who_comes(battle, side)
    if picks and not chosen.elements:
        raise Refused("Nobody would come. Choose at least one element.")
    if chosen.over and Power.REFEREE not in access.powers(seat):
        raise Refused(
            f"{side.name} may bring {engine.many(chosen.limit, 'element')} to this battle; these"
            f" are {chosen.elements}. Leave {chosen.over} behind."
        )
    if picks:
        _refuse_unfit(battle, side)
    return battle


def _refuse_unfit(battle: Battle, side: Side) -> None:
    """Say now what the lock would say. The scenario is as this side may know it, so that nothing
    is told of the other."""
    faults = engine.force_faults(muster.known_scenario(battle, side), side.key)
    if faults:
        told = "; ".join(fault.rstrip(".") for fault in faults)
        raise Refused(f"These forces cannot take the field: {told}.")


def chosen(
    *, seat: Seat, battle_id: str, side_key: str, lock: bool = False
) -> list[tuple[str, dict[str, int]]]:
    """Who was chosen to come of a side; nobody: the scenario's default force. With `lock`, held
    still until the transaction ends."""
    battle = access.battle_for(seat, battle_id, Action.SEE_FORCES, lock=lock)
    side = access.side_for(seat, side_key, Action.SEE_FORCES)
    rows = battle.detachments.filter(unit__side=side).select_related("unit").order_by("unit__pk")
    return [(row.unit.uid, dict(sorted(row.elements.items()))) for row in rows]


def _detachment(
    battle: Battle, unit: Unit, elements: Mapping[str, int], held: muster.Strength
) -> Detachment:
    for kind, wanted in elements.items():
        has = sum(held.get(kind, {}).values())
        title = engine.title_of(battle.campaign.ruleset, kind)
        if wanted < 0 or wanted > has:
            raise Refused(f"{unit.name} has {has} {title}; {wanted} cannot come.", path=unit.uid)
    return Detachment(battle=battle, unit=unit, elements={k: n for k, n in elements.items() if n})
