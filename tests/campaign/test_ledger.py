"""The ledger: it sums to zero, it cannot be changed, it remembers every turn."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns import entries, projection, reconcile
from campaigns.entries import Entry, Item
from campaigns.models import (
    Account,
    Balance,
    Holder,
    Line,
    Posting,
    PurgePermit,
    Status,
    StoredReport,
    Turn,
)
from campaigns.operations import adjustments, ledger, oob
from campaigns.operations.ledger import Author
from campaigns.refusals import Refused
from campaigns.reports import strengths
from tests.campaign.conftest import Cast

SQUAD = Item("toy-squad", "Toy squad")
numbers = itertools.count()

pytestmark = pytest.mark.usefixtures("balanced")


def post(cast: Cast, lines: list[Entry], **more: object) -> Posting:
    return ledger.post(
        campaign=cast.campaign,
        kind=Posting.Kind.ADJUSTMENT,
        key=f"test:{next(numbers)}",
        author=Author(cast.referee),
        lines=lines,
        **more,
    )


moves = st.lists(
    st.tuples(
        st.sampled_from(["r1", "r2", "b1"]),
        st.sampled_from(["fit", "reduced"]),
        st.integers(-4, 6).filter(bool),
        st.booleans(),
    ),
    max_size=12,
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(plan=moves)
def test_whatever_is_posted_reversed_or_refused_the_journal_balances(
    cast: Cast, plan: list[tuple[str, str, int, bool]]
) -> None:
    before = Counter(dict(Balance.objects.values_list("account__code", "quantity")))
    with transaction.atomic():
        for key, condition, quantity, undo in plan:
            unit = cast.unit(key)
            try:
                with transaction.atomic():
                    posting = post(
                        cast,
                        entries.move(
                            SQUAD,
                            quantity,
                            entries.side_account(Holder.ARSENAL, unit.side),
                            entries.unit_account(unit, condition),
                        ),
                    )
                    if undo:
                        ledger.reverse(
                            posting=posting, author=Author(cast.referee), reason="undone"
                        )
            except Refused:
                continue
        assert reconcile.reconcile() == []
        assert not Balance.objects.filter(account__holder=Holder.UNIT, quantity__lt=0).exists()
        transaction.set_rollback(True)
    assert Counter(dict(Balance.objects.values_list("account__code", "quantity"))) == before


def test_lines_that_do_not_sum_to_zero_are_refused(cast: Cast) -> None:
    lonely = [Entry(entries.unit_account(cast.unit("r1"), "fit"), SQUAD, 3)]
    with pytest.raises(Refused, match=r"sum to zero; those of toy-squad sum to \+3"):
        post(cast, lonely)


def test_a_unit_cannot_lose_what_it_has_not_got(cast: Cast) -> None:
    unit = cast.unit("r1")
    with pytest.raises(Refused, match="has not got so many"), transaction.atomic():
        adjustments.adjust(
            seat=cast.referee,
            unit_id=unit.uid,
            element="toy-squad",
            condition="fit",
            quantity=-3,
            reason="too many",
            key="x",
        )
    assert Balance.objects.get(account__code="unit:r1/fit", item="toy-squad").quantity == 2


def test_the_same_key_posts_once(cast: Cast) -> None:
    for _ in range(2):
        adjustments.award(
            seat=cast.referee, side_key="red", points=2, reason="for the bridge", key="one"
        )
    assert Posting.objects.filter(kind=Posting.Kind.AWARD).count() == 1


def test_lines_keep_the_names_and_prices_of_their_day(cast: Cast) -> None:
    line = Line.objects.filter(account__code="unit:r1/fit", item="toy-squad").get()
    assert (line.item_name, line.measure, line.price, line.holder_name) == (
        "Toy squad",
        "element",
        2,
        "Red platoon 1",
    )


def row_of(cast: Cast, model: type) -> object:
    if not model.objects.exists():
        oob.set_level(
            seat=cast.referee,
            unit_id=cast.unit("r1").uid,
            kind="fatigue",
            value="2",
            reason="a long march",
        )
    if not model.objects.exists():
        cast.posted()
    return model.objects.first()


@pytest.mark.parametrize("model", [Posting, Line, Status, StoredReport])
def test_the_database_refuses_to_change_or_delete_a_journal_row(cast: Cast, model: type) -> None:
    row = row_of(cast, model)
    field = next(
        f.name for f in model._meta.fields if f.name in ("quantity", "reason", "value", "audience")
    )
    value = 99 if field == "quantity" else "changed"
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        model.objects.filter(pk=row.pk).update(**{field: value})
    with pytest.raises(DatabaseError, match="never deleted"), transaction.atomic():
        model.objects.filter(pk=row.pk)._raw_delete("default")


def test_a_purge_permit_opens_only_its_own_campaign(cast: Cast) -> None:
    from campaigns.operations import campaigns

    other = campaigns.create_from_pack(user=cast.stranger, pack_key=cast.pack.key)
    PurgePermit.objects.create(campaign=other.campaign)
    line = Line.objects.filter(posting__campaign=cast.campaign).first()
    with pytest.raises(DatabaseError, match="never deleted"), transaction.atomic():
        Line.objects.filter(pk=line.pk)._raw_delete("default")


def test_the_order_of_battle_of_a_past_turn_still_stands(cast: Cast) -> None:
    viewer = projection.viewer_for(cast.referee)
    unit = cast.unit("r1")
    then = strengths.held(viewer, 1)[unit.pk]
    Turn.objects.filter(campaign=cast.campaign).update(closed_at="1944-12-20T00:00Z")
    Turn.objects.create(campaign=cast.campaign, number=2, date="1944-12-20")
    adjustments.adjust(
        seat=cast.referee,
        unit_id=unit.uid,
        element="toy-squad",
        condition="reduced",
        quantity=2,
        reason="stragglers",
        key="1",
    )
    assert strengths.held(viewer, 1)[unit.pk] == then
    assert strengths.held(viewer, 2)[unit.pk] == strengths.held(viewer)[unit.pk]
    assert strengths.held(viewer)[unit.pk]["toy-squad"] == {"fit": 2, "reduced": 2}


def test_lines_written_past_the_operation_are_found_out(cast: Cast) -> None:
    """PostgreSQL refuses them when the transaction ends; elsewhere reconcile tells."""
    posting = cast.campaign.postings.first()
    account = Account.objects.get(code="unit:r1/fit")
    with transaction.atomic():
        Line.objects.create(
            posting=posting,
            account=account,
            item="toy-squad",
            item_name="Toy squad",
            measure="element",
            holder_name="",
            quantity=1,
        )
        if connection.vendor == "postgresql":
            with pytest.raises(DatabaseError, match="sum to zero"), transaction.atomic():
                connection.check_constraints()
        assert f"posting {posting.uid}: toy-squad sums to 1, not zero" in reconcile.reconcile()
        transaction.set_rollback(True)


def test_reconcile_finds_a_balance_that_was_nudged(cast: Cast) -> None:
    balance = Balance.objects.filter(account__code="unit:r1/fit").first()
    Balance.objects.filter(pk=balance.pk).update(quantity=balance.quantity + 1)
    assert "the balance says" in reconcile.reconcile()[0]
    ledger.recompute([Account.objects.get(code="unit:r1/fit")])


def test_an_adjustment_names_a_condition_the_element_can_have(cast: Cast) -> None:
    with pytest.raises(Refused, match="A Toy gun can be fit, not reduced"):
        adjustments.adjust(
            seat=cast.referee,
            unit_id=cast.unit("r1").uid,
            element="toy-gun",
            condition="reduced",
            quantity=1,
            reason="?",
            key="1",
        )
