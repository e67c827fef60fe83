"""Each unit's best shot, kept until something touches the shooter, the target or the way.

A doctrine's memory of fire: `refresh` reads what changed since it last looked and only works
those pairs out again. `slow_best` is the obvious reference: every pair, from nothing.
"""

from __future__ import annotations

from rulesengine.contract import Action
from rulesengine.rulesets.ost.actions import Fire
from rulesengine.rulesets.ost.armour_shots import armour_shot, vehicle_order
from rulesengine.rulesets.ost.carriage import in_street, shelter_worth
from rulesengine.rulesets.ost.embrasures import barred
from rulesengine.rulesets.ost.fire import SMOKE_FIREPOWER, in_arc, inspired, street
from rulesengine.rulesets.ost.kinds import (
    ANTITANK,
    ARC,
    ASTERISK,
    CATEGORY,
    ENGINEER,
    ENGINEERS_ONLY,
    FIREPOWER,
    FLAME,
    LEADER,
    MORTAR,
    OWN_RANGE,
    RANGE,
    SINGLE_USE,
    SNIPER,
    SOFT_ONLY,
    SQUAD,
    THROWN,
    TRAITS,
    WEAPON,
    WHOLE_HEX,
)
from rulesengine.rulesets.ost.posts import advantage, sight
from rulesengine.rulesets.ost.reaction import reach_of
from rulesengine.rulesets.ost.sight import BLOCKED, UNKNOWN, look
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    OFF,
    SHAKEN,
    View,
)
from rulesengine.rulesets.ost.vehicles import is_armored, is_gun, is_vehicle
from rulesengine.rulesets.ost.works import is_walled
from rulesengine.rulesets.ost.worth import COLUMN_OF, resistance, strength, worth

Shot = tuple[int, int, int, bool]
"""(worth, target, weapon or NONE, the weapon fires alone)."""

NO_SHOT: Shot = (0, NONE, NONE, False)
"""Nothing in sight."""
UNTOUCHED: set[int] = set()
POINT_BLANK = 3
"""Hexes at which a hidden gun fires at anybody."""
CANNOT: Shot = (0, NONE, NONE, True)
"""The unit cannot fire at all until something happens to it."""


