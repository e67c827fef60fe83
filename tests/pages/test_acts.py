"""What the buttons and forms of the pages do, and what they say when they may not."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from campaigns.models import Battle, Campaign, Seat
from campaigns.operations import battles, jobs, members, resolution


def at(name, cast, *more):
    return reverse(name, args=[cast.campaign.slug, *more])


def do(client, battle, act):
    return client.post(reverse("battle_act", args=[battle.campaign.slug, battle.uid, act]))


def test_a_battle_goes_from_plan_to_report_by_its_buttons(cast, as_, balanced):
    client = as_("referee")
    planned = client.post(at("battle_plan", cast))
    battle = cast.campaign.battles.get()
    assert planned.url == at("battle", cast, battle.uid)
    do(client, battle, "lock")
    do(client, battle, "resolve")
    polled = client.get(at("battle_progress", cast, battle.uid), headers={"HX-Request": "true"})
    assert "hx-get" in polled.content.decode()
    assert "HX-Refresh" not in polled
    resolution.resolve(job_id=battle.jobs.get().pk)
    done = client.get(at("battle_progress", cast, battle.uid), headers={"HX-Request": "true"})
    assert done["HX-Refresh"] == "true"
    plan = battles.preview(seat=cast.referee, battle_id=battle.uid).hash
    posted = client.post(at("battle_preview", cast, battle.uid), {"plan": plan}, follow=True)
    assert "is posted" in posted.content.decode()
    battle.refresh_from_db()
    assert battle.state == Battle.State.POSTED
    opened = client.post(at("next_turn", cast), follow=True)
    assert opened.status_code == 200


def test_posting_twice_posts_once(cast, as_, balanced):
    battle = cast.resolved()
    client = as_("referee")
    plan = battles.preview(seat=cast.referee, battle_id=battle.uid).hash
    for _ in range(2):
        client.post(at("battle_preview", cast, battle.uid), {"plan": plan})
    assert battle.postings.count() == 1


def test_posting_an_old_preview_is_refused_and_the_new_one_is_shown(cast, as_):
    battle = cast.resolved()
    answer = as_("referee").post(at("battle_preview", cast, battle.uid), {"plan": "old"})
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "Look at the new preview" in text
    assert battles.preview(seat=cast.referee, battle_id=battle.uid).hash in text


def test_a_commander_who_locks_is_told_that_he_may_not(cast, as_):
    battle = cast.planned()
    answer = do(as_("red"), battle, "lock")
    assert answer.status_code == 409
    assert "You may not lock the forces" in answer.content.decode()
    assert 'role="alert"' in answer.content.decode()


@pytest.mark.parametrize("act", ["lock", "resolve", "table", "cancel", "unlock", "leave"])
def test_a_stranger_who_presses_a_button_finds_nothing(act, cast, as_):
    battle = cast.planned()
    assert do(as_("stranger"), battle, act).status_code == 404
    assert do(as_("anonymous"), battle, act).status_code == 404
    battle.refresh_from_db()
    assert battle.state == Battle.State.PLANNED


def test_a_button_is_not_pressed_by_a_link(cast, as_):
    battle = cast.planned()
    page = reverse("battle_act", args=[cast.campaign.slug, battle.uid, "lock"])
    assert as_("referee").get(page).status_code == 404
    battle.refresh_from_db()
    assert battle.state == Battle.State.PLANNED


def test_a_run_is_cancelled_and_the_forces_are_locked_again(cast, as_):
    battle = cast.locked()
    job = battles.request_resolve(seat=cast.referee, battle_id=battle.uid)
    as_("referee").post(at("job_cancel", cast, job.uid))
    battle.refresh_from_db()
    job.refresh_from_db()
    assert battle.state == Battle.State.LOCKED
    assert job.state not in jobs.UNFINISHED


def test_a_commander_leaves_somebody_behind(cast, as_):
    battle = cast.planned()
    unit = cast.unit("r1")
    page = at("battle_forces", cast, battle.uid, "red")
    as_("red").post(page, {f"n:{unit.uid}:toy-squad": "1"})
    force = battles.forces(seat=cast.red, battle_id=battle.uid, side_key="red")
    assert [coming.elements for coming in force.coming] == [1]
    refused = as_("red").post(page, {f"n:{unit.uid}:toy-squad": "9"})
    assert refused.status_code == 409
    assert "9 cannot come" in refused.content.decode()


def test_the_dice_are_revealed_for_good_only_on_a_page_that_says_so(cast, as_):
    battle, _ = cast.posted()
    page, client = at("battle_reveal", cast, battle.uid), as_("referee")
    sealed = battle.latest_snapshot
    assert do(client, battle, "reveal").status_code == 404
    assert f'href="{page}"' in client.get(at("battle", cast, battle.uid)).content.decode()
    assert "it cannot be sealed again" in client.get(page).content.decode()
    assert client.get(f"{page}?as=red").status_code == 404
    for who in ("red", "spectator", "stranger", "anonymous"):
        assert as_(who).post(page).status_code == 404, who
    assert sealed().revealed_at is None
    told = client.post(page, follow=True).content.decode()
    assert "The dice are revealed." in told
    assert sealed().revealed_at is not None
    assert f'href="{page}"' not in told
    assert "is open already" in client.get(page).content.decode()


def test_a_key_that_may_not_be_opened_yet_is_said_not_to(cast, as_):
    battle = cast.locked()
    page, client = at("battle_reveal", cast, battle.uid), as_("referee")
    assert "there is no key to open now" in client.get(page).content.decode()
    refused = client.post(page)
    assert refused.status_code == 409
    assert "cannot be opened" in refused.content.decode()
    assert battle.latest_snapshot().revealed_at is None


def test_a_battle_is_reversed_with_a_reason(cast, as_, balanced):
    battle, _ = cast.posted()
    page = at("battle_reverse", cast, battle.uid)
    client = as_("referee")
    assert client.post(page, {"reason": " "}).status_code == 409
    client.post(page, {"reason": "Wrong scenario."})
    battle.refresh_from_db()
    assert battle.state == Battle.State.REVERSED
    journal = client.get(at("journal", cast)).content.decode()
    assert "Wrong scenario." in journal
    assert 'class="reversed"' in journal


def test_the_opponent_comments_and_disputes(cast, as_):
    battle, _ = cast.posted()
    page = at("battle_comment", cast, battle.uid)
    as_("blue").post(page, {"text": "The gun was never there.", "kind": "disputes"})
    read = as_("red").get(at("battle_report", cast, battle.uid)).content.decode()
    assert "The gun was never there." in read
    assert "disputes" in read
    assert as_("blue").post(page, {"text": " "}).status_code == 409
    assert as_("spectator").post(page, {"text": "Bravo"}).status_code == 409


def test_a_comment_cannot_smuggle_markup(cast, as_):
    battle, _ = cast.posted()
    text = "<script>alert(1)</script>"
    as_("blue").post(at("battle_comment", cast, battle.uid), {"text": text, "kind": "comment"})
    assert text not in as_("red").get(at("battle_report", cast, battle.uid)).content.decode()


# --- campaigns and people -------------------------------------------------------------------------


def new_campaign(cast, client, **more):
    page = reverse("new_campaign", args=[cast.pack.key])
    form = client.get(page).context["form"]
    initial = {name: form[name].value() or "" for name in form.fields}
    return client.post(page, {**initial, "once": "a1", **more})


def test_a_campaign_is_made_from_a_pack_as_it_is_and_once(cast, as_):
    client = as_("stranger")
    answers = [new_campaign(cast, client, title="Our war") for _ in range(2)]
    made = Campaign.objects.get(title="Our war")
    assert {a.url for a in answers} == {reverse("members", args=[made.slug])}
    assert Seat.objects.get(campaign=made).user == cast.stranger


def test_sides_are_renamed_when_a_campaign_is_made(cast, as_):
    new_campaign(cast, as_("stranger"), title="Our war", side_red="Crimson")
    made = Campaign.objects.get(title="Our war")
    assert [side.name for side in made.sides.all()] == ["Crimson", "Blue"]


def test_an_invitation_is_made_shown_once_and_taken_by_a_new_account(cast, as_, client):
    organiser = as_("organiser")
    sent = {"act": "invite", "role": "player", "side_key": "blue", "note": "for Bo"}
    page = organiser.post(at("members", cast), sent, follow=True)
    link = page.context["link"]["address"]
    assert 'aria-label="QR code of the link"' in page.content.decode()
    assert link not in organiser.get(at("members", cast)).content.decode()
    assert "Blue" in client.get(link).content.decode()
    password = "a long enough secret"
    joined = client.post(
        link, {"username": "bo", "password1": password, "password2": password}, follow=True
    )
    assert joined.status_code == 200
    assert Seat.objects.get(user__username="bo").side.key == "blue"
    assert client.get(link).status_code == 404


def test_an_invitation_that_was_taken_back_no_longer_works(cast, as_, client):
    invited = members.invite(seat=cast.organiser, role="spectator")
    sent = {"act": "revoke", "invitation": invited.invitation.uid}
    as_("organiser").post(at("members", cast), sent)
    assert client.get(reverse("join", args=[invited.token])).status_code == 404


def test_a_member_sets_a_new_password_by_the_organisers_link(cast, as_, client):
    sent = {"act": "reset", "seat": cast.red.uid}
    page = as_("organiser").post(at("members", cast), sent, follow=True)
    form = client.get(page.context["link"]["address"], follow=True)
    password = "another long secret"
    address = form.redirect_chain[-1][0]
    client.post(address, {"new_password1": password, "new_password2": password})
    assert User.objects.get(username="red-commander").check_password(password)
    again = client.get(page.context["link"]["address"], follow=True)
    assert "no longer works" in again.content.decode()


@pytest.mark.parametrize("who", ["referee", "red", "spectator"])
def test_only_the_organiser_invites(who, cast, as_):
    before = cast.campaign.invitations.count()
    answer = as_(who).post(at("members", cast), {"act": "invite", "role": "referee"})
    assert answer.status_code == 409
    assert cast.campaign.invitations.count() == before


def test_an_archived_campaign_offers_nothing_to_do(cast, as_):
    client = as_("organiser")
    client.post(at("settings", cast), {"act": "archive"})
    page = client.get(at("campaign", cast)).content.decode()
    assert "archived" in page
    assert at("battle_plan", cast) not in page
    client.post(at("settings", cast), {"act": "unarchive"})
    assert at("battle_plan", cast) in client.get(at("campaign", cast)).content.decode()


def test_a_campaign_is_purged_by_typing_its_name(cast, as_):
    cast.posted()
    client = as_("organiser")
    wrong = client.post(at("settings", cast), {"act": "purge", "typed_title": "x"})
    assert wrong.status_code == 409
    assert Campaign.objects.filter(pk=cast.campaign.pk).exists()
    gone = client.post(at("settings", cast), {"act": "purge", "typed_title": "The toy war"})
    assert gone.url == reverse("home")
    assert not Campaign.objects.filter(pk=cast.campaign.pk).exists()


def test_signing_in_goes_on_to_the_page_that_was_asked_for(cast, client):
    cast.stranger.set_password("a long enough secret")
    cast.stranger.save()
    page = reverse("login") + "?next=/new/"
    sent = {"username": "stranger", "password": "a long enough secret", "next": "/new/"}
    assert client.post(page, sent).url == "/new/"


def test_a_page_as_of_an_earlier_turn_shows_what_was_then(cast, as_, balanced):
    from campaigns.operations import turns

    cast.posted()
    turns.open_next(seat=cast.referee)
    client = as_("referee")
    now = client.get(at("oob", cast)).context["report"]
    then = client.get(at("oob", cast) + "?turn=1").context["report"]
    assert (now.as_of, then.as_of) == (None, 1)
    assert client.get(at("oob", cast) + "?turn=9").status_code == 404
    assert client.get(at("oob", cast) + "?turn=x").status_code == 404
    changes = client.get(at("oob_changes", cast) + "?from=1&to=2")
    assert changes.status_code == 200


# --- dice, and an organiser who plays -----------------------------------------------------------


def test_anybody_with_a_seat_checks_the_dice_once_they_are_revealed(cast, as_):
    battle, _ = cast.posted()
    check = at("battle_check", cast, battle.uid)
    sealed = as_("blue").post(check)
    assert sealed.status_code == 409
    assert "still sealed" in sealed.content.decode()
    battles.reveal_key(seat=cast.referee, battle_id=battle.uid)
    answer = as_("blue").post(check, follow=True)
    assert answer.redirect_chain[0][0].endswith("#dice")
    told = answer.content.decode()
    toasts, key = told.partition('class="toasts"')[2], told.partition('id="dice"')[2]
    assert "dice are those of the sealed key" in key.partition("</section>")[0]
    assert "dice are those of the sealed key" not in toasts
    part = as_("blue").post(check, headers={"HX-Request": "true"}).content.decode()
    assert "dice are those of the sealed key" in part
    assert "<html" not in part
    assert as_("stranger").post(check).status_code == 404
    assert as_("stranger").post(check, headers={"HX-Request": "true"}).status_code == 404
    page = as_("referee").get(at("battle", cast, battle.uid)).content.decode()
    assert "Reveal the dice" not in page
    assert "check the dice" in page


def test_a_correction_shows_what_depends_on_it_before_it_is_made(cast, as_):
    battle, _ = cast.posted()
    page = as_("referee").get(at("battle_correct", cast, battle.uid))
    assert page.context["impact"].clear
    assert "What depends on it" in page.content.decode()


def test_a_rung_the_ladder_went_past_says_so():
    from campaigns.reports.overview import RungCard, stands

    def rung(key, *following, turn=0, current=False, instead=""):
        return RungCard(key, key.title(), (), following, turn, current, instead)

    ladder = (
        rung("dawn", "noon", "dusk", turn=1),
        rung("noon", "dusk", instead="Blue win"),
        rung("dusk", "night", turn=2, current=True),
        rung("night"),
    )
    assert [stands(each, ladder) for each in ladder] == [
        "turn 1",
        "passed by: the result then stood as Blue win",
        "turn 2",
        "not reached",
    ]


def test_terms_are_told_in_a_players_words():
    from campaigns.reports.forces import Fact, _flatten
    from campaigns.templatetags.words import day

    found: list[Fact] = []
    terms = {"impulses": {"dice": 3, "plus": 1}, "zone": "A1:B6", "hidden": 2}
    _flatten(found, "Red", "terms[0]", terms, {"terms[0].impulses"}, {})
    assert found[0] == Fact("Red, impulse dice", "3D6+1", True)
    assert [fact.label for fact in found[1:]] == [
        "Red, sets up in",
        "Red, elements hidden at the start",
    ]
    assert (day("1944-12-19"), day("some day")) == ("19 December 1944", "some day")


@pytest.fixture
def playing_organiser(cast):
    """The organiser commands Red and no longer sees everything."""
    cast.organiser.side = cast.red.side
    cast.organiser.save()
    return cast


def test_an_organiser_who_plays_posts_without_reading_the_other_side(playing_organiser, as_):
    cast = playing_organiser
    battle = cast.resolved()
    page = at("battle_preview", cast, battle.uid)
    seen = as_("organiser").get(page)
    assert "Red platoon" in seen.content.decode()
    assert "Blue platoon" not in seen.content.decode()
    posted = as_("organiser").post(page, {"plan": seen.context["report"].plan_hash}, follow=True)
    assert "is posted" in posted.content.decode()
    assert "Blue platoon" not in posted.content.decode()


def test_an_organiser_who_plays_reverses_without_reading_the_other_side(playing_organiser, as_):
    cast = playing_organiser
    battle, _ = cast.posted()
    page = at("battle_reverse", cast, battle.uid)
    assert "Blue platoon" not in as_("organiser").get(page).content.decode()
    as_("organiser").post(page, {"reason": "Wrong map."})
    battle.refresh_from_db()
    assert battle.state == Battle.State.REVERSED


# --- the referee's hand ---------------------------------------------------------------------------


def test_the_referee_gives_a_unit_an_element_once_with_a_reason(cast, as_, balanced):
    unit = cast.unit("r1")
    page = at("unit_adjust", cast, unit.uid, "elements")
    client = as_("referee")
    sent = {
        "element": "toy-squad/fit",
        "quantity": "1",
        "reason": "Found in the woods.",
        "once": "x",
    }
    for _ in range(2):
        client.post(page, sent)
    shown = client.get(at("unit", cast, unit.uid))
    squads = next(e for e in shown.context["unit"].elements if e.type == "toy-squad")
    assert squads.on_hand == squads.authorised + 1
    assert client.post(page, {**sent, "once": "y", "quantity": "lots"}).status_code == 409
    assert as_("red").post(page, {**sent, "once": "z"}).status_code == 409
    assert as_("blue").post(page, sent).status_code == 404


def test_a_unit_is_attached_and_shown_with_its_home(cast, as_, balanced):
    unit = cast.unit("r1")
    other = cast.campaign.formations.get(key="red-battalion")
    page = at("unit_adjust", cast, unit.uid, "attach")
    as_("referee").post(page, {"formation": other.uid, "reason": "Battalion reserve."})
    shown = as_("red").get(at("oob", cast)).content.decode()
    assert "attached from Red company" in shown
    assert "Battalion reserve." not in as_("blue").get(at("journal", cast)).content.decode()


def test_the_referee_notes_something_for_everybody(cast, as_, balanced):
    as_("referee").post(at("note", cast), {"text": "No play next week."})
    assert "No play next week." in as_("blue").get(at("journal", cast)).content.decode()
    assert as_("referee").post(at("note", cast), {"text": " "}).status_code == 409
    assert as_("blue").post(at("note", cast), {"text": "Ha"}).status_code == 409


@pytest.mark.parametrize("name", ["battle", "battle_report"])
def test_a_posted_battle_has_one_way_to_mend_it_and_each_of_the_two_leads_to_the_other(
    name, cast, as_, balanced
):
    battle, _ = cast.posted()
    client = as_("referee")
    correct, undo = (at(page, cast, battle.uid) for page in ("battle_correct", "battle_reverse"))
    page = client.get(at(name, cast, battle.uid)).content.decode()
    assert page.count(f'href="{correct}"') == 1
    assert undo not in page
    assert f'href="{undo}"' in client.get(correct).content.decode()
    assert f'href="{correct}"' in client.get(undo).content.decode()


def test_before_the_lock_it_says_for_which_side_nobody_has_chosen(cast, as_):
    battle = cast.planned()
    page = at("battle", cast, battle.uid)
    names = [side.name for side in cast.campaign.sides.all()]
    warned = as_("referee").get(page)
    assert warned.context["unchosen"] == names
    assert f"Nobody has chosen forces yet: {', '.join(names)}" in warned.content.decode()
    assert 'id="unchosen"' not in as_("red").get(page).content.decode(), "he does not lock"
    force = battles.forces(seat=cast.referee, battle_id=battle.uid, side_key="red")
    picks = [
        (unit.unit.uid, {kind: sum(n.values()) for kind, n in unit.strength.items()})
        for unit in force.coming
    ]
    battles.choose_detachment(seat=cast.referee, battle_id=battle.uid, side_key="red", picks=picks)
    left = as_("referee").get(page).context["unchosen"]
    assert left == [side.name for side in cast.campaign.sides.exclude(key="red")] != names
    do(as_("referee"), battle, "lock")
    assert 'id="unchosen"' not in as_("referee").get(page).content.decode()


@pytest.mark.parametrize("last", [False, True])
def test_after_the_last_fight_the_turn_is_closed_and_none_opened(cast, as_, balanced, last):
    if last:
        cast.campaign.ladder = [rung | {"next": {}} for rung in cast.campaign.ladder]
        cast.campaign.save(update_fields=["ladder"])
    cast.posted()
    words = ["Open the next turn", "Close the last turn"]
    for page in (at("campaign", cast), reverse("home")):
        text = as_("referee").get(page).content.decode()
        assert [word in text for word in words] == [not last, last], page
