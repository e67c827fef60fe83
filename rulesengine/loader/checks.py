"""What a pack must be true to beyond the shape of its files, whatever its ruleset.

Each function reads one document of a pack and adds what is wrong with it to the faults; the
ground and the terms of a battle are for its ruleset to check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from rulesengine.documents import Catalogue, Scenario, Side
from rulesengine.loader.reading import UNKNOWN_KEY, did_you_mean, named, nearest
from rulesengine.names import RESERVED, alike, key_fault, side_key_fault
from rulesengine.pack import Fault, OrderOfBattle, PackHead, PackSide, PackUnit, Pick

COLOURS = ("field-grey", "olive", "red", "blue", "sand", "brown")

BESIDES = ("battlefield", "picks")
"""Keys of a scenario file that are not in its document."""

Units = Mapping[str, Mapping[str, PackUnit]]
"""Side key -> unit key -> unit."""


def check_head(head: PackHead, folder: str, faults: list[Fault]) -> None:
    """`pack.toml` by itself: key, date, sides."""

    def fault(where: str, what: str, mend: str = "") -> None:
        faults.append(Fault(file="pack.toml", where=where, what=what, mend=mend))

    check_key(head.key, "key", "pack.toml", faults)
    if head.key != folder:
        mend = f'Rename the folder to "{head.key}", or write key = "{folder}" in pack.toml.'
        fault("key", f'the key is "{head.key}", but the folder is named "{folder}".', mend)
    try:
        datetime.fromisoformat(head.starts)
    except ValueError:
        fault("starts", f'"{head.starts}" is not a date.', 'Write it as "1944-12-19T06:00".')
    if head.sides[0].key == head.sides[1].key:
        fault("sides", f'both sides have the key "{head.sides[0].key}"')
    if alike(head.sides[0].name, head.sides[1].name):
        what = f'both sides are called "{head.sides[0].name}".'
        fault("sides[1].name", what, "Give one of them another name.")
    for index, side in enumerate(head.sides):
        if side.colour not in COLOURS:
            mend = did_you_mean(side.colour, COLOURS)
            fault(f"sides[{index}].colour", f'no colour "{side.colour}".', mend)
    check_sides(head.sides, "pack.toml", faults)
    for index, rung in enumerate(head.ladder):
        check_key(rung.key, f"ladder[{index}].key", "pack.toml", faults)


def check_side_files(head: PackHead, there: set[str], faults: list[Fault]) -> bool:
    """Whether each side has its order of battle. Where one has none, and one is there that no side
    has, a key is misspelt: all that names the side would be told of with it."""
    others = there - {side.key for side in head.sides}
    lacking = [side.key not in there for side in head.sides]
    for index, side in enumerate(head.sides):
        if lacking[index] and others:
            what = (
                f'no order of battle oob/{side.key}.toml, the file that the side "{side.key}" has.'
            )
            where = f"sides[{index}]{named(side)}.key"
            mend = did_you_mean(side.key, others)
            faults.append(Fault(file="pack.toml", where=where, what=what, mend=mend))
    return not (any(lacking) and others)


def check_besides(
    plain: Mapping[str, Any], document: type[Scenario], file: str, faults: list[Fault]
) -> bool:
    """Whether a scenario file spells right what it says besides its document."""
    known = [*(field.encode_name for field in msgspec.structs.fields(document)), *BESIDES]
    before = len(faults)
    for key in sorted(set(plain).difference(known)):
        near = nearest(key, known)
        if near in BESIDES and near not in plain:
            what, mend = UNKNOWN_KEY.format(key), f'Did you mean "{near}"?'
            faults.append(Fault(file=file, where="", what=what, mend=mend))
    return len(faults) == before


def check_nations(head: PackHead, catalogue: Catalogue, faults: list[Fault]) -> None:
    """Each side is of a nation that the ruleset has counters of, if it tells them by nation."""
    known = {element.nation for element in catalogue.elements if element.nation}
    for index, side in enumerate(head.sides):
        if known and side.nation not in known:
            what, mend = f'no nation "{side.nation}".', did_you_mean(side.nation, known)
            where = f"sides[{index}]{named(side)}.nation"
            faults.append(Fault(file="pack.toml", where=where, what=what, mend=mend))


def check_sides(sides: Sequence[PackSide | Side], file: str, faults: list[Fault]) -> None:
    """No side's key is a word that means something else where sides are named."""
    for index, side in enumerate(sides):
        why = side_key_fault(side.key)
        if why:
            what = f'"{side.key}" cannot be the key of a side: {why}.'
            mend = f"Give it another; not: {', '.join(RESERVED)}."
            faults.append(Fault(file=file, where=f"sides[{index}].key", what=what, mend=mend))


