"""Points entered by hand are held against the losses entered beside them."""

from __future__ import annotations

import json

import pytest

from campaigns import engine, scored
from campaigns.forms.result import ResultForm, prefilled
from campaigns.reports.corrected import points_behind
from rulesengine.loader import load_scenario
from tests.campaign.test_eastern_front import EASTERN
from tests.pages.test_engine_results import FIGHTS, RUNS, fought

SENNO = {
    "winner": "german",
    "points:victory:german": "3",
    "points:victory:soviet": "9",
    "points:casualty:german": "4",
    "n:td18-1:sov-bt7:fit": "1",
    "n:td18-1:sov-bt7:eliminated": "3",
    "n:pz38t:ger-pz38t:fit": "1",
    "n:pz38t:ger-pz38t:eliminated": "1",
}
"""Three BT-7 are six points, a Panzer 38(t) two; four and none were entered."""


def fight(name):
    return load_scenario(EASTERN / "scenarios" / f"{name}.toml")


def told(scenario, **fields):
    return engine.read_result(json.dumps(ResultForm(scenario, fields).document()))


def test_points_that_do_not_follow_the_losses_are_all_told():
    scenario = fight("senno")
    doubts = scored.doubts(scenario, told(scenario, **SENNO))
    assert doubts == [
        "Germans: casualty points stand at 4, and the losses of Soviets come to 6. To have it so,"
        " set casualty points to 6.",
        "Germans: victory points stand at 3; 6 × 1 for enemy losses make 6. To have it so, set"
        " victory points to 6.",
        "Soviets: casualty points stand at 0, and the losses of Germans come to 2. To have it so,"
        " set casualty points to 2.",
        "Germans won, and the victory points are 3 : 9 (Germans : Soviets). Points decide this"
        " battle, a lead of 1 wins: by them Soviets win.",
    ]


def test_points_that_follow_are_not_doubted():
    scenario = fight("senno")
    right = {
        "winner": "soviet",
        "points:casualty:german": "6",
        "points:casualty:soviet": "2",
        "points:victory:german": "6",
        "points:victory:soviet": "9",
    }
    assert scored.doubts(scenario, told(scenario, **SENNO | right)) == []


def test_a_forgotten_head_start_is_told():
    scenario = fight("senno")
    (doubt,) = scored.doubts(scenario, told(scenario, winner="soviet"))[:1]
    assert doubt.startswith("Soviets: victory points stand at 0; 0 × 1 for enemy losses and a head")
    assert "a head start of 7 make 7" in doubt


def test_a_correction_recounts_from_the_corrected_losses():
    scenario = fight("senno")
    was = told(scenario, **SENNO)
    fewer = {"n:td18-1:sov-bt7:fit": "2", "n:td18-1:sov-bt7:eliminated": "2"}
    will = told(scenario, **SENNO | fewer)
    warned = [*points_behind(scenario, was, will), *scored.doubts(scenario, will)]
    assert warned[0] == (
        "Germans: the casualty points before the correction, 4, did not follow the losses of"
        " Soviets, which came to 6. By the corrected losses they come to 4."
    )
    assert not any("Germans: casualty points stand" in line for line in warned), "4 is right now"
    assert any("Germans: victory points stand at 3; 4 × 1" in line for line in warned)
    assert not any("-" in line for line in warned), "nobody loses fewer than none"


def test_where_places_score_too_points_are_held_against_their_least():
    scenario = fight("bug-bridge")
    few = told(scenario, **{"winner": "german", "points:victory:german": "1"})
    doubts = scored.doubts(scenario, few)
    assert any(
        "Soviets: victory points stand at 0; a head start of 1 make at least 1" in line
        for line in doubts
    )
    assert not any("Germans: victory points" in line for line in doubts)


def test_a_winner_with_fewer_points_is_told_where_points_decide():
    points = {"points:victory:german": "1", "points:victory:soviet": "4"}
    scenario = fight("bug-bridge")
    assert scored.doubts(scenario, told(scenario, winner="soviet", **points)) == []
    (doubt,) = scored.doubts(scenario, told(scenario, winner="german", **points))
    assert doubt == (
        "Germans won, and the victory points are 1 : 4 (Germans : Soviets). Points decide this"
        " battle, a lead of 1 wins: by them Soviets win."
    )


def test_where_a_goal_decides_the_points_are_no_reason_to_doubt_who_won():
    scenario = fight("mtsensk")
    doubts = scored.doubts(scenario, told(scenario, winner="german"))
    assert not any("won" in line for line in doubts)


def test_who_has_nobody_left_has_lost_whatever_the_points():
    scenario = fight("senno")
    fields = {}
    for force in scenario.forces:
        for unit in force.units if force.side == "soviet" else ():
            for element in unit.elements:
                fields[f"n:{unit.id}:{element.type}:fit"] = "0"
                gone = f"n:{unit.id}:{element.type}:eliminated"
                fields[gone] = str(int(fields.get(gone, 0)) + 1)
    doubts = scored.doubts(scenario, told(scenario, winner="german", **fields))
    assert not any("won" in line for line in doubts)


def test_a_draw_that_the_points_decide_is_told():
    scenario = fight("senno")
    doubts = scored.doubts(scenario, told(scenario, winner="draw"))
    assert any(line.startswith("Soviets: victory points") for line in doubts)
    drawn = told(scenario, **{"winner": "draw", "points:victory:soviet": "7"})
    (line,) = scored.doubts(scenario, drawn)
    assert line.startswith("It is a draw, and the victory points are 0 : 7")


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_the_count_is_that_of_the_game_nearly_always(path):
    scenario = load_scenario(path)
    off = 0
    for run in range(RUNS):
        result = fought(scenario, run)
        lost = scored.losses(scenario, result)
        for side in scenario.sides:
            other = next(s.key for s in scenario.sides if s.key != side.key)
            off += abs(lost[other] - scored.total(result, side.key, "casualty"))
    assert off <= 3, "of twenty counts"


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("corrects", [False, True])
def test_the_form_counts_as_the_preview_does(path, corrects):
    """What the page adds up of its counters, less its base, is the same count, also where a result
    stands of which the counters cannot tell all."""
    scenario = load_scenario(path)
    for run in range(RUNS):
        result = fought(scenario, run)
        document = engine.parsed(engine.in_order(result))
        for fate in document["elements"] if not corrects else ():
            # A row of counters does not say who of the destroyed were abandoned, or got out first.
            if fate["after"] == "eliminated" and not fate["merged_into"]:
                fate |= {"became": "", "cause": "combat"}
        standing = document if corrects else {}
        form = ResultForm(scenario, prefilled(scenario, document), standing=standing)
        lost = scored.losses(scenario, engine.read_result(document))
        for side in scenario.sides:
            sums = sum(
                cell.value * cell.worth
                for card in form.cards()
                if card.side == side.key
                for row in card.rows
                for cell in row.cells
            )
            assert sums - form.base(side.key) == lost[side.key], (run, side.key)
