"""What is printed on the counters, as integers: a list by element type, or bits.

The words of the catalogue are turned into numbers once, here, so that the table and every rule
compare whole numbers.
"""

from __future__ import annotations

from rulesengine.documents import BadDocument
from rulesengine.rulesets.ost.catalogue import BY_KEY, column

SQUAD, LEADER, SNIPER, CREW, CREWED, WEAPON, VEHICLE = range(7)
_WORDS = ("squad", "leader", "sniper", "crew", "crewed weapon", "support weapon", "vehicle")

ELITE, ENGINEER, ASSAULT, POOR, SUSTAINED, ASTERISK, ARC, STEALTH, MOBILE, OWN_RANGE = (
    1 << bit for bit in range(10)
)
ANTITANK, BLOWBACK, SINGLE_USE, SOFT_ONLY, GUN, OPEN_TOP, SOFT, DUAL, LIMITED, TRANSPORT, ARMOR = (
    1 << bit for bit in range(10, 21)
)
THROWN, FLAME, MORTAR, WHOLE_HEX, ENGINEERS_ONLY = (1 << bit for bit in range(22, 27))
NO_RIDERS = 1 << 21
LARGE, COLLAPSE, CAVALRY = 1 << 27, 1 << 28, 1 << 29
TRAIT_BITS = {
    "elite": ELITE,
    "engineer": ENGINEER,
    "assault": ASSAULT,
    "poor": POOR,
    "sustained": SUSTAINED,
    "asterisk": ASTERISK,
    "arc": ARC,
    "stealth": STEALTH,
    "mobile": MOBILE,
    "own range": OWN_RANGE,
    "antitank": ANTITANK,
    "blowback": BLOWBACK,
    "single use": SINGLE_USE,
    "soft vehicles only": SOFT_ONLY,
    "gun": GUN,
    "open top": OPEN_TOP,
    "soft": SOFT,
    "dual": DUAL,
    "limited": LIMITED,
    "transport": TRANSPORT,
    "armor": ARMOR,
    "thrown": THROWN,
    "flame": FLAME,
    "mortar": MORTAR,
    "whole hex": WHOLE_HEX,
    "engineers only": ENGINEERS_ONLY,
    "no riders": NO_RIDERS,
    "large": LARGE,
    "collapse": COLLAPSE,
    "cavalry": CAVALRY,
}

CATEGORY = column(lambda t: _WORDS.index(t.category))
TRAITS = column(lambda t: sum(TRAIT_BITS.get(trait, 0) for trait in t.traits))
FIREPOWER = column(lambda t: (0, t.reduced_fp or t.fp, t.fp))
"""By type, then by steps left: 2 full, 1 reduced or single."""
RANGE = column(lambda t: (0, t.reduced_range or t.range, t.range))
DEFENSE = column(lambda t: t.defense or t.front)
MIN_RANGE = column(lambda t: t.min_range)
MOVEMENT = column(lambda t: t.mp)
COMMAND = column(lambda t: t.command)
STEPS = column(lambda t: 2 if "reduced" in t.conditions else 1)

SINGLE_PERSONS = (LEADER, SNIPER)


def kind_of(unit: str, key: str) -> int:
    """The number of an element type. Raises BadDocument if there is none."""
    if key not in BY_KEY:
        raise BadDocument(f'{unit}: no element type "{key}"')
    return BY_KEY[key]
