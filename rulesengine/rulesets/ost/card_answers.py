"""The answer to a question about a counter (OST 5, 6, 8, 9, 11): what its unit card says.

Each figure with the rule that says what it is for, and for whatever fires at vehicles the tables
by range (11.0.1).
"""

from __future__ import annotations

from rulesengine.contract import Answer
from rulesengine.documents import BadDocument
from rulesengine.quantities import hex_count, many
from rulesengine.rulesets.ost.catalogue import BY_KEY, TYPES, UnitType
from rulesengine.rulesets.ost.charts import TO_HIT
from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    ASTERISK,
    CREWED,
    ELITE,
    GUN,
    LEADER,
    POOR,
    SNIPER,
    SOFT,
    SQUAD,
    STEPS,
    TRAITS,
    VEHICLE,
    WEAPON,
)
from rulesengine.rulesets.ost.kinds import CATEGORY as CATEGORIES
from rulesengine.rulesets.ost.questions import UnitCard
from rulesengine.rulesets.ost.vehicles import AP, HULL_AP, LONGEST

Lines = list[tuple[str, tuple[str, ...]]]
"""(words, rules) of each line of a card."""

BANDS = (0, 5, 10, 15, 20)
"""Where the AP figures of a card's table begin, in hexes."""


def unit_card(q: UnitCard) -> Answer:
    """OST 11.0."""
    if q.counter not in BY_KEY:
        raise BadDocument(f'counter: no element type "{q.counter}"')
    number = BY_KEY[q.counter]
    t = TYPES[number]
    category = CATEGORIES[number]
    lines = {
        SQUAD: _squad,
        CREWED: _crewed,
        VEHICLE: _vehicle,
        WEAPON: _weapon,
        LEADER: _single,
        SNIPER: _single,
    }.get(category, _crew)(t, number)
    lines += _quality(number)
    lines += _notes(t, number)
    if AP[number]:
        lines += _tables(t, number)
    rules = dict.fromkeys(rule for _, cited in lines for rule in cited)
    return Answer(
        question="unit card",
        text=f"{t.title}: {t.category}",
        rules=tuple(rules),
        steps=tuple(words for words, _ in lines),
    )


NOTES: dict[str, tuple[str, str]] = {
    "engineer": ("engineers: smoke, mines, obstacles, flamethrowers", "6.1.1"),
    "mobile": ("mobile troops: heavy ground and water stop them", "6.2.2"),
    "stealth": ("may move by stealth", "23.3.p1"),
    "all branches": ("helps units of every branch", "7.5.4"),
    "sustained": ("Sustained Fire", "8.1.1"),
    "large": ("large: never in houses, bunkers or pillboxes", "8.0.8"),
    "collapse": ("collapse: brings buildings and bunkers down", "16.7.2"),
    "open top": ("open top: small arms reach the crew", "9.1.1"),
    "limited": ("Limited Fire: the main armament fires once a turn", "9.4.1"),
    "no riders": ("No Riders", "24.0.p1"),
    "blowback": ("back-blast: not out of bunkers, at a risk out of houses", "10.1.3"),
    "own range": ("fires alone past the range of its squad", "10.0.5"),
    "soft vehicles only": ("HE at soft vehicles only", "10.1.1"),
    "whole hex": ("strikes all of the next hex", "10.2.1"),
    "engineers only": ("for engineers only", "6.1.4"),
}
"""By trait, what else a card says, with its rule. OST 11.0.3."""


def _notes(t: UnitType, number: int) -> Lines:
    """Whatever goes for such a unit beyond its figures."""
    known = {"may move by stealth"} if CATEGORIES[number] == SNIPER else set()
    lines: Lines = [
        (words, (rule, "11.0.3"))
        for trait, (words, rule) in NOTES.items()
        if trait in t.traits and words not in known
    ]
    if "arc" in t.traits:
        rule = "9.0.6" if CATEGORIES[number] == VEHICLE else "8.0.12"
        lines.append(("fires in its covered arc only", (rule,)))
    if "dual" in t.traits:
        hull = f"Firepower {t.hull_fp}, armour-piercing {HULL_AP[number][0]} close by"
        reach = f"range {hex_count(t.hull_range)}, forward only"
        lines.append(
            (f"a second main armament in the hull: {hull}, {reach}", ("9.3.1", "9.3.3", "9.3.5"))
        )
    if t.min_range:
        lines.append((f"no nearer than {hex_count(t.min_range)}", ("10.3.1",)))
    return lines


def _two(full: int, reduced: int) -> str:
    return f"{full}, reduced {reduced}"


def _squad(t: UnitType, number: int) -> Lines:
    lines: Lines = [
        ("on foot, a soft target", ("5.0.1", "5.0.3", "6.0.p1")),
        (f"Firepower {_two(t.fp, t.reduced_fp)}", ("6.0.p3", "6.0.2")),
        (
            f"Range {t.range}, reduced {hex_count(t.reduced_range)}",
            ("6.0.p4", "6.0.2", "11.0.2"),
        ),
        (f"Defense {t.defense}", ("6.0.p5",)),
        (f"Movement {many(t.mp, 'point')}", ("6.0.p6",)),
        (f"{many(STEPS[number], 'step')}: a full and a reduced face", ("6.0.p7", "6.0.p8")),
    ]
    return lines


