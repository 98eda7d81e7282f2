"""The first visitor of a server, who comes by the address of a page."""

import re

import pytest
from conftest import DRAWN, PATIENCE, STILL
from playwright.sync_api import expect

from pages.shell.navigation import HOME, PAGES

pytestmark = pytest.mark.browser

ALL_CUT = """async () => {
  const page = await fetch(".", { headers: { accept: "text/html" } })
  return (await page.text()).split('href="./fonts/').length === 4
}"""
WHOLE = re.compile(r"/static/media/(SourceSans|MaterialSymbols)")
# An icon is drawn for its name, a square; a name that has none stands as a word.
ICONS_AS_WORDS = """() => {
  const icons = [...document.querySelectorAll("span")].filter(
    span => getComputedStyle(span).fontFamily.includes("Material Symbols"))
  const pen = document.createElement("canvas").getContext("2d")
  pen.font = "100px 'Material Symbols Rounded'"
  const isWord = name => pen.measureText(name).width > 101
  const words = icons.map(icon => icon.textContent).filter(isWord)
  return icons.length ? words : ["no icon was found"]
}"""
WRITE = "text => document.querySelector('[data-testid=stMain] p').append(text)"


@pytest.mark.parametrize("folder", ["soft_labels", "compare"])
def test_a_link_to_a_page_opens_it_on_a_server_that_nobody_has_visited(
    browser, fresh_server, folder
):
    page = browser.new_page(**STILL)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{fresh_server}/{folder}?method=DeepSLP&dataset=Disaster+or+not")
    page.wait_for_selector(".js-plotly-plot .main-svg")
    expect(page.get_by_text("Disaster or not", exact=True).first).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_text("DeepSLP").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stDialog")).to_have_count(0)  # "Page not found"
    assert f"/{folder}" in page.url
    page.close()


def test_pages_draw_every_icon_and_letter_with_the_fonts_that_are_cut(browser, address):
    page = browser.new_page(**STILL)
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    while not page.evaluate(ALL_CUT):
        page.wait_for_timeout(500)
    page.close()
    page = browser.new_page(**STILL)
    page.set_default_timeout(PATIENCE)
    whole = []
    page.on("request", lambda r: whole.append(r.url) if WHOLE.search(r.url) else None)
    for folder, *_ in PAGES.values():
        page.goto(f"{address}/{'' if folder == HOME else folder}")
        page.wait_for_selector(DRAWN)
        expect(page.locator("[data-test-script-state=running]")).to_have_count(0)
        assert page.evaluate(ICONS_AS_WORDS) == []
    assert not whole
    page.evaluate(WRITE, "Жёлтый, tiếng Việt")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert len(whole) == 1
    assert "SourceSansVF-Upright" in whole[0]
    page.close()
