"""Each unit's best shot, kept until something touches the shooter, the target or the way.

A doctrine's memory of fire: `refresh` reads what changed since it last looked and only works
those pairs out again. `slow_best` is the obvious reference: every pair, from nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesengine.contract import Action
from rulesengine.rulesets.ost.actions import Fire
from rulesengine.rulesets.ost.armour_shots import armour_shot, vehicle_order
from rulesengine.rulesets.ost.carriage import in_street, shelter_worth
from rulesengine.rulesets.ost.embrasures import barred
from rulesengine.rulesets.ost.fire import SMOKE_FIREPOWER, in_arc, inspired, street
from rulesengine.rulesets.ost.glance import near
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
from rulesengine.rulesets.ost.sight import BLOCKED, FARTHEST, UNKNOWN, look
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
POINT_BLANK = 3
"""Hexes at which a hidden gun fires at anybody."""
CANNOT: Shot = (0, NONE, NONE, True)
"""The unit cannot fire at all until something happens to it."""


class Shots:
    """The best shot of every unit of one side."""

    __slots__ = (
        "_ground",
        "_guns",
        "_plain",
        "_present",
        "_reach",
        "_read",
        "_targets",
        "_view",
        "known",
        "stale",
    )

    def __init__(self, view: View) -> None:
        self._view = view
        self.known: dict[int, Shot] = {}
        """Best shots that hold, by firer; `best` works out one that is not there."""
        self._ground = view.state.ground
        self._plain = False
        self._present = list(view.theirs)
        """Enemies on the map that it sees; at first all there may be."""
        self._targets: dict[int, tuple[object, ...]] = {}
        """What every enemy was like when shots at him were last compared."""
        self.stale: set[int] = set()
        """The side's counters that something happened to, or whose best shot is another or unknown,
        since whoever reads it last cleared it."""
        self._reach: dict[int, int] = {}
        """How far each firer of those can hit anything."""
        self._read = 0
        state = view.state
        mine = state.of_side[view.side] if state.armour else ()
        self._guns = tuple(c for c in mine if is_gun(state, c))
        """Anti-tank guns, where there are tanks at all."""

    def refresh(self) -> None:
        """Forget what changes have made stale, and see whether they offer better targets."""
        state, side = self._view.state, self._view.side
        changes = state.changes
        if state.ground is not self._ground:
            self._forget()
        if self._read == len(changes):
            return
        touched = set(changes[self._read :])
        self._read = len(changes)
        best, sides, stale, hexes = self.known, state.side, self.stale, self._view.hex
        present = self._present
        self._plain = plain = self._is_plain()
        if not plain:
            self._targets.clear()
        news: list[int] = []
        for c in touched:
            if sides[c] == side:
                stale.add(c)
                for firer in (c, state.attached[c], state.holder[c]):
                    if firer in best:
                        del best[firer]
                        stale.add(firer)
            elif CATEGORY[state.kind[c]] != WEAPON:
                if (hexes[c] == OFF) is (c in present):
                    self._present = present = [t for t in self._view.theirs if hexes[t] != OFF]
                if not (plain and self._looks_the_same(c)):
                    news.append(c)
        if news:
            for gun in self._guns:
                best.pop(gun, None)
            stale.update(self._guns)
            self._compare(news)

    def _forget(self) -> None:
        """The map itself has changed, and with it what can be seen: every shot is unknown."""
        self._ground = self._view.state.ground
        self.known.clear()
        self._targets.clear()
        self.stale.update(self._view.state.of_side[self._view.side])

    def _is_plain(self) -> bool:
        """Whether all that shots depend on at the enemy's end is in `_looks_the_same`."""
        state, ground = self._view.state, self._view.state.ground
        works = state.smoke or state.veils or state.pillboxes
        return not (
            state.armour or works or state.riding or state.rolling or ground.relief or ground.dual
        )

    def _looks_the_same(self, target: int) -> bool:
        """Whether nothing that shots at an enemy depend on at his end has changed since this was
        last asked, where the ground is plain. Who stands with a leader decides whether he can be
        picked out: he is never the same."""
        state, h, kind = self._view.state, self._view.hex[target], self._view.state.kind[target]
        shelter = state.shelter.get(h)
        now = h, h in state.melees, shelter, kind, state.steps[target], state.morale[target]
        before, self._targets[target] = self._targets.get(target), now
        return now == before and CATEGORY[kind] != LEADER

    def _compare(self, news: list[int]) -> None:
        """Hold the shots that are known against what happened to the enemy."""
        state, hexes, best = self._view.state, self._view.hex, self.known
        for firer in [f for f, kept in best.items() if kept[1] in news]:
            target = best[firer][1]
            shot = self.shot(firer, target) if hexes[target] != OFF else NO_SHOT
            if shot[0] < best[firer][0]:
                del best[firer]
                self.stale.add(firer)
            else:
                self._keep(firer, shot)
        known, here, reaches = state.ground.seen, state.hex, self._reach
        size, in_sight = state.ground.grid.size, near(state.ground, FARTHEST)
        for target in news:
            there = hexes[target]
            if there == OFF:
                continue
            row = there * size
            for firer in [f for f in best if in_sight[known[row + here[f]]]]:
                seen, shot = known[row + here[firer]], best[firer]
                if shot is not CANNOT and (seen == UNKNOWN or seen >> 2 <= reaches[firer]):
                    new = self.shot(firer, target)
                    if new[0] > shot[0] or (new[0] == shot[0] and new[1] < shot[1]):
                        self._keep(firer, new)

    def _keep(self, firer: int, shot: Shot) -> None:
        self.known[firer] = shot
        self.stale.add(firer)

    def best(self, firer: int) -> Shot:
        """The best shot of a unit as things stand, NO_SHOT if it has none."""
        known = self.known.get(firer)
        if known is None:
            fires = can_fire(self._view, firer)
            known = self.known[firer] = self._search(firer, self._present) if fires else CANNOT
        return known

    def best_of_able(self, firer: int) -> Shot:
        """`best` of a unit that is known to be able to fire."""
        known = self.known.get(firer)
        if known is None:
            known = self.known[firer] = self._search(firer, self._present)
        return known

    def slow_best(self, firer: int) -> Shot:
        """`best`, worked out from nothing."""
        return self._search(firer, self._view.theirs) if can_fire(self._view, firer) else CANNOT

    def _search(self, firer: int, among: Sequence[int]) -> Shot:
        state, hexes = self._view.state, self._view.hex
        ground = state.ground
        reach = self._reach[firer] = reach_of(state, firer) + ground.relief
        known, row, in_sight = ground.seen, state.hex[firer] * ground.grid.size, near(ground, reach)
        found = NO_SHOT
        for target in [t for t in among if in_sight[known[row + hexes[t]]]]:
            if hexes[target] != OFF:
                shot = self.shot(firer, target)
                if shot[0] > found[0]:
                    found = shot
        return found

    def best_intensive(self, firer: int) -> Shot:
        """The best shot of a unit that fires for all it is worth. OST 27.7."""
        state, hexes = self._view.state, self._view.hex
        ground = state.ground
        in_sight = near(ground, reach_of(state, firer) + ground.relief)
        known, row = ground.seen, state.hex[firer] * ground.grid.size
        found = NO_SHOT
        for target in self._view.enemies():
            if in_sight[known[row + hexes[target]]]:
                found = max(found, self.shot(firer, target, intensive=True))
        return found

    def shot(self, firer: int, target: int, *, intensive: bool = False, ambush: int = 0) -> Shot:
        """What a unit can do to one enemy it sees, alone; NO_SHOT if it cannot fire at it."""
        view = self._view
        state = view.state
        here, there = state.hex[firer], view.hex[target]
        if here == there or (state.pillboxes and barred(state, firer, here, there, target)):
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
        distance, height = seen >> 2, 0
        if state.ground.relief:
            height = advantage(state, (firer,), target, there)
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
            self.changes(firer) + height + ambush - intensive,
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
    h, morale, kind = state.hex[c], state.morale[c], state.kind[c]
    if h == OFF or morale == BROKEN or state.done[c] or h in state.melees or c in state.mute:
        return False
    if CATEGORY[kind] == LEADER or (state.displaced[c] and TRAITS[kind] & ASTERISK):
        return False
    acts = state.moved[c] + state.assaulted[c] + state.fired[c]
    return acts < 2 or (intensive and morale == GOOD)


def order(firer: int, shot: Shot, second: int = NONE) -> Fire:
    """The action of a shot."""
    _, target, weapon, alone = shot
    return Fire(firer=firer, target=target, weapon=weapon, alone=alone, second=second)
