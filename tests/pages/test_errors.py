"""The pages that say what went wrong, and the policy of forms."""

from __future__ import annotations

from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse


def test_the_page_of_a_broken_server_needs_no_database_and_no_request():
    text = render_to_string("500.html")
    assert "Nothing was half done" in text


def test_a_page_that_is_not_there_offers_to_sign_in_and_look_again(db):
    answer = Client().get("/c/no-such-campaign/")
    assert answer.status_code == 404
    assert reverse("login") + "?next=/c/no-such-campaign/" in answer.content.decode()


def test_a_form_without_its_token_is_not_accepted_and_says_so(db):
    answer = Client(enforce_csrf_checks=True).post(reverse("login"), {"username": "x"})
    assert answer.status_code == 403
    assert "The form was open for too long" in answer.content.decode()


def test_signing_out_is_not_done_by_a_link(cast, as_):
    assert as_("red").get(reverse("logout")).status_code == 405