def check_key(key: str, where: str, file: str, faults: list[Fault]) -> None:
    """A key that can stand in an address, a field of a form and an id."""
    why = key_fault(key)
    if why:
        what, mend = f'"{key[:60]}" cannot be a key: {why}.', 'Write one like "first-platoon".'
        faults.append(Fault(file=file, where=where, what=what, mend=mend))


def check_replacements(
    head: PackHead, units: Units, catalogue: Catalogue, faults: list[Fault]
) -> None:
    """Replacements come before a rung there is, for a unit there is, of a type there is."""
    rungs = {rung.key for rung in head.ladder}
    authorised = {key: unit for side in units.values() for key, unit in side.items()}
    types = {element.key for element in catalogue.elements}
    for index, item in enumerate(head.replacements):
        where = f'replacements[{index}] ("{item.unit}")'
        for word, words, thing in (
            (item.before, rungs, "rung"),
            (item.unit, authorised, "unit"),
            (item.element, types, "unit type"),
        ):
            if word not in words:
                mend = did_you_mean(word, words)
                what = f'no {thing} "{word}".'
                faults.append(Fault(file="pack.toml", where=where, what=what, mend=mend))
        if item.quantity < 1:
            what = f"{item.quantity} is no number of replacements"
            faults.append(Fault(file="pack.toml", where=where, what=what))
        unit = authorised.get(item.unit)
        if unit is None or item.element not in types or not unit.elements.keys() <= types:
            continue  # told already
        if item.element not in unit.elements:
            what = f'its establishment has no "{item.element}": none would ever come.'
            mend = did_you_mean(item.element, unit.elements)
            faults.append(Fault(file="pack.toml", where=where, what=what, mend=mend))


def check_order_of_battle(
    oob: OrderOfBattle, file: str, catalogue: Catalogue, faults: list[Fault]
) -> None:
    """Formations form a tree, units hang in it and hold elements that exist."""
    _check_formations(oob, file, faults)
    formations = {formation.key for formation in oob.formations}
    types = {element.key for element in catalogue.elements}
    seen: set[str] = set()
    for index, unit in enumerate(oob.units):
        where = f"units[{index}]{named(unit)}"

        def fault(what: str, mend: str = "", where: str = where) -> None:
            faults.append(Fault(file=file, where=where, what=what, mend=mend))

        check_key(unit.key, f"{where}.key", file, faults)
        if unit.key in seen:
            fault(f'another unit has the key "{unit.key}"')
        seen.add(unit.key)
        if unit.formation not in formations:
            fault(f'no formation "{unit.formation}".', did_you_mean(unit.formation, formations))
        if unit.quality and unit.quality not in catalogue.qualities:
            mend = did_you_mean(unit.quality, catalogue.qualities)
            fault(f'no quality "{unit.quality}".', mend)
        if not unit.elements:
            fault("it has no elements")
        for element, quantity in unit.elements.items():
            if element not in types:
                fault(f'no unit type "{element}".', did_you_mean(element, types))
            if not 1 <= quantity <= 99:
                fault(f'{quantity} of "{element}": a unit has 1 to 99 of a type')


