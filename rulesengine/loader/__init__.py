"""Reading packs and scenario files: all of it first, every fault at once, nothing half loaded.

`load_pack` reads a folder, `load_scenario` one scenario: a file of a pack, a file that stands
alone with its map and order of battle beside it, or the JSON document itself. The shape of a
file is checked against its type, its sense here and by its ruleset. A faulty pack raises
`BadPack`, whose text lists each fault with its file, its place and a suggestion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rulesengine import registry
from rulesengine.documents import (
    BadDocument,
    Catalogue,
    Element,
    Force,
    Scenario,
    Unit,
    bytes_of,
    read,
)
from rulesengine.loader.checks import (
    check_arrivals,
    check_besides,
    check_head,
    check_key,
    check_nations,
    check_order_of_battle,
    check_picks,
    check_replacements,
    check_side_files,
    check_sides,
)
from rulesengine.loader.ladder import check_ladder
from rulesengine.loader.reading import convert, did_you_mean, read_toml
from rulesengine.loader.schemas import SAID_BY_THE_PACK
from rulesengine.loader.written import check_written
from rulesengine.pack import Fault, OrderOfBattle, Pack, PackHead, PackUnit, Pick

Picks = dict[str, tuple[Pick, ...]]
Check = Callable[[Any], list[Fault]]

_PICKS: Any = dict[str, tuple[Pick, ...]]

SCHEMA = "battle-scenario/1"
NO_GROUND = 'the key "ground" is missing'
COUNTERS = "counters.toml"
"""Counters of the ruleset's catalogue that a pack prints otherwise."""


class BadPack(Exception):
    """A pack or scenario is faulty. `faults` has every fault; the text lists them a line each."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = tuple(faults)


class Kit(msgspec.Struct, frozen=True):
    """What the loader needs of a ruleset."""

    scenario_type: type[Scenario]
    catalogue: Catalogue
    check: Check | None


def load_pack(folder: Path) -> Pack:
    """Read and check a pack folder. Raises BadPack with every fault."""
    faults: list[Fault] = []
    folder = Path(folder).absolute()
    if not folder.exists():
        raise BadPack([Fault(file=folder.name, where="", what="there is no such folder")])
    pack = _Reader(folder, faults).pack()
    if faults or pack is None:
        raise BadPack(faults)
    return pack


def load_scenario(path: Path) -> Scenario:
    """Read and check one scenario file (TOML or JSON). Raises BadPack with every fault."""
    path = Path(path).absolute()
    if path.suffix == ".json":
        return _json_scenario(path)
    folder = path.parent.parent
    if path.parent.name == "scenarios" and (folder / "pack.toml").exists():
        scenarios = load_pack(folder).scenarios
        if path.suffix == ".toml" and path.stem in scenarios:
            return scenarios[path.stem]
        mend = did_you_mean(path.name, [f"{name}.toml" for name in scenarios])
        raise BadPack([Fault(file=path.name, where="", what="there is no such file.", mend=mend)])
    faults: list[Fault] = []
    scenario = _Reader(path.parent, faults).lone(path)
    if faults or scenario is None:
        raise BadPack(faults)
    return scenario


def force(side: str, picks: tuple[Pick, ...], oob: OrderOfBattle) -> Force:
    """The force of a side's picks; element ids are `<unit>/<type>/<n>`, n from 1."""
    units = {unit.key: unit for unit in oob.units}
    formations = {formation.key: formation.name for formation in oob.formations}
    return Force(
        side=side,
        units=tuple(
            Unit(
                id=pick.unit,
                name=units[pick.unit].name,
                formation=formations.get(units[pick.unit].formation, ""),
                quality=units[pick.unit].quality,
                elements=_elements(pick, units[pick.unit]),
            )
            for pick in picks
        ),
    )


def _elements(pick: Pick, unit: PackUnit) -> tuple[Element, ...]:
    chosen = pick.elements or unit.elements
    return tuple(
        Element(id=f"{unit.key}/{kind}/{n}", type=kind)
        for kind in unit.elements
        for n in range(1, chosen.get(kind, 0) + 1)
    )


