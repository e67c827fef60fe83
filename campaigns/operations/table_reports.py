"""Players report a battle they played: each his own side, and the halves make the result.

A player never has to read the enemy's roster to report. When both sides have reported, the
halves are joined; where they tell of a different ending, points or ground, the difference is
written down as a dispute for the referee, who may overrule.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from campaigns import access, engine, scope
from campaigns.access import Action
from campaigns.engine import BattleResult, Scenario
from campaigns.models import Battle, Comment, Result, ResultDraft, Seat
from campaigns.operations import battle_states
from campaigns.operations.battle_states import State
from campaigns.operations.battles import current_snapshot, write_result
from campaigns.refusals import Refused


@transaction.atomic
def report_side(*, seat: Seat, battle_id: str, document: dict[str, Any]) -> Result | None:
    """Report one's own side of a battle at the table; the whole result once both have."""
    battle = access.battle_for(seat, battle_id, Action.ENTER_RESULT, lock=True)
    if seat.side is None:
        raise Refused("Only a player reports a side; the referee reports the whole battle.")
    battle_states.require(battle, State.AT_TABLE, what="reported")
    scenario = _scenario(battle)
    half = engine.read_result(document)
    _refuse_foreign(scenario, seat.side.key, half)
    scope.refuse_strangers(scenario, half)
    ResultDraft.objects.update_or_create(
        battle=battle,
        author=seat.user,
        defaults={"document": msgspec.to_builtins(half), "submitted_at": timezone.now()},
    )
    halves = _halves(battle)
    if len(halves) < len(scenario.sides):
        return None
    first, second = (halves[side.key] for side in scenario.sides)
    result = write_result(seat, battle, _joined(first, second), reason="both sides reported")
    battle_states.move(battle, State.REPORTED, expecting=State.AT_TABLE, what="reported")
    for difference in _differences(first, second):
        Comment.objects.create(
            battle=battle,
            author=seat.user,
            author_name="Both reports",
            kind=Comment.Kind.DISPUTES,
            text=difference,
        )
    return result


def _scenario(battle: Battle) -> Scenario:
    return engine.read_scenario(battle.campaign.ruleset, current_snapshot(battle).document)


def _refuse_foreign(scenario: Scenario, side: str, half: BattleResult) -> None:
    own = {
        element.id
        for force in scenario.forces
        if force.side == side
        for unit in force.units
        for element in unit.elements
    }
    reported = {fate.element for fate in half.elements}
    units = {unit.id for force in scenario.forces if force.side == side for unit in force.units}
    if reported - own or {spent.unit for spent in half.spent} - units:
        raise Refused("A report of your side names only your own elements.", path="elements")
    if own - reported:
        missing = sorted(own - reported)[0]
        raise Refused(
            f"{missing} is not reported. Absent is not destroyed: say what became of it.",
            path="elements",
        )


def _halves(battle: Battle) -> dict[str, BattleResult]:
    """The newest submitted report of each side."""
    since = current_snapshot(battle).locked_at
    drafts = ResultDraft.objects.filter(
        battle=battle,
        submitted_at__gte=since,
        author__seats__campaign=battle.campaign,
        author__seats__side__isnull=False,
    ).order_by("submitted_at")
    rows = drafts.values_list("author__seats__side__key", "document")
    return {key: engine.read_result(json.dumps(document)) for key, document in rows}


def _joined(first: BattleResult, second: BattleResult) -> BattleResult:
    return msgspec.structs.replace(
        first,
        elements=first.elements + second.elements,
        spent=first.spent + second.spent,
        source="table",
    )


def _differences(first: BattleResult, second: BattleResult) -> list[str]:
    told = []
    if first.ending != second.ending:
        told.append(f"One side reports {_ending(first)}, the other {_ending(second)}.")
    if sorted(map(str, first.points)) != sorted(map(str, second.points)):
        told.append("The two sides report different points.")
    if sorted(map(str, first.holdings)) != sorted(map(str, second.holdings)):
        told.append("The two sides report different ground held.")
    return told


def _ending(result: BattleResult) -> str:
    ending = result.ending
    return f"a win for {ending.winner}" if ending.winner else f"a {ending.kind}"
