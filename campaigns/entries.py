"""What a posting will say, before it is one: entries, levels, and the plan that holds them.

Plans are plain and immutable, so a preview *is* the posting, dry. Each has a hash over
everything it would write; accounts are named by code, so that a plan needs no row to exist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.crypto import salted_hmac

from campaigns import engine
from campaigns.models import (
    CASUALTY_POINTS,
    VICTORY_POINTS,
    Holder,
    Side,
    Status,
    Unit,
)

POINT_NAMES = {VICTORY_POINTS: "Victory points", CASUALTY_POINTS: "Casualty points"}


@dataclass(frozen=True)
class AccountRef:
    """A holder and a condition, by keys."""

    holder: Holder
    key: str = ""
    """The key of the unit that holds it or lost it, or the side's; empty for nobody's."""
    condition: str = ""

    @property
    def code(self) -> str:
        name = f"{self.holder.value}:{self.key}" if self.key else self.holder.value
        return f"{name}/{self.condition}" if self.condition else name


def unit_account(unit: Unit, condition: str) -> AccountRef:
    return AccountRef(Holder.UNIT, unit.key, condition)


def side_account(holder: Holder, side: Side, condition: str = "") -> AccountRef:
    return AccountRef(holder, side.key, condition)


@dataclass(frozen=True)
class Item:
    """What is counted: its key and what is stamped into every line."""

    key: str
    name: str
    measure: str = "element"
    price: int = 0


def element_item(ruleset: str, key: str) -> Item:
    """An element type as an item of the ledger."""
    kind = engine.element_type(ruleset, key)
    return Item(key, kind.title, "element", kind.points) if kind else Item(key, key)


def points_item(what: str) -> Item:
    """ "victory" or "casualty" points."""
    key = VICTORY_POINTS if what == "victory" else CASUALTY_POINTS
    return Item(key, POINT_NAMES[key], "point")


@dataclass(frozen=True)
class Entry:
    """One line to be: so many of an item into an account."""

    account: AccountRef
    item: Item
    quantity: int
    cause: str = ""


@dataclass(frozen=True)
class Level:
    """One status row to be."""

    kind: Status.Kind
    subject: str
    subject_name: str
    value: str
    before: str = ""
    is_unit: bool = True


@dataclass(frozen=True)
class Tally:
    """Conservation of one element type of one side: before = after + lost + converted."""

    side: str
    item: str
    name: str
    before: int
    after: int
    lost: int
    converted: int
    """Turned into another type, less those that turned into this one."""

    @property
    def holds(self) -> bool:
        return self.before == self.after + self.lost + self.converted


@dataclass(frozen=True)
class Plan:
    """Everything one act would write, with what a person should know first."""

    entries: tuple[Entry, ...] = ()
    levels: tuple[Level, ...] = ()
    warnings: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    """Why it may not be posted yet."""
    tallies: tuple[Tally, ...] = ()
    hash: str = ""
    basis: tuple[str, ...] = field(default=(), repr=False)
    """Hashes of what the plan was made from."""


def balanced(entries: Iterable[Entry]) -> dict[str, int]:
    """Items whose entries do not sum to zero, with the difference."""
    sums: dict[str, int] = defaultdict(int)
    for entry in entries:
        sums[entry.item.key] += entry.quantity
    return {item: total for item, total in sums.items() if total}


def move(
    item: Item, quantity: int, source: AccountRef, target: AccountRef, cause: str = ""
) -> list[Entry]:
    """So many of an item from one account to another."""
    return [
        Entry(source, item, -quantity, cause),
        Entry(target, item, quantity, cause),
    ]


def merged(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries of one account, item and cause as one, in a fixed order, without zeros."""
    sums: dict[tuple[AccountRef, Item, str], int] = defaultdict(int)
    for entry in entries:
        sums[entry.account, entry.item, entry.cause] += entry.quantity
    return tuple(
        Entry(account, item, quantity, cause)
        for (account, item, cause), quantity in sorted(
            sums.items(), key=lambda pair: (pair[0][0].code, pair[0][1].key, pair[0][2])
        )
        if quantity
    )


def hash_of(entries: Sequence[Entry], levels: Sequence[Level], basis: Sequence[str]) -> str:
    """The hash of a plan: of what it would write and of what it was made from.

    It is keyed, so that who is shown a hash and not the plan cannot try guesses against it.
    """
    told = engine.digest(
        {
            "basis": list(basis),
            "entries": [[e.account.code, e.item.key, e.quantity, e.cause] for e in entries],
            "levels": [[str(v.kind), v.subject, v.value] for v in levels],
        }
    )
    return salted_hmac("plan", told, algorithm="sha256").hexdigest()
