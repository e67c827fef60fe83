"""The chapters on the table itself, victory and luck cards, stacking, and what comes from the air;
told like those of `chapters.py`. Chapters 5 and 11 are asked: see `chapters_asked.py`."""

from __future__ import annotations

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.scenario import Goal, Need
from tests.engine.ost.chapters import Tables, chapter, with_far
from tests.engine.table import US, ControlHex, Options, Play, Victory

FIELD = (
    "............",
    "............",
    "....w.......",
    "............",
    "............",
    "............",
    "......w.....",
    "............",
    "............",
    "............",
    "............",
    "............",
)


@chapter("01-components")
def components(table: Tables) -> Play:
    """A result of the combat table, and what it does to the Impulse Points of the next turn."""
    board = with_far(table()).put("Able", "us-rifle", "C3").put("Weber", "ger-rifle", "C5")
    board.put("Vogel", "ger-rifle", "E3").put("Krause", "ger-rifle", "E4")
    play: Play = board.points(4, 1).start()
    play.dice(6, 6).fire("Able", "Weber")
    play.out(*[*(6, 6, 1, 1, 1, 1), 6, 6])
    return play


@chapter("03-victory-and-luck-cards")
def victory(table: Tables) -> Play:
    """A place taken for a goal that ends the battle at once, and a card on the way."""
    goal = Goal(
        name="The crossroads",
        side="us",
        needs=(Need(kind="control", hexes="C5", at_least=1),),
        when="at once",
    )
    board = (
        with_far(table())
        .put("Able", "us-rifle", "C3")
        .put("Weber", "ger-rifle", "C6")
        .hand(("panic",), ())
    )
    board.scenario(
        victory=Victory(goals=(goal,)),
        options=Options(extended_play=False),
        control=(ControlHex(hex="C5", name="Crossroads", owner="german"),),
    )
    play: Play = board.points(3, 2).start()
    play.dice(6, 6).do(play.card("panic", on="Weber"))
    play.move("Able", "C4", "C5")
    play.do(a.HoldFire())
    play.do(a.HoldFire())
    return play


@chapter("20-stacking")
def stacking(table: Tables) -> Play:
    """Two units are in the hex already: a squad that is dropped there lands beside it."""
    board = table(FIELD).put("a", "us-airborne-rifle").put("home", "us-rifle", "F9")
    board.put("here", "us-rifle", "F9").put("far", "ger-rifle", "L1")
    board.flies(US, ("transport", "F12", ("a",)), heading="N")
    board.falls = (1, 2)
    play: Play = board.start()
    play.do(a.Land(unit=play["a"], to=play.hex("E9")))
    return play


@chapter("26-airborne")
def airborne(table: Tables) -> Play:
    """A squad dropped into woods, and a glider that runs into them."""
    board = table(FIELD).put("Stick", "us-airborne-rifle").put("Glider men", "us-airborne-rifle")
    board.put("home", "us-rifle", "A12").put("far", "ger-rifle", "L1")
    board.flies(US, ("transport", "E8", ("Stick",)), ("glider", "G12", ("Glider men",)))
    board.falls = (1, 4, 4, 4, 1, 1, 1, 1, 1, 5, 5, 5, 2, 2, 2, 2)
    play: Play = board.start()
    return play
