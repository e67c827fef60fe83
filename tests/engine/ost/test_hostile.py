"""Scenarios and questions that nobody writes in earnest: each is refused in words, at once."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.dice import Tape
from rulesengine.documents import BadDocument
from rulesengine.play import begin, fight
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.charts import LUCK_CARDS
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.questions import InfantryAttack
from rulesengine.rulesets.ost.scenario import (
    AirborneOperation,
    Aircraft,
    CardCopies,
    Goal,
    HexMap,
    LuckCards,
    Need,
    Victory,
)
from tests.engine.ost.battles import MIRROR, fortified, key, scenario

OST = ruleset("ost")


def faults(**changes: object) -> list[str]:
    battle = msgspec.structs.replace(scenario(MIRROR), **changes)
    return [f"{fault.where}: {fault.what}" for fault in check(battle)]


def with_cards(copies: int) -> LuckCards:
    return LuckCards(deck=tuple(CardCopies(card=row.key, copies=copies) for row in LUCK_CARDS))


def test_a_deck_no_bigger_than_can_be_drawn_from():
    assert faults(luck_cards=with_cards(8)) == []
    (told,) = faults(luck_cards=with_cards(9))
    assert "207 cards" in told


@pytest.mark.parametrize("sides", [0, -6, 257, 10**9])
def test_a_die_no_byte_can_show_is_no_die(sides):
    with pytest.raises(ValueError, match="sides"):
        Tape(key("sides", 0)).roll(sides, 1)
    assert Tape(key("sides", 0)).roll(256, 1).faces


@pytest.mark.parametrize(
    "need",
    [
        Need(kind="exited", at_least=-5),
        Need(kind="enemy losses", at_least=9, at_most=3),
        Need(kind="enemy losses", at_least=10**30),
        Need(kind="own losses"),
    ],
)
def test_a_goal_that_means_nothing(need):
    goal = Goal(name="A goal", side="axis", needs=(need,))
    (told,) = faults(victory=Victory(goals=(goal,)))
    assert "at_least" in told


@pytest.mark.parametrize("name", ["per_casualty", "margin", "handicap"])
def test_points_no_battle_is_about(name):
    (told,) = faults(victory=Victory(**{name: 10**18}))
    assert name in told


def flown(aircraft: tuple[Aircraft, ...]) -> dict[str, object]:
    operation = AirborneOperation(turn=2, heading="N", aircraft=aircraft)
    first, second = scenario(MIRROR).terms
    return {"terms": (msgspec.structs.replace(first, airborne=(operation,)), second)}


def test_an_aircraft_with_nobody_aboard():
    told = faults(**flown((Aircraft(kind="glider", at="A1:O12", units=()),)))
    assert any("nobody is aboard" in fault for fault in told)


def wide(words: str) -> HexMap:
    ground = scenario(MIRROR).ground
    return msgspec.structs.replace(ground, legend={**ground.legend, ".": words})


@pytest.mark.parametrize(
    "changes",
    [
        flown((Aircraft(kind="glider", at="A1:O12", units=()),) * 100_000),
        {"luck_cards": LuckCards(deck=(CardCopies(card="panic", copies=1),) * 100_000)},
        {"victory": Victory(goals=(Goal(name="x", side="axis", needs=()),) * 100_000)},
        {"ground": wide("+".join(["open"] * 100_000))},
    ],
)
def test_lists_longer_than_any_battle_needs_are_refused_before_they_are_read(changes):
    told = faults(**changes)
    assert 0 < len(told) < 3
    assert all("at most" in fault for fault in told)


@pytest.mark.parametrize("field", ["terrain", "markers"])
def test_a_question_says_each_word_once(field):
    word = {"terrain": "woods", "markers": "trench"}[field]
    ask = {"firepower": (4,), "defense": 3, "gut_check": 7}
    assert OST.adjudicate(InfantryAttack(**ask, **{field: (word,)}))
    with pytest.raises(BadDocument, match=field):
        OST.adjudicate(InfantryAttack(**ask, **{field: (word, word)}))


def test_the_doctrine_fires_at_no_pillbox_that_bars_it():
    """Groups and second targets are held to its arc as single shots are. OST 13.5.9."""
    seen = 0
    for run in range(25):
        battle = begin(fortified(), Tape(key("pillbox", run)), log=False)
        players = [Careful(battle.state, side) for side in (0, 1)]
        fight(battle, players)
        seen += sum(player.asked for player in players)
        assert not [why for player in players for why in player.refused]
    assert seen > 50


class Careful(Sensible):
    """The doctrine, every shot of it held against the rules."""

    __slots__ = ("asked", "refused")

    def __init__(self, state, side):
        super().__init__(state, side)
        self.asked, self.refused = 0, []

    def choose(self, view, decision):
        action = super().choose(view, decision)
        if isinstance(action, (a.Fire, a.VehicleFire, a.HexFire)):
            self.asked += 1
            refusal = OST.refuse(view, action)
            if refusal is not None:
                self.refused.append(f"{action}: {refusal}")
        return action
