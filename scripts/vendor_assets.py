#!/usr/bin/env python3
"""Fetch the browser's libraries into static/vendor/ (for maintainers; needs npm).

Reads static/vendor/manifest.json: packages by name and version, the integrity of the packed
archive, and the files wanted from it. Refuses an archive whose integrity differs. Source-map
comments are stripped (their maps are not shipped), licences are kept, and the hash of every
file written goes back into the manifest, where a test compares it with what is committed.

    scripts/vendor_assets.py            fetch what the manifest names
    scripts/vendor_assets.py --trust    also accept and note the integrity of a new entry
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

VENDOR = Path(__file__).resolve().parent.parent / "static" / "vendor"
MANIFEST = VENDOR / "manifest.json"
SOURCE_MAP = re.compile(rb"\n?(?://|/\*)# sourceMappingURL=[^\n*]*(?:\*/)?\n?")


def packed(name: str, version: str, folder: Path) -> Path:
    """The package's archive, fetched by npm into `folder`."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("vendor_assets: npm is needed to fetch packages; users of Sitrep never need it")
    command = [npm, "pack", "--silent", "--pack-destination", str(folder), f"{name}@{version}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return folder / done.stdout.strip().splitlines()[-1]


def integrity(archive: Path) -> str:
    """Subresource-integrity form of the archive's SHA-512."""
    return "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()


def check(entry: dict[str, Any], found: str, *, trust: bool) -> None:
    """Exit unless the archive is the one the manifest knows."""
    wanted = entry.get("integrity")
    if wanted == found:
        return
    if wanted is None and trust:
        entry["integrity"] = found
        return
    sys.exit(
        f"vendor_assets: {entry['name']}@{entry['version']} has integrity {found}, "
        f"the manifest wants {wanted}. Nothing was copied from it."
    )


def copy(entry: dict[str, Any], archive: Path) -> None:
    """Write the wanted files, stripped of source-map comments, and note their hashes."""
    with tarfile.open(archive) as tar:
        for file in entry["files"]:
            member = tar.extractfile(f"package/{file['from']}")
            if member is None:
                sys.exit(f"vendor_assets: {entry['name']} has no file {file['from']}")
            data = SOURCE_MAP.sub(b"\n", member.read())
            target = VENDOR / file["to"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            file["sha256"] = hashlib.sha256(data).hexdigest()


def third_party(entries: list[dict[str, Any]]) -> str:
    """What is in the folder, whose it is, and under which terms."""
    lines = ["# Libraries of other people in this folder", ""]
    lines += ["Made by `scripts/vendor_assets.py`; the hashes are in `manifest.json`.", ""]
    lines += ["| package | version | licence | files |", "|---|---|---|---|"]
    for entry in entries:
        files = ", ".join(f"`{file['to']}`" for file in entry["files"])
        lines.append(f"| {entry['name']} | {entry['version']} | {entry['licence']} | {files} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--trust", action="store_true", help="note the integrity of new entries")
    trust = arguments.parse_args().trust
    manifest = json.loads(MANIFEST.read_text())
    with tempfile.TemporaryDirectory() as folder:
        for entry in manifest["packages"]:
            archive = packed(entry["name"], entry["version"], Path(folder))
            check(entry, integrity(archive), trust=trust)
            copy(entry, archive)
    MANIFEST.write_text(json.dumps(manifest, indent=2) + "\n")
    (VENDOR / "THIRD_PARTY.md").write_text(third_party(manifest["packages"]))


if __name__ == "__main__":
    main()
