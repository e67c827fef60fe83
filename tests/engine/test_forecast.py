"""Odds: honest intervals, counts that depend on the key alone, runs that can be fought again."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from rulesengine.dice import Tape, key_of_run, key_of_seed
from rulesengine.documents import Element, Force, Unit
from rulesengine.forecast import (
    DRAW,
    FAILED,
    HALF_WIDTH,
    LEAST,
    LOOK,
    MOST,
    forecast,
    run_chunk,
    run_of,
    stop_of,
    summed_up,
    wilson,
)
from rulesengine.loader import load_scenario
from rulesengine.play import begin, fight
from tests import toy
from tests.toy.ruleset import Trouble, scenario

toy.register()
PACK = Path(__file__).parents[2] / "fixtures" / "packs" / "road-to-bastogne"
KEY = key_of_seed("odds")


def duel(turns: int = 50, **changes):
    """One reduced squad against another: a hit ends it, red shoots first."""
    forces = tuple(
        Force(
            side=side,
            units=(
                Unit(
                    id=unit,
                    name=unit.upper(),
                    elements=(Element(id=f"{unit}/s", type="toy-squad", condition="reduced"),),
                ),
            ),
        )
        for side, unit in (("red", "r1"), ("blue", "b1"))
    )
    return msgspec.structs.replace(scenario(turns=turns, **changes), forces=forces)


# --- the interval -----------------------------------------------------------------------------


@pytest.mark.parametrize(("p", "mean"), [(0.5, 1150), (0.7, 1000), (0.9, 500), (0.98, 200)])
def test_the_interval_holds_what_it_promises_and_stops_soon_enough(p, mean):
    chance = random.Random(f"coverage {p}")
    held = total = 0
    for _ in range(2_000):
        outcomes = [0 if chance.random() < p else 1 for _ in range(1_500)]
        n = stop_of(outcomes, MOST, HALF_WIDTH)
        assert n >= LEAST
        assert n % LOOK == 0
        low, high = wilson(outcomes[:n].count(0), n)
        held += low <= p <= high
        total += n
    assert held / 2_000 >= 0.93
    assert total / 2_000 <= mean


def test_wilson_against_figures_worked_out_elsewhere():
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 100)[0] == 0
    assert round(wilson(0, 100)[1], 4) == 0.0370
    assert wilson(0, 0) == (0, 1)


def test_it_stops_at_most_where_it_was_told():
    outcomes = [0, 1] * 500
    assert stop_of(outcomes, 150, HALF_WIDTH) == 150
    assert stop_of(outcomes[:900], MOST, HALF_WIDTH) == 0


# --- the battle -------------------------------------------------------------------------------


def test_the_odds_of_a_duel_are_the_exact_ones():
    hit = Fraction(1, 2)
    exact = hit / (1 - (1 - hit) ** 2)
    found = forecast(duel(), KEY)
    wins = found.outcomes[0]
    assert wins.side == "red"
    assert wins.low / 10_000 <= exact <= wins.high / 10_000
    assert found.enough


def test_draws_and_failures_are_counted_as_what_they_are():
    found = forecast(duel(turns=1), KEY, most=400)
    shares = {s.outcome + s.side: s.count for s in found.outcomes}
    assert sum(shares.values()) == found.runs
    draw = found.outcomes[DRAW]
    assert draw.low <= 2_500 <= draw.high
    broken = forecast(duel(trouble=Trouble(kind="fail", at=1)), KEY, most=300)
    assert broken.outcomes[FAILED].count > 100
    assert sum(s.count for s in broken.outcomes) == broken.runs
    assert broken.faults == ("RuntimeError: the toy broke, as it was told to",)


@pytest.mark.parametrize("chunk", [10, 50, 333])
@pytest.mark.parametrize("processes", [1, 2])
def test_the_counts_depend_on_the_key_alone(chunk, processes):
    found = forecast(scenario(), KEY, processes=processes, chunk=chunk)
    assert found.hash == forecast(scenario(), KEY).hash
    assert found.hash != forecast(scenario(), key_of_seed("other")).hash


def test_a_run_is_the_same_battle_with_its_log_on():
    ground = load_scenario(PACK / "scenarios" / "noville.toml")
    runs = run_chunk(ground, KEY, 0, 3).runs
    for number, run in enumerate(runs):
        battle = begin(ground, Tape(key_of_run(KEY, number)), log=True)
        ending = fight(battle)
        sides = [side.key for side in ground.sides]
        assert run.outcome == (sides.index(ending.winner) if ending.winner else DRAW)
        again = run_of(ground, KEY, number)
        points = dict.fromkeys(sides, 0)
        for row in again.result.points:
            if row.what == "victory":
                points[row.side] += row.quantity
        assert run.victory == tuple(points[side] for side in sides)


def test_the_typical_run_of_an_outcome_ended_so():
    found = forecast(scenario(), KEY, most=200)
    assert any(share.count for share in found.outcomes[:DRAW])
    for share in found.outcomes[:DRAW]:
        if share.count:
            assert run_of(scenario(), KEY, share.typical).result.ending.winner == share.side
        else:
            assert share.typical == -1


def test_the_spreads_add_up_to_the_runs_that_did_not_fail():
    found = forecast(scenario(), KEY, most=200)
    fought = found.runs - found.outcomes[FAILED].count
    assert {row.what for row in found.amounts} == {"victory", "casualty", "lost", "spent"}
    for row in found.amounts:
        assert sum(count for _, count in row.counts) == fought
        assert row.low <= row.middle <= row.high


@pytest.mark.parametrize("processes", [1, 2])
def test_told_to_stop_it_tells_of_the_first_so_many_runs(processes):
    told = []

    def enough(fought, _):
        told.append(fought)

    found = forecast(
        scenario(),
        KEY,
        chunk=7,
        processes=processes,
        progress=enough,
        stopped=lambda: sum(told[-1:]) >= 70,
    )
    assert found.runs == 70
    assert found.hash == forecast(scenario(), KEY, most=70).hash
    assert not found.enough


def test_stopped_before_the_first_run_nothing_is_known():
    found = forecast(scenario(), KEY, stopped=lambda: True)
    assert (found.runs, found.amounts, found.enough) == (0, (), False)
    assert {(s.count, s.share, s.low, s.high) for s in found.outcomes} == {(0, 0, 0, 10_000)}
    assert run_chunk(scenario(), KEY, 0, 50, progress=lambda made: made < 10) is None


def test_nothing_but_failures_is_still_a_forecast():
    runs = run_chunk(duel(trouble=Trouble(kind="fail")), KEY, 0, 5).runs
    found = summed_up(duel(), runs, HALF_WIDTH)
    assert found.outcomes[FAILED].count == 5
    assert found.amounts == ()
