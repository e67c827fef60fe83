"""Every page, as those who use it, in both themes: axe finds nothing serious or critical."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import PASSWORD, VIOLATIONS

pytestmark = pytest.mark.browser

THEMES = ("light", "dark")
PHONES = (360, 390)
TAB_ROWS = (
    "new Set([...document.querySelectorAll('.campaign-bar li')].map((e) => e.offsetTop)).size"
)
PAPER = 688
"""A4 between its margins, in CSS pixels."""
BAD = ("serious", "critical")
SHOWN = """
(all) => all.filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return width && height && getComputedStyle(one).visibility === 'visible';
}).map((one) => one.innerText)
"""
"""What of some elements can be seen, in one question: a form has hundreds of them."""


def faults_of(page, path):
    """What axe and the window's width have against a page, in both themes."""
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        answer = page.goto(path)
        assert answer.status < 500, path
        for violation in Axe().run(page, options=VIOLATIONS).response["violations"]:
            if violation["impact"] in BAD:
                nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
                found.append(f"{path} ({theme}): {violation['id']}: {nodes}")
    for phone in PHONES:
        page.set_viewport_size({"width": phone, "height": 850})
        needed = page.evaluate("document.documentElement.scrollWidth")
        if needed > phone:
            found.append(f"{path}: {needed} px wide on a phone of {phone}")
        rows = page.evaluate(TAB_ROWS)
        if rows > 1:
            found.append(f"{path}: the tabs stand in {rows} rows on a phone of {phone}")
    found += faults_on_paper(page, path)
    page.set_viewport_size({"width": 1200, "height": 850})
    return found


def faults_on_paper(page, path):
    """What would be cut off, and what nobody can press on paper."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 850})
    needed = page.evaluate("document.documentElement.scrollWidth")
    shown = page.locator("nav, button, .btn, input:not([type=hidden])").evaluate_all(SHOWN)
    page.emulate_media(media="screen")
    found = [f"{path}: {needed} px wide on paper of {PAPER}"] if needed > PAPER else []
    return found + ([f"{path}: printed with {shown}"] if shown else [])


def logins(instance):
    """Names and passwords of the demo's people, who are made anew."""
    said = instance.manage("demo")
    campaign = re.search(r"/c/[\w-]+/", said)[0]
    rows = re.findall(r"^  (\S+)\s+(\S+)\s", said, re.M)
    return campaign, dict(rows)


def first(page, pattern):
    """The first link of a page that fits a pattern."""
    links = page.eval_on_selector_all("main a", "all => all.map(a => a.getAttribute('href'))")
    return next(link for link in links if re.search(pattern, link))


@pytest.fixture(scope="module")
def demo(instance, people):
    campaign, passwords = logins(instance)
    for name in ("organiser", "referee", "allies"):
        people(name).signs_in(passwords[name])
    people("olga").signs_in(PASSWORD)
    return campaign


def test_pages_before_a_battle_are_usable_by_everybody(demo, people):
    organiser, referee, allies = people("organiser"), people("referee"), people("allies")
    referee.goes(demo)
    battle = first(referee.page, r"/battles/\w+/$")
    anonymous = ["/", "/about/", "/chronicles/", "/sign-in/", "/no-such-page/"]
    found = [fault for path in anonymous for fault in faults_of(people("nobody").page, path)]
    found += [fault for path in ("/style/",) for fault in faults_of(people("olga").page, path)]
    organisers = ["/new/", "/new/road-to-bastogne/", f"{demo}members/", f"{demo}settings/"]
    organisers += [f"{demo}tokens/"]
    organisers += ["/account/", "/account/password/"]
    found += [fault for path in organisers for fault in faults_of(organiser.page, path)]
    sided = ["/", demo, battle, f"{battle}forces/allies/", f"{demo}order-of-battle/"]
    sided += [f"{demo}roster/allies/", f"{demo}order-of-battle/changes/", f"{demo}ladder/foy/"]
    found += [fault for path in sided for fault in faults_of(allies.page, path)]
    assert found == []


def test_pages_of_a_battle_are_usable_by_everybody(demo, people):
    referee = people("referee")
    referee.goes(demo)
    battle = first(referee.page, r"/battles/\w+/$")
    referee.goes(battle)
    if referee.page.get_by_role("button", name="Lock the forces").count():
        referee.presses("Lock the forces")
    found = []
    asked = f"{battle}rules/infantry-attack/?firepower=6&defense=4&attacks=3"
    asked_two = f"{battle}rules/melee/?one.first.counter=us-rifle&two.first.counter=ger-rifle"
    pages = (f"{battle}sheet/", f"{battle}result/", f"{battle}result/?layout=grid")
    for path in (*pages, asked, asked_two):
        found += faults_of(referee.page, path)
    referee.goes(battle)
    referee.presses("Resolve by the rules")
    referee.page.get_by_role("link", name="Preview and post").wait_for(timeout=60_000)
    for path in (battle, f"{battle}preview/", f"{battle}overrule/"):
        found += faults_of(referee.page, path)
    referee.goes(f"{battle}preview/")
    referee.presses("Post the result")
    referee.goes(f"{demo}order-of-battle/")
    unit = first(referee.page, r"/units/\w+/$")
    referee.goes(f"{demo}journal/")
    posting = first(referee.page, r"/journal/\w+/$")
    pages = [
        f"{battle}report/",
        f"{battle}report/?show=all",
        f"{battle}reverse/",
        f"{battle}reveal/",
        unit,
        posting,
    ]
    pages += [f"{battle}correct/", f"{demo}history/", f"{demo}journal/", f"{demo}?as=allies"]
    pages += [f"{demo}history/luck/", f"{demo}chronicle/", f"{battle}replay/?from=E3&to=P9"]
    for path in pages:
        found += faults_of(referee.page, path)
    assert found == []


def test_the_keys_work(demo, people):
    page = people("allies").page
    page.goto(f"{demo}order-of-battle/")
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.tagName") == "TR"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "turn"


def test_the_theme_is_remembered(demo, people):
    page = people("allies").page
    page.emulate_media(color_scheme="light")
    page.goto(demo)
    page.get_by_role("button", name="Use the dark theme").click()
    page.goto(demo)
    assert page.locator("html").get_attribute("data-bs-theme") == "dark"
    page.get_by_role("button", name="Use the light theme").click()


def test_pages_read_and_forms_send_without_scripts(demo, instance, browser):
    context = browser.new_context(base_url=instance.address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto("/new/road-to-bastogne/")
    page.get_by_label("Name of the campaign").fill("Without scripts")
    page.get_by_role("button", name="Make the campaign", exact=True).click()
    assert "Members" in page.get_by_role("main").inner_text()
    context.close()
