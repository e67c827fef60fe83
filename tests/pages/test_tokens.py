"""The page of one's own tokens: made there, shown once, revoked there, nobody else's."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from campaigns.models import ApiToken, Scope
from campaigns.operations import campaigns, tokens

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


def seat_page(cast, member):
    return reverse("seat", args=[cast.campaign.slug, member.uid])


def revoke(client, cast, member, token=None):
    sent = {"act": "revoke_tokens", "seat": member.uid}
    if token is not None:
        sent["token"] = token.uid
    return client.post(reverse("members", args=[cast.campaign.slug]), sent, follow=True)


def made_for(seat, name="azimuth bot"):
    return tokens.make(seat=seat, name=name, scopes=["results:write"], days=30)


def test_the_organiser_revokes_all_tokens_of_a_member_and_nobody_elses(cast, as_):
    lost, kept = [made_for(cast.red), made_for(cast.red, "second")], made_for(cast.blue)
    client = as_("organiser")
    shown = client.get(seat_page(cast, cast.red)).content.decode()
    assert shown.count("enter results of battles") == 2
    answer = revoke(client, cast, cast.red).content.decode()
    assert "Revoked: 2 tokens." in answer
    assert "No program holds a token of this seat." in answer
    home = reverse("api:campaign", args=[cast.campaign.slug])
    for made, status in ((lost[0], 401), (lost[1], 401), (kept, 200)):
        bearer = Client(headers={"Authorization": f"Bearer {made.secret}"})
        assert bearer.get(home).status_code == status


def test_the_organiser_revokes_one_token_of_a_member(cast, as_):
    gone, kept = made_for(cast.red).token, made_for(cast.red, "second").token
    assert "Revoked: 1 token." in revoke(as_("organiser"), cast, cast.red, gone).content.decode()
    assert [token.uid for token in ApiToken.objects.all()] == [kept.uid]


@pytest.mark.parametrize("who", ["referee", "red", "blue", "red_player", "spectator", "stranger"])
def test_who_is_no_organiser_neither_sees_nor_revokes_the_tokens_of_others(who, cast, as_):
    token = made_for(cast.red).token
    client = as_(who)
    assert client.get(seat_page(cast, cast.red)).status_code == 404
    for chosen in (None, token):
        assert revoke(client, cast, cast.red, chosen).status_code == 404
    assert ApiToken.objects.exists()
    members = client.get(reverse("members", args=[cast.campaign.slug])).content.decode()
    assert ">Tokens<" not in members
    rows = client.get(reverse("api:members", args=[cast.campaign.slug]))
    if rows.status_code == 200:
        assert {row["tokens"] for row in rows.json()["seats"]} == {None}
    else:
        assert who == "stranger"


def test_the_organiser_reads_how_many_but_no_name_and_no_secret(cast, as_):
    made = made_for(cast.blue)
    client = as_("organiser")
    pages = [reverse("members", args=[cast.campaign.slug]), seat_page(cast, cast.blue)]
    told = [client.get(page).content.decode() for page in pages]
    told.append(client.get(reverse("api:members", args=[cast.campaign.slug])).content.decode())
    assert '<td class="num" data-head="Tokens">1</td>' in told[0]
    for text in told:
        for hidden in ("azimuth", made.secret[7:], made.token.digest, made.token.token_key):
            assert hidden not in text


def test_tokens_of_another_campaign_are_out_of_the_organisers_reach(cast, as_):
    other = campaigns.create_from_pack(user=cast.red.user, pack_key=cast.pack.key)
    foreign, mine = made_for(other).token, made_for(cast.red).token
    client = as_("organiser")
    assert client.get(seat_page(cast, other)).status_code == 404
    assert revoke(client, cast, other).status_code == 404
    assert revoke(client, cast, cast.red, foreign).status_code == 404
    assert revoke(client, cast, cast.blue, mine).status_code == 404
    revoke(client, cast, cast.red)
    assert [token.uid for token in ApiToken.objects.all()] == [foreign.uid]


def test_a_member_who_is_removed_leaves_no_token_behind(cast, as_):
    secret = made_for(cast.red).secret
    sent = {"act": "remove", "seat": cast.red.uid}
    as_("organiser").post(reverse("members", args=[cast.campaign.slug]), sent)
    assert not ApiToken.objects.exists()
    bearer = Client(headers={"Authorization": f"Bearer {secret}"})
    assert bearer.get(reverse("api:campaign", args=[cast.campaign.slug])).status_code == 401
