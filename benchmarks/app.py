"""The app against a bare one-chart Streamlit app: first picture, and one interaction.

Both are driven in the same headless Chromium, in turn. Cold start counts from the start of the
server's process to a drawn chart; an interaction from the click to the redrawn page.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.row import Row

ROOT = Path(__file__).resolve().parents[1]
APP = ROOT / "app.py"
COLD_STARTS, CLICKS = 3, 15
BARE = """
import numpy as np
import plotly.graph_objects as go
import streamlit as st

n = st.slider("points", 10, 500, 100)
rng = np.random.default_rng(n)
st.plotly_chart(go.Figure(go.Scatter(x=rng.normal(size=n), y=rng.normal(size=n), mode="markers")))
st.markdown(f"drawn {n}")
"""
PLOT = ".js-plotly-plot .main-svg"
LANDSCAPE = ".js-plotly-plot image"


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        cold: dict[Path, list[float]] = {APP: [], bare: []}
        for _ in range(COLD_STARTS):
            for script, times in cold.items():
                start = time.perf_counter()
                with served(script) as address:
                    page = browser.new_context().new_page()
                    page.goto(address)
                    page.wait_for_selector(LANDSCAPE if script == APP else PLOT)
                    times.append(time.perf_counter() - start)
                    page.context.close()
        ours, theirs = (statistics.median(times) for times in cold.values())
        rows = [
            Row("cold start to the first landscape", ours, "bare app", theirs, "≤ 1.5× its time")
        ]
        with served(APP) as address, served(bare) as bare_address:
            page, bare_page = (browser.new_context().new_page() for _ in range(2))
            page.goto(address)
            bare_page.goto(bare_address)
            for each in (page, bare_page):
                each.wait_for_selector(PLOT)
                each.wait_for_timeout(3000)
            slider = [slide(bare_page, step) for step in range(CLICKS)]
            # The first round over the ten draws fits and draws anew; so does every click here.
            draws = [draw_again(page) for _ in range(9)]
            rows.append(
                Row("draw again to redrawn, p95", p95(draws), "bare slider", p95(slider), "≤ 1.5×")
            )
        browser.close()
    return rows


def slide(page: Page, step: int) -> float:
    page.get_by_role("slider").focus()
    before = page.get_by_text("drawn").inner_text()
    start = time.perf_counter()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("b => !document.body.innerText.includes(b + '\\n') && "
                           "[...document.querySelectorAll('p')].every(p => p.innerText !== b)",
                           arg=before)  # fmt: skip
    return time.perf_counter() - start


def draw_again(page: Page) -> float:
    number = int(page.get_by_role("spinbutton", name="Draw").input_value())
    start = time.perf_counter()
    page.get_by_role("button", name="Draw again").click()
    page.get_by_text(f"draw {(number + 1) % 10} ·").wait_for()
    page.wait_for_function("() => !document.querySelector('[data-testid=stStatusWidget]')")
    return time.perf_counter() - start


def p95(times: list[float]) -> float:
    """Of the times themselves: between two of them, and never beyond the longest."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1]


@contextmanager
def served(script: Path) -> Iterator[str]:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(script), "--server.headless=true",
         "--server.address=127.0.0.1", f"--server.port={port}"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.02)
        yield address
    finally:
        server.terminate()
        server.wait()


def chromium() -> Any:
    return os.environ.get("CHROMIUM") or shutil.which("chromium")
