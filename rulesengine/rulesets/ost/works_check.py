"""What makes the works of a scenario playable (OST 13): where they may stand, one to a hex."""

from __future__ import annotations

from msgspec import UNSET

from rulesengine.geometry.hexes import Grid
from rulesengine.rulesets.ost.charts import TERRAIN_BY_KEY
from rulesengine.rulesets.ost.ground import Ground
from rulesengine.rulesets.ost.map_check import Found, add
from rulesengine.rulesets.ost.scenario import OstScenario, Work

WATER = frozenset((TERRAIN_BY_KEY["stream"], TERRAIN_BY_KEY["deep water"]))
MOST_STRIKES = 20
"""Missions of a battery, and air strikes of a side."""
BARRED = {"bunker": "13.4.3", "pillbox": "13.5.3"}
"""What stands neither in structures nor in water, and the rule."""


def check_works(scenario: OstScenario, grid: Grid, ground: Ground, found: Found) -> None:
    """Add every fault of both sides' works to `found`."""
    taken: set[int] = set()
    for index, terms in enumerate(scenario.terms):
        where = f"terms[{index}]"
        if not 0 <= terms.air_strikes <= MOST_STRIKES:
            add(found, f"{where}.air_strikes", f"0 to {MOST_STRIKES}")
        for at, battery in enumerate(terms.artillery):
            if not 1 <= battery.missions <= MOST_STRIKES:
                what = f"a battery fires 1 to {MOST_STRIKES} missions, not {battery.missions}."
                mend = "Leave out a battery that fires none." if battery.missions == 0 else ""
                add(found, f'{where}.artillery[{at}] ("{battery.kind}").missions', what, mend)
            if battery.on is not UNSET and not 1 <= battery.on <= 6:
                add(found, f"{where}.artillery[{at}].on", "a number on a die, 1 to 6 [2.1.p4]")
        for at, work in enumerate(terms.works):
            where = f'terms[{index}].works[{at}] ("{work.kind}")'
            try:
                hexes = grid.area(work.hexes)
            except ValueError as error:
                add(found, f"{where}.hexes", str(error))
                continue
            twice = sorted(taken.intersection(hexes))
            if twice:
                names = ", ".join(grid.name(h) for h in twice[:4])
                add(found, f"{where}.hexes", f"{names}: a marker stands there already [13.0.p2]")
            taken.update(hexes)
            if work.kind == "mines" or work.hidden:
                rule = "13.3.1" if work.kind == "mines" else "21.0.2"
                _check_secret(scenario, index, hexes, grid, where, rule, found)
            _check_place(work, hexes, grid, ground, where, found)


def _check_secret(
    scenario: OstScenario,
    index: int,
    hexes: tuple[int, ...],
    grid: Grid,
    where: str,
    rule: str,
    found: Found,
) -> None:
    """Nobody sets up on mines of the enemy, nor in what he has hidden: he would find it before the
    battle. OST 13.3.1, 21.0.2."""
    for terms in scenario.terms[:index] + scenario.terms[index + 1 :]:
        try:
            zone = set(grid.area(terms.zone))
        except ValueError:
            continue  # told of at the zone itself
        amiss = sorted(zone.intersection(hexes))
        if amiss:
            names = ", ".join(grid.name(h) for h in amiss[:4])
            what = f"{names}: the enemy ({terms.side}) sets up there [{rule}]"
            add(found, f"{where}.hexes", what, "Lay them outside his zone.")


def _check_place(
    work: Work, hexes: tuple[int, ...], grid: Grid, ground: Ground, where: str, found: Found
) -> None:
    if (work.kind == "pillbox") != bool(work.facing):
        mend = 'Write facing = "NE".' if work.kind == "pillbox" else "Leave it out."
        what = "a pillbox looks one way, nothing else does [13.5.8]"
        add(found, f"{where}.facing", what, mend)
    if work.hidden and work.kind not in ("bunker", "cover"):
        mines = work.kind == "mines"
        what = "mines are hidden anyhow" if mines else "only bunkers and cover can be hidden"
        add(found, f"{where}.hidden", f"{what} [21.0.2]", "Leave it out.")
    if work.kind not in BARRED:
        return
    amiss = [h for h in hexes if ground.structure[h] or not WATER.isdisjoint(ground.terrain[h])]
    if amiss:
        names = ", ".join(grid.name(h) for h in amiss[:4])
        rule = BARRED[work.kind]
        add(found, f"{where}.hexes", f"{names}: not in a structure or a stream [{rule}]")
