"""The thousand questions that speed is measured with: all kinds, the same every time."""

from __future__ import annotations

from collections import Counter

import msgspec

from rulesengine import asking
from rulesengine.chance import over_falls, totals
from rulesengine.registry import ruleset
from tests.thousand import questions


def test_every_kind_is_asked_as_often_as_any_other_and_with_other_facts():
    drawn = questions(210)
    kinds = asking.questions("ost")
    counted = Counter(one["kind"] for one in drawn)
    assert set(counted) == {one.kind for one in kinds}
    assert max(counted.values()) - min(counted.values()) <= 1
    different = {msgspec.json.encode(one) for one in drawn if one["kind"] == "infantry attack"}
    assert len(different) == counted["infantry attack"]
    assert questions(210) == drawn
    assert questions(21, "other facts") != drawn[:21]


def test_every_answer_has_its_rules_and_all_of_its_chances():
    rules = ruleset("ost")
    for document in questions(210, "whole answers"):
        answer = rules.adjudicate(msgspec.convert(document, rules.question_type))
        assert answer.rules, document
        assert sum(chance.share for chance in answer.chances) == bool(answer.chances), document


def test_the_total_of_many_dice_is_that_of_all_their_falls():
    for count in (1, 2, 4):
        slow = over_falls(6, count, sum)
        fast = totals(6, count)
        assert (fast.weights, fast.of) == (slow.weights, slow.of)
