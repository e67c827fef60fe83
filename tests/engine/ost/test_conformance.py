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
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    LEADER,
    SNIPER,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.state import OFF, State
from tests.engine.ost.battles import (
    ARMOUR,
    EASTERN_FIGHTS,
    FIGHTS,
    HILLS,
    MIRROR,
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
    check_table(state)


def check_table(state: State) -> None:
    """Who is on the map, where, and who leads, kept as it changes."""
    for side in (0, 1):
        mine = [c for c in state.of_side[side] if state.hex[c] != OFF]
        assert state.present[side] == mine
        assert state.held[side] == sum(1 << h for h in {state.hex[c] for c in mine})
        led = [c for c in state.of_side[side] if CATEGORY[state.kind[c]] == LEADER]
        assert list(state.leaders[side]) == led


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


@pytest.mark.parametrize("fought", [lambda: fight_of("noville"), motorised, in_town, lucky])
def test_log_on_and_log_off_are_the_same_battle(fought):
    with_log = begin(fought(), Tape(key("log", 3)))
    without = begin(fought(), Tape(key("log", 3)), log=False)
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
