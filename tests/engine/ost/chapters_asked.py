"""The chapters that describe what is printed on counters (5) and cards (11): nothing is played in
them, so each is a short run of questions, told by the `ask` command in the answers' own words."""

from __future__ import annotations

from typing import Any

ASKED: dict[str, tuple[dict[str, Any], ...]] = {
    "05-unit-and-weapon-counters": (
        {"kind": "unit card", "counter": "us-rifle"},
        {"kind": "unit card", "counter": "us-m4"},
        {"kind": "unit card", "counter": "us-lmg"},
    ),
    "11-unit-cards": (
        {"kind": "unit card", "counter": "us-m18"},
        {"kind": "to hit", "distance": 12},
        {"kind": "to hit", "distance": 13},
    ),
}
"""By chapter the questions asked, one after the other."""
