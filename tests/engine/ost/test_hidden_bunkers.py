"""Bunkers and cover that lie hidden with the unit in them (OST 21.0.2): what is told of them, and
when."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine.registry import ruleset
from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost import events as e
from rulesengine.rulesets.ost import field_events as f
from rulesengine.rulesets.ost.altered import RUBBLE
from rulesengine.rulesets.ost.berths import may_begin
from rulesengine.rulesets.ost.check import check
from rulesengine.rulesets.ost.deployment import plan
from rulesengine.rulesets.ost.places import refuse_places
from rulesengine.rulesets.ost.reaction import could_fire_at
from rulesengine.rulesets.ost.ruleset import RULESET
from rulesengine.rulesets.ost.scenario import Work
from rulesengine.rulesets.ost.shots import NO_SHOT, Shots
from tests.engine.ost.test_artillery import call, guns, struck
from tests.engine.ost.test_heavy_guns import at, shelled
from tests.engine.ost.test_room_to_set_up import zoned
from tests.engine.table import GERMAN, US, find

OST = ruleset("ost")
FIELD = ("............",) * 12


def dug_in(board, *, hides=True, kind="ger-rifle", work="bunker"):
    """A German in D4, where a bunker lies hidden."""
    board.works[GERMAN].append(Work(kind=work, hexes="D4", hidden=True))
    board.put("g", kind, "D4", hidden=hides, facing=3)
    return board.put("us", "us-rifle", "D8").put("z", "ger-rifle", "A1")


def reforming(board):
    """To the Reform Phase of the second turn, in which the Germans begin."""
    play = board.points(1, 1).start()
    play.out(3, 3, 6, 6, 1, 1, 1)
    assert play.wants == "reform"
    while play.owed != GERMAN:
        play.do(a.EndReform())
    return play


def told(play, event, side):
    return OST.narrate(play.state, event, side)


def pieces(play, side):
    return [p for p in OST.board(play.state, side) if "bunker" in p.id]


@pytest.mark.rule("ost", "21.0.2")
def test_the_enemy_hears_and_sees_nothing_of_it(table):
    play = dug_in(table(FIELD)).start()
    laid = find(play.log, f.WorksLaid)
    assert [told(play, laid, side) is None for side in (None, GERMAN, US, -1)] == [
        False,
        False,
        True,
        True,
    ]
    assert [len(pieces(play, side)) for side in (None, GERMAN, US, -1)] == [1, 1, 0, 0]
    assert play.hex("D4") not in play.state.works


@pytest.mark.parametrize(("work", "words", "more"), [
    pytest.param("bunker", "in a bunker", 3, marks=pytest.mark.rule("ost", "13.4.4")),
    pytest.param("cover", "in cover", 1, marks=pytest.mark.rule("ost", "13.1.2")),
])  # fmt: skip
def test_it_is_revealed_with_who_fires_out_of_it_and_shelters_him(table, work, words, more):
    play = dug_in(table(FIELD), work=work).to_move(GERMAN).start()
    news = play.dice(1, 1).fire("g", "us")
    line = told(play, find(news, e.Revealed), US)
    assert line is not None
    assert words in line.text
    assert [p.id for p in OST.board(play.state, US) if work in p.id]
    assert not play.state.unseen
    shot = find(play.dice(1, 1).fire("us", "g"), e.Shot)
    assert shot.defense == 4 + more


@pytest.mark.rule("ost", "13.1.3")
@pytest.mark.parametrize("hides", [True, False])
def test_cover_that_was_there_at_first_goes_with_who_leaves_it(table, hides):
    play = dug_in(table(FIELD), work="cover", hides=hides).to_move(GERMAN).start()
    assert (play.hex("D4") in play.state.works) != hides
    news = play.move("g", "D3")
    while play.wants == "opportunity fire":
        news += play.do(a.HoldFire())
    assert find(news, f.WorkRemoved).why == "left"
    assert not play.state.covers
    assert not play.state.works


def test_shells_find_it_before_they_strike_it(table):
    board = guns(table, at="H11").put("g", "ger-rifle", "C4", hidden=True)
    board.works[GERMAN].append(Work(kind="bunker", hexes="C4", hidden=True))
    play = board.start()
    news = play.dice(4, 1, 1, 6).do(call(play, "C4"))
    assert struck(news)[0].defense == 7
    assert find(news, f.CollapseRolled).bunker
    assert play.hex("C4") not in play.state.works


@pytest.mark.rule("ost", "21.0.6")
def test_who_comes_upon_him_finds_the_bunker_too(table):
    board = dug_in(table(FIELD))
    board.put("near", "us-rifle", "D5")
    play = board.start()
    news = play.move("near", "D4")
    assert find(news, e.MoveStopped).why == "hidden enemy"
    assert play.hex("D4") in play.state.works


def test_with_nobody_hidden_in_it_everybody_is_told_once_the_side_is_set_up(table):
    play = dug_in(table(FIELD), hides=False).start()
    first, second = (event for event in play.log if isinstance(event, f.WorksLaid))
    assert (first.hidden is True, second.hidden) == (True, msgspec.UNSET)
    assert told(play, first, US) is None
    assert told(play, second, US) is not None
    assert len(pieces(play, US)) == 1
    assert not play.state.unseen


def test_a_friend_who_walks_in_gives_nothing_away(table):
    board = dug_in(table(FIELD)).put("friend", "ger-rifle", "D3")
    play = board.to_move(GERMAN).start()
    play.move("friend", "D4")
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())
    assert not pieces(play, US)
    shot = find(play.dice(1, 1).fire("us", "friend"), e.Shot)
    assert shot.defense == 4, "he is not in it as long as nobody knows of it"


@pytest.mark.rule("ost", "8.0.8")
def test_a_large_gun_hides_in_no_bunker(table, cited):
    board = dug_in(table(FIELD), kind="ger-flak36")
    with pytest.raises(Exception, match="too large") as caught:
        board.start()
    cited.take(caught.value)


@pytest.mark.parametrize("kind", ["trench", "mines", "wire"])
def test_only_bunkers_and_cover_are_hidden_so(table, kind):
    document = zoned(table(FIELD).put("home", "us-rifle"), us="A12:B12", german="A1:B1", rows=FIELD)
    terms = list(document.terms)
    work = Work(kind=kind, hexes="D4", hidden=True)
    terms[GERMAN] = msgspec.structs.replace(terms[GERMAN], works=(work,))
    marred = msgspec.structs.replace(document, terms=tuple(terms))
    assert [fault.where for fault in check(marred)] == [f'terms[1].works[0] ("{kind}").hidden']


@pytest.mark.parametrize("owner", [US, GERMAN])
def test_setting_up_tells_a_side_of_its_own_alone(table, owner):
    """8.0.8: a large gun keeps out of the bunker its side knows of, not out of the enemy's."""
    board = table(FIELD).put("gun", "ger-flak36", "D4").put("us", "us-rifle", "D8")
    board.put("z", "ger-rifle", "A1")
    board.works[owner].append(Work(kind="bunker", hexes="D4", hidden=True))
    state = OST.setup(board.document())
    gun, d4 = state.ids.index("gun"), state.ground.grid.find("D4")
    order = a.Deploy(places=((gun, d4),))
    refusal = refuse_places(state, {gun: d4}, order)
    assert (refusal is not None) is (owner == GERMAN)
    assert may_begin(state, gun, d4) is (owner == US)


