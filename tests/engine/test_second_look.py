"""What `validate` says of a pack: every fault, none that only follows from another; then what is
worth a look in a pack that has none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulesengine.__main__ import main
from rulesengine.loader import BadPack, load_pack
from rulesengine.loader.looking import worth_a_look

PACKS = Path(__file__).parents[2] / "fixtures" / "packs"
EAST = "eastern-front-1941"


@pytest.fixture
def pack(tmp_path):
    """A copy of a shipped pack with `pack(file, old, new)` to change it."""
    folder = tmp_path / EAST
    shutil.copytree(PACKS / EAST, folder)

    class Changed:
        path = folder

        def __call__(self, file: str, old: str, new: str) -> None:
            text = (folder / file).read_text("utf-8")
            assert old in text, f"{old!r} is not in {file}"
            (folder / file).write_text(text.replace(old, new, 1), "utf-8")

        def faults(self) -> list[str]:
            with pytest.raises(BadPack) as bad:
                load_pack(folder)
            return str(bad.value).splitlines()

        def doubts(self) -> list[str]:
            return [str(doubt) for doubt in worth_a_look(load_pack(folder))]

    return Changed()


SENNO = "scenarios/senno.toml"
BORISOV = "scenarios/borisov.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (SENNO, 'unit = "td18-2"', 'unit = "td18-2s"', 'this side has no unit "td18-2s"'),
        (SENNO, 'unit = "pz38t"', 'unit = "pz38"', 'this side has no unit "pz38"'),
        (SENNO, 'unit = "td18-2"', 'unit = "td18-1"', "it is picked twice"),
        (SENNO, 'unit = "td18-2"', 'unit = "s52-4"', 'this side has no unit "s52-4"'),
        (SENNO, "ger-infantry = 2", "ger-infantri = 2", 'the unit has no "ger-infantri"'),
        (SENNO, "ger-infantry = 2", "ger-infantry = 9", '9 of "ger-infantry" are picked'),
        (SENNO, "[[picks.german]]", "[[picks.germans]]", 'picks: no side "germans"'),
        (SENNO, 'units = ["pz38t"]', 'units = ["pz38"]', 'arrivals[0].units: no unit "pz38"'),
        (BORISOV, "turns       = 9", "turns       = -9", "turns: -9 turns"),
        (BORISOV, "gut_check = 8", "gut_chek  = 8", 'no key "gut_chek" is known here. Did you'),
        (BORISOV, "[[terms]]", "[[term]]", 'no key "term" is known here. Did you mean "terms"?'),
        (BORISOV, "battlefield =", "battlefeld =", 'no key "battlefeld" is known here. Did you'),
        (BORISOV, "[[arrivals]]", "[[arrival]]", 'no key "arrival" is known here. Did you'),
        ("oob/german.toml", "[[formations]]", "[[formation]]", 'no key "formation" is known here'),
        ("oob/german.toml", "[[units]]", "[[unit]]", 'no key "unit" is known here. Did you'),
        ("oob/german.toml", "{ ger-infantry = 2", "{ ger-infantri = 2", 'type "ger-infantri"'),
        ("oob/soviet.toml", "{ sov-rifle = 3", "{ sov-rifel = 3", 'no unit type "sov-rifel"'),
        ("oob/soviet.toml", "{ sov-rifle = 3", "{ sov-rifle = 0", '0 of "sov-rifle"'),
        ("pack.toml", 'key         = "soviet"', 'key         = "sovjet"', "oob/sovjet.toml"),
        ("pack.toml", "ruleset =", "rulset  =", 'no key "rulset" is known here. Did you mean'),
        (
            "pack.toml",
            'german = "borisov", draw = "borisov", soviet = "senno"',
            'german = "senno", draw = "senno", soviet = "borisow"',
            'soviet leads to no rung "borisow". Did you mean "borisov"?',
        ),
        ("battlefields/borisov-bridge.toml", '"H" =', '"Hs" =', "a sign of the legend is one"),
        (
            "battlefields/borisov-bridge.toml",
            'grid = [\n    "',
            'grid = [\n    "w',
            "grid[0] (row 1): 29 hexes, but the map is 28 wide",
        ),
    ],
)
def test_what_only_follows_from_a_fault_is_not_told_with_it(file, old, new, told, pack):
    pack(file, old, new)
    (fault,) = pack.faults()
    assert told in fault


def test_a_unit_that_arrives_and_is_not_picked_is_told_where_the_picks_are_right(pack):
    pack(SENNO, '\n[[picks.german]]\nunit = "pz38t"\n', "")
    (fault,) = pack.faults()
    assert '"pz38t" arrives, but no side picks it here.' in fault


def test_formations_in_a_ring_are_named_and_not_those_below_it(pack):
    pack("oob/german.toml", 'key     = "pz-18"', 'key     = "pz-18"\nparent  = "s-52"')
    ring = [fault for fault in pack.faults() if fault.endswith("it is under itself")]
    assert len(ring) == 2


# --- faults of what can never work ---------------------------------------------------------------


@pytest.mark.parametrize("date", ["1941-13-01", "in summer", "1941-02-30"])
def test_a_date_that_is_none_is_a_fault(date, pack):
    pack(SENNO, 'date        = "1941-07-07"', f'date        = "{date}"')
    assert pack.faults() == [
        f'scenarios/senno.toml: date: "{date}" is not a date. Write it as "1944-12-19".'
    ]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("terms[0].gutcheck", 'terms[0] has no "gutcheck". Did you mean "gut_check"?'),
        ("terms[2].gut_check", "terms has 2 entries, counted from 0."),
        ("control[0]", "control has 0 entries, counted from 0."),
        ("arrivals[1]", "arrivals has 1 entry, counted from 0."),
        ("victori", 'the scenario has no "victori". Did you mean "victory"?'),
        ("turns[0]", "turns is no list."),
        ("terms[0].exits", 'terms[0] has no "exits".'),
        ("terms[x]", "that is no path."),
        ("terms[0]gut_check", "that is no path."),
        (".turns", "that is no path."),
        ("terms[٣]", "that is no path."),
        ("", "that is no path."),
    ],
)
def test_an_estimate_that_is_nowhere_is_a_fault(path, told, pack):
    pack(SENNO, '"arrivals[0].at"', f'"{path}"')
    (fault,) = pack.faults()
    assert fault.startswith(f'scenarios/senno.toml: estimates[6]: "{path}": {told}')


def test_estimates_may_be_of_anything_that_is_said(pack):
    pack(
        SENNO,
        '"arrivals[0].at"',
        '"forces[0].units[0].elements", "ground.legend.w", "terms[1].impulses.dice", "turns"',
    )
    assert load_pack(pack.path)


def cards(each: int, *copies: int) -> str:
    deck = ", ".join(
        f'{{ card = "{card}", copies = {count} }}'
        for card, count in zip(("second-wind", "strafing-run"), copies, strict=False)
    )
    return f"luck_cards = {{ each = {each}, deck = [{deck}] }}\nturns       = 8"


def test_a_deck_has_cards_for_both_sides(pack):
    pack(SENNO, "turns       = 8", cards(4, 5))
    assert pack.faults() == [
        "scenarios/senno.toml: luck_cards.deck: 5 cards in it, but two sides draw 4 each [3.3.p1]."
        " 8 are enough."
    ]


def test_a_deck_that_is_just_large_enough_is_no_fault(pack):
    pack(SENNO, "turns       = 8", cards(3, 5, 1))
    assert not pack.doubts()


def test_set_up_zones_that_share_hexes_are_a_fault(pack):
    pack(SENNO, 'zone      = "W2:BB17"', 'zone      = "R12:BB17"')
    assert pack.faults() == ["scenarios/senno.toml: terms: the set-up zones overlap in R12"]


def test_a_ladder_that_never_ends_is_a_fault_of_every_fight_on_it(pack):
    pack("pack.toml", '{ german = "", draw = "", soviet = "" }', BACK)
    faults = pack.faults()
    assert len(faults) == 6
    assert faults[0] == (
        'pack.toml: ladder[0] ("bug"): whoever wins, here and after it, the ladder never ends.'
        ' Let an outcome lead to "": there it ends.'
    )


# --- what is worth a look ------------------------------------------------------------------------

BACK = '{ german = "bug", draw = "bug", soviet = "bug" }'


@pytest.mark.parametrize("folder", sorted(PACKS.iterdir()), ids=lambda folder: folder.name)
def test_a_shipped_pack_has_nothing_that_is_worth_a_look(folder):
    assert worth_a_look(load_pack(folder)) == ()


def test_a_ladder_that_may_go_round_says_how(pack):
    pack(
        "pack.toml", '{ german = "", draw = "", soviet = "" }', BACK.replace('w = "bug"', 'w = ""')
    )
    assert pack.doubts() == [
        'pack.toml: ladder[5] ("snow"): the ladder loops by german and soviet: snow -> bug ->'
        " borisov -> senno -> yelnya -> mtsensk -> snow. These fights may come again without end."
    ] or pack.doubts()[0].startswith('pack.toml: ladder[5] ("snow"): the ladder loops by german')


def test_a_fight_that_leads_to_itself_says_so(pack):
    pack("pack.toml", '{ german = "", draw = "", soviet = "" }', '{ german = "snow", draw = "" }')
    assert pack.doubts() == [
        'pack.toml: ladder[5] ("snow"): next says nothing of "soviet": the ladder ends there.'
        ' Write soviet = "" if so.',
        'pack.toml: ladder[5] ("snow"): the ladder loops by german: snow -> snow. These fights may'
        " come again without end.",
    ]


def test_a_scenario_on_no_rung_is_told(pack):
    shutil.copy(pack.path / SENNO, pack.path / "scenarios" / "spare.toml")
    assert pack.doubts() == [
        "scenarios/spare.toml: it is on no rung of the ladder, so no campaign comes to it"
    ]


@pytest.mark.parametrize("kind", ["foxholes", "wire", "trench", "roadblock"])
def test_works_beyond_the_own_zone_are_told(kind, pack):
    works = f'[[terms.works]]\nkind  = "{kind}"\nhexes = "K7, A5, Z3"\n\n'
    pack(SENNO, '\n[[terms]]\nside      = "soviet"', f'\n{works}[[terms]]\nside      = "soviet"')
    assert pack.doubts() == [
        f'scenarios/senno.toml: terms[0].works[0] ("{kind}").hexes: A5 is outside the set-up zone'
        " of german (J5:R12)",
        f'scenarios/senno.toml: terms[0].works[0] ("{kind}").hexes: Z3 is in the set-up zone of'
        " the enemy (W2:BB17)",
    ]


def test_cards_that_a_battle_on_foot_takes_out_are_told(pack):
    pack(
        "scenarios/snow-village.toml",
        "turns       = 8",
        'turns       = 8\nluck_cards  = { each = 2, deck = [{ card = "second-wind", copies = 1 },'
        ' { card = "cold-engine", copies = 9 }] }',
    )
    assert not pack.doubts()
    pack("scenarios/snow-village.toml", '\n[[picks.soviet]]\nunit = "tb4-2"', "")
    assert pack.doubts() == [
        "scenarios/snow-village.toml: luck_cards.deck: without vehicles the deck has 1 card, and"
        " two sides draw 2 each [3.3.7]. Who draws second gets what is left."
    ]


def test_validate_lists_what_is_worth_a_look_and_is_content(pack, capsys):
    pack("pack.toml", '{ german = "", draw = "", soviet = "" }', '{ german = "", draw = "" }')
    assert main(["validate", str(pack.path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "eastern-front-1941: Eastern Front 1941: all right, 6 scenarios",
        "Worth a look:",
        '  pack.toml: ladder[5] ("snow"): next says nothing of "soviet": the ladder ends there.'
        ' Write soviet = "" if so.',
    ]
