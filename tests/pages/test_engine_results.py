"""Every result the engine can make is prefilled whole, and adds up in its own form."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from campaigns import engine, scored
from campaigns.forms.result import ResultForm, places, prefilled
from rulesengine.loader import load_scenario

ROOT = Path(__file__).parents[2] / "fixtures"
FIGHTS = (*sorted((ROOT / "packs").glob("*/scenarios/*.toml")), ROOT / "bench" / "armour.toml")
RUNS = 10


_results = {}


def fought(scenario, run):
    """The result of a run of a fight; fought once, however many tests ask."""
    name = engine.digest(scenario), run
    if name not in _results:
        key = bytes([run + 1]) * 32
        _results[name] = engine.fight(scenario, key, 1, lambda *_: True).result
    return _results[name]


def plain(result):
    return engine.parsed(engine.in_order(result))


def sent_by_the_page(scenario, document):
    """The fields a browser sends of a form prefilled with a document and left alone."""
    form = ResultForm(scenario, prefilled(scenario, document))
    fields = {k: v for k, v in form.data.items() if not k.startswith(("n:", "into:", "morale:"))}
    for card in form.cards():
        fields[card.morale_name] = card.morale
        for row in card.rows:
            fields |= {cell.name: str(cell.value) for cell in row.cells}
            if row.takers:
                assert row.into in ("", *(key for key, _ in row.takers))
                fields[row.into_name] = row.into
    return fields


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_an_engine_result_left_alone_in_its_form_is_the_same_document(path):
    scenario = load_scenario(path)
    for run in range(RUNS):
        result = fought(scenario, run)
        document = plain(result)
        sent = sent_by_the_page(scenario, document)
        again = ResultForm(scenario, sent, standing=document).document()
        # Whoever sends a form answers for it; all else is as it was.
        told = plain(engine.read_result(again)) | {"source": "engine", "log": document["log"]}
        assert told == document, f"{path.stem}, run {run}"
        assert len(places(scenario)) == len(document["holdings"])


def test_those_fights_hold_every_kind_of_end():
    """What the test above is worth: these fates came up in it."""
    found = Counter()
    for path in FIGHTS:
        scenario = load_scenario(path)
        for run in range(RUNS):
            for fate in fought(scenario, run).elements:
                became, gone = bool(fate.became), fate.after == "eliminated"
                found["captured"] += fate.cause == "captured"
                found["became"] += became and not gone
                found["became and lost"] += became and gone and not fate.merged_into
                found["became and merged"] += became and bool(fate.merged_into)
                found["merged"] += not became and bool(fate.merged_into)
                found["left on the field"] += fate.cause == "left on the field"
    assert all(found.values()), found


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_one_figure_changed_in_an_engine_result_changes_one_fate(path):
    scenario = load_scenario(path)
    tried = 0
    for run in range(RUNS):
        document = plain(fought(scenario, run))
        sent = sent_by_the_page(scenario, document)
        dead = [f for f in document["elements"] if f["cause"] == "combat" and not f["morale"]]
        if not dead:
            continue  # In a small fight it may be that only vehicles were lost.
        fallen, tried = dead[0], tried + 1
        row = f"n:{fallen['unit']}:{fallen['type']}"
        sent[f"{row}:eliminated"] = str(int(sent[f"{row}:eliminated"]) - 1)
        sent[f"{row}:fit"] = str(int(sent[f"{row}:fit"]) + 1)
        form = ResultForm(scenario, sent, standing=document)
        again = plain(engine.read_result(form.document()))
        pairs = zip(document["elements"], again["elements"], strict=True)
        changed = [(was["type"], is_["after"]) for was, is_ in pairs if was != is_]
        assert changed == [(fallen["type"], "fit")], f"{path.stem}, run {run}"
    assert tried >= RUNS // 2


def reasons(document, side):
    return {
        line["why"]: line["quantity"]
        for line in document["points"]
        if (line["side"], line["what"]) == (side, "victory")
    }


@pytest.mark.parametrize("more", [0, 3])
def test_points_that_are_corrected_keep_the_reasons_that_still_hold(more):
    """What the losses come to follows the casualty points; what nothing explains is as reported."""
    scenario = load_scenario(next(path for path in FIGHTS if path.stem == "noville"))
    document = plain(fought(scenario, 0))
    before = reasons(document, "axis")
    sent = sent_by_the_page(scenario, document)
    casualty, victory = "points:casualty:axis", "points:victory:axis"
    sent |= {
        casualty: str(int(sent[casualty]) - 2),
        victory: str(int(sent[victory]) - 2 + more),
    }
    again = ResultForm(scenario, sent, standing=document).document()
    after = reasons(again, "axis")
    assert after.pop("as reported", 0) == more
    assert before["head start"] > 0
    assert after == before | {"enemy losses": before["enemy losses"] - 2}
    once = ResultForm(scenario, sent | {victory: sent[victory]}, standing=again).document()
    assert reasons(once, "axis") == reasons(again, "axis")


@pytest.mark.parametrize(("points", "told"), [(30, True), (5, False)])
def test_a_head_start_is_told_of_points_entered_by_hand_that_hold_it(points, told):
    scenario = load_scenario(next(path for path in FIGHTS if path.stem == "noville"))
    start = scored.start_of(scenario, "axis")
    assert 5 < start <= 30
    fields = prefilled(scenario, {}) | {"winner": "axis", "points:victory:axis": str(points)}
    for unit in (u for force in scenario.forces for u in force.units):
        for element in unit.elements:
            name = f"n:{unit.id}:{element.type}:{element.condition}"
            fields[name] = str(int(fields.get(name, 0)) + 1)
    found = reasons(ResultForm(scenario, fields).document(), "axis")
    assert sum(found.values()) == points
    assert (found.get("head start") == start) is told
