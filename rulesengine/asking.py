"""The rule questions of a ruleset as lists of fields, for whoever asks them with a form.

Everything is read off the question types: their tags, types, defaults, and the titles, words and
bounds that `msgspec.Meta` gives the published schema. A new question type needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import inspect

from rulesengine.documents import BadDocument
from rulesengine.loader import BadPack, load_scenario
from rulesengine.loader.reading import did_you_mean
from rulesengine.registry import ruleset

Kind = Literal["yes", "number", "numbers", "choice", "choices", "text", "texts", "map"]


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a question says or leaves out."""

    name: str
    """Dotted where it lies inside another: "one.vehicle"."""
    title: str
    help: str
    kind: Kind
    """What is said: yes or no, a whole number, one of `choices`, free text, or a battlefield. In
    the plural several in order, but `choices` are any of them, each once."""
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    default: Any = None
    required: bool


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of question."""

    kind: str
    """As the document says it: "infantry attack"."""
    about: str
    fields: tuple[Field, ...]

    @property
    def of_map(self) -> str:
        """The field that takes a battlefield, or ""."""
        return next((field.name for field in self.fields if field.kind == "map"), "")


def questions(key: str) -> tuple[Asked, ...]:
    """The kinds of question that a ruleset answers, in its own order; () where it answers none.

    Raises UnknownRuleset.
    """
    return tuple(
        Asked(
            kind=str(kind.tag),
            about=(kind.cls.__doc__ or "").strip(),
            fields=tuple(_fields(kind, "", "")),
        )
        for kind in _kinds(key)
    )


def slug(kind: str) -> str:
    """A kind of question in an address or as the name of a file: "gut-check"."""
    return kind.replace(" ", "-")


def schema(key: str, kind: str) -> dict[str, Any]:
    """The JSON Schema of one kind of question. Raises BadDocument with the nearest name."""
    known = {str(one.tag): one.cls for one in _kinds(key)}
    if kind not in known:
        raise BadDocument(f'no question "{kind}". {did_you_mean(kind, known)}')
    return msgspec.json.schema(known[kind])


def _kinds(key: str) -> Iterator[inspect.StructType]:
    known = inspect.type_info(ruleset(key).question_type)
    for kind in known.types if isinstance(known, inspect.UnionType) else (known,):
        if isinstance(kind, inspect.StructType) and kind.tag is not None:
            yield kind


def refuse(key: str, text: bytes, name: str) -> None:
    """Refuse a question, or a list of them, whose kind or fields are none of a ruleset's, with
    the nearest name. What is no JSON is left to the strict reader. Raises BadDocument."""
    known = {asked.kind: asked for asked in questions(key)}
    try:
        plain = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    many = isinstance(plain, list)
    for at, one in enumerate(plain if many else [plain]):
        where = f"{name}: $[{at}]" if many else f"{name}: $"
        if not known or not isinstance(one, dict) or "kind" not in one:
            continue
        asked = known.get(one["kind"]) if isinstance(one["kind"], str) else None
        if asked is None:
            mend = did_you_mean(str(one["kind"]), known)
            raise BadDocument(f'{where}.kind: no question "{one["kind"]}". {mend}')
        fields = {field.name.partition(".")[0] for field in asked.fields} | {"kind"}
        for field in one:
            if field not in fields:
                raise BadDocument(f'{where}: no field "{field}". {did_you_mean(field, fields)}')


def with_maps(key: str, text: bytes, name: str) -> bytes:
    """A question, or a list of them, with the map of a scenario in place of the scenario's path.
    For who has the files: whatever comes from outside is never read so. Raises BadDocument."""
    of_map = {asked.kind: asked.of_map for asked in questions(key)}
    try:
        plain = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return text
    several = isinstance(plain, list)
    changed = False
    for at, one in enumerate(plain if several else [plain]):
        field = of_map.get(str(one.get("kind"))) if isinstance(one, dict) else ""
        if field and isinstance(one.get(field), str):
            where = f"{name}: $[{at}].{field}" if several else f"{name}: $.{field}"
            one[field] = _map_of(key, one[field], where)
            changed = True
    return msgspec.json.encode(plain) if changed else text


def _map_of(key: str, path: str, where: str) -> Any:
    """The ground of a scenario's file. Raises BadDocument where it is none."""
    found = Path(path)
    if found.suffix not in (".toml", ".json"):
        what = "is no scenario: that is a file that ends in .toml or .json, or the map itself"
        raise BadDocument(f'{where}: "{path}" {what}')
    if "\0" in path or not found.is_file():
        raise BadDocument(f'{where}: there is no file "{path}"')
    try:
        scenario = load_scenario(found)
    except BadPack as bad:
        what = "is no sound scenario, as those in a pack's scenarios folder are"
        raise BadDocument(f'{where}: "{path}" {what}: {bad.faults[0]}') from bad
    if scenario.ruleset != key:
        raise BadDocument(f'{where}: "{path}" is a scenario of {scenario.ruleset}, not of {key}')
    return msgspec.to_builtins(getattr(scenario, "ground", None))


def _fields(kind: inspect.StructType, above: str, titled: str) -> Iterator[Field]:
    for field in kind.fields:
        inner, extra = _bare(field.type)
        name = above + field.encode_name
        title = str(extra.get("title", field.encode_name.replace("_", " ").capitalize()))
        if isinstance(inner, inspect.StructType) and not _is_map(inner):
            inside = f"{titled}{title[:1].lower() + title[1:] if titled else title}"
            yield from _fields(inner, f"{name}.", f"{inside}: ")
            continue
        many = isinstance(inner, inspect.VarTupleType)
        item, of_item = inner, extra
        if isinstance(inner, inspect.VarTupleType):
            item, of_item = _bare(inner.item_type)
        default = None if field.required else field.default
        yield Field(
            name=name,
            title=f"{titled}{title[:1].lower() + title[1:] if titled else title}",
            help=str(extra.get("description", "")),
            kind=_kind(item, of_item, many=many, once=bool(extra.get("uniqueItems"))),
            choices=_choices(item, of_item),
            least=of_item.get("minimum"),
            most=of_item.get("maximum"),
            default=default,
            required=field.required,
        )


def _bare(kind: inspect.Type) -> tuple[inspect.Type, Mapping[str, Any]]:
    """A type without its notes for the schema, and the notes."""
    if isinstance(kind, inspect.Metadata):
        return kind.type, kind.extra_json_schema or {}
    return kind, {}


def _is_map(kind: inspect.StructType) -> bool:
    return any(field.encode_name == "grid" for field in kind.fields)


def _choices(kind: inspect.Type, extra: Mapping[str, Any]) -> tuple[str, ...]:
    if "enum" in extra or not isinstance(kind, inspect.LiteralType):
        return tuple(extra.get("enum", ()))
    return tuple(map(str, kind.values))


def _kind(kind: inspect.Type, extra: Mapping[str, Any], *, many: bool, once: bool) -> Kind:
    if isinstance(kind, inspect.StructType):
        return "map"
    if isinstance(kind, inspect.BoolType):
        return "yes"
    if isinstance(kind, inspect.IntType):
        return "numbers" if many else "number"
    if _choices(kind, extra) and (once or not many):
        return "choices" if many else "choice"
    return "texts" if many else "text"
