"""What Celery costs: `bin/bench --workers [--json]`, on PostgreSQL and Redis with two workers.

celery_forecast  odds of a real battle over 400 battles by two workers / in one process, wall clock
                 (at most 0.75)
turn_100         100 real battles from asking to their stored logs / 100 tasks that do nothing
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from tests.campaign import services
from tests.campaign.installation import Outside

BOUNDS = {"celery_forecast": 0.75}
BATTLES = 400
TURN = 100
WORKERS = 2


def measure() -> dict[str, float]:
    """The two ratios, and the seconds they come from."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(services.postgresql())
        broker = stack.enter_context(services.redis())
        outside = Outside(folder, DATABASE_URL=database, CELERY_BROKER_URL=broker)
        stack.callback(outside.end)
        for number in range(WORKERS):
            outside.worker("battles,bulk", "-n", f"w{number}")
        outside.run("ready", str(WORKERS))
        nothing = outside.run("noops", str(TURN))
        turn = outside.run("turn", str(TURN))
        odds = outside.run("odds", str(BATTLES))
    assert odds["runs"] == [BATTLES, BATTLES]
    return {
        "celery_forecast": round(odds["workers"] / odds["alone"], 3),
        "turn_100": round(turn / nothing, 1),
        "turn_s": round(turn, 2),
        "nothing_s": round(nothing, 2),
    }
