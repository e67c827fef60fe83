"""Tokens of programs: as their owner, in one campaign, for what they were made for, no longer."""

from __future__ import annotations

import re
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import ApiToken, Role, Scope
from campaigns.operations import backups, battles, campaigns, members, tokens
from campaigns.refusals import Refused
from tests.api.conftest import V1, Caller
from tests.api.test_api import READS, addresses, ok, problem, with_odds
from tests.campaign.conftest import SECRETS

pytestmark = pytest.mark.django_db

DOCUMENT = Path(__file__).parents[2] / "docs" / "openapi.yaml"


@pytest.fixture(autouse=True)
def _no_bad_tokens_so_far():
    cache.clear()


def secret_of(seat, *scopes, name="bot", days=30):
    return tokens.make(seat=seat, name=name, scopes=scopes, days=days).secret


def program(cast, secret, scheme="Bearer"):
    """A program that sends a token; Django's CSRF check is on."""
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"{scheme} {secret}"})
    return Caller(client, cast.campaign.slug)


def program_of(cast, who, *scopes, name="bot"):
    return program(cast, secret_of(cast.seats[who], *scopes, name=name))


# --- as its owner ---------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["referee", "red", "spectator", "organiser"])
def test_a_token_reads_what_its_owner_reads_and_nothing_else(who, cast, calls):
    battle = with_odds(cast)
    bot, owner = program_of(cast, who), calls(who)
    for address in addresses(cast, battle):
        told, shown = bot.get(address), owner.get(address)
        assert told.status_code == shown.status_code, address
        assert told.content == shown.content, address
        assert told["Vary"].count("Authorization") == 1


def test_a_token_of_one_side_reads_no_secret_of_the_other(cast):
    battle = with_odds(cast)
    bot = program_of(cast, "red", Scope.RESULTS, Scope.FORCES)
    hidden = [SECRETS[1], *(u.name for u in cast.campaign.units.filter(side__key="blue"))]
    for address in addresses(cast, battle):
        text = bot.get(address).content.decode()
        assert not [word for word in hidden if word in text], address


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Token", "TOKEN"])
def test_either_word_before_it_will_do(scheme, cast):
    answer = program(cast, secret_of(cast.red), scheme).get("")
    assert ok(answer)["title"] == cast.campaign.title


def test_a_program_needs_no_csrf_token_and_may_send_an_idempotency_key(cast):
    battle = cast.planned()
    bot = program_of(cast, "red", Scope.RESULTS)
    for _ in range(2):
        answer = bot.client.post(
            f"{bot.home}/battles/{battle.uid}/comments/",
            {"text": "Well?"},
            content_type="application/json",
            headers={"Idempotency-Key": "once"},
        )
        ok(answer, 201)
    assert battle.comments.count() == 1


# --- for what it was made for ---------------------------------------------------------------------


def operations():
    """Every operation of the API with the scope it needs, None if no token may."""
    paths = yaml.load(DOCUMENT.read_text(), Loader=yaml.CSafeLoader)["paths"]
    for path, methods in paths.items():
        for method, operation in methods.items():
            needs = [need["token"][0] for need in operation["security"] if "token" in need]
            yield operation["operationId"], method, path, needs[0] if needs else None


def test_every_operation_is_refused_to_a_token_without_its_scope(cast):
    battle = cast.planned()
    values = {"slug": cast.campaign.slug, "battle_id": battle.uid, "side": "red"}
    secrets = {
        scope: secret_of(
            cast.organiser, *(s for s in Scope if s != scope), name=f"all but {scope.name}"
        )
        for scope in Scope
    }
    tried = 0
    for name, method, path, scope in operations():
        if scope == Scope.READ:
            continue
        at = re.sub(r"{(\w+)}", lambda part: values.get(part[1], "x"), path)
        client = program(cast, secrets[Scope(scope or "read")]).client
        answer = getattr(client, method)(at, content_type="application/json")
        said = problem(answer, 403)
        assert said["type"].endswith("/scope-needed" if scope else "/session-needed"), name
        assert (scope or "Sign in") in said["detail"], name
        if scope:
            assert f'error="insufficient_scope", scope="{scope}"' in answer["WWW-Authenticate"]
        tried += 1
    assert tried > 20
    assert cast.campaign.battles.get().state == "planned"


