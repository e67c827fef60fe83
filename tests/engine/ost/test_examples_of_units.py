"""The worked examples about units and their weapons, with their own figures: OST 6, 7, 8, 10."""

from __future__ import annotations

import pytest

from rulesengine.dice import Roll
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.charts import COLUMNS
from tests.engine.table import GERMAN, US, find, kinds

ROW = ("......",) * 6
QUIET = (6, 6, 1, 1, 1, 1)
"""Dice of the next turn."""


def marks(play, name):
    """The markers on a counter, as the referee sees them."""
    return next(p.marks for p in play.battle.ruleset.board(play.state, None) if p.id == name)


# --- engineers -----------------------------------------------------------------------------------


@pytest.mark.example("ost", "6.1.e1")
@pytest.mark.border("ost", "6")
@pytest.mark.rule("ost", "6.1.2")
@pytest.mark.parametrize("shaken", [False, True])
def test_a_pioneer_finds_mines_and_clears_them_if_he_keeps_his_nerve(table, shaken):
    board = table(ROW).put("pioneer", "ger-pioneer", "C5").put("us", "us-rifle", "F1")
    play = board.work(US, "mines", "C3").to_move(GERMAN).start()
    mines = play.hex("C3")
    assert play.state.mined[mines] == (US, False)
    news = play.move("pioneer", "C4")
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert find(news, f.MinesFound).engineers
    play.cited.take(news)
    assert play.state.mined[mines] == (US, True)
    play.idle()
    play.do(a.Clear(unit=play["pioneer"], hex=mines))
    assert "used" in marks(play, "pioneer"), "it has moved and worked"
    if shaken:
        fright = e.GutChecked(
            unit=play["pioneer"], result=1, roll=Roll(0, 6, (1, 1)), needed=7, now=1
        )
        play.given(fright)
    cleared = play.out(*((6, 6) if shaken else ()), *QUIET)
    assert ("WorkRemoved" in kinds(cleared)) is not shaken
    assert (mines in play.state.mined) is shaken


# --- leaders -------------------------------------------------------------------------------------


@pytest.mark.example("ost", "7.3.e1")
@pytest.mark.rule("ost", "7.3.7")
def test_a_lieutenant_and_his_squad_act_as_one_for_one_point(table):
    board = table(ROW).put("squad", "us-rifle", "C5").put("lieutenant", "us-lieutenant", "C5")
    play = board.put("g", "ger-rifle", "F1").points(1, 1).start()
    play.idle()
    play.idle()
    play.do(a.Attach(leader=play["lieutenant"], unit=play["squad"]))
    play.dice(6, 6, 1, 1, 3, 3).do(a.EndReform())
    points = play.state.impulses[US]
    news = play.move("squad", "C4")
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert (play.at("squad"), play.at("lieutenant")) == ("C4", "C4")
    assert play.state.impulses[US] == points - 1
    play.cited.take(news)
    play.idle()
    assert play.refused(play.way("lieutenant", "C3")).rule == "7.3.7"


@pytest.mark.example("ost", "7.5.e1")
@pytest.mark.border("ost", "7")
@pytest.mark.parametrize(
    ("leader", "bonus"),
    [
        pytest.param("us-airborne-lieutenant", 0, marks=pytest.mark.rule("ost", "7.5.2")),
        pytest.param("us-lieutenant", 1, marks=pytest.mark.rule("ost", "7.5.1")),
    ],
)
def test_an_airborne_lieutenant_moves_with_an_army_squad_and_helps_it_to_rally_only(
    table, leader, bonus
):
    board = table(ROW).put("squad", "us-rifle", "C5").put("him", leader, "C5")
    board.attached.append(("him", "squad"))
    play = board.put("g", "ger-rifle", "C1").start()
    play.move("squad", "C4")
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert play.at("him") == "C4"
    play.idle()
    shot = find(play.dice(1, 2).fire("squad", "g"), e.Shot)
    assert shot.total == 3 - 1 + bonus, "moving fire, and a leader of its own branch"
    play.idle()
    weak = table(ROW).put("squad", "us-rifle", "C5", morale="shaken").put("him", leader, "C5")
    weak.attached.append(("him", "squad"))
    shaken = weak.put("g", "ger-rifle", "C1").start()
    rallied = find(shaken.dice(3, 3).do(a.Rally(unit=shaken["squad"])), e.Rallied)
    assert rallied.total == 7


