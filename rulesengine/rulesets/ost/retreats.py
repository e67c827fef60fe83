"""Who has to leave a melee hex once the blows have fallen (OST 30.4, 17.2.5, 17.3.5)."""

from __future__ import annotations

from rulesengine.rulesets.ost.kinds import (
    ARMOR,
    CATEGORY,
    LEADER,
    SOFT,
    TRAITS,
)
from rulesengine.rulesets.ost.state import (
    BROKEN,
    GOOD,
    SHAKEN,
    State,
)


def must_retreat(state: State, h: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Who has to leave the hex after the combat, and the rules. OST 30.4.3 to 30.4.6, 17.2.5."""
    attacker = state.melees[h]
    defender = 1 - attacker
    here = {side: state.in_hex(h, side) for side in (0, 1)}
    if not here[attacker] or not here[defender]:
        stay = not here[attacker] and _shaken_out(state, here[defender])
        return (), ("30.4.4",) if stay else ()
    leaving = _shaken_out(state, here[attacker])
    beaten = _shaken_out(state, here[defender])
    because = ["30.4.3"] if leaving else []
    lone = _left_alone(state, here[attacker], leaving, here[defender])
    leaving += lone
    if len(leaving) < len(here[attacker]):
        because = ["30.4.3"] if leaving or beaten else []
        leaving += beaten
        lone += _left_alone(state, here[defender], leaving, here[attacker])
        leaving += [c for c in lone if c not in leaving]
    elif beaten:
        because += ["30.4.4", "30.4.5"] if len(beaten) == len(here[defender]) else ["30.4.4"]
    because += ["30.4.6"] if lone else []
    lorries = _lorries(state, leaving, here[attacker], here[defender])
    fleeing = [c for c in lorries if c not in leaving]
    leaving += fleeing
    because += ["30.4.7"] if fleeing else []
    moods = {state.morale[c] for c in leaving}
    because += [rule for mood, rule in ((SHAKEN, "17.2.5"), (BROKEN, "17.3.5")) if mood in moods]
    going = [c for c in leaving if state.attached[c] not in leaving]
    going.sort(key=lambda c: c in state.riding)  # with their vehicle, where it goes at all
    return tuple(going), tuple(because)


def _shaken_out(state: State, members: list[int]) -> list[int]:
    """The shaken and broken of a side, and the leaders who go with them (7.3.7); an armor leader
    stays in his vehicle (7.4.6)."""
    shaky = [c for c in members if state.morale[c] != GOOD and not TRAITS[state.kind[c]] & ARMOR]
    return shaky + [c for c in members if c not in shaky and state.attached[c] in shaky]


def _lorries(state: State, leaving: list[int], *sides: list[int]) -> list[int]:
    """Surviving lorries that face an enemy in good order who stays. OST 30.4.7."""
    if not state.armour:
        return []
    found = []
    for mine, enemies in (sides, sides[::-1]):
        staying = [c for c in enemies if c not in leaving and not _is_lorry(state, c)]
        faced = any(state.morale[c] == GOOD for c in staying)
        found += [c for c in mine if faced and _is_lorry(state, c)]
    return found


def _is_lorry(state: State, c: int) -> bool:
    return bool(TRAITS[state.kind[c]] & SOFT)


def _left_alone(
    state: State, members: list[int], leaving: list[int], enemies: list[int]
) -> list[int]:
    """Leaders of a side who stay behind without a unit, before a good order enemy. OST 30.4.6."""
    left = [c for c in members if c not in leaving]
    faced = any(state.morale[c] == GOOD and c not in leaving for c in enemies)
    return leaders_of(state, left) if faced and all(state.is_single(c) for c in left) else []


def leaders_of(state: State, members: list[int]) -> list[int]:
    """The leaders among them, attached or not. OST 30.4.6, 30.5.3."""
    return [c for c in members if CATEGORY[state.kind[c]] == LEADER]
