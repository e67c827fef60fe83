"""A crawler that opens every page as everybody and looks for the other side's secrets."""

from __future__ import annotations

import re

import pytest

from campaigns.models import Comment
from campaigns.operations import battles, forecasts, resolution, turns
from tests.campaign.conftest import SECRETS
from tests.pages.conftest import EVERYBODY

RED_SECRET, BLUE_SECRET = SECRETS
HREF = re.compile(r'(?:href|action|hx-get|data-draft|data-replay)="(/[^"#]*)')
SKIPPED = ("/static/", "/sign-out/", "/sign-in/", "/admin/")


def crawl(client, *starts):
    """Every page that can be reached by links from some pages, with its text."""
    waiting, seen = list(starts), {}
    while waiting:
        address = waiting.pop().replace("&amp;", "&")
        if address in seen or address.startswith(SKIPPED):
            continue
        answer = client.get(address)
        seen[address] = answer.content.decode() + str(answer.headers)
        waiting += HREF.findall(seen[address])
        if address.endswith("/report/"):
            waiting.append(address + "?show=all")
        if address.endswith("/replay/"):
            waiting.append(address + "?from=A1&to=C2")
    return seen


def secrets_of(cast, side):
    """What only one side and the referee may read."""
    formations = cast.campaign.formations.filter(side__key=side)
    units = cast.campaign.units.filter(side__key=side)
    return {
        *(unit.uid for unit in units),
        *(row.name for row in [*formations, *units]),
        RED_SECRET if side == "red" else BLUE_SECRET,
    }


HIDDEN = {
    "red": ("blue",),
    "red_player": ("blue",),
    "blue": ("red",),
    "spectator": ("red", "blue"),
    "stranger": ("red", "blue"),
    "anonymous": ("red", "blue"),
}


@pytest.fixture
def long_campaign(cast):
    """One fight posted, one reported, one comment, odds asked for by everybody who may."""
    battle, _ = cast.posted()
    Comment.objects.create(
        battle=battle, author=cast.red.user, author_name="red", text="Well fought."
    )
    turns.open_next(seat=cast.referee)
    battle = cast.planned()
    for seat in (cast.referee, cast.red, cast.blue):
        odds = forecasts.ask(seat=seat, battle_id=battle.uid, most=100)
        forecasts.work(job_id=odds.lanes.first().job_id)
    battles.lock_forces(seat=cast.referee, battle_id=battle.uid)
    job = battles.request_resolve(seat=cast.referee, battle_id=battle.uid)
    resolution.resolve(job_id=job.pk)
    return cast


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("who", HIDDEN)
def test_nobody_reads_the_secrets_of_another_side_anywhere(who, public, long_campaign, as_):
    cast = long_campaign
    cast.campaign.options["public"] = public
    cast.campaign.save()
    everything = crawl(as_("referee"), "/", f"/c/{cast.campaign.slug}/")
    client = as_(who)
    pages = crawl(client, "/", f"/c/{cast.campaign.slug}/", *everything)
    assert len(pages) >= len(everything)
    for side in HIDDEN[who]:
        for secret in secrets_of(cast, side):
            # An address the crawler itself asked for may be echoed by the page that denies it.
            leaks = [at for at, text in pages.items() if secret in text.replace(at, "")]
            assert not leaks, f"{who} reads {secret} at {leaks[:3]}"


def test_the_crawler_would_find_a_leak(long_campaign, as_):
    cast = long_campaign
    pages = crawl(as_("referee"), "/", f"/c/{cast.campaign.slug}/")
    text = "".join(pages.values())
    for side in ("red", "blue"):
        assert {secret for secret in secrets_of(cast, side) if secret not in text} == set()


@pytest.mark.parametrize("who", EVERYBODY)
def test_no_page_that_is_linked_breaks(who, long_campaign, as_):
    client = as_(who)
    for address in crawl(client, "/", f"/c/{long_campaign.campaign.slug}/"):
        assert client.get(address).status_code in (200, 302, 404, 409), address


def test_no_link_that_a_member_is_shown_leads_nowhere(long_campaign, as_):
    acts = ("/do/", "/cancel/", "/next-turn/", "/plan/", "/draft/", "/comment/", "/check/", "/ask/")
    acts += ("/attach/", "/level/", "/elements/", "/note/", "?from=")
    for who in ("organiser", "referee", "red", "blue", "red_player", "spectator"):
        client = as_(who)
        for address in crawl(client, "/", f"/c/{long_campaign.campaign.slug}/"):
            if not any(act in address for act in acts):
                assert client.get(address).status_code in (200, 302), f"{who}: {address}"
