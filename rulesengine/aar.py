"""The after-action report: a battle's log told event by event, for one listener.

Text is made here, when somebody reads; a battle fought with its log off formats nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from rulesengine.contract import Event, Line
from rulesengine.documents import BattleLog, Scenario
from rulesengine.explain import in_full
from rulesengine.proof import events_of, rolls_of, scenario_of
from rulesengine.registry import ruleset

REFEREE = None
PUBLIC = -1


class Entry(msgspec.Struct, frozen=True):
    """One line of a report with its dice. It does not say which event of the log it tells of: the
    gaps would count what the listener never hears."""

    line: Line
    rolls: tuple[tuple[int, ...], ...]


def tell(
    scenario: Scenario, events: Iterable[Event], side: int | None = REFEREE
) -> Iterator[Entry]:
    """Every line this listener may hear, in order: a fold of the events, told as it goes."""
    rules = ruleset(scenario.ruleset)
    state = rules.setup(scenario)
    for event in events:
        rules.evolve(state, event)
        line = rules.narrate(state, event, side)
        if line is not None:
            yield Entry(line, tuple(roll.faces for roll in rolls_of(event)))


def report(log: BattleLog, side: int | None = REFEREE) -> list[Entry]:
    """The report of a stored log."""
    return list(tell(scenario_of(log), events_of(log), side))


def in_words(entry: Entry, *, full: bool = False) -> str:
    """One line of plain text with its modifiers and rules; `full`: with what the letters of a
    result mean."""
    line = entry.line
    text = in_full(line.text, line.means) if full else line.text
    if line.modifiers:
        changes = ", ".join(
            f"{m.name} {m.amount:+d}" + (f" [{m.rule}]" if m.rule else "") for m in line.modifiers
        )
        text += f" ({changes})"
    if line.rules:
        text += f" [{', '.join(line.rules[:3])}]"
    return text
