"""Every battle, however played, keeps the contract: it ends, it folds, it hides, it conserves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from rulesengine.contract import Action, Decision
from rulesengine.dice import Tape
from rulesengine.play import begin, fight, play
from rulesengine.proof import audit, replay, rerun
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    LEADER,
    SNIPER,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.roster import Roster
from rulesengine.rulesets.ost.shots import Shots
from rulesengine.rulesets.ost.sight import BLOCKED, UNKNOWN, look
from rulesengine.rulesets.ost.state import OFF, State
from tests.engine.ost.battles import (
    ARMOUR,
    EASTERN_FIGHTS,
    FIGHTS,
    HILLS,
    MIRROR,
    Rough,
    fight_of,
    fortified,
    in_town,
    key,
    lucky,
    motorised,
    parachuted,
    random_battle,
    scenario,
)

OST = ruleset("ost")
FUZZED = 60
FUZZED_LONG = 1000


def check_stacks(state: State) -> None:
    """OST 20: never more than two units and two leaders of a side in a hex."""
    for h, stack in state.stacks.items():
        for side in (0, 1):
            mine = [c for c in stack if state.side[c] == side]
            kinds = [CATEGORY[state.kind[c]] for c in mine if c not in state.riding]
            leaders = sum(CATEGORY[state.kind[c]] == LEADER for c in mine)
            spilled = state.wrecks.get(h, 0)  # riders and crews stay where their vehicles were
            assert leaders <= 2, state.ground.name(h)
            assert len(kinds) - kinds.count(LEADER) - kinds.count(SNIPER) <= 2 + spilled


def check_links(state: State) -> None:
    """Leaders, units, weapons and hexes agree with each other."""
    for c in range(len(state.kind)):
        leader, weapon = state.leader[c], state.weapon[c]
        if leader >= 0:
            assert state.attached[leader] == c
            assert state.hex[leader] == state.hex[c]
        if weapon >= 0:
            assert state.holder[weapon] == c
            assert state.hex[weapon] == state.hex[c]
        if CATEGORY[state.kind[c]] != WEAPON:
            assert (state.hex[c] == OFF) == (state.steps[c] == 0 or c not in _placed(state))
    for side in (0, 1):
        mine = [c for c in state.of_side[side] if state.hex[c] != OFF]
        assert state.present[side] == mine
        assert state.held[side] == sum(1 << h for h in {state.hex[c] for c in mine})


def check_riders(state: State) -> None:
    """Who rides is where his vehicle is, one unit on each, and none of them fires. OST 24.0."""
    assert len(set(state.riding.values())) == len(state.riding)
    for unit, vehicle in state.riding.items():
        assert state.hex[unit] == state.hex[vehicle]
        assert CATEGORY[state.kind[vehicle]] == VEHICLE
        assert unit in state.mute
        assert unit not in state.rolling
    for unit, vehicle in state.rolling.items():
        assert state.hex[unit] == state.hex[vehicle] != OFF
    assert all(state.hex[c] == OFF for c in state.exited)


def _placed(state: State) -> set[int]:
    return {c for stack in state.stacks.values() for c in stack}


def fuzz(name: str, runs: range, *, rough: bool, field: Path = MIRROR, given: Any = None) -> None:
    fought = given or scenario(field)
    for run in runs:
        battle = random_battle(fought, name, run, rough=rough)
        state = battle.state
        check_stacks(state)
        check_links(state)
        check_riders(state)
        folded = OST.setup(fought)
        for event in battle.log or ():
            OST.evolve(folded, event)
            if folded.riding or folded.rolling:
                check_riders(folded)
        assert OST.fingerprint(folded) == OST.fingerprint(state), run
        points = sum(getattr(event, "points", 0) for event in _losses(battle.log))
        assert points == sum(state.loss_points)


def _losses(log: Any) -> list[Any]:
    lost = ("CasualtyTaken", "Eliminated", "Wrecked", "ArmorLeaderLost", "CrewLeft")
    return [event for event in log if type(event).__name__ in lost]


@pytest.mark.parametrize("part", range(4))
def test_random_legal_battles_end_fold_and_add_up(part):
    each = FUZZED // 4
    fuzz("fuzz", range(part * each, part * each + each), rough=part % 2 == 1)


@pytest.mark.parametrize("rough", [False, True])
def test_random_legal_battles_over_hills_end_fold_and_add_up(rough):
    fuzz("hills fuzz", range(5), rough=rough, field=HILLS)


@pytest.mark.parametrize("rough", [False, True])
def test_random_legal_battles_with_vehicles_end_fold_and_add_up(rough):
    fuzz("armour fuzz", range(5), rough=rough, field=ARMOUR)


@pytest.mark.parametrize("rough", [False, True])
def test_random_legal_battles_among_works_and_shells_end_fold_and_add_up(rough):
    fuzz("works fuzz", range(5), rough=rough, given=fortified())


@pytest.mark.parametrize("rough", [False, True])
def test_random_legal_battles_of_riders_end_fold_and_add_up(rough):
    fuzz("riders fuzz", range(4), rough=rough, given=motorised())


@pytest.mark.parametrize("rough", [False, True])
def test_random_legal_battles_between_houses_end_fold_and_add_up(rough):
    fuzz("town fuzz", range(2), rough=rough, given=in_town())


@pytest.mark.parametrize("rough", [False, True])
def test_random_legal_battles_from_the_air_end_fold_and_add_up(rough):
    fuzz("air fuzz", range(6), rough=rough, given=parachuted())


@pytest.mark.parametrize("rough", [False, True])
def test_random_legal_battles_with_cards_end_fold_and_add_up(rough):
    fuzz("cards fuzz", range(4), rough=rough, given=lucky())
    fuzz("riders with cards fuzz", range(1), rough=rough, given=lucky(riders=True))


def test_the_battles_of_riders_have_all_of_it():
    seen = set()
    for run in range(5):
        battle = random_battle(motorised(), "all riders", run, rough=True)
        seen |= {type(event).__name__ for event in battle.log or ()}
    wanted = {"Loaded", "Unloaded", "RollingDeclared", "CollateralDue", "Exited", "Dismounted"}
    assert wanted <= seen


def test_damage_never_heals_and_wrecks_stay():
    battle = random_battle(scenario(ARMOUR), "damage", 3, rough=True)
    folded = OST.setup(scenario(ARMOUR))
    wrecks, damage = 0, list(folded.damage)
    for event in battle.log or ():
        OST.evolve(folded, event)
        assert all(now & was == was for now, was in zip(folded.damage, damage, strict=True))
        assert sum(folded.wrecks.values()) >= wrecks
        wrecks, damage = sum(folded.wrecks.values()), list(folded.damage)
    assert wrecks


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_random_legal_battles_end_fold_and_add_up(part):
    each = FUZZED_LONG // 10
    fuzz("long fuzz", range(part * each, part * each + each), rough=part % 2 == 1)


def test_the_fold_equals_the_state_after_every_event():
    folded = OST.setup(fight_of("noville"))
    battle = begin(fight_of("noville"), Tape(key("fold", 0)))
    plain_emit = battle.emit
    seen = 0

    def both(event: Any) -> None:
        nonlocal seen
        plain_emit(event)
        OST.evolve(folded, msgspec.json.decode(msgspec.json.encode(event), type=OST.event_type))
        assert OST.fingerprint(folded) == OST.fingerprint(battle.state)
        seen += 1

    battle.emit = both
    fight(battle)
    assert seen == len(battle.log or ()) > 300


class Watched:
    """A doctrine whose every choice is put to the same refusals as a player's."""

    def __init__(self, state: State, side: int) -> None:
        self.doctrine = Sensible(state, side)
        self.side = side

    def choose(self, view: Any, decision: Decision) -> Action:
        action = self.doctrine.choose(view, decision)
        refusal = OST.refuse(view, action)
        assert refusal is None, f"{action}: {refusal}"
        return action