def test_with_its_scope_a_token_acts(cast, balanced):
    red = program_of(cast, "red", Scope.FORCES, Scope.RESULTS)
    staff = program_of(cast, "referee", Scope.REFEREE)
    battle = ok(staff.post("battles/"), 201)["uid"]
    unit = cast.unit("r1")
    at = f"battles/{battle}/forces/red/"
    tag = red.get(at)["ETag"]
    put = red.client.put(
        f"{red.home}/{at}",
        {"picks": [{"unit": unit.uid}]},
        content_type="application/json",
        headers={"If-Match": tag},
    )
    ok(put)
    ok(staff.post(f"battles/{battle}/lock/"))
    ok(staff.post(f"battles/{battle}/table/"))
    document = ok(red.get(f"battles/{battle}/result/"))["document"]
    told = ok(red.post(f"battles/{battle}/result/", {"document": document}), 201)
    assert told["state"] == "at_table"


def test_a_scope_gives_nothing_that_the_seat_has_not(cast):
    cast.planned()
    with pytest.raises(Refused, match="As a player you cannot use"):
        secret_of(cast.red_player, Scope.REFEREE)
    assert tokens.offered(cast.spectator) == [Scope.READ]
    assert set(tokens.offered(cast.organiser)) == set(Scope)


def test_who_is_a_referee_no_more_has_no_referees_token(cast):
    battle = cast.planned()
    bot = program_of(cast, "referee", Scope.REFEREE)
    assert "Blue platoon 1" in bot.get("order-of-battle/").content.decode()
    members.change_seat(
        seat=cast.organiser, seat_id=cast.referee.uid, role=Role.PLAYER, side_key="red"
    )
    problem(bot.post(f"battles/{battle.uid}/lock/"), 409)
    assert "Blue platoon 1" not in bot.get("order-of-battle/").content.decode()


# --- in one campaign ------------------------------------------------------------------------------


def test_a_token_opens_no_other_campaign_of_its_owner(cast):
    other = campaigns.create_from_pack(user=cast.organiser.user, pack_key="toy-pack")
    bot = program_of(cast, "organiser", *Scope)
    for at in READS:
        elsewhere = bot.get(f"{V1}/campaigns/{other.campaign.slug}/{at}")
        unknown = bot.get(f"{V1}/campaigns/no-such-campaign/{at}")
        assert problem(elsewhere, 404) == problem(unknown, 404)
    problem(bot.post(f"{V1}/campaigns/{other.campaign.slug}/battles/"), 404)
    assert not other.campaign.battles.exists()


def test_documents_of_the_rules_are_open_to_a_token(cast):
    assert "$defs" in ok(program_of(cast, "red").get(f"{V1}/schemas/ost/result/"))


# --- no longer ------------------------------------------------------------------------------------


def refused(bot):
    answer = bot.get("")
    said = problem(answer, 401)
    assert answer["WWW-Authenticate"] == 'Bearer realm="Sitrep"'
    return said


def test_expired_revoked_and_unknown_tokens_are_refused_in_the_same_words(cast):
    expired, revoked = (program_of(cast, "red", name=name) for name in ("old", "back"))
    ok(expired.get(""))
    ApiToken.objects.filter(name="old").update(expiry=timezone.now() - timedelta(seconds=1))
    tokens.revoke(seat=cast.red, token_id=ApiToken.objects.get(name="back").uid)
    unknown = program(cast, "sitrep_" + "0" * 64)
    assert refused(expired) == refused(revoked) == refused(unknown)


def test_a_token_goes_with_the_seat_and_does_not_come_back_with_a_new_one(cast):
    bot = program_of(cast, "red")
    ok(bot.get(""))
    members.remove(seat=cast.organiser, seat_id=cast.red.uid)
    refused(bot)
    link = members.invite(seat=cast.organiser, role=Role.COMMANDER, side_key="red").token
    members.accept(user=cast.red.user, token=link)
    refused(bot)


def test_who_may_not_sign_in_has_no_token(cast):
    bot = program_of(cast, "red")
    cast.red.user.is_active = False
    cast.red.user.save()
    refused(bot)


def test_a_purged_campaign_takes_its_tokens_along(cast):
    bot = program_of(cast, "red")
    campaigns.purge(seat=cast.organiser, typed_title=cast.campaign.title)
    assert not ApiToken.objects.exists()
    refused(bot)


def test_a_bad_token_is_not_made_good_by_a_session(cast):
    bot = program(cast, "sitrep_" + "0" * 64)
    bot.client.force_login(cast.red.user)
    refused(bot)


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer \xe9", "Token  ", "Bearer x"])
def test_a_header_that_holds_no_token_is_refused(header, cast):
    answer = Client(headers={"Authorization": header}).get(f"{V1}/campaigns/{cast.campaign.slug}/")
    assert "unknown, revoked or expired" in problem(answer, 401)["detail"]