def _json_scenario(path: Path) -> Scenario:
    """A scenario document as the product stores it."""
    try:
        with path.open("rb") as file:
            text = bytes_of(file, path.name)
        key = msgspec.json.decode(text, type=dict[str, Any]).get("ruleset")
    except (
        OSError,
        BadDocument,
        msgspec.DecodeError,
        UnicodeDecodeError,
        RecursionError,
    ) as error:
        what = str(error).removeprefix(f"{path.name}: ")
        raise BadPack([Fault(file=path.name, where="", what=what)]) from error
    faults: list[Fault] = []
    kit = _kit(key, path.name, faults)
    if kit is None:
        raise BadPack(faults)
    try:
        scenario = read(text, kit.scenario_type, path.name)
    except (BadDocument, RecursionError) as error:
        what = str(error).removeprefix(f"{path.name}: ")
        raise BadPack([Fault(file=path.name, where="", what=what)]) from error
    found = kit.check(scenario) if kit.check else []
    check_sides(scenario.sides, path.name, found)
    convert(msgspec.to_builtins(scenario), kit.scenario_type, path.name, found)
    check_written(scenario, path.name, found)
    if found:
        raise BadPack([msgspec.structs.replace(f, file=path.name) for f in found])
    return scenario


def _kit(key: Any, file: str, faults: list[Fault]) -> Kit | None:
    """The ruleset of a key, or None and a fault."""
    known = registry.keys()
    if not isinstance(key, str) or key not in known:
        mend = did_you_mean(str(key), known)
        what = f'no ruleset "{key}".' if isinstance(key, str) else "it does not name its ruleset."
        faults.append(Fault(file=file, where="ruleset", what=what, mend=mend))
        return None
    rules = registry.ruleset(key)
    return Kit(rules.scenario_type, rules.catalogue(), _check_of(rules))


def _check_of(rules: Any) -> Check | None:
    """The ruleset's own check of a scenario, if it has one."""
    check: Check | None = getattr(rules, "check", None)
    return check


