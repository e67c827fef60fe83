"""Whether what is told of every element can be: each of those that came, once, and as it was.

Absent is never destroyed, unknown blocks, and what merged or became another thing did so by the
catalogue. What cannot be is a `Fault`: a result that has one is refused when it arrives, and one
that came by another way blocks posting with the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from campaigns import engine, entries, muster
from campaigns.engine import ELIMINATED, UNKNOWN, BattleResult, Element, ElementFate, Scenario
from campaigns.entries import AccountRef, Entry, Level
from campaigns.models import Campaign, Side, Unit

There = Mapping[str, tuple[str, str, Element]]
"""What was in a battle: element id -> its side, its unit and itself."""


@dataclass(frozen=True)
class Fault:
    """What cannot be, or cannot be posted, in a result document."""

    path: str
    """Of the field: "elements[3].after"."""
    why: str
    at: int = -1
    """Which of the elements it is of."""
    waits: bool = False
    """Whether the result may stand so until a person has decided; it blocks posting."""


@dataclass
class Draft:
    """A plan in the making."""

    campaign: Campaign
    units: dict[str, Unit]
    sides: dict[str, Side]
    held: dict[int, muster.Strength]
    entries: list[Entry] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)

    @property
    def ruleset(self) -> str:
        return self.campaign.ruleset

    def title(self, kind: str) -> str:
        return engine.title_of(self.ruleset, kind)

    def move(
        self, kind: str, quantity: int, source: AccountRef, target: AccountRef, cause: str
    ) -> None:
        item = entries.element_item(self.ruleset, kind)
        self.entries += entries.move(item, quantity, source, target, cause)


def echoed(draft: Draft, scenario: Scenario, document: BattleResult) -> list[ElementFate]:
    """The fates of exactly the elements that were there; anything else blocks."""
    found = list(faults(scenario, document))
    draft.blocks += [fault.why for fault in found]
    faulty = {document.elements[fault.at].element for fault in found if fault.at >= 0}
    fates = []
    for fate in document.elements:
        if fate.element in faulty:
            continue
        if fate.unit not in draft.units:
            draft.blocks.append(f"{fate.unit} is no unit of this campaign.")
            continue
        fates.append(fate)
    return fates


def faults(scenario: Scenario, document: BattleResult) -> Iterator[Fault]:
    """What is told of the elements of these forces and cannot be."""
    there = {
        element.id: (force.side, unit.id, element)
        for force in scenario.forces
        for unit in force.units
        for element in unit.elements
    }
    seen: set[str] = set()
    for at, fate in enumerate(document.elements):
        if fate.element not in there:
            mend = engine.did_you_mean(fate.element, there)
            why = f"{fate.element} is reported but was not in the battle. {mend}"
            yield Fault(f"elements[{at}].element", why, at)
        elif fate.element in seen:
            why = f"{fate.element} is reported twice."
            yield Fault(f"elements[{at}].element", why, at)
        else:
            for field, why, waits in _told(scenario.ruleset, fate, there):
                yield Fault(f"elements[{at}].{field}", why, at, waits)
        seen.add(fate.element)
    for name in [name for name in there if name not in seen]:
        why = f"{name} is not reported. Absent is not destroyed: say what became of it."
        yield Fault("elements", why, waits=True)
    yield from _false_mergers(scenario.ruleset, document, there)


Told = tuple[str, str, bool]
"""The field of a fate, what cannot be in it, and whether it may stand for now."""


def _told(ruleset: str, fate: ElementFate, there: There) -> Iterator[Told]:
    """What cannot be in one fate, worst first; the first is told."""
    wrong = _as_it_was(fate, there) or _as_it_is(ruleset, fate)
    if wrong is not None:
        yield *wrong, False
    elif fate.after == UNKNOWN:
        why = f"What became of {fate.element} is unknown: a person must decide."
        yield "after", why, True


def _as_it_was(fate: ElementFate, there: There) -> tuple[str, str] | None:
    _, unit, element = there[fate.element]
    for name, word, told, was in (
        ("unit", "the unit", fate.unit, unit),
        ("type", "the type", fate.type, element.type),
        ("before", "the condition before it", fate.before, element.condition),
    ):
        if told != was:
            return name, f'{fate.element} is reported with {word} "{told}"; it started as "{was}".'
    return None


def _as_it_is(ruleset: str, fate: ElementFate) -> tuple[str, str] | None:
    if fate.became and engine.element_type(ruleset, fate.became) is None:
        mend = engine.did_you_mean(fate.became, _may_become(ruleset, fate.type) - {fate.type})
        why = f'{fate.element} became "{fate.became}", which no catalogue knows. {mend}'
        return "became", why
    if fate.became and fate.became not in _may_become(ruleset, fate.type):
        titles = (engine.title_of(ruleset, fate.became), engine.title_of(ruleset, fate.type))
        return "became", f"{fate.element} became a {titles[0]}: a {titles[1]} cannot turn into one."
    words = engine.catalogue(ruleset).morale
    if fate.morale and fate.morale not in words:
        why = f"{fate.element} is reported {fate.morale}; morale can be {', '.join(words)}."
        return "morale", why + _if_near(fate.morale, words)
    kind = engine.element_type(ruleset, fate.became or fate.type)
    if kind is None:
        return "type", f"{fate.element} is a {fate.type}, which no catalogue knows."
    if fate.after not in (*kind.conditions, ELIMINATED, UNKNOWN):
        can = (*kind.conditions, ELIMINATED)
        why = f"{fate.element} is reported {fate.after}; a {kind.title} can be {', '.join(can)}."
        return "after", why + _if_near(fate.after, can)
    return None


def _if_near(word: str, listed: Iterable[str]) -> str:
    """A mend for a word whose choices are listed already: only the nearest, if one is near."""
    mend = engine.did_you_mean(word, listed)
    return f" {mend}" if mend.startswith("Did you mean") else ""


def _false_mergers(ruleset: str, document: BattleResult, there: There) -> Iterator[Fault]:
    """Two of one type and side become one of them: nobody is left of a ring, or of unlike things,
    and who merged is no more."""
    by_name = {fate.element: fate for fate in document.elements if fate.element in there}
    for at, fate in enumerate(document.elements):
        if not fate.merged_into or fate.element not in there:
            continue
        path = f"elements[{at}].merged_into"
        side = there[fate.element][0]
        taker = by_name.get(fate.merged_into)
        own = [name for name, (of, _, _) in there.items() if of == side and name != fate.element]
        if fate.merged_into not in own:
            why = (
                f"{fate.element} merged into {fate.merged_into}: it can only become part of another"
                f" element of its side. {engine.did_you_mean(fate.merged_into, own)}"
            )
            yield Fault(path, why, at)
        elif fate.after != ELIMINATED:
            why = (
                f"{fate.element} merged into {fate.merged_into}: then it is no more, {ELIMINATED}."
            )
            yield Fault(f"elements[{at}].after", why, at)
        elif taker is not None:
            why = _false_merger(ruleset, fate, taker, by_name)
            if why:
                yield Fault(path, why, at)


def _false_merger(
    ruleset: str, fate: ElementFate, taker: ElementFate, by_name: Mapping[str, ElementFate]
) -> str:
    kind = fate.became or fate.type
    known = engine.element_type(ruleset, kind)
    if kind != (taker.became or taker.type) or known is None or not known.merges:
        return f"{fate.element} merged into {taker.element}: only two of a type that merges do."
    left: ElementFate | None = taker
    seen = {fate.element}
    while left is not None and left.merged_into and left.element not in seen:
        seen.add(left.element)
        left = by_name.get(left.merged_into)
    if left is not None and left.element in seen:
        return f"{fate.element} merged in a ring: somebody has to be left of it."
    return ""


def _may_become(ruleset: str, kind: str) -> set[str]:
    """Every type that an element can have turned into, one change after the other."""
    found, left = {kind}, [kind]
    while left:
        known = engine.element_type(ruleset, left.pop())
        new = {b.type for b in known.becomes} - found if known else set()
        found |= new
        left += new
    return found
