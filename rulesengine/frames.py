"""A battle's log as a film: for one listener, what is told and what changes on the table.

A frame is made for an event that is told, and for one that is not but changes what the listener
sees (each hex of a move). What he neither hears nor sees makes none, and frames are not numbered
by events, so that their number tells him nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from rulesengine.contract import Event, Line, Piece
from rulesengine.documents import BattleLog, Scenario
from rulesengine.proof import events_of, rolls_of, scenario_of
from rulesengine.registry import ruleset

Board = dict[str, Piece]


class Frame(msgspec.Struct, frozen=True):
    """One step of a replay. The table after it is that before it, less `gone`, with `put`."""

    line: Line | None
    rolls: tuple[tuple[int, ...], ...]
    """The faces of its dice; () where nothing is told."""
    put: tuple[Piece, ...]
    """Pieces that are new or changed."""
    gone: tuple[str, ...]
    """Ids of pieces that are no longer there, or no longer seen."""


class Replay(msgspec.Struct, frozen=True):
    """A battle as one listener may watch it."""

    first: tuple[Piece, ...]
    """The table before anything happened."""
    frames: tuple[Frame, ...]


def board_of(pieces: Iterable[Piece]) -> Board:
    """Pieces by their ids."""
    return {piece.id: piece for piece in pieces}


def fold(board: Board, frame: Frame) -> None:
    """Bring a table from before a frame to after it."""
    for gone in frame.gone:
        del board[gone]
    board.update(board_of(frame.put))


def film(scenario: Scenario, events: Iterable[Event], side: int | None) -> Iterator[Frame]:
    """Every frame for this listener, in order: a fold of the events, watched as it goes."""
    rules = ruleset(scenario.ruleset)
    state = rules.setup(scenario)
    before = board_of(rules.board(state, side))
    for event in events:
        rules.evolve(state, event)
        after = board_of(rules.board(state, side))
        line = rules.narrate(state, event, side)
        put = tuple(piece for key, piece in after.items() if before.get(key) != piece)
        gone = tuple(key for key in before if key not in after)
        if line is not None or put or gone:
            rolls = () if line is None else tuple(roll.faces for roll in rolls_of(event))
            yield Frame(line, rolls, put, gone)
        before = after


def replay(log: BattleLog, side: int | None) -> Replay:
    """The replay of a stored log."""
    scenario = scenario_of(log)
    rules = ruleset(log.ruleset)
    first = rules.board(rules.setup(scenario), side)
    return Replay(first, tuple(film(scenario, events_of(log), side)))
