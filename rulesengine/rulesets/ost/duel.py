"""Tank duels (OST 31): armour alone with armour in a melee hex shoots in turn, not at once."""

from __future__ import annotations

from rulesengine.contract import Battle, Refusal
from rulesengine.rulesets.ost import damage, gunnery
from rulesengine.rulesets.ost.actions import DuelTarget
from rulesengine.rulesets.ost.charts import column
from rulesengine.rulesets.ost.events import RetreatsOwed
from rulesengine.rulesets.ost.kinds import ARMOR, OPEN_TOP, TRAITS
from rulesengine.rulesets.ost.state import (
    BROKEN,
    DUEL,
    GOOD,
    HULL_OUT,
    MAIN_OUT,
    MGS_OUT,
    NONE,
    SHAKEN,
    State,
    View,
)
from rulesengine.rulesets.ost.tally import Tally, code
from rulesengine.rulesets.ost.vehicle_events import (
    DuelOpened,
    DuelShotLost,
    DuelShotTaken,
    VehicleShot,
)
from rulesengine.rulesets.ost.vehicles import (
    AP,
    FLANK,
    FRONT,
    HAS_MAIN,
    HULL_AP,
    MG,
    ap_at,
    armored,
    is_armored,
)

DUEL_ARMOR_LEADER = code("DUEL_ARMOR_LEADER")
DUEL_SHAKEN = code("DUEL_SHAKEN")
MELEE_FIREPOWER = code("MELEE_FIREPOWER")
SHAKEN_FIREPOWER = code("SHAKEN_FIREPOWER")
SHAKEN_IN_MELEE = code("SHAKEN_IN_MELEE")
FLANK_SHOT = 4
"""A First Shot roll won by so much is at the flank. OST 31.0.3."""
NO_AP = 1
"""AP of a vehicle without any. OST 31.1.10."""


# --- the arithmetic -----------------------------------------------------------------------------


def first_shot(*, armor_leader: bool, shaken: bool) -> Tally:
    """What changes the roll for the First Shot. OST 31.0.2."""
    tally = Tally(0)
    if armor_leader:
        tally.add(DUEL_ARMOR_LEADER)
    if shaken:
        tally.add(DUEL_SHAKEN)
    return tally


def firepower(ap: int, *, shaken: bool = False, bonus: bool = True) -> Tally:
    """AP at range 0, halved if shaken, and the melee +2 unless the option leaves it out, as the
    book's example does. OST 31.1.2, 31.1.6, 31.1.8, 31.1.10."""
    tally = Tally(ap or NO_AP)
    if shaken:
        tally.halve(SHAKEN_FIREPOWER)
    if bonus:
        tally.add(MELEE_FIREPOWER)
    return tally.at_least(1)


def defense(printed: int, *, open_top: bool = False) -> Tally:
    """Front or flank, no terrain (31.1.4); an open top is one worse (9.1.3)."""
    tally = Tally(printed)
    if open_top:
        tally.add(gunnery.OPEN_TOP_DEFENSE)
    return tally


def roll_modifiers(*, armor_leader: bool = False, shaken: bool = False) -> Tally:
    """OST 31.1.7, 31.1.8."""
    tally = Tally(0)
    if armor_leader:
        tally.add(gunnery.ARMOR_LEADER_ATTACHED)
    if shaken:
        tally.add(SHAKEN_IN_MELEE)
    return tally


def ap_left(kind: int, out: int) -> int:
    """AP at range 0 of the best main armament that works; `out` are the bits of the damage. OST
    31.1.2."""
    turret = 0 if out & MAIN_OUT else ap_at(AP[kind], 0)
    hull = 0 if out & HULL_OUT else ap_at(HULL_AP[kind], 0)
    return max(turret, hull)


def can_shoot(kind: int, out: int) -> bool:
    """Whether it may shoot: with its main armament out it does not, 31.1.9; one that never had
    AP shoots for 1 with what works, 31.1.10."""
    if AP[kind]:
        return bool(ap_left(kind, out))
    return bool((HAS_MAIN[kind] and not out & MAIN_OUT) or (MG[kind] and not out & MGS_OUT))


# --- on the table ---------------------------------------------------------------------------------


def vehicles_in(state: State, h: int, side: int) -> list[int]:
    """The vehicles of a side in a hex, those that can shoot first."""
    here = [c for c in state.in_hex(h, side) if is_armored(state, c)]
    return sorted(here, key=lambda c: (state.morale[c] == BROKEN, not _shoots(state, c), c))


def is_duel(state: State, h: int) -> bool:
    """Whether armoured vehicles of both sides are alone in a hex. OST 31.0."""
    return duels([[state.kind[c] for c in state.in_hex(h, side)] for side in (0, 1)])


def duels(sides: list[list[int]]) -> bool:
    """The same, of the types of both sides; armor leaders are in their vehicles."""
    return all(
        any(armored(kind) for kind in here)
        and all(armored(kind) or TRAITS[kind] & ARMOR for kind in here)
        for here in sides
    )


def _ap(state: State, c: int) -> int:
    return ap_left(state.kind[c], state.damage[c])


