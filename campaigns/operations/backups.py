"""A whole instance in one file, and back again: every account, secret, log and posting.

The file is a zip: a file of JSON lines for every table, and `manifest.json` with the format,
the schema and every file's SHA-256. The zip's comment, its last bytes, is the SHA-256 of all
before it, so that no byte of it can change unseen. It does not depend on the kind of database.
Sessions and tokens of programs stay behind: people sign in again and make new ones.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from campaigns import VERSION
from campaigns.refusals import Refused

FORMAT = "sitrep-backup"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
SEAL = b"sha256:"
SEALED = len(SEAL) + 64
MADE_BY_MIGRATE = ("contenttypes.ContentType", "auth.Permission")
LEFT_BEHIND = (*MADE_BY_MIGRATE, "sessions.Session", "campaigns.ApiToken", "campaigns.Pulse")
ROWS_AT_ONCE = 500
BLOCK = 1 << 20
LARGEST_MANIFEST = 10 * BLOCK

Row = dict[str, Any]


def tables() -> list[type[models.Model]]:
    """What is kept, in an order that does not change."""
    found = apps.get_models(include_auto_created=True)
    kept = [m for m in found if m._meta.managed and m._meta.label not in LEFT_BEHIND]
    return sorted(kept, key=lambda model: model._meta.label)


def schema() -> list[str]:
    """The migrations that this database has had."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


# --- out -------------------------------------------------------------------------------------


def backup(path: Path) -> int:
    """Write everything into a new file that only its owner can read; how many rows.

    The file appears when it is whole. Others go on working meanwhile; it holds one moment.
    """
    if path.exists():
        raise Refused(f"{path} is there already. Choose another name.")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w+b") as file:
            with one_moment():
                rows = _write(file)
            _seal(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o600)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    return rows


@contextlib.contextmanager
def one_moment() -> Iterator[None]:
    """A transaction in which every table is read as it was when it began, and nobody waits."""
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    mode = getattr(connection, "transaction_mode", None)
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            yield
    finally:
        connection.transaction_mode = mode  # type: ignore[attr-defined]


def _write(file: IO[bytes]) -> int:
    listed = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for model in tables():
            name = f"tables/{model._meta.label_lower}.jsonl"
            told = hashlib.sha256()
            count = 0
            with archive.open(name, "w", force_zip64=True) as entry:
                for row in _rows(model):
                    line = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
                    entry.write(line + b"\n")
                    told.update(line + b"\n")
                    count += 1
            listed.append(
                {
                    "name": name,
                    "table": model._meta.label,
                    "rows": count,
                    "sha256": told.hexdigest(),
                }
            )
        manifest = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "sitrep": VERSION,
            "made_at": timezone.now().isoformat(),
            "schema": schema(),
            "files": listed,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        archive.comment = SEAL + b"0" * 64
    return sum(int(str(entry["rows"])) for entry in listed)


def _seal(file: IO[bytes]) -> None:
    digest = _digest(file)
    file.seek(-64, os.SEEK_END)
    file.write(digest)


def _digest(file: IO[bytes]) -> bytes:
    """Of all but the last 64 bytes."""
    left = file.seek(0, os.SEEK_END) - 64
    file.seek(0)
    told = hashlib.sha256()
    while left > 0:
        block = file.read(min(BLOCK, left))
        if not block:
            break
        told.update(block)
        left -= len(block)
    return told.hexdigest().encode()


def _rows(model: type[models.Model]) -> Iterator[Row]:
    fields = model._meta.concrete_fields
    writers = [_writer(field) for field in fields]
    names = [field.attname for field in fields]
    found = model._base_manager.order_by("pk").values_list(*names)
    for values in found.iterator(ROWS_AT_ONCE):
        yield {
            name: None if value is None else write(value)
            for name, write, value in zip(names, writers, values, strict=True)
        }


def _writer(field: Any) -> Callable[[Any], Any]:
    if isinstance(field, models.BinaryField):
        return lambda value: base64.b64encode(bytes(value)).decode()
    if isinstance(field, models.DateField):
        return lambda value: value.isoformat()
    named = _named(field)
    if named is not None:
        names = {pk: name for name, pk in named.items()}
        return lambda value: json.loads(names[value])
    return lambda value: value


def _named(field: Any) -> dict[str, int] | None:
    """Rows that `migrate` makes have other numbers in every database: they go by their names."""
    if field.related_model is ContentType:
        kinds = ContentType.objects.values_list("app_label", "model", "pk")
        return {json.dumps([app, model]): pk for app, model, pk in kinds}
    if field.related_model is Permission:
        rows = Permission.objects.values_list(
            "content_type__app_label", "content_type__model", "codename", "pk"
        )
        return {json.dumps([app, model, code]): pk for app, model, code, pk in rows}
    return None


