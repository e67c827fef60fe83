"""The pages that say what went wrong, and the policy of forms."""

from __future__ import annotations

import io
import logging

import pytest
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


@pytest.fixture
def stderr(monkeypatch):
    """What the log of the running server says."""
    handler = next(h for h in logging.getLogger().handlers if h.name == "stderr")
    written = io.StringIO()
    monkeypatch.setattr(handler, "stream", written)
    return written


MANY = "&".join(f"a{n}=1" for n in range(2000))


@pytest.mark.parametrize(
    ("path", "extra"),
    [
        (f"/about/?{MANY}", {}),
        (f"/api/v1/campaigns/?{MANY}", {}),
        ("/about/", {"HTTP_HOST": "evil.example" + "x" * 3000}),
        ("/c/" + "no" * 1000 + "/", {}),
    ],
)
def test_what_a_stranger_sends_wrong_is_one_short_line_of_the_log(
    path, extra, stderr, db, settings
):
    settings.ALLOWED_HOSTS = ["testserver"]
    answer = Client(raise_request_exception=False).get(path, **extra)
    assert answer.status_code in (400, 401, 403, 404)
    lines = stderr.getvalue().splitlines()
    assert len(lines) <= 1
    assert all(len(line) < 300 and " ERROR " not in line for line in lines)


def test_a_mangled_upload_is_one_short_line_of_the_log(stderr, db):
    sent = {"data": b"--x\r\nnonsense", "content_type": "multipart/form-data; boundary="}
    answer = Client(raise_request_exception=False).post(reverse("login"), **sent)
    assert answer.status_code == 400
    assert len(stderr.getvalue().splitlines()) == 1
    assert "Traceback" not in stderr.getvalue()


def test_a_fault_of_the_program_keeps_its_traceback_in_the_log(stderr, db, monkeypatch):
    monkeypatch.setattr("campaigns.views.site.render", lambda *args: 1 / 0)
    answer = Client(raise_request_exception=False).get("/about/")
    assert answer.status_code == 500
    assert "ZeroDivisionError" in stderr.getvalue()
    assert " ERROR " in stderr.getvalue()


def test_signing_out_is_not_done_by_a_link(cast, as_):
    assert as_("red").get(reverse("logout")).status_code == 405
