"""The page of one's own tokens: made there, shown once, revoked there, nobody else's."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from campaigns.models import ApiToken, Scope
from campaigns.operations import tokens

SECRET = re.compile(r"sitrep_[0-9a-f]{64}")


def at(cast):
    return reverse("tokens", args=[cast.campaign.slug])


def make(client, cast, **sent):
    return client.post(at(cast), {"act": "make", "name": "bot", "days": "30", **sent})


def test_a_token_is_made_shown_once_and_works(cast, as_):
    client = as_("red")
    answer = make(client, cast, scopes=["results:write"])
    assert answer["Cache-Control"] == "no-store"
    (secret,) = set(SECRET.findall(answer.content.decode()))
    token = ApiToken.objects.get()
    assert (token.seat, token.scopes) == (cast.red, ["read", "results:write"])
    again = client.get(at(cast)).content.decode()
    assert not SECRET.findall(again)
    assert "bot" in again
    assert "enter results of battles" in again
    assert "never" in again
    assert not [s for s in Session.objects.all() if secret in str(s.get_decoded())]
    home = reverse("api:campaign", args=[cast.campaign.slug])
    used = Client(headers={"Authorization": f"Bearer {secret}"}).get(home)
    assert used.status_code == 200
    assert "never" not in client.get(at(cast)).content.decode()


def test_loading_the_answer_again_makes_no_second_token(cast, as_):
    client = as_("red")
    make(client, cast)
    again = make(client, cast)
    assert again.status_code == 409
    assert "Name them apart" in again.content.decode()
    assert not SECRET.findall(again.content.decode())
    assert ApiToken.objects.count() == 1


def test_a_token_is_revoked_by_its_owner_alone(cast, as_):
    token = tokens.make(seat=cast.red, name="bot", scopes=[], days=30).token
    sent = {"act": "revoke", "token": token.uid}
    for who in ("blue", "organiser", "referee", "stranger", "anonymous"):
        assert as_(who).post(at(cast), sent).status_code == 404
    assert ApiToken.objects.exists()
    done = as_("red").post(at(cast), sent, follow=True)
    assert "opens nothing any more" in done.content.decode()
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("who", ["organiser", "referee", "blue", "red_player", "spectator"])
def test_nobody_is_shown_anothers_tokens(who, cast, as_):
    tokens.make(seat=cast.red, name="azimuth bot", scopes=[], days=30)
    for page in (at(cast), reverse("members", args=[cast.campaign.slug]), reverse("account")):
        assert "azimuth bot" not in as_(who).get(page).content.decode()


def test_only_scopes_that_the_seat_can_use_are_offered(cast, as_):
    def offered(who):
        return set(
            re.findall(r'name="scopes" value="([^"]+)"', as_(who).get(at(cast)).content.decode())
        )

    assert offered("spectator") == set()
    assert offered("red_player") == {Scope.RESULTS}
    assert offered("red") == {Scope.RESULTS, Scope.FORCES}
    assert offered("referee") == {Scope.RESULTS, Scope.FORCES, Scope.REFEREE}
    answer = make(as_("red_player"), cast, scopes=["referee"])
    assert "Select a valid choice" in answer.content.decode()
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("sent", [{"name": ""}, {"name": "x" * 61}, {"days": "31"}, {"days": "x"}])
def test_a_form_that_does_not_fit_says_so_and_makes_nothing(sent, cast, as_):
    answer = make(as_("red"), cast, **sent)
    assert 'class="fault"' in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_an_act_that_is_none_is_not_there(cast, as_):
    assert as_("red").post(at(cast), {"act": "keep"}).status_code == 404


def test_the_account_leads_to_the_tokens_of_each_campaign(cast, as_):
    assert f'href="{at(cast)}"' in as_("red").get(reverse("account")).content.decode()
    assert "Tokens for programs" not in as_("stranger").get(reverse("account")).content.decode()
