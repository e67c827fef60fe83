"""A whole instance in a file: what comes back is what was, and what is damaged does not come."""

from __future__ import annotations

import hashlib
import io
import json
import re
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from campaigns import reconcile
from campaigns.models import Comment, Line, Posting, append_only
from campaigns.operations import backups, battles, forecasts, resolution, turns
from campaigns.refusals import Refused
from tests.campaign.conftest import Cast


def emptied() -> None:
    """Every row gone, as in a new database; the journal's triggers stand again after."""
    connection.check_constraints()
    append_only.lift(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA defer_foreign_keys = ON")
        for model in backups.tables():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
    connection.check_constraints()
    append_only.install(connection)


def everything() -> dict[str, list[Any]]:
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in backups.tables()
    }


@pytest.fixture
def full(cast: Cast) -> Cast:
    """A campaign with something in nearly every table."""
    battle, _ = cast.posted()
    Comment.objects.create(battle=battle, author=cast.red.user, author_name="red", text="Ça va ✓")
    turns.open_next(seat=cast.referee)
    second = cast.planned()
    odds = forecasts.ask(seat=cast.referee, battle_id=second.uid, most=50)
    forecasts.work(job_id=odds.lanes.get_queryset()[0].job_id)
    battles.lock_forces(seat=cast.referee, battle_id=second.uid)
    job = battles.request_resolve(seat=cast.referee, battle_id=second.uid)
    resolution.resolve(job_id=job.pk)
    group = Group.objects.create(name="staff")
    group.permissions.add(Permission.objects.get(codename="view_campaign"))
    cast.organiser.user.groups.add(group)
    cast.organiser.user.set_password("a pass phrase of theirs")
    cast.organiser.user.save()
    return cast


@pytest.fixture
def made(full: Cast, tmp_path: Path) -> Path:
    path = tmp_path / "club.sitrep"
    backups.backup(path)
    return path


def pages(cast: Cast) -> dict[tuple[str, str], str]:
    """What each of them reads, without what is new in every answer."""
    slug = cast.campaign.slug
    names = ["campaign", "oob", "history", "journal", "members"]
    addresses = ["/", *(reverse(name, args=[slug]) for name in names)]
    for battle in cast.campaign.battles.all():
        addresses += [
            reverse(n, args=[slug, battle.uid]) for n in ("battle", "battle_report", "battle_sheet")
        ]
    found = {}
    for who, seat in cast.seats.items():
        client = Client()
        client.force_login(User.objects.get(pk=seat.user_id))
        for address in addresses:
            text = client.get(address).content.decode()
            text = re.sub(r'(CSRFToken": |csrfmiddlewaretoken" value=)"[^"]*"', "", text)
            found[who, address] = text
    return found


def test_what_comes_back_is_what_was(full: Cast, made: Path) -> None:
    before, read = everything(), pages(full)
    emptied()
    assert not Posting.objects.exists()
    assert backups.restore(made) == sum(map(len, before.values())) > 150
    assert everything() == before
    assert {name for name, rows in before.items() if not rows} <= {
        "admin.LogEntry",
        "auth.User_user_permissions",
        "campaigns.Detachment",
        "campaigns.ForecastChunk",
        "campaigns.KeptAnswer",
        "campaigns.PurgePermit",
        "campaigns.ResultDraft",
        "campaigns.Status",
    }
    assert pages(full) == read
    assert reconcile.reconcile() == []
    organiser = User.objects.get(pk=full.organiser.user_id)
    assert organiser.check_password("a pass phrase of theirs")
    assert organiser.has_perm("campaigns.view_campaign")


def test_the_journal_that_came_back_refuses_to_be_changed_and_goes_on(
    full: Cast, made: Path
) -> None:
    emptied()
    backups.restore(made)
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        Line.objects.filter(pk=Line.objects.earliest("pk").pk).update(quantity=7)
    with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
        Line.objects.earliest("pk").delete()
    last = Posting.objects.latest("pk").pk
    battle = full.campaign.battles.get(state="reported")
    assert full.post(battle).pk > last
    assert reconcile.reconcile() == []


