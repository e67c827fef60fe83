"""The shipped ladder, fought by the printed rules: one battle, however it comes in."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaigns import battle_log, engine
from campaigns.models import Battle, Line, Posting, Role, Seat
from campaigns.operations import (
    battle_postings,
    battles,
    campaigns,
    corrections,
    members,
    packs,
    resolution,
    turns,
)
from campaigns.projection import viewer_for
from campaigns.reports import oob
from tests.campaign.conftest import person

PACK = Path(__file__).parents[2] / "fixtures" / "packs" / "road-to-bastogne"

pytestmark = pytest.mark.django_db


class Club:
    """A campaign from a shipped pack with its referee."""

    def __init__(self, name: str, folder: Path = PACK) -> None:
        packs.load(folder=folder)
        organiser = campaigns.create_from_pack(
            user=person(f"{name} organiser"), pack_key=folder.name
        )
        self.organiser = organiser
        self.campaign = organiser.campaign
        invited = members.invite(seat=organiser, role=Role.REFEREE)
        self.referee: Seat = members.accept(user=person(f"{name} referee"), token=invited.token)

    def locked(self) -> Battle:
        battle = battles.plan_battle(seat=self.referee)
        battles.lock_forces(seat=self.referee, battle_id=battle.uid)
        return battle

    def resolved(self) -> Battle:
        battle = self.locked()
        job = battles.request_resolve(seat=self.referee, battle_id=battle.uid)
        resolution.resolve(job_id=job.pk)
        battle.refresh_from_db()
        assert battle.state == "reported"
        return battle

    def by_hand(self, document: dict) -> Battle:
        battle = self.locked()
        battles.play_at_table(seat=self.referee, battle_id=battle.uid)
        battles.enter_result(seat=self.referee, battle_id=battle.uid, document=document)
        return battle

    def post(self, battle: Battle) -> Posting:
        plan = battles.preview(seat=self.referee, battle_id=battle.uid)
        return battle_postings.post_result(
            seat=self.referee, battle_id=battle.uid, plan_hash=plan.hash
        )

    def document(self, battle: Battle) -> dict:
        return battles.result_of(seat=self.referee, battle_id=battle.uid)


def lines(posting: Posting) -> list[tuple]:
    """The lines of a posting, without what is of one campaign only."""
    rows = Line.objects.filter(posting=posting).select_related("account", "account__unit")
    return sorted(
        (
            row.item,
            row.account.holder,
            row.account.condition,
            row.account.unit.key if row.account.unit else "",
            row.quantity,
        )
        for row in rows
    )


@pytest.fixture
def club(db, sent, known_dice):
    return Club("first")


def test_the_workers_battle_is_the_one_the_engine_fights_from_the_same_key(club, balanced):
    battle = club.resolved()
    snapshot = battle.latest_snapshot()
    key = battles.reveal_key(seat=club.referee, battle_id=battle.uid)
    scenario = engine.read_scenario("ost", snapshot.document)
    fought = engine.fight(scenario, bytes.fromhex(key), snapshot.attempt, lambda _: True)
    assert fought.result.hash == battle.latest_result().hash
    stored = battle_log.load(snapshot.log)
    assert engine.audit(stored, bytes.fromhex(key)) > 100
    assert engine.rerun(stored, fought.result, bytes.fromhex(key)) == fought.result.hash


def test_the_same_battle_entered_by_hand_gives_the_same_ledger(club, balanced):
    engines = club.resolved()
    document = {**club.document(engines), "source": "table", "log": ""}
    twin = Club("second")
    by_hand = twin.by_hand(document)
    first, second = club.post(engines), twin.post(by_hand)
    assert lines(first) == lines(second) != []


def test_two_fights_one_number_corrected_and_the_order_of_battle_of_both_times(club, balanced):
    battle = club.resolved()
    first = club.post(battle)
    turns.open_next(seat=club.referee)
    later = club.resolved()
    club.post(later)
    then, now = on_hand(club, 1), on_hand(club)

    document = club.document(battle)
    lost = next(
        e
        for e in document["elements"]
        if e["after"] == "eliminated" and not e.get("became") and not e.get("merged_into")
    )
    lost["after"] = lost["before"]
    impact = battle_postings.impact(seat=club.referee, posting_id=first.uid)
    assert any(later.title in line for line in impact.later_battles)
    corrections.correct_battle(
        seat=club.referee, battle_id=battle.uid, document=document, reason="It only fell back."
    )
    assert on_hand(club) == now + 1
    assert on_hand(club, 1) == then + 1
    kinds = list(club.campaign.postings.values_list("kind", flat=True))
    assert kinds.count("reversal") == 1


def on_hand(club: Club, as_of: int | None = None) -> int:
    """Elements of both sides on hand, now or at the end of a turn."""
    report = oob.oob(viewer_for(club.referee), club.campaign, as_of)
    return sum(side.on_hand for side in report.sides)


def test_a_corrected_fight_still_knows_what_was_built_on_it(club, balanced):
    battle = club.resolved()
    club.post(battle)
    turns.open_next(seat=club.referee)
    later = club.resolved()
    club.post(later)
    document = club.document(battle)
    lost = next(
        e
        for e in document["elements"]
        if e["after"] == "eliminated" and not e.get("became") and not e.get("merged_into")
    )
    lost["after"] = lost["before"]
    corrections.correct_battle(
        seat=club.referee, battle_id=battle.uid, document=document, reason="It only fell back."
    )
    standing = Posting.standing_for(battle)
    impact = battle_postings.impact(seat=club.referee, posting_id=standing.uid)
    assert any(later.title in line for line in impact.later_battles)
    assert not any(battle.title in line for line in impact.later_battles)


def test_a_reduced_squad_is_printed_with_its_reduced_figures():
    rifle = engine.element_type("ost", "us-rifle")
    assert ("FP", "4") in rifle.figures
    assert ("FP", "2") in rifle.figures_when["reduced"]
