"""What mattered of a battle: letters have words, what came to nothing is left to the full log."""

from __future__ import annotations

import pytest

from rulesengine import aar
from rulesengine.explain import in_full
from rulesengine.play import play
from rulesengine.rulesets.ost.charts import ICT_RESULTS, VCT_RESULTS
from rulesengine.rulesets.ost.telling import MEANS
from tests.engine.ost.battles import ARMOUR, key, lucky, scenario


@pytest.fixture(scope="module")
def told():
    battles = (lucky(), scenario(ARMOUR))
    logs = [play(battle, key("telling", seed)).log for battle in battles for seed in (1, 2)]
    return [entry.line for log in logs for entry in aar.report(log)]


def test_every_result_of_both_tables_has_words():
    assert {*ICT_RESULTS, *VCT_RESULTS} - {""} == set(MEANS)


def test_a_line_that_ends_in_letters_has_their_words_and_no_other(told):
    for line in told:
        letters = line.text.removesuffix(".").rpartition(": ")[2]
        assert line.means == MEANS.get(letters, ""), line.text
    assert any(line.means for line in told)


def test_the_words_stand_behind_the_letters():
    assert in_full("Gun at squad: roll 9: C-S.", MEANS["C-S"]) == (
        "Gun at squad: roll 9: C-S, a casualty and a gut check against being shaken."
    )
    assert in_full("Turn 1 of 9.", "") == "Turn 1 of 9."


@pytest.mark.parametrize(
    "noise", ["play no luck card", "may play a luck card", "gets through", "stays bogged"]
)
def test_what_came_to_nothing_is_in_the_full_log_and_not_in_what_mattered(noise, told):
    about = [line for line in told if noise in line.text]
    assert {line.weight for line in about} <= {0}
    if "card" in noise:
        assert about
