"""A side that plays sensibly from what it sees.

Each impulse it rates its best shot, rally, move and assault in hundredths of a step and takes
the best. It fires in groups and sustained where the tables say it pays, reacts to movement
while points last, rallies before it is too late, goes for the objectives against the clock,
assaults the shaken, and gives up ground in melee the safest way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesengine.contract import Action, Decision
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import airborne_menu, luck_menu
from rulesengine.rulesets.ost.arriving import ENTER, ROOM, best_entry, best_way_out
from rulesengine.rulesets.ost.carriage import in_the_move
from rulesengine.rulesets.ost.close_combat import CloseCombat
from rulesengine.rulesets.ost.deployment import plan as plan_setup
from rulesengine.rulesets.ost.drives import Drives
from rulesengine.rulesets.ost.glance import near
from rulesengine.rulesets.ost.grouping import Groups
from rulesengine.rulesets.ost.hauling import best_exit, best_haul, carriers
from rulesengine.rulesets.ost.heavy import is_heavy, worth_shelling
from rulesengine.rulesets.ost.hideouts import Hideouts
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    LEADER,
    SQUAD,
    WEAPON,
)
from rulesengine.rulesets.ost.melee_phase import fighting_units, retreats_of
from rulesengine.rulesets.ost.movement import refuse_move
from rulesengine.rulesets.ost.plans import Plans
from rulesengine.rulesets.ost.rallying import rally_worth
from rulesengine.rulesets.ost.reforming import best_reform
from rulesengine.rulesets.ost.roster import Roster
from rulesengine.rulesets.ost.setup import terms_of
from rulesengine.rulesets.ost.shots import NO_SHOT, Shots, can_fire
from rulesengine.rulesets.ost.sight import FARTHEST
from rulesengine.rulesets.ost.smoke_ways import smoke_of
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    NONE,
    OFF,
    State,
    View,
)
from rulesengine.rulesets.ost.streets import sensible_move
from rulesengine.rulesets.ost.support_menu import best_hex_fire, best_support, hex_weapons
from rulesengine.rulesets.ost.vehicles import is_vehicle
from rulesengine.rulesets.ost.weights import ARMOURED, SENSIBLE, Weights

INTENSIVE = 75
"""Intensive fire leaves the unit shaken: only for a very good shot."""
GUN_TAKEN = 40
SUPPORT = 60
"""A mission or an air strike that promises less is kept for later."""
"""An unmanned anti-tank gun to be had next door."""


class Sensible:
    """One side's player. Answers every decision of the ruleset."""

    __slots__ = (
        "_carriers",
        "_close",
        "_drives",
        "_groups",
        "_heavy",
        "_leaves",
        "_placed",
        "_plans",
        "_roster",
        "_shots",
        "_side",
        "_smoke",
        "_strikers",
        "_view",
        "_weapons",
        "_weights",
    )

    def __init__(self, state: State, side: int, weights: Weights | None = None) -> None:
        posture = terms_of(state, side).posture
        weights = weights or (ARMOURED if state.armour else SENSIBLE)[posture]
        self._side = side
        self._view = View(state, side)
        self._shots = Shots(self._view)
        self._roster = Roster(self._view, self._shots)
        self._groups = Groups(self._view, self._shots)
        self._weights = weights
        self._plans = Plans(self._view, weights)
        self._drives = Drives(self._view, weights)
        self._close = CloseCombat(self._view, weights)
        kinds = enumerate(state.kind)
        self._strikers = hex_weapons(state, side)
        self._weapons = [c for c, kind in kinds if CATEGORY[kind] == WEAPON]
        self._carriers = carriers(self._view)
        self._heavy = any(is_heavy(state, c) for c in state.of_side[side])
        self._smoke = smoke_of(self._view, self._plans, self._shots)
        self._placed: luck_menu.Placed = {}
        if self._smoke is not None and state.scenario.luck_cards:
            hideouts = Hideouts(self._view)
            self._placed = {"smoke-pots": self._smoke.pots, "spotter-plane": hideouts.spot}
        self._leaves = bool(terms_of(state, side).exits)

    def choose(self, view: View, decision: Decision) -> Action:
        wants = decision.options[0]
        if wants is a.Fire:
            return self._react() if a.HoldFire in decision.options else self._impulse()
        if wants is a.PlayCard:
            return luck_menu.answer(self._view, self._placed)
        if wants in airborne_menu.ANSWERS:
            return airborne_menu.best(self._view, wants, self._plans.danger)
        if wants is a.Deploy:
            return plan_setup(self._view)
        if wants is a.Attach:
            return best_reform(self._view)
        if wants is a.Evade:
            return self._evade()
        if wants is a.Concentrate:
            return self._close.concentrate()
        if wants is a.DuelTarget:
            return self._close.duel_target()
        return self._retreat()

    # --- an impulse -----------------------------------------------------------------------------

    def _impulse(self) -> Action:
        picked = self._pick_up() or self._card()
        if picked is not None:
            return picked
        roster = self._roster
        roster.refresh()
        best, action = self._fire_or_rally()
        move = self._plans.best_of(roster, best)
        if move is not None:
            best, action = move[0], self._go(move[1], move[2])
        for offered in self._others(best):
            if offered is not None and offered[0] > best:
                best, action = offered
        smoke = self._lay_smoke(best)
        if smoke is not None and smoke[0] > best:
            best, action = smoke
        assault = self._close.assault(best)
        if assault is not None:
            return assault
        if isinstance(action, a.Fire):
            return self._groups.better_fire(action, best)
        return action if action is not None else self._idle()

    def _others(self, floor: int) -> Iterator[tuple[int, Action] | None]:
        """What else there may be to do, the best of each kind worth more than `floor`."""
        state, roster = self._view.state, self._roster
        if state.armour:
            yield self._drives.best(roster.drivers, floor)
            yield self._drives.pivot(roster.guns, floor)
        if state.waiting:
            yield self._entry(floor)
            yield self._room(floor, roster.movers, roster.drivers)
        if state.unmanned:
            yield self._claim()
        if self._carriers or self._leaves or state.riding:
            yield self._haul(floor)
        if self._support_left():
            yield best_support(self._view, max(floor, SUPPORT))
        if self._strikers:
            yield best_hex_fire(self._view, floor)

    def _support_left(self) -> bool:
        """Whether there is artillery or an air strike to call. OST 32, 33."""
        state = self._view.state
        return any(state.missions[self._side]) or bool(state.sorties[self._side])

    def _fire_or_rally(self) -> tuple[int, Action | None]:
        """The best shot or rally, the first of equals, with its worth."""
        best, rallies = self._weights.least_shot - 1, NONE
        for c in self._roster.weak:
            value = self._roster.rally_worth(c)
            if value > best:
                best, rallies = value, c
        worth, firer = self._roster.best_shot()
        if worth > best or (worth == best and NONE < firer < rallies):
            return worth, self._shots.order(firer, self._shots.known[firer])
        return best, a.Rally(unit=rallies) if rallies != NONE else None

    def _go(self, unit: int, path: tuple[int, ...]) -> a.Move:
        """A move, as far as the ground lets mobile troops go. OST 6.2.2."""
        return sensible_move(self._view.state, unit, path)

    def _card(self) -> Action | None:
        """A luck card that pays; it takes no impulse. OST 3.3."""
        view = self._view
        return luck_menu.best(view, self._placed) if view.state.cards[self._side] else None

    def _lay_smoke(self, floor: int) -> tuple[int, Action] | None:
        """Smoke before those who go forward. OST 6.1.1, 13.9, 33.0.5."""
        return self._smoke.best(floor) if self._smoke is not None else None

    def _haul(self, floor: int) -> tuple[int, Action] | None:
        """Getting on or off a vehicle, and leaving the map. OST 24, 23.6.4."""
        view, found = self._view, None
        if view.state.riding or self._carriers:
            found = best_haul(view, floor, self._carriers)
        if self._leaves:
            found = best_exit(view, found[0] if found else floor) or found
        return found

    def _entry(self, floor: int) -> tuple[int, Action] | None:
        """A unit that comes onto the map. OST 23.6."""
        if floor >= ENTER:
            return None
        return best_entry(self._view, self._danger)

    def _room(self, floor: int, moves: list[int], drivers: list[int]) -> tuple[int, Action] | None:
        """A unit that leaves an entrance to those who wait before it. OST 20.0.4, 23.6.1."""
        if floor >= ROOM:
            return None
        return best_way_out(self._view, self._danger, moves + drivers)

    def _danger(self, c: int, h: int, facing: int) -> int:
        """Of a unit that comes on into a hex."""
        if is_vehicle(self._view.state, c):
            return self._drives.danger(c, h, facing)
        return self._plans.danger(h)

    def _claim(self) -> tuple[int, Action] | None:
        """A squad beside an unmanned gun takes it. OST 8.0.3."""
        state = self._view.state
        for gun, h in state.unmanned.items():
            for c in state.of_side[self._side]:
                near = state.hex[c] != OFF and state.ground.grid.distance(state.hex[c], h) == 1
                if near and state.morale[c] == GOOD and CATEGORY[state.kind[c]] == SQUAD:
                    claim = a.Move(unit=c, path=(h,), gun=gun)
                    if refuse_move(self._view, claim) is None:
                        return GUN_TAKEN, claim
        return None

    def _idle(self) -> Action:
        """Nothing presses: pass if allowed, else find a better place, a desperate shot, or give
        a point up. OST 4.0.6, 4.0.7."""
        state, side = self._view.state, self._side
        if state.impulses[side] < state.impulses[1 - side]:
            return a.Pass()
        move = self._outpost()
        if move is not None:
            return move
        moved, assaulted, fired = state.moved, state.assaulted, state.fired
        for c in state.of_side[side]:
            if moved[c] + assaulted[c] + fired[c] >= 2 and can_fire(self._view, c, intensive=True):
                shot = self._shots.best_intensive(c)
                if shot[0] >= INTENSIVE:
                    return self._shots.order(c, shot)
        if self._heavy:
            demolition = worth_shelling(self._view)
            if demolition is not None:
                return demolition
        return a.DropPoint()

    def _outpost(self) -> Action | None:
        """Let a unit that sees no enemy go where it would."""
        state = self._view.state
        best, found = 0, None
        for c in self._roster.movers:
            if state.morale[c] == GOOD and CATEGORY[state.kind[c]] != LEADER:
                value, path = self._plans.outpost(c)
                if value > best:
                    best, found = value, self._go(c, path)
        return found

    def _pick_up(self) -> Action | None:
        """A weapon lying where a squad has its hands free costs nothing. OST 10.0.13."""
        state = self._view.state
        holder = state.holder
        for weapon in [w for w in self._weapons if holder[w] == NONE]:
            if weapon in state.freight:
                continue
            h = state.hex[weapon]
            if h == OFF or h in state.melees:
                continue
            for c in state.stacks.get(h, ()):
                if (
                    state.side[c] == self._side
                    and CATEGORY[state.kind[c]] == SQUAD
                    and state.weapon[c] == NONE
                    and state.morale[c] == GOOD
                    and not state.done[c]
                    and c not in state.riding
                ):
                    return a.PickUp(unit=c, weapon=weapon)
        return None

    # --- reactions and the rest -----------------------------------------------------------------

    def _react(self) -> Action:
        """Fire at what moves if the shot is worth the point. OST 27.6."""
        view = self._view
        state = view.state
        moving = [c for c in in_the_move(state) if view.hex[c] != OFF]
        least = self._weights.reaction
        if state.impulses[self._side] <= 2:
            least *= 2
        best, found = least - 1, NO_SHOT
        shooter = NONE
        for c in self._onlookers(moving):
            if not can_fire(view, c):
                continue
            ambush = 1 if state.hidden[c] else 0
            for target in moving:
                shot = self._shots.shot(c, target, ambush=ambush)
                if shot[0] > best:
                    best, found, shooter = shot[0], shot, c
        if shooter == NONE or best < self._price() * self._weights.price // 100:
            return a.HoldFire()
        return self._shots.order(shooter, found, reaction=True)

    def _onlookers(self, moving: list[int]) -> Sequence[int]:
        """Who might see what moves; over levels and in towns that takes more to tell."""
        state, ground = self._view.state, self._view.state.ground
        units = state.of_side[self._side]
        if ground.relief or ground.dual or not moving:
            return units
        hexes, row = state.hex, state.hex[moving[0]] * ground.grid.size
        if any(hexes[c] != hexes[moving[0]] for c in moving):
            return units
        seen, in_sight = ground.seen, near(ground, FARTHEST)
        return [c for c in units if in_sight[seen[row + hexes[c]]]]

    def _price(self) -> int:
        """What the last point of this turn buys: the worth of the best thing to do that the points
        do not stretch to."""
        state, points = self._view.state, self._view.state.impulses[self._side]
        offers = self._plans.offers()
        for c in state.of_side[self._side]:
            h, morale = state.hex[c], state.morale[c]
            if h == OFF or h in state.melees:
                continue
            if morale != GOOD and not state.done[c]:
                offers.append(rally_worth(state, c))
            if morale != BROKEN and state.acts(c) < 2 and c in self._shots.known:
                offers.append(self._shots.known[c][0])
        offers.sort(reverse=True)
        return offers[points] if points < len(offers) else 0

    def _evade(self) -> Action:
        """A single person alone slips away; with others he helps. OST 7.0.4."""
        state = self._view.state
        unit = state.frames[-1].queue[0]
        if fighting_units(state, state.hex[unit], self._side):
            return a.Stand(unit=unit)
        return a.Evade(unit=unit, to=self._safest(unit))

    def _retreat(self) -> Action:
        unit = self._view.state.frames[-1].queue[0]
        return a.Retreat(unit=unit, to=self._safest(unit))

    def _safest(self, unit: int) -> int:
        state = self._view.state
        ways = retreats_of(state, unit)
        defense = state.ground.defense
        return min(ways, key=lambda h: (self._plans.danger(h) - 12 * defense[h], h))
