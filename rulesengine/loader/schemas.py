"""JSON Schemas of the files of a pack, as a club writes them: for editors that check TOML.

The scenario of a pack says less than the canonical document: sides, forces, ground and ruleset
are said by the pack, and what is named for its file need not say its key.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from rulesengine import registry
from rulesengine.pack import OrderOfBattle, PackHead, Pick

SAID_BY_THE_PACK = ("schema", "ruleset", "sides", "forces", "ground", "counters")
"""Keys of a scenario document that a scenario of a pack leaves to the pack."""

FILES = {
    "pack": "pack.toml",
    "oob": "oob/<side>.toml",
    "battlefield": "battlefields/<key>.toml",
    "pack-scenario": "scenarios/<key>.toml",
    "counters": "counters.toml",
}


class _Added(msgspec.Struct):
    """What a scenario of a pack says besides its document."""

    battlefield: str
    picks: dict[str, tuple[Pick, ...]]


def file_schema(key: str, file: str) -> dict[str, Any]:
    """The JSON Schema of a kind of file (`FILES`) for a ruleset. Raises UnknownRuleset."""
    scenario = registry.ruleset(key).scenario_type
    if file == "pack":
        return _schema(PackHead)
    if file == "oob":
        return _schema(OrderOfBattle, named="side")
    fields = {field.name: field.type for field in msgspec.structs.fields(scenario)}
    if file == "battlefield":
        return _schema(fields["ground"], named="key")
    if file == "counters":
        listed = msgspec.defstruct(
            "Counters", [("counters", fields["counters"])], forbid_unknown_fields=True
        )
        return _schema(listed)
    found = _schema(scenario, without=SAID_BY_THE_PACK, named="key")
    added = _schema(_Added)
    found["properties"] |= added["properties"]
    found["required"] += added["required"]
    found["$defs"] |= added["$defs"]
    found["description"] = f"{FILES[file]}: one battle of a pack."
    return found


def _schema(kind: Any, without: Iterable[str] = (), named: str = "") -> dict[str, Any]:
    """The schema of a type with its own keys on top. `named`: the key that the file's name says."""
    plain = msgspec.json.schema(kind)
    definitions = plain.pop("$defs")
    whole: dict[str, Any] = definitions.pop(plain.pop("$ref").rpartition("/")[2])
    gone = set(without)
    whole["properties"] = {k: v for k, v in whole["properties"].items() if k not in gone}
    required = [k for k in whole.get("required", ()) if k not in gone and k != named]
    return {**whole, "required": required, "$defs": definitions}
