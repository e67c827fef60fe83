"""A tank and its target down a column, for the tests of vehicles."""

from __future__ import annotations

from rulesengine.rulesets.ost import vehicle_events as v
from rulesengine.rulesets.ost.charts import VCT_RESULTS
from tests.engine.table import find

LONG = ("........",) * 12
HIT, MISS = (5, 5), (1, 1)


def duel_at(table, firer="us-m4", target="ger-pz4h", *, at="D7", where="D3", rows=LONG, **more):
    """A shot down a column: the firer looks north, the target faces it unless told otherwise."""
    more = {"facing": 3, **more}
    return table(rows).put("a", firer, at).put("b", target, where, **more)


def result_of(news):
    return VCT_RESULTS[find(news, v.VehicleShot).result]
