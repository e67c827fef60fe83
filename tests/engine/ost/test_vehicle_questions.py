"""Questions about vehicles: exact fractions, and the doctrine's values from the same functions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost import gunnery
from rulesengine.rulesets.ost.armour_worth import VEHICLE_WORTH, hit_ways, shell_worth
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.kinds import RANGE
from rulesengine.rulesets.ost.state import GOOD
from rulesengine.rulesets.ost.vehicle_answers import fates
from rulesengine.rulesets.ost.vehicle_questions import (
    Duellist,
    TankDuel,
    ToHitRoll,
    VehicleAttack,
)
from rulesengine.rulesets.ost.vehicles import MAIN_RANGE


def chances(answer):
    assert sum(c.over for c in answer.chances) == answer.chances[0].of
    return {c.outcome: Fraction(c.over, c.of) for c in answer.chances}


@pytest.mark.rule("ost", "29.0.5", "29.0.11")
@pytest.mark.parametrize(("distance", "ways"), [(1, 33), (5, 26), (8, 21), (15, 15), (40, 3)])
def test_how_often_a_shot_hits(ask, distance, ways):
    found = chances(ask(ToHitRoll(distance=distance)))
    assert found["critical hit"] == Fraction(1, 36)
    assert 1 - found["miss"] == Fraction(ways, 36)


@pytest.mark.rule("ost", "29.2.2", "19.0.p4")
def test_acquired_and_elite_add_up(ask):
    answer = ask(ToHitRoll(distance=8, acquired=True, quality="elite"))
    assert 1 - chances(answer)["miss"] == Fraction(30, 36)


def test_two_sixes_hit_at_any_odds(ask):
    found = chances(ask(ToHitRoll(distance=40, shaken=True, degraded=2, moved=True)))
    assert 1 - found["miss"] == Fraction(1, 36)


@pytest.mark.rule("ost", "29.3.p1", "29.6.1")
def test_what_a_hellcat_does_to_a_hetzer_at_eight_hexes(ask):
    answer = ask(VehicleAttack(weapon="us-m18", target="ger-hetzer", distance=8))
    assert answer.value == 1
    found = chances(answer)
    at = column(9, 8)
    hits = 20 * _destroyed(at) + _destroyed(at + 1)
    wrecks = found["destroyed"] + found["destroyed, the crew get out"]
    assert wrecks == Fraction(hits, 36 * 36)
    assert found["destroyed"] == 5 * found["destroyed, the crew get out"]


def _destroyed(at):
    rolls = [sum((i, j)) for i in range(1, 7) for j in range(1, 7)]
    return sum(gunnery.look_up(at, roll) == gunnery.DESTROY for roll in rolls)


@pytest.mark.rule("ost", "9.1.2")
def test_small_arms_never_destroy_an_open_top(ask):
    found = chances(ask(VehicleAttack(firepower=(6, 6), target="ger-marder3h", distance=1)))
    assert set(found) <= {"no effect", "shaken", "broken"}


@pytest.mark.rule("ost", "9.1.5")
def test_a_bundle_finds_an_open_top_one_weaker(ask):
    closed = ask(VehicleAttack(weapon="ger-grenade-bundle", target="us-m4", distance=1))
    opened = ask(VehicleAttack(weapon="ger-grenade-bundle", target="us-m18", distance=1))
    assert (closed.value, opened.value) == (2 - 5, 2 - (2 - 1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"weapon": "no-such", "target": "us-m4", "distance": 3},
        {"weapon": "us-m4", "target": "us-rifle", "distance": 3},
        {"firepower": (4,), "target": "us-m4", "distance": 3},
        {"weapon": "us-m4", "target": "ger-pz4h", "distance": 0},
        {"weapon": "us-m4", "target": "ger-pz4h", "distance": 3, "degraded": 3},
        {"weapon": "us-truck", "target": "ger-pz4h", "distance": 3},
    ],
)
def test_a_wrong_question_says_what_is_wrong(ask, wrong):
    with pytest.raises(BadDocument):
        ask(VehicleAttack(**wrong))


@pytest.mark.rule("ost", "31.0.2", "31.1.6", "31.1.9")
def test_a_duel_of_like_with_like_is_even(ask):
    like = Duellist(vehicle="ger-pz4g")
    found = chances(ask(TankDuel(one=like, two=like)))
    lost = [sum(p for name, p in found.items() if _lost(name, i)) for i in (0, 1)]
    assert lost[0] == lost[1] > Fraction(1, 4)


def _lost(name, side):
    return name.split("; ")[side].partition(": ")[2] in ("destroyed", "abandoned")


def test_a_duel_without_the_bonus_is_less_deadly(ask):
    one, two = Duellist(vehicle="us-m4"), Duellist(vehicle="ger-pz4g")
    lost = []
    for without in (False, True):
        found = chances(ask(TankDuel(one=one, two=two, without_bonus=without)))
        lost.append(sum(p for name, p in found.items() if _lost(name, 1)))
    assert lost[0] > lost[1]


@pytest.mark.parametrize("gut_check", [2, 7, 12])
@pytest.mark.parametrize("damaged", [False, True])
def test_what_a_result_leaves_adds_up(gut_check, damaged):
    kind = BY_KEY["ger-pz4h"]
    for result in range(7):
        spread = fates(result, kind, gut_check, GOOD, damaged=damaged)
        assert sum(spread.weights.values()) == spread.of


@pytest.mark.parametrize("distance", [2, 8, 15])
def test_the_doctrine_values_a_shot_between_nothing_and_the_vehicle(distance):
    kind = BY_KEY["ger-pz4h"]
    values = [
        shell_worth(gunnery.needed_to_hit(distance), 0, at, 0, 7, kind, VEHICLE_WORTH, False, GOOD)
        for at in range(11)
    ]
    assert values == sorted(values)
    ways = hit_ways(gunnery.needed_to_hit(distance), 0)
    assert 0 <= values[0] < values[-1] <= VEHICLE_WORTH * ways // 36


@pytest.mark.parametrize("weapon", ["ger-panzerfaust", "us-bazooka", "ger-pak36"])
def test_a_weapon_is_asked_about_within_its_range(ask, weapon):
    """29.0.2; a hex farther downhill, 12.4.6."""
    most = RANGE[BY_KEY[weapon]][1] if weapon != "ger-pak36" else MAIN_RANGE[BY_KEY[weapon]]
    target = "us-m4" if weapon.startswith("ger") else "ger-pz4h"
    ask(VehicleAttack(weapon=weapon, target=target, distance=most))
    ask(VehicleAttack(weapon=weapon, target=target, distance=most + 1, from_ground="higher"))
    with pytest.raises(BadDocument, match="its range is"):
        ask(VehicleAttack(weapon=weapon, target=target, distance=most + 1))


def test_a_weapon_and_small_arms_are_two_questions(ask):
    both = VehicleAttack(weapon="ger-pak40", firepower=(6,), target="us-truck", distance=2)
    with pytest.raises(BadDocument, match="weapon, firepower: small arms have no part in it"):
        ask(both)


def test_an_answer_says_which_number_each_modifier_changes(ask):
    """The roll to hit, the firepower, the Defense, or both rolls; and what it takes to hit."""
    answer = ask(
        VehicleAttack(
            weapon="us-m4",
            target="ger-pz4h",
            distance=1,
            acquired=True,
            moved=True,
            markers=("wreck",),
        )
    )
    told = {m.name.partition(": ")[0] for m in answer.modifiers}
    assert told == {"roll to hit", "AP", "Defense", "each roll"}
    assert answer.text.startswith("AP ")
    assert answer.steps[0].startswith("to hit: 5 or more on 2D6 ")
    lorry = ask(VehicleAttack(firepower=(6,), target="ger-truck", distance=1, moved=True))
    assert {m.name.partition(": ")[0] for m in lorry.modifiers} == {"FP", "roll"}
    assert not any("to hit" in step for step in lorry.steps), "small arms hit by themselves"


def test_a_duel_says_how_often_each_is_lost(ask):
    answer = ask(TankDuel(one=Duellist(vehicle="us-m4"), two=Duellist(vehicle="ger-pz4h")))
    lost = [0.0, 0.0]
    for chance in answer.chances:
        for side, fate in enumerate(chance.outcome.split("; ")):
            if fate.rpartition(": ")[2] in ("destroyed", "abandoned"):
                lost[side] += chance.over / chance.of
    assert [step.rpartition(" lost in ")[2] for step in answer.steps] == [
        f"{share:.1%} of duels" for share in lost
    ]
