"""A rule question as a form: made from what the ruleset says of its fields."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from django import forms

from campaigns import engine
from campaigns.engine import Asked, AskedField

LONGEST = 400
BETWEEN = re.compile(r"[\s,;+]+")
SEVERAL = "Several with commas between."
CODES_FROM = 12
"""A choice of so many or more is of element types, which are offered by their titles."""


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


class QuestionForm(forms.Form):
    """One kind of rule question; a battlefield is not asked for, it is the battle's."""

    has_defaults = True
    """What need not be said is said already: no field is marked as optional."""

    def __init__(
        self, ruleset: str, asked: Asked, *args: Any, near: Collection[str] = (), **kwargs: Any
    ) -> None:
        """`near`: keys of element types that are offered before all others."""
        super().__init__(*args, **kwargs)
        self.auto_id = "ask-%s"
        self.asked = asked
        for field in asked.fields:
            if field.kind != "map":
                self.fields[field.name] = _field(ruleset, field, near)

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
    options = [(key, _title(ruleset, field, key)) for key in field.choices]
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


def _title(ruleset: str, field: AskedField, key: str) -> str:
    if not key:
        return "none"
    if len(field.choices) < CODES_FROM:
        return key
    return engine.title_of(ruleset, key)
