"""A campaign from its pack to its purge, and the people who come and go."""

from __future__ import annotations

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns import access, muster, projection
from campaigns.models import (
    Battle,
    Campaign,
    Formation,
    InstalledPack,
    Invitation,
    Line,
    Posting,
    Role,
    Seat,
    Side,
    Status,
    Unit,
)
from campaigns.operations import (
    battle_postings,
    battles,
    campaigns,
    ledger,
    members,
    oob,
    packs,
    turns,
)
from campaigns.refusals import NotFound, Refused
from rulesengine.names import RESERVED
from rulesengine.pack import Carry, Replacement
from tests.campaign.conftest import Cast, person, toy_pack

pytestmark = pytest.mark.usefixtures("balanced")


def test_a_pack_becomes_a_campaign_with_its_order_of_battle(cast: Cast) -> None:
    assert cast.campaign.title == "The toy war"
    assert Unit.objects.filter(campaign=cast.campaign).count() == 4
    company = Formation.objects.get(campaign=cast.campaign, key="red-company")
    assert company.parent is not None
    assert company.parent.key == "red-battalion"
    assert cast.campaign.turns.get().title == "The first fight"


def test_a_newer_pack_changes_nothing_in_a_campaign(cast: Cast) -> None:
    packs.install(pack=toy_pack(units=5))
    assert Unit.objects.filter(campaign=cast.campaign).count() == 4
    assert len(cast.campaign.terms.get(key="first").picks["red"]) == 2


def test_sides_and_house_rules_can_be_chosen_at_the_start(cast: Cast) -> None:
    seat = campaigns.create_from_pack(
        user=cast.stranger,
        pack_key=cast.pack.key,
        title="Thursday night",
        side_names={"red": "The reds"},
        carry={"reduced": "refit"},
        organiser_side="red",
    )
    assert seat.campaign.title == "Thursday night"
    assert seat.side is not None
    assert seat.side.name == "The reds"
    assert seat.campaign.carry["reduced"] == "refit"
    with pytest.raises(Refused, match="no house rule"):
        campaigns.create_from_pack(
            user=cast.stranger, pack_key=cast.pack.key, carry={"reduced": "doubled"}
        )


def test_two_sides_are_not_named_alike(cast: Cast) -> None:
    blue, red = (cast.campaign.sides.get(key=key) for key in ("blue", "red"))
    like_blue = f" {blue.name.upper()}"
    with pytest.raises(Refused, match="another name") as refused:
        campaigns.rename(seat=cast.organiser, title="New", side_names={"red": like_blue})
    assert refused.value.path == "side_names.red"
    cast.campaign.refresh_from_db()
    red.refresh_from_db()
    assert cast.campaign.title != "New"
    assert not red.name.isupper()
    before = Campaign.objects.count()
    with pytest.raises(Refused, match="another name"):
        campaigns.create_from_pack(
            user=cast.stranger, pack_key=cast.pack.key, side_names={"red": like_blue}
        )
    assert Campaign.objects.count() == before
    swapped = {"red": blue.name, "blue": red.name}
    campaigns.rename(seat=cast.organiser, side_names=swapped)
    assert {s.key: s.name for s in cast.campaign.sides.all()} == swapped


@pytest.mark.parametrize("name", ["\u200b", "Re\0d", "\u202eRed", "\u3164", "Re\nd"])
def test_a_side_or_a_campaign_is_not_named_by_what_cannot_be_seen(name: str, cast: Cast) -> None:
    before = Campaign.objects.count()
    for names, title, path in (({"red": name}, "", "side_names.red"), ({}, name, "title")):
        with pytest.raises(Refused) as refused:
            campaigns.create_from_pack(
                user=cast.stranger, pack_key=cast.pack.key, title=title, side_names=names
            )
        assert refused.value.path == path
        with pytest.raises(Refused) as refused:
            campaigns.rename(seat=cast.organiser, title=title, side_names=names)
        assert refused.value.path == path
    assert Campaign.objects.count() == before


def test_two_sides_that_only_differ_unseen_are_named_alike(cast: Cast) -> None:
    for like_blue in ("B l u e", "Ｂlue", "Bl\u200due"):
        with pytest.raises(Refused, match="another name"):
            campaigns.rename(seat=cast.organiser, side_names={"red": like_blue})


def test_no_campaign_has_a_side_whose_key_is_an_audience(cast: Cast) -> None:
    """Not even of a pack that was installed before the loader refused it."""
    before = Campaign.objects.count()
    InstalledPack.objects.filter(pk=cast.pack.pk).update(
        document=cast.pack.document.replace('"red"', '"referee"')
    )
    with pytest.raises(Refused, match='side with the key "referee"'):
        campaigns.create_from_pack(user=cast.stranger, pack_key=cast.pack.key)
    assert Campaign.objects.count() == before
    for word in RESERVED:
        broken = pytest.raises(IntegrityError, match="a_side_is_named_by_no_audience")
        with broken, transaction.atomic():
            cast.campaign.sides.filter(key="red").update(key=word)
        side = Side(pk=10**6, campaign=cast.campaign, key=word, name="Spies", position=0)
        spy = Seat(campaign=cast.campaign, user=cast.stranger, role=Role.COMMANDER, side=side)
        with pytest.raises(ValueError, match="no audience of a side"):
            access.audience_of(spy)
        with pytest.raises(ValueError, match="no audience of a side"):
            _ = projection.of_side(side).audience


