"""Where the doctrine would lay smoke, and where it would not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rulesengine.dice import Tape
from rulesengine.play import act, begin, play
from rulesengine.proof import events_of
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import smoke_ways as sw
from rulesengine.rulesets.ost.doctrine import Sensible
from rulesengine.rulesets.ost.events import Revealed
from rulesengine.rulesets.ost.field_events import SmokeLaid
from rulesengine.rulesets.ost.hideouts import Hideouts
from rulesengine.rulesets.ost.luck_events import CardPlayed
from rulesengine.rulesets.ost.posts import spots
from rulesengine.rulesets.ost.scenario import CardCopies, LuckCards, OstScenario
from rulesengine.rulesets.ost.screens import dimmed, screens
from rulesengine.rulesets.ost.sight import look
from rulesengine.rulesets.ost.state import OFF
from tests.engine.ost.battles import HILLS, MIRROR, fight_of, key, lucky, scenario
from tests.engine.ost.open_ground import attack
from tests.engine.table import GERMAN, US, ControlHex, Play

FIELD = ("............",) * 9


@pytest.mark.parametrize("path", [MIRROR, HILLS])
def test_a_line_dimmed_by_hexes_alone_is_the_line_of_the_rules(path):
    """Smoke in every third hex, in three ways: each line of one unit to every hex of the map, from
    the level of its hex."""
    battle = begin(scenario(path), Tape(key("dimmed", 0)))
    players = [Sensible(battle.state, side) for side in (0, 1)]
    for side in (0, 1):
        owed = battle.ruleset.awaiting(battle.state)[0]
        act(battle, side, players[side].choose(battle.ruleset.view(battle.state, side), owed))
    state, ground = battle.state, battle.state.ground
    seen = set()
    for start in range(3):
        hexes = tuple(range(start, ground.grid.size, 3))
        battle.emit(SmokeLaid(hexes=hexes, ages=(1,) * len(hexes), by="engineers"))
        unit = state.of_side[start % 2][0]
        here = state.hex[unit]
        for h in range(ground.grid.size):
            if h != here:
                plain = look(ground, here, h)
                assert dimmed(state, here, h, plain) == spots(state, unit, h), ground.name(h)
                seen.add((plain & 3, dimmed(state, here, h, plain) & 3))
    assert {(0, 1), (0, 3), (1, 3)} <= seen


def crossing(table: Any, *, gun: bool = False) -> Play:
    """Sappers and squads about to cross the open towards a machine gun that sees them all."""
    board = table(FIELD).put("Sappers", "us-engineer", "D5")
    for name, at in (("Able", "B4"), ("Baker", "B5"), ("Dog", "B6")):
        board.put(name, "us-rifle", at)
    if gun:
        board.put("MMG", "us-mmg", "A5", facing=1).put("Foe", "ger-rifle", "J5")
    else:
        board.put("Weber", "ger-mmg", "J5", facing=4)
    board.put("Schulz", "ger-rifle", "L1")
    board.scenario(control=(ControlHex(hex="H5", name="Crossroads", owner="german", at_end=9),))
    play: Play = board.points(9, 6).start()
    return play


WAYS = (("C4", "D5"), ("C5", "D5"), ("C6", "D6"))
"""Ways of those who cross."""


def smoke_wanted(play: Play, ways: tuple[tuple[str, ...], ...] = WAYS) -> sw.Offer:
    """The smoke of the side that acts, for units that go these ways."""
    player = Sensible(play.state, US)
    rules = play.battle.ruleset
    player.choose(rules.view(play.state, US), rules.awaiting(play.state)[0])
    smoke = player._smoke
    assert smoke is not None
    paths = [tuple(play.hex(name) for name in way) for way in ways]
    return smoke._look(smoke._able(), paths, 0)


def test_sappers_lay_smoke_on_the_lines_of_a_machine_gun_at_those_who_cross(table):
    play = crossing(table)
    worth, action = smoke_wanted(play)
    assert isinstance(action, a.LaySmoke)
    assert worth >= sw.LEAST
    gun, ends = play.hex("J5"), [play.hex(name) for name in ("D5", "D6")]

    def dims() -> list[int]:
        ground = play.state.ground
        return [dimmed(play.state, gun, h, look(ground, gun, h)) & 3 for h in ends]

    before = dims()
    play.do(action)
    assert sum(dims()) > sum(before) or set(play.state.smoke) & {gun, *ends}


def test_nobody_lays_smoke_on_the_line_of_the_own_machine_gun(table):
    """It shoots better than the squad it shoots at."""
    play = crossing(table, gun=True)
    gun, foe = play.hex("A5"), play.hex("J5")
    line = {h for hexes in screens(play.state.ground, gun, foe) for h in hexes}
    _, action = smoke_wanted(play)
    assert not isinstance(action, a.LaySmoke) or action.hex not in line | {gun, foe}
    crossed = crossing(table)
    _, action = smoke_wanted(crossed)
    assert isinstance(action, a.LaySmoke)
    assert action.hex in line | {gun, foe}, "without the gun it would lie there"


def test_nothing_is_laid_when_the_enemy_has_no_points_left_to_fire_with(table):
    play = crossing(table)
    assert smoke_wanted(play)[0] > 0
    play.state.impulses[GERMAN] = 0
    assert smoke_wanted(play) == sw.NOTHING


def test_a_side_without_means_never_thinks_of_smoke():
    battle = begin(scenario(MIRROR), Tape(key("no means", 0)))
    assert all(Sensible(battle.state, side)._smoke is None for side in (0, 1))


def test_a_mission_of_smoke_falls_between_the_enemy_and_those_who_go():
    """In the attack over open ground: some line of an enemy that is seen is dimmed by it."""
    battle = begin(attack("missions"), Tape(key("between", 0)))
    players = [Sensible(battle.state, side) for side in (0, 1)]
    rules, state = battle.ruleset, battle.state
    called = 0
    while rules.awaiting(state) and called < 2:
        owed = rules.awaiting(state)[0]
        action = players[owed.side].choose(rules.view(state, owed.side), owed)
        before = set(state.smoke)
        act(battle, owed.side, action)
        laid = set(state.smoke) - before
        if isinstance(action, a.CallArtillery) and action.smoke and action.hex in laid:
            called += 1
            ground = state.ground
            enemies = [state.hex[c] for c in state.of_side[1] if state.known[0][c] >= 0]
            mine = [state.hex[c] for c in state.of_side[0] if state.hex[c] >= 0]
            assert any(
                dimmed(state, e, m, look(ground, e, m)) != look(ground, e, m)
                for e in enemies
                for m in mine
            )
    assert called == 2


# --- the luck cards that go where no enemy is seen -----------------------------------------------


def with_card(battle: OstScenario, card: str) -> OstScenario:
    """The same battle in which both sides hold one card."""
    deck = (CardCopies(card=card, copies=2),)
    return msgspec.structs.replace(battle, luck_cards=LuckCards(each=1, deck=deck))


def test_smoke_pots_are_played_before_those_who_cross():
    """Squads in the open, in sight of machine guns: the card falls where it dims their lines."""
    battle = with_card(attack("engineers"), "smoke-pots")
    played = 0
    for run in range(6):
        log = events_of(play(battle, key("pots", run)).log)
        cards = [event for event in log if isinstance(event, CardPlayed) and event.side == US]
        assert all(len(card.hexes) == 1 for card in cards)
        played += len(cards)
    assert played >= 4


def test_the_spotter_plane_finds_who_hides_before_the_attack():
    """In Foy the grenadiers hide in the village, and the plane looks there before they fire."""
    battle = with_card(fight_of("foy-road"), "spotter-plane")
    found = 0
    for run in range(6):
        log = events_of(play(battle, key("plane", run)).log)
        found += any(isinstance(event, Revealed) and event.why == "spotted" for event in log)
    assert found >= 4


def test_the_spotter_plane_goes_by_what_the_side_knows_alone(table):
    """Wherever the enemy really hides, and whether he does, it is called to the same hex."""

    def asked(at: str, *, hidden: bool) -> sw.Offer:
        board = table(FIELD)
        board.put("Able", "us-rifle", "B4").put("Weber", "ger-rifle", at, hidden=hidden)
        board.put("Krause", "ger-rifle", "L9", hidden=True).put("Vogel", "ger-rifle", "F1")
        board.scenario(control=(ControlHex(hex="E4", name="Crossroads", owner="german"),))
        laid: Play = board.start()
        return Hideouts(laid.battle.ruleset.view(laid.state, US)).spot(1)

    assert asked("F4", hidden=True) == asked("G5", hidden=True) == asked("L8", hidden=True)
    assert asked("F4", hidden=True)[0] > 0
    seen = asked("E4", hidden=False)
    assert seen != asked("E4", hidden=True), "who is seen in the hex does not hide there"


def test_no_plane_is_sent_where_the_scenario_lets_nobody_hide():
    battle = begin(scenario(MIRROR), Tape(key("nobody hides", 0)))
    assert Hideouts(battle.ruleset.view(battle.state, US)).spot(1) == (0, None)


def test_smoke_is_never_thought_of_before_who_is_gone(monkeypatch):
    """A card is played before anything else of an impulse: what it spoils is known afresh."""
    ends = []
    line = sw.Smoke._line

    def noted(self, c, start, end, table, rate):
        ends.append(end)
        return line(self, c, start, end, table, rate)

    monkeypatch.setattr(sw.Smoke, "_line", noted)
    for run in (14, 48):
        play(lucky(), key("brk", run))
    assert len(ends) > 20
    assert OFF not in ends
