"""Tables for a spreadsheet: whole, cut to the reader, and no formula in them."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest
from django.urls import reverse

from campaigns.models import Balance, Line
from campaigns.operations import battle_postings
from campaigns.views.exports import plain


def table(client, cast, name, **query):
    answer = client.get(reverse(name, args=[cast.campaign.slug]), query)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/csv")
    assert "attachment" in answer["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_order_of_battle_adds_up_to_what_the_ledger_holds(cast, as_):
    cast.posted()
    rows = table(as_("referee"), cast, "oob_csv")
    told = sum(int(row["in this condition"]) for row in rows)
    assert told == sum(b.quantity for b in Balance.objects.filter(account__holder="unit"))
    assert {row["side"] for row in rows} == {"Red", "Blue"}


def test_the_ledger_is_whole_and_sums_to_zero(cast, as_):
    battle, _ = cast.posted()
    battle_postings.reverse_battle(seat=cast.referee, battle_id=battle.uid, reason="counted wrong")
    rows = table(as_("referee"), cast, "ledger_csv")
    assert len(rows) == Line.objects.count()
    sums = Counter()
    for row in rows:
        sums[row["item"]] += int(row["quantity"])
    assert set(sums.values()) == {0}
    assert any(row["undone"] for row in rows)


@pytest.mark.parametrize("name", ["oob_csv", "ledger_csv"])
def test_a_side_finds_its_own_and_the_public_nothing(cast, as_, name):
    cast.posted()
    text = str(table(as_("red"), cast, name))
    assert "Red platoon 1" in text
    assert "Blue platoon" not in text
    address = reverse(name, args=[cast.campaign.slug])
    for who in ("stranger", "anonymous"):
        assert as_(who).get(address).status_code in (302, 404)
    assert "platoon" not in as_("spectator").get(address).content.decode()


@pytest.mark.parametrize("cell", ["=1+1", "+A1", "-2", "@x", "\n=1", "\uff1d1"])
def test_no_cell_is_a_formula(cell):
    assert plain(cell) == f"'{cell}"
    assert plain(-2) == -2