@pytest.mark.parametrize("kind", ["bunker", "cover"])
@pytest.mark.parametrize(("at", "lawful"), [("D4", True), ("B12", False)])
def test_nothing_lies_hidden_where_the_enemy_sets_up(table, kind, at, lawful):
    document = zoned(table(FIELD).put("home", "us-rifle"), us="A12:B12", german="A1:B1", rows=FIELD)
    terms = list(document.terms)
    work = Work(kind=kind, hexes=at, hidden=True)
    terms[GERMAN] = msgspec.structs.replace(terms[GERMAN], works=(work,))
    found = check(msgspec.structs.replace(document, terms=tuple(terms)))
    assert [fault.where for fault in found] == [f'terms[1].works[0] ("{kind}").hexes'] * (
        not lawful
    )
    assert all("21.0.2" in fault.what for fault in found)


def test_the_ai_hides_somebody_in_its_bunker(table):
    board = table(FIELD).put("one", "us-rifle").put("two", "us-rifle").put("three", "us-rifle")
    document = zoned(board, us="A10:C12", german="A1:C1", rows=FIELD)
    terms = list(document.terms)
    work = Work(kind="bunker", hexes="B11", hidden=True)
    terms[US] = msgspec.structs.replace(terms[US], works=(work,), hidden=1)
    state = OST.setup(msgspec.structs.replace(document, terms=tuple(terms)))
    action = plan(OST.view(state, US))
    assert [state.ground.name(dict(action.places)[c]) for c in action.hidden] == ["B11"]


