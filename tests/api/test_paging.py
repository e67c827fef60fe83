"""Long lists by pages: nothing twice, nothing left out, nothing told of what is kept back."""

from __future__ import annotations

from base64 import b64decode, b64encode
from urllib.parse import parse_qs, urlparse

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.operations import adjustments, battles, corrections, oob
from campaigns.projection import viewer_for
from campaigns.reports import aar
from tests.api.test_api import ok, problem

pytestmark = pytest.mark.django_db

LISTS = ("journal/", "ledger/")


def tire(cast, key, value):
    """A posting that one side alone may know of."""
    unit = cast.unit(key)
    return oob.set_level(
        seat=cast.referee, unit_id=unit.uid, kind="fatigue", value=value, reason="a cold night"
    )


def nights(cast, count=3):
    """Postings of both sides in turn: each time somebody tires and somebody comes."""
    for n in range(count):
        for key in ("r1", "b1"):
            tire(cast, key, str(n + 1))
            adjustments.adjust(
                seat=cast.referee,
                unit_id=cast.unit(key).uid,
                element="toy-squad",
                condition="fit",
                quantity=1,
                reason="a stray is back",
                key=f"{key}-{n}",
            )


def walk(caller, address, way="next"):
    """Every page from an address on."""
    pages = []
    while address:
        pages.append(ok(caller.get(address)))
        address = pages[-1][way]
        assert len(pages) < 200
    return pages


def rows(pages):
    return [row for page in pages for row in page["results"]]


def cursor_of(link):
    return b64decode(parse_qs(urlparse(link).query)["cursor"][0]).decode()


@pytest.mark.parametrize("who", ["referee", "red", "blue", "spectator"])
@pytest.mark.parametrize("address", LISTS)
def test_pages_of_any_size_hold_the_whole_list_once(who, address, cast, calls):
    cast.posted()
    nights(cast)
    caller = calls(who)
    whole = rows(walk(caller, f"{address}?page_size=200"))
    viewer = viewer_for(cast.seats[who])
    kept = viewer.postings() if address == "journal/" else viewer.lines()
    assert len(whole) == kept.count()
    for size in (1, 3):
        pages = walk(caller, f"{address}?page_size={size}")
        assert rows(pages) == whole
        assert all(len(page["results"]) <= size for page in pages)


@pytest.mark.parametrize("address", LISTS)
def test_previous_leads_back_the_same_way(address, cast, calls):
    cast.posted()
    caller = calls("referee")
    there = walk(caller, f"{address}?page_size=2")
    last = there[-1]
    assert last["next"] is None
    back = [last, *walk(caller, last["previous"], "previous")]
    assert [row for page in reversed(back) for row in page["results"]] == rows(there)
    assert there[0]["previous"] is None


@pytest.mark.parametrize("address", LISTS)
def test_what_comes_meanwhile_shifts_nothing(address, cast, calls):
    cast.posted()
    caller = calls("referee")
    whole = rows(walk(caller, address))
    first = ok(caller.get(f"{address}?page_size=2"))
    nights(cast)
    assert first["results"] + rows(walk(caller, first["next"])) == whole


def test_a_cursor_names_a_posting_by_its_public_id_and_a_line_by_its_place(cast, calls):
    cast.posted()
    nights(cast)
    for address in LISTS:
        page = ok(calls("red").get(f"{address}?page_size=1"))
        name = cursor_of(page["next"])
        shown = page["results"][0]
        uid = shown["uid"] if address == "journal/" else shown["posting"]
        of_posting = [r for r in rows(walk(calls("red"), "ledger/")) if r["posting"] == uid]
        place = "" if address == "journal/" else f".{len(of_posting) - 1}"
        assert name == f"p={uid}{place}"


def test_a_cursor_at_what_is_kept_back_is_like_one_at_nothing(cast, calls):
    kept_back = tire(cast, "b1", "2")
    asked = [
        problem(calls("red").get(f"journal/?cursor={b64encode(f'p={uid}'.encode()).decode()}"), 400)
        for uid in (kept_back.uid, "0" * 20)
    ]
    assert asked[0] == asked[1]
    assert asked[0]["path"] == "cursor"