def _shoots(state: State, c: int) -> bool:
    return can_shoot(state.kind[c], state.damage[c])


def open_duel(battle: Battle[State], h: int) -> None:
    """Roll for the First Shot and put the shots in order. OST 31.0.2, 31.0.3, 31.1.11."""
    state = battle.state
    sides = [vehicles_in(state, h, side) for side in (0, 1)]
    changes = [
        first_shot(
            armor_leader=state.good_leader(here[0]) != NONE,
            shaken=state.morale[here[0]] == SHAKEN,
        )
        for here in sides
    ]
    rolls = []
    while True:
        pair = [battle.dice.roll(6, 2) for _ in (0, 1)]
        rolls += pair
        totals = [roll.total + tally.value for roll, tally in zip(pair, changes, strict=True)]
        if totals[0] != totals[1]:
            break
    first = 0 if totals[0] > totals[1] else 1
    flank = int(abs(totals[0] - totals[1]) >= FLANK_SHOT)
    order: list[tuple[int, int]] = []
    for turn in range(max(map(len, sides))):
        for side in (first, 1 - first):
            if turn < len(sides[side]):
                order.append((sides[side][turn], flank if not order else 0))
    battle.emit(
        DuelOpened(
            hex=h,
            rolls=tuple(rolls),
            totals=(totals[0], totals[1]),
            shots=tuple(order),
            modifiers=(*changes[0].parts, *changes[1].parts),
        )
    )


def targets_of(state: State) -> list[int]:
    """Whom the next to shoot may shoot at."""
    frame = state.frames[-1]
    shooter = frame.shots[0][0]
    return [c for c in state.in_hex(frame.hex, 1 - state.side[shooter]) if is_armored(state, c)]


def go_on(battle: Battle[State]) -> bool:
    """Let them shoot in turn. True while a lone vehicle has to choose. OST 31.1.9, 31.1.12."""
    state = battle.state
    frame = state.frames[-1]
    while frame.shots:
        shooter = frame.shots[0][0]
        targets = targets_of(state)
        gone = state.hex[shooter] != frame.hex or not is_armored(state, shooter)
        if gone or not targets or state.morale[shooter] == BROKEN or not _shoots(state, shooter):
            broken = not gone and state.morale[shooter] == BROKEN
            battle.emit(DuelShotLost(unit=shooter, broken=broken))
            continue
        if len(targets) > 1:
            return True
        shoot(battle, targets[0])
    units, because = leaving(state, frame.hex)
    battle.emit(RetreatsOwed(hex=frame.hex, units=units, because=because))
    return False


def shoot(battle: Battle[State], target: int, *, chosen: bool = False) -> None:
    """One shot of a duel; its result holds at once. OST 31.1."""
    state = battle.state
    shooter, flank = state.frames[-1].shots[0]
    shaken = state.morale[shooter] == SHAKEN
    kind = state.kind[target]
    strength = firepower(
        _ap(state, shooter), shaken=shaken, bonus=not state.options.duel_without_bonus
    )
    printed = FLANK[kind] if flank else FRONT[kind]
    resistance = defense(printed, open_top=bool(TRAITS[kind] & OPEN_TOP))
    led = state.good_leader(shooter) != NONE
    changes = roll_modifiers(armor_leader=led, shaken=shaken)
    bare = not _ap(state, shooter)
    battle.emit(DuelShotTaken(unit=shooter, target=target, chosen=chosen, bare=bare))
    roll = battle.dice.roll(6, 2)
    at = column(strength.value, resistance.value)
    total = roll.total + changes.value
    result = gunnery.look_up(at, total)
    battle.emit(
        VehicleShot(
            firers=(shooter,),
            target=target,
            flank=bool(flank),
            soft=False,
            how="duel",
            firepower=strength.value,
            defense=resistance.value,
            column=at,
            roll=roll,
            total=total,
            result=result,
            modifiers=(*strength.parts, *resistance.parts, *changes.parts),
        )
    )
    damage.apply_result(battle, target, result, melee=True)


def leaving(state: State, h: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Who has to leave when all have shot, and the rules. OST 31.2."""
    attacker = state.melees[h]
    mine, theirs = (
        [c for c in state.in_hex(h, side) if is_armored(state, c)]
        for side in (attacker, 1 - attacker)
    )
    if not mine or not theirs:
        return (), ("31.2.1", "31.2.2")
    shaky = [c for c in (*mine, *theirs) if state.morale[c] != GOOD]
    if len(shaky) == len(mine) + len(theirs):
        return tuple(mine), ("31.2.1", "31.2.2", "31.2.4")
    intact = [c for c in mine if c not in shaky]
    if intact and any(c not in shaky for c in theirs):
        return (*shaky, *intact), ("31.2.1", "31.2.2", "31.2.3")
    return tuple(shaky), ("31.2.1", "31.2.2", "31.2.4")


def refuse_target(view: View, action: DuelTarget) -> Refusal | None:
    frame = view.state.frames[-1]
    if frame.stage != DUEL or action.target not in targets_of(view.state):
        return Refusal("Shoot at an enemy vehicle of this duel.", "31.1.12")
    return None
