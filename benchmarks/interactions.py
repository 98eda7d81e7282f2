"""Interactions on Explore beside the slider of a bare one-chart Streamlit app, in the same browser.

All are timed in the page and in one way: from the click or the key, as the browser has it, to the
last change of the chart that answers it, and to the last change of anything before the page stays
as it is for a second.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.app import PLOT
from benchmarks.row import Row

CLICKS = 10
QUIET = 1000  # ms without a change after which a page is at rest
WATCH = """
window.touched = 0
window.changed = 0
const touch = ({ isTrusted }) => {
  if (isTrusted && !window.touched) window.touched = performance.now()
}
for (const kind of ["click", "keydown"]) addEventListener(kind, touch, true)
new MutationObserver((records) => {
  window.changed = performance.now()
  for (const { target } of records) {
    const chart = target.closest?.(".js-plotly-plot")
    if (chart) chart.changed = window.changed
  }
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
"""
AT_REST = f"""(chart) => window.touched && performance.now() - window.changed > {QUIET}
    && document.querySelector(chart)?.changed > window.touched"""
TIMES = """(chart) => [document.querySelector(chart).changed, window.changed]
    .map((end) => (end - window.touched) / 1000)"""


@dataclass
class Act:
    """Something that somebody does to a page.

    Attributes
    ----------
    name : str
    begin : callable
        What leads to the click or key that counts, given the page and how often it was done.
    do : callable
        That click or key itself.
    part : str
        Selector of what holds the chart that answers.
    """

    name: str
    begin: Callable[[Page, int], Any]
    do: Callable[[Page, int], Any]
    part: str

    def seconds(self, page: Page, step: int) -> tuple[float, float]:
        """From the click to its chart, and to the page at rest."""
        chart = f"{self.part} .js-plotly-plot"
        self.begin(page, step)
        page.evaluate("window.touched = 0")
        self.do(page, step)
        page.wait_for_function(AT_REST, arg=chart)
        to_chart, to_rest = page.evaluate(TIMES, chart)
        return to_chart, to_rest


def nothing(page: Page, step: int) -> None:
    """What needs no beginning."""


def open_methods(page: Page, step: int) -> None:
    page.get_by_test_id("stSelectbox").filter(has_text="Method").locator("input").click()
    page.get_by_role("option").first.wait_for()


def take_method(page: Page, step: int) -> None:
    name = "constraintSLP" if step % 2 else "DeepSLP"
    page.get_by_role("option", name=name, exact=True).click()


SLIDER = Act(
    "slider",
    lambda page, step: page.get_by_role("slider").focus(),
    lambda page, step: page.keyboard.press("ArrowRight"),
    "body",
)
ACTS = (
    Act(
        "draw again",
        nothing,
        lambda page, step: page.get_by_role("button", name="Draw again").click(),
        ".st-key-map-figure",
    ),
    Act("another method", open_methods, take_method, ".st-key-map-figure"),
    Act(
        "a layer",
        nothing,
        lambda page, step: (
            page.locator(".st-key-layers").get_by_role("button", name="errors").click()
        ),
        ".st-key-map-figure",
    ),
    Act(
        "another point",
        lambda page, step: page.locator(".st-key-point_number input").focus(),
        lambda page, step: page.keyboard.press("ArrowUp"),
        ".st-key-point-figure",
    ),
)


def interactions(browser: Browser, address: str, bare_address: str) -> list[Row]:
    """Rows of the table: each act on both ways to measure it, beside the slider's chart."""
    page, bare = visit(browser, f"{address}/?draw=0"), visit(browser, bare_address)
    theirs: list[tuple[float, float]] = []
    ours: dict[str, list[tuple[float, float]]] = {act.name: [] for act in ACTS}
    for step in range(CLICKS):
        theirs.append(SLIDER.seconds(bare, step))
        for act in ACTS:
            ours[act.name].append(act.seconds(page, step))
    peer, peer_rest = (p95([times[k] for times in theirs]) for k in (0, 1))
    rows = []
    for name, times in ours.items():
        chart, rest = (p95([each[k] for each in times]) for k in (0, 1))
        rows += [
            Row(
                f"Explore: {name}, to its chart, p95", chart, "bare slider", peer, "≤ 1.5× its time"
            ),
            Row(f"Explore: {name}, to rest, p95", rest, "bare slider", peer_rest, ""),
        ]
    return rows


def visit(browser: Browser, address: str) -> Page:
    page = browser.new_context().new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_selector(PLOT)
    page.wait_for_timeout(3000)
    return page


def p95(times: list[float]) -> float:
    """Of the times themselves: between two of them, and never beyond the longest."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1]
