"""What the losses that a result tells come to in points, and where its points do not follow.

Counted from the fates alone, so that a result entered by hand can be held against it. What the
game itself counted is told by the game; nothing here changes a figure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from campaigns import engine
from campaigns.engine import ELIMINATED, BattleResult, ElementFate, ElementType, Scenario

ABANDONED = "abandoned"
"""Why a vehicle was lost whose crew left it: they are not lost with it."""


def losses(scenario: Scenario, result: BattleResult) -> Counter[str]:
    """Casualty points of what each side lost, by the side that lost it."""
    of_unit = {unit.id: force.side for force in scenario.forces for unit in force.units}
    types = engine.types_of(scenario)
    lost: Counter[str] = Counter()
    for fate in result.elements:
        if fate.unit in of_unit:
            lost[of_unit[fate.unit]] += worth(types, fate)
    return lost


def worth(types: Mapping[str, ElementType], fate: ElementFate) -> int:
    """Casualty points of what became of one element; below none where it came out better."""
    kind, before, points = fate.type, fate.before, 0
    known = types.get(fate.type)
    if known and fate.became and fate.became != fate.type:
        later = types.get(fate.became)
        change = next((b for b in known.becomes if b.type == fate.became), None)
        kind, before = fate.became, change.condition if change else fate.after
        # Who leaves a vehicle leaves a wreck; who leaves a gun without ammunition lost nothing.
        if not (later and later.merges):
            points = known.points - (later.points if later else 0)
    elif known and fate.after == ELIMINATED and fate.cause == ABANDONED:
        crew = next((types[b.type] for b in known.becomes if b.type in types), None)
        return known.points - (crew.points if crew else 0)
    return points + worn(types, kind, fate.after) - worn(types, kind, before)


def worn(types: Mapping[str, ElementType], kind: str, condition: str) -> int:
    """Points lost of an element in a condition: each step down is one where there are as many
    conditions as points; other damage scores nothing."""
    known = types.get(kind)
    if known is None:
        return 0
    if condition == ELIMINATED:
        return known.points
    stepped = len(known.conditions) == known.points and condition in known.conditions
    return known.conditions.index(condition) if stepped else 0


def counts_losses(scenario: Scenario) -> bool:
    """Whether losing anything that came to this battle scores at all."""
    types = engine.types_of(scenario)
    elements = (e for f in scenario.forces for u in f.units for e in u.elements)
    return any(types[e.type].points for e in elements if e.type in types)


# --- victory points ----------------------------------------------------------------------------


def rate(scenario: Scenario) -> int:
    """Victory points for each casualty point of the enemy; 0 where the scenario has none."""
    return int(getattr(getattr(scenario, "victory", None), "per_casualty", 0))


def start_of(scenario: Scenario, side: str) -> int:
    """Victory points a side has before the first turn."""
    starts = dict(zip((s.key for s in scenario.sides), scenario.head_start, strict=True))
    return starts.get(side, 0)


def losses_alone(scenario: Scenario, side: str) -> bool:
    """Whether a side scores for enemy losses and its head start, and for nothing else."""
    exits = any(t.side == side and t.exits for t in getattr(scenario, "terms", ()))
    return not exits and not getattr(scenario, "control", ())


def margin(scenario: Scenario) -> int:
    """The lead in victory points that wins; 0 where points do not decide."""
    victory = getattr(scenario, "victory", None)
    if victory is None or getattr(victory, "goals", None) or getattr(victory, "otherwise", None):
        return 0
    return max(1, int(victory.margin))


def total(result: BattleResult, side: str, what: str, why: str = "") -> int:
    """Points of a kind that a side has in a result; with `why`, of that reason alone."""
    return sum(
        p.quantity for p in result.points if (p.side, p.what) == (side, what) and why in ("", p.why)
    )


# --- where they do not follow --------------------------------------------------------------------


ENEMY_LOSSES = "enemy losses"
"""Why points are scored that the game itself gave for losses."""
HEAD_START = "head start"
"""Why points are scored that a scenario gives at its start."""
REPORTED = "as reported"
"""Why points stand in a result by hand of which no more is said."""


def doubts(scenario: Scenario, result: BattleResult) -> list[str]:
    """Sentences about points that do not follow from what the result tells."""
    lost = losses(scenario, result)
    told: list[str] = []
    for side in scenario.sides:
        other = next(s for s in scenario.sides if s.key != side.key)
        count = lost[other.key]
        has = total(result, side.key, "casualty")
        if counts_losses(scenario) and has != count:
            told.append(
                f"{side.name}: casualty points stand at {has}, and the losses of {other.name} come"
                f" to {count}. To have it so, set casualty points to {count}."
            )
        told += _victory(scenario, result, side, count)
    return [*told, *_ending(scenario, result)]


def _victory(
    scenario: Scenario, result: BattleResult, side: engine.Side, count: int
) -> Iterable[str]:
    """Where the victory points are not what the losses alone make them, or less than that."""
    start, each = start_of(scenario, side.key), rate(scenario)
    has = total(result, side.key, "victory")
    split = [
        p for p in result.points if (p.side, p.what, p.why) == (side.key, "victory", ENEMY_LOSSES)
    ]
    due = start + each * count
    alone = losses_alone(scenario, side.key)
    if split and not alone:
        due = has - sum(p.quantity for p in split) + each * count
    if has == due or (has > due and not alone and not split):
        return
    parts = [f"{count} × {each} for enemy losses"] if each else []
    if start:
        parts.append(f"a head start of {start}" if start > 0 else f"{-start} behind at the start")
    if not parts:
        return
    least = "" if alone or split else "at least "
    yield (
        f"{side.name}: victory points stand at {has}; {' and '.join(parts)} make {least}{due}."
        f" To have it so, set victory points to {least}{due}."
    )


def _ending(scenario: Scenario, result: BattleResult) -> Iterable[str]:
    """A winner that the points do not bear out, where points decide."""
    lead_wins = margin(scenario)
    if not lead_wins or result.ending.kind not in ("win", "draw"):
        return
    first, second = scenario.sides
    scores = [total(result, side.key, "victory") for side in (first, second)]
    lead = scores[0] - scores[1]
    ahead = "" if abs(lead) < lead_wins else (first if lead > 0 else second).key
    if result.ending.winner == ahead:
        return
    if result.ending.winner and _wiped_out(scenario, result, result.ending.winner):
        return
    names = {side.key: side.name for side in scenario.sides}
    winner = result.ending.winner
    stands = f"{names.get(winner, winner)} won" if winner else "It is a draw"
    by_points = f"{names[ahead]} win" if ahead else "it is a draw"
    yield (
        f"{stands}, and the victory points are {scores[0]} : {scores[1]} ({first.name} :"
        f" {second.name}). Points decide this battle, a lead of {lead_wins} wins: by them"
        f" {by_points}."
    )


def _wiped_out(scenario: Scenario, result: BattleResult, winner: str) -> bool:
    """Whether a side has nobody left: who stands against it has won, whatever the points."""
    theirs = {u.id for f in scenario.forces if f.side != winner for u in f.units}
    return all(fate.after == ELIMINATED for fate in result.elements if fate.unit in theirs)
