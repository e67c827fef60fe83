"""Two reduced squads that are one again (OST 18.2)."""

from __future__ import annotations

from rulesengine.contract import Battle
from rulesengine.rulesets.ost.events import Detached, Handed, Merged, Revealed
from rulesengine.rulesets.ost.state import NONE, State
from rulesengine.rulesets.ost.works import tell_of_found


def merge(battle: Battle[State], kept: int, gone: int) -> None:
    """`gone` joins `kept`, whose leader stays (18.2.3). Who was seen stays seen (21.0.8); of two
    weapons the squad carries one, the other lies in its hex (10.0.12)."""
    state = battle.state
    if state.hidden[kept] and not state.hidden[gone]:
        battle.emit(Revealed(units=(kept,), why="joined"))
    weapon, own = state.weapon[gone], state.weapon[kept]
    if weapon != NONE:
        if own != NONE:
            battle.emit(Handed(weapon=own, unit=NONE, why="put down"))
        battle.emit(Handed(weapon=weapon, unit=kept, why="reform"))
    if state.leader[gone] != NONE:
        battle.emit(Detached(leader=state.leader[gone]))
    unseen = dict(state.unseen)
    battle.emit(Merged(kept=kept, gone=gone))
    tell_of_found(battle, unseen)