def test_who_sends_many_bad_tokens_waits_and_good_ones_do_not(cast):
    good, bad = program_of(cast, "red"), program(cast, "sitrep_" + "0" * 64)
    told = [bad.get("").status_code for _ in range(25)]
    assert told == [401] * 20 + [429] * 5
    answer = bad.get("")
    problem(answer, 429)
    assert 0 < int(answer["Retry-After"]) <= 60
    ok(good.get(""))


# --- kept as a hash, told nowhere -----------------------------------------------------------------


def everything_in_the_database():
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found += [repr(row) for row in cursor.fetchall()]
    return "\n".join(found)


def test_the_secret_is_in_no_table_log_session_backup_or_answer(cast, caplog, tmp_path):
    caplog.set_level("DEBUG")
    battle = with_odds(cast)
    secret = secret_of(cast.referee, Scope.REFEREE)
    token = ApiToken.objects.get()
    bot = program(cast, secret)
    bot.client.raise_request_exception = False
    text = [bot.get(address).content.decode() for address in addresses(cast, battle)]
    text += [bot.post("turns/").content.decode(), bot.get("nothing/").content.decode()]
    text += [refused(program(cast, secret[:-1] + "!"))["detail"]]
    backups.backup(tmp_path / "all.sitrep")
    kept = everything_in_the_database()
    words = " ".join([*text, caplog.text, *(s.session_data for s in Session.objects.all())])
    tail = secret[len(token.token_key) :]
    assert len(tail) == 56
    assert tail not in kept + words
    assert token.digest in kept
    for hidden in (token.digest, token.token_key):
        assert hidden not in words
    with zipfile.ZipFile(tmp_path / "all.sitrep") as archive:
        for name in archive.namelist():
            held = archive.read(name).decode()
            assert not [w for w in (tail, token.digest, token.token_key) if w in held], name


def test_a_fault_of_ours_with_a_token_is_logged_without_it(cast, caplog, monkeypatch):
    secret = secret_of(cast.referee, Scope.REFEREE)
    bot = program(cast, secret)
    bot.client.raise_request_exception = False

    def breaks(*args, **kwargs):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(battles, "plan_battle", breaks)
    answer = bot.post("battles/")
    assert answer.status_code == 500
    assert "a fault of ours" in caplog.text
    assert secret[15:] not in caplog.text + answer.content.decode()


def test_its_last_use_is_known_to_the_minute_and_costs_one_write_a_minute(cast):
    bot = program_of(cast, "red")
    ok(bot.get(""))
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    with CaptureQueriesContext(connection) as asked:
        ok(bot.get(""))
    assert not [q for q in asked if q["sql"].startswith("UPDATE")]
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    ok(bot.get(""))
    assert ApiToken.objects.get().last_used_at >= first


def test_a_disk_that_is_full_keeps_no_token_from_reading(cast):
    bot = program_of(cast, "red")
    refusals = []

    def full(execute, sql, params, many, context):
        if sql.startswith('UPDATE "campaigns_apitoken"'):
            refusals.append(sql)
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(full):
        assert ok(bot.get(""))["title"] == cast.campaign.title
    assert len(refusals) == 1


def test_operators_are_shown_no_tokens(cast, client):
    secret_of(cast.red, name="azimuth bot")
    cast.stranger.is_staff = cast.stranger.is_superuser = True
    cast.stranger.save()
    client.force_login(cast.stranger)
    desk = client.get("/admin/").content.decode()
    assert "/admin/campaigns/seat/" in desk
    assert not re.findall(r"/admin/\w+/\w*token\w*/", desk)


@pytest.mark.parametrize(
    ("name", "scopes", "days", "words"),
    [
        ("  ", [], 30, "Give the token a name"),
        ("x" * 61, [], 30, "at most 60"),
        ("bot", ["all"], 30, 'no scope "all"'),
        ("bot", [], 0, "from 1 to 366 days"),
        ("bot", [], 367, "from 1 to 366 days"),
        ("taken", [], 30, "Name them apart"),
    ],
)
def test_a_token_that_cannot_be_is_refused_in_words(name, scopes, days, words, cast):
    secret_of(cast.red, name="taken")
    with pytest.raises(Refused, match=words):
        tokens.make(seat=cast.red, name=name, scopes=scopes, days=days)
    assert ApiToken.objects.count() == 1


def test_a_seat_has_twenty_tokens_at_most_and_expired_ones_do_not_count(cast):
    for n in range(tokens.MOST):
        secret_of(cast.red, name=f"bot {n}")
    with pytest.raises(Refused, match="Revoke one"):
        secret_of(cast.red, name="one more")
    ApiToken.objects.filter(name="bot 0").update(expiry=timezone.now() - timedelta(days=1))
    assert secret_of(cast.red, name="one more").startswith("sitrep_")
