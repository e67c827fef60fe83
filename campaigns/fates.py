"""Whether what is told of every element can be: each of those that came, once, and as it was.

Absent is never destroyed, unknown blocks, and what merged or became another thing did so by the
catalogue. What cannot be goes into the draft's `blocks`, in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from campaigns import engine, entries, muster
from campaigns.engine import ELIMINATED, UNKNOWN, BattleResult, Element, ElementFate, Scenario
from campaigns.entries import AccountRef, Entry, Level
from campaigns.models import Campaign, Side, Unit

There = Mapping[str, tuple[str, Element]]
"""What was in a battle: element id -> its unit and itself."""


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
    there = {
        element.id: (unit.id, element)
        for force in scenario.forces
        for unit in force.units
        for element in unit.elements
    }
    if document.scenario and document.scenario != engine.digest(scenario):
        draft.blocks.append("This result is of other forces than those that were locked.")
    if document.turns < 0:
        draft.blocks.append(f"{document.turns} turns were played; it cannot be less than none.")
    counts = Counter(fate.element for fate in document.elements)
    for name, count in counts.items():
        if count > 1:
            draft.blocks.append(f"{name} is reported {count} times.")
        if name not in there:
            draft.blocks.append(f"{name} is reported but was not in the battle.")
    for name in [name for name in there if name not in counts]:
        draft.blocks.append(
            f"{name} is not reported. Absent is not destroyed: say what became of it."
        )
    fates = []
    for fate in document.elements:
        if fate.element not in there or counts[fate.element] > 1:
            continue
        unit, element = there[fate.element]
        if (fate.unit, fate.type, fate.before) != (unit, element.type, element.condition):
            draft.blocks.append(
                f"{fate.element} is reported as a {draft.title(fate.type)} ({fate.before}) of"
                f" {fate.unit}; it started as a {draft.title(element.type)}"
                f" ({element.condition}) of {unit}."
            )
            continue
        if _known(draft, fate, there):
            fates.append(fate)
    _refuse_false_mergers(draft, fates)
    return fates


def _refuse_false_mergers(draft: Draft, fates: list[ElementFate]) -> None:
    """Two of one type become one of them: nobody is left of a ring, or of unlike things."""
    by_name = {fate.element: fate for fate in fates}
    for fate in fates:
        taker = by_name.get(fate.merged_into)
        if not fate.merged_into or taker is None:
            continue
        kind = fate.became or fate.type
        known = engine.element_type(draft.ruleset, kind)
        if kind != (taker.became or taker.type) or known is None or not known.merges:
            draft.blocks.append(
                f"{fate.element} merged into {taker.element}: only two of a type that merges do."
            )
        seen = {fate.element}
        while taker is not None and taker.merged_into and taker.element not in seen:
            seen.add(taker.element)
            taker = by_name.get(taker.merged_into)
        if taker is not None and taker.element in seen:
            draft.blocks.append(f"{fate.element} merged in a ring: somebody has to be left of it.")


def _may_become(ruleset: str, kind: str) -> set[str]:
    """Every type that an element can have turned into, one change after the other."""
    found, left = {kind}, [kind]
    while left:
        known = engine.element_type(ruleset, left.pop())
        new = {b.type for b in known.becomes} - found if known else set()
        found |= new
        left += new
    return found


def _known(draft: Draft, fate: ElementFate, whole: There) -> bool:
    if fate.after == UNKNOWN:
        draft.blocks.append(f"What became of {fate.element} is unknown: a person must decide.")
        return False
    if fate.unit not in draft.units:
        draft.blocks.append(f"{fate.unit} is no unit of this campaign.")
        return False
    if fate.became and engine.element_type(draft.ruleset, fate.became) is None:
        draft.blocks.append(f'{fate.element} became "{fate.became}", which no catalogue knows.')
        return False
    if fate.became and fate.became not in _may_become(draft.ruleset, fate.type):
        draft.blocks.append(
            f"{fate.element} became a {draft.title(fate.became)}: a {draft.title(fate.type)}"
            " cannot turn into one."
        )
        return False
    if fate.after == ELIMINATED:
        if fate.merged_into and fate.merged_into not in whole:
            draft.blocks.append(
                f"{fate.element} merged into {fate.merged_into}, which was not in the battle."
            )
        elif fate.merged_into and not _may_merge(draft, fate, whole[fate.merged_into][0]):
            draft.blocks.append(
                f"{fate.element} merged into {fate.merged_into}: it can only become part of"
                " another element of its side."
            )
        return True
    kind = engine.element_type(draft.ruleset, fate.became or fate.type)
    words = engine.catalogue(draft.ruleset).morale
    if fate.morale and fate.morale not in words:
        draft.blocks.append(
            f"{fate.element} is reported {fate.morale}; morale can be {', '.join(words)}."
        )
        return False
    if kind is None:
        draft.blocks.append(f"{fate.element} is a {fate.type}, which no catalogue knows.")
        return False
    if fate.after not in kind.conditions:
        draft.blocks.append(
            f"{fate.element} is reported {fate.after}; a {kind.title} can be"
            f" {', '.join(kind.conditions)}."
        )
        return False
    return True


def _may_merge(draft: Draft, fate: ElementFate, unit: str) -> bool:
    other = draft.units.get(unit)
    own = other is not None and other.side_id == draft.units[fate.unit].side_id
    return own and fate.merged_into != fate.element