@pytest.mark.parametrize("name", [*FIGHTS, *EASTERN_FIGHTS, "hills", "armour"])
def test_the_doctrine_never_does_what_the_rules_refuse(name):
    for run in range(3):
        battle = begin(fight_of(name), Tape(key(f"legal {name}", run)))
        fight(battle, [Watched(battle.state, side) for side in (0, 1)])
        check_stacks(battle.state)
        check_links(battle.state)


def test_the_doctrine_rides_as_the_rules_allow():
    seen = set()
    for run in range(3):
        battle = begin(motorised(), Tape(key("legal riders", run)))
        fight(battle, [Watched(battle.state, side) for side in (0, 1)])
        check_stacks(battle.state)
        check_riders(battle.state)
        seen |= {type(event).__name__ for event in battle.log or ()}
    assert {"Loaded", "Unloaded"} <= seen


class Remembering(Sensible):
    """A doctrine that compares what it remembers of shots and units with a fresh reckoning."""

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
        return action


REMEMBERED = {
    "noville": lambda: fight_of("noville"),
    "hills": lambda: fight_of("hills"),
    "armour": lambda: fight_of("armour"),
    "riders": motorised,
    "works": fortified,
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


@pytest.mark.parametrize("name", [*FIGHTS, *EASTERN_FIGHTS, "hills", "armour"])
def test_the_same_seed_gives_the_same_battle_and_every_proof_holds(name):
    first = play(fight_of(name), key(name, 7))
    again = play(fight_of(name), key(name, 7))
    assert first.hash == again.hash
    assert audit(first.log, key(name, 7)) > 100
    assert rerun(first, key(name, 7)).hash == first.hash
    folded = OST.result(replay(first.log))
    assert folded.elements == first.result.elements
    other = play(fight_of(name), key(name, 8))
    assert other.hash != first.hash


def test_log_on_and_log_off_are_the_same_battle():
    with_log = begin(fight_of("noville"), Tape(key("log", 3)))
    without = begin(fight_of("noville"), Tape(key("log", 3)), log=False)
    assert fight(with_log) == fight(without)
    assert OST.fingerprint(with_log.state) == OST.fingerprint(without.state)
    assert without.log is None


def test_neither_choice_nor_words_tell_of_a_hidden_unit():
    """Two battles that differ in what the hidden sniper is like look the same to the enemy."""
    plain = fight_of("noville-20th")
    told = []
    for strength in ("ger-sniper", "us-sniper"):
        battle = begin(plain, Tape(key("fog", 2)))
        fight(battle)
        told.append(strength)
        _never_named_before_revealed(battle)
    assert len(told) == 2


def test_nobody_hears_of_hidden_or_waiting_riders():
    for run in range(4):
        _never_named_before_revealed(random_battle(motorised(), "whispers", run))


def test_nobody_hears_of_who_hides_between_houses():
    for run in range(2):
        _never_named_before_revealed(random_battle(in_town(), "whispers", run))


def _never_named_before_revealed(battle: Any) -> None:
    state = OST.setup(battle.state.scenario)
    for event in battle.log:
        OST.evolve(state, event)
        for side in (0, 1, -1):
            line = OST.narrate(state, event, side)
            if line is None:
                continue
            for c, hidden in enumerate(state.hidden):
                if hidden and state.side[c] != side:
                    assert state.names[c] not in line.text, (side, line.text)
