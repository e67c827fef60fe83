"""A rule question as a form: made from what the ruleset says of its fields."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField

from campaigns import engine
from campaigns.engine import Asked, AskedField

LONGEST = 400
BETWEEN = re.compile(r"[\s,;+]+")
SEVERAL = "Several with commas between."
Sides = Sequence[tuple[str, Mapping[str, Any]]]
"""The sides of a battle: the name of each, and what the reader may know of its terms."""
CODES_FROM = 12
"""A choice of so many or more is sorted by its words, what is at hand first."""


class Numbers(forms.CharField):
    """Whole numbers with commas, blanks or plus signs between them."""

    def clean(self, value: Any) -> list[int]:
        words = [word for word in BETWEEN.split(super().clean(value)) if word]
        for word in words:
            if not re.fullmatch(r"-?[0-9]{1,6}", word):
                raise forms.ValidationError(f"“{word[:20]}” is not a whole number.")
        return [int(word) for word in words]


class Words(forms.CharField):
    """Hexes or directions, in order."""

    def clean(self, value: Any) -> list[str]:
        return [word.upper() for word in BETWEEN.split(super().clean(value)) if word]


@dataclass(frozen=True)
class Group:
    """Fields about one side."""

    legend: str
    fields: list[BoundField]


class QuestionForm(forms.Form):
    """One kind of rule question; a battlefield is not asked for, it is the battle's."""

    has_defaults = True
    """What need not be said is said already: no field is marked as optional."""

    def __init__(
        self,
        ruleset: str,
        asked: Asked,
        *args: Any,
        near: Collection[str] = (),
        sides: Sides = (),
        **kwargs: Any,
    ) -> None:
        """`near`: keys of element types that are offered before all others."""
        super().__init__(*args, **kwargs)
        self.auto_id = "ask-%s"
        self.asked = asked
        self.sides = sides
        heads = dict.fromkeys(_head(field.name) for field in asked.fields)
        self.heads = [head for head in heads if head]
        for field in asked.fields:
            if field.kind != "map":
                self.fields[field.name] = _field(ruleset, field, near)
                self._fill_in(field)

    def _fill_in(self, field: AskedField) -> None:
        """Put into a number that the terms of the sides say what they say; where the question does
        not say whose it is and they differ, both stand beside it and it has to be chosen."""
        name, place = field.name.rpartition(".")[2], self._place(field.name)
        said = [(side, terms.get(name)) for side, terms in self.sides]
        known = [(side, number) for side, number in said if isinstance(number, int)]
        if field.kind != "number" or not known:
            return
        control = self.fields[field.name]
        if place is not None:
            side, number = said[place]
            if number is None:
                control.help_text = f"That of {side} is not yours to know."
            else:
                control.initial, control.help_text = number, f"{side}: {number}."
            return
        numbers = {number for _, number in known}
        unknown = [
            f"That of {side} is not yours to know." for side, number in said if number is None
        ]
        words = ", ".join(f"{side} {number}" for side, number in known)
        control.help_text = " ".join([f"{words}.", *unknown])
        control.initial = numbers.pop() if len(numbers) == 1 else None
        control.required = control.initial is None

    def _place(self, name: str) -> int | None:
        """Which of the two sides a field is about, if the question has fields of two."""
        head = _head(name)
        two = len(self.heads) == len(self.sides) == 2
        return self.heads.index(head) if head and two else None

    def loose(self) -> list[BoundField]:
        """The fields that are about no side of two."""
        return [self[name] for name in self.fields if not self._grouped(name)]

    def groups(self) -> list[Group]:
        """The fields about each side of two, under its name and without it."""
        found = []
        for head in self.heads:
            names = [name for name in self.fields if self._grouped(name) and _head(name) == head]
            if names:
                legend = str(self.fields[names[0]].label).partition(": ")[0]
                found.append(Group(legend, [_shortened(self[name]) for name in names]))
        return found

    def _grouped(self, name: str) -> bool:
        return len(self.heads) == 2 and bool(_head(name))

    def question(self, ground: Mapping[str, Any]) -> str:
        """The question as its JSON document, asked of a battlefield where it takes one."""
        document: dict[str, Any] = {"kind": self.asked.kind}
        for field in self.asked.fields:
            if field.kind == "map":
                document[field.name] = ground
                continue
            value = self.cleaned_data[field.name]
            if value is None or (value in ("", []) and not field.required):
                continue
            *above, name = field.name.split(".")
            place = document
            for part in above:
                place = place.setdefault(part, {})
            place[name] = value.upper() if field.kind == "text" else value
        return json.dumps(document)

    def named(self, why: str) -> str:
        """A refusal with the fields it names as this form calls them."""
        names, colon, rest = why.partition(": ")
        titles = {field.name: field.title for field in self.asked.fields}
        known = [titles[name] for name in names.split(", ") if name in titles]
        return f"{', '.join(known)}: {rest}" if colon and known else why


