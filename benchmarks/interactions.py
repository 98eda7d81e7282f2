"""Interactions beside the slider of a bare one-chart Streamlit app, in the same browser.

Four on Explore, and on every page whose charts answer them *Resample* and another method. All are
timed in the page and in one way: from the click or the key, as the browser has it, to the last
change of the first chart that answers it, and to the last change of anything before the page stays
as it is for a second. On Learn's stage, the time of a frame while a centroid is dragged.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Locator, Page, ViewportSize

from benchmarks.app import PLOT
from benchmarks.row import Row

CLICKS = 5
CLICKS_ELSEWHERE = 3
WINDOW: ViewportSize = {"width": 1280, "height": 720}
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
ANSWERED = "[...document.querySelectorAll(chart)].find((c) => c.changed > window.touched)"
AT_REST = f"""(chart) => window.touched && performance.now() - window.changed > {QUIET}
    && {ANSWERED}"""
TIMES = f"""(chart) => [{ANSWERED}.changed, window.changed]
    .map((end) => (end - window.touched) / 1000)"""

FRAMES = 120
# A move of the pointer before every frame, about a place; the seconds of a frame.
DRAG = """(over, [x, y, frames]) => new Promise((done) => {
  const times = []
  const frame = (now) => {
    times.push(now)
    const turn = times.length / 10
    const at = { clientX: x + 50 * Math.cos(turn), clientY: y + 50 * Math.sin(turn) }
    over.dispatchEvent(new PointerEvent("pointermove", at))
    if (times.length <= frames) requestAnimationFrame(frame)
    else done((times.at(-1) - times[0]) / 1000 / frames)
  }
  requestAnimationFrame(frame)
})"""


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
        Selector of what holds the charts that answer.
    goal : str
        For the first of them.
    """

    name: str
    begin: Callable[[Page, int], Any]
    do: Callable[[Page, int], Any]
    part: str
    goal: str = "≤ 0.6 s"

    def seconds(self, page: Page, step: int) -> tuple[float, float]:
        """From the click to its chart, and to the page at rest."""
        chart = f"{self.part} .js-plotly-plot"
        self.begin(page, step)
        page.evaluate("window.touched = 0")
        self.do(page, step)
        page.wait_for_function(AT_REST, arg=chart)
        to_chart, to_rest = page.evaluate(TIMES, chart)
        return to_chart, to_rest


def methods(page: Page) -> Locator:
    return page.get_by_test_id("stSelectbox").filter(has_text="Method").locator("input")


def show_sidebar(page: Page, step: int) -> None:
    """A narrow window folds it away."""
    opens = page.get_by_test_id("stExpandSidebarButton")
    if opens.is_visible():
        opens.click()
    methods(page).scroll_into_view_if_needed()  # and with it what is above
    page.wait_for_timeout(500)  # what scrolls or grows ends an open list


def open_methods(page: Page, step: int) -> None:
    show_sidebar(page, step)
    methods(page).click()
    page.get_by_role("option").first.wait_for()


def open_layers(page: Page, step: int) -> None:
    if not layers(page).is_visible():
        page.get_by_role("button", name="View", exact=True).click()
    layers(page).wait_for()
    page.wait_for_timeout(500)


def layers(page: Page) -> Locator:
    return page.get_by_test_id("stButtonGroup").get_by_text("Misclassified", exact=True)


def take_method(page: Page, step: int) -> None:
    name = "constraintSLP" if step % 2 else "DeepSLP"
    page.get_by_role("option", name=name, exact=True).click()


SLIDER = Act(
    "slider",
    lambda page, step: page.get_by_role("slider").focus(),
    lambda page, step: page.keyboard.press("ArrowRight"),
    "body",
)
MAP, ANY = ".st-key-map-figure", "[data-testid=stMain]"


def resample(part: str) -> Act:
    return Act(
        "Resample",
        show_sidebar,
        lambda page, step: page.get_by_role("button", name="Resample").click(),
        part,
    )


def another_method(part: str) -> Act:
    return Act("another method", open_methods, take_method, part)


