"""A small played situation for each chapter of the book, told in a few lines; see
`test_chapter_transcripts.py`. Dice are scripted, so that each shows what the chapter is about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesengine.rulesets.ost import actions as a
from tests.engine.table import GERMAN, US, Hexsides, Play

Tables = Callable[..., Any]
Chapter = Callable[[Tables], Play]
CHAPTERS: dict[str, Chapter] = {}
NEXT_TURN = (6, 6, 1, 1, 1, 1)
"""Initiative to the US, one pip each for impulses."""
LONG = ("........",) * 12


def chapter(name: str) -> Callable[[Chapter], Chapter]:
    def note(play: Chapter) -> Chapter:
        CHAPTERS[name] = play
        return play

    return note


def with_far(table: Any) -> Any:
    """Somebody of each side far away, so that neither runs out of units."""
    return table.put("Baker", "us-rifle", "A1").put("Schulz", "ger-rifle", "H8")


def held(play: Play) -> None:
    """Whoever may fire at a move holds his fire."""
    while play.wants == "opportunity fire":
        play.do(a.HoldFire())


@chapter("02-sequence-of-play")
def sequence(table: Tables) -> Play:
    play: Play = with_far(table()).points(2, 1).start()
    play.idle()
    play.out(*NEXT_TURN)
    return play


@chapter("04-impulses")
def impulses(table: Tables) -> Play:
    play: Play = with_far(table()).points(2, 3).start()
    play.move("Baker", "A2")
    play.do(a.DropPoint())
    play.do(a.Pass())
    play.move("Schulz", "H7")
    return play


@chapter("06-engineers")
def engineers(table: Tables) -> Play:
    board = with_far(table()).put("Sappers", "us-engineer", "C4").work(GERMAN, "wire", "C5")
    play: Play = board.points(3, 2).start()
    play.do(a.LaySmoke(unit=play["Sappers"], hex=play.hex("C3")))
    play.idle()
    play.do(a.Clear(unit=play["Sappers"], hex=play.hex("C5")))
    play.out(*NEXT_TURN)
    return play


@chapter("07-leaders-and-snipers")
def persons(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C3", leader="Sgt. Hill")
    play: Play = board.put("Scharfschütze", "ger-sniper", "C8").to_move(GERMAN).start()
    play.dice(6, 4, 1, 1, 1).fire("Scharfschütze", "Sgt. Hill")
    return play


@chapter("08-crewed-weapons")
def crewed(table: Tables) -> Play:
    board = with_far(table(LONG)).put("MMG", "us-mmg", "C9", facing=0)
    play: Play = board.put("Weber", "ger-rifle", "C3").start()
    play.dice(4, 4, 3, 3, 5, 5).fire("MMG", "Weber", second="Weber")
    return play


@chapter("09-vehicles")
def vehicles(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C3")
    play: Play = board.put("Half-track", "ger-251", "C6", facing=0).start()
    play.dice(5, 5, 2, 2).fire("Able", "Half-track")
    return play


@chapter("10-support-weapons")
def support(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C3", weapon="us-bazooka")
    board = board.put("Dog", "us-rifle", "E3", weapon="us-mortar-60")
    board = board.put("Panther", "ger-panther", "C4", facing=3)
    play: Play = board.put("Weber", "ger-rifle", "E7").start()
    play.dice(5, 4, 6, 4, 5).fire("Able", "Panther", weapon="Able's weapon")
    play.idle()
    bomb = a.HexFire(unit=play["Dog"], weapon=play["Dog's weapon"], hex=play.hex("E7"))
    play.dice(5, 4, 5, 6, 6).do(bomb)
    return play


@chapter("12-line-of-sight")
def sight(table: Tables) -> Play:
    rows = (
        "........",
        "........",
        "........",
        "..b.....",
        "..b.....",
        "........",
        "........",
        "........",
    )
    board = with_far(table(rows)).put("Able", "us-rifle", "C7")
    play: Play = board.put("Weber", "ger-rifle", "C2").start()
    play.dice(5, 4, 3, 2).fire("Able", "Weber")
    return play


@chapter("13-battlefield-markers")
def markers(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C6").work(GERMAN, "mines", "C5")
    board = board.work(GERMAN, "foxholes", "C2").put("Weber", "ger-rifle", "C2")
    play: Play = board.points(4, 4).start()
    play.dice(5, 3, 2, 2).move("Able", "C5")
    held(play)
    play.dice(5).do(a.SeekCover(unit=play["Schulz"]))
    play.dice(4, 5, 6, 5).fire("Able", "Weber")
    return play


@chapter("14-terrain")
def terrain(table: Tables) -> Play:
    rows = (
        "........",
        "........",
        "..s.....",
        "........",
        "..w.....",
        "........",
        "........",
        "........",
    )
    board = (
        with_far(table(rows)).put("Dog", "us-rifle", "C8").put("Sherman", "us-m4", "C4", facing=0)
    )
    play: Play = board.put("Weber", "ger-rifle", "C5").points(3, 2).start()
    play.dice(1).drive("Sherman", ("C3", 0))
    play.idle()
    play.dice(6, 2, 6, 5).fire("Dog", "Weber")
    play.out(4, *NEXT_TURN)
    return play


@chapter("15-hexsides")
def hexsides(table: Tables) -> Play:
    wall = (Hexsides(kind="stone wall", sides=("C3/S",)),)
    board = with_far(table(hexsides=wall)).put("Able", "us-rifle", "C6")
    play: Play = board.put("Weber", "ger-rifle", "C3").start()
    play.dice(6, 3, 6, 6).fire("Able", "Weber")
    return play


@chapter("16-structures-and-collapse")
def structures(table: Tables) -> Play:
    rows = ("........",) * 3 + ("..h.....",) + ("........",) * 4
    board = with_far(table(rows)).put("Sappers", "us-engineer", "C5", weapon="us-satchel")
    play: Play = board.put("Weber", "ger-rifle", "C4", weapon="ger-lmg").start()
    charge = a.HexFire(unit=play["Sappers"], weapon=play["Sappers's weapon"], hex=play.hex("C4"))
    play.dice(2, 2, 5, 6, 4, 6, 6).do(charge)
    return play


@chapter("17-morale")
def morale(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C3")
    play: Play = board.put("Weber", "ger-rifle", "C6").start()
    play.dice(3, 4, 3, 3).fire("Able", "Weber")
    play.idle()
    play.dice(3, 4, 2, 4).fire("Able", "Weber")
    return play


@chapter("18-rally")
def rally(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C3", morale="broken")
    board = board.put("Lt. Hill", "us-lieutenant", "D4").put(
        "Dog", "us-rifle", "E3", morale="shaken"
    )
    play: Play = board.points(3, 2).start()
    play.dice(5, 3).do(a.Rally(unit=play["Able"]))
    play.idle()
    play.dice(2, 3).do(a.Rally(unit=play["Dog"]))
    return play


@chapter("19-quality")
def quality(table: Tables) -> Play:
    board = with_far(table()).put("Rangers", "us-rifle", "C3", morale="shaken", quality="elite")
    board = board.put("Recruits", "us-rifle", "E3", morale="shaken", quality="poor")
    play: Play = board.points(3, 2).start()
    play.dice(3, 3).do(a.Rally(unit=play["Rangers"]))
    play.idle()
    play.dice(3, 4).do(a.Rally(unit=play["Recruits"]))
    return play


@chapter("21-hidden-units")
def hidden(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C3")
    play: Play = board.put("Weber", "ger-rifle", "C6", hidden=True).to_move(GERMAN).start()
    play.dice(4, 3, 2, 2).fire("Weber", "Able")
    return play


@chapter("22-limited-actions")
def limited(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C3")
    play: Play = board.put("Weber", "ger-rifle", "C6").points(4, 4).start()
    for _ in range(2):
        play.dice(1, 2).fire("Able", "Weber")
        play.idle()
    play.dice(4, 5, 6, 6).fire("Able", "Weber")
    return play


@chapter("23-movement")
def movement(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C6", leader="Sgt. Hill")
    board = board.put("Dog", "us-rifle", "C6").put("Sniper", "us-sniper", "E7")
    play: Play = board.points(4, 2).start()
    play.move("Able", "C5", "D5", partner="Dog")
    held(play)
    play.idle()
    play.move("Sniper", "E6", "E5", stealth=True)
    return play


@chapter("24-transport")
def transport(table: Tables) -> Play:
    board = with_far(table()).put("Half-track", "us-m3-halftrack", "C6", facing=0)
    play: Play = (
        board.put("Able", "us-rifle", "C7").put("Weber", "ger-rifle", "C1").points(4, 4).start()
    )
    play.load("Able", "Half-track", "C6")
    held(play)
    play.idle()
    play.drive("Half-track", ("C5", 0), ("C4", 0))
    held(play)
    play.dice(6, 4, 6, 6, 3, 6, 6, 5).fire("Weber", "Half-track")
    return play


@chapter("25-assault")
def assault(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C5")
    play: Play = board.put("Weber", "ger-rifle", "C4").points(4, 4).start()
    play.do(play.assault("Able", "C4"))
    return play


@chapter("27-fire-and-opportunity-fire")
def fire(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C7", leader="Sgt. Hill")
    board = board.put("Dog", "us-rifle", "C7", weapon="us-lmg")
    play: Play = board.put("Weber", "ger-rifle", "C4").points(5, 5).start()
    play.dice(2, 3).fire("Able", "Weber", partner="Dog", partner_weapon="Dog's weapon")
    play.move("Weber", "D5", "E5")
    play.dice(5, 3, 2, 3).fire("Able", "Weber")
    return play


@chapter("28-infantry-combat")
def infantry(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C4", weapon="us-lmg")
    play: Play = board.put("Weber", "ger-rifle", "C6", leader="Uffz. Kurz").start()
    play.dice(5, 4, 2, 3, 3).fire("Able", "Weber", weapon="Able's weapon")
    play.idle()
    play.dice(6, 6, 2).fire("Able", "Weber", weapon="Able's weapon")
    return play


@chapter("29-vehicle-combat")
def gunnery(table: Tables) -> Play:
    board = table(LONG).put("Sherman", "us-m4", "D8", facing=0)
    play: Play = board.put("Panzer IV", "ger-pz4h", "D3", facing=3).points(6, 6).start()
    play.dice(2, 3).shoot("Sherman", "Panzer IV")
    play.dice(5, 4, 2, 2, 6, 6).shoot("Panzer IV", "Sherman")
    play.dice(6, 6, 6, 5, 6).shoot("Sherman", "Panzer IV")
    return play


@chapter("30-melee")
def melee(table: Tables) -> Play:
    board = with_far(table()).put("Able", "us-rifle", "C5", leader="Sgt. Hill")
    play: Play = board.put("Weber", "ger-rifle", "C4").points(2, 2).start()
    play.do(play.assault("Able", "C4"))
    play.out(5, 4, 4, 4, 1, 2, 3, 3, 2, 2, *NEXT_TURN)
    return play


@chapter("31-tank-duel")
def duel(table: Tables) -> Play:
    board = table().put("Sherman", "us-m4", "C5", facing=0)
    board = board.put("Panzer IV", "ger-pz4h", "C4", facing=3)
    play: Play = board.put("Weber", "ger-rifle", "H8").points(2, 2).start()
    play.do(play.assault("Sherman", "C4"))
    play.out(5, 4, 3, 3, 3, 3, 1, 2)
    play.dice(2, 2, *NEXT_TURN)
    play.do(a.Retreat(unit=play["Panzer IV"], to=play.hex("C3")))
    return play


@chapter("32-air-strikes")
def air(table: Tables) -> Play:
    board = with_far(table()).put("Eyes", "us-rifle", "C1").air(US, 1)
    board = board.put("Weber", "ger-rifle", "C4")
    play: Play = board.put("Panzer IV", "ger-pz4h", "C5", facing=0).start()
    strike = a.AirStrike(spotter=play["Eyes"], hex=play.hex("C4"), other=play.hex("C5"))
    play.dice(4, 5, 3, 3, 3, 5, 5, 4, 3, 3).do(strike)
    return play


@chapter("33-artillery")
def artillery(table: Tables) -> Play:
    rows = ("........",) * 4 + ("..w.....",) + ("........",) * 3
    board = with_far(table(rows)).put("Lt. Hill", "us-lieutenant", "C1").battery(US, missions=2)
    play: Play = board.put("Weber", "ger-rifle", "C5").start()
    call = a.CallArtillery(spotter=play["Lt. Hill"], battery=0, hex=play.hex("C4"))
    play.dice(2, 4, 1, 5, 4, 6, 6).do(call)
    return play
