"""The six fights of the eastern pack bring what their sheets say, each on a map of its place."""

from __future__ import annotations

from collections import Counter

import pytest

from rulesengine.dice import Tape
from rulesengine.loader import load_pack
from rulesengine.play import act, begin
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.catalogue import TYPES, unit_type
from rulesengine.rulesets.ost.ground import ground_of
from rulesengine.rulesets.ost.kinds import CATEGORY, VEHICLE
from rulesengine.rulesets.ost.tracks import step
from rulesengine.rulesets.ost.vehicles import TRACKED
from tests.engine.ost.battles import EASTERN, EASTERN_FIGHTS, fight_of, key

SHEETS = {
    "bug-bridge": (
        "2 ger-pioneer, 4 ger-infantry, 2 ger-lmg-34, 1 leader, 1 ger-stug3b",
        "4 sov-rifle, 1 sov-mmg-39, 1 leader",
        8,
    ),
    "borisov": (
        "3 ger-pz3f, 1 ger-pz4e, 3 ger-infantry, 1 leader",
        "3 sov-t34, 1 sov-kv1, 3 sov-rifle, 1 sov-45mm, 1 leader",
        9,
    ),
    "senno": (
        "2 ger-pak36, 3 ger-infantry, 1 ger-hmg-34, 2 ger-pz38t, 1 leader",
        "4 sov-bt7, 2 sov-t26, 3 sov-rifle, 1 leader",
        8,
    ),
    "yelnya": (
        "4 ger-infantry, 1 ger-hmg-34, 1 ger-pak38, 1 leader",
        "6 sov-rifle, 1 sov-hmg, 2 sov-t34, 1 leader",
        10,
    ),
    "mtsensk": (
        "4 ger-pz3f, 2 ger-pz4e, 2 ger-infantry, 1 leader",
        "3 sov-t34, 2 sov-rifle, 1 sov-45mm, 1 leader",
        7,
    ),
    "snow-village": (
        "4 ger-infantry, 1 ger-hmg-34, 1 ger-pak36, 1 leader",
        "5 sov-guards-rifle, 1 sov-t60, 1 sov-mortar-50, 1 leader",
        8,
    ),
}
"""Forces of both sides, a leader of any rank as "leader"; what pioneers throw is left out."""


def sheet(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in text.split(", "):
        count, _, what = part.partition(" ")
        found[what] += int(count)
    return found


@pytest.mark.parametrize("name", EASTERN_FIGHTS)
def test_each_fight_has_the_forces_and_turns_of_its_sheet(name):
    battle = fight_of(name)
    *sheets, turns = SHEETS[name]
    assert battle.turns == turns
    for force, wanted in zip(battle.forces, sheets, strict=True):
        kinds = [e.type for unit in force.units for e in unit.elements]
        leaders = [k for k in kinds if unit_type(k).category == "leader"]
        thrown = [k for k in kinds if k in ("ger-satchel", "ger-flamethrower")]
        found = Counter(kinds) - Counter(leaders) - Counter(thrown)
        assert found + Counter(leader=len(leaders)) == sheet(wanted), force.side


def test_who_fights_in_more_than_one_place_is_one_unit_of_the_order_of_battle():
    pack = load_pack(EASTERN)
    fights = Counter(
        pick.unit for picks in pack.picks.values() for side in picks.values() for pick in side
    )
    often = {unit for unit, count in fights.items() if count > 1}
    assert {"s52-1", "s52-2", "s52-4", "pz18-1", "pz18-4", "pzjg88-1"} <= often
    assert {"mr6-1", "at30", "tr12-1"} <= often


@pytest.mark.parametrize(
    ("name", "bridges"),
    [("bug-bridge", "I8 J8"), ("borisov", "L8 M8 N8"), ("mtsensk", "AA8"), ("snow-village", "M15")],
)
def test_a_bridge_carries_a_tank_over_the_water_at_the_cost_of_the_road(name, bridges):
    ground = ground_of(fight_of(name).ground)
    for h in map(ground.grid.find, bridges.split()):
        here = fight_of(name).ground
        row, column = divmod(h, ground.grid.columns)
        assert here.legend[here.grid[row - 1][column]] == "stream"
        ways = [d for d in range(6) if ground.road[h] >> d & 1]
        assert len(ways) == 2, "the road leads on at both ends"
        for d in ways:
            bank = ground.grid.neighbours[h][d]
            onto = step(ground, TRACKED, bank, h)
            assert (onto.halves, onto.bog) == (ground.road_halves, False)


def test_the_tanks_near_mtsensk_wait_unseen():
    battle = begin(fight_of("mtsensk"), Tape(key("hidden", 1)))
    rules, state = ruleset("ost"), battle.state
    soviet = 1
    while rules.awaiting(state)[0].wants == "set up":
        decision = rules.awaiting(state)[0]
        act(
            battle,
            decision.side,
            rules.doctrine(state, decision.side).choose(rules.view(state, decision.side), decision),
        )
    tanks = [c for c in state.of_side[soviet] if CATEGORY[state.kind[c]] == VEHICLE]
    assert [TYPES[state.kind[c]].key for c in tanks] == ["sov-t34"] * 3
    assert all(state.hidden[c] for c in tanks)
    assert not set(tanks) & set(rules.view(state, 1 - soviet).enemies())
