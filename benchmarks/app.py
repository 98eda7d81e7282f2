"""The app against a bare one-chart Streamlit app: from the server's start to the first picture.

Both are driven in the same headless Chromium, in turn.
"""

from __future__ import annotations

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

from playwright.sync_api import Page, sync_playwright

from benchmarks.row import Row
from tools.chromium import chromium

ROOT = Path(__file__).resolve().parents[1]
APP = ROOT / "app.py"
COLD_STARTS = 3
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
                    shown(page, LANDSCAPE if script == APP else PLOT)
                    times.append(time.perf_counter() - start)
                    page.context.close()
        ours, theirs = (statistics.median(times) for times in cold.values())
        browser.close()
    return [Row("cold start to the first landscape", ours, "bare app", theirs, "≤ 2× its time")]


def shown(page: Page, what: str) -> float:
    """When some of it was to be seen, in seconds since the browser asked for the page.

    Asked at every picture that the browser draws: `wait_for_selector` asks at times that grow to
    half a second apart.
    """
    seen = page.wait_for_function(
        """what => [document, ...[...document.querySelectorAll('*')].map(each => each.shadowRoot)]
            .flatMap(root => root ? [...root.querySelectorAll(what)] : [])
            .some(it => it.checkVisibility({ visibilityProperty: true })) && performance.now()""",
        arg=what,
    )
    return float(seen.json_value()) / 1000


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
