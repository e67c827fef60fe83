"""The style page: every part that pages are built of, with made-up figures. Staff only."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.templatetags.figures import atlas

GROUND = {
    "title": "A crossroads",
    "grid": [
        "..ww....oo",
        ".ww..h..o.",
        "...lhl..s.",
        "b..lHh.ss.",
        "bb.....s.m",
        "fff.....mm",
    ],
    "legend": {
        ".": "open",
        "w": "woods",
        "o": "orchard",
        "h": "light structure",
        "H": "heavy structure",
        "l": "farm",
        "b": "brush",
        "s": "stream",
        "m": "marsh",
        "f": "wheatfield",
    },
    "levels": ["1100000000", "1000000000"] + ["0000000000"] * 4,
    "roads": [{"hexes": "A3 B4 C3 D4 E3 F4 G3 H4 I3 J3"}],
    "hexsides": [{"kind": "hedge", "sides": ["D2/S+SE", "E2/S"]}],
    "party_walls": ["E4/NE"],
    "names": [{"hex": "E4", "name": "Neuville"}],
}

SAMPLES = {
    "ground": GROUND,
    "control": [{"hex": "E4", "name": "Neuville"}, {"hex": "H4", "name": "the bridge"}],
    "zones": [
        ("olive", "set-up area: Allies", "A1:B6"),
        ("field-grey", "set-up area: Axis", "I1:J6"),
    ],
    "colours": ["field-grey", "olive", "red", "blue", "sand", "brown"],
    "steps": [
        {"name": "The bridge", "state": "Axis won", "done": True, "url": "#"},
        {"name": "The crossroads", "state": "forces locked", "current": True, "url": "#"},
        {"name": "The farm", "state": "not reached"},
        {"name": "The town", "state": "not reached"},
    ],
    "units": [
        {
            "name": "1st Platoon",
            "symbol": "airborne-infantry",
            "echelon": "platoon",
            "authorised": 9,
            "on_hand": 7,
            "reduced": 2,
            "facts": "Veteran · two squads reduced · broke once",
            "url": "#",
        },
        {
            "name": "Machine-gun section",
            "symbol": "machine-gun",
            "echelon": "section",
            "authorised": 4,
            "on_hand": 4,
            "reduced": 0,
            "facts": "Regular",
        },
    ],
    "lines": [
        {
            "when": "Turn 4, impulse 11",
            "text": "HMG 2 fires at the rifle squad in the woods, 4 hexes: column 0. Reduced.",
            "roll": "5 + 4 = 9",
            "modifiers": [
                {"words": "woods", "value": "+2", "rule": "14.5.4"},
                {"words": "leader", "value": "+1", "rule": "7.2.4"},
            ],
            "weighty": True,
        },
        {
            "when": "Turn 4, impulse 12",
            "text": "The rifle squad tests its nerve against 7 and is shaken.",
            "roll": "6",
            "rules": ["17.4"],
        },
    ],
    "odds": {"win": 612, "draw": 90, "loss": 298, "failed": 0, "runs": 1000, "low": 58, "high": 64},
    "strengths": [34, 34, 31, 26, 27, 22],
    "refused": {
        "why": "Forces changed since the preview. Look at the new preview and post again.",
        "rule": "",
    },
}


@require_safe
@login_required
def style_page(request: HttpRequest) -> HttpResponse:
    """All parts on one page."""
    if not request.user.is_staff:
        raise Http404
    known = atlas()
    context = {**SAMPLES, "kinds": known["kinds"], "echelons": known["echelons"], "here": "style"}
    return render(request, "pages/style.html", context)
