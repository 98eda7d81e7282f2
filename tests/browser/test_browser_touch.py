"""A touch screen: a term is explained at a tap, and a chart's buttons are there when wanted."""

import pytest
from conftest import DRAWN, window
from lists import TWO_FRAMES
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CHART = ".st-key-reliability-figure .js-plotly-plot"
# A chart that gives way to another, or moves, would not be the one that is touched.
AT_REST = """chart => {
  const found = document.querySelector(chart), at = found?.getBoundingClientRect().y
  if (!found || found !== window.found || at !== window.at) window.since = performance.now()
  Object.assign(window, { found, at })
  return performance.now() - window.since > 800
}"""


def test_a_tap_explains_a_term_and_a_touched_chart_shows_its_buttons(browser, address):
    context = window(browser, 390, 844, has_touch=True, is_mobile=True)
    page = context.new_page()
    downloads = []
    page.on("download", lambda download: downloads.append(download))
    page.goto(f"{address}/ensemble?method=DeepSLP")
    page.wait_for_selector(DRAWN)
    expect(page.get_by_text("largest disagreement")).to_be_visible()
    chart = page.locator(CHART)
    buttons, image = chart.locator(".modebar"), chart.get_by_role("button", name="Download plot")
    expect(buttons).to_have_css("opacity", "0")
    page.wait_for_function(AT_REST, arg=CHART)
    chart.evaluate("chart => chart.scrollIntoView({ block: 'center' })")
    page.wait_for_function(AT_REST, arg=CHART)

    def touch(element):
        box = element.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    touch(image)  # it is not to be seen: what lies under it is meant
    expect(buttons).to_have_css("opacity", "1")
    assert not downloads
    page.touchscreen.tap(195, chart.bounding_box()["y"] - 12)
    expect(buttons).to_have_css("opacity", "0")
    touch(chart.locator(".nsewdrag").first)
    expect(buttons).to_have_css("opacity", "1")
    with page.expect_download():
        touch(image)

    term = page.get_by_role("link", name="support set", exact=True).first
    term.scroll_into_view_if_needed()
    page.evaluate(TWO_FRAMES)  # scrolling, which closes what a tap opens, is over
    term.tap()
    tip = page.locator(".tip")
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("support set: The few labelled examples")
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.touchscreen.tap(195, 30)
    expect(tip).to_be_hidden()
    context.close()
