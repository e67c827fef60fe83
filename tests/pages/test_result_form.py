"""The result form: counters on paper, single elements in the document."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from campaigns import engine
from campaigns.forms.result import ResultForm, prefilled
from campaigns.models import Balance, Battle, Line, Posting
from campaigns.operations import battles, corrections
from campaigns.refusals import Refused


@pytest.fixture
def table(cast):
    """A battle at the table."""
    battle = cast.locked()
    return battles.play_at_table(seat=cast.referee, battle_id=battle.uid)


def scenario_of(battle):
    document = battles.current_snapshot(battle).document
    return engine.read_scenario(battle.campaign.ruleset, document)


def fields_of(page):
    """The fields of the form on a page as a browser would send them."""
    text = page.content.decode()
    fields = dict(re.findall(r'<input[^>]*name="([^"]+)" value="([^"]*)"', text))
    return {k: v for k, v in fields.items() if k != "csrfmiddlewaretoken"}


def page_of(name, battle):
    return reverse(name, args=[battle.campaign.slug, battle.uid])


def test_a_form_left_alone_says_that_everybody_ended_as_he_began(table):
    form = ResultForm(scenario_of(table), {"winner": "draw"})
    fates = form.document()["elements"]
    assert fates
    assert all(fate["after"] == fate["before"] for fate in fates)


def test_what_the_form_makes_prefills_the_same_form(table):
    scenario = scenario_of(table)
    form = ResultForm(scenario, {"winner": "red", "n:r1:toy-squad:eliminated": "1"})
    form.data = {**form.data, f"n:r1:toy-squad:{best(scenario)}": "1"}
    document = form.document()
    again = ResultForm(scenario, prefilled(scenario, document)).document()
    assert again == document


def best(scenario):
    return engine.element_type(scenario.ruleset, "toy-squad").conditions[0]


def test_counters_that_do_not_add_up_are_refused_with_the_unit_and_the_sum(table):
    form = ResultForm(scenario_of(table), {"winner": "red", "n:r1:toy-squad:eliminated": "1"})
    with pytest.raises(Refused, match=r"Red platoon 1 brought 2 .* you account for 3"):
        form.document()


@pytest.mark.parametrize("text", ["lots", "-1", "1.5"])
def test_what_is_not_a_count_is_refused(text, table):
    form = ResultForm(scenario_of(table), {"winner": "red", "n:r1:toy-squad:eliminated": text})
    with pytest.raises(Refused):
        form.document()


def test_a_result_without_a_winner_is_refused(table):
    with pytest.raises(Refused, match="Say who won"):
        ResultForm(scenario_of(table), {}).document()


def test_a_captured_element_is_eliminated_because_it_was_captured(table):
    scenario = scenario_of(table)
    data = {
        "winner": "blue",
        "n:r1:toy-gun:captured": "1",
        f"n:r1:toy-gun:{engine.element_type('toy', 'toy-gun').conditions[0]}": "0",
    }
    fates = ResultForm(scenario, data).document()["elements"]
    gun = next(fate for fate in fates if fate["type"] == "toy-gun" and fate["unit"] == "r1")
    assert (gun["after"], gun["cause"]) == ("eliminated", "captured")


def test_a_referee_enters_the_whole_battle_and_lands_on_the_preview(table, cast, as_):
    client = as_("referee")
    page = client.get(page_of("battle_result", table))
    answer = client.post(
        page_of("battle_result", table), {**fields_of(page), "winner": "red"}, follow=True
    )
    table.refresh_from_db()
    assert table.state == Battle.State.REPORTED
    assert answer.redirect_chain[-1][0] == page_of("battle_preview", table)
    assert "What posting will write" in answer.content.decode()


def test_the_grid_sends_the_same_fields_as_the_cards(table, as_):
    client = as_("referee")
    address = page_of("battle_result", table)
    cards, grid = client.get(address), client.get(address + "?layout=grid")
    counted = {k: v for k, v in fields_of(cards).items() if k.startswith("n:")}
    assert counted
    assert counted.items() <= fields_of(grid).items()


def test_a_wrong_form_comes_back_as_it_was_with_the_reason(table, as_):
    client = as_("referee")
    page = client.get(page_of("battle_result", table))
    sent = {**fields_of(page), "winner": "red", "n:r1:toy-squad:eliminated": "9", "how": "At dusk"}
    answer = client.post(page_of("battle_result", table), sent)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert 'role="alert"' in text
    assert "Make the counters of that row add up" in text
    assert 'value="At dusk"' in text
    table.refresh_from_db()
    assert table.state == Battle.State.AT_TABLE


def test_a_draft_is_saved_and_found_again_by_its_author_only(table, as_):
    client = as_("red")
    sent = {"n:r1:toy-squad:eliminated": "2", "how": "half written"}
    assert client.post(page_of("battle_draft", table), sent).json() == {"saved": True}
    assert "half written" in client.get(page_of("battle_result", table)).content.decode()
    assert "half written" not in as_("blue").get(page_of("battle_result", table)).content.decode()


def test_two_players_report_their_halves_and_the_battle_is_reported(table, as_):
    for who in ("red", "blue"):
        client = as_(who)
        page = client.get(page_of("battle_result", table))
        client.post(page_of("battle_result", table), {**fields_of(page), "winner": "red"})
    table.refresh_from_db()
    assert table.state == Battle.State.REPORTED


def test_overruling_keeps_word_for_word_what_the_form_does_not_change(cast, as_):
    battle = cast.resolved()
    before = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    client = as_("referee")
    address = page_of("battle_overrule", battle)
    sent = fields_of(client.get(address))
    sent |= {"winner": "draw", "reason": "The clock ran out.", "how": "called off"}
    client.post(address, sent)
    after = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    assert after["ending"]["kind"] == "draw"
    assert after["elements"] == before["elements"]
    assert after["spent"] == before["spent"]


def test_overruling_without_a_reason_is_refused(cast, as_):
    battle = cast.resolved()
    client = as_("referee")
    sent = fields_of(client.get(page_of("battle_overrule", battle))) | {"winner": "draw"}
    answer = client.post(page_of("battle_overrule", battle), sent)
    assert answer.status_code == 409
    assert "needs a reason" in answer.content.decode()


def test_one_figure_of_a_posted_battle_is_corrected(cast, as_, balanced):
    battle, posting = cast.posted()
    client = as_("referee")
    address = page_of("battle_correct", battle)
    sent = fields_of(client.get(address))
    standing = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    lost = next(f for f in standing["elements"] if f["after"] == "eliminated")
    row = f"n:{lost['unit']}:{lost['type']}"
    best_condition = engine.element_type("toy", lost["type"]).conditions[0]
    sent[f"{row}:eliminated"] = str(int(sent[f"{row}:eliminated"]) - 1)
    sent[f"{row}:{best_condition}"] = str(int(sent[f"{row}:{best_condition}"]) + 1)
    sent |= {"winner": standing["ending"].get("winner") or "draw", "reason": "Miscounted."}
    trial = client.post(address, sent)
    plan = re.search(r'name="plan" value="([0-9a-f]{64})"', trial.content.decode()).group(1)
    answer = client.post(address, sent | {"step": "post", "plan": plan}, follow=True)
    assert answer.status_code == 200, answer.content.decode()
    posting.refresh_from_db()
    assert posting.reversed_by is not None
    after = json.loads(battle.latest_result().document)
    lives = sum(f["after"] != "eliminated" for f in after["elements"])
    assert lives == sum(f["after"] != "eliminated" for f in standing["elements"]) + 1


def corrected_by_one(cast, as_):
    """A posted battle, a client, and the form with the winner turned round."""
    battle, _ = cast.posted()
    client = as_("referee")
    address = page_of("battle_correct", battle)
    sent = fields_of(client.get(address)) | {"winner": "draw", "reason": "Miscounted."}
    row = next(n for n, v in sent.items() if n.endswith(":eliminated") and int(v))
    best_condition = engine.element_type("toy", row.split(":")[2]).conditions[0]
    sent[row] = str(int(sent[row]) - 1)
    other = row.replace("eliminated", best_condition)
    sent[other] = str(int(sent[other]) + 1)
    return battle, client, address, sent


def test_a_correction_is_tried_first_and_writes_nothing(cast, as_):
    battle, client, address, sent = corrected_by_one(cast, as_)
    before = Posting.objects.count(), Line.objects.count(), battle.results.count()
    page = client.post(address, sent).content.decode()
    assert "What the correction will change" in page
    assert "Miscounted." in page
    assert (Posting.objects.count(), Line.objects.count(), battle.results.count()) == before


def test_what_a_trial_shows_is_what_the_correction_moves(cast):
    battle, _ = cast.posted()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    lost = next(f for f in document["elements"] if f["after"] == "eliminated")
    lost |= {"after": lost["before"], "cause": ""}
    trial = corrections.try_correction(
        seat=cast.referee, battle_id=battle.uid, document=document, reason="Miscounted."
    )
    stood = {(b.account.code, b.item): b.quantity for b in Balance.objects.all()}
    corrections.correct_battle(
        seat=cast.referee,
        battle_id=battle.uid,
        document=document,
        reason="Miscounted.",
        plan_hash=trial.plan_hash,
    )
    now = {(b.account.code, b.item): b.quantity for b in Balance.objects.all()}
    titles = {line.item: line.item_name for line in Line.objects.all()}
    moved = {
        (code, titles[item]): now[code, item] - stood.get((code, item), 0)
        for code, item in now
        if now[code, item] != stood.get((code, item), 0)
    }
    assert moved
    assert {(account, item): n for account, item, _, n, _ in trial.entries} == moved


def test_a_correction_is_refused_when_it_would_write_something_else_by_now(cast):
    battle, _ = cast.posted()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    with pytest.raises(Refused, match="changed since the preview"):
        corrections.correct_battle(
            seat=cast.referee,
            battle_id=battle.uid,
            document=document,
            reason="Miscounted.",
            plan_hash="0" * 64,
        )


def test_a_correction_does_not_take_the_place_of_one_made_since(cast):
    battle, _ = cast.posted()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    mine = {**document, "turns": document["turns"] - 1}
    theirs = {**document, "turns": document["turns"] - 2}
    act = {"seat": cast.referee, "battle_id": battle.uid}
    trial = corrections.try_correction(**act, document=mine, reason="Counted again.")
    corrections.correct_battle(**act, document=theirs, reason="Counted first.")
    with pytest.raises(Refused, match="changed since the preview"):
        corrections.correct_battle(
            **act, document=mine, reason="Counted again.", plan_hash=trial.plan_hash
        )


def test_posting_a_correction_without_its_preview_shows_the_preview(cast, as_):
    _, client, address, sent = corrected_by_one(cast, as_)
    page = client.post(address, sent | {"step": "post"}).content.decode()
    assert "What the correction will change" in page


def test_a_reason_of_a_novel_is_refused(cast):
    battle, _ = cast.posted()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    with pytest.raises(Refused, match="at most 1000 characters"):
        corrections.correct_battle(
            seat=cast.referee, battle_id=battle.uid, document=document, reason="x" * 1001
        )


def test_from_the_trial_back_to_the_form_nothing_entered_is_lost(cast, as_):
    _, client, address, sent = corrected_by_one(cast, as_)
    again = fields_of(client.post(address, sent | {"step": "change"}))
    assert {k: v for k, v in again.items() if k in sent and k.startswith("n:")} == {
        k: v for k, v in sent.items() if k.startswith("n:")
    }


def form_of(table, **changes):
    scenario = scenario_of(table)
    untouched = ResultForm(scenario, {"winner": "draw"}).document()
    return ResultForm(scenario, prefilled(scenario, untouched) | changes)


def fates_of_unit(document, unit):
    return [f for f in document["elements"] if f["unit"] == unit]


def test_a_gun_that_became_a_squad_is_said_on_the_form(table):
    form = form_of(
        table,
        **{"n:r1:toy-gun:fit": "0", "n:r1:toy-gun:became:toy-squad:reduced": "1"},
    )
    document = form.document()
    gun = next(f for f in document["elements"] if f["type"] == "toy-gun" and f["unit"] == "r1")
    assert (gun["became"], gun["after"], gun["cause"]) == ("toy-squad", "reduced", "gun lost")
    assert ResultForm(form.scenario, prefilled(form.scenario, document)).document() == document


def test_a_field_that_names_no_type_of_the_catalogue_counts_for_nothing(table):
    form = form_of(table, **{"n:r1:toy-gun:fit": "0", "n:r1:toy-gun:became:nonsense:fit": "1"})
    with pytest.raises(Refused, match="you account for 0"):
        form.document()


def test_a_merged_squad_goes_into_one_of_its_own_unit(table):
    form = form_of(table, **{"n:r1:toy-squad:fit": "1", "n:r1:toy-squad:merged": "1"})
    document = form.document()
    kept, merged = [f for f in fates_of_unit(document, "r1") if f["type"] == "toy-squad"]
    assert merged["after"] == "eliminated"
    assert merged["merged_into"] == kept["element"]
    assert ResultForm(form.scenario, prefilled(form.scenario, document)).document() == document


def test_a_merged_squad_goes_into_the_unit_that_is_named(table):
    form = form_of(
        table,
        **{"n:r1:toy-squad:fit": "1", "n:r1:toy-squad:merged": "1", "into:r1:toy-squad": "r2"},
    )
    document = form.document()
    merged = next(f for f in document["elements"] if f.get("merged_into"))
    taker = next(f for f in document["elements"] if f["element"] == merged["merged_into"])
    assert taker["unit"] == "r2"
    assert ResultForm(form.scenario, prefilled(form.scenario, document)).document() == document


def test_nobody_merges_into_nobody(table):
    lost = {
        f"n:{unit}:toy-squad:{end}": count
        for unit in ("r1", "r2")
        for end, count in (("fit", "0"), ("eliminated", "2"))
    }
    form = form_of(table, **lost | {"n:r1:toy-squad:eliminated": "1", "n:r1:toy-squad:merged": "1"})
    with pytest.raises(Refused, match="no Toy squad was left for it to merge into"):
        form.document()


def test_one_figure_corrected_leaves_what_became_of_the_others_as_it_was_told(table):
    scenario = scenario_of(table)
    untouched = ResultForm(scenario, {"winner": "draw"}).document()
    squads = [f for f in untouched["elements"] if f["type"] == "toy-squad" and f["unit"] == "r1"]
    merged, fell = squads
    merged |= {"after": "eliminated", "merged_into": "r2/toy-squad/1", "cause": "reformed"}
    fell |= {"after": "eliminated", "cause": "fire"}
    data = prefilled(scenario, untouched)
    data["n:r1:toy-squad:eliminated"] = "0"
    data[f"n:r1:toy-squad:{best(scenario)}"] = "1"
    again = {
        f["element"]: f
        for f in ResultForm(scenario, data, standing=untouched).document()["elements"]
    }
    assert again[merged["element"]] == merged
    assert again[fell["element"]]["after"] == best(scenario)
