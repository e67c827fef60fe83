"""Luck: whose roll it was, which way it was good, how far fair dice stray; and nothing untold."""

from __future__ import annotations

from functools import cache
from statistics import fmean as mean_of

import msgspec
import pytest

from rulesengine import luck, play
from rulesengine.aar import tell
from rulesengine.dice import Roll, key_of_seed
from rulesengine.explain import Throw
from rulesengine.loader import load_scenario
from rulesengine.proof import audit, events_of, rolls_of, scenario_of
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import throws as ost
from rulesengine.rulesets.ost.events import AnyEvent
from rulesengine.rulesets.ost.state import GOOD
from tests.engine.ost.battles import ARMOUR, FIGHTS, fight_of, key
from tests.toy.ruleset import scenario as toy_scenario

LISTENERS = (None, 0, 1, -1)
BATTLES = (*FIGHTS, "hills", "toy")


@cache
def fought(name):
    omens = toy_scenario(secrets=("red word", "blue word"), omens=True)
    return play.play(omens if name == "toy" else fight_of(name), key(name, 5)).log


def thrown(log):
    """Every throw of a battle, in order."""
    rules = ruleset(log.ruleset)
    state = rules.setup(scenario_of(log))
    for event in events_of(log):
        rules.evolve(state, event)
        yield from rules.throws(state, event)


def test_every_kind_of_ost_event_with_dice_is_some_sides_luck_or_nobodys():
    kinds = msgspec.inspect.type_info(AnyEvent).types
    with_dice = {
        kind.cls for kind in kinds if any(field.name.startswith("roll") for field in kind.fields)
    }
    assert set(ost._OF) | set(ost.NOBODYS) == with_dice
    assert len(with_dice) > 5


def holds_dice(type_info):
    parts = (*getattr(type_info, "types", ()), getattr(type_info, "item_type", None))
    parts = (*parts, *getattr(type_info, "item_types", ()))
    return getattr(type_info, "cls", None) is Roll or any(map(holds_dice, filter(None, parts)))


def test_dice_stand_under_names_by_which_they_are_found_in_a_log():
    """An audit looks for them there, and luck counts them."""
    fields = [
        (kind.cls.__name__, field.name)
        for kind in msgspec.inspect.type_info(AnyEvent).types
        for field in kind.fields
        if holds_dice(field.type)
    ]
    assert len(fields) > 20
    assert not [field for field in fields if not field[1].startswith("roll")]


def test_the_die_that_tells_which_of_two_guns_is_hit_is_proven_too():
    """OST 9.3.4."""
    battle = load_scenario(ARMOUR)
    for number in range(7, 60):
        seed = key_of_seed(str(number))
        log = play.play(battle, seed).log
        if any(getattr(event, "roll_which", None) for event in events_of(log)):
            break
    else:
        raise AssertionError("no vehicle with two main armaments lost one")
    assert audit(log, seed) > 100


@pytest.mark.parametrize("name", BATTLES)
def test_no_die_is_counted_twice_or_left_out(name):
    log = fought(name)
    counted = [throw.roll.at for throw in thrown(log)]
    assert len(counted) == len(set(counted))
    skipped = (*ost.NOBODYS,)
    rolled = [r.at for e in events_of(log) if not isinstance(e, skipped) for r in rolls_of(e)]
    assert counted == rolled


def _rolls_by_event(log, side, wanted):
    """The dice of the report's lines that were made of these events."""
    last = None

    def fed():
        nonlocal last
        for event in events_of(log):
            last = event
            yield event

    for entry in tell(scenario_of(log), fed(), side):
        if last in wanted:
            yield entry.rolls


@pytest.mark.parametrize("side", LISTENERS)
@pytest.mark.parametrize("name", BATTLES)
def test_what_is_counted_are_the_dice_of_the_report_and_no_other(name, side):
    log = fought(name)
    fed = [event for event in events_of(log) if not isinstance(event, ost.NOBODYS)]
    told = [rolls for rolls in _rolls_by_event(log, side, fed) if rolls]
    sums = luck.counted(log, side)
    assert sum(one.rolls for one in sums.values()) == sum(len(rolls) for rolls in told)
    assert sum(one.shown for one in sums.values()) == sum(sum(map(sum, rolls)) for rolls in told)


