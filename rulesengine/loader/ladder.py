"""The ladder of a pack: that each fight leads somewhere, can be come to, and that it all ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulesengine.loader.reading import did_you_mean
from rulesengine.pack import Fault, PackHead, Rung

FILE = "pack.toml"


def check_ladder(head: PackHead, scenarios: set[str], faults: list[Fault]) -> None:
    """Every rung has its scenario, leads somewhere, and can be come to; the ladder can end."""
    rungs = {rung.key: rung for rung in head.ladder}
    outcomes = _outcomes(head)
    before = len(faults)
    if head.kind == "ladder" and not rungs:
        faults.append(Fault(file=FILE, where="ladder", what="a ladder needs a rung"))
    seen: set[str] = set()
    for index, rung in enumerate(head.ladder):
        where = _where(index, rung)

        def fault(what: str, mend: str = "", where: str = where) -> None:
            faults.append(Fault(file=FILE, where=where, what=what, mend=mend))

        if rung.key in seen:
            fault("another rung has this key")
        seen.add(rung.key)
        if rung.scenario not in scenarios:
            fault(f'no scenario "{rung.scenario}".', did_you_mean(rung.scenario, scenarios))
        for outcome, target in rung.next.items():
            if outcome not in outcomes:
                fault(f'"{outcome}" is neither a side nor "draw".', did_you_mean(outcome, outcomes))
            if target and target not in rungs:
                fault(f'{outcome} leads to no rung "{target}".', did_you_mean(target, rungs))
    if len(faults) == before and rungs:
        _check_ways(head, rungs, faults)


def _check_ways(head: PackHead, rungs: Mapping[str, Rung], faults: list[Fault]) -> None:
    """Where each rung leads, once all that they name is there."""
    reached = _reached(rungs, head.ladder[0].key)
    endless = [key for key in reached if not _may_end(head, rungs, key)]
    for index, rung in enumerate(head.ladder):
        if rung.key not in reached:
            what = "no outcome leads here, so it is never fought"
            faults.append(Fault(file=FILE, where=_where(index, rung), what=what))
        elif rung.key in endless:
            what = "whoever wins, here and after it, the ladder never ends."
            mend = 'Let an outcome lead to "": there it ends.'
            faults.append(Fault(file=FILE, where=_where(index, rung), what=what, mend=mend))


def look_at_ladder(head: PackHead, scenarios: Iterable[str], found: list[Fault]) -> None:
    """What a sound ladder does that its author may not have meant."""
    rungs = {rung.key: rung for rung in head.ladder}
    order = {key: index for index, key in enumerate(rungs)}
    used = {rung.scenario for rung in head.ladder}
    for index, rung in enumerate(head.ladder):
        where = _where(index, rung)
        unsaid = [outcome for outcome in _outcomes(head) if outcome not in rung.next]
        if unsaid:
            words = " or ".join(f'"{outcome}"' for outcome in unsaid)
            ends = ", ".join(f'{outcome} = ""' for outcome in unsaid)
            what = f"next says nothing of {words}: the ladder ends there."
            found.append(Fault(file=FILE, where=where, what=what, mend=f"Write {ends} if so."))
        for target in dict.fromkeys(rung.next.values()):
            way = _way(rungs, target, rung.key)
            if way and order[target] <= index:
                back = " and ".join(o for o, on in rung.next.items() if on == target)
                what = f"the ladder loops by {back}: {' -> '.join((rung.key, *way))}."
                mend = "These fights may come again without end."
                found.append(Fault(file=FILE, where=where, what=what, mend=mend))
    for key in sorted(set(scenarios) - used):
        if head.kind == "ladder":
            what = "it is on no rung of the ladder, so no campaign comes to it"
            found.append(Fault(file=f"scenarios/{key}.toml", where="", what=what))


def _outcomes(head: PackHead) -> list[str]:
    return [side.key for side in head.sides] + ["draw"]


def _where(index: int, rung: Rung) -> str:
    return f'ladder[{index}] ("{rung.key}")'


def _may_end(head: PackHead, rungs: Mapping[str, Rung], key: str) -> bool:
    """Whether some way from a rung comes to an end: an outcome that leads on to none."""
    return any(
        not rungs[on].next.get(outcome)
        for on in _reached(rungs, key)
        for outcome in _outcomes(head)
    )


def _reached(rungs: Mapping[str, Rung], key: str) -> set[str]:
    """The rung of a key and all that may come after it."""
    return {key}.union(*(_way(rungs, key, other) or () for other in rungs))


def _way(rungs: Mapping[str, Rung], start: str, goal: str) -> tuple[str, ...]:
    """The shortest way over the ladder, both ends named; () where there is none."""
    ways: list[tuple[str, ...]] = [(start,)] if start else []
    seen = {start}
    while ways:
        way = ways.pop(0)
        if way[-1] == goal:
            return way
        for target in rungs[way[-1]].next.values():
            if target and target not in seen:
                seen.add(target)
                ways.append((*way, target))
    return ()
