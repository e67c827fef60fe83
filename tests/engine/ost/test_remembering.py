"""What doctrine and state remember is what a fresh reckoning finds, in battles of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.contract import Action, Decision
from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.dangers import TYPICAL_DEFENSE, Dangers
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.rallying import rally_worth
from rulesengine.rulesets.ost.roster import Roster
from rulesengine.rulesets.ost.shots import Shots
from rulesengine.rulesets.ost.sight import BLOCKED, UNKNOWN, look
from rulesengine.rulesets.ost.state import OFF, State
from tests.engine.ost.battles import (
    MIRROR,
    Rough,
    fight_of,
    fortified,
    in_town,
    key,
    lucky,
    motorised,
    parachuted,
    scenario,
)
from tests.engine.ost.test_conformance import check_table

OST = ruleset("ost")


class Remembering(Sensible):
    """A doctrine that compares what it and the state remember with a fresh reckoning."""

    __slots__ = ("compared",)

    def choose(self, view: Any, decision: Decision) -> Action:
        action = super().choose(view, decision)
        self._shots.refresh()
        state = view.state
        for c in state.of_side[view.side]:
            if state.hex[c] != OFF and not state.frames:
                assert self._shots.best(c)[:2] == self._shots.slow_best(c)[:2]
        self._roster.refresh()
        fresh = Roster(self._view, Shots(self._view))
        for part in ("weak", "movers", "drivers", "guns", "on_foot", "shots"):
            assert state.frames or getattr(self._roster, part) == getattr(fresh, part)
        check_table(state)
        if not state.frames:
            self.compare_rest(view)
        return action

    def compare_rest(self, view: Any) -> None:
        """Rallies, what is worth an assault, and the dangers read off rows."""
        state = view.state
        for c in self._roster.weak:
            assert self._roster.rally_worth(c) == rally_worth(state, c)
        goals = {view.hex[c] for c in view.theirs} - {OFF}
        goals |= {h for h, at in state.control_at.items() if state.control[at] != view.side}
        close, neighbours = self._close, state.ground.grid.neighbours
        close._look_around()
        assert {h for h, count in enumerate(close._goals) if count} == goals
        beside = {there for h in goals for there in neighbours[h]} - {OFF}
        assert {h for h, count in enumerate(close._around) if count} == beside
        dangers = Dangers(self._view)
        dangers.look_around()
        for h in range(0, state.ground.grid.size, 17):
            shelter = state.shelter[h][0] if h in state.shelter else 0
            against = TYPICAL_DEFENSE + state.ground.defense[h] + shelter
            slow = dangers._line_by_line(h, against, state.gut[view.side])
            assert dangers.danger(h) == slow


REMEMBERED = {
    "noville": lambda: fight_of("noville"),
    "hills": lambda: fight_of("hills"),
    "armour": lambda: fight_of("armour"),
    "riders": motorised,
    "works": fortified,
    "town": in_town,
    "air": parachuted,
    "cards": lucky,
}


@pytest.mark.parametrize("name", REMEMBERED)
@pytest.mark.parametrize("run", range(2))
def test_remembered_shots_equal_those_worked_out_afresh(name, run):
    battle = begin(REMEMBERED[name](), Tape(key(f"caches {name}", run)))
    fight(battle, [Remembering(battle.state, side) for side in (0, 1)])
    assert len(battle.log or ()) > (300 if name in ("noville", "hills", "armour") else 100)


class Digger:
    """Plays at random, and takes cover whenever it can."""

    def __init__(self, state: State, side: int, run: int) -> None:
        self._rough = Rough(Tape(key("digger", run)))
        self._doctrine = Sensible(state, side)

    def choose(self, view: Any, decision: Decision) -> Action:
        if a.Deploy in decision.options:
            return self._doctrine.choose(view, decision)
        dig = [c for c in OST.candidates(view, decision) if isinstance(c, a.SeekCover)]
        return dig[0] if dig else self._rough.choose(view, decision)


@pytest.mark.parametrize("run", range(4))
def test_remembered_shots_know_who_has_dug_in(run):
    battle = begin(scenario(MIRROR), Tape(key("diggers", run)))
    players = [Remembering(battle.state, run % 2), Digger(battle.state, 1 - run % 2, run)]
    fight(battle, players if run % 2 == 0 else players[::-1])
    assert any(type(event).__name__ == "WorkPlaced" for event in battle.log or ())


@pytest.mark.parametrize("name", ["noville", "hills"])
def test_remembered_sight_lines_equal_those_worked_out_afresh(name):
    battle = begin(fight_of(name), Tape(key("sight", 1)))
    fight(battle)
    ground = battle.state.ground
    fresh = type(ground)(fight_of(name).ground)
    size = ground.grid.size
    known = [i for i, seen in enumerate(ground.seen) if seen != UNKNOWN]
    assert len(known) > 1000
    for index in known[:: max(1, len(known) // 3000)]:
        a, b = divmod(index, size)
        assert look(fresh, a, b) == ground.seen[index]
        assert ground.open[a] >> b & 1 == (ground.seen[index] & 3 != BLOCKED)
