"""The page of luck: for whom which dice count, and that no hidden roll comes through."""

from __future__ import annotations

import msgspec
import pytest
from django.urls import reverse

from campaigns import engine
from campaigns.operations import battle_postings, battles
from campaigns.reports import luck as lucks
from campaigns.reports.battle import result_form
from tests.campaign.conftest import Cast, toy_pack
from tests.pages.conftest import EVERYBODY

MEMBERS = {"organiser", "referee", "red", "blue", "red_player", "spectator"}


def with_omens():
    """A campaign in which each side rolls a die that the other never hears of."""
    pack = toy_pack()
    scenarios = {
        name: msgspec.structs.replace(scenario, omens=True)
        for name, scenario in pack.scenarios.items()
    }
    return msgspec.structs.replace(pack, scenarios=scenarios)


@pytest.fixture
def cast(db, sent, known_dice):
    return Cast(with_omens())


def page(cast, eyes=""):
    return reverse("luck", args=[cast.campaign.slug]) + (f"?as={eyes}" if eyes else "")


def kinds(answer):
    """(side, kind of roll) -> how many rolls, as the page shows them."""
    assert answer.status_code == 200
    report = answer.context["report"]
    return {(side.key, row.what): row.rolls for side in report.sides for row in side.kinds}


@pytest.mark.parametrize("public", [False, True])
def test_it_opens_for_those_who_read_the_history(public, cast, as_):
    cast.campaign.options["public"] = public
    cast.campaign.save()
    opened = {who for who in EVERYBODY if as_(who).get(page(cast)).status_code == 200}
    assert opened == (set(EVERYBODY) if public else MEMBERS)


def test_before_a_battle_is_posted_no_die_of_it_counts_for_anybody(cast, as_):
    cast.resolved()
    for who in MEMBERS:
        assert kinds(as_(who).get(page(cast))) == {}
        assert "There are no dice to count yet" in as_(who).get(page(cast)).content.decode()


def test_each_reader_counts_the_rolls_he_was_told_of_and_no_hidden_one(cast, as_):
    cast.campaign.options["public"] = True
    cast.campaign.save()
    cast.posted()
    heard = {who: kinds(as_(who).get(page(cast))) for who in EVERYBODY}
    hidden = {
        who: {key for key, what in counted if what == "omen"} for who, counted in heard.items()
    }
    both, red, blue = {"red", "blue"}, {"red"}, {"blue"}
    assert hidden == {
        "organiser": both,
        "referee": both,
        "red": red,
        "red_player": red,
        "blue": blue,
        "spectator": set(),
        "stranger": set(),
        "anonymous": set(),
    }
    shots = {(side, "shot"): heard["referee"][side, "shot"] for side in ("red", "blue")}
    for counted in heard.values():
        assert {k: n for k, n in counted.items() if k[1] == "shot"} == shots
    whole = {
        who: as_(who).get(page(cast)).context["report"].sides[0].whole.rolls
        for who in ("referee", "blue")
    }
    assert whole["referee"] == whole["blue"] + 1


def test_a_preview_counts_what_that_side_counts(cast, as_):
    cast.posted()
    referee = as_("referee")
    assert kinds(referee.get(page(cast, "red"))) == kinds(as_("red").get(page(cast)))
    assert kinds(referee.get(page(cast, "public"))) == kinds(as_("spectator").get(page(cast)))
    assert as_("red").get(page(cast, "blue")).status_code == 404


def test_what_is_counted_are_the_dice_of_the_replay(cast, as_):
    battle, _ = cast.posted()
    for who in ("referee", "red", "spectator"):
        frames = as_(who).get(reverse("battle_frames", args=[cast.campaign.slug, battle.uid]))
        dice = [face for step in frames.json()["frames"] for roll in step["dice"] for face in roll]
        report = as_(who).get(page(cast)).context["report"]
        assert sum(side.whole.shown for side in report.sides) == sum(dice)


def test_a_reversed_battle_counts_no_more(cast, as_):
    battle, _ = cast.posted()
    assert kinds(as_("referee").get(page(cast)))
    battle_postings.reverse_battle(
        seat=cast.referee, battle_id=battle.uid, reason="The wrong scenario was played."
    )
    assert kinds(as_("referee").get(page(cast))) == {}


def test_a_battle_of_the_table_has_no_dice_and_is_said_so(cast, as_):
    battle = cast.locked()
    battles.play_at_table(seat=cast.referee, battle_id=battle.uid)
    form = result_form(cast.referee, battle.uid)
    form["ending"] = {"kind": "win", "how": "by nightfall", "winner": "red"}
    battles.enter_result(seat=cast.referee, battle_id=battle.uid, document=form)
    cast.post(battle)
    answer = as_("referee").get(page(cast))
    assert answer.context["report"].battles == ()
    assert answer.context["report"].sides == ()
    assert "1 battle played at the table left no dice behind" in answer.content.decode()


def test_who_plays_a_side_is_told_to_members_only(cast, as_):
    cast.campaign.options["public"] = True
    cast.campaign.save()
    cast.posted()
    assert (
        "Played by red-commander, red-player" in as_("spectator").get(page(cast)).content.decode()
    )
    for who in ("stranger", "anonymous"):
        assert "red-commander" not in as_(who).get(page(cast)).content.decode()


def test_every_figure_of_the_page_follows_from_the_others(cast, as_):
    cast.posted()
    for side in as_("referee").get(page(cast)).context["report"].sides:
        assert side.whole.rolls == sum(row.rolls for row in side.kinds)
        assert side.whole.shown == sum(row.shown for row in side.kinds)
        for row in side.kinds:
            away = row.shown - row.due
            assert row.gain == (-away if row.what == "omen" else away)
            assert 0 <= row.beats <= 100
            assert row.unusual == (abs(row.gain) > row.fair)


def test_a_log_is_counted_once_for_each_audience_and_never_for_another(cast, as_, monkeypatch):
    cast.posted()
    asked = []
    plain = engine.luck_of
    monkeypatch.setattr(engine, "luck_of", lambda log, side: asked.append(side) or plain(log, side))
    lucks._counted.cache_clear()
    first = {
        who: kinds(as_(who).get(page(cast))) for who in ("referee", "red", "blue", "spectator")
    }
    assert sorted(asked, key=str) == [-1, 0, 1, None]
    again = {
        who: kinds(as_(who).get(page(cast))) for who in ("referee", "red", "blue", "spectator")
    }
    assert len(asked) == 4
    assert again == first
    assert len({frozenset(counted) for counted in first.values()}) == 4
