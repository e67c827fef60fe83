"""Triggers that make the journal append-only, on SQLite and on PostgreSQL.

An UPDATE of a journal row is always refused, a DELETE unless the campaign's purge permit
stands in the same transaction. On PostgreSQL a deferred trigger also holds every posting to
zero per item. SQLite drops a table's triggers when a migration rebuilds the table: such a
migration ends with `install`.
"""

from __future__ import annotations

from typing import Any

_OF_POSTING = "(SELECT campaign_id FROM campaigns_posting WHERE id = OLD.posting_id)"
_OF_BATTLE = "(SELECT campaign_id FROM campaigns_battle WHERE id = OLD.battle_id)"
_OF_SNAPSHOT = (
    "(SELECT b.campaign_id FROM campaigns_battle b JOIN campaigns_forcesnapshot s"
    " ON s.battle_id = b.id WHERE s.id = OLD.snapshot_id)"
)
CAMPAIGN_OF = {
    "campaigns_posting": "OLD.campaign_id",
    "campaigns_line": _OF_POSTING,
    "campaigns_status": _OF_POSTING,
    "campaigns_storedreport": _OF_POSTING,
    "campaigns_result": _OF_BATTLE,
    "campaigns_log": _OF_SNAPSHOT,
}
KEYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "campaigns_posting": (("id",), ("uid",), ("key",), ("reverses_id",)),
    "campaigns_line": (("id",),),
    "campaigns_status": (("id",),),
    "campaigns_storedreport": (("id",), ("posting_id", "audience")),
    "campaigns_result": (("id",), ("uid",)),
    "campaigns_log": (("id",), ("snapshot_id",)),
}
"""What is unique in a journal table."""
CHANGED = "The journal is never changed: post a reversal."
DELETED = "The journal is never deleted: post a reversal."


def install(connection: Any) -> None:
    """Put the triggers in place; those that stand already are renewed."""
    lift(connection)
    _run(connection, _sqlite() if connection.vendor == "sqlite" else _postgresql())


def lift(connection: Any) -> None:
    """Take the triggers away: for the flush between tests."""
    statements = []
    for table in CAMPAIGN_OF:
        for event in ("update", "delete", "replace"):
            on = "" if connection.vendor == "sqlite" else f" ON {table}"
            statements.append(f"DROP TRIGGER IF EXISTS {table}_{event}_refused{on}")
    if connection.vendor != "sqlite":
        statements.append("DROP TRIGGER IF EXISTS campaigns_line_balanced ON campaigns_line")
    _run(connection, statements)


def _run(connection: Any, statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _no_permit(campaign: str) -> str:
    return f"NOT EXISTS (SELECT 1 FROM campaigns_purgepermit WHERE campaign_id = {campaign})"


def _sqlite() -> list[str]:
    statements = []
    for table, campaign in CAMPAIGN_OF.items():
        statements += [
            f"CREATE TRIGGER {table}_update_refused BEFORE UPDATE ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{CHANGED}'); END",
            f"CREATE TRIGGER {table}_delete_refused BEFORE DELETE ON {table}"
            f" WHEN {_no_permit(campaign)} BEGIN SELECT RAISE(ABORT, '{DELETED}'); END",
            f"CREATE TRIGGER {table}_replace_refused BEFORE INSERT ON {table}"
            f" WHEN {_stands(table)} BEGIN SELECT RAISE(ABORT, '{CHANGED}'); END",
        ]
    return statements


def _stands(table: str) -> str:
    """Whether a new row would take the place of one that stands.

    SQLite's INSERT OR REPLACE deletes what is in its way and asks no trigger of DELETE.
    """
    same = [" AND ".join(f"{column} = NEW.{column}" for column in key) for key in KEYS[table]]
    return f"EXISTS (SELECT 1 FROM {table} WHERE {' OR '.join(same)})"


def _postgresql() -> list[str]:
    statements = []
    for table, campaign in CAMPAIGN_OF.items():
        statements += [
            f"CREATE OR REPLACE FUNCTION {table}_refuse_update() RETURNS trigger AS $$"
            f" BEGIN RAISE EXCEPTION '{CHANGED}' USING ERRCODE = 'integrity_constraint_violation';"
            " END $$ LANGUAGE plpgsql",
            f"CREATE OR REPLACE FUNCTION {table}_refuse_delete() RETURNS trigger AS $$"
            f" BEGIN IF {_no_permit(campaign)} THEN RAISE EXCEPTION '{DELETED}'"
            " USING ERRCODE = 'integrity_constraint_violation'; END IF;"
            " RETURN OLD; END $$ LANGUAGE plpgsql",
            f"CREATE TRIGGER {table}_update_refused BEFORE UPDATE ON {table}"
            f" FOR EACH ROW EXECUTE FUNCTION {table}_refuse_update()",
            f"CREATE TRIGGER {table}_delete_refused BEFORE DELETE ON {table}"
            f" FOR EACH ROW EXECUTE FUNCTION {table}_refuse_delete()",
        ]
    statements += [
        "CREATE OR REPLACE FUNCTION campaigns_line_refuse_imbalance() RETURNS trigger AS $$"
        " BEGIN IF (SELECT COALESCE(SUM(quantity), 0) FROM campaigns_line"
        " WHERE posting_id = NEW.posting_id AND item = NEW.item) <> 0 THEN RAISE EXCEPTION"
        " 'The lines of a posting sum to zero for every item.'"
        " USING ERRCODE = 'integrity_constraint_violation'; END IF;"
        " RETURN NULL; END $$ LANGUAGE plpgsql",
        "CREATE CONSTRAINT TRIGGER campaigns_line_balanced AFTER INSERT ON campaigns_line"
        " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
        " EXECUTE FUNCTION campaigns_line_refuse_imbalance()",
    ]
    return statements
