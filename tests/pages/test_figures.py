"""The small pictures: symbols, bars, lines, boxes, codes, and the hex map."""

from __future__ import annotations

import pytest

from campaigns.templatetags import battlefield, figures, sight_lines, words


def test_a_symbol_names_itself_for_those_who_do_not_see_it():
    made = figures.symbol("anti-tank", "hostile", "platoon")
    assert "#anti-tank-hostile-platoon" in made
    assert 'aria-label="Anti-tank platoon, hostile"' in made


def test_a_symbol_beside_its_name_is_silent():
    assert 'aria-hidden="true"' in figures.symbol("infantry", silent=True)


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("armoured infantry", "armoured-infantry"),
        ("antitank rifle", "anti-tank"),
        ("something new", "infantry"),
        ("", "infantry"),
    ],
)
def test_a_word_of_a_catalogue_finds_its_symbol_or_the_nearest(word, key):
    assert figures.kind_key(word) == key


def test_a_strength_bar_says_its_figures_in_words():
    made = figures.strength(8, 6, 2)
    assert 'aria-label="6 of 8 on hand, 2 reduced"' in made
    assert 'class="fit" x="0" y="0" width="50.0"' in made


def test_a_strength_bar_of_more_than_authorised_stays_within_its_frame():
    assert 'class="fit" x="0" y="0" width="100.0"' in figures.strength(2, 4)


def test_an_odds_bar_adds_up_to_its_runs():
    made = figures.odds_bar(50, 10, 30, 10)
    assert "Of 100 runs: 50 win, 10 draw, 30 loss, 10 failed" in made


@pytest.mark.parametrize("values", [[], [3], [0, 0, 0], [5, -2, 7]])
def test_a_line_is_drawn_of_any_figures(values):
    made = figures.sparkline(values, "Strength")
    assert (made == "") == (values == [])
    assert "nan" not in made


def test_a_name_cannot_break_out_of_a_picture():
    assert "<script>" not in figures.sparkline([1, 2], '"><script>')
    assert "<script>" not in figures.qr("x", '"><script>')


def test_there_is_a_box_for_every_element():
    assert figures.boxes(13).count("<rect") == 13


def test_a_code_holds_no_inline_style():
    assert "style=" not in figures.qr("http://localhost/join/abc/", "The link")


def test_numbers_are_signed_with_a_real_minus():
    assert [words.signed(n) for n in (3, 0, -2)] == ["+3", "0", "−2"]


# --- the hex map ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at"), [("A1", (0, 0)), ("B10", (1, 9)), ("Z1", (25, 0)), ("AA3", (26, 2))]
)
def test_a_hex_is_found_by_its_name_and_named_again(name, at):
    assert battlefield.place(name) == at
    assert battlefield.column_name(at[0]) + str(at[1] + 1) == name


def test_the_hex_north_east_of_a1_is_b1_and_column_a_sits_lower():
    assert battlefield.beside(0, 0, "NE") == battlefield.place("B1")
    assert battlefield.centre(0, 0)[1] > battlefield.centre(1, 0)[1]


@pytest.mark.parametrize("side", battlefield.HEXSIDES)
def test_a_hexside_is_shared_with_the_hex_across_it(side):
    opposite = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}
    for column in (4, 5):
        across = battlefield.beside(column, 5, side)
        mine = set(battlefield.hexside(column, 5, side)[1:].split(" L"))
        theirs = set(battlefield.hexside(*across, opposite[side])[1:].split(" L"))
        assert mine == theirs


def test_an_area_is_read_as_the_scenario_writes_it():
    hexes = set(battlefield.area("A1:B2, D4"))
    assert hexes == {(0, 0), (0, 1), (1, 0), (1, 1), (3, 3)}


def test_the_border_of_one_hex_has_six_sides_and_of_two_ten():
    assert battlefield.border({(2, 2)}).count("M") == 6
    assert battlefield.border({(2, 2), (2, 3)}).count("M") == 10


def test_a_map_lists_every_hex_of_its_ground_in_words():
    ground = {"grid": ["w.", ".H"], "legend": {"w": "woods", ".": "open", "H": "heavy structure"}}
    drawn = battlefield.draw(ground)
    listed = {g.name: g.hexes for g in drawn.grounds}
    assert listed == {"open": ["B1", "A2"], "woods": ["A1"], "heavy structure": ["B2"]}
    assert len(drawn.coordinates) == 4


def test_levels_are_shaded_marked_and_listed_hills_gullies_and_tall_buildings_apart():
    ground = {
        "grid": ["..", "v.", ".h"],
        "legend": {".": "open", "v": "gully + brush", "h": "light structure"},
        "levels": ["12", "-0", "01"],
        "steep": ["A1/NE"],
    }
    drawn = battlefield.draw(ground)
    listed = {h.words: (h.hexes, bool(h.outline)) for h in drawn.heights}
    assert listed == {
        "gully, level \N{MINUS SIGN}1": (["A2"], True),
        "hill, level 1": (["A1"], True),
        "hill, level 2": (["B1"], True),
        "building of 2 storeys": (["B3"], False),
    }
    assert [mark.name for mark in drawn.marks] == ["▲1", "▲2", "▼", "▲1"]
    assert [kind for kind, _ in drawn.edges] == ["steep slope"]
    assert "brush" in {g.name for g in drawn.grounds}


def test_a_flat_map_has_no_marks_of_levels():
    drawn = battlefield.draw({"grid": [".."], "legend": {".": "open"}, "levels": ["00"]})
    assert (drawn.heights, drawn.marks) == ([], [])


def test_every_battlefield_of_the_packs_is_drawn(settings):
    import tomllib

    found = sorted((settings.BASE_DIR / "fixtures" / "packs").glob("*/battlefields/*.toml"))
    assert found
    for path in found:
        ground = tomllib.loads(path.read_text())
        drawn = battlefield.draw(ground)
        known = set(battlefield.GROUND)
        assert {g.name for g in drawn.grounds} <= known, path.name


@pytest.mark.parametrize(
    ("gain", "fair", "at"),
    [
        (0, 20, 50.0),
        (20, 20, 75.0),
        (-10, 20, 37.5),
        (500, 20, 100.0),
        (-500, 20, 0.0),
        (0, 0, 50.0),
    ],
)
def test_luck_is_marked_against_the_band_of_fair_dice_and_stays_in_its_frame(gain, fair, at):
    made = figures.luck_bar(gain, fair)
    assert f'class="came" d="M{at},0 V20"' in made
    assert '<rect class="band" x="25" y="3" width="50"' in made


@pytest.mark.parametrize(
    ("value", "plain", "signed"),
    [(7.0, "7", "+7"), (-3.5, "-3.5", "−3.5"), (0.0, "0", "0"), (0.04, "0", "0")],
)
def test_sums_of_dice_show_a_half_and_a_sign_only_where_there_is_one(value, plain, signed):
    assert words.pips(value) == plain
    assert words.signed_pips(value) == signed


def test_a_line_of_sight_runs_from_centre_to_centre_and_outlines_hexes_and_hexsides():
    line = sight_lines.sight_line("A1", "C3", "degraded", "degraded 1, 3 hexes", ["B2", "B2/NE"])
    centres = [battlefield.centre(0, 0), battlefield.centre(2, 2)]
    assert [tuple(round(v, 1) for v in centre) for centre in centres] == list(line.ends)
    assert line.met == battlefield.outline(1, 1) + battlefield.hexside(1, 1, "NE")