def _crewed(t: UnitType, number: int) -> Lines:
    towed = "towed only" if not t.mp else f"{many(t.mp, 'point')} on foot"
    lines: Lines = [
        ("on foot, a soft target", ("5.0.1", "5.0.3", "8.0.p1")),
        (f"High-explosive Firepower {_two(t.fp, t.reduced_fp)}", ("8.0.p4",)),
        (f"Range {hex_count(t.range)}", ("8.0.p5", "11.0.2")),
        (f"Defense {t.defense}", ("8.0.p6",)),
        (f"Movement: {towed}", ("8.0.p8",)),
    ]
    if TRAITS[number] & ASTERISK:
        lines.append(("marked *: no fire after a move", ("8.0.p9",)))
        lines.append(("marked *: on the ground floor only", ("8.0.p10",)))
    if AP[number]:
        lines.append((f"Armour-piercing Firepower {AP[number][0]} close by", ("8.0.p3",)))
    if TRAITS[number] & GUN:
        lines.append(("an anti-tank gun", ("8.0.7",)))
    return lines


def _vehicle(t: UnitType, number: int) -> Lines:
    hard = "soft" if TRAITS[number] & SOFT else "hard"
    lines: Lines = [
        (f"one vehicle, {t.drive}, a {hard} target", ("5.0.2", "5.0.3", "9.0.1", "9.0.2")),
        (f"Defense {t.front} in front, {t.flank} in flank", ("9.0.p10", "9.0.p11", "9.0.p13")),
        (f"Movement {many(t.mp, 'point')}", ("9.0.p12",)),
        ("faces a hexside", ("9.0.p4",)),
    ]
    if t.fp or t.ap or t.ap_at:
        lines.append((f"High-explosive Firepower {t.fp}", ("9.0.p6", "9.0.3")))
        lines.append((f"Range of the main armament {hex_count(t.range)}", ("9.0.p7", "11.0.2")))
    if AP[number]:
        lines.append((f"Armour-piercing Firepower {AP[number][0]} close by", ("9.0.p5",)))
    if t.mg_fp:
        lines.append((f"Machine guns: Firepower {t.mg_fp}", ("9.0.p8",)))
        lines.append((f"Machine guns: range {hex_count(t.mg_range)}", ("9.0.p9",)))
    return lines


def _weapon(t: UnitType, number: int) -> Lines:
    lines: Lines = [
        (f"Firepower {t.fp}", ("5.0.4",)),
        (f"Range {hex_count(t.range)}", ("5.0.4", "11.0.2")),
    ]
    if AP[number]:
        lines.append((f"Armour-piercing Firepower {AP[number][0]} close by", ("10.0.1",)))
    if "single use" in t.traits:
        lines.append(("used once", ("10.0.2", "10.0.6")))
    else:
        lines.append(("lasts the battle", ("10.0.2", "10.0.7")))
    return lines


def _single(t: UnitType, number: int) -> Lines:
    lines: Lines = [("a single person, one face only", ("5.0.1", "5.0.3", "7.0.p1"))]
    lines.append(("takes and contests no control hex", ("7.0.2",)))
    if t.command:
        lines.append((f"Command range {hex_count(t.command)}", ("7.2.2",)))
        if not TRAITS[number] & ARMOR:
            lines.append(("helps foot units and crewed weapons, no vehicles", ("7.2.7",)))
            words = "moves by his own points; attached, by those of his unit"
            lines.append((words, ("7.3.8",)))
    else:
        lines.append(("may move by stealth; does not count when stacking", ("7.1.7", "7.1.2")))
        lines.append((f"Firepower {t.fp}, range {hex_count(t.range)}", ("7.0.p1",)))
    lines.append((f"Defense {t.defense}, movement {many(t.mp, 'point')}", ("7.0.p1",)))
    return lines


def _crew(t: UnitType, number: int) -> Lines:
    figures = f"Firepower {t.fp}, range {t.range}, Defense {t.defense}, movement {t.mp}"
    return [("on foot, a soft target", ("5.0.1", "5.0.3")), (figures, ("6.0.p3",))]


def _quality(number: int) -> Lines:
    """The grade on the card; a scenario may give another. OST 19."""
    traits = TRAITS[number]
    if traits & ELITE:
        return [("elite", ("19.0.p1", "19.0.p2", "19.0.p4", "19.0.p5"))]
    if traits & POOR:
        return [("poor", ("19.0.p1", "19.0.p2", "19.0.p6", "19.0.p7"))]
    return [("regular: nothing is said", ("19.0.p1", "19.0.p3", "19.0.2"))]


def _tables(t: UnitType, number: int) -> Lines:
    """To hit and armour-piercing Firepower by range. OST 11.0.1, 29.0.4, 29.0.6."""
    reach = min(t.range, LONGEST)
    rows = [row for row in TO_HIT if row.up_to <= reach]
    if not rows or rows[-1].up_to < reach:
        rows += [row for row in TO_HIT if row.up_to > reach][:1]
    hits = ", ".join(f"up to {min(row.up_to, reach)}: {row.needed}" for row in rows)
    bands = [(at, ap) for at, ap in zip(BANDS, AP[number], strict=True) if at <= reach]
    power = ", ".join(f"from {at}: {ap}" for at, ap in bands)
    return [
        (f"To hit on 2D6: {hits}", ("11.0.1", "29.0.4")),
        (f"Armour-piercing Firepower by range: {power}", ("11.0.1", "29.0.6")),
    ]