def test_only_its_owner_reads_a_backup_and_none_is_written_over(full: Cast, tmp_path: Path) -> None:
    out, path = io.StringIO(), tmp_path / "b.sitrep"
    call_command("backup", str(path), stdout=out, stderr=out)
    assert "it holds everything" in out.getvalue()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(path))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", str(tmp_path / "nowhere" / "b.sitrep"))
    assert [p.name for p in tmp_path.iterdir()] == ["b.sitrep"]


def test_a_backup_that_breaks_off_leaves_no_file(
    full: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups.os, "fsync", full_disk)
    with pytest.raises(CommandError, match="No space left on device"):
        call_command("backup", str(tmp_path / "b.sitrep"))
    assert list(tmp_path.iterdir()) == []


def test_an_instance_that_is_not_empty_is_left_as_it_is(full: Cast, made: Path) -> None:
    before = everything()
    with pytest.raises(CommandError, match="not empty"):
        call_command("restore", str(made))
    assert everything() == before


def test_any_byte_that_flipped_is_refused_and_nothing_is_written(made: Path) -> None:
    whole = made.read_bytes()
    emptied()
    step = max(1, len(whole) // 40)
    for at in [*range(0, len(whole), step), len(whole) - 70, len(whole) - 1]:
        flipped = bytearray(whole)
        flipped[at] ^= 1
        made.write_bytes(flipped)
        with pytest.raises(Refused, match=r"is damaged|is not a backup"):
            backups.restore(made)
    made.write_bytes(whole[:-9])
    with pytest.raises(Refused, match=r"is damaged|is not a backup"):
        backups.restore(made)
    assert not any(everything().values())


def again(path: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> None:
    """The backup with another content and a seal that fits."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    change(manifest, files)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.comment = backups.SEAL + b"0" * 64
    whole = path.read_bytes()[:-64]
    path.write_bytes(whole + hashlib.sha256(whole).hexdigest().encode())


def foreign(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["format"] = "something else"


def newer_format(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["version"] = 2


def newer_schema(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["schema"].append("campaigns.9999_of_tomorrow")


def older_schema(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["schema"].remove("campaigns.0002_append_only")


def another_content(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    files["tables/campaigns.balance.jsonl"] += b" "


def without_lines(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    _replace(manifest, files, "tables/campaigns.account.jsonl", b"")


def strange_fields(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    _replace(manifest, files, "tables/campaigns.account.jsonl", b'{"id": 1}\n')


def without_a_table(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["files"] = [f for f in manifest["files"] if f["table"] != "campaigns.Line"]


def a_table_twice(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["files"].append(manifest["files"][0])


def no_version(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    del manifest["version"]


def no_files(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["files"] = None


def elsewhere(manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    manifest["files"][0]["name"] = "../../etc/passwd"


def _replace(manifest: dict[str, Any], files: dict[str, bytes], name: str, content: bytes) -> None:
    files[name] = content
    for entry in manifest["files"]:
        if entry["name"] == name:
            entry["rows"] = content.count(b"\n")
            entry["sha256"] = hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (without_a_table, "has not the tables that are kept here: campaigns.Line"),
        (a_table_twice, "has not the tables"),
        (no_version, "is not what a backup of Sitrep is"),
        (no_files, "is not what a backup of Sitrep is"),
        (elsewhere, "is not what a backup of Sitrep is"),
        (foreign, "is not a backup of Sitrep"),
        (newer_format, "has format 2"),
        (newer_schema, "made by a newer Sitrep .*9999_of_tomorrow"),
        (older_schema, "made by an older Sitrep .*0002_append_only"),
        (another_content, "is damaged"),
        (without_lines, "The database refuses what is in the backup"),
        (strange_fields, "has other fields"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason(change: Any, why: str, made: Path) -> None:
    emptied()
    again(made, change)
    with pytest.raises(Refused, match=why), transaction.atomic():
        backups.restore(made)
    assert not any(everything().values())


@pytest.mark.django_db
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04" + b"x" * 500, b"hello" * 100])
def test_another_file_is_not_a_backup(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(CommandError, match="is not a backup of Sitrep"):
        call_command("restore", str(path))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("restore", str(tmp_path / "nothing"))