def with_other_omen(log, side, face):
    """The same log, but the omen of one side showed something else."""
    events = []
    for event in events_of(log):
        shown = event
        if getattr(event, "secret", "") and event.side == side:
            shown = msgspec.structs.replace(event, roll=Roll(event.roll.at, 10, (face,)))
        events.append(msgspec.Raw(msgspec.json.encode(shown)))
    return msgspec.structs.replace(log, events=tuple(events))


@pytest.mark.parametrize("side", [0, 1])
def test_what_a_side_is_not_told_of_changes_nothing_in_its_figures(side):
    low, high = (with_other_omen(fought("toy"), 1 - side, face) for face in (1, 10))
    for listener in (side, -1):
        assert luck.counted(low, listener) == luck.counted(high, listener)
    for listener in (1 - side, None):
        one, two = luck.counted(low, listener), luck.counted(high, listener)
        assert one[1 - side, "omen"].gain - two[1 - side, "omen"].gain == 9


def test_the_die_of_an_omen_is_its_own_sides_and_the_referees():
    log = fought("toy")
    heard = {side: {k for k in luck.counted(log, side) if k[1] == "omen"} for side in LISTENERS}
    assert heard == {
        None: {(0, "omen"), (1, "omen")},
        0: {(0, "omen")},
        1: {(1, "omen")},
        -1: set(),
    }


@pytest.mark.parametrize(
    ("throw", "due", "shown", "gain"),
    [
        (Throw(0, "attack", Roll(0, 6, (6, 5))), 7, 11, 4),
        (Throw(0, "attack", Roll(0, 6, (1, 1))), 7, 2, -5),
        (Throw(1, "omen", Roll(0, 10, (3,)), high=False), 5.5, 3, 2.5),
    ],
)
def test_a_good_roll_is_a_gain_whichever_way_good_lies(throw, due, shown, gain):
    one = luck.of_throw(throw)
    assert (one.due, one.shown, one.gain, one.rolls) == (due, shown, gain, 1)


CAME_OFF = {
    e.Shot: lambda x: x.result > 0,
    e.GutChecked: lambda x: x.now == GOOD,
    e.Rallied: lambda x: x.now == GOOD,
    e.LeaderRolled: lambda x: x.roll.total > x.dies_on,
}
"""Whether a roll did for its side what it was rolled for."""


def test_what_counts_as_a_good_roll_is_the_one_that_comes_off_more_often():
    rolled = {kind: {True: [], False: []} for kind in CAME_OFF}
    for name in (*FIGHTS, "hills"):
        for event in events_of(fought(name)):
            if type(event) in CAME_OFF:
                rolled[type(event)][CAME_OFF[type(event)](event)].append(event)
    for kind, events in rolled.items():
        mean = {came: mean_of(x.roll.total for x in some) for came, some in events.items()}
        assert mean[True] > mean[False] + 1, kind
    assert all(throw.high for name in FIGHTS for throw in thrown(fought(name)))


def exact(dice):
    """The chance of each sum of so many dice."""
    chances = {0: 1.0}
    for sides in dice:
        more = {}
        for total, chance in chances.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0) + chance / sides
        chances = more
    return chances


@pytest.mark.parametrize("dice", [(6,) * n for n in (2, 4, 10, 40, 150)] + [(6,) * 8 + (10,) * 3])
def test_ninety_five_of_a_hundred_sums_of_fair_dice_lie_in_the_range(dice):
    one = luck.Luck(0, "any")
    for sides in dice:
        one = one.plus(luck.of_throw(Throw(0, "any", Roll(0, sides, (1,)))))
    inside = sum(p for total, p in exact(dice).items() if abs(total - one.due) <= one.fair)
    assert 0.935 < inside < 0.97


@pytest.mark.parametrize("shown", [60, 70, 77, 90])
def test_how_many_sets_of_fair_dice_do_worse_is_as_worked_out_exactly(shown):
    faces = [3] * 20
    for n in range(abs(shown - 60)):
        faces[n % 20] += 1
    one = luck.of_throw(Throw(0, "any", Roll(0, 6, tuple(faces))))
    assert one.shown == shown
    chances = exact((6,) * 20)
    worse = sum(p for total, p in chances.items() if total < shown) + chances[shown] / 2
    assert abs(one.beats - worse) < 0.005


def test_over_many_battles_the_dice_are_fair():
    whole = luck.Luck(0, "all")
    for name in FIGHTS:
        for run in range(4):
            log = play.play(fight_of(name), key(f"luck {name}", run)).log
            for one in luck.counted(log, None).values():
                whole = whole.plus(one)
    assert whole.rolls > 1000
    assert abs(whole.gain) < 2 * whole.fair
