#!/usr/bin/env python3
"""Make static/symbols/atlas.svg: every unit symbol as a <symbol> for <use> (for maintainers).

The drawings come from the `milsymbol` package (APP-6), which no web process ever loads. The
frame is filled with the custom property --side-fill, marks outside it take the text colour, so
one atlas serves every side's colours and both themes. A symbol's id is
`<kind>-<frame>[-<echelon>]`; index.json lists kinds, frames and echelons with their titles.

    scripts/build_symbols.py [--check]      --check only compares with the committed files
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from milsymbol import Symbol

FOLDER = Path(__file__).resolve().parent.parent / "static" / "symbols"

KINDS = {
    "infantry": ("Infantry", "121100"),
    "armoured-infantry": ("Armoured infantry", "121102"),
    "motorised-infantry": ("Motorised infantry", "121104"),
    "airborne-infantry": ("Airborne infantry", "121100"),
    "engineer": ("Engineer", "140700"),
    "machine-gun": ("Machine gun", "000000"),
    "mortar": ("Mortar", "130800"),
    "anti-tank": ("Anti-tank", "120400"),
    "infantry-gun": ("Infantry gun", "121100"),
    "artillery": ("Artillery", "130300"),
    "armour": ("Armour", "120500"),
    "reconnaissance": ("Reconnaissance", "121300"),
    "sniper": ("Sniper", "121500"),
    "headquarters": ("Headquarters", "000000"),
}
FRAMES = {"friend": ("friendly", "3"), "hostile": ("hostile", "6")}
ECHELONS = {
    "": ("", "00"),
    "team": ("team", "11"),
    "squad": ("squad", "12"),
    "section": ("section", "13"),
    "platoon": ("platoon", "14"),
    "company": ("company", "15"),
    "battalion": ("battalion", "16"),
    "regiment": ("regiment", "17"),
    "brigade": ("brigade", "18"),
    "division": ("division", "21"),
}
VIEW = {"friend": "19 2 162 158", "hostile": "19 -20 162 200"}
STAFF = {"friend": "M25,150 L25,158", "hostile": "M28,100 L28,178"}
MACHINE_GUN = '<path d="m 100,70 0,62 M 88,84 100,70 112,84 M 88,132 l24,0" {ink} fill="none"/>'
GUN_DOT = '<circle cx="100" cy="100" r="13" fill="var(--symbol-ink, #16181d)"/>'
INK = 'stroke-width="3.5" stroke="var(--symbol-ink, #16181d)"'
OUTSIDE = 'stroke-width="5" stroke="currentColor"'


def sidc(kind: str, frame: str, echelon: str) -> str:
    """The 20-digit code of a land unit."""
    entity = KINDS[kind][1]
    airborne = "01" if kind == "airborne-infantry" else "00"
    return f"100{FRAMES[frame][1]}1000{ECHELONS[echelon][1]}{entity}00{airborne}"


def drawing(kind: str, frame: str, echelon: str) -> str:
    """The drawing's elements, with our colours instead of milsymbol's."""
    svg = Symbol(sidc(kind, frame, echelon), size=100).as_svg()
    inner = re.sub(r"^<svg[^>]*>|</svg>$", "", svg)
    inner = re.sub(r"\s*></(path|circle)>", "/>", inner)
    head, body = inner.split("/>", 1)
    head = head.replace('stroke-width="4" stroke="black"', OUTSIDE)
    head = re.sub(r'fill="rgb\([^"]*\)" fill-opacity="1"', 'fill="var(--side-fill, #d8d2c2)"', head)
    icon, group, marks = body.partition("<g ")
    icon = icon.replace('stroke-width="3" stroke="black"', INK)
    icon = icon.replace('fill="black"', 'fill="var(--symbol-ink, #16181d)"')
    marks = marks.replace('stroke-width="4" stroke="black"', OUTSIDE)
    marks = marks.replace('fill="black"', 'fill="currentColor"').replace(
        'transform="translate(0,0)" ', ""
    )
    if kind == "machine-gun":
        icon += MACHINE_GUN.format(ink=INK)
    if kind == "infantry-gun":
        icon += GUN_DOT
    if kind == "headquarters":
        icon += f'<path d="{STAFF[frame]}" {OUTSIDE} fill="none"/>'
        icon += (
            '<text x="100" y="116" text-anchor="middle" font-family="sans-serif" '
            'font-size="46" font-weight="bold" fill="var(--symbol-ink, #16181d)">HQ</text>'
        )
    return head + "/>" + icon + group + marks


def title(kind: str, frame: str, echelon: str) -> str:
    """What a screen reader says: "Infantry battalion, friendly"."""
    words = KINDS[kind][0] + (f" {ECHELONS[echelon][0]}" if echelon else "")
    return f"{words}, {FRAMES[frame][0]}"


def atlas() -> str:
    """The whole atlas, one <symbol> a line."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg">']
    for kind in KINDS:
        for frame in FRAMES:
            for echelon in ECHELONS:
                name = "-".join(part for part in (kind, frame, echelon) if part)
                lines.append(
                    f'<symbol id="{name}" viewBox="{VIEW[frame]}">'
                    f"<title>{title(kind, frame, echelon)}</title>"
                    f"{drawing(kind, frame, echelon)}</symbol>"
                )
    return "\n".join([*lines, "</svg>"]) + "\n"


def index() -> str:
    """What the atlas holds, for the template tag and the tests."""
    return (
        json.dumps(
            {
                "kinds": {key: words for key, (words, _) in KINDS.items()},
                "frames": {key: words for key, (words, _) in FRAMES.items()},
                "echelons": [key for key in ECHELONS if key],
                "credit": "Drawn with milsymbol (MIT), after APP-6.",
            },
            indent=2,
        )
        + "\n"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--check", action="store_true")
    made = {"atlas.svg": atlas(), "index.json": index()}
    if arguments.parse_args().check:
        stale = [n for n, text in made.items() if (FOLDER / n).read_text() != text]
        sys.exit(f"build_symbols: {', '.join(stale)} is out of date; run it" if stale else 0)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