def _head(name: str) -> str:
    """What a field lies in: "one" of "one.first.counter"."""
    return name.partition(".")[0] if "." in name else ""


def _shortened(field: BoundField) -> BoundField:
    """A field to be shown under the name of its group, which its label leaves out then."""
    short = copy(field)
    words = str(field.label).partition(": ")[2]
    short.label = words[:1].upper() + words[1:]
    return short


def _field(ruleset: str, field: AskedField, near: Collection[str]) -> forms.Field:
    common: dict[str, Any] = {
        "label": field.title,
        "help_text": field.help,
        "required": field.required,
        "initial": field.default,
    }
    if field.kind == "yes":
        return forms.BooleanField(**{**common, "required": False})
    if field.kind == "number":
        return forms.IntegerField(
            **common, min_value=_or(field.least, -99), max_value=_or(field.most, 99)
        )
    if field.kind in ("choice", "choices"):
        options = _options(ruleset, field, near)
        if field.kind == "choice":
            return forms.ChoiceField(**common, choices=options)
        return forms.MultipleChoiceField(
            **common, choices=options, widget=forms.CheckboxSelectMultiple
        )
    common["initial"] = ", ".join(map(str, field.default or ()))
    if field.kind == "text":
        return forms.CharField(**common, max_length=LONGEST, widget=_plain())
    common["help_text"] = f"{field.help} {SEVERAL}".strip()
    kind = Numbers if field.kind == "numbers" else Words
    return kind(**common, max_length=LONGEST, widget=_plain())


def _options(ruleset: str, field: AskedField, near: Collection[str]) -> list[Any]:
    """(key, title) of each choice; of element types those at hand come first, under a head."""
    options = _told_apart(ruleset, [(key, _title(ruleset, key)) for key in field.choices])
    if len(options) < CODES_FROM:
        return options
    options.sort(key=lambda option: option[1])
    none = [option for option in options if not option[0]]
    here = [option for option in options if option[0] in near]
    rest = [option for option in options if option[0] and option[0] not in near]
    return [*none, ("In this battle", here), ("All others", rest)] if here else [*none, *rest]


def _plain() -> forms.TextInput:
    return forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"})


def _or(number: int | None, other: int) -> int:
    return other if number is None else number


def _title(ruleset: str, key: str) -> str:
    return engine.title_of(ruleset, key) if key else "none"


def _told_apart(ruleset: str, options: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Counters of one name with whose they are; the key where even that is the same."""
    names = Counter(title for _, title in options)
    types = {key: engine.element_type(ruleset, key) for key, _ in options}
    whose = [
        (key, f"{title} ({known.nation})" if (known := types[key]) and names[title] > 1 else title)
        for key, title in options
    ]
    again = Counter(title for _, title in whose)
    return [(key, f"{title}, {key}" if again[title] > 1 else title) for key, title in whose]
