"""What helps a player helps the doctrine, and the doctrine beats the simple first one.

Each law is paired by seed: the same dice with and without the change, for either side. Seeds,
sizes and error probabilities are declared here, before any battle is fought.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from rulesengine.dice import Tape
from rulesengine.documents import Element, Force, Unit
from rulesengine.play import begin, fight
from rulesengine.rulesets.ost.scenario import Battery, Impulses, OstScenario, SideTerms, Work
from tests.engine.ost.battles import HILLS, MIRROR, key, scenario, swapped
from tests.engine.ost.first_doctrine import share_won
from tests.engine.ost.test_laws import ALPHA, sign_test

MIRRORED = 100
"""Seeds; each is fought on both mirrored fields, as they are and swapped, from either side."""
SHARE = 0.65
PAIRS = 60
"""Seeds of a law; each is fought for either side, with and without the change."""
ASSAULTS = 200

Change = Callable[[OstScenario, str], OstScenario]


def beaten(seeds: range, tag: str) -> float:
    """The share of decided battles that the doctrine wins against the simple first one."""
    fights = [
        (f"{tag} {path.stem}", battle)
        for path in (MIRROR, HILLS)
        for battle in (scenario(path), swapped(scenario(path)))
    ]
    return share_won(fights, seeds)


def test_the_doctrine_beats_the_simple_first_one_in_mirrored_battles():
    assert beaten(range(MIRRORED // 2), "first") >= SHARE


@pytest.mark.long
def test_the_doctrine_beats_the_simple_first_one_over_many_mirrored_battles():
    assert beaten(range(MIRRORED, 3 * MIRRORED), "first") >= SHARE


def paired(change: Change, name: str) -> tuple[int, int]:
    """Battles that a change for one side turned for the better, and for the worse."""
    plain = scenario(MIRROR)
    better = worse = 0
    for side in ("allies", "axis"):
        changed = change(plain, side)
        for run in range(PAIRS):
            before, after = (
                fight(begin(battle, Tape(key(name, run)), log=False)).winner == side
                for battle in (plain, changed)
            )
            better += after and not before
            worse += before and not after
    return better, worse


def of_quality(quality: str) -> Change:
    def change(battle: OstScenario, side: str) -> OstScenario:
        return with_forces(
            battle, side, lambda unit: msgspec.structs.replace(unit, quality=quality)
        )

    return change


def with_forces(
    battle: OstScenario, side: str, each: Callable[[Unit], Unit], *more: Unit
) -> OstScenario:
    forces = tuple(
        Force(side=f.side, units=(*map(each, f.units), *more)) if f.side == side else f
        for f in battle.forces
    )
    return msgspec.structs.replace(battle, forces=forces)


def with_leaders(battle: OstScenario, side: str) -> OstScenario:
    """Two more leaders."""
    kind = {"allies": "us-sergeant", "axis": "ger-sergeant"}[side]
    staff = Unit(
        id="staff",
        name="Staff",
        elements=tuple(Element(id=f"staff/{n}", type=kind) for n in (1, 2)),
    )
    return with_forces(battle, side, lambda unit: unit, staff)


def with_terms(
    battle: OstScenario, side: str, change: Callable[[SideTerms], SideTerms]
) -> OstScenario:
    terms = tuple(change(t) if t.side == side else t for t in battle.terms)
    return msgspec.structs.replace(battle, terms=terms)


def dug_in(battle: OstScenario, side: str) -> OstScenario:
    """Foxholes in every open hex of the side's zone."""
    rows, columns = battle.ground.grid, {"allies": "ABC", "axis": "MNO"}[side]
    hexes = [
        f"{column}{row + 1}"
        for column in columns
        for row in range(len(rows))
        if rows[row]["ABCDEFGHIJKLMNO".index(column)] == "."
    ]
    works = (Work(kind="foxholes", hexes=", ".join(hexes)),)
    return with_terms(battle, side, lambda t: msgspec.structs.replace(t, works=works))


def with_points(battle: OstScenario, side: str) -> OstScenario:
    """Two more Impulse Points a turn."""

    def more(terms: SideTerms) -> SideTerms:
        impulses = terms.impulses
        return msgspec.structs.replace(
            terms, impulses=Impulses(dice=impulses.dice, plus=impulses.plus + 2)
        )

    return with_terms(battle, side, more)


def with_guns(battle: OstScenario, side: str) -> OstScenario:
    """Two missions of artillery, with smoke as well if anybody wants it, and an air strike."""
    guns = (Battery(kind="artillery", missions=2),)
    return with_terms(
        battle, side, lambda t: msgspec.structs.replace(t, artillery=guns, air_strikes=1)
    )


HELPS: dict[str, Change] = {
    "elite troops": of_quality("elite"),
    "two more leaders": with_leaders,
    "foxholes at home": dug_in,
    "guns and an aircraft": with_guns,
    "two more points a turn": with_points,
}


@pytest.mark.parametrize("name", HELPS)
def test_what_helps_a_player_never_lowers_the_doctrines_chance_to_win(name):
    """The sign test must not find the helped side worse."""
    better, worse = paired(HELPS[name], name)
    assert better + worse > PAIRS // 10, "it changed next to nothing"
    assert sign_test(better, worse) > ALPHA, f"better in {better}, worse in {worse}"


def test_poor_troops_never_raise_the_chance_to_win():
    """They rally worse: the sign test must not find the side with them better."""
    better, worse = paired(of_quality("poor"), "poor troops")
    assert better + worse > PAIRS // 10, "it changed next to nothing"
    assert sign_test(worse, better) > ALPHA, f"better in {better}, worse in {worse}"


def prepared(times: int) -> OstScenario:
    """The Allies attack Germans who hold all places from trenches, with so many times the force
    and the points."""
    battle = scenario(MIRROR)
    held = ("H7", "D9", "L9")
    control = tuple(msgspec.structs.replace(c, owner="axis") for c in battle.control)
    assert {c.hex for c in control} == set(held)
    works = (Work(kind="trench", hexes="I6:K7, L8, L9, H7, G7"),)
    battle = msgspec.structs.replace(battle, control=control)
    battle = with_terms(
        battle,
        "axis",
        lambda t: msgspec.structs.replace(t, posture="defend", zone="H5:O9", works=works),
    )
    battle = with_terms(
        battle,
        "allies",
        lambda t: msgspec.structs.replace(
            t,
            posture="attack",
            impulses=Impulses(dice=t.impulses.dice * times, plus=t.impulses.plus * times),
        ),
    )
    units = next(f.units for f in battle.forces if f.side == "allies")
    more = [
        msgspec.structs.replace(
            unit,
            id=f"{unit.id}-{n}",
            elements=tuple(msgspec.structs.replace(e, id=f"{e.id}-{n}") for e in unit.elements),
        )
        for n in range(1, times)
        for unit in units
    ]
    return with_forces(battle, "allies", lambda unit: unit, *more)


def test_an_attack_on_prepared_positions_needs_odds():
    """Even forces fail more often than not; three to one does far better."""
    wins = [
        sum(
            fight(begin(prepared(times), Tape(key("prepared", run)), log=False)).winner == "allies"
            for run in range(ASSAULTS)
        )
        for times in (1, 3)
    ]
    assert wins[0] < ASSAULTS // 2 < wins[1], wins
    assert wins[1] - wins[0] > ASSAULTS // 5, wins
