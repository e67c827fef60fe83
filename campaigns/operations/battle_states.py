"""The states of a battle and the ways between them: the only module that changes one.

A change is a compare-and-swap on the row, so that referee, player and worker cannot both win.
"""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from campaigns.models import Battle
from campaigns.refusals import Refused

State = Battle.State

WAYS: dict[str, frozenset[str]] = {
    State.PLANNED: frozenset({State.LOCKED, State.CANCELLED}),
    State.LOCKED: frozenset(
        {State.PLANNED, State.RESOLVING, State.AT_TABLE, State.REPORTED, State.CANCELLED}
    ),
    State.RESOLVING: frozenset({State.LOCKED, State.REPORTED}),
    State.AT_TABLE: frozenset({State.LOCKED, State.REPORTED}),
    State.REPORTED: frozenset({State.POSTED, State.CANCELLED}),
    State.POSTED: frozenset({State.REVERSED}),
    State.REVERSED: frozenset(),
    State.CANCELLED: frozenset(),
}

CAN_REVEAL = (State.REPORTED, State.POSTED, State.REVERSED)


def try_move(battle: Battle, to: State, *, expecting: State) -> bool:
    """Change the state if it is still what is expected; whether it was."""
    if to not in WAYS[expecting]:
        raise ValueError(f"no way from {expecting} to {to}")
    changed = Battle.objects.filter(pk=battle.pk, state=expecting).update(
        state=to, version=F("version") + 1, changed_at=timezone.now()
    )
    if changed:
        battle.refresh_from_db(fields=["state", "version", "changed_at"])
    return bool(changed)


def move(battle: Battle, to: State, *, expecting: State, what: str) -> None:
    """Change the state, or refuse: `what` completes "... cannot be"."""
    if battle.state != expecting or not try_move(battle, to, expecting=expecting):
        battle.refresh_from_db(fields=["state", "version"])
        raise Refused(f"{battle.title} cannot be {what}: it {battle.stands}.")


def require(battle: Battle, *states: State, what: str) -> None:
    """Refuse unless the battle is in one of some states."""
    if battle.state not in states:
        raise Refused(f"{battle.title} cannot be {what}: it {battle.stands}.")
