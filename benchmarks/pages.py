"""Every page in the browser, against a bare one-chart Streamlit app in turn.

The first chart and the settled page of a first visit (a browser that has nothing of the app, a
server that has been visited); what the visit was sent; the longest that the browser was held up
after the first chart; and interactions, see :mod:`benchmarks.interactions`.
"""

from __future__ import annotations

import statistics
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.app import APP, BARE, PLOT, served, shown
from benchmarks.interactions import interactions
from benchmarks.row import Row
from pages.shell.navigation import HOME, PAGES
from tools.chromium import chromium

ROUNDS = 3
WIDTH = 1280
BUSY = """() => document.querySelector('[data-testid=stStatusWidget], [data-testid=stSkeleton]')
    || [...document.querySelectorAll('[data-testid=stPlotlyChart]')]
        .some(chart => !chart.querySelector('.main-svg'))"""
SENT = """() => performance.getEntriesByType('resource')
    .concat(performance.getEntriesByType('navigation'))
    .reduce((sum, entry) => sum + entry.transferSize, 0)"""
WATCH = """
window.long = []
new PerformanceObserver(list => {
  for (const task of list.getEntries()) window.long.push([task.startTime, task.duration])
}).observe({ type: "longtask", buffered: true })
"""


def run() -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with served(APP) as address, served(bare) as bare_address:
            for path in ("", *(folder for folder, *_ in PAGES.values())):
                BrowserSession(browser, f"{address}/{path}")
            rows += first_visits(browser, address, bare_address)
            rows += interactions(browser, address, bare_address)
        browser.close()
    return rows


class BrowserSession:
    """One visit by somebody new: seconds, bytes, and the longest task after the first chart."""

    def __init__(self, browser: Browser, address: str):
        context = browser.new_context(viewport={"width": WIDTH, "height": 720})
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(WATCH)
        messages: list[Any] = []
        page.on("websocket", lambda ws: ws.on("framereceived", lambda each: messages.append(each)))
        agreed: dict[str, str] = {}
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.on(
            "Network.webSocketHandshakeResponseReceived",
            lambda event: agreed.update(event["response"]["headers"]),
        )
        page.goto(address)
        self.first = shown(page, f"{PLOT}, canvas.map")
        settle(page)
        self.settled = page.evaluate("performance.now()") / 1000
        self.sent = page.evaluate(SENT) + on_wire(messages, agreed)
        tasks = page.evaluate("window.long")
        self.longest = (
            max((long for begun, long in tasks if begun > 1000 * self.first), default=0) / 1000
        )
        context.close()


def on_wire(messages: Sequence[bytes], agreed: Mapping[str, str]) -> int:
    """Bytes of messages as the server packs them, where browser and server agreed that it may."""
    if "permessage-deflate" not in agreed.get("Sec-WebSocket-Extensions", ""):
        return sum(map(len, messages))
    packer = zlib.compressobj(wbits=-12, memLevel=5)
    return sum(len(packer.compress(m) + packer.flush(zlib.Z_SYNC_FLUSH)) for m in messages)


def first_visits(browser: Browser, address: str, bare_address: str) -> list[Row]:
    bare: list[BrowserSession] = []
    visits: dict[str, list[BrowserSession]] = {title: [] for title in PAGES}
    for _ in range(ROUNDS):
        bare.append(BrowserSession(browser, bare_address))
        for title, (folder, *_) in PAGES.items():
            place = "" if folder == HOME else folder
            visits[title].append(BrowserSession(browser, f"{address}/{place}"))
    peer, least = (statistics.median(getattr(v, what) for v in bare) for what in ("first", "sent"))
    rows = []
    for title, seen in visits.items():
        first, settled, sent, longest = (
            statistics.median(getattr(visit, what) for visit in seen)
            for what in ("first", "settled", "sent", "longest")
        )
        rows += [
            Row(f"{title}: first chart", first, "bare app", peer, "≤ 1.5× its time"),
            Row(f"{title}: settled", settled, None, None, ""),
            Row(f"{title}: longest task after it", longest, None, None, "≤ 0.2 s"),
            Row(f"{title}: sent", sent / 1e6, "bare app", least / 1e6, "", unit="MB"),
        ]
    return rows


def settle(page: Page) -> None:
    page.wait_for_timeout(100)
    page.wait_for_function(f"() => !({BUSY})()")