_MADE_UP = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    RecursionError,
    ValidationError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a file raises that was put together by hand."""


# --- in --------------------------------------------------------------------------------------


def restore(path: Path) -> int:
    """Put a backup into this empty instance, all of it or nothing; how many rows."""
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("rb"))
        except OSError as error:
            raise Refused(f"{path} cannot be read: {error.strerror}.") from error
        archive, manifest = _opened(stack, file, path)
        try:
            _check(archive, manifest)
            return _insert_all(archive, manifest)
        except _MADE_UP as error:
            raise Refused(
                f"{path} is not what a backup of Sitrep is: {type(error).__name__}:"
                f" {str(error)[:200]}. Nothing was written."
            ) from error
        except DatabaseError as error:
            raise Refused(
                f"The database refuses what is in the backup: {str(error).splitlines()[0]}."
                " Nothing was written."
            ) from error


def _opened(
    stack: contextlib.ExitStack, file: IO[bytes], path: Path
) -> tuple[zipfile.ZipFile, dict[str, Any]]:
    foreign = Refused(f"{path} is not a backup of Sitrep.")
    damaged = Refused(f"{path} is damaged: it is not as it was written. Nothing was read from it.")
    size = file.seek(0, os.SEEK_END)
    if size < SEALED:
        raise foreign
    file.seek(-64, os.SEEK_END)
    seal = file.read()
    if not hmac.compare_digest(_digest(file), seal):
        file.seek(0)
        looks_like_one = file.read(4) == b"PK\x03\x04"
        file.seek(max(0, size - SEALED))
        raise damaged if looks_like_one and file.read().startswith(SEAL) else foreign
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
        if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise foreign
        manifest = json.loads(archive.read(MANIFEST))
        known = manifest["format"] == FORMAT
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise foreign from error
    if not known:
        raise foreign
    return archive, manifest


def _check(archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    """Refuse what this Sitrep cannot take in, before anything is written."""
    if manifest["version"] != FORMAT_VERSION:
        raise Refused(
            f"This backup has format {manifest['version']}, this Sitrep ({VERSION}) reads"
            f" {FORMAT_VERSION}. It was made by Sitrep {manifest['sitrep']}: restore it there."
        )
    theirs, ours = set(manifest["schema"]), set(schema())
    if not ours:
        raise Refused("This database has no tables yet. Run `manage.py migrate` first.")
    if theirs - ours:
        newer = ", ".join(sorted(theirs - ours)[:3])
        raise Refused(
            f"This backup was made by a newer Sitrep ({manifest['sitrep']}; here nothing is known"
            f" of {newer}). Upgrade and migrate this one first."
        )
    if ours - theirs:
        older = ", ".join(sorted(ours - theirs)[:3])
        raise Refused(
            f"This backup was made by an older Sitrep ({manifest['sitrep']}, before {older})."
            " Restore it with that version, then upgrade."
        )
    for listed in manifest["files"]:
        told = hashlib.sha256()
        with archive.open(listed["name"]) as entry:
            while block := entry.read(BLOCK):
                told.update(block)
        if told.hexdigest() != listed["sha256"]:
            raise Refused(f"{listed['name']} of the backup is damaged. Nothing was written.")


@transaction.atomic
def _insert_all(archive: zipfile.ZipFile, manifest: dict[str, Any]) -> int:
    kept = tables()
    full = [f"{n} {m._meta.verbose_name_plural}" for m in kept if (n := m._base_manager.count())]
    if full:
        raise Refused(
            f"This instance is not empty: {', '.join(full[:4])}. Restore into a new database,"
            " after `manage.py migrate` and before anything else."
        )
    known = {model._meta.label: model for model in kept}
    listed_tables = Counter(str(listed["table"]) for listed in manifest["files"])
    if set(listed_tables) != set(known) or max(listed_tables.values()) > 1:
        odd = sorted(set(listed_tables) ^ set(known))[:3] or ["one of them twice"]
        raise Refused(f"The backup has not the tables that are kept here: {', '.join(odd)}.")
    rows = 0
    for listed in manifest["files"]:
        model = known[listed["table"]]
        with archive.open(listed["name"]) as entry:
            count = _insert(model, map(json.loads, entry))
        if count != listed["rows"]:
            raise Refused(f"{listed['name']} of the backup is not whole. Nothing was written.")
        rows += count
    connection.check_constraints()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), kept):
            cursor.execute(statement)
    return rows


def _insert(model: type[models.Model], rows: Iterator[Row]) -> int:
    """As they were: no default, no clock and no signal has a say."""
    fields = model._meta.concrete_fields
    readers = [_reader(field) for field in fields]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})"

    def values(row: Row) -> list[Any]:
        return [
            field.get_db_prep_save(
                None if row[field.attname] is None else read(row[field.attname]), connection
            )
            for field, read in zip(fields, readers, strict=True)
        ]

    count = 0
    with connection.cursor() as cursor:
        while some := list(islice(rows, ROWS_AT_ONCE)):
            _same_fields(model, some, [field.attname for field in fields])
            cursor.executemany(statement, [values(row) for row in some])
            count += len(some)
    return count


def _same_fields(model: type[models.Model], rows: Iterable[Row], names: list[str]) -> None:
    for row in rows:
        if set(row) != set(names):
            raise Refused(f"A row of {model._meta.label} in the backup has other fields than here.")


def _reader(field: Any) -> Callable[[Any], Any]:
    if isinstance(field, models.BinaryField):
        return base64.b64decode
    named = _named(field)
    if named is not None:

        def read(name: list[str]) -> int:
            pk = named.get(json.dumps(name))
            if pk is None:
                raise Refused(f"The backup names {'.'.join(name)}, which is not known here.")
            return pk

        return read
    if isinstance(field, models.ForeignKey):
        return lambda value: value
    return field.to_python  # type: ignore[no-any-return]