@pytest.mark.rule("ost", "16.7.8")
def test_a_house_that_fell_on_it_stays_down(table):
    board = shelled(table).put("b", "us-rifle", "C3", hidden=True)
    board.works[US].append(Work(kind="cover", hexes="C3", hidden=True))
    play = board.start()
    news = play.dice(6, 5, 6, 1, 1).do(at(play, "C3"))
    house = play.hex("C3")
    assert find(news, f.CollapseRolled).falls
    assert play.state.works == {house: RUBBLE}
    assert not play.state.ground.structure[house]
    assert not play.state.unseen
    assert not play.state.covers


@pytest.mark.rule("ost", "21.0.2")
def test_it_is_found_when_the_last_who_hides_in_it_merges_away(table):
    board = table(FIELD).put("us", "us-rifle", "D8")
    board.works[GERMAN].append(Work(kind="bunker", hexes="D4", hidden=True))
    board.put("g", "ger-rifle", "D4", hidden=True, reduced=True)
    board.put("kept", "ger-rifle", "D3", reduced=True, leader="boss")
    play = reforming(board)
    assert not pieces(play, US)
    news = play.do(a.Merge(kept=play["kept"], gone=play["g"]))
    assert told(play, find(news, f.WorksLaid), US) is not None
    assert pieces(play, US)
    assert not play.state.unseen


# --- what it is to its own side ------------------------------------------------------------------


@pytest.mark.rule("ost", "10.3.15")
@pytest.mark.parametrize(("work", "refused"), [("bunker", True), ("cover", False)])
def test_no_mortar_is_fired_out_of_it(table, work, refused):
    board = dug_in(table(FIELD), work=work)
    board.put("m", "ger-rifle", "D4", weapon="ger-mortar-50", hidden=True)
    play = board.to_move(GERMAN).start()
    shell = a.HexFire(unit=play["m"], weapon=play["m's weapon"], hex=play.hex("D8"))
    if refused:
        assert play.refused(shell).rule == "10.3.15"
    else:
        play.dice(1, 1, 1, 1).do(shell)


@pytest.mark.rule("ost", "10.1.3")
def test_no_rocket_is_fired_out_of_it(table):
    board = dug_in(table(FIELD))
    board.put("r", "ger-rifle", "D4", weapon="ger-panzerschreck", hidden=True)
    board.put("tank", "us-m4", "D7")
    play = board.to_move(GERMAN).start()
    assert play.refused(play.shot("r", "tank", weapon="r's weapon")).rule == "10.1.3"


@pytest.mark.parametrize("hidden", [True, False])
def test_the_doctrine_fires_no_rocket_out_of_it(table, hidden):
    """Nor is a side asked whether it will. OST 10.1.3, 27.6.1."""
    board = table(FIELD)
    board.works[GERMAN].append(Work(kind="bunker", hexes="D4", hidden=hidden))
    for name, place in (("in", "D4"), ("out", "C3")):
        board.put(name, "ger-rifle", place, weapon="ger-panzerschreck", hidden=hidden)
    play = board.put("tank", "us-m4", "D6", facing=0).to_move(GERMAN).start()
    shots = Shots(RULESET.view(play.state, GERMAN))
    tank = play["tank"]
    assert shots.shot(play["in"], tank) == NO_SHOT
    assert shots.shot(play["out"], tank) != NO_SHOT
    assert not could_fire_at(play.state, play["in"], tank)
    assert could_fire_at(play.state, play["out"], tank)


