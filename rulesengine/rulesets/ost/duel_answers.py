"""The answer to a question about a tank duel: exact chances for both (OST 31)."""

from __future__ import annotations

from typing import Any

from rulesengine.chance import Spread, certain, over_falls
from rulesengine.contract import Answer
from rulesengine.rulesets.ost import duel, gunnery
from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.charts import (
    column,
)
from rulesengine.rulesets.ost.kinds import OPEN_TOP, TRAITS
from rulesengine.rulesets.ost.state import BROKEN, MORALE_NAMES, SHAKEN
from rulesengine.rulesets.ost.tally import words
from rulesengine.rulesets.ost.vehicle_answers import Fate, chances, fates, named, vehicle_of
from rulesengine.rulesets.ost.vehicle_questions import (
    Duellist,
    TankDuel,
)
from rulesengine.rulesets.ost.vehicles import FLANK, FRONT


def _shot(shooter: Duellist, now: Fate, target: Duellist, flank: bool, bonus: bool) -> Spread[Fate]:
    """What one shot does to the target; `now` is how the shooter is. OST 31.1."""
    morale = MORALE_NAMES.index(target.morale)
    kind, other = vehicle_of(shooter.vehicle, "vehicle"), vehicle_of(target.vehicle, "vehicle")
    if now.gone or now.morale == BROKEN or not duel.can_shoot(kind, now.broke):
        return certain(Fate(morale=morale))
    shaken = now.morale == SHAKEN
    power = duel.firepower(duel.ap_left(kind, now.broke), shaken=shaken, bonus=bonus)
    printed = (FLANK if flank else FRONT)[other]
    against = duel.defense(printed, open_top=bool(TRAITS[other] & OPEN_TOP))
    changes = duel.roll_modifiers(armor_leader=shooter.armor_leader, shaken=shaken)
    at = column(power.value, against.value)
    results = over_falls(6, 2, lambda faces: gunnery.look_up(at, sum(faces) + changes.value))
    return results.then(
        lambda r: fates(r, other, target.gut_check, morale, damaged=target.damaged, melee=True)
    )


def tank_duel(q: TankDuel) -> Answer:
    """Who shoots first, where, and what comes of both shots. OST 31.0, 31.1."""
    bonus = not q.without_bonus
    pair = (q.one, q.two)
    changes = [
        duel.first_shot(armor_leader=d.armor_leader, shaken=d.morale == "shaken") for d in pair
    ]

    def start(faces: tuple[int, ...]) -> tuple[int, bool] | None:
        ahead = sum(faces[:2]) + changes[0].value - sum(faces[2:]) - changes[1].value
        if not ahead:
            return None
        return (0 if ahead > 0 else 1), abs(ahead) >= duel.FLANK_SHOT

    rolled = over_falls(6, 4, start)
    weights = {key: weight for key, weight in rolled.weights.items() if key is not None}
    starts: Spread[Any] = Spread(weights, sum(weights.values()))

    def fight(first: int, flank: bool) -> Spread[Any]:
        shooter, other = pair[first], pair[1 - first]
        fresh = Fate(morale=MORALE_NAMES.index(shooter.morale))
        one = _shot(shooter, fresh, other, flank, bonus)
        return one.then(
            lambda hit: _shot(other, hit, shooter, False, bonus).then(
                lambda back: certain((back, hit) if first == 0 else (hit, back))
            )
        )

    spread = starts.then(lambda begun: fight(*begun))
    before = [MORALE_NAMES.index(d.morale) for d in pair]
    first = starts.then(lambda begun: certain(begun[0])).chance(0)
    names = _names(pair)
    return Answer(
        question="tank duel",
        text=f"{names[0]} shoots first in {first.numerator} of {first.denominator}",
        rules=("31.0.2", "31.0.3", "31.1.1", "31.1.2", "31.1.3", "31.1.5", "31.1.9")
        + (("31.1.6",) if bonus else ()),
        steps=tuple(_lost(names[i], spread, i) for i in (0, 1)),
        modifiers=words((*changes[0].parts, *changes[1].parts)),
        chances=chances(
            spread,
            lambda both: "; ".join(f"{names[i]}: {named(both[i], before[i])}" for i in (0, 1)),
        ),
    )


def _lost(name: str, spread: Spread[Any], which: int) -> str:
    """How often one of the two is lost, in sum over all that can come of it."""
    share = spread.then(lambda both: certain(bool(both[which].gone))).chance(True)
    return f"{name} is lost in {float(share):.1%} of duels"


def _names(pair: tuple[Duellist, Duellist]) -> tuple[str, str]:
    """What the two are called, apart even where they are alike."""
    one, two = (TYPES[vehicle_of(d.vehicle, "vehicle")].title for d in pair)
    return (one, two) if one != two else (f"the first {one}", f"the second {two}")
