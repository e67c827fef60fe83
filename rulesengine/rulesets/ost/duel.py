"""The tank duel (OST 31): who shoots first, at what, and what is left to shoot back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from rulesengine.chance import Spread, certain, falls
from rulesengine.rulesets.ost.damage import ABANDONED, MAIN, Hull, after
from rulesengine.rulesets.ost.fire import SHAKEN_FIREPOWER
from rulesengine.rulesets.ost.gunnery import ARMOR_LEADER, column_of, results
from rulesengine.rulesets.ost.state import BROKEN, SHAKEN
from rulesengine.rulesets.ost.tally import Tally, code

MELEE_FIREPOWER = code("MELEE_FIREPOWER")
FIRST_SHOT_LEADER = code("DUEL_ARMOR_LEADER")
FIRST_SHOT_SHAKEN = code("DUEL_SHAKEN")
SHAKEN_ROLL = code("SHAKEN_IN_MELEE")

INTO_THE_FLANK = 4
"""A first shot won by so much goes into the flank. OST 31.0.3."""
NO_PIERCING = 1
"""What a vehicle without armour-piercing firepower attacks with. OST 31.1.10."""


@dataclass(frozen=True)
class Tank:
    """A vehicle in a duel."""

    piercing: int
    front: int
    flank: int
    hull: Hull
    armor_leader: bool = False

    @property
    def shoots(self) -> bool:
        """Whether it can still attack. OST 31.1.8, 31.1.9."""
        return (
            self.hull.damage < ABANDONED
            and self.hull.damage != MAIN
            and (self.hull.morale != BROKEN)
        )


Pair = tuple[Tank, Tank]
"""Whoever assaulted first, then the other."""


def first_shot_changes(tank: Tank) -> Tally:
    """What changes a vehicle's roll for the first shot. OST 31.0.2."""
    tally = Tally(0)
    if tank.armor_leader:
        tally.add(FIRST_SHOT_LEADER)
    if tank.hull.morale == SHAKEN:
        tally.add(FIRST_SHOT_SHAKEN)
    return tally


def first_shot(pair: Pair) -> Spread[tuple[int, bool]]:
    """Exact chances of who shoots first, 0 or 1, and whether into the flank; ties are rolled
    again. OST 31.0.2, 31.0.3."""
    one, two = (first_shot_changes(tank).value for tank in pair)
    counts: Counter[tuple[int, bool]] = Counter()
    for faces in falls(6, 4):
        lead = faces[0] + faces[1] + one - faces[2] - faces[3] - two
        if lead:
            counts[int(lead < 0), abs(lead) >= INTO_THE_FLANK] += 1
    return Spread(dict(counts), sum(counts.values()))


def firepower(tank: Tank, *, melee_bonus: bool = True) -> Tally:
    """Firepower of one attack: halved when shaken, then the melee's +2. OST 31.1.2, 31.1.6,
    31.1.8, 31.1.10. Without the bonus it is the reading of the book's own example."""
    tally = Tally(tank.piercing or NO_PIERCING)
    if tank.hull.morale == SHAKEN:
        tally.halve(SHAKEN_FIREPOWER)
    if melee_bonus:
        tally.add(MELEE_FIREPOWER)
    return tally.at_least(1)


def roll_changes(tank: Tank) -> Tally:
    """What changes the attack roll. OST 31.1.7, 31.1.8."""
    tally = Tally(0)
    if tank.armor_leader:
        tally.add(ARMOR_LEADER)
    if tank.hull.morale == SHAKEN:
        tally.add(SHAKEN_ROLL)
    return tally


def attack(firer: Tank, target: Tank, *, flank: bool, melee_bonus: bool) -> Spread[Tank]:
    """Exact chances of what one attack leaves of its target. OST 31.1.3 to 31.1.5."""
    if not firer.shoots:
        return certain(target)
    at = column_of(
        firepower(firer, melee_bonus=melee_bonus).value, target.flank if flank else target.front
    )
    return results(at, roll_changes(firer).value).then(
        lambda result: _with(target, after(target.hull, result))
    )


def _with(tank: Tank, hulls: Spread[Hull]) -> Spread[Tank]:
    return hulls.then(lambda hull: certain(replace(tank, hull=hull)))


def fought(pair: Pair, *, melee_bonus: bool = True) -> Spread[Pair]:
    """Exact chances of how both come out of a duel: one attack each, one after the other, the
    second only if its vehicle can still shoot. OST 31.1.9."""

    def exchange(shot: tuple[int, bool]) -> Spread[Pair]:
        first, flank = shot
        firer, target = pair[first], pair[1 - first]
        hit = attack(firer, target, flank=flank, melee_bonus=melee_bonus)

        def answer(left: Tank) -> Spread[Pair]:
            back = attack(left, firer, flank=False, melee_bonus=melee_bonus)
            return back.then(
                lambda shot_at: certain((shot_at, left) if first == 0 else (left, shot_at))
            )

        return hit.then(answer)

    return first_shot(pair).then(exchange)
