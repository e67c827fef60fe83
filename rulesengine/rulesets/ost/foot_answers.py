"""What comes of an attack on a foot unit, in words, and the answer about collateral damage."""

from __future__ import annotations

from rulesengine.contract import Answer
from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.blast import WITH_VEHICLE, WITH_WRECK
from rulesengine.rulesets.ost.carriage import (
    ARMOURED_TRANSPORT,
    EXPOSED_IN_LORRY,
    EXPOSED_PASSENGER,
    ROLLING_COVER,
)
from rulesengine.rulesets.ost.charts import COLUMNS, column
from rulesengine.rulesets.ost.question_words import MOST_GUT_CHECK
from rulesengine.rulesets.ost.questions import CollateralDamage
from rulesengine.rulesets.ost.state import MORALE_NAMES
from rulesengine.rulesets.ost.vehicle_answers import chances
from rulesengine.rulesets.ost.worth import after

STEPS_LOST = ("", "one step lost", "two steps lost")
COMPANY = {
    "armored transport": ARMOURED_TRANSPORT,
    "on a vehicle": EXPOSED_PASSENGER,
    "in a lorry": EXPOSED_IN_LORRY,
    "rolling cover": ROLLING_COVER,
}
"""How the target moves with a vehicle, and the modifier of its Defense."""


def fate(outcome: tuple[int, int], steps: int, before: int) -> str:
    """(steps lost, morale afterwards) of a unit in words."""
    lost, now = outcome
    if lost == steps:
        return "eliminated"
    parts = [STEPS_LOST[lost]] if lost else []
    if now != before:
        parts.append(MORALE_NAMES[now])
    return ", ".join(parts) or "no effect"


def collateral(q: CollateralDamage) -> Answer:
    """OST 24.4: unmodified, in the column of -5, or -3 where the vehicle is lost."""
    if q.steps not in (1, 2):
        raise BadDocument("steps: 2 for a full unit, 1 for a reduced one or a single person")
    if not 2 <= q.gut_check <= MOST_GUT_CHECK:
        raise BadDocument(f"gut_check: 2 to {MOST_GUT_CHECK}")
    difference = WITH_WRECK if q.vehicle_lost else WITH_VEHICLE
    at = column(difference, 0)
    before = MORALE_NAMES.index(q.morale)
    spread = after((at, 0, q.gut_check), q.steps, before, 1)
    return Answer(
        question="collateral damage",
        text=f"Column {COLUMNS[at]} of the Infantry Combat Table, unmodified",
        rules=("24.4.p1", "24.4.1" if q.vehicle_lost else "24.4.2", "24.4.3"),
        steps=("the vehicle is lost" if q.vehicle_lost else "the vehicle is hit and stays",),
        chances=chances(spread, lambda outcome: fate(outcome, q.steps, before)),
        value=difference,
    )
