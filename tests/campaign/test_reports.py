"""Reports: what they say, and that a larger army costs no more queries."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns import projection
from campaigns.operations import adjustments, battles, turns
from campaigns.operations import oob as oob_writes
from campaigns.reports import aar, history, oob, overview, roster, seats, units
from campaigns.reports import battle as battle_report
from tests.campaign.conftest import Cast, toy_pack

pytestmark = pytest.mark.usefixtures("balanced")


def test_the_order_of_battle_is_a_tree_whose_sums_are_its_units(cast: Cast) -> None:
    report = oob.oob(projection.viewer_for(cast.red), cast.campaign)
    (side,) = report.sides
    (battalion,) = side.formations
    (company,) = battalion.children
    assert [u.name for u in company.units] == ["Red platoon 1", "Red platoon 2"]
    assert (side.authorised, side.on_hand, side.reduced) == (6, 6, 0)
    row = company.units[0].elements[0]
    assert (row.title, row.authorised, row.conditions) == ("Toy squad", 2, (("fit", 2),))


def test_an_attached_unit_stands_where_it_is_attached_and_past_turns_where_it_was(
    cast: Cast,
) -> None:
    from tests.campaign.test_campaigns import after_a_fight

    after_a_fight(cast, {})
    battalion = cast.campaign.formations.get(key="red-battalion")
    oob_writes.attach(
        seat=cast.referee,
        unit_id=cast.unit("r1").uid,
        formation_id=battalion.uid,
        reason="the reserve",
    )
    viewer = projection.viewer_for(cast.red)
    (now,) = oob.oob(viewer, cast.campaign).sides[0].formations
    (then,) = oob.oob(viewer, cast.campaign, 1).sides[0].formations
    assert [(u.key, u.home) for u in now.units] == [("r1", "Red company")]
    assert then.units == ()


def test_the_difference_between_two_turns_names_the_lines_that_made_it(cast: Cast) -> None:
    from tests.campaign.test_campaigns import after_a_fight

    after_a_fight(cast, {"r1/toy-squad/1": "eliminated"})
    adjustments.adjust(
        seat=cast.referee,
        unit_id=cast.unit("r1").uid,
        element="toy-squad",
        condition="reduced",
        quantity=1,
        reason="came back from the woods",
        key="1",
    )
    viewer = projection.viewer_for(cast.red)
    report = oob.difference(viewer, cast.campaign, 1, 2)
    (change,) = report.changes
    assert (change.unit, change.before, change.after) == ("Red platoon 1", 1, 2)
    assert change.lines[0].reason == "came back from the woods"
    before = oob.oob(viewer, cast.campaign, 1).sides[0].on_hand
    assert oob.oob(viewer, cast.campaign).sides[0].on_hand == before + 1


def test_a_units_life_tells_its_losses_by_cause_and_the_lines_that_name_it(cast: Cast) -> None:
    battle, _ = cast.posted()
    report = units.unit(cast.referee, cast.unit("b1").uid)
    lost = report.row.authorised - report.row.on_hand
    assert sum(count for _, count in report.losses) == lost
    assert [p.turn for p in report.strength] == [1]
    assert report.strength[0].on_hand == report.row.on_hand
    assert all("b1" in told.line.units for told in report.told)
    assert {told.battle for told in report.told} == {battle.uid}


def test_a_reversed_battle_leaves_no_casualties_in_the_history(cast: Cast) -> None:
    from campaigns.operations import battle_postings

    battle, _ = cast.posted()
    viewer = projection.viewer_for(cast.referee)
    assert history.history(viewer, cast.campaign).casualties
    assert history.history(viewer, cast.campaign).by_unit
    battle_postings.reverse_battle(seat=cast.referee, battle_id=battle.uid, reason="oops")
    after = history.history(viewer, cast.campaign)
    assert not after.casualties
    assert not after.by_unit
    rows = history.journal(viewer)
    assert [row.kind for row in rows] == ["reversal", "battle", "establishment"]
    assert rows[1].reversed


def test_a_gun_that_left_a_crew_and_one_that_left_a_squad_are_casualties(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    for fate in document["elements"]:
        fate.update(after=fate["before"], became="", merged_into="", cause="")
    by_name = {fate["element"]: fate for fate in document["elements"]}
    by_name["r1/toy-gun/1"].update(after="eliminated", became="toy-crew", cause="gun wrecked")
    by_name["b1/toy-gun/1"].update(after="reduced", became="toy-squad", cause="gun lost")
    by_name["r1/toy-squad/1"].update(
        after="eliminated", merged_into="r1/toy-squad/2", cause="merged"
    )
    document["spent"] = []
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="as it was")
    cast.post(battle)
    report = history.history(projection.viewer_for(cast.referee), cast.campaign)
    assert [(row.side, row.name, row.lost) for row in report.casualties] == [
        ("red", "Toy gun", 1),
        ("blue", "Toy gun", 1),
    ], "a gun and the crew that fell after it are one loss, not two"
    assert sorted((row.side, row.unit, row.lost) for row in report.by_unit) == [
        ("blue", "Blue platoon 1", 1),
        ("red", "Red platoon 1", 1),
    ]
    own = history.history(projection.viewer_for(cast.red), cast.campaign)
    assert {row.side for row in own.casualties} == {row.side for row in own.by_unit} == {"red"}


def test_a_head_start_is_a_part_of_the_score_that_is_named(cast: Cast) -> None:
    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    document["points"] = [
        {"side": "red", "what": "victory", "why": "head start", "quantity": 17},
        {"side": "red", "what": "victory", "why": "enemy losses", "quantity": 3},
        {"side": "blue", "what": "victory", "why": "enemy losses", "quantity": 4},
    ]
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="as it was")
    cast.post(battle)
    standings = history.standings(projection.viewer_for(cast.spectator), cast.campaign)
    told = {row.side: (row.victory, row.head_start) for row in standings}
    assert told == {"red": (20, 17), "blue": (4, 0)}


def test_home_says_what_needs_whom(cast: Cast) -> None:
    cast.planned()
    needs = {
        name: {n.button for n in overview.home(seat.user).needs}
        for name, seat in cast.seats.items()
    }
    assert needs["referee"] == {"choose_forces", "lock"}
    assert needs["red"] == {"choose_forces"}
    assert needs["spectator"] == set()
    assert overview.home(cast.stranger).campaigns == ()


def test_home_says_when_the_campaign_itself_waits_for_its_referee(cast: Cast) -> None:
    def waits() -> set[str]:
        return {need.button for need in overview.home(cast.referee.user).needs}

    assert waits() == {"plan_battle"}
    cast.posted()
    assert waits() == {"open_next"}
    assert not overview.home(cast.red.user).needs


def test_the_ladder_shows_where_each_outcome_leads(cast: Cast) -> None:
    report = overview.campaign(cast.red)
    assert report.ladder[0].current
    assert ("Red", "The second fight") in report.ladder[0].leads_to
    assert ("Blue", "the end") in report.ladder[0].leads_to
    assert "plan_battle" not in report.may
    assert "plan_battle" in overview.campaign(cast.referee).may


def test_the_battle_sheet_holds_only_what_its_reader_may_have(cast: Cast) -> None:
    battle = cast.locked()
    sheet = roster.battle_sheet(cast.red, battle.uid)
    assert [bool(side.cards) for side in sheet.sides] == [True, False]
    assert [fact.label for fact in sheet.facts] == ["turns", "control: the hill, hex"]
    assert len(sheet.commitment) == 64


REPORTS: dict[str, Callable[[Cast, str], object]] = {
    "home": lambda c, b: overview.home(c.referee.user),
    "campaign": lambda c, b: overview.campaign(c.referee),
    "order of battle": lambda c, b: oob.oob(projection.viewer_for(c.referee), c.campaign),
    "order of battle as of": lambda c, b: oob.oob(projection.viewer_for(c.referee), c.campaign, 1),
    "difference": lambda c, b: oob.difference(projection.viewer_for(c.referee), c.campaign, 1, 2),
    "unit": lambda c, b: units.unit(c.referee, c.unit("r1").uid),
    "battle": lambda c, b: battle_report.battle(c.referee, b),
    "report": lambda c, b: battle_report.battle_aar(c.referee, b),
    "history": lambda c, b: history.history(projection.viewer_for(c.referee), c.campaign),
    "journal": lambda c, b: history.journal(projection.viewer_for(c.referee)),
    "roster": lambda c, b: roster.roster(projection.viewer_for(c.referee), c.campaign, "red"),
    "battle sheet": lambda c, b: roster.battle_sheet(c.referee, b),
    "members": lambda c, b: seats.members(c.organiser),
}


def test_a_tenfold_army_costs_no_more_queries(db: None, sent: list[int], known_dice: None) -> None:
    counted: dict[str, list[int]] = {name: [] for name in REPORTS}
    for size in (2, 20):
        for user in User.objects.all():
            User.objects.filter(pk=user.pk).update(username=f"gone-{user.pk}")
        cast = Cast(toy_pack(key=f"pack-{size}", units=size))
        battle, _ = cast.posted()
        turns.open_next(seat=cast.referee)
        for name, report in REPORTS.items():
            with CaptureQueriesContext(connection) as queries:
                report(cast, battle.uid)
            counted[name].append(len(queries))
    for name, (small, large) in counted.items():
        assert large <= small, f"{name}: {small} queries, then {large}"
        assert large <= 20, f"{name}: {large} queries"


def test_what_mattered_says_in_words_what_the_letters_of_a_result_mean() -> None:
    shot = aar.AarLine(text="Gun at squad: roll 9: C.", weight=1, means="a casualty")
    (told,) = aar.shown((shot,), "notable")
    assert (told.text, told.means) == ("Gun at squad: roll 9: C, a casualty.", "")
    assert aar.shown((told,), "notable") == (told,), "once is enough"
    assert aar.shown((shot,), "all") == (shot,)
    old = {"text": "Gun at squad: roll 9: C.", "weight": 1}
    stored = msgspec.convert(old, aar.AarLine)
    assert aar.shown((stored,), "notable") == (stored,), "a report stored before has no words"


def test_a_lull_is_one_line_of_what_mattered_and_every_line_of_everything() -> None:
    def line(text: str, weight: int) -> aar.AarLine:
        return aar.AarLine(text=text, weight=weight, rules=("4.0.7",))

    lost = line("Rifle squad is lost.", 2)
    moves = line("Rifle squad moves: A1.", 0)
    red, blue = line("Reds let a point go.", -1), line("Blues pass.", -1)
    lines = (red, red, lost, moves, red, blue, red, red, moves, blue)
    assert aar.shown(lines, "all") == lines
    assert aar.shown(lines, "turning") == (lost,)
    first, lull = aar.shown(lines, "notable")
    assert first == lost
    assert lull.text == "A lull: Reds let a point go (3 times), Blues pass."
    assert (lull.rules, lull.weight) == (("4.0.7",), -1)
