"""A street with houses on both sides, and how to walk along it: for the tests of OST 16.6."""

from __future__ import annotations

import msgspec

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from tests.engine.table import US, Road

OST = ruleset("ost")
ROWS = (
    "........",
    "........",
    "..h.....",
    "..h.....",
    "..l.....",
    "........",
    "........",
    "........",
)
"""Houses on both sides of the road down column C: heavy in C3 and C4, light in C5."""
ROAD = (Road(hexes="C1 C2 C3 C4 C5 C6 C7 C8"),)


def town(table, rows=ROWS, **more):
    return table(rows, roads=ROAD, **more)


def way(play, unit, *path, streets=(), **more):
    return msgspec.structs.replace(
        play.way(unit, *path, **more), streets=tuple(play.hex(h) for h in streets)
    )


def walk(play, unit, *path, streets=(), hold=True, **more):
    news = play.do(way(play, unit, *path, streets=streets, **more))
    while play.wants == "opportunity fire" and hold:
        news += play.do(a.HoldFire())
    return news


def told(play, event, side):
    return OST.narrate(play.state, event, side)


def marks_of(play, name, side=US):
    return next(p.marks for p in OST.board(play.state, side) if p.id == name)
