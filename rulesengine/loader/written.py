"""What the head of a scenario says, whatever its ruleset: that its date is one, and that what it
marks as estimates is there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from rulesengine.documents import Scenario
from rulesengine.loader.reading import did_you_mean
from rulesengine.pack import Fault
from rulesengine.quantities import many

_PATH = re.compile(r"[^.\[\]]+(\[[0-9]{1,4}\]|\.[^.\[\]]+)*")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[([0-9]+)\]")


def check_written(
    scenario: Scenario, file: str, faults: list[Fault], *, forces: bool = True
) -> None:
    """The date and the estimates. `forces`: whether the forces are there to be looked at."""
    if scenario.date:
        try:
            datetime.fromisoformat(scenario.date)
        except ValueError:
            what = f'"{scenario.date}" is not a date.'
            mend = 'Write it as "1944-12-19".'
            faults.append(Fault(file=file, where="date", what=what, mend=mend))
    for index, path in enumerate(scenario.estimates):
        why, mend = _amiss(scenario, path)
        if why and (forces or not path.startswith("forces[")):
            where = f"estimates[{index}]"
            faults.append(Fault(file=file, where=where, what=f'"{path[:60]}": {why}', mend=mend))


def _amiss(document: Any, path: str) -> tuple[str, str]:
    """Why a path leads nowhere in a document, with the mend; empty where it leads somewhere."""
    if not _PATH.fullmatch(path):
        return "that is no path.", 'Write one like "terms[0].gut_check".'
    here = document
    for step in _STEP.finditer(path):
        key, number = step.groups()
        before = path[: step.start()] or "the scenario"
        if number is None:
            inner = _inner(here)
            if key not in inner:
                return f'{before} has no "{key}".', did_you_mean(key, inner)
            here = inner[key]
        elif not isinstance(here, tuple):
            return f"{before} is no list.", ""
        elif int(number) >= len(here):
            return f"{before} has {many(len(here), 'entry', 'entries')}, counted from 0.", ""
        else:
            here = here[int(number)]
    return "", ""


def _inner(value: Any) -> Mapping[str, Any]:
    """What is said inside a value, by key; what is left unsaid is not there."""
    if isinstance(value, msgspec.Struct):
        plain = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: inner for name, inner in plain.items() if inner is not msgspec.UNSET}
    return value if isinstance(value, dict) else {}
