"""Laying out the sides: OST 3.1.4, 7.3, 10.0, 20 and 21."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.contract import Battle
from rulesengine.documents import BadDocument
from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.scenario import SideTerms
from tests.engine.table import GERMAN, US, Feed

OST = ruleset("ost")


@pytest.fixture
def layout(table):
    """A battle before set-up: the first side owes it. `zone` and `hidden` are of both sides."""

    def make(*, zone="A1:H8", hidden=1, german_first=False):
        board = (
            table()
            .put("one", "us-rifle", "A1")
            .put("two", "us-rifle", "A1")
            .put("three", "us-rifle", "A1")
            .put("mmg", "us-mmg", "A1")
            .put("him", "us-sergeant", "A1")
            .put("other", "us-sergeant", "A1")
            .put("last", "us-sergeant", "A1")
            .put("sniper", "us-sniper", "A1")
            .put("lmg", "us-lmg")
            .put("bar", "us-bar")
            .put("german", "ger-rifle", "H8")
            .put("feldwebel", "ger-sergeant", "H8")
        )
        document = board.document()
        terms = tuple(msgspec.structs.replace(t, zone=zone, hidden=hidden) for t in document.terms)
        document = msgspec.structs.replace(document, terms=terms)
        battle = Battle(OST, OST.setup(document), Feed(), [])
        return Layout(battle, board.cited)

    return make


class Layout:
    """One side's set-up, spoiled one way at a time."""

    HEXES = {
        "one": "A1",
        "two": "A1",
        "three": "B2",
        "mmg": "C3",
        "him": "A1",
        "other": "B2",
        "last": "C3",
        "sniper": "A1",
    }

    def __init__(self, battle, cited):
        self.battle = battle
        self.cited = cited
        self.number = {name: c for c, name in enumerate(battle.state.ids)}

    def action(self, *, moved=(), attached=(), carried=None, hidden=(), dropped=()):
        find = self.battle.state.ground.grid.find
        hexes = {**self.HEXES, **dict(moved)}
        n = self.number
        carried = (("lmg", "one"), ("bar", "two")) if carried is None else carried
        return a.Deploy(
            places=tuple((n[c], find(h)) for c, h in hexes.items() if c not in dropped),
            attached=tuple((n[leader], n[unit]) for leader, unit in attached),
            carried=tuple((n[w], n[unit]) for w, unit in carried),
            hidden=tuple(n[c] for c in hidden),
        )

    def rule(self, **spoiled):
        view = OST.view(self.battle.state, US)
        refusal = OST.refuse(view, self.action(**spoiled))
        if refusal is None:
            return None
        self.cited.take(refusal)
        return refusal.rule

    def accept(self, **fields):
        assert self.rule(**fields) is None
        OST.decide(self.battle, self.action(**fields))
        self.cited.take(list(self.battle.log))
        return self.battle.state


@pytest.mark.rule("ost", "3.1.4", "20.0.1")
def test_a_side_lays_out_every_unit_in_its_zone(layout):
    state = layout().accept()
    assert all(state.hex[c] != -1 for c in state.of_side[US])
    assert state.queue == [GERMAN]


@pytest.mark.rule("ost", "3.1.4")
def test_nothing_is_left_out_and_nothing_stands_outside_the_zone(layout):
    assert layout().rule(dropped=("mmg",)) == "3.1.4"
    assert layout(zone="A1:B8").rule() == "3.1.4"
    assert layout().rule(moved=[("german", "D4")]) == "3.1.4"


@pytest.mark.border("ost", "20")
@pytest.mark.rule("ost", "20.0.1")
@pytest.mark.parametrize(
    ("moved", "fits"),
    [
        ([("three", "A1")], False),
        ([("mmg", "A1")], False),
        ([("other", "A1")], True),
        ([("other", "A1"), ("last", "A1")], False),
        ([("sniper", "B2")], True),
    ],
)
def test_two_units_and_two_leaders_fit_a_hex_snipers_besides(layout, moved, fits):
    place = layout()
    assert place.rule(moved=moved) == (None if fits else "20.0.1")
    if fits:
        place.rule(moved=[("three", "A1")])


