"""What the browser is served: libraries as the manifest knows them, symbols, strict policy."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
VENDOR = STATIC / "vendor"
SVG = "{http://www.w3.org/2000/svg}"


def manifest() -> list[dict]:
    return json.loads((VENDOR / "manifest.json").read_text())["packages"]


def test_every_vendored_file_has_the_hash_the_manifest_gives():
    for package in manifest():
        for file in package["files"]:
            data = (VENDOR / file["to"]).read_bytes()
            assert hashlib.sha256(data).hexdigest() == file["sha256"], file["to"]


def test_nothing_is_vendored_that_the_manifest_does_not_name():
    named = {file["to"] for package in manifest() for file in package["files"]}
    found = {
        str(path.relative_to(VENDOR))
        for path in VENDOR.rglob("*")
        if path.is_file() and path.parent != VENDOR
    }
    assert found == named


def test_every_library_keeps_its_licence():
    listed = (VENDOR / "THIRD_PARTY.md").read_text()
    for package in manifest():
        assert any("LICENSE" in file["to"] for file in package["files"]), package["name"]
        assert package["name"] in listed
        assert package["version"] in listed


def test_vendored_files_point_at_no_source_map():
    for path in VENDOR.rglob("*.min.*"):
        assert "sourceMappingURL" not in path.read_text(), path


def test_the_atlas_holds_every_kind_in_every_frame_and_echelon():
    root = ElementTree.parse(STATIC / "symbols" / "atlas.svg").getroot()
    symbols = {symbol.get("id"): symbol for symbol in root.iter(f"{SVG}symbol")}
    index = json.loads((STATIC / "symbols" / "index.json").read_text())
    for kind in index["kinds"]:
        for frame in index["frames"]:
            for echelon in ["", *index["echelons"]]:
                name = "-".join(part for part in (kind, frame, echelon) if part)
                title = symbols[name].find(f"{SVG}title")
                assert title is not None
                assert title.text
                assert "var(--side-fill" in ElementTree.tostring(symbols[name], "unicode")


def test_the_atlas_is_what_the_script_draws():
    import subprocess
    import sys

    script = Path(settings.BASE_DIR) / "scripts" / "build_symbols.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda p: p.name)
def test_a_template_has_no_inline_style_or_script(path):
    text = path.read_text()
    assert not re.search(r"\sstyle=", text)
    assert not re.search(r"\son(click|change|submit|load|input)=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert "<style" not in text


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda p: p.name)
def test_a_table_has_a_caption_and_scoped_heads(path):
    text = path.read_text()
    for table in re.findall(r"<table.*?</table>", text, re.S):
        assert "<caption" in table
        assert all("scope=" in head for head in re.findall(r"<th[\s>][^>]*>?", table))


def test_a_script_of_ours_is_at_most_300_lines():
    for path in (STATIC / "js").glob("*.js"):
        assert len(path.read_text().splitlines()) <= 300, path


def test_no_file_of_ours_names_another_host():
    ours = [*TEMPLATES.rglob("*.html"), *(STATIC / "js").glob("*"), *(STATIC / "css").glob("*")]
    for path in ours:
        for address in re.findall(r"https?://[^\s\"'<>]+", path.read_text()):
            pytest.fail(f"{path.name} names {address}")