def test_a_side_is_not_named_longer_than_a_scenario_can_hold(cast: Cast) -> None:
    longest = "x" * 60
    campaigns.rename(seat=cast.organiser, side_names={"blue": longest})
    assert cast.campaign.sides.get(key="blue").name == longest
    with pytest.raises(Refused, match="at most 60 characters"):
        campaigns.rename(seat=cast.organiser, side_names={"blue": longest + "x"})
    assert cast.campaign.sides.get(key="blue").name == longest


def test_purging_needs_the_name_typed_and_leaves_nothing(cast: Cast) -> None:
    other = campaigns.create_from_pack(user=cast.stranger, pack_key=cast.pack.key)
    _, posting = cast.posted()
    battle_postings.reverse_posting(seat=cast.referee, posting_id=posting.uid, reason="oops")
    with pytest.raises(Refused, match="Type the name"):
        campaigns.purge(seat=cast.organiser, typed_title="the toy war")
    with pytest.raises(Refused, match="may not purge"):
        campaigns.purge(seat=cast.referee, typed_title="The toy war")
    campaigns.purge(seat=cast.organiser, typed_title="The toy war")
    assert list(Campaign.objects.all()) == [other.campaign]
    assert not Battle.objects.exists()
    assert Posting.objects.get().campaign == other.campaign
    assert Line.objects.exists()


def test_an_archived_campaign_is_read_and_nothing_is_done_in_it(cast: Cast) -> None:
    battle = cast.planned()
    campaigns.archive(seat=cast.organiser)
    referee = Seat.objects.get(pk=cast.referee.pk)
    with pytest.raises(Refused, match="archived"):
        battles.lock_forces(seat=referee, battle_id=battle.uid)
    campaigns.unarchive(seat=Seat.objects.get(pk=cast.organiser.pk))
    battles.lock_forces(seat=Seat.objects.get(pk=cast.referee.pk), battle_id=battle.uid)


# --- members -----------------------------------------------------------------------------------


def test_an_invitation_seats_one_person_and_its_token_is_not_kept(cast: Cast) -> None:
    invited = members.invite(seat=cast.organiser, role="player", side_key="blue")
    assert invited.token not in str(vars(invited.invitation))
    seat = members.accept(user=cast.stranger, token=invited.token)
    assert (seat.role, seat.side.key) == ("player", "blue")
    with pytest.raises(NotFound):
        members.accept(user=person("late"), token=invited.token)


def test_an_expired_or_revoked_invitation_is_not_found(cast: Cast) -> None:
    old = members.invite(seat=cast.organiser, role="spectator")
    Invitation.objects.filter(pk=old.invitation.pk).update(expires_at=timezone.now())
    taken_back = members.invite(seat=cast.organiser, role="spectator")
    members.revoke(seat=cast.organiser, invitation_id=taken_back.invitation.uid)
    for token in (old.token, taken_back.token, "never was"):
        with pytest.raises(NotFound):
            members.accept(user=cast.stranger, token=token)


def test_a_commander_needs_a_side_and_a_referee_has_none(cast: Cast) -> None:
    with pytest.raises(Refused, match="which side"):
        members.invite(seat=cast.organiser, role="commander")
    with pytest.raises(Refused, match="has no side"):
        members.invite(seat=cast.organiser, role="referee", side_key="red")
    with pytest.raises(Refused, match="Invite a referee"):
        members.invite(seat=cast.organiser, role="organiser")


def test_seats_change_hands_and_a_removed_member_is_a_stranger(cast: Cast) -> None:
    members.change_seat(
        seat=cast.organiser, seat_id=cast.spectator.uid, role="player", side_key="red"
    )
    members.remove(seat=cast.organiser, seat_id=cast.red_player.uid)
    assert not Seat.objects.filter(pk=cast.red_player.pk).exists()
    with pytest.raises(Refused, match="handed over"):
        members.change_seat(seat=cast.organiser, seat_id=cast.organiser.uid, role="referee")
    members.hand_over(seat=cast.organiser, seat_id=cast.referee.uid)
    roles = dict(Seat.objects.values_list("user__username", "role"))
    assert (roles["referee"], roles["organiser"]) == ("organiser", "referee")


def test_a_reset_link_opens_only_accounts_that_sit_at_no_other_table(cast: Cast) -> None:
    link = members.password_reset_link(seat=cast.organiser, seat_id=cast.red.uid)
    assert default_token_generator.check_token(cast.red.user, link.token)
    campaigns.create_from_pack(user=cast.red.user, pack_key=cast.pack.key)
    with pytest.raises(Refused, match="outside your campaigns"):
        members.password_reset_link(seat=cast.organiser, seat_id=cast.red.uid)


# --- between fights ------------------------------------------------------------------------------


