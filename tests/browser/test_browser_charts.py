"""Charts are drawn once each, those that are seen before the others."""

import pytest
from playwright.sync_api import expect

from slp_core.figures.map.figure import MapDisplay

pytestmark = pytest.mark.browser

# Notes what Plotly itself is asked to draw, and what was on the screen at that moment.
WATCH = """
window.drawings = []
const define = Object.defineProperty
const name = chart => chart.closest("[class*='-figure']").className.match(/st-key-(\\S+)-figure/)[1]
const isShown = chart => chart.querySelector(".main-svg") && chart.style.visibility !== "hidden"
const shown = () => [...document.querySelectorAll(".js-plotly-plot")].filter(isShown).map(name)
function watched(Plotly) {
  const react = Plotly.react
  Plotly.react = (chart, figure) => {
    if (chart.closest("[class*='-figure']")) drawings.push([name(chart), shown()])
    return react(chart, figure)
  }
  return Plotly
}
Object.defineProperty = (object, key, how) => define(object, key,
  object === window && key === "Plotly" ? { ...how, set: it => how.set(watched(it)) } : how)
"""
CHARTS = ["causes", "half-plane", "half-plane-along-the-line", "point", "w-strip"]
DRAWN = """() => document.querySelectorAll('[class*="-figure"] .js-plotly-plot').length"""
BELOW = """() => [...document.querySelectorAll('[class*="-figure"] .stPlotlyChart > div')]
  .filter(chart => !chart.querySelector('.main-svg'))
  .map(chart => chart.getBoundingClientRect().top - innerHeight)"""


def test_a_chart_is_drawn_once_and_shown_before_the_next_one_is_drawn(visit):
    page = visit("explain", before=WATCH)
    page.wait_for_function(f"n => ({DRAWN})() === n", arg=len(CHARTS))
    page.wait_for_timeout(1000)  # in which Streamlit asks for them again
    drawings = page.evaluate("drawings")
    assert sorted(name for name, _ in drawings) == CHARTS
    for i, (_, shown) in enumerate(drawings):
        assert {name for name, _ in drawings[:i]} == set(shown)


def test_what_is_far_below_waits_for_rest_and_not_for_who_scrolls_or_prints(visit):
    never = "window.requestIdleCallback = () => 0\n"
    page = visit("explain", before=never + WATCH)
    page.wait_for_function(  # until the whole page is there, and no chart waits that is seen
        f"n => ({DRAWN})() + ({BELOW})().length === n && ({BELOW})().every(by => by > 200)",
        arg=len(CHARTS),
    )
    page.wait_for_timeout(1500)  # in which they go on waiting
    below = page.evaluate(BELOW)
    assert below
    assert min(below) > 200
    # The map at the end has been drawn where a page came in pieces and was short at first
    farther = sum(by > min(below) + 100 for by in below)
    page.get_by_test_id("stMain").evaluate("(it, by) => it.scrollBy(0, by)", min(below) - 100)
    page.wait_for_function(f"n => ({BELOW})().length <= n", arg=farther)
    page.wait_for_timeout(500)
    assert len(page.evaluate(BELOW)) == farther
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(f"n => ({DRAWN})() === n", arg=len(CHARTS))


def test_a_map_in_the_place_of_another_begins_at_its_height(visit):
    page = visit("explore", width=1280)  # at which it is lower than it was made
    chart = page.locator(".st-key-map-figure .js-plotly-plot")
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.wait_for_timeout(1500)  # in which it is fitted to its width
    before = chart.bounding_box()
    assert before["height"] < MapDisplay.height
    page.evaluate(
        """() => {
          window.fitted = 0
          const { relayout } = Plotly
          Plotly.relayout = (...args) => { fitted++; return relayout(...args) }
        }"""
    )
    old = chart.element_handle()
    page.locator(".st-key-layers").get_by_role("button", name="errors").click()
    page.wait_for_function("it => !it.isConnected", arg=old)
    page.wait_for_selector(".st-key-map-figure .main-svg")
    page.wait_for_timeout(1500)
    assert chart.bounding_box() == before
    assert page.evaluate("fitted") == 0


def test_a_chart_that_was_made_lower_is_not_asked_for_again_and_again(visit):
    page = visit("explore")
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.wait_for_timeout(1500)  # in which it is fitted to its width
    page.evaluate(
        """() => {
          const chart = document.querySelector(".st-key-map-figure .js-plotly-plot")
          const lower = () => Plotly.relayout(chart, { height: chart.layout.height - 10 })
          addEventListener("keydown", lower, { once: true })
        }"""
    )
    # What a press of a key sets off, React does at once: the browser would never be done
    page.locator("body").press("Shift", timeout=30_000)
    page.locator(".st-key-layers").get_by_role("button", name="errors").click(timeout=30_000)
