"""Armour pays where nothing can hurt it, and hidden anti-tank guns make it pay.

Seeds, sizes and error probabilities are declared here, before any battle is fought.
"""

from __future__ import annotations

import msgspec

from rulesengine.dice import Tape
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost.scenario import OstScenario
from tests.engine.ost.battles import MIRROR, joined, key, scenario
from tests.engine.ost.test_laws import sign_test

PAIRS = 120
"""Battles by seed, each fought with and without."""
ALPHA = 0.001
"""Chance of finding a difference where there is none."""


def hiding(battle: OstScenario, side: str, hidden: int) -> OstScenario:
    terms = tuple(
        msgspec.structs.replace(t, hidden=hidden) if t.side == side else t for t in battle.terms
    )
    return msgspec.structs.replace(battle, terms=terms)


def lead(battle: OstScenario, name: str, run: int) -> int:
    """Victory points of the Allies over the Germans at the end."""
    fought = begin(battle, Tape(key(name, run)), log=False)
    fight(fought)
    return int(fought.state.vp[0] - fought.state.vp[1])


def wrecks(battle: OstScenario, name: str, run: int) -> int:
    fought = begin(battle, Tape(key(name, run)), log=False)
    fight(fought)
    return sum(fought.state.wrecks.values())


TANKS = ("us-m4", "us-m4", "us-m4")


def test_armour_wins_clearly_against_a_force_without_antitank_weapons():
    plain = scenario(MIRROR)
    armed = joined(plain, "allies", *TANKS)
    better = worse = won = 0
    for run in range(PAIRS):
        before, after = (lead(b, "armour against none", run) for b in (plain, armed))
        better += after > before
        worse += after < before
        won += after > 0
    assert sign_test(worse, better) < ALPHA, f"better in {better}, worse in {worse}"
    assert won > PAIRS * 2 // 3, f"won {won} of {PAIRS}"


def test_hidden_antitank_guns_make_armour_pay():
    """Against two hidden guns the same tanks lose more vehicles, and win by less."""
    armed = joined(scenario(MIRROR), "allies", *TANKS)
    guarded = hiding(joined(armed, "axis", "ger-pak40", "ger-pak40"), "axis", 2)
    more = fewer = better = worse = 0
    for run in range(PAIRS):
        lost = [wrecks(b, "guns in hiding", run) for b in (armed, guarded)]
        more += lost[1] > lost[0]
        fewer += lost[1] < lost[0]
        leads = [lead(b, "guns in hiding", run) for b in (armed, guarded)]
        worse += leads[1] < leads[0]
        better += leads[1] > leads[0]
    assert sign_test(fewer, more) < ALPHA, f"more wrecks in {more}, fewer in {fewer}"
    assert sign_test(better, worse) < ALPHA, f"worse in {worse}, better in {better}"
