"""The rules asked at a battle: what is answered, what is refused, and that nobody learns more."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import engine
from campaigns.forms.question import QuestionForm
from campaigns.models import Role
from campaigns.operations import members
from campaigns.views.rules import kinds, share
from tests.campaign.conftest import person
from tests.campaign.test_road_to_bastogne import Club

HTMX = {"HX-Request": "true"}
ATTACK = {"firepower": "4, 4, 2", "defense": "4", "gut_check": "7", "steps": "2", "attacks": "1"}


@pytest.fixture
def club(db, sent, known_dice):
    return Club("rules")


@pytest.fixture
def battle(club):
    return club.locked()


@pytest.fixture
def as_(club):
    """A browser: the referee's, a side's commander's or a stranger's."""

    def client(who):
        browser = Client()
        if who == "referee":
            browser.force_login(club.referee.user)
        elif who != "anonymous":
            invited = members.invite(seat=club.organiser, role=Role.COMMANDER, side_key=who)
            browser.force_login(
                members.accept(user=person(f"{who} player"), token=invited.token).user
            )
        return browser

    return client


def ask(client, battle, kind, sent, **more):
    address = reverse("battle_rule", args=[battle.campaign.slug, battle.uid, kind])
    return client.get(address, sent, **more)


def words(response):
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(text.split())


def test_the_page_says_exactly_what_the_engine_says(as_, battle):
    response = ask(as_("referee"), battle, "infantry-attack", ATTACK)
    answer = engine.ask(
        battle.campaign.ruleset,
        '{"kind": "infantry attack", "firepower": [4, 4, 2], "defense": 4}',
    )
    said = words(response)
    assert answer.text in said
    for chance in answer.chances:
        part = Fraction(chance.over, chance.of)
        assert f"{part.numerator} of {part.denominator}" in said


def test_many_attacks_in_a_row_leave_less_than_one(as_, battle):
    browser = as_("referee")

    def nothing(attacks):
        page = ask(browser, battle, "infantry-attack", {**ATTACK, "attacks": attacks})
        rows = {row.outcome: row for row in page.context["chances"].listed}
        over, of = map(int, rows["no effect"].fraction.split(" of "))
        return Fraction(over, of)

    one = nothing("1")
    assert 0 < one < 1
    assert nothing("2") == one**2


@pytest.mark.parametrize("who", ["allies", "axis", "referee"])
def test_each_reader_sees_the_figures_of_his_own_counters(who, as_, battle):
    page = ask(as_(who), battle, "infantry-attack", {})
    sides = {counter.side for counter in page.context["counters"]}
    own = {"allies": {"Allies"}, "axis": {"Germans"}, "referee": {"Allies", "Germans"}}
    assert sides == own[who]


def test_the_referee_in_a_sides_eyes_keeps_them(as_, battle):
    address = reverse("battle_rules", args=[battle.campaign.slug, battle.uid])
    page = as_("referee").get(address, {"as": "axis"})
    assert {counter.side for counter in page.context["counters"]} == {"Germans"}
    assert '<input type="hidden" name="as" value="axis">' in page.content.decode()


def test_a_stranger_finds_no_such_page(as_, battle):
    assert ask(as_("anonymous"), battle, "infantry-attack", ATTACK).status_code == 404


def test_a_kind_that_is_not_there_is_no_page(as_, battle):
    assert ask(as_("referee"), battle, "air-raid-of-mars", {}).status_code == 404


def test_htmx_gets_the_answer_alone(as_, battle):
    part = ask(as_("referee"), battle, "infantry-attack", ATTACK, headers=HTMX)
    assert "<html" not in part.content.decode()
    assert "column" in words(part)


@pytest.mark.parametrize(
    ("kind", "sent", "said"),
    [
        ("infantry-attack", {"firepower": "4"}, "Printed Defense of the target: This field"),
        ("infantry-attack", {**ATTACK, "firepower": "four"}, "“four” is not a whole number"),
        ("infantry-attack", {**ATTACK, "firepower": "100"}, "Firepower: "),
        ("infantry-attack", {**ATTACK, "attacks": "51"}, "less than or equal to 50"),
        ("infantry-attack", {**ATTACK, "terrain": "lava"}, "lava is not one of the"),
        ("line-of-sight", {"start": "A1", "end": "ZZ99"}, "ZZ99"),
        ("line-of-sight", {"start": "A1", "end": "A1"}, "From hex, To hex: two different"),
        ("movement-cost", {"path": "A1"}, "Path: at least two hexes"),
        ("movement-cost", {"path": "A1, C9"}, "not adjacent"),
        (
            "drive",
            {"vehicle": "us-m4", "facing": "N", "path": "F5, F6", "facings": "UP"},
            "UP",
        ),
    ],
)
def test_what_cannot_be_asked_is_named(kind, sent, said, as_, battle):
    for more in ({}, {"headers": HTMX}):
        response = ask(as_("referee"), battle, kind, sent, **more)
        assert response.status_code == 200
        assert said in words(response).replace("&#x27;", "'")
        assert not response.context.get("answer")


def test_the_map_of_the_battle_answers(as_, battle):
    page = ask(as_("referee"), battle, "line-of-sight", {"start": "o12", "end": "n13"})
    assert "O12 to N13: " in words(page)


def test_every_kind_asked_with_its_defaults_is_answered(as_, battle):
    """Whoever fills in only what has no default gets an answer."""
    needed = {
        "firepower": "4",
        "defense": "4",
        "gut_check": "7",
        "result": "broken",
        "morale": "shaken",
        "start": "O12",
        "end": "N13",
        "path": "O12, O13",
        "over": "O12",
        "distance": "4",
        "target": "ger-pz4h",
        "weapon": "us-m4",
        "vehicle": "us-m4",
        "one.vehicle": "us-m4",
        "two.vehicle": "ger-pz4h",
        "counter": "us-rifle",
        "facing": "S",
        "facings": "S",
        "battery": "artillery",
        "called": "O12",
        "unit": "ger-rifle",
        "mortar": "us-mortar-60",
        "building": "ruins",
        "one.first.counter": "us-rifle",
        "two.first.counter": "ger-rifle",
        "terrain": "marsh",
        "dice": "2",
    }
    special = {
        "vehicle-attack": {"weapon": "us-m4"},
        "leader-casualty": {"result": "C-S"},
    }
    browser = as_("referee")
    for kind, asked in kinds(battle):
        names = [field.name for field in asked.fields if field.required and field.kind != "map"]
        more = special.get(kind, {})
        page = ask(browser, battle, kind, {**{name: needed[name] for name in names}, **more})
        assert page.context.get("answer"), (kind, words(page))


def test_the_form_shows_every_field_of_every_kind(battle):
    for _, asked in kinds(battle):
        form = QuestionForm(battle.campaign.ruleset, asked)
        assert set(form.fields) == {f.name for f in asked.fields if f.kind != "map"}
        assert all(field.label and "_" not in str(field.label) for field in form.fields.values())


def test_the_battle_page_offers_the_first_kind_beside_the_odds(as_, battle):
    page = as_("allies").get(reverse("battle", args=[battle.campaign.slug, battle.uid]))
    assert 'id="ask-firepower"' in page.content.decode()
    assert reverse("battle_rules", args=[battle.campaign.slug, battle.uid]) in page.content.decode()


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (Fraction(0), "0.0"),
        (Fraction(1, 3000), "< 0.1"),
        (Fraction(1, 3), "33.3"),
        (Fraction(2999, 3000), "> 99.9"),
        (Fraction(1), "100.0"),
    ],
)
def test_a_share_never_rounds_to_certainty(part, said):
    assert share(part) == f"{said}\u202f%"


def test_the_vehicles_of_the_battle_that_one_may_see_come_first(as_, battle):
    def first(who):
        field = ask(as_(who), battle, "drive", {}).context["form"].fields["vehicle"]
        head, options = field.choices[0]
        return head, {key for key, _ in options}

    allies, axis, both = first("allies"), first("axis"), first("referee")
    assert allies[0] == axis[0] == "In this battle"
    assert allies[1]
    assert axis[1]
    assert not allies[1] & axis[1]
    assert both[1] == allies[1] | axis[1]


# --- figures of the battle's own terms, as far as the reader may know them -----------------------


@pytest.fixture
def uneven(battle):
    """The battle with gut checks that differ."""
    document = json.loads(battle.terms.document)
    for terms, number in zip(document["terms"], (5, 8), strict=True):
        terms["gut_check"] = number
    battle.terms.document = json.dumps(document)
    battle.terms.save()
    return battle


def gut_check(page, name="gut_check"):
    field = page.context["form"].fields[name]
    return field.initial, field.help_text


def test_a_gut_check_that_both_sides_share_is_filled_in(as_, battle):
    assert gut_check(ask(as_("referee"), battle, "gut-check", {})) == (7, "Allies 7, Germans 7.")


def test_gut_checks_that_differ_are_both_named_and_none_is_taken_for_granted(as_, uneven):
    browser = as_("referee")
    assert gut_check(ask(browser, uneven, "gut-check", {})) == (None, "Allies 5, Germans 8.")
    said = words(ask(browser, uneven, "infantry-attack", {"firepower": "4", "defense": "4"}))
    assert "Gut check of the target’s side: This field is required." in said


@pytest.mark.parametrize("kind", ["gut-check", "melee", "tank-duel", "infantry-attack"])
@pytest.mark.parametrize(("who", "own", "other"), [("allies", 5, 8), ("axis", 8, 5)])
def test_a_side_is_told_its_own_gut_check_alone(kind, who, own, other, as_, uneven):
    page = ask(as_(who), uneven, kind, {})
    fields = {n: f for n, f in page.context["form"].fields.items() if n.endswith("gut_check")}
    assert next(iter(fields.values())).initial == own
    for field in fields.values():
        assert field.initial != other
        assert str(other) not in field.help_text
    assert any("is not yours to know." in field.help_text for field in fields.values())


def test_a_question_about_two_sides_has_the_gut_check_of_each(as_, uneven):
    page = ask(as_("referee"), uneven, "melee", {})
    assert gut_check(page, "one.gut_check") == (5, "Allies: 5.")
    assert gut_check(page, "two.gut_check") == (8, "Germans: 8.")


def test_what_is_asked_of_each_side_stands_under_its_name(as_, battle):
    page = ask(as_("referee"), battle, "melee", {})
    one, two = page.context["form"].groups()
    assert (one.legend, two.legend) == ("One side", "Other side")
    assert [field.label for field in one.fields] == [field.label for field in two.fields]
    assert one.fields[0].label == "First unit: counter"
    shown = {field.name for group in (one, two) for field in group.fields}
    shown |= {field.name for field in page.context["form"].loose()}
    assert shown == set(page.context["form"].fields)
    text = page.content.decode()
    for name in page.context["form"].fields:
        assert text.count(f'name="{name}"') == 1
    wrong = ask(as_("referee"), battle, "melee", {"one.first.counter": "x"})
    assert "One side: first unit: counter: Select a valid choice." in words(wrong)