@pytest.mark.parametrize(
    "cursor", ["", "x", "%%%", "cD0x", "bz01", "cj0xJnA9", "\u00e9", "b3Nlci4x", "cD14Lng="]
)
@pytest.mark.parametrize("address", [*LISTS, "report/lines/"])
def test_a_cursor_that_is_none_is_malformed(cursor, address, cast, calls):
    battle, _ = cast.posted()
    at = address if address in LISTS else f"battles/{battle.uid}/{address}"
    answer = calls("referee").client.get(f"{calls('referee').home}/{at}", {"cursor": cursor})
    said = problem(answer, 400)
    assert said["path"] == "cursor"
    assert "begin again" in said["detail"]


@pytest.mark.parametrize("size", ["0", "201", "-1", "x", "1e2", ""])
def test_a_page_is_of_one_to_two_hundred_rows(size, cast, calls):
    said = problem(calls("referee").get(f"journal/?page_size={size}"), 400)
    assert said["path"] == "page_size"
    assert "from 1 to 200" in said["detail"]


def test_the_lines_of_the_ledger_sum_to_zero_for_a_referee(cast, calls):
    cast.posted()
    sums: dict[str, int] = {}
    for row in rows(walk(calls("referee"), "ledger/?page_size=7")):
        sums[row["item"]] = sums.get(row["item"], 0) + row["quantity"]
    assert set(sums.values()) == {0}


@pytest.mark.parametrize("who", ["referee", "red", "spectator"])
def test_a_report_by_pages_is_the_report(who, cast, calls):
    battle, _ = cast.posted()
    caller = calls(who)
    lines = ok(caller.get(f"battles/{battle.uid}/report/"))["lines"]
    assert len(lines) > 3
    pages = walk(caller, f"battles/{battle.uid}/report/lines/?page_size=2")
    assert rows(pages) == lines
    assert pages[0]["previous"] is None
    back = walk(caller, pages[-1]["previous"], "previous")
    assert back[-1]["results"] == lines[:2]


@pytest.mark.parametrize("who", ["referee", "red", "spectator"])
def test_a_report_tells_as_much_as_is_asked_for(who, cast, calls):
    battle, _ = cast.posted()
    at, caller = f"battles/{battle.uid}/report/", calls(who)
    whole = ok(caller.get(at))
    weights = [line["weight"] for line in whole["lines"]]
    assert len(set(weights)) > 1
    for level, least in aar.LEVELS.items():
        told = [line for line in whole["lines"] if line["weight"] >= least]
        assert ok(caller.get(f"{at}?show={level}")) == {**whole, "lines": told}
        assert rows(walk(caller, f"{at}lines/?show={level}&page_size=2")) == told
    assert ok(caller.get(f"{at}?show=none")) == {**whole, "lines": []}


@pytest.mark.parametrize("words", ["report/?show=most", "report/?show=", "report/lines/?show=none"])
def test_how_much_is_told_is_one_of_a_few_words(words, cast, calls):
    battle, _ = cast.posted()
    said = problem(calls("referee").get(f"battles/{battle.uid}/{words}"), 400)
    assert said["path"] == "show"
    assert "expected one of all, notable, turning" in said["detail"]


def test_a_place_in_a_report_that_was_told_anew_is_no_place(cast, calls):
    battle, _ = cast.posted()
    at = f"battles/{battle.uid}/report/lines/?page_size=1"
    seen = ok(calls("referee").get(at))["next"]
    other = ok(calls("referee").get(f"{at}&as=red"))["next"]
    assert cursor_of(seen) != cursor_of(other)
    moved = seen.replace("page_size=1", "page_size=1&as=red")
    assert problem(calls("referee").get(moved), 400)["path"] == "cursor"


def test_a_correction_stands_in_the_ledger_beside_what_it_undid(cast, calls, balanced):
    battle, _ = cast.posted()
    document = battles.result_of(seat=cast.referee, battle_id=battle.uid)
    lost = next(f for f in document["elements"] if f["after"] == "eliminated" and not f["became"])
    lost["after"] = lost["before"]
    corrections.correct_battle(
        seat=cast.referee, battle_id=battle.uid, document=document, reason="It was reduced."
    )
    kinds = {row["kind"]: row["undone"] for row in rows(walk(calls("referee"), "ledger/"))}
    assert kinds["battle"] is True
    assert kinds["correction"] is False
    assert kinds["reversal"] is False


@pytest.mark.parametrize("address", LISTS)
def test_a_longer_page_asks_the_database_no_more_often(address, cast, calls):
    cast.posted()
    nights(cast, 5)
    caller = calls("referee")
    counts = []
    for size in (2, 12):
        with CaptureQueriesContext(connection) as asked:
            ok(caller.get(f"{address}?page_size={size}"))
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 20
