"""An evening of a club in a real browser: from a pack to a corrected and reversed battle.

One story in parts that build on one another, so it is one test; a part that fails is named in
the traceback.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import PASSWORD

pytestmark = pytest.mark.browser

STORY: dict[str, Any] = {}


def an_organiser_makes_a_campaign_from_a_pack(people):
    olga = people("olga")
    olga.signs_in()
    olga.presses("Make a campaign")
    olga.presses("Use this pack: The road to Bastogne")
    olga.page.get_by_label("Name of the campaign").fill("Winter in the Ardennes")
    olga.page.get_by_label("Name of the side “Germans”").fill("Kampfgruppe")
    olga.presses("Make the campaign")
    assert "Winter in the Ardennes is made" in olga.page.inner_text(".toasts")
    STORY["campaign"] = olga.page.url.rsplit("members/", 1)[0]


def a_commander_joins_by_the_link_he_is_sent(people, name, side):
    olga, guest = people("olga"), people(name)
    olga.goes(STORY["campaign"] + "members/")
    olga.page.get_by_label("Role").select_option("commander")
    olga.page.get_by_label("Side").select_option(label=side)
    olga.page.get_by_label("For whom").fill(name)
    olga.presses("Make the link")
    guest.goes(olga.page.get_by_label("The link", exact=True).input_value())
    assert side in guest.reads()
    guest.page.get_by_label("Name", exact=True).fill(name)
    guest.page.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.page.get_by_label("The same again").fill(PASSWORD)
    guest.presses("Make my account and take the seat")
    assert f"Viewing as {side}, fog on" in guest.page.inner_text(".viewer")


def the_worker_fights_the_first_battle(people):
    olga = people("olga")
    olga.goes(STORY["campaign"])
    olga.presses("Plan the battle of this turn")
    STORY["first"] = olga.page.url
    olga.presses("Lock the forces")
    assert "sealed until the referee reveals it" in olga.reads()
    olga.presses("Resolve by the rules")
    olga.page.get_by_role("link", name="Preview and post").wait_for(timeout=60_000)


def a_commander_reads_nothing_of_it_before_it_is_posted(people):
    anna = people("anna")
    anna.goes(STORY["first"])
    assert "You read the report once the referee has posted it" in anna.reads()
    assert "What they bring is theirs to know" in anna.reads()


def the_referee_posts_what_the_preview_shows(people):
    olga = people("olga")
    olga.goes(STORY["first"])
    olga.presses("Preview and post")
    assert "This is the posting itself, dry" in olga.reads()
    olga.presses("Post the result")
    assert "is posted" in olga.page.inner_text(".toasts")
    assert re.search(r"\[\d+\.\d+", olga.reads()), "the report cites no rule"


def both_commanders_read_the_report_and_one_disputes_it(people):
    anna, bert = people("anna"), people("bert")
    for one in (anna, bert):
        one.goes(STORY["first"] + "report/")
        assert "What happened" in one.reads()
    bert.page.get_by_label("Your words").fill("My gun was never in that house.")
    bert.presses("Dispute it")
    anna.page.reload()
    assert "My gun was never in that house." in anna.reads()


def the_dice_are_revealed(people):
    olga = people("olga")
    olga.goes(STORY["first"])
    olga.presses("Reveal the dice")
    assert "it cannot be sealed again" in olga.reads()
    olga.presses("Reveal the dice")
    assert "sealed until" not in olga.reads()


def lost(person):
    """What the live sums of the result form say."""
    return sum(int(text) for text in person.page.locator(".sum-bar output").all_inner_texts())


def the_second_battle_is_played_at_the_table_and_entered_by_hand(people):
    olga = people("olga")
    olga.goes(STORY["campaign"])
    olga.presses("Open the next turn")
    olga.presses("Plan the battle of this turn")
    STORY["second"] = olga.page.url
    olga.presses("Lock the forces")
    olga.presses("Play at the table")
    olga.presses("Enter the result")
    rows = olga.page.locator(".entry-card fieldset[data-whole]")
    card = rows.filter(has_text=re.compile(r"came: [2-9] fit\)")).first
    whole = int(card.get_attribute("data-whole"))
    card.get_by_role("button", name=re.compile("One more.*destroyed")).click()
    counters = card.locator("input")
    fit = counters.first
    assert int(fit.input_value()) < whole, "the fit ones did not make room"
    assert lost(olga) == 1
    STORY["row"], STORY["fit"] = fit.get_attribute("name"), fit.input_value()
    olga.page.get_by_label("Who won").select_option(label="Allies")
    olga.page.get_by_text("Draft saved at").wait_for()


def the_draft_outlives_the_page(people):
    olga = people("olga")
    olga.goes(STORY["second"] + "result/")
    assert olga.page.locator(f"[name='{STORY['row']}']").input_value() == STORY["fit"]
    assert lost(olga) == 1


def the_entered_battle_is_posted(people):
    olga = people("olga")
    olga.presses("Report and preview")
    assert "What posting will write" in olga.reads()
    olga.presses("Post the result")
    assert "played at the table" in olga.reads()


def one_number_is_corrected_with_a_reason(people):
    olga = people("olga")
    olga.goes(STORY["second"])
    olga.presses("Correct a figure")
    row = STORY["row"].rsplit(":", 1)[0]
    olga.page.locator(f"[name='{row}:eliminated']").fill("2")
    olga.page.get_by_label("Reason").fill("The second squad was counted twice.")
    olga.presses("Preview the correction")
    assert olga.page.inner_text("h1") == "What the correction will change"
    olga.presses("Correct it so")
    assert "Corrected: the old posting is reversed" in olga.page.inner_text(".toasts")
    olga.goes(STORY["campaign"] + "journal/")
    assert "The second squad was counted twice." in olga.reads()


def strength(person, turn=""):
    """Elements on hand of every side, as the order of battle says."""
    person.goes(STORY["campaign"] + f"order-of-battle/{turn}")
    return [int(n) for n in re.findall(r"(\d+) of \d+ elements on hand", person.reads())]


def a_reversal_gives_back_what_the_battle_took_and_the_past_stays_as_it_was(people):
    olga = people("olga")
    after, then = strength(olga), strength(olga, "?turn=1")
    olga.goes(STORY["second"])
    olga.presses("Correct a figure")
    olga.presses("Reverse the battle instead")
    olga.page.get_by_label("Reason").fill("The wrong scenario was played.")
    olga.presses("Reverse the battle")
    assert "It stays on record" in olga.page.inner_text(".toasts")
    assert sum(strength(olga)) == sum(after) + 2
    assert strength(olga, "?turn=1") == then
    olga.goes(STORY["campaign"])
    assert olga.page.locator("tr.reversed").count() == 1


def a_commander_sees_one_order_of_battle_and_a_stranger_none(people):
    anna, stranger = people("anna"), people("stranger")
    assert len(strength(anna)) == 1
    assert stranger.page.goto(STORY["campaign"]).status == 404
    assert anna.page.goto(STORY["campaign"] + "settings/").status == 404


def test_a_club_plays_an_evening_from_the_pack_to_a_corrected_and_a_reversed_battle(people):
    an_organiser_makes_a_campaign_from_a_pack(people)
    a_commander_joins_by_the_link_he_is_sent(people, "anna", "Allies")
    a_commander_joins_by_the_link_he_is_sent(people, "bert", "Kampfgruppe")
    the_worker_fights_the_first_battle(people)
    a_commander_reads_nothing_of_it_before_it_is_posted(people)
    the_referee_posts_what_the_preview_shows(people)
    both_commanders_read_the_report_and_one_disputes_it(people)
    the_dice_are_revealed(people)
    the_second_battle_is_played_at_the_table_and_entered_by_hand(people)
    the_draft_outlives_the_page(people)
    the_entered_battle_is_posted(people)
    one_number_is_corrected_with_a_reason(people)
    a_reversal_gives_back_what_the_battle_took_and_the_past_stays_as_it_was(people)
    a_commander_sees_one_order_of_battle_and_a_stranger_none(people)
