"""Players report a battle they played: each his own side, and the halves make the result.

A player never has to read the enemy's roster to report. When both sides have reported, the
halves are joined; where they tell of a different ending, points or ground, the difference is
written down as a dispute for the referee, who may overrule.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import QuerySet
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
    _refuse_turncoat(battle, seat)
    scenario = _scenario(battle)
    half = engine.read_result(document)
    _refuse_other_rules(battle, half)
    _refuse_foreign(scenario, seat.side.key, half)
    half = scope.settled(scenario, half, side=seat.side.key)
    ResultDraft.objects.update_or_create(
        battle=battle,
        author=seat.user,
        defaults={
            "document": msgspec.to_builtins(half),
            "submitted_at": timezone.now(),
            "side": seat.side,
        },
    )
    halves = _halves(battle)
    if len(halves) < len(scenario.sides):
        return None
    first, second = (halves[side.key] for side in scenario.sides)
    result = write_result(seat, battle, _joined(first, second), reason="both sides reported")
    battle_states.move(battle, State.REPORTED, expecting=State.AT_TABLE, what="reported")
    names = {side.key: side.name for side in battle.campaign.sides.all()}
    for difference in _differences(first, second, names):
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


def _refuse_turncoat(battle: Battle, seat: Seat) -> None:
    """Who has reported for a side stands for it in this battle, wherever he sits now."""
    sent = _sent(battle).filter(author=seat.user).exclude(side=seat.side).first()
    if sent is not None and sent.side is not None:
        raise Refused(
            f"You have reported this battle for {sent.side.name}. Somebody else of your side"
            " reports for it, or the referee reports the whole battle."
        )


def _refuse_other_rules(battle: Battle, half: BattleResult) -> None:
    """What would hold up the other side's report later is said now."""
    for field, told, right in (
        ("ruleset", half.ruleset, battle.campaign.ruleset),
        ("version", half.version, current_snapshot(battle).ruleset_version),
    ):
        if told != right:
            raise Refused(
                f'This report names the {field} "{told}"; the forces locked under "{right}".',
                path=field,
            )


def _refuse_foreign(scenario: Scenario, side: str, half: BattleResult) -> None:
    """Which elements the other side has is not told by what is refused."""
    own = {
        element.id: unit.id
        for force in scenario.forces
        if force.side == side
        for unit in force.units
        for element in unit.elements
    }
    named = [(f"elements[{i}].element", f.element, own) for i, f in enumerate(half.elements)]
    units = dict.fromkeys(own.values(), "")
    named += [(f"spent[{i}].unit", spent.unit, units) for i, spent in enumerate(half.spent)]
    for path, name, known in named:
        if name not in known:
            mend = engine.did_you_mean(name, known)
            raise Refused(
                f"A report of your side names only your own elements, not {name}. {mend}", path=path
            )
    missing = sorted(set(own) - {fate.element for fate in half.elements})
    if missing:
        raise Refused(
            f"{missing[0]} is not reported. Absent is not destroyed: say what became of it.",
            path="elements",
        )


def _sent(battle: Battle) -> QuerySet[ResultDraft]:
    """The reports of a side that were sent since the forces locked."""
    since = current_snapshot(battle).locked_at
    return ResultDraft.objects.filter(
        battle=battle, submitted_at__gte=since, side__isnull=False
    ).select_related("side")


def _halves(battle: Battle) -> dict[str, BattleResult]:
    """The newest report of each side, by the side it was sent for."""
    rows = _sent(battle).order_by("submitted_at").values_list("side__key", "document")
    return {key: engine.read_result(json.dumps(document)) for key, document in rows}


def _joined(first: BattleResult, second: BattleResult) -> BattleResult:
    return msgspec.structs.replace(
        first,
        elements=first.elements + second.elements,
        spent=first.spent + second.spent,
        source="table",
        log="",
    )


def _differences(first: BattleResult, second: BattleResult, names: Mapping[str, str]) -> list[str]:
    """What the two sides tell otherwise. How they put it in words of their own is no matter."""
    told = []
    endings = [_ending(half, names) for half in (first, second)]
    if endings[0] != endings[1]:
        told.append(f"One side reports {endings[0]}, the other {endings[1]}.")
    if _sums(first) != _sums(second):
        told.append("The two sides report different points.")
    if _ground(first) != _ground(second):
        told.append("The two sides report different ground held.")
    if first.turns != second.turns:
        told.append(
            f"One side reports {engine.many(first.turns, 'turn')} played, the other {second.turns}."
        )
    return told


def _sums(result: BattleResult) -> dict[tuple[str, str], int]:
    sums = Counter[tuple[str, str]]()
    for points in result.points:
        sums[points.side, points.what] += points.quantity
    return {key: n for key, n in sums.items() if n}


def _ground(result: BattleResult) -> set[tuple[str, str]]:
    return {(holding.place, holding.side) for holding in result.holdings}


def _ending(result: BattleResult, names: Mapping[str, str]) -> str:
    ending = result.ending
    if ending.winner:
        return f"a win for {names.get(ending.winner, ending.winner)}"
    return f"a {ending.kind}"
