"""Addresses and forms that no browser would send, and some that a hurried person does."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse

from campaigns.operations import battles, members
from campaigns.templatetags import figures
from campaigns.views import once
from tests.pages.test_access import READERS, address

NUMBERS = ("²", "٣", "9" * 30, "9" * 5000, "-1", "1e3", "x")
PAGES = (
    "order-of-battle/?turn=",
    "order-of-battle/changes/?from=",
    "journal/?turn=",
    "journal/?from=",
)


@pytest.mark.parametrize("page", PAGES)
def test_of_what_is_no_turn_there_is_no_page(page, cast, as_):
    for number in NUMBERS:
        answer = as_("red").get(f"/c/{cast.campaign.slug}/{page}{number}")
        assert answer.status_code == HTTPStatus.NOT_FOUND, number


LONG = "a" * 2900
WORDS = ("x", "show", "unit", "layout", "from", "to", "line", "cursor")


def test_a_long_query_breaks_no_page(cast, as_):
    battle, posting = cast.posted()
    client = as_("organiser")
    for name in READERS:
        page = address(name, cast, battle, posting)
        for word in WORDS:
            assert client.get(page, {word: LONG}).status_code in (200, 404), (name, word)
        assert client.get(page, {"x": LONG}).status_code == 200, name


def test_the_code_on_a_roster_holds_its_own_address_and_the_turn_alone(cast, as_):
    cast.posted()
    page = reverse("roster", args=[cast.campaign.slug, "red"])
    for query, own in (
        ({"x": LONG}, ""),
        ({"as": "red", "utm_source": "mail"}, ""),
        ({"turn": "01", "x": "y"}, "?turn=1"),
    ):
        told = as_("referee").get(page, query).content.decode()
        assert figures.qr(f"http://testserver{page}{own}", "QR code of this page") in told


def test_a_nul_is_turned_away_in_a_form_and_in_a_query(cast, as_):
    slug = cast.campaign.slug
    form = {"act": "rename", "title": "a\0b"}
    assert as_("organiser").post(f"/c/{slug}/settings/", form).status_code == 400
    assert as_("organiser").get(f"/c/{slug}/?as=a%00b").status_code == 400


def test_a_battle_that_nobody_fights_has_no_progress(cast, as_):
    battle = cast.planned()
    page = reverse("battle_progress", args=[cast.campaign.slug, battle.uid])
    assert as_("referee").get(page).status_code == 404


def test_fields_that_the_form_of_forces_has_not_are_refused(cast, as_):
    battle = cast.planned()
    page = reverse("battle_forces", args=[cast.campaign.slug, battle.uid, "red"])
    for name in ("n:", "n:x", "n:x:"):
        assert as_("red").post(page, {name: "1"}).status_code in (404, 409)


def test_a_draft_with_half_a_number_in_it_can_be_opened_again(cast, as_):
    battle = cast.locked()
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    draft = reverse("battle_draft", args=[cast.campaign.slug, battle.uid])
    page = reverse("battle_result", args=[cast.campaign.slug, battle.uid])
    wrong = {"n:r1:toy-squad:fit": "-"}
    assert as_("red").post(draft, wrong).status_code == 200
    assert as_("red").get(page).status_code == 200
    refused = as_("red").post(page, {**wrong, "winner": "draw", "how": "by candlelight"})
    assert refused.status_code == 409
    assert "by candlelight" in refused.content.decode()


def test_pages_that_only_show_take_no_other_method(cast, as_):
    for name in ("home", "packs", "about", "account"):
        assert as_("red").delete(reverse(name)).status_code == 405, name


def test_ten_wrong_passwords_and_even_the_right_one_has_to_wait(cast):
    cache.clear()
    user = cast.red.user
    user.set_password("Zq9-kkwobble")
    user.save()
    client, page = Client(), reverse("login")
    for _ in range(10):
        client.post(page, {"username": user.username, "password": "guess"})
    right = {"username": user.username, "password": "Zq9-kkwobble"}
    told = client.post(page, right)
    assert "Too many wrong tries" in told.content.decode()
    assert "Too many wrong tries" in client.post("/admin/login/", right).content.decode()
    cache.clear()
    assert client.post(page, right).status_code == 302


def test_who_comes_too_late_for_a_link_is_left_with_no_account(cast, monkeypatch):
    from django.contrib.auth.models import User

    from campaigns.refusals import NotFound

    link = members.invite(seat=cast.organiser, role="player", side_key="red")

    def taken(**_):
        raise NotFound

    monkeypatch.setattr(members, "accept", taken)
    answer = Client().post(
        reverse("join", args=[link.token]),
        {"username": "late", "password1": "Zq9-kkwobble", "password2": "Zq9-kkwobble"},
    )
    assert answer.status_code == 404
    assert not User.objects.filter(username="late").exists()


def test_of_one_form_sent_twice_at_once_the_second_finds_what_the_first_made(cast, as_):
    client = as_("organiser")
    stale = SessionStore(client.session.session_key)
    assert once.FIELD not in stale  # read before the first was through
    form = {
        "title": "Once",
        "once": "a-token",
        "side_red": "Red",
        "side_blue": "Blue",
        "carry_reduced": "stay",
        "carry_merge_reduced": "yes",
        "carry_morale": "recovers",
        "carry_lost_weapons": "lost",
        "carry_lost_leaders": "lost",
    }
    page = reverse("new_campaign", args=["toy-pack"])
    made = client.post(page, form)
    assert made.status_code == HTTPStatus.FOUND
    second = RequestFactory().post(page, form)
    second.session = stale
    with once.alone(second) as before:
        assert before == made["Location"]
    assert client.post(page, form)["Location"] == made["Location"]
