"""`python -m rulesengine packs`: what there is, where, and what is wrong with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulesengine.__main__ import main
from rulesengine.listing import SHIPPED
from rulesengine.loader import load_scenario


def test_every_scenario_that_is_shipped_is_listed_with_a_path_that_plays(capsys, monkeypatch):
    monkeypatch.chdir(SHIPPED.parents[1])
    assert main(["packs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert [head.partition(":")[0] for head in heads] == sorted(p.name for p in SHIPPED.iterdir())
    listed = dict(line.strip().split(": ", 1) for line in lines if line.startswith(" "))
    assert len(listed) == len(list(SHIPPED.glob("*/scenarios/*.toml")))
    for path, title in listed.items():
        assert not Path(path).is_absolute()
        assert load_scenario(Path(path)).title == title


def test_a_faulty_pack_does_not_hide_the_others(capsys, tmp_path):
    for pack in SHIPPED.iterdir():
        shutil.copytree(pack, tmp_path / pack.name)
    head = tmp_path / "road-to-bastogne" / "pack.toml"
    head.write_text(
        head.read_text("utf-8").replace('kind    = "ladder"', 'kind = "stairs"'), "utf-8"
    )
    assert "stairs" in head.read_text("utf-8")
    assert main(["packs", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "eastern-front-1941: Eastern Front 1941" in out
    assert f"road-to-bastogne: 1 fault; python -m rulesengine validate {head.parent} tells" in out


@pytest.mark.parametrize(("below", "says"), [("", "has a pack.toml"), ("nowhere", "no folder")])
def test_where_there_are_none_it_says_so(capsys, tmp_path, below, says):
    assert main(["packs", str(tmp_path / below)]) == 1
    assert says in capsys.readouterr().err