# --- sustained fire ------------------------------------------------------------------------------


@pytest.mark.example("ost", "8.1.e2")
@pytest.mark.border("ost", "8")
@pytest.mark.parametrize(
    ("first", "second", "spent"),
    [
        ((1, 2), (3, 1), False),
        pytest.param((1, 1), None, True, marks=pytest.mark.rule("ost", "8.1.10")),
        pytest.param((1, 2), (2, 2), True, marks=pytest.mark.rule("ost", "8.1.10")),
        ((3, 3), (1, 2), False),
    ],
)
def test_an_american_machine_gun_sustains_fire_at_a_squad_and_pioneers(table, first, second, spent):
    board = table().put("mmg", "us-mmg", "C2").put("rifle", "ger-rifle", "C7", morale="broken")
    play = board.put("pioneer", "ger-pioneer", "C7", morale="broken").start()
    points = play.state.impulses[US]
    news = play.dice(*first, *(second or ())).fire("mmg", "rifle", second="pioneer")
    shots = [event for event in news if isinstance(event, e.Shot)]
    assert [shot.roll.faces for shot in shots] == [faces for faces in (first, second) if faces]
    assert [shot.target for shot in shots] == [play["rifle"], play["pioneer"]][: len(shots)]
    assert play.state.impulses[US] == points - 1
    assert ("AmmoRanOut" in kinds(news)) is spent


# --- satchel charges -----------------------------------------------------------------------------


@pytest.mark.example("ost", "10.2.e2")
@pytest.mark.border("ost", "10")
@pytest.mark.rule("ost", "10.2.1", "10.2.5")
@pytest.mark.parametrize(("face", "falls"), [(4, False), (5, True), (6, True)])
def test_a_pioneers_satchel_at_two_rifles_in_a_heavy_structure(table, face, falls):
    """Ten less six is column +4: a 6 breaks one, a 7 takes a step of the other; then the house."""
    rows = ("......", "......", "..h...", *ROW[:3])
    board = table(rows).put("pioneer", "ger-pioneer", "C4", weapon="ger-satchel")
    board.put("one", "us-rifle", "C3").put("two", "us-rifle", "C3").to_move(GERMAN)
    play = board.start()
    dice = (2, 3, 1, 1, 3, 4, face, *((1, 1) * 2 if falls else ()))
    news = play.dice(*dice).do(
        a.HexFire(unit=play["pioneer"], weapon=play["pioneer's weapon"], hex=play.hex("C3"))
    )
    struck = [event for event in news if isinstance(event, f.Blasted)][:2]
    assert [(b.firepower, b.defense, COLUMNS[b.column]) for b in struck] == [(10, 6, "+3/+4")] * 2
    assert play.morale("one") == "broken"
    assert (play.steps("one"), play.steps("two")) == (2, 1)
    assert "fired" in marks(play, "pioneer")
    rolled = find(news, f.CollapseRolled)
    assert (rolled.total, rolled.falls) == (face + 1, falls)
    assert kinds(news).index("CollapseRolled") > kinds(news).index("CasualtyTaken")


@pytest.mark.example("ost", "10.2.e1")
@pytest.mark.border("ost", "10")
@pytest.mark.parametrize(("leader", "moved", "total"), [(0, 0, 6), (1, 0, 7), (0, 1, 5), (1, 1, 6)])
def test_leader_and_moving_change_the_roll_of_a_satchel_and_never_its_ten(
    table, leader, moved, total
):
    board = table(ROW).put("a", "us-engineer", "C5" if moved else "C4", weapon="us-satchel")
    if leader:
        board.counters.append(("boss", "us-sergeant", "C5" if moved else "C4", "fit", ""))
        board.attached.append(("boss", "a"))
    play = board.put("x", "ger-rifle", "C3").start()
    if moved:
        play.move("a", "C4")
        while play.wants == "opportunity fire":
            play.do(a.HoldFire())
        play.idle()
    throw = a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex("C3"))
    struck = find(play.dice(2, 4, 6, 6).do(throw), f.Blasted)
    assert (struck.firepower, struck.total) == (10, total)