class _Reader:
    """Reads one folder; every fault goes to `faults`."""

    def __init__(self, folder: Path, faults: list[Fault]) -> None:
        self.folder = folder
        self.faults = faults
        self.sound_oob = True
        """False once an order of battle has a fault: no force is made of it, so that what is amiss
        with it is not told of again."""
        self.counters: Any = None
        """What `counters.toml` of a pack lists, if there is one; it goes into each scenario."""
        self.sides_said = False
        """Whether the sides are those of a pack, whose faults are told once, of `pack.toml`."""

    def pack(self) -> Pack | None:
        plain = read_toml(self.folder / "pack.toml", "pack.toml", self.faults)
        if plain is None:
            return None
        key = plain.get("ruleset")
        kit = _kit(key, "pack.toml", self.faults) if isinstance(key, str) else None
        head: PackHead | None = convert(plain, PackHead, "pack.toml", self.faults)
        if head is None or kit is None:
            return None
        self.sides_said = True
        check_head(head, self.folder.name, self.faults)
        check_nations(head, kit.catalogue, self.faults)
        if not check_side_files(head, set(self._names("oob")), self.faults):
            return None
        oobs = [self._oob(f"oob/{side.key}.toml", kit, side.key) for side in head.sides]
        self._strays("oob", {side.key for side in head.sides})
        if any(oob is None for oob in oobs):
            oobs_read = None
        else:
            oobs_read = {oob.side: oob for oob in oobs if oob is not None}
            self._shared_units(oobs_read)
        sides = [{"key": side.key, "name": side.name} for side in head.sides]
        self._counters()
        keys = self._names("scenarios")
        scenarios: dict[str, Scenario] = {}
        picks: dict[str, Picks] = {}
        for key in keys:
            found = self._pack_scenario(key, kit, sides, oobs_read)
            if found is not None:
                scenarios[key], picks[key] = found
        check_ladder(head, set(keys), self.faults)
        if oobs_read is None:
            return None
        check_replacements(head, _units(oobs_read), kit.catalogue, self.faults)
        if self.faults or len(oobs_read) != 2:
            return None
        first, second = oobs_read.values()
        return Pack(head=head, orders_of_battle=(first, second), scenarios=scenarios, picks=picks)

    def lone(self, path: Path) -> Scenario | None:
        """A scenario that stands alone, its map and orders of battle in files beside it."""
        plain = read_toml(path, path.name, self.faults)
        if plain is None:
            return None
        kit = _kit(plain.get("ruleset"), path.name, self.faults)
        if kit is None:
            return None
        if not check_besides(plain, kit.scenario_type, path.name, self.faults):
            return None
        battlefield = self._battlefield(plain, path.name, plain.pop("battlefield", None), "")
        files = convert(plain.pop("oob", []), tuple[str, ...], path.name, self.faults, "oob")
        picks: Picks | None = convert(
            plain.pop("picks", {}), _PICKS, path.name, self.faults, "picks"
        )
        oobs = [self._oob(name, kit) for name in files or ()]
        plain.setdefault("schema", SCHEMA)
        plain.setdefault("key", path.stem)
        if picks is None or any(oob is None for oob in oobs):
            return None
        found = {oob.side: oob for oob in oobs if oob is not None}
        forces: list[dict[str, Any]] | None = []
        if files:
            self._shared_units(found)
            forces = self._forces(picks, found, path.name)
            plain["forces"] = forces or []
        scenario = self._scenario(plain, kit, path.name, battlefield, complete=forces is not None)
        if scenario is not None:
            check_sides(scenario.sides, path.name, self.faults)
        if files and scenario is not None:
            check_arrivals(
                scenario, _units(found), picks, path.name, self.faults, told=forces is None
            )
        return scenario

    def _pack_scenario(
        self,
        key: str,
        kit: Kit,
        sides: list[dict[str, str]],
        oobs: Mapping[str, OrderOfBattle] | None,
    ) -> tuple[Scenario, Picks] | None:
        file = f"scenarios/{key}.toml"
        check_key(key, "key", file, self.faults)
        plain = read_toml(self.folder / file, file, self.faults)
        if plain is None:
            return None
        for word in SAID_BY_THE_PACK:
            if word in plain:
                what = f'the key "{word}" is said by the pack, not by a scenario in it.'
                mend = "Leave it out."
                self.faults.append(Fault(file=file, where="", what=what, mend=mend))
        if not check_besides(plain, kit.scenario_type, file, self.faults):
            return None
        if plain.setdefault("key", key) != key:
            what = f"the key is {plain['key']!r}, but the file is named {key!r}."
            mend = "Leave the key out: the file's name says it."
            self.faults.append(Fault(file=file, where="key", what=what, mend=mend))
        battlefield = self._battlefield(plain, file, plain.pop("battlefield", ""), "battlefields")
        picks: Picks | None = convert(plain.pop("picks", {}), _PICKS, file, self.faults, "picks")
        forces = self._forces(picks, oobs, file) if picks is not None and oobs else None
        plain |= {
            "schema": SCHEMA,
            "ruleset": kit.catalogue.ruleset,
            "sides": sides,
            "forces": forces or [],
        }
        if self.counters is not None:
            plain["counters"] = self.counters
        scenario = self._scenario(plain, kit, file, battlefield, complete=bool(forces))
        if scenario is None or picks is None:
            return None
        if oobs:
            check_arrivals(scenario, _units(oobs), picks, file, self.faults, told=forces is None)
        return scenario, picks

    def _scenario(
        self,
        plain: dict[str, Any],
        kit: Kit,
        file: str,
        battlefield: str | None,
        complete: bool = True,
    ) -> Scenario | None:
        """Convert and check a whole scenario; faults of its ground go to the map's own file.
        Where there is no map (None), that was said: that it is missing is not said again."""
        found: list[Fault] = []
        scenario: Scenario | None = convert(plain, kit.scenario_type, file, found)
        if scenario is not None and kit.check is not None:
            found += kit.check(scenario)
        if scenario is not None:
            check_written(scenario, file, found, forces=complete)
        if battlefield is None:
            found = [f for f in found if f.what != NO_GROUND]
        if self.sides_said:
            found = [f for f in found if not f.where.startswith("sides")]
        if not complete:
            found = [f for f in found if not f.where.startswith("forces")]
        for fault in found:
            if battlefield and (fault.where == "ground" or fault.where.startswith("ground.")):
                where = fault.where.removeprefix("ground").removeprefix(".")
                moved = msgspec.structs.replace(fault, file=battlefield, where=where)
            elif self.counters is not None and fault.where.startswith("counters"):
                moved = msgspec.structs.replace(fault, file=COUNTERS)
            else:
                moved = msgspec.structs.replace(fault, file=file)
            if moved not in self.faults:
                self.faults.append(moved)
        return scenario

    def _counters(self) -> None:
        """Read what the pack prints otherwise on counters, if it says anything of them."""
        if not (self.folder / COUNTERS).exists():
            return
        plain = read_toml(self.folder / COUNTERS, COUNTERS, self.faults)
        if plain is None:
            return
        for word in sorted(set(plain) - {"counters"}):
            what = f'no key "{word}" is known here.'
            mend = "Counters are written under [[counters]]."
            self.faults.append(Fault(file=COUNTERS, where="", what=what, mend=mend))
        self.counters = plain.get("counters", [])

    def _battlefield(self, plain: dict[str, Any], file: str, name: Any, folder: str) -> str | None:
        """Put the map a scenario names into it as `ground`; its file, "" where it has its ground
        in itself, None and a fault where there is no such map."""
        if name is None:
            return ""
        known = self._names(folder or "battlefields")
        if not isinstance(name, str) or (folder and name not in known):
            what = f'no battlefield "{name}".' if name else "it does not name its battlefield."
            mend = did_you_mean(str(name), known)
            self.faults.append(Fault(file=file, where="battlefield", what=what, mend=mend))
            return None
        map_file = f"{folder}/{name}.toml" if folder else name
        ground = read_toml(self.folder / map_file, map_file, self.faults)
        if ground is None:
            return None
        ground.setdefault("key", Path(map_file).stem)
        plain["ground"] = ground
        return map_file

    def _oob(self, file: str, kit: Kit, side: str | None = None) -> OrderOfBattle | None:
        plain = read_toml(self.folder / file, file, self.faults)
        if plain is None:
            return None
        if side is not None and plain.setdefault("side", side) != side:
            what = f"the side is {plain['side']!r}, but the file is named for {side!r}."
            mend = "Leave the side out: the file's name says it."
            self.faults.append(Fault(file=file, where="side", what=what, mend=mend))
            return None
        before = len(self.faults)
        oob: OrderOfBattle | None = convert(plain, OrderOfBattle, file, self.faults)
        if oob is not None:
            check_order_of_battle(oob, file, kit.catalogue, self.faults)
            self.sound_oob = self.sound_oob and len(self.faults) == before
        return oob

    def _shared_units(self, oobs: Mapping[str, OrderOfBattle]) -> None:
        sides = list(_units(oobs).values())
        for key in set(sides[0]).intersection(*sides[1:]) if len(sides) > 1 else ():
            what = f'both sides have a unit with the key "{key}"'
            self.faults.append(Fault(file="oob", where="", what=what))

    def _forces(
        self, picks: Picks, oobs: Mapping[str, OrderOfBattle], file: str
    ) -> list[dict[str, Any]] | None:
        before = len(self.faults)
        check_picks(picks, _units(oobs), file, self.faults, sound=self.sound_oob)
        if len(self.faults) > before or not self.sound_oob:
            return None
        forces = [force(side, picks[side], oob) for side, oob in oobs.items()]
        plain: list[dict[str, Any]] = msgspec.to_builtins(forces)
        return plain

    def _names(self, folder: str) -> list[str]:
        place = self.folder / folder
        return sorted(path.stem for path in place.glob("*.toml")) if place.is_dir() else []

    def _strays(self, folder: str, expected: set[str]) -> None:
        for name in self._names(folder):
            if name not in expected:
                mend = did_you_mean(name, expected)
                what = f'no side is called "{name}".'
                self.faults.append(
                    Fault(file=f"{folder}/{name}.toml", where="", what=what, mend=mend)
                )


def _units(oobs: Mapping[str, OrderOfBattle]) -> dict[str, dict[str, PackUnit]]:
    return {side: {unit.key: unit for unit in oob.units} for side, oob in oobs.items()}
