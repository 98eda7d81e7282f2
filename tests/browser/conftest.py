"""A server and a browser for the tests that drive the app as a person would."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import expect, sync_playwright

from tools.chromium import chromium

PATIENCE = 120_000  # ms: not whether it is quick, but whether it comes, on a machine that computes
expect.set_options(timeout=PATIENCE)
ROOT = Path(__file__).resolve().parents[2]
DRAWN = "[data-testid=stMain] .js-plotly-plot .main-svg, [data-testid=stMain] canvas.map"
# The first chart that is seen: while a page runs, Streamlit may keep hidden ones beside
FIRST_CHART = """window.firstChart = () =>
  [...document.querySelectorAll(".js-plotly-plot")].find(chart => chart.checkVisibility())"""
POLICY = "Content Security Policy"
# Letters as wide as in a browser with windows
FLAGS = ["--no-sandbox", "--font-render-hinting=none"]
STILL = {"reduced_motion": "reduce"}  # what blinks while a page loads costs a tenth of its loading


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(folder, port=None):
    """The app on a server of its own, with an empty cache of embeddings: process and address."""
    port, cache = port or free_port(), folder / "embeddings"
    cache.mkdir(exist_ok=True)
    with (folder / "log").open("w") as out:
        server = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py",
             "--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"],
            cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
            env=os.environ | {"SLP_CACHE_DIR": str(cache)},
        )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)
            break
        except OSError:
            assert server.poll() is None, (folder / "log").read_text()
            time.sleep(0.2)
    return server, url


def wait_for_the_end_of(process):
    """What is told to end does so when the machine comes to it: pages given back take a while."""
    process.wait(PATIENCE / 1_000)


def window(browser, width=1400, height=1000, patience=PATIENCE, **options):
    """A fresh window of the browser, in which everything has as long as it takes."""
    context = browser.new_context(viewport={"width": width, "height": height}, **STILL | options)
    context.set_default_timeout(patience)
    context.add_init_script(FIRST_CHART)
    return context


def no_failure_in(log):
    """No traceback of a server goes through the project's own files."""
    ours = [line for line in log.splitlines() if f'File "{ROOT}/' in line]
    assert not [line for line in ours if ".venv" not in line], log


@pytest.fixture(scope="session")
def address(tmp_path_factory, worker_id):
    """Of one server for all workers of pytest, so that what one has had computed serves all.

    The first to come starts it, and the last to go ends it.
    """
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent
    folder, users = shared / "server", shared / "server users"
    with FileLock(shared / "server lock"):
        if not folder.exists():
            folder.mkdir()
            process, url = start(folder)
            (folder / "at").write_text(f"{process.pid} {url}")
        pid, url = (folder / "at").read_text().split()
        users.write_text(f"{int(users.read_text()) + 1 if users.exists() else 1}")
    yield url
    with FileLock(shared / "server lock"):
        left = int(users.read_text()) - 1
        users.write_text(f"{left}")
        if left == 0:
            os.kill(int(pid), signal.SIGTERM)
            log = (folder / "log").read_text()
            shutil.rmtree(folder, ignore_errors=True)  # it may still write as it ends
            no_failure_in(log)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, address):
    """Opens the app in a fresh browser window.

    The page's own errors fail the test, and so does what its security policy refuses, and a request
    to another host.
    """
    contexts, errors = [], []

    def watch(page):
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda told: errors.append(told.text) if POLICY in told.text else None)
        page.on("request", lambda sent: errors.append(sent.url) if foreign(sent.url) else None)

    def foreign(url):
        return not url.startswith((address, address.replace("http", "ws", 1), "data:", "blob:"))

    def open_page(
        query="", width=1400, height=1000, dark=False, patience=PATIENCE, before="", drawn=DRAWN,
        still=True,
    ):  # fmt: skip
        motion = STILL if still else {"reduced_motion": "no-preference"}
        scheme = "dark" if dark else "light"
        context = window(browser, width, height, patience, color_scheme=scheme, **motion)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(before)
        watch(page)
        page.goto(f"{address}/{query}")
        page.wait_for_selector(drawn)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors
