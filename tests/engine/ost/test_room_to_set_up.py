"""Room to set up (OST 3.1.4, 20.0.1, 26.2.3): what a scenario is told when its zones are too small
or too wet, and that the plan of the AI finds the room there is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost.berths import fitted
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.deployment import plan
from rulesengine.rulesets.ost.scenario import HexMap
from tests.engine.table import GERMAN, LEGEND, US

OST = ruleset("ost")
WET = {**LEGEND, "D": "deep water"}
COAST = ("D......D", "Dw.....D", "DD.....D", "D......D")
"""Column A is water, column B has one wood."""


def zoned(board: Any, us: str = "B1:C4", german: str = "F1:G4", rows: Any = COAST) -> Any:
    """The scenario of a table with these set-up zones."""
    board.map = HexMap(key="coast", title="Coast", grid=rows, legend=WET)
    board.put("foe", "ger-rifle", "F1")
    document = board.document()
    terms = tuple(
        msgspec.structs.replace(each, zone=zone, hidden=0)
        for each, zone in zip(document.terms, (us, german), strict=True)
    )
    return msgspec.structs.replace(document, terms=terms)


def faults(document: Any) -> list[str]:
    return [f"{fault.where}: {fault.what}" for fault in check(document)]


def planned(document: Any, variant: int = 0) -> dict[str, str]:
    """Where the AI sets the first side up, by element; it must be lawful."""
    state = OST.setup(document)
    view = OST.view(state, US)
    action = plan(view, variant)
    assert OST.refuse(view, action) is None
    return {state.ids[c]: state.ground.name(h) for c, h in action.places}


def squads(board: Any, count: int, kind: str = "us-rifle") -> Any:
    for number in range(count):
        board.put(f"{kind} {number}", kind)
    return board


def test_a_zone_of_deep_water_is_a_fault(table):
    document = zoned(squads(table(), 1), us="A1:A4")
    assert faults(document) == [
        'terms[0].zone ("us"): nobody can stand anywhere in it [14.8.1]',
    ]


def test_the_dry_part_of_a_zone_counts(table):
    """Two hexes of three are dry: they hold four squads, not five."""
    assert not faults(zoned(squads(table(), 4), us="A3:C3, B4"))
    found = faults(zoned(squads(table(), 5), us="A3:C3, B4"))
    assert len(found) == 1
    assert found[0].startswith('terms[0].zone ("us"): no room in it for Rifle')
    assert found[0].endswith("[20.0.1, 14.0.3]")


@pytest.mark.parametrize(("leaders", "fit"), [(4, True), (5, False)])
def test_leaders_need_dry_hexes_too(table, leaders, fit):
    """Two hexes of three are dry."""
    board = squads(squads(table(), 1), leaders, "us-sergeant")
    document = zoned(board, us="A3:C3, B4")
    found = faults(document)
    assert (not found) == fit
    if fit:
        planned(document)
    else:
        assert "5 leaders do not fit in the 2 hexes" in found[0]


def test_vehicles_need_hexes_that_are_open_to_them(table):
    """B2 is a wood: two lorries fit in B1, a third one nowhere, though three squads would."""
    assert not faults(zoned(squads(table(), 2, "us-truck"), us="B1:B2"))
    assert not faults(zoned(squads(table(), 3), us="B1:B2"))
    found = faults(zoned(squads(table(), 3, "us-truck"), us="B1:B2"))
    assert len(found) == 1
    assert "Truck" in found[0]


@pytest.mark.parametrize("variant", range(4))
def test_the_plan_leaves_the_open_hex_to_the_vehicles(table, variant):
    board = squads(squads(table(), 2), 2, "us-truck")
    places = planned(zoned(board, us="B1:B2"), variant)
    assert {places["us-truck 0"], places["us-truck 1"]} == {"B1"}
    squads_in = {places["us-rifle 0"], places["us-rifle 1"]}
    assert squads_in == ({"B1"} if variant % 2 else {"B2"}), "with an odd variant they ride"


@pytest.mark.parametrize("variant", range(4))
def test_the_plan_fills_a_zone_to_the_last_place(table, variant):
    """A gun is laid first; what is left of its hex is needed all the same."""
    places = planned(zoned(squads(table().put("gun", "us-57mm"), 5), us="B1:B2, C1"), variant)
    assert sorted(places.values()) == ["B1", "B1", "B2", "B2", "C1", "C1"]


def test_whoever_stands_in_the_way_goes_elsewhere(table):
    """The first squads would take the only hex the lorries can use."""
    document = zoned(squads(squads(table(), 2), 2, "us-truck"), us="B1:B2")
    state = OST.setup(document)
    found = fitted(
        state, list(state.of_side[US]), [state.ground.grid.find(h) for h in ("B1", "B2")]
    )
    names = {state.ids[c]: state.ground.name(h) for c, h in found.items()}
    assert names == {"us-rifle 0": "B2", "us-rifle 1": "B2", "us-truck 0": "B1", "us-truck 1": "B1"}


def test_leaders_without_a_unit_stand_two_to_a_hex(table):
    board = squads(squads(table(), 1), 4, "us-sergeant")
    places = planned(zoned(board, us="B1:B2"))
    assert sorted(places[f"us-sergeant {n}"] for n in range(4)) == ["B1", "B1", "B2", "B2"]


def test_a_leader_waits_alone_for_those_who_come_by_air(table):
    board = table().put("a", "us-airborne-rifle").put("him", "us-sergeant")
    board.flies(US, ("glider", "C1:E4", ("a",)))
    document = zoned(board)
    assert not faults(document)
    assert planned(document) == {"him": "B2"}


# --- aircraft ------------------------------------------------------------------------------------


def gliders(board: Any, count: int, area: str) -> Any:
    names = [f"g{number}" for number in range(count)]
    for name in names:
        board.put(name, "us-airborne-rifle")
    board.put("home", "us-rifle")
    return board.flies(US, *(("glider", area, (name,)) for name in names))


@pytest.mark.rule("ost", "26.2.3")
@pytest.mark.parametrize("variant", range(3))
def test_as_many_gliders_as_pass_the_check_are_set_up(table, variant, cited):
    rows = ("." * 10,) * 16
    board = gliders(table(), 10, "A1:J16")
    document = zoned(board, us="A16:B16", german="I1:J15", rows=rows)
    assert not faults(document)
    state = OST.setup(document)
    view = OST.view(state, US)
    action = plan(view, variant)
    assert OST.refuse(view, action) is None
    assert len(action.aircraft) == 10
    close = msgspec.structs.replace(
        action,
        aircraft=tuple(
            (n, h) for n, (_, h) in enumerate((action.aircraft[0], *action.aircraft[:9]))
        ),
    )
    refusal = OST.refuse(view, close)
    cited.take(refusal)
    assert refusal is not None
    assert refusal.rule == "26.2.3"


def test_more_gliders_than_have_room_are_a_fault(table):
    rows = ("." * 8,) * 8
    assert not faults(zoned(gliders(table(), 4, "A1:H8"), us="A8:B8", german="G1:H7", rows=rows))
    found = faults(zoned(gliders(table(), 9, "A1:H8"), us="A8:B8", german="G1:H7", rows=rows))
    assert len(found) == 1
    assert "[26.2.3]" in found[0]


def test_both_sides_are_looked_at(table):
    document = zoned(squads(table(), 1), german="H1:H4")
    assert faults(document) == [
        'terms[1].zone ("german"): nobody can stand anywhere in it [14.8.1]'
    ]
    assert OST.setup(document).side[-1] == GERMAN


@pytest.mark.parametrize(("zone", "fits"), [("G1:G2", True), ("G1", False)])
def test_a_large_gun_needs_ground_without_a_house(table, zone, fits):
    rows = ("D.....h.", "Dw......", "DD......", "D.......")
    found = faults(
        zoned(table().put("home", "us-rifle").put("flak", "ger-flak36"), german=zone, rows=rows)
    )
    assert (not found) == fits
    assert fits or "FlaK" in found[0]