@pytest.mark.rule("ost", "7.3.4")
def test_leaders_may_start_attached(layout):
    place = layout()
    state = place.accept(attached=[("him", "one")])
    assert state.leader[place.number["one"]] == place.number["him"]


@pytest.mark.rule("ost", "7.3.2")
def test_two_leaders_do_not_start_with_one_unit(layout):
    moved = [("other", "A1")]
    assert layout().rule(moved=moved, attached=[("him", "one"), ("other", "one")]) == "7.3.2"


@pytest.mark.rule("ost", "7.3.1")
@pytest.mark.parametrize(
    "attached",
    [
        [("him", "one"), ("him", "two")],
        [("him", "sniper")],
        [("sniper", "one")],
        [("him", "other")],
    ],
)
def test_who_may_start_attached_to_whom(layout, attached):
    assert layout().rule(moved=[("other", "A1")], attached=attached) == "7.3.1"


@pytest.mark.rule("ost", "7.3.3")
def test_a_leader_starts_attached_in_his_own_hex(layout):
    assert layout().rule(attached=[("him", "three")]) == "7.3.3"


@pytest.mark.rule("ost", "7.3.4")
def test_a_side_does_not_touch_the_enemys_leaders(layout):
    assert layout().rule(attached=[("feldwebel", "german")]) == "7.3.4"


@pytest.mark.rule("ost", "10.0.12")
def test_a_squad_starts_with_one_support_weapon(layout):
    assert layout().rule(carried=[("lmg", "one"), ("bar", "one")]) == "10.0.12"


@pytest.mark.rule("ost", "10.0.p1")
@pytest.mark.parametrize("unit", ["mmg", "sniper", "him", "german"])
def test_support_weapons_start_with_squads_of_the_side(layout, unit):
    assert layout().rule(carried=[("lmg", "one"), ("bar", unit)]) == "10.0.p1"


def test_every_support_weapon_starts_with_somebody(layout):
    assert layout().rule(carried=[("lmg", "one")]) == "10.0.3"


@pytest.mark.border("ost", "21")
@pytest.mark.rule("ost", "21.0.p1")
@pytest.mark.parametrize(
    ("hidden", "fits"),
    [
        (("one",), True),
        (("one", "sniper"), True),
        (("one", "two"), False),
        (("german",), False),
    ],
)
def test_as_many_units_hide_as_the_scenario_allows_snipers_besides(layout, hidden, fits):
    place = layout()
    assert place.rule(hidden=hidden) == (None if fits else "21.0.p1")
    if fits:
        state = place.accept(hidden=hidden)
        assert all(state.hidden[place.number[c]] for c in (*hidden, "sniper"))


@pytest.mark.rule("ost", "21.0.3")
def test_a_leader_hides_with_his_unit_and_not_without_it(layout):
    place = layout()
    attached = [("him", "one")]
    assert place.rule(attached=attached, hidden=("him",)) == "21.0.3"
    state = place.accept(attached=attached, hidden=("one",))
    for name in ("one", "him", "lmg"):
        assert state.hidden[place.number[name]]


def test_the_scenario_says_who_lays_out_first(table):
    board = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "H8")
    document = board.document()
    terms = [msgspec.structs.replace(t, order=2 if t.side == "us" else 1) for t in document.terms]
    state = OST.setup(msgspec.structs.replace(document, terms=tuple(terms)))
    assert state.queue == [GERMAN, US]
    assert isinstance(terms[0], SideTerms)


def test_a_type_that_is_not_there_is_said_so(table):
    board = table().put("us", "no-such-thing", "A1").put("german", "ger-rifle", "H8")
    with pytest.raises(BadDocument):
        OST.setup(board.document())


@pytest.mark.parametrize(("name", "told"), [("THE  red", True), ("The reds", False)])
def test_sides_that_read_alike_are_a_fault(table, name, told):
    whole = table().put("us", "us-rifle", "A1").put("german", "ger-rifle", "H8").document()
    first, second = whole.sides
    named = (
        msgspec.structs.replace(first, name="The Red "),
        msgspec.structs.replace(second, name=name),
    )
    faults = check(msgspec.structs.replace(whole, sides=named))
    assert ("sides[1].name" in [fault.where for fault in faults]) == told
