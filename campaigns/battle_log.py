"""Stored battle logs: the engine's canonical document, compressed, under its own hash.

What is read back is checked against the hash it was stored with, so a damaged row is found out
before anybody is told a story from it.
"""

from __future__ import annotations

import zlib

from campaigns import engine
from campaigns.engine import BattleLog, Fought
from campaigns.models import ForceSnapshot, Log
from rulesengine.documents import read


class DamagedLog(Exception):
    """A stored log no longer has the hash it was stored with."""


def store(snapshot: ForceSnapshot, fought: Fought) -> Log:
    """Keep the log of a battle that was fought."""
    return Log.objects.create(
        snapshot=snapshot,
        hash=fought.log_hash,
        events=fought.events,
        body=zlib.compress(fought.log, 9),
    )


def load(log: Log) -> BattleLog:
    """The document of a stored log. Raises DamagedLog when it is not what was stored."""
    document = read(zlib.decompress(bytes(log.body)), BattleLog, "log")
    if engine.digest(document) != log.hash:
        raise DamagedLog(f"the log of snapshot {log.snapshot_id} is not what was stored")
    return document


def of_snapshot(snapshot: ForceSnapshot) -> BattleLog | None:
    """The log of an attempt, or None where it was not fought by an engine."""
    log = Log.objects.filter(snapshot=snapshot).first()
    return load(log) if log else None