@pytest.mark.parametrize(("work", "hides", "far"), [
    ("bunker", True, 3), ("bunker", False, 3), ("cover", True, 4),
])  # fmt: skip
def test_to_come_out_takes_a_point(table, work, hides, far):
    """13.4.5, whether the enemy knows of the bunker or not."""
    play = dug_in(table(FIELD), work=work, hides=hides).to_move(GERMAN).start()
    way = ("D3", "D2", "D1", "C1", "B1")
    assert play.refused(play.way("g", *way[: far + 1])).rule == "23.0.4"
    play.move("g", *way[:far])


def test_who_walked_in_is_not_in_it_and_pays_nothing(table):
    board = dug_in(table(FIELD)).put("friend", "ger-rifle", "D4")
    play = board.to_move(GERMAN).start()
    play.move("friend", "D3", "D2", "D1", "C1")
    assert play.hex("D4") in play.state.unseen


@pytest.mark.rule("ost", "13.4.9")
def test_who_hides_in_it_can_blow_it_up(table):
    play = dug_in(table(FIELD)).put("friend", "ger-rifle", "D4").to_move(GERMAN).start()
    play.refused(a.BlowUp(unit=play["friend"]))
    news = play.do(a.BlowUp(unit=play["g"]))
    assert find(news, e.Revealed).units == (play["g"],)
    assert find(news, f.WorkRemoved).why == "blown up"
    assert not play.state.unseen
    assert not play.state.works


@pytest.mark.parametrize(("work", "rule"), [
    pytest.param("bunker", "13.1.4", marks=pytest.mark.rule("ost", "13.1.4")),
    pytest.param("cover", "13.0.p2", marks=pytest.mark.rule("ost", "13.0.p2")),
])  # fmt: skip
def test_a_friend_seeks_no_cover_beside_it(table, work, rule):
    board = dug_in(table(FIELD), work=work).put("friend", "ger-rifle", "D4")
    play = board.hand(german=("quick-spades",)).to_move(GERMAN).start()
    assert play.refused(a.SeekCover(unit=play["friend"])).rule == rule
    play.refused(play.card("quick-spades", on="friend"))


# --- a leader who hides --------------------------------------------------------------------------


@pytest.mark.parametrize("hides", [
    True, pytest.param(False, marks=pytest.mark.rule("ost", "21.0.4")),
])  # fmt: skip
def test_a_leader_who_joins_a_unit_that_is_seen_is_seen(table, hides):
    board = table(FIELD).put("us", "us-rifle", "D8").put("g", "ger-rifle", "D4", hidden=hides)
    board.works[GERMAN].append(Work(kind="bunker", hexes="D4", hidden=True))
    board.put("him", "ger-sergeant", "D4", hidden=True)
    play = reforming(board)
    news = play.do(a.Attach(leader=play["him"], unit=play["g"]))
    view = OST.view(play.state, US)
    assert (play["him"] in view.enemies()) is not hides
    assert bool(pieces(play, US)) is not hides
    assert (told(play, find(news, e.Attached), US) is None) is hides
    if not hides:
        assert find(news, e.Revealed).units == (play["him"],)


@pytest.mark.parametrize("kind", ["us-rifle", "us-m4"])
def test_who_is_revealed_beside_a_leader_shields_him(table, kind):
    """27.4.6: a shot kept in mind at a leader alone is one no more."""
    board = table(FIELD).put("g", "ger-rifle", "D4").put("him", "us-sergeant", "D8")
    play = board.put("us", kind, "D8", hidden=True).start()
    view = OST.view(play.state, GERMAN)
    shots = Shots(view)
    shots.refresh()
    assert shots.best(play["g"])[1] == play["him"]
    play.given(e.Revealed(units=(play["us"],), why="spotted"))
    shots.refresh()
    assert shots.best(play["g"]) == Shots(view).best(play["g"])
    assert shots.best(play["g"])[1] != play["him"]
