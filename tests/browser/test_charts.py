"""Charts in a real browser: made of the tables on the page, in both themes, on phone and paper."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import VIOLATIONS

pytestmark = pytest.mark.browser

FIGURES = """
() => [...document.querySelectorAll('figure.chart canvas')].map((canvas) => {
  const { labels, datasets } = Chart.getChart(canvas).data;
  const set = (d) => ({ label: d.label, data: [...d.data], ink: d.borderColor });
  return { labels, sets: datasets.map(set) };
})
"""
TABLES = """
() => [...document.querySelectorAll('table[data-chart]')].map((table) =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim())))
"""
INKED = """
() => [...document.querySelectorAll('figure.chart canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, at) => at % 4 === 3 && value > 0).length;
})
"""


@pytest.fixture(scope="module")
def history(instance, people):
    """The history page of the demo after its first battle was posted, for its referee."""
    said = instance.manage("demo")
    password = re.search(r"^  referee\s+(\S+)", said, re.M)[1]
    referee = people("referee")
    referee.context.clear_cookies()
    referee.signs_in(password)
    campaign = re.search(r"/c/[\w-]+/", said)[0]
    referee.goes(campaign)
    links = referee.page.eval_on_selector_all("main a", "a => a.map(e => e.getAttribute('href'))")
    battle = next(link for link in links if re.search(r"/battles/\w+/$", link))
    referee.goes(battle)
    if referee.page.get_by_role("button", name="Lock the forces").count():
        referee.presses("Lock the forces")
    if referee.page.get_by_role("button", name="Resolve by the rules").count():
        referee.presses("Resolve by the rules")
    referee.page.locator(f"a[href='{battle}replay/']").first.wait_for(timeout=60_000)
    if referee.page.get_by_role("link", name="Preview and post").count():
        referee.goes(f"{battle}preview/")
        referee.presses("Post the result")
    return referee, f"{campaign}history/"


@pytest.fixture
def page(history):
    referee, address = history
    referee.page.emulate_media(media="screen", color_scheme="light")
    referee.page.set_viewport_size({"width": 1200, "height": 850})
    referee.goes(address)
    referee.page.locator(".charted").wait_for()
    return referee.page


def test_a_chart_shows_the_figures_of_the_table_below_it(page):
    (points, lost), (points_table, lost_table) = page.evaluate(FIGURES), page.evaluate(TABLES)
    assert points["labels"] == [row[0] for row in points_table[1:]]
    totals = [[int(row[3 + n].replace("−", "-")) for row in points_table[1:]] for n in (0, 1)]
    assert [one["data"] for one in points["sets"]] == totals
    assert totals[0][0] == totals[1][0] == 0
    assert max(map(max, totals)) > 0
    rows = lost_table[1:]
    for one in lost["sets"]:
        for turn, count in zip(lost["labels"], one["data"], strict=False):
            mine = [r for r in rows if f"{r[1]}: {r[2]}" == one["label"] and r[0] == turn]
            assert sum(int(row[3]) for row in mine) == (count or 0)
    shown = sum(count or 0 for one in lost["sets"] for count in one["data"])
    assert shown == sum(int(row[3]) for row in rows) > 0


def test_it_is_drawn_in_the_colours_of_the_sides_and_anew_for_the_other_theme(page):
    light = page.evaluate(FIGURES)
    assert all(count > 5000 for count in page.evaluate(INKED))
    inks = [one["ink"] for one in light[0]["sets"]]
    assert len(set(inks)) == 2
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "ink => Chart.getChart(document.querySelector('figure.chart canvas'))"
        ".data.datasets[0].borderColor !== ink",
        arg=inks[0],
    )
    assert all(count > 5000 for count in page.evaluate(INKED))


def test_each_chart_says_in_words_what_it_is_of(page):
    for canvas in page.locator("figure.chart canvas").all():
        assert canvas.get_attribute("role") == "img"
        assert "The table below holds its figures" in canvas.get_attribute("aria-label")


def test_on_paper_the_tables_and_small_lines_stand_in_its_place(page):
    assert not page.locator(".sparks .spark").first.is_visible()
    assert page.locator("figure.chart").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator(".sparks .spark").first.is_visible()
    assert not page.locator("figure.chart").first.is_visible()
    assert page.locator("table[data-chart]").first.is_visible()


def test_a_phone_holds_it_and_axe_has_nothing_against_it(page):
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": 390, "height": 850})
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert all(box["width"] <= 358 for box in map(_box, page.locator("figure.chart").all()))
    found = Axe().run(page, options=VIOLATIONS).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []


def _box(part):
    return part.bounding_box()


RENAMED = """
() => {
  for (const name of document.querySelectorAll('thead .side-name'))
    name.textContent = 'Kampfgruppe Fallschirmpanzerjaeger';
}
"""
BROKEN = """
() => [...document.querySelectorAll('thead .side-name')].flatMap((name) =>
  [...name.firstChild.data.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(name.firstChild, word.index);
    range.setEnd(name.firstChild, word.index + word[0].length);
    return range.getClientRects().length !== 1;
  }).map(String))
"""
"""Words in names of sides over a table that stand in more than one line."""


def test_no_name_over_a_table_is_broken_within_a_word_on_a_phone(page):
    page.set_viewport_size({"width": 360, "height": 850})
    heads = page.locator("thead .side-name")
    assert heads.count() == 4
    assert page.evaluate(BROKEN) == []
    texts = page.locator("thead th.num").all_inner_texts()[:4]
    assert {head.partition(":")[2].strip() for head in texts} == {"gained", "total"}
    page.evaluate(RENAMED)
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, "the table scrolls"
    page.set_viewport_size({"width": 1200, "height": 850})


def test_without_scripts_the_page_is_whole(history, browser):
    referee, address = history
    state = referee.context.storage_state()
    with browser.new_context(
        base_url=referee.address, java_script_enabled=False, storage_state=state
    ) as context:
        plain = context.new_page()
        plain.goto(address)
        assert plain.locator(".sparks .spark").first.is_visible()
        assert plain.locator("table[data-chart] tbody tr").count() > 2
        assert plain.locator("canvas").count() == 0


def test_no_other_page_is_sent_the_library(history):
    referee, address = history
    asked = []
    referee.page.on("request", lambda request: asked.append(request.url))
    for path in ("journal/", "history/luck/", "chronicle/", ""):
        referee.goes(address.replace("history/", path))
    assert asked
    assert not [url for url in asked if "chart" in url]
    referee.goes(address)
    assert [url for url in asked if "chart.umd.min.js" in url]
