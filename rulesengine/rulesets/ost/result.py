"""The result document of a battle, and the fingerprint that a fold must reproduce."""

from __future__ import annotations

from typing import Any

from rulesengine.documents import (
    ELIMINATED,
    BattleResult,
    ElementFate,
    Ending,
    Holding,
    Points,
    digest,
)
from rulesengine.rulesets.ost.catalogue import TYPES, VERSION
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    CREW,
    STEPS,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.scoring import victory_points
from rulesengine.rulesets.ost.state import (
    DAMAGE,
    DAMAGE_AT_START,
    HULL_OUT,
    IMMOBILE,
    MAIN_OUT,
    MGS_OUT,
    MORALE_NAMES,
    NONE,
    OFF,
    STUCK,
    State,
)
from rulesengine.rulesets.ost.vehicle_events import ABANDONED


def result(state: State, ending: Ending | None) -> BattleResult:
    """What came of it, in the campaign's words."""
    scenario = state.scenario
    sides = [side.key for side in scenario.sides]
    points = [
        Points(
            side=sides[s], what="casualty", why="enemy losses", quantity=state.loss_points[1 - s]
        )
        for s in (0, 1)
    ]
    if state.ending is not None:
        points += [
            Points(side=sides[s], what="victory", why=why, quantity=quantity)
            for s in (0, 1)
            for why, quantity in victory_points(state, s)
        ]
    return BattleResult(
        schema="battle-result/1",
        ruleset="ost",
        version=VERSION,
        scenario=digest(scenario),
        source="engine",
        ending=ending or Ending(kind="failed", how="the battle was not finished"),
        elements=tuple(_fate(state, c) for c in range(len(state.kind))),
        points=tuple(points),
        holdings=tuple(
            Holding(
                place=place.hex,
                name=place.name,
                side=sides[state.control[i]] if state.control[i] != NONE else "",
            )
            for i, place in enumerate(scenario.control)
        ),
        turns=scenario.turns - state.turn + 1,
    )


def _condition(kind: int, steps: int, damage: int = 0) -> str:
    """A vehicle out of order in two ways shows the worse."""
    if not steps:
        return ELIMINATED
    if CATEGORY[kind] == VEHICLE:
        if damage & (IMMOBILE | STUCK):
            return "immobilised"
        if damage & (MAIN_OUT | HULL_OUT):
            return "main gun out"
        return "machine guns out" if damage & MGS_OUT else "fit"
    return TYPES[kind].conditions[0 if steps == STEPS[kind] else 1]


def _fate(state: State, c: int) -> ElementFate:
    start, kind = state.start_types[c], state.kind[c]
    before = _condition(start, state.start_steps[c])
    if CATEGORY[start] == VEHICLE:
        before = state.start_conditions[c]
    if c in state.manning:
        kind = state.manning[c][1]
    steps = state.steps[c]
    if CATEGORY[kind] == WEAPON:
        return _weapon_fate(state, c)
    return ElementFate(
        unit=state.unit_ids[c],
        element=state.ids[c],
        type=TYPES[start].key,
        before=before,
        after=_condition(kind, steps, state.damage[c]),
        became=TYPES[kind].key if kind != start else "",
        merged_into=state.ids[state.merged_into[c]] if c in state.merged_into else "",
        morale=MORALE_NAMES[state.morale[c]] if steps else "",
        cause=_cause(state, c, kind != start),
    )


def _cause(state: State, c: int, changed: bool) -> str:
    if c in state.merged_into:
        return "merged"
    if CATEGORY[state.start_types[c]] == VEHICLE:
        if changed and state.steps[c]:
            return "crew got out"
        if c in state.lost_to:
            return "abandoned" if state.lost_to[c] in ABANDONED else "destroyed"
        suffered = state.damage[c] & ~DAMAGE_AT_START.get(state.start_conditions[c], 0)
        return "combat" if suffered & DAMAGE else "stuck" if suffered else ""
    manned = [unit for unit, (gun, _) in state.manning.items() if gun == c]
    if any(state.captured[unit] and state.hex[unit] != OFF for unit in manned):
        return "captured"
    if c in state.unmanned:
        return "gun without its crew"
    if changed and state.steps[c]:
        buried = CATEGORY[state.kind[c]] == CREW
        return "weapon lost in a collapse" if buried else "ammunition out"
    if state.steps[c] < state.start_steps[c]:
        return "combat"
    return "merged" if state.steps[c] > state.start_steps[c] else ""


def _weapon_fate(state: State, c: int) -> ElementFate:
    """A support weapon is kept by who holds it at the end; left lying, by who holds the field.

    OST 10.0.9: either side may take it up. One that lies where nobody stands is lost; one that
    no squad had hands for was never brought.
    """
    holder = state.holder[c]
    side = state.start_side[c]
    if not state.steps[c]:
        return ElementFate(
            unit=state.unit_ids[c],
            element=state.ids[c],
            type=TYPES[state.start_types[c]].key,
            before="fit",
            after=ELIMINATED,
            cause=state.lost_to.get(c, "used"),
        )
    kept = state.hex[c] == OFF if holder == NONE else state.side[holder] == side
    if c in state.freight:
        kept = state.side[state.freight[c]] == side
    elif holder == NONE and not kept:
        kept = any(state.side[u] == side for u in state.stacks.get(state.hex[c], ()))
    captured = (holder != NONE or c in state.freight) and not kept
    cause = "" if kept else "captured" if captured else "left on the field"
    return ElementFate(
        unit=state.unit_ids[c],
        element=state.ids[c],
        type=TYPES[state.start_types[c]].key,
        before="fit",
        after="fit" if kept else ELIMINATED,
        cause=cause,
    )


def fingerprint(state: State) -> Any:
    """Everything a fold of the log must reproduce, as plain data."""
    plain: dict[str, Any] = {}
    for name in state.__slots__:
        if name in (
            "scenario",
            "ground",
            "options",
            "changes",
            "frames",
            "control_at",
            "dimmed",
            "flights",
        ):
            continue
        value = getattr(state, name)
        plain[name] = sorted(value) if isinstance(value, set) else value
    plain["stacks"] = dict(sorted(state.stacks.items()))
    plain["frames"] = [
        {name: getattr(frame, name) for name in frame.__struct_fields__} for frame in state.frames
    ]
    return plain