def _check_formations(oob: OrderOfBattle, file: str, faults: list[Fault]) -> None:
    parents = {formation.key: formation.parent for formation in oob.formations}
    seen: set[str] = set()
    for index, formation in enumerate(oob.formations):
        where = f"formations[{index}]{named(formation)}"
        check_key(formation.key, f"{where}.key", file, faults)
        if formation.key in seen:
            what = f'another formation has the key "{formation.key}"'
            faults.append(Fault(file=file, where=where, what=what))
        seen.add(formation.key)
        if formation.parent and formation.parent not in parents:
            mend = did_you_mean(formation.parent, parents)
            what = f'no formation "{formation.parent}" to be under.'
            faults.append(Fault(file=file, where=where, what=what, mend=mend))
        above, steps = formation.parent, 0
        while above not in ("", formation.key) and steps <= len(parents):
            above, steps = parents.get(above, ""), steps + 1
        if above == formation.key:
            faults.append(Fault(file=file, where=where, what="it is under itself"))


def check_picks(
    picks: Mapping[str, tuple[Pick, ...]],
    units: Units,
    file: str,
    faults: list[Fault],
    *,
    sound: bool,
) -> None:
    """Each side picks units of its own, once, and no more elements than they have. `sound`:
    whether the orders of battle are right; if not, it is not known what a unit has."""
    strange = [side for side in picks if side not in units]
    for side in strange:
        what = f'no side "{side}".'
        mend = did_you_mean(side, units)
        faults.append(Fault(file=file, where="picks", what=what, mend=mend))
    for side, own in units.items():
        if not picks.get(side) and not strange:
            what = f'the side "{side}" brings nobody'
            faults.append(Fault(file=file, where=f"picks.{side}", what=what))
        seen: set[str] = set()
        for index, pick in enumerate(picks.get(side, ())):
            where = f"picks.{side}[{index}]{named(pick)}"
            if pick.unit in seen:
                faults.append(Fault(file=file, where=where, what="it is picked twice"))
                continue
            seen.add(pick.unit)
            _check_pick(pick, own, where, file, faults, sound=sound)


def check_arrivals(
    scenario: Scenario,
    units: Units,
    picks: Mapping[str, tuple[Pick, ...]],
    file: str,
    faults: list[Fault],
    *,
    told: bool,
) -> None:
    """Reinforcements are units of the orders of battle that the scenario's own forces bring.
    `told`: whether the picks are faulty, so that it is not known who else would come."""
    known = {key for own in units.values() for key in own}
    picked = {pick.unit for chosen in picks.values() for pick in chosen}
    for index, arrival in enumerate(scenario.arrivals):
        for key in arrival.units:
            if key in picked:
                continue
            where = f"arrivals[{index}].units"
            if key not in known:
                mend = did_you_mean(key, known)
                faults.append(Fault(file=file, where=where, what=f'no unit "{key}".', mend=mend))
            elif not told:
                what = f'"{key}" arrives, but no side picks it here.'
                mend = "Pick it, or leave it out of the arrivals."
                faults.append(Fault(file=file, where=where, what=what, mend=mend))


def _check_pick(
    pick: Pick,
    own: Mapping[str, PackUnit],
    where: str,
    file: str,
    faults: list[Fault],
    *,
    sound: bool,
) -> None:
    def fault(what: str, mend: str = "") -> None:
        faults.append(Fault(file=file, where=where, what=what, mend=mend))

    unit = own.get(pick.unit)
    if unit is None:
        fault(f'this side has no unit "{pick.unit}".', did_you_mean(pick.unit, own))
        return
    for element, quantity in pick.elements.items() if sound else ():
        has = unit.elements.get(element, 0)
        if not has:
            fault(f'the unit has no "{element}".', did_you_mean(element, unit.elements))
        elif not 1 <= quantity <= has:
            fault(f'{quantity} of "{element}" are picked, the unit has {has}')