ACTS = (
    resample(MAP),
    another_method(MAP),
    Act("a layer", open_layers, lambda page, step: layers(page).click(), MAP, "≤ 0.25 s"),
    Act(
        "another example",
        lambda page, step: page.get_by_role("spinbutton", name="Example", exact=True).focus(),
        lambda page, step: page.keyboard.press("ArrowUp"),
        ".st-key-point-figure",
        "≤ 0.25 s",
    ),
)
BOTH = (resample(ANY), another_method(ANY))
# Pages by address: Compare's chart is of all support sets, a training's charts answer neither
ELSEWHERE = {
    "explain": BOTH,
    "soft_labels": BOTH,
    "ensemble": BOTH,
    "encoders": BOTH[:1],
}


def interactions(browser: Browser, address: str, bare_address: str) -> list[Row]:
    """Rows of the table: each act to its chart, beside the slider's, and to rest."""
    rows = on_explore(browser, address, bare_address)
    for place, acts in ELSEWHERE.items():
        rows += on_page(browser, address, bare_address, place, acts)
    return [*rows, on_stage(browser, address, bare_address)]


def on_page(
    browser: Browser, address: str, bare_address: str, place: str, acts: Sequence[Act]
) -> list[Row]:
    """Some acts on one page, the first time not counted, beside the slider in turn."""
    page = visit(browser, f"{address}/{place}?draw=0&method=constraintSLP")
    bare = visit(browser, bare_address)
    theirs: list[float] = []
    ours: dict[str, list[tuple[float, float]]] = {act.name: [] for act in acts}
    for step in range(CLICKS_ELSEWHERE + 1):
        slider = SLIDER.seconds(bare, step)
        times = {act.name: act.seconds(page, step) for act in acts}
        if step:
            theirs.append(slider[0])
            for name, each in times.items():
                ours[name].append(each)
    page.context.close()
    bare.context.close()
    peer = statistics.median(theirs)
    rows = []
    for name, seen in ours.items():
        chart, rest = (statistics.median(each[k] for each in seen) for k in (0, 1))
        goal = "≤ 1 s" if place == "explain" else "≤ 0.6 s"
        rows += [
            Row(f"{place}: {name}, to its first chart, median", chart, "bare slider", peer, goal),
            Row(f"{place}: {name}, to rest, median", rest, None, None, ""),
        ]
    return rows


def on_explore(browser: Browser, address: str, bare_address: str) -> list[Row]:
    """All four acts, five times each: the 95th of 100."""
    page = visit(browser, f"{address}/?draw=0")
    bare = visit(browser, bare_address)
    theirs: list[tuple[float, float]] = []
    ours: dict[str, list[tuple[float, float]]] = {act.name: [] for act in ACTS}
    for step in range(CLICKS):
        theirs.append(SLIDER.seconds(bare, step))
        for act in ACTS:
            ours[act.name].append(act.seconds(page, step))
    goals = {act.name: act.goal for act in ACTS}
    peer, peer_rest = (p95([times[k] for times in theirs]) for k in (0, 1))
    rows = []
    for name, times in ours.items():
        chart, rest = (p95([each[k] for each in times]) for k in (0, 1))
        rows += [
            Row(f"Explore: {name}, to its chart, p95", chart, "bare slider", peer, goals[name]),
            Row(f"Explore: {name}, to rest, p95", rest, "bare slider", peer_rest, ""),
        ]
    return rows


def on_stage(browser: Browser, address: str, bare_address: str) -> Row:
    """A frame while a centroid is dragged; the same moves on a page where nothing hears them."""
    page = visit(browser, f"{address}/learn", "canvas.map")
    bare = visit(browser, bare_address)
    times = {}
    for preset in page.get_by_role("group", name="Presets").get_by_role("button").all():
        preset.click()
        box = page.get_by_role("slider", name="Centroid").nth(1).bounding_box()
        assert box, "no centroid"
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        times[preset.inner_text()] = page.locator("svg.over").evaluate(DRAG, [x, y, FRAMES])
        page.mouse.up()
    peer = bare.locator("body").evaluate(DRAG, [640, 360, FRAMES])
    page.context.close()
    bare.context.close()
    slowest = max(times, key=lambda name: times[name])
    what = f"stage: a frame while dragging, slowest of {len(times)} presets ({slowest})"
    return Row(what, times[slowest], "bare app's frame", peer, "≤ 1/30 s")


def visit(browser: Browser, address: str, picture: str = PLOT) -> Page:
    page = browser.new_context(viewport=WINDOW).new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_selector(picture)
    page.wait_for_timeout(3000)
    return page


def p95(times: list[float]) -> float:
    """Of the times themselves: between two of them, and never beyond the longest."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1]
