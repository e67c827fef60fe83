"""What a result says became of each counter, and by what: the ledger of a campaign lives on it."""

from __future__ import annotations

from rulesengine.rulesets.ost import actions as a
from rulesengine.rulesets.ost.result import result
from tests.engine.table import US

FIELD = ("........",) * 8


def fates(play):
    return {fate.element: fate for fate in result(play.state, None).elements}


def test_a_gun_lost_under_its_bunker_leaves_its_crew(table):
    board = (
        table(FIELD).work(US, "bunker", "E5").put("g", "us-57mm", "E5").put("a", "us-rifle", "E5")
    )
    play = board.put("z", "ger-rifle", "A1").start()
    play.do(a.BlowUp(unit=play["a"]))
    fate = fates(play)["g"]
    assert (fate.became, fate.cause) == ("us-crew", "weapon lost in a collapse")


def test_a_vehicle_stuck_for_good_was_not_shot(table):
    rows = (*FIELD[:3], "....m...", *FIELD[:4])
    play = table(rows).put("t", "us-m4", "E5").put("z", "ger-rifle", "A1").start()
    play.dice(1).drive("t", ("E4", 0))
    play.out(1, 6, 6, 1, 1, 1, 1)
    fate = fates(play)["t"]
    assert (fate.after, fate.cause) == ("immobilised", "stuck")


def test_a_support_weapon_is_used_buried_or_destroyed(table):
    rows = (*FIELD[:3], "....l...", *FIELD[:4])
    board = table(rows).put("a", "us-rifle", "E5", weapon="us-satchel")
    board = board.put("b", "us-rifle", "A8", weapon="us-lmg")
    play = board.put("h", "ger-rifle", "E4", weapon="ger-panzerschreck").start()
    charge = a.HexFire(unit=play["a"], weapon=play["a's weapon"], hex=play.hex("E4"))
    play.dice(1, 1, 6, 1, 1).do(charge)
    play.idle()
    play.do(a.Scrap(unit=play["b"], weapon=play["b's weapon"]))
    causes = {name: fate.cause for name, fate in fates(play).items() if "weapon" in name}
    assert causes == {
        "a's weapon": "used",
        "b's weapon": "destroyed",
        "h's weapon": "lost in a collapse",
    }
