"""Reading one file strictly, and telling every fault of its shape at once.

`shape` walks a plain value beside the type it should have and lists what does not fit: unknown
keys with the nearest known one, missing keys, wrong types. Only what fits is converted.
A place is written as a person would look for it: `units[2] ("2. Kompanie").elements`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from stat import S_ISREG
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from rulesengine.names import name_fault, text_fault
from rulesengine.pack import Fault

LARGEST = 1_000_000
"""Bytes; no file of a pack is larger."""

_WORDS: dict[Any, str] = {int: "a whole number", str: "text", bool: "true or false"}
_SHOWN = ("name", "title")
"""Keys whose text is what a person calls a thing."""
_NAMES = ("name", "title", "key", "unit", "side", "hex")


UNKNOWN_KEY = 'no key "{}" is known here.'


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is all but the same, or ""."""
    return next(iter(get_close_matches(word, sorted(set(known)), n=1, cutoff=0.6)), "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'Did you mean "x"?', or "x" or "y" that have the word in them; with nothing near, the first
    few words there are."""
    choices = sorted(set(known))
    within = [choice for choice in choices if word in choice.split()]
    if within:
        return "Did you mean " + " or ".join(f'"{choice}"' for choice in within) + "?"
    near = nearest(word, choices)
    if near:
        return f'Did you mean "{near}"?'
    if not choices:
        return "There are none."
    more = " ..." if len(choices) > 8 else ""
    return f"There are: {', '.join(choices[:8])}{more}."


def read_toml(path: Path, name: str, faults: list[Fault]) -> dict[str, Any] | None:
    """The plain content of a TOML file; None, and a fault, when it cannot be read."""
    try:
        found = path.stat()
        if not S_ISREG(found.st_mode):
            faults.append(Fault(file=name, where="", what="is not a plain file"))
            return None
        if found.st_size > LARGEST:
            faults.append(Fault(file=name, where="", what="the file is larger than a megabyte"))
            return None
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        faults.append(Fault(file=name, where="", what="there is no such file"))
    except OSError as error:
        faults.append(Fault(file=name, where="", what=f"cannot be read: {error.strerror}"))
    except UnicodeDecodeError:
        faults.append(Fault(file=name, where="", what="is not text in UTF-8"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        faults.append(Fault(file=name, where="", what=f"is not TOML: {error}"))
    return None


def _choices(hint: Any) -> str:
    """What a missing key may be, where it is one of a few words."""
    if get_origin(hint) is not Literal:
        return ""
    return f"It is one of: {', '.join(map(str, get_args(hint)))}."


class Shape:
    """Compares plain values with a type and gathers the faults of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.sound = True
        """Whether the value can be converted once `stray` keys are left out."""

    def fault(self, where: str, what: str, mend: str = "", *, fatal: bool = True) -> None:
        self.faults.append(Fault(file=self.file, where=where, what=what, mend=mend))
        self.sound = self.sound and not fatal

    def walk(self, value: Any, hint: Any, where: str = "") -> Any:
        """The value without its unknown keys; faults are gathered on the way."""
        origin = get_origin(hint)
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self._struct(value, hint, where)
        if origin in (tuple, list):
            return self._list(value, get_args(hint), where)
        if origin is dict:
            return self._dict(value, get_args(hint)[1], where)
        if origin in (Union, UnionType):
            arms = [arm for arm in get_args(hint) if arm is not msgspec.UnsetType]
            if len(arms) == 1:
                return self.walk(value, arms[0], where)
        return self._leaf(value, hint, where)

    def _struct(self, value: Any, hint: type[msgspec.Struct], where: str) -> Any:
        if not isinstance(value, dict):
            self.fault(where, f"expected a table of keys, got {_shown(value)}")
            return value
        fields = {f.encode_name: f for f in msgspec.structs.fields(hint)}
        meant = self._strays(value, fields, where)
        for key, field in fields.items():
            if field.required and key not in value and key not in meant:
                choices = _choices(field.type)
                self.fault(where, f'the key "{key}" is missing{"." if choices else ""}', choices)
        unsaid = {key for key, inner in value.items() if inner == "" and _may_be_empty(fields, key)}
        unsaid |= meant
        return {
            key: inner if key in unsaid else self.walk(inner, fields[key].type, _join(where, key))
            for key, inner in value.items()
            if key in fields
        }

    def _strays(self, value: dict[str, Any], fields: dict[str, Any], where: str) -> set[str]:
        """Tell of each unknown key. Returns those that were meant by them: of such a key it is
        known already what is amiss, so that it is missing, or short, is not said again."""
        meant: set[str] = set()
        for key, inner in value.items():
            if key in fields:
                continue
            near = nearest(key, fields)
            part = isinstance(inner, (list, dict))
            lacking = near in fields and (part or (near not in value and fields[near].required))
            self.fault(where, UNKNOWN_KEY.format(key), did_you_mean(key, fields), fatal=lacking)
            meant |= {near} if lacking else set()
        return meant

    def _list(self, value: Any, hints: tuple[Any, ...], where: str) -> Any:
        if not isinstance(value, (list, tuple)):
            self.fault(where, f"expected a list, got {_shown(value)}")
            return value
        if hints[-1:] != (...,) and len(hints) > 1 and len(hints) != len(value):
            self.fault(where, f"expected a list of {len(hints)}, got {len(value)}")
            return value
        each = [hints[0]] * len(value) if len(hints) == 1 or hints[1] is ... else hints
        return [
            self.walk(inner, hint, f"{where}[{index}]{named(inner)}")
            for index, (inner, hint) in enumerate(zip(value, each, strict=True))
        ]

    def _dict(self, value: Any, hint: Any, where: str) -> Any:
        if not isinstance(value, dict):
            self.fault(where, f"expected a table of keys, got {_shown(value)}")
            return value
        return {key: self.walk(inner, hint, _join(where, key)) for key, inner in value.items()}

    def _leaf(self, value: Any, hint: Any, where: str) -> Any:
        try:
            msgspec.convert(value, hint)
        except (msgspec.ValidationError, OverflowError, TypeError, ValueError):
            self.fault(
                where, f"expected {_expected(hint)}, got {_shown(value)}.", _near(value, hint)
            )
        if isinstance(value, str):
            self._text(value, where)
        return value

    def _text(self, value: str, where: str) -> None:
        """What is not seen, or is a name and shows nothing, would be read as something else."""
        is_name = where.rpartition(".")[2] in _SHOWN
        why = name_fault(value) if is_name else text_fault(value)
        if why:
            word = "name" if is_name else "text"
            self.fault(where, f"the {word} cannot stand: {why}.", "Write it anew.", fatal=False)


def _may_be_empty(fields: dict[str, Any], key: str) -> bool:
    """Whether an empty text says no more than the key left out: so a document written out by the
    machine, with all its keys, is read back."""
    return key in fields and fields[key].default == ""


def convert(value: Any, hint: Any, file: str, faults: list[Fault], where: str = "") -> Any:
    """The value as its type, or None with every fault of its shape added to `faults`."""
    shape = Shape(file)
    fitted = shape.walk(value, hint, where)
    faults.extend(shape.faults)
    return msgspec.convert(fitted, hint) if shape.sound else None


def named(value: Any) -> str:
    """' ("2. Kompanie")' for an entry of a list that has a name, a key or the like."""
    for key in _NAMES:
        name = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
        if isinstance(name, str) and not name_fault(name):
            return f' ("{name[:60]}")'
    return ""


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, dict):
        return "a table of keys"
    return "a list" if isinstance(value, list) else str(value)[:40]


def _expected(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        kind, *bounds = get_args(hint)
        longest = next((b.max_length for b in bounds if isinstance(b, msgspec.Meta)), None)
        words = _expected(kind)
        return words if longest is None else f"{words} of at most {longest} characters"
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(f'"{word}"' for word in get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_expected(inner) for inner in get_args(hint) if inner is not type(None))
    return _WORDS.get(hint, "something else")


def _near(value: Any, hint: Any) -> str:
    if get_origin(hint) is Literal and isinstance(value, str):
        near = nearest(value, map(str, get_args(hint)))
        return f'Did you mean "{near}"?' if near else ""
    return ""
