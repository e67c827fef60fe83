"""Documents without end: a pipe that never closes, a device, a film named .json."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from rulesengine import documents
from rulesengine.__main__ import main
from rulesengine.documents import BadDocument, bytes_of
from rulesengine.loader import BadPack, load_scenario


@pytest.fixture
def small(monkeypatch):
    """What counts as too large, so that no test needs a large file."""
    monkeypatch.setattr(documents, "LARGEST", 1 << 20)
    return b"[" + b" " * (1 << 20)


def test_no_more_is_read_than_can_be_a_document(small):
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, size=-1):
            assert size >= 0, "it would never come back"
            self.taken += size
            return b"\0" * size

    endless = Endless()
    with pytest.raises(BadDocument, match="pipe: it is larger than 1 megabytes"):
        bytes_of(endless, "pipe")
    assert endless.taken == (1 << 20) + 1


@pytest.mark.parametrize("command", ["ask", "replay", "audit", "rerun"])
def test_a_command_says_so_in_a_line(small, command, tmp_path, capsys):
    film = tmp_path / "film.json"
    film.write_bytes(small)
    assert main([command, str(film)]) == 1
    assert capsys.readouterr().err == f"{film}: it is larger than 1 megabytes\n"


def test_a_question_that_is_piped_in_too(small, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(small)))
    assert main(["ask", "-"]) == 1
    assert "question: it is larger than" in capsys.readouterr().err


def test_a_scenario_too(small, tmp_path):
    film = tmp_path / "film.json"
    film.write_bytes(small)
    with pytest.raises(BadPack, match="larger than 1 megabytes"):
        load_scenario(film)
