"""Which packs there are, and what can be fought of them: `python -m rulesengine packs`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rulesengine import loader
from rulesengine.odds import Fault
from rulesengine.pack import Pack
from rulesengine.quantities import many

SHIPPED = Path(__file__).parents[1] / "fixtures" / "packs"


def add_to(commands: Any) -> None:
    """The command beside the others."""
    packs = commands.add_parser("packs", help="list packs and the scenarios in them")
    packs.add_argument(
        "folder", type=Path, nargs="?", default=SHIPPED, help="with packs in it; else Sitrep's own"
    )
    packs.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print every pack below a folder with the path of each scenario; 1 if a pack is faulty."""
    folder: Path = options.folder
    if not folder.is_dir():
        raise Fault(f"rulesengine: there is no folder {folder}")
    found = [head.parent for head in sorted(folder.glob("**/pack.toml"))]
    if not found:
        raise Fault(f"rulesengine: no folder below {folder} has a pack.toml")
    faulty = 0
    for each in found:
        try:
            _print_pack(each, loader.load_pack(each))
        except loader.BadPack as bad:
            faulty += 1
            faults = many(len(bad.faults), "fault")
            print(f"{each.name}: {faults}; python -m rulesengine validate {_near(each)} tells them")
    return int(faulty > 0)


def _print_pack(folder: Path, pack: Pack) -> None:
    print(f"{pack.head.key}: {pack.head.title} ({pack.head.kind}, {pack.head.ruleset})")
    rungs = dict.fromkeys(rung.scenario for rung in pack.head.ladder)
    for key in (*rungs, *sorted(pack.scenarios.keys() - rungs.keys())):
        path = _near(folder / "scenarios" / f"{key}.toml")
        print(f"  {path}: {pack.scenarios[key].title}")


def _near(path: Path) -> Path:
    """A path as one writes it from here, where it lies below."""
    here, full = Path.cwd(), path.absolute()
    return full.relative_to(here) if full.is_relative_to(here) else full
