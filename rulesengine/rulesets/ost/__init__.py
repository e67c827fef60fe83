"""Old School Tactical: hexes, counters, impulses, 2D6 combat tables.

Read `ruleset.py` first, then the chapters: `command.py` (turns and impulses), `movement.py`,
`fire.py`, `assault.py`, `morale.py`, `sight.py`. `RULINGS.md` says how the unclear is read.
"""