class Shots:
    """The best shot of every unit of one side."""

    __slots__ = ("_guns", "_reach", "_read", "_view", "known")

    def __init__(self, view: View) -> None:
        self._view = view
        self.known: dict[int, Shot] = {}
        """Best shots that hold, by firer; `best` works out one that is not there."""
        self._reach: dict[int, int] = {}
        """How far each firer of those can hit anything."""
        self._read = 0
        state = view.state
        mine = state.of_side[view.side] if state.armour else ()
        self._guns = tuple(c for c in mine if is_gun(state, c))
        """Anti-tank guns, where there are tanks at all."""

    def refresh(self) -> set[int]:
        """Forget what changes have made stale, and see whether they offer better targets.

        Returns the counters that something happened to since it was last called.
        """
        state, side = self._view.state, self._view.side
        changes = state.changes
        if self._read == len(changes):
            return UNTOUCHED
        touched = set(changes[self._read :])
        self._read = len(changes)
        best, sides = self.known, state.side
        news = []
        for c in touched:
            if sides[c] == side:
                best.pop(c, None)
                for other in (state.attached[c], state.holder[c]):
                    if other != NONE:
                        best.pop(other, None)
            elif CATEGORY[state.kind[c]] != WEAPON:
                news.append(c)
        if news:
            for gun in self._guns:
                best.pop(gun, None)
            self._compare(news, touched)
        return touched

    def _compare(self, news: list[int], touched: set[int]) -> None:
        """Hold the shots that are known against what happened to the enemy."""
        state, hexes, reaches = self._view.state, self._view.hex, self._reach
        known, size = state.ground.seen, state.ground.grid.size
        town = bool(state.ground.dual)
        best, here = self.known, state.hex
        there = [(target, hexes[target]) for target in news if hexes[target] != OFF]
        for firer, kept in list(best.items()):
            if kept is CANNOT:
                continue
            shot = kept
            if kept[1] in touched:
                shot = self.shot(firer, kept[1]) if hexes[kept[1]] != OFF else NO_SHOT
                if shot[0] < kept[0]:
                    del best[firer]
                    continue
            row, reach = here[firer] * size, reaches[firer]
            for target, h in there:
                seen = known[row + h]
                if seen == UNKNOWN or ((seen & 3 != BLOCKED or town) and seen >> 2 <= reach):
                    new = self.shot(firer, target)
                    if new[0] > shot[0] or (new[0] == shot[0] and new[1] < shot[1]):
                        shot = new
            best[firer] = shot

    def best(self, firer: int) -> Shot:
        """The best shot of a unit as things stand, NO_SHOT if it has none."""
        known = self.known.get(firer)
        if known is None:
            known = self.slow_best(firer)
            self.known[firer] = known
        return known

    def slow_best(self, firer: int) -> Shot:
        """The same, worked out from nothing."""
        view = self._view
        if not can_fire(view, firer):
            return CANNOT
        state, hexes = view.state, view.hex
        known, row = state.ground.seen, state.hex[firer] * state.ground.grid.size
        town = bool(state.ground.dual)  # from a street other lines may run
        reach = self._reach[firer] = reach_of(state, firer) + state.ground.relief
        found = NO_SHOT
        for target in view.theirs:
            there = hexes[target]
            if there == OFF:
                continue
            seen = known[row + there]
            if seen == UNKNOWN or ((seen & 3 != BLOCKED or town) and seen >> 2 <= reach):
                shot = self.shot(firer, target)
                if shot[0] > found[0]:
                    found = shot
        return found

    def shot(self, firer: int, target: int, *, intensive: bool = False, ambush: int = 0) -> Shot:
        """What a unit can do to one enemy it sees, alone; NO_SHOT if it cannot fire at it."""
        view = self._view
        state = view.state
        here, there = state.hex[firer], view.hex[target]
        if here == there or (state.pillboxes and barred(state, firer, here, there)):
            return NO_SHOT
        if state.armour and (is_vehicle(state, firer) or is_vehicle(state, target)):
            if not self._can_pick(firer, target) or not self.bears(firer, target):
                return NO_SHOT
            return armour_shot(view, firer, target, intensive=intensive, ambush=ambush)
        if state.ground.relief or state.veils or state.ground.dual:
            seen = sight(state, firer, target, there)
        else:
            seen = look(state.ground, here, there)
        degraded = seen & 3
        if degraded == BLOCKED:
            return NO_SHOT
        distance, modifier = seen >> 2, self.changes(firer) + ambush - intensive
        if state.ground.relief:
            height = advantage(state, (firer,), target, there)
            modifier += height
            distance -= height > 0
        kind, steps = state.kind[firer], state.steps[firer]
        reach = RANGE[kind][steps]
        weapon = state.weapon[firer]
        if weapon != NONE and (
            distance > RANGE[state.kind[weapon]][1]
            or (TRAITS[state.kind[weapon]] & (THROWN | FLAME) and seen >> 2 > 1)
            or CATEGORY[kind] != SQUAD
            or TRAITS[state.kind[weapon]] & (WHOLE_HEX | MORTAR)
            or (TRAITS[state.kind[weapon]] & ENGINEERS_ONLY and not TRAITS[kind] & ENGINEER)
            or state.firer_of[weapon] not in (NONE, firer)
            or (TRAITS[state.kind[weapon]] & ANTITANK and not self._blasts(weapon, firer, target))
        ):
            weapon = NONE
        alone = distance > reach
        if alone and (weapon == NONE or not TRAITS[state.kind[weapon]] & OWN_RANGE):
            return NO_SHOT
        if there in state.melees or not self._can_pick(firer, target):
            return NO_SHOT
        if self._guns and distance > POINT_BLANK and self._lies_in_wait(firer):
            return NO_SHOT
        if TRAITS[kind] & ARC and not in_arc(state.ground, here, there, state.facing[firer]):
            return NO_SHOT
        power = 0 if alone else FIREPOWER[kind][steps]
        if weapon != NONE:
            power += FIREPOWER[state.kind[weapon]][1]
        if CATEGORY[kind] == SNIPER and state.is_single(target):
            power *= 2
        if state.smoke and here in state.smoke:
            power += SMOKE_FIREPOWER
        shaken = state.morale[firer] == SHAKEN
        value = self.value(
            strength(power, seen >> 2 == 1, degraded, shaken, intensive),
            target,
            here,
            modifier,
        )
        return value, target, weapon, alone

    def _lies_in_wait(self, firer: int) -> bool:
        """A hidden anti-tank gun does not give itself away for infantry while tanks are about."""
        state, hexes = self._view.state, self._view.hex
        if firer not in self._guns or not state.hidden[firer]:
            return False
        return any(hexes[c] != OFF and is_armored(state, c) for c in self._view.theirs)

    def value(self, power: int, target: int, here: int, modifier: int) -> int:
        """Worth of so much firepower from a hex at an enemy."""
        view = self._view
        state, ground = view.state, view.state.ground
        there = view.hex[target]
        shield = ground.shield[here * ground.grid.size + there]
        terrain = ground.terrain[there]
        if there in ground.dual and in_street(state, target):
            terrain = street(terrain)
        against = resistance(state.kind[target], terrain, shield)
        if there in state.shelter:
            against += state.shelter[there][0]
        if state.riding or state.rolling:
            against += shelter_worth(state, target)
        return worth(
            COLUMN_OF[power - against + 40],
            modifier,
            state.gut[state.side[target]],
            state.steps[target],
            state.morale[target],
        )

    def changes(self, firer: int) -> int:
        """Modifiers of the firer's roll: moving fire, leader. OST 27.1.3."""
        state = self._view.state
        return inspired(state, firer) - state.moved[firer]

    def bears(self, firer: int, target: int) -> bool:
        """Whether a foot weapon's covered arc takes in a target; vehicles see to theirs."""
        state = self._view.state
        if is_vehicle(state, firer) or not TRAITS[state.kind[firer]] & ARC:
            return True
        here, there = state.hex[firer], self._view.hex[target]
        return in_arc(state.ground, here, there, state.facing[firer])

    def _blasts(self, weapon: int, firer: int, target: int) -> bool:
        """Whether a rocket is worth firing at foot units there: into a building, out of none.
        OST 10.1.2, 10.1.3."""
        state = self._view.state
        traits = TRAITS[state.kind[weapon]]
        if traits & (SINGLE_USE | SOFT_ONLY) or not is_walled(state, target):
            return False
        return not is_walled(state, firer)

    def order(self, firer: int, shot: Shot, *, reaction: bool = False) -> Action:
        """The action of a shot."""
        if self._view.state.armour and is_vehicle(self._view.state, firer):
            return vehicle_order(self._view, firer, shot[1], reaction=reaction)
        return order(firer, shot)

    def _can_pick(self, firer: int, target: int) -> bool:
        """OST 27.4.6: only a sniper picks a leader out of a stack."""
        state, hexes = self._view.state, self._view.hex
        if CATEGORY[state.kind[target]] != LEADER or CATEGORY[state.kind[firer]] == SNIPER:
            return True
        return all(
            CATEGORY[state.kind[c]] == LEADER or hexes[c] == OFF
            for c in state.in_hex(hexes[target], state.side[target])
        )


def can_fire(view: View, c: int, *, intensive: bool = False) -> bool:
    """Whether a unit of the side can fire now at all, with an action left. OST 22, 27.4."""
    state = view.state
    h = state.hex[c]
    silent = state.done[c] or c in state.mute
    if h == OFF or state.morale[c] == BROKEN or silent or h in state.melees:
        return False
    kind = state.kind[c]
    if CATEGORY[kind] == LEADER:
        return False
    if state.acts(c) >= 2 and not (intensive and state.morale[c] == GOOD):
        return False
    return not (TRAITS[kind] & ASTERISK and state.displaced[c])


def order(firer: int, shot: Shot, second: int = NONE) -> Fire:
    """The action of a shot."""
    _, target, weapon, alone = shot
    return Fire(firer=firer, target=target, weapon=weapon, alone=alone, second=second)
