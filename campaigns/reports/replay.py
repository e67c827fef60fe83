"""The replay of a fought battle, as one audience may watch it: who reads the report may watch.

Everything comes from the ruleset's own telling and showing for that audience. Pieces are
numbered in the order in which this audience first sees them, so that no number tells of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from campaigns import battle_log, engine
from campaigns.engine import Line, Piece
from campaigns.models import Battle
from campaigns.projection import Viewer
from campaigns.reports import aar


def exists(viewer: Viewer, battle: Battle) -> bool:
    """Whether there is a replay for this viewer."""
    return aar.fight_read(viewer, battle) is not None


def lines(viewer: Viewer, battle: Battle) -> list[tuple[Line, engine.Faces]] | None:
    """What is told, each line with its dice; None where there is nothing to watch."""
    row = aar.fight_read(viewer, battle)
    return None if row is None else engine.told(battle_log.load(row), viewer.narrated_to)


def laid(viewer: Viewer, battle: Battle, line: int) -> dict[str, list[str]]:
    """What lies on the table after so many told lines, as far as this viewer may know it then:
    hexes by the mark of what lies there. 0 is before the battle."""
    row = aar.fight_read(viewer, battle)
    if row is None:
        return {}
    replay = engine.replay(battle_log.load(row), viewer.narrated_to)
    board = {piece.id: piece for piece in replay.first}
    told = 0
    for frame in replay.frames:
        told += frame.line is not None
        if told > line:
            break
        for gone in frame.gone:
            del board[gone]
        board |= {piece.id: piece for piece in frame.put}
    found: dict[str, list[str]] = {}
    for piece in board.values():
        if not piece.kind:
            for mark in piece.marks:
                found.setdefault(mark, []).append(piece.hex)
    return found


def document(
    viewer: Viewer, battle: Battle, symbol: Callable[[str, int], str]
) -> dict[str, Any] | None:
    """The table before the battle and what each step changes, as plain data.

    `symbol` gives the name of the sign of an element type of a side. A piece stands with all its
    facts where it is new, with those that changed where it was there before.
    """
    row = aar.fight_read(viewer, battle)
    if row is None:
        return None
    replay = engine.replay(battle_log.load(row), viewer.narrated_to)
    numbers: dict[str, int] = {}
    shown: dict[str, dict[str, Any]] = {}

    def put(pieces: Iterable[Piece]) -> list[list[Any]]:
        changes = []
        for piece in pieces:
            facts = _facts(piece, symbol)
            old = shown.get(piece.id, {})
            number = numbers.setdefault(piece.id, len(numbers))
            changes.append([number, {k: v for k, v in facts.items() if old.get(k) != v}])
            shown[piece.id] = facts
        return changes

    steps = []
    first = put(replay.first)
    for frame in replay.frames:
        gone = [numbers[piece] for piece in frame.gone]
        for piece in frame.gone:
            del shown[piece]
        step: dict[str, Any] = {"put": put(frame.put), "gone": gone}
        if frame.line is not None:
            step |= {
                "text": frame.line.text,
                "rules": frame.line.rules,
                "dice": frame.rolls,
                "fire": frame.line.fire,
                "idle": frame.line.weight < 0,
            }
        steps.append({name: value for name, value in step.items() if value or name == "text"})
    return {"first": first, "frames": steps}


def _facts(piece: Piece, symbol: Callable[[str, int], str]) -> dict[str, Any]:
    return {
        "name": piece.name,
        "symbol": symbol(piece.kind, piece.side) if piece.kind else "",
        "side": piece.side,
        "hex": piece.hex,
        "facing": piece.facing,
        "steps": piece.steps,
        "morale": piece.morale,
        "marks": piece.marks,
    }
