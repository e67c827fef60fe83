"""A correction tells every fate and figure it changes, and the points that stay behind."""

from __future__ import annotations

import copy

import pytest
from django.urls import reverse

from campaigns import engine, scored
from campaigns.forms.result import prefilled
from campaigns.operations import battles, corrections
from campaigns.reports.corrected import changes, points_behind
from rulesengine.loader import load_scenario
from tests.campaign.test_road_to_bastogne import Club
from tests.pages.test_engine_results import FIGHTS, RUNS, fought, plain


def a_fight(want, *, scoring=False):
    """A scenario with an engine result in which some fate is as wanted, and that fate; `scoring`:
    where losses are victory points too."""
    for path in FIGHTS:
        scenario = load_scenario(path)
        if scoring and not scenario.victory.per_casualty:
            continue
        for run in range(RUNS):
            document = plain(fought(scenario, run))
            for fate in document["elements"]:
                if want(fate):
                    return scenario, document, fate
    raise AssertionError("no such fate")


def told(scenario, was, will):
    return changes(scenario, engine.read_result(was), engine.read_result(will))


def fate_of(document, element):
    return next(f for f in document["elements"] if f["element"] == element)


def test_a_gun_that_merged_and_is_now_lost_is_told():
    scenario, was, fate = a_fight(lambda f: f["became"] and f["merged_into"])
    will = copy.deepcopy(was)
    fate_of(will, fate["element"]).update(became="", merged_into="", cause="combat")
    (row,) = told(scenario, was, will)
    assert row.what == engine.title_of(scenario.ruleset, fate["type"])
    assert "then merged into one of " in row.was
    assert row.will == "destroyed (combat)"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"cause": "fire from the church"}, "cause"),
        ({"morale": "shaken"}, "morale"),
        ({"after": "eliminated", "morale": "", "cause": "captured"}, "end"),
    ],
)
def test_whatever_is_said_otherwise_of_one_element_is_one_row(change, what):
    scenario, was, fate = a_fight(lambda f: f["morale"] == "good order" and not f["cause"])
    will = copy.deepcopy(was)
    fate_of(will, fate["element"]).update(change)
    (row,) = told(scenario, was, will)
    assert row.unit == fate["unit"]
    assert row.was != row.will, what


def test_figures_of_the_whole_battle_are_told():
    scenario, was, _ = a_fight(lambda f: f["morale"])
    will = copy.deepcopy(was)
    will["turns"] += 1
    will["points"][0]["quantity"] += 2
    will["holdings"][0]["side"] = ""
    will["ending"] = {"kind": "draw", "how": was["ending"]["how"], "winner": ""}
    assert [row.what for row in told(scenario, was, will)] == [
        "Who won",
        "Turns played",
        "Casualty points: enemy losses",
        "Held by",
    ]
    assert told(scenario, was, was) == ()


def test_points_that_stay_while_the_losses_change_are_named_with_the_figure_to_set():
    def squad_lost(fate):
        kind = engine.element_type("ost", fate["type"])
        return kind.merges and fate["after"] == "eliminated" and fate["cause"] == "combat"

    scenario, was, fate = a_fight(squad_lost, scoring=True)
    will = copy.deepcopy(was)
    fate_of(will, fate["element"]).update(after="reduced", morale="good order")
    own = next(f.side for f in scenario.forces if any(u.id == fate["unit"] for u in f.units))
    enemy = next(s for s in scenario.sides if s.key != own)
    lost = {
        p["what"]: p["quantity"]
        for p in was["points"]
        if p["side"] == enemy.key and p["why"] == "enemy losses"
    }
    read = engine.read_result
    # What the game gave for places and exits stays as it is; only the part for losses is counted.
    assert scored.doubts(scenario, read(was)) == []
    assert points_behind(scenario, read(was), read(will)) == []
    warned = scored.doubts(scenario, read(will))
    assert len(warned) == 2
    worth = {"casualty": 1, "victory": scenario.victory.per_casualty}
    for what, sentence in zip(("casualty", "victory"), warned, strict=True):
        total = sum(
            p["quantity"] for p in was["points"] if (p["side"], p["what"]) == (enemy.key, what)
        )
        assert sentence.startswith(f"{enemy.name}: {what} points stand at {total}")
        assert sentence.endswith(f"To have it so, set {what} points to {total - worth[what]}.")
    assert lost["casualty"] > 0


def test_points_that_go_with_the_losses_are_not_warned_of():
    scenario, was, fate = a_fight(lambda f: f["after"] == "eliminated" and f["cause"] == "combat")
    will = copy.deepcopy(was)
    fate_of(will, fate["element"]).update(after="fit", morale="good order", cause="")
    points = {"casualty": scored.losses(scenario, engine.read_result(will))}
    for side in scenario.sides:
        other = next(s.key for s in scenario.sides if s.key != side.key)
        for row in will["points"]:
            if (row["side"], row["what"]) == (side.key, "casualty"):
                row["quantity"] = points["casualty"][other]
            elif (row["side"], row["why"]) == (side.key, "enemy losses"):
                row["quantity"] = scored.rate(scenario) * points["casualty"][other]
    doubts = scored.doubts(scenario, engine.read_result(will))
    assert not any("points stand at" in line for line in doubts)


# --- on the page -------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_preview_of_a_correction_lists_the_gun_and_warns_of_the_points(client):
    club = Club("told")
    battle = club.locked()
    scenario = engine.read_scenario("ost", battles.current_snapshot(battle).document)
    document = plain(fought(scenario, 0))
    hmg, gun = (fate_of(document, f"b20-hq/us-{key}/1") for key in ("hmg", "mmg"))
    squad = {"became": "us-rifle", "cause": "ammunition out", "merged_into": ""}
    hmg.update(squad, after="fit", morale="good order")
    gun.update(squad, after="eliminated", morale="", merged_into=hmg["element"], cause="merged")
    battles.play_at_table(seat=club.referee, battle_id=battle.uid)
    battles.enter_result(seat=club.referee, battle_id=battle.uid, document=document)
    club.post(battle)
    client.force_login(club.referee.user)
    where = reverse("battle_correct", args=[club.campaign.slug, battle.uid])
    sent = prefilled(scenario, battles.result_of(seat=club.referee, battle_id=battle.uid))
    same = client.post(where, sent | {"reason": "Looked at again."}).content.decode()
    assert "Nothing: every fate and figure is as it stands." in same
    row = f"n:{gun['unit']}:{gun['type']}"
    sent |= {f"{row}:merged": "0", f"{row}:eliminated": "1", "reason": "It was lost."}
    page = client.post(where, sent).content.decode()
    table = page.partition("data-changes>")[2].partition("</tbody>")[0]
    assert table.count("<tr") == 1
    assert engine.title_of("ost", gun["type"]) in table
    assert "then merged into one of" in table
    assert "destroyed (combat)" in table
    assert "To have it so, set casualty points to" in page
    trial = corrections.try_correction(
        seat=club.referee,
        battle_id=battle.uid,
        document=battles.result_of(seat=club.referee, battle_id=battle.uid),
        reason="Looked at again.",
    )
    assert trial.changes == ()
