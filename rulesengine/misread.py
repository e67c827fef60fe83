"""What a strict reader's complaint means: where it was, and what could have been there.

The reader says `Invalid enum value 'good' - at $.morale`; which words there are stands in the type,
found by walking it beside the document along that path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import inspect

_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_WRONG_WORD = "Invalid enum value"


def explained(error: Exception, text: bytes | str, kind: Any) -> str:
    """`$.path: what is amiss`, with the words there are where one is none of them."""
    message, _, path = str(error).partition(" - at ")
    path = path.strip("`") or "$"
    if message.startswith(_WRONG_WORD):
        words = _words(text, kind, path)
        if words:
            message += f"; it is one of {', '.join(map(_shown, words))}"
    if message[1:2].islower():
        message = message[0].lower() + message[1:]
    return message if message.startswith("JSON") else f"{path}: {message}"


def _shown(word: Any) -> str:
    return f'"{word}"' if isinstance(word, str) else str(word)


def _words(text: bytes | str, kind: Any, path: str) -> tuple[Any, ...]:
    """What may stand at a path of a document; () where that cannot be told."""
    here, at = msgspec.json.decode(text), inspect.type_info(kind)
    for step in _STEP.finditer(path):
        name, number = step.groups()
        at = _bare(at, here)
        try:
            here = here[name] if number is None else here[int(number)]
        except (KeyError, IndexError, TypeError):
            return ()
        at = _inside(at, name, int(number or 0))
    return _literals(_arms(at))


def _inside(at: inspect.Type, name: str | None, number: int) -> inspect.Type:
    """The type of a part: of a named field, of an entry of a list or of a table."""
    if isinstance(at, inspect.StructType) and name is not None:
        return next((f.type for f in at.fields if f.encode_name == name), inspect.AnyType())
    if isinstance(at, (inspect.ListType, inspect.VarTupleType)):
        return at.item_type
    if isinstance(at, inspect.TupleType) and number < len(at.item_types):
        return at.item_types[number]
    return at.value_type if isinstance(at, inspect.DictType) else inspect.AnyType()


def _bare(at: inspect.Type, here: Any) -> inspect.Type:
    """A type without its notes; of several structs the one that a document says it is."""
    arms = _arms(at)
    said = here if isinstance(here, dict) else {}
    structs = [arm for arm in arms if isinstance(arm, inspect.StructType) and arm.tag_field]
    meant = [arm for arm in structs if said.get(str(arm.tag_field)) == arm.tag]
    real = [arm for arm in arms if not isinstance(arm, inspect.NoneType)]
    return (meant or real or [at])[0]


def _arms(at: inspect.Type) -> list[inspect.Type]:
    while isinstance(at, inspect.Metadata):
        at = at.type
    if isinstance(at, inspect.UnionType):
        return [arm for inner in at.types for arm in _arms(inner)]
    return [at]


def _literals(arms: Iterable[inspect.Type]) -> tuple[Any, ...]:
    literal = [arm for arm in arms if isinstance(arm, inspect.LiteralType)]
    return tuple(word for arm in literal for word in arm.values)
