"""Luck: how each side's dice came out over the posted battles of a campaign.

Counted are the rolls that stand in the reports this viewer reads, and no other: a side's hidden
rolls, and battles that are not posted yet, are not in anybody else's figures. What was reversed
does not count; a battle of the table has no dice that Sitrep saw.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain

from campaigns import battle_log, engine
from campaigns.engine import Luck
from campaigns.models import Battle, Campaign, Log
from campaigns.projection import Viewer
from campaigns.reports import aar


@dataclass(frozen=True)
class LuckRow:
    """One kind of roll of one side, or all of them."""

    what: str
    rolls: int
    due: float
    """What fair dice show on average, all together."""
    shown: int
    gain: float
    """Pips in the side's favour; below zero against it."""
    fair: float
    """95 of 100 sets of fair dice stay between minus and plus this."""
    beats: int
    """Of 100 sets of fair dice, how many do worse."""

    @property
    def unusual(self) -> bool:
        return abs(self.gain) > self.fair


@dataclass(frozen=True)
class SideLuck:
    key: str
    name: str
    colour: str
    whole: LuckRow
    kinds: tuple[LuckRow, ...]
    """The kind rolled most often first."""


@dataclass(frozen=True)
class LuckReport:
    sides: tuple[SideLuck, ...]
    battles: tuple[Battle, ...]
    """Those whose dice are counted."""
    tables: int
    """Posted battles without any: played at the table."""


def luck(viewer: Viewer, campaign: Campaign) -> LuckReport:
    """The luck of every side, as this viewer may know of it."""
    posted = list(campaign.battles.filter(state=Battle.State.POSTED).select_related("turn"))
    stored = aar.published(viewer, posted)
    fought = {row.result.snapshot_id: row.battle_id for row in stored.values()}
    logs = Log.objects.filter(snapshot__in=fought).values_list("pk", "hash", "snapshot")
    read = {
        fought[snapshot]: _counted(pk, digest, viewer.narrated_to) for pk, digest, snapshot in logs
    }
    sums: dict[tuple[int, str], Luck] = {}
    for one in chain.from_iterable(read.values()):
        key = (one.side, one.what)
        sums[key] = sums[key].plus(one) if key in sums else one
    return LuckReport(
        sides=tuple(
            SideLuck(side.key, side.name, side.colour, whole(mine), _kinds(mine))
            for side in campaign.sides.all()
            if (mine := [some for (place, _), some in sums.items() if place == side.position])
        ),
        battles=tuple(battle for battle in posted if battle.pk in read),
        tables=sum(battle.pk in stored and battle.pk not in read for battle in posted),
    )


@lru_cache(maxsize=1024)
def _counted(log: int, digest: str, side: int | None) -> tuple[Luck, ...]:
    """The luck of one stored log for one audience. To fold it takes a tenth of a second, and what
    is stored under a hash never changes: so it is counted once a process."""
    return tuple(engine.luck_of(battle_log.load(Log.objects.get(pk=log)), side).values())


def whole(kinds: Iterable[Luck]) -> LuckRow:
    """All the rolls of a side together."""
    return _row(reduce(Luck.plus, kinds), "all rolls")


def _kinds(kinds: Iterable[Luck]) -> tuple[LuckRow, ...]:
    return tuple(_row(one, one.what) for one in sorted(kinds, key=lambda k: (-k.rolls, k.what)))


def _row(luck: Luck, what: str) -> LuckRow:
    return LuckRow(
        what=what,
        rolls=luck.rolls,
        due=luck.due,
        shown=luck.shown,
        gain=luck.gain,
        fair=luck.fair,
        beats=round(100 * luck.beats),
    )
