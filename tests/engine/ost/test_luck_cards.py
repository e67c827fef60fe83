"""Luck cards (OST 3.3): drawn in secret, played for nothing, each for what it says."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from rulesengine import frames as films
from rulesengine.dice import Roll, Tape
from rulesengine.play import begin, fight, play
from rulesengine.proof import audit, rerun
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost import luck_against, luck_own
from rulesengine.rulesets.ost import luck_events as x
from rulesengine.rulesets.ost.charts import LUCK_CARD, LUCK_CARDS
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.luck import deck_of
from rulesengine.rulesets.ost.scenario import CardCopies, LuckCards
from rulesengine.rulesets.ost.state import AFTER, SHAKEN
from tests.engine.ost.battles import ARMOUR, MIRROR, key, lucky, random_battle, scenario
from tests.engine.ost.test_conformance import Watched, check_links, check_stacks
from tests.engine.table import CARD as CODE
from tests.engine.table import GERMAN, US, find, kinds

OST = ruleset("ost")
LOW = Roll(0, 6, (1, 1))
WIDE = ("............",) * 12


def board(table, us=(), german=(), *, rows=WIDE):
    """A squad each, five hexes apart, with these cards in their hands."""
    made = table(rows).put("a", "us-rifle", "C8").put("b", "ger-rifle", "C3")
    return made.hand(us, german)


def struck(news):
    return [event for event in news if isinstance(event, f.Blasted)]


# --- the deck ------------------------------------------------------------------------------------


def test_every_card_has_its_function_and_its_words():
    own = {row.key for row in LUCK_CARDS if row.moment == "impulse"}
    against = {row.key for row in LUCK_CARDS if row.moment == "enemy"}
    assert set(luck_own.CARDS) == own
    assert set(luck_against.CARDS) == against
    assert all(row.text.endswith(".") and row.copies > 0 for row in LUCK_CARDS)
    assert len(LUCK_CARDS) >= 20


def with_cards(battle, **more):
    return msgspec.structs.replace(battle, luck_cards=LuckCards(**more))


@pytest.mark.rule("ost", "3.3.7")
def test_a_battle_of_infantry_goes_without_vehicle_cards(cited):
    battle = begin(with_cards(scenario(MIRROR)), Tape(key("deck", 0)))
    fight(battle)
    cited.take(battle.log or [])
    plain = deck_of(battle.state.scenario, vehicles=False)
    assert {LUCK_CARD[code].vehicles for code in plain} == {False}
    assert len(deck_of(battle.state.scenario, vehicles=True)) > len(plain)
    assert any(isinstance(event, x.FoundNoVehicleCards) for event in battle.log or ())


def test_they_stay_where_the_scenario_says_so_and_where_there_are_vehicles():
    always = with_cards(scenario(MIRROR), vehicle_cards="always")
    assert any(LUCK_CARD[code].vehicles for code in deck_of(always, vehicles=False))
    armoured = begin(with_cards(scenario(ARMOUR)), Tape(key("deck", 1)))
    fight(armoured)
    assert not any(isinstance(event, x.FoundNoVehicleCards) for event in armoured.log or ())


def test_a_pack_brings_its_own_copies():
    deck = (CardCopies(card="panic", copies=3), CardCopies(card="jammed", copies=0))
    mine = with_cards(scenario(MIRROR), deck=deck)
    assert deck_of(mine, vehicles=True) == [CODE["panic"]] * 3


def test_without_a_word_there_are_no_cards():
    battle = begin(scenario(MIRROR), Tape(key("none", 0)))
    fight(battle)
    assert not [event for event in battle.log or () if isinstance(event, x.AnyLuckEvent)]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"each": 9}, "3.3.p1"),
        ({"deck": (CardCopies(card="strafing", copies=1),)}, 'no luck card "strafing"'),
        ({"deck": (CardCopies(card="panic", copies=-1),)}, "copies"),
        ({"deck": (CardCopies(card="panic", copies=0),)}, "without a card"),
        ({"deck": (CardCopies(card="panic", copies=1),) * 2}, "twice"),
    ],
)
def test_faults_of_the_deck_are_named(fields, words):
    faults = check(with_cards(scenario(MIRROR), **fields))
    assert words in " ".join(f"{fault.where} {fault.what}" for fault in faults)


@pytest.mark.rule("ost", "3.3.p1", "3.3.1")
def test_one_card_each_is_drawn_when_both_are_set_up(cited):
    battle = begin(with_cards(scenario(MIRROR)), Tape(key("draw", 0)))
    fight(battle)
    log = battle.log or []
    cited.take(log)
    names = kinds(log)
    last = max(at for at, name in enumerate(names) if name == "Deployed")
    assert last < names.index("CardsDrawn") < names.index("TurnStarted")
    assert [event.count for event in log if isinstance(event, x.CardsDrawn)] == [1, 1]


def test_cards_are_drawn_without_replacement_each_as_often_as_the_next():
    deck = tuple(CardCopies(card=row.key, copies=1) for row in LUCK_CARDS[:6])
    drawn: Counter[int] = Counter()
    for run in range(120):
        battle = begin(with_cards(scenario(MIRROR), each=3, deck=deck), Tape(key("fair", run)))
        while battle.state.queue:
            view = OST.view(battle.state, OST.awaiting(battle.state)[0].side)
            OST.decide(battle, next(iter(OST.candidates(view, OST.awaiting(battle.state)[0]))))
        both = battle.state.cards[0] + battle.state.cards[1]
        assert sorted(both) == [row.code for row in LUCK_CARDS[:6]]
        drawn[battle.state.cards[0][0]] += 1
    assert all(5 < drawn[row.code] < 40 for row in LUCK_CARDS[:6])


def test_a_deck_too_small_gives_what_it_has():
    deck = (CardCopies(card="panic", copies=1),)
    battle = begin(with_cards(scenario(MIRROR), each=2, deck=deck), Tape(key("small", 0)))
    fight(battle)
    dealt = [event for event in battle.log or () if isinstance(event, x.HandDealt)]
    assert [(d.cards, d.rolls) for d in dealt] == [((CODE["panic"],), ())]


# --- secrets -------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "3.3.2")
def test_nobody_else_learns_of_a_card_before_it_is_played(cited):
    told = 0
    for run in range(4):
        battle = random_battle(lucky(), "card whispers", run)
        state = OST.setup(battle.state.scenario)
        for event in battle.log or ():
            OST.evolve(state, event)
            cited.take(event)
            for side in (0, 1, -1):
                line = OST.narrate(state, event, side)
                if isinstance(event, (x.HandDealt, x.CardOffered, x.OrderHeld, x.CardKept)):
                    mine = isinstance(event, x.HandDealt) and side == event.side
                    assert (line is not None) == mine
                    told += mine
                elif line is not None and not isinstance(event, (x.CardPlayed, f.Blasted)):
                    assert not any(row.title in line.text for row in LUCK_CARDS)
                board = OST.board(state, side)
                shown = sum("card" in piece.marks for piece in board)
                assert shown <= len(state.cards_shown)
    assert told


def test_the_film_of_the_other_side_has_no_die_of_the_draw():
    battle = random_battle(lucky(), "card film", 1)
    scene = battle.state.scenario
    for side, other in ((0, 1), (1, 0), (-1, 0)):
        for frame in films.film(scene, battle.log or (), side):
            text = frame.line.text if frame.line else ""
            if "luck cards." in text:
                assert frame.rolls == ()
            assert f"{scene.sides[other].name} hold:" not in text


def test_two_hands_look_alike_to_the_enemy(table):
    """What he sees, is offered and refused is the same whatever the other side holds."""
    seen = []
    for hand in (("panic",), ("jammed",)):
        play = board(table, german=hand).start()
        view = OST.view(play.state, US)
        menu = list(OST.candidates(view, OST.awaiting(play.state)[0]))
        refusals = [play.refused(a.PlayCard(card=row.code)).why for row in LUCK_CARDS]
        lines = [OST.narrate(play.state, event, US) for event in play.log]
        seen.append((menu, refusals, OST.board(play.state, US), lines))
    assert seen[0] == seen[1]


def test_the_place_of_a_hidden_unit_is_not_told_by_its_card(table):
    play = table(WIDE).put("a", "us-rifle", "C8", hidden=True).put("b", "ger-rifle", "C3")
    play = play.hand(("quick-spades", "second-wind")).start()
    play.given(e.GutChecked(unit=play["a"], result=1, roll=LOW, needed=7, now=SHAKEN))
    played = find(play.do(play.card("second-wind", on="a")), x.CardPlayed)
    for side in (GERMAN, -1):
        assert "C8" not in OST.narrate(play.state, played, side).text
        assert "(a)" not in OST.narrate(play.state, played, side).text
        assert not [piece for piece in OST.board(play.state, side) if piece.hex == "C8"]


# --- playing -------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "3.3.3", "3.3.4", "3.3.5")
def test_a_card_costs_nothing_and_the_player_still_acts(table):
    play = board(table, us=("fresh-orders",)).start()
    before = play.state.impulses[US]
    play.do(play.card("fresh-orders"))
    assert (play.state.impulses[US], play.owed) == (before + 2, US)
    assert play.state.cards[US] == []
    assert play.refused(play.card("fresh-orders")).rule == "3.3.5"
    play.move("a", "C7")
    assert play.owed == GERMAN


@pytest.mark.rule("ost", "3.3.4")
def test_it_may_come_after_the_action_as_well(table):
    play = board(table, us=("fresh-orders",)).start()
    before = play.state.impulses[US]
    play.move("a", "C7")
    play.do(a.HoldFire())
    assert play.wants == "a luck card, or none"
    assert play.state.frames[-1].stage == AFTER
    play.do(play.card("fresh-orders"))
    assert play.state.impulses[US] == before + 1
    assert (play.wants, play.owed) == ("an impulse", GERMAN)


def test_who_keeps_it_is_asked_again_after_the_next_action(table):
    play = board(table, us=("fresh-orders",)).start()
    play.move("a", "C7")
    play.do(a.HoldFire())
    play.do(a.KeepCard())
    assert (play.wants, play.owed) == ("an impulse", GERMAN)
    play.idle()
    play.idle()
    assert play.wants == "a luck card, or none"


@pytest.mark.rule("ost", "3.3.6")
def test_some_cards_are_of_no_use_and_that_is_bad_luck(table):
    play = board(table, us=("one-more-mission", "pulled-free", "jammed")).start()
    for card in (play.card("one-more-mission", battery=0), play.card("pulled-free", on="a")):
        assert play.refused(card).rule == "3.3.6"
    assert play.refused(play.card("jammed")).rule == "3.3.3"
    play.move("a", "C7")
    play.do(a.HoldFire())
    assert (play.wants, play.owed) == ("an impulse", GERMAN)


def test_a_card_names_what_it_asks_for_and_no_more(table):
    play = board(table, us=("fresh-orders", "panic", "strafing-run")).start()
    for wrong in (
        play.card("fresh-orders", on="b"),
        play.card("panic"),
        play.card("strafing-run", "C3", "C4"),
        a.PlayCard(card=CODE["strafing-run"], hexes=(9999, 1, 2)),
    ):
        play.refused(wrong)


def test_a_card_lies_where_it_was_played_until_the_turn_ends(table):
    play = board(table, us=("smoke-pots",)).start()
    play.do(play.card("smoke-pots", "C5"))
    for side in (US, GERMAN, -1, None):
        (piece,) = [p for p in OST.board(play.state, side) if "card" in p.marks]
        assert (piece.hex, piece.name) == ("C5", "Luck card: Smoke pots")
    play.out(6, 6, 1, 1, 1, 1)
    assert not [p for p in OST.board(play.state, None) if "card" in p.marks]


# --- whole battles -------------------------------------------------------------------------------


def test_random_battles_play_most_of_the_cards():
    seen = set()
    for run in range(6):
        battle = random_battle(lucky(), "all cards", run, rough=True)
        seen |= {event.card for event in battle.log or () if isinstance(event, x.CardPlayed)}
    assert len(seen) >= 15


def test_the_doctrine_plays_cards_as_the_rules_allow():
    played = 0
    for run in range(4):
        battle = begin(with_cards(scenario(ARMOUR), each=5), Tape(key("legal cards", run)))
        fight(battle, [Watched(battle.state, side) for side in (0, 1)])
        check_stacks(battle.state)
        check_links(battle.state)
        played += sum(isinstance(event, x.CardPlayed) for event in battle.log or ())
    assert played >= 8


def test_a_battle_with_cards_is_proven_like_any_other():
    first = play(lucky(), key("cards", 7))
    assert play(lucky(), key("cards", 7)).hash == first.hash
    assert audit(first.log, key("cards", 7)) > 100
    assert rerun(first, key("cards", 7)).hash == first.hash