def after_a_fight(cast: Cast, conditions: dict[str, str], morale: str = "") -> None:
    """Post a drawn battle in which exactly these elements changed, and open the next turn."""
    import json

    battle = cast.resolved()
    document = json.loads(battle.latest_result().document)
    document["ending"] = {"kind": "draw", "how": "dusk", "winner": ""}
    document["spent"] = []
    for fate in document["elements"]:
        fate.update(after=conditions.get(fate["element"], fate["before"]), became="", cause="shot")
    battles.overrule(seat=cast.referee, battle_id=battle.uid, document=document, reason="set up")
    cast.post(battle)
    turns.open_next(seat=cast.referee)


def strength(cast: Cast, key: str) -> dict[str, dict[str, int]]:
    unit = cast.unit(key)
    return {k: dict(v) for k, v in muster.on_hand([unit])[unit.pk].items()}


def test_reduced_elements_stay_reduced_by_the_printed_house_rule(cast: Cast) -> None:
    after_a_fight(cast, {"r1/toy-squad/1": "reduced", "r1/toy-squad/2": "reduced"})
    assert strength(cast, "r1")["toy-squad"] == {"reduced": 2}


def test_a_refit_brings_reduced_elements_back_to_strength(db: None, sent: list[int]) -> None:
    cast = Cast(toy_pack(carry=Carry(reduced="refit")))
    after_a_fight(cast, {"r1/toy-squad/1": "reduced"})
    assert strength(cast, "r1")["toy-squad"] == {"fit": 2}


def test_replacements_arrive_before_their_rung(db: None, sent: list[int]) -> None:
    arrivals = (Replacement(before="two", unit="r1", element="toy-squad", quantity=3),)
    cast = Cast(toy_pack(replacements=arrivals))
    after_a_fight(cast, {"r1/toy-squad/1": "eliminated"})
    assert strength(cast, "r1")["toy-squad"] == {"fit": 2}, "its establishment, of three sent"
    posting = Posting.objects.get(kind=Posting.Kind.REPLACEMENT)
    assert posting.turn.number == 2


def test_lost_weapons_are_replaced_where_the_house_rules_say_so(db: None, sent: list[int]) -> None:
    cast = Cast(toy_pack(carry=Carry(lost_weapons="replaced")))
    after_a_fight(cast, {"r1/toy-gun/1": "eliminated", "r1/toy-squad/1": "eliminated"})
    assert strength(cast, "r1") == {"toy-squad": {"fit": 1}, "toy-gun": {"fit": 1}}


# --- levels --------------------------------------------------------------------------------------


def test_an_attachment_is_dated_and_stays_within_its_side(cast: Cast) -> None:
    unit = cast.unit("r1")
    mine = Formation.objects.get(campaign=cast.campaign, key="red-battalion")
    theirs = Formation.objects.get(campaign=cast.campaign, key="blue-company")
    oob.attach(seat=cast.referee, unit_id=unit.uid, formation_id=mine.uid, reason="reserve")
    with pytest.raises(Refused, match="other side"):
        oob.attach(seat=cast.referee, unit_id=unit.uid, formation_id=theirs.uid, reason="?")
    status = Status.objects.get(kind=Status.Kind.ATTACHMENT)
    assert (status.value, status.posting.turn.number) == ("red-battalion", 1)


def test_a_note_is_a_posting_without_lines(cast: Cast) -> None:
    posting = oob.note(seat=cast.referee, text="Thick fog over Foy.")
    assert posting.lines.count() == 0
    assert posting.reason == "Thick fog over Foy."


def test_no_turn_is_opened_twice(cast: Cast) -> None:
    after_a_fight(cast, {})
    assert ledger.open_turn(cast.campaign).number == 2
    with pytest.raises(Refused, match=r"^Turn 2 is open, and its battle is not planned yet\.$"):
        turns.open_next(seat=cast.referee)


def test_a_turn_is_not_closed_while_its_battle_is_reversed(cast: Cast) -> None:
    battle, _ = cast.posted()
    battle_postings.reverse_battle(seat=cast.referee, battle_id=battle.uid, reason="played anew")
    with pytest.raises(Refused, match=r"^Turn 1 is open, and The first fight is reversed\.$"):
        turns.open_next(seat=cast.referee)


def test_after_the_ladder_has_ended_that_is_said(cast: Cast) -> None:
    after_a_fight(cast, {})
    cast.posted()
    assert turns.open_next(seat=cast.referee) is None
    with pytest.raises(Refused, match=r"^The ladder has ended: no turn follows\.$"):
        turns.open_next(seat=cast.referee)


def test_an_act_that_began_before_the_archiving_is_refused_after_it(cast):
    """The seat was fetched while the campaign was active; the lock looks again."""
    from campaigns.operations import campaigns, turns
    from campaigns.refusals import Refused

    cast.posted()
    early = cast.referee
    assert early.campaign.is_active
    campaigns.archive(seat=cast.organiser)
    assert early.campaign.state == Campaign.State.ACTIVE
    with pytest.raises(Refused, match="archived"):
        turns.open_next(seat=early)
