"""The printed tables and the counters: what they hold, and how a fault in them is told."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from rulesengine import pack
from rulesengine.rulesets.ost import catalogue, charts
from rulesengine.tables import BadTable, Row, read_rows, read_table

ICT = """
12 C C C-S C-B X X X X X X X
11 B B C C-S C-B X X X X X X
10 S B B C C-S C-S C-B C-B X X X
9 - S S B C C C-S C-S C-B X X
8 - - S S B B C C C-S C-B X
7 - - - S S S B B C C-S C-B
6 - - - - - S S B B C C-S
5 - - - - - - - S B B C
4 - - - - - - - - - S B
3 - - - - - - - - - - S
2 - - - - - - - - - - -
"""

VCT = """
12 D D D-S X X X X X X X X
11 B B D D-S X X X X X X X
10 S B B D D-S X X X X X X
9 - S S B D D-S X X X X X
8 - - S S B D D D-S X X X
7 - - - S S S B D D-S X X
6 - - - - - S S B B D-B X
5 - - - - - - - S S B D-B
4 - - - - - - - - - S B
3 - - - - - - - - - - -
2 - - - - - - - - - - -
"""

GOOD = """
name = "A table"
rule = "1.0"
status = "printed"
columns = ["-1", "0", "+1/+2"]
[rows]
3 = ["", "S", "X"]
2 = ["", "", "S"]
"""


@pytest.fixture
def table(tmp_path: Path):
    def read(text: str):
        path = tmp_path / "a_table.toml"
        path.write_text(text, encoding="utf-8")
        return read_table(path, ("", "S", "X"))

    return read


@pytest.mark.parametrize(("text", "printed"), [(ICT, charts.ICT_TABLE), (VCT, charts.VCT_TABLE)])
def test_the_combat_tables_are_the_repaired_ones_cell_by_cell(text, printed):
    for line in text.strip().splitlines():
        roll, *cells = line.split()
        expected = ["" if cell == "-" else cell for cell in cells]
        assert [printed.results[code] for code in printed.cells[int(roll)]] == expected
    assert printed.status == "repaired"
    assert printed.why


def test_a_column_takes_in_what_its_heading_says_and_the_ends_are_open():
    values = (-9, -5, -4, 0, 2, 3, 4, 5, 6, 7, 20)
    assert [charts.column(v, 0) for v in values] == [0, 0, 1, 5, 7, 8, 8, 9, 9, 10, 10]


def test_a_roll_beyond_the_table_uses_its_last_row():
    assert charts.ICT_TABLE.result(15, 0) == "C"
    assert charts.ICT_TABLE.result(-1, 10) == ""


def test_four_against_six_with_a_seven_shakes():
    assert charts.ICT_TABLE.result(7, charts.column(4, 6)) == "S"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"+1/+2"', '"+2"', 'a_table.toml: columns[2]: "+2" leaves a gap; expected +1'),
        ('"+1/+2"', '"0/+1"', 'a_table.toml: columns[2]: "0/+1" overlaps the column before'),
        ('"+1/+2"', '"one"', 'a_table.toml: columns[2]: "one" is not a whole number'),
        ('"", "S", "X"', '"", "Q", "X"', 'a_table.toml: rows.3[1]: no result "Q"'),
        ('"", "S", "X"', '"", "S"', "a_table.toml: rows.3: 2 cells, but 3 columns"),
        ("3 =", "4 =", "a_table.toml: rows: a gap, there is no row for 3"),
        ("3 =", "02 =", "a_table.toml: rows.2: overlaps another row for 2"),
        ("3 =", "three =", "a_table.toml: rows.three: a row is named by the roll"),
        ('rule = "1.0"', 'ruel = "1.0"', "a_table.toml: $: Object"),
        ('"printed"', '"guessed"', "a_table.toml: $.status: Invalid enum value 'guessed'"),
        ("[rows]", "[rows", "a_table.toml: "),
    ],
)
def test_a_faulty_table_is_refused_and_says_where(table, old, new, told):
    assert table(GOOD).column(2) == 2
    with pytest.raises(BadTable) as fault:
        table(GOOD.replace(old, new))
    assert told in str(fault.value)


class Thing(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    key: str
    size: int


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[rows]]\nkey = "a"\nsize = "big"', "things.toml: rows[0] (a).size: Expected `int`"),
        ('[[rows]]\nkey = "a"\nsize = 1\n' * 2, "things.toml: rows[1] (a): key is already that"),
        ('[[rows]]\nkey = "a"', "things.toml: rows[0] (a): Object missing required field `size`"),
        ('colour = "red"\n[[rows]]\nkey = "a"\nsize = 1', 'things.toml: $: no such key "colour"'),
        ("rows = []", "things.toml: $: expected a list of [[rows]]"),
    ],
)
def test_a_faulty_list_is_refused_and_names_the_row(tmp_path, text, told):
    path = tmp_path / "things.toml"
    path.write_text('status = "printed"\n' + text, encoding="utf-8")
    with pytest.raises(BadTable) as fault:
        read_rows(path, Thing)
    assert told in str(fault.value)


def test_woods_cost_two_on_foot_add_two_and_block():
    woods = charts.TERRAIN[charts.TERRAIN_BY_KEY["woods"]]
    assert (woods.foot, woods.wheeled, woods.tracked, woods.tracked_bog) == (2, None, 6, True)
    assert (woods.defense, woods.sight) == (2, "blocks")
    rules = {"cost": "14.5.2", "closed": "14.5.3", "defense": "14.5.4", "sight": "14.5.6"}
    assert woods.rules == rules


def test_every_code_a_log_may_hold_has_one_name_and_a_rule():
    rows = [*charts.MODIFIERS, *charts.TERRAIN, *charts.HEXSIDES, *charts.MARKERS]
    assert len({row.code for row in rows}) == len(rows)
    assert charts.NAMES[1] == ("adjacent target", "27.1.p3")
    assert charts.NAMES[charts.TERRAIN[4].code] == ("woods", "14.5.4")
    assert all(rule for name, rule in charts.NAMES.values() if name != "mines")


def test_a_rifle_squad_has_the_printed_figures():
    squad = catalogue.unit_type("us-rifle")
    assert (squad.fp, squad.defense, squad.mp, squad.points) == (4, 4, 4, 2)
    assert squad.status == "estimate", "its range is not printed, so the row is an estimate"
    assert any("fp 4" in note for note in squad.printed)


def test_a_counter_says_what_it_is_and_where_it_comes_from():
    elements = catalogue.catalogue().elements
    assert len({e.key for e in elements}) == len(elements)
    assert all(e.source for e in elements)
    assert all(catalogue.BY_KEY[t.becomes] >= 0 for t in catalogue.ROWS if t.becomes)
    for t in catalogue.ROWS:
        if t.category in ("squad", "crewed weapon"):
            assert t.reduced_fp == max(1, t.fp // 2), t.key
            assert t.conditions == ("fit", "reduced"), t.key


def test_every_rule_the_charts_cite_stands_in_the_index():
    folder = Path(charts.__file__).parent
    index = folder / "rules" / "index.csv"
    if not index.exists():
        pytest.skip("no rule index yet")
    with index.open(encoding="utf-8", newline="") as lines:
        known = {row["id"] for row in csv.DictReader(lines)}
    cited = {rule for _, rule in charts.NAMES.values() if rule}
    for name in ("terrain", "hexsides", "markers"):
        rows = tomllib.loads((folder / "tables" / f"{name}.toml").read_text("utf-8"))["rows"]
        cited |= {rule for row in rows for rule in row["rules"].values()}
    assert not cited - known


def test_every_symbol_is_in_the_atlas():
    root = Path(__file__).parents[2]
    kinds = json.loads((root / "static" / "symbols" / "index.json").read_text("utf-8"))["kinds"]
    assert {t.symbol for t in catalogue.ROWS} <= set(kinds)
    assert set(get_args(pack.Symbol)) == set(kinds)
