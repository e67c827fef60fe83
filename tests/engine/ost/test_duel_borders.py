"""Who shoots in a tank duel and who leaves after it (OST 31.1.9 to 31.1.12, 31.2): the cases."""

from __future__ import annotations

import pytest

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import duel
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.catalogue import BY_KEY
from rulesengine.rulesets.ost.state import HULL_OUT, MAIN_OUT, MGS_OUT
from tests.engine.ost.test_tank_duel import NEXT_TURN, N, S, meet
from tests.engine.table import GERMAN, US, find

LOSES, WINS = (3, 3), (4, 4)


def shots(news):
    return [event for event in news if isinstance(event, v.VehicleShot)]


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize(
    ("kind", "out", "ap", "shoots"),
    [
        ("us-m4", 0, 7, True),
        ("us-m4", MGS_OUT, 7, True),
        ("us-m4", MAIN_OUT, 0, False),
        ("us-m3-halftrack", 0, 0, True),
        ("us-m3-halftrack", MGS_OUT, 0, False),
        ("us-m3-lee", MAIN_OUT | HULL_OUT, 0, False),
    ],
)
def test_what_a_vehicle_has_left_for_a_duel(kind, out, ap, shoots):
    """Without its main armament it does not shoot; what never had AP shoots with what works."""
    number = BY_KEY[kind]
    assert duel.ap_left(number, out) == ap
    assert duel.can_shoot(number, out) == shoots


@pytest.mark.border("ost", "31")
def test_of_two_guns_the_better_that_works_shoots():
    lee = BY_KEY["us-m3-lee"]
    turret, hull = duel.ap_left(lee, HULL_OUT), duel.ap_left(lee, MAIN_OUT)
    assert turret
    assert hull
    assert turret != hull
    assert duel.ap_left(lee, 0) == max(turret, hull)


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize(("ap", "power"), [(1, 1), (0, 1), (2, 1), (3, 1), (4, 2)])
def test_without_the_bonus_a_shaken_vehicle_has_one_at_least(ap, power):
    assert duel.firepower(ap, shaken=True, bonus=False).value == power


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize(("condition", "count"), [("fit", 2), ("main gun out", 1)])
def test_who_came_without_his_main_gun_does_not_shoot(table, condition, count):
    """The German shoots first, and does nothing."""
    board = table().put("us", "us-m4", "D4", facing=N, condition=condition)
    board.put("german", "ger-pz4g", "D3", facing=S).put("far", "us-rifle", "A8")
    play = board.put("away", "ger-rifle", "H1").to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    news = play.out(*LOSES, *WINS, 1, 1, 1, 1, *NEXT_TURN)
    assert len(shots(news)) == count


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize(
    ("first", "second", "leaves"),
    [
        ((1, 1), (1, 1), "german"),
        ((2, 3, 1, 1), (1, 1), "german"),
        ((1, 1), (1, 3, 1, 1), "us"),
        ((2, 3, 1, 1), (3, 3, 1, 1), "german"),
    ],
)
def test_who_leaves_a_duel(table, first, second, leaves):
    """The German has assaulted, the American shoots first. Nobody is shaken: the German leaves; one
    of them: that one; both: the German again."""
    play = meet(table)
    news = play.out(*WINS, *LOSES, *first, *second)
    owed = find(news, e.RetreatsOwed)
    assert owed.units == (play[leaves],)
    whole = [play.morale(name) == "good order" for name in ("us", "german")]
    assert whole == [len(second) == 2, len(first) == 2]
    assert ("31.2.3" in owed.cites()) == all(whole)
    assert ("31.2.4" in owed.cites()) != all(whole)


@pytest.mark.border("ost", "31")
@pytest.mark.parametrize("us_first", [True, False])
@pytest.mark.parametrize("spoiled", ["broken", "main gun out", ""])
def test_of_two_against_one_who_can_shoot_shoots_first(table, us_first, spoiled):
    """The pair shoots with the one that can; whoever of them cannot is left for the third shot."""
    board = table().put(
        "one", "us-m4", "D4", facing=N, condition=spoiled if "gun" in spoiled else ""
    )
    board.put("two", "us-m4", "D4", facing=N)
    board.put("german", "ger-pz4g", "D3", facing=S).put("away", "ger-rifle", "H1")
    board.put("far", "us-rifle", "A8")
    if spoiled == "broken":
        board.shaky.append(("one", "broken"))
    play = board.to_move(GERMAN).points(1, 1).start()
    play.do(play.assault("german", "D4"))
    rolls = (*WINS, *LOSES) if us_first else (*LOSES, *WINS)
    play.out(*rolls, *(1, 1) * 3)
    if play.wants == "the target of a tank duel":
        play.dice(1, 1).do(a.DuelTarget(target=play["two"]))
    order = [unit for unit, _ in find(play.log, v.DuelOpened).shots]
    first, second = ("two", "one") if spoiled else ("one", "two")
    pair = [play[first], play["german"]]
    assert order == [*(pair if us_first else pair[::-1]), play[second]]
    shooters = [shot.firers[0] for shot in shots(play.log)]
    assert shooters == [c for c in order if not (spoiled and c == play["one"])]
    assert play.state.side[play["one"]] == US
