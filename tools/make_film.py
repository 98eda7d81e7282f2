"""Makes docs/images/tour.webp, the moving picture of the README, from stills of the app.

    python -m tools.make_film

The stage of Learn with a centroid dragged, the causes of errors on Explain, and a support set of
Teach that is changed. A browser is driven as a person would; nothing is drawn but its pointer.
"""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, ViewportSize, sync_playwright

from tools.chromium import chromium

ROOT = Path(__file__).resolve().parents[1]
FILM = ROOT / "docs" / "images" / "tour.webp"
WINDOW: ViewportSize = {"width": 1280, "height": 720}
SIZE = (960, 540)
STEP, LONG = 110, 1_600  # ms that a still is shown: in a move, and to be looked at
DRAWN = "[data-testid=stMain] .js-plotly-plot .main-svg, [data-testid=stMain] canvas.map"


class Film:
    """Stills of a page, each with the time that it is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pointer: tuple[float, float] | None = None
        self.stills: list[Image.Image] = []
        self.times: list[int] = []

    def still(self, time_shown: int = STEP) -> None:
        """What the page shows now, with the pointer."""
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        if self.pointer:
            x, y = self.pointer
            shape = [(0, 0), (0, 20), (5, 16), (9, 24), (13, 22), (9, 14), (15, 14)]
            outline = [(x + dx, y + dy) for dx, dy in shape]
            ImageDraw.Draw(picture).polygon(outline, fill="black", outline="white", width=1)
        self.stills.append(picture.resize(SIZE, Image.Resampling.LANCZOS))
        self.times.append(time_shown)

    def point(self, x: float, y: float, steps: int = 6) -> None:
        """Move the pointer there, still by still."""
        from_x, from_y = self.pointer or (x + 120, y + 160)
        for step in range(1, steps + 1):
            share = step / steps
            self.pointer = (from_x + (x - from_x) * share, from_y + (y - from_y) * share)
            self.page.mouse.move(*self.pointer)
            self.page.wait_for_timeout(60)
            self.still()

    def click(self, what: Locator) -> None:
        """Point at something, press it, and wait for what follows."""
        what.scroll_into_view_if_needed()
        self.point(*middle(what))
        self.page.mouse.click(*middle(what))
        rest(self.page)

    def write(self) -> None:
        """One file; what does not change from still to still takes no room in it."""
        first, *others = self.stills
        first.save(
            FILM, save_all=True, append_images=others, duration=self.times, loop=0, lossless=True,
            method=6, minimize_size=True,
        )  # fmt: skip
        print(f"{FILM}: {len(self.stills)} stills, {sum(self.times) / 1000:.0f} s, "
              f"{FILM.stat().st_size / 1e6:.2f} MB")  # fmt: skip


def middle(what: Locator) -> tuple[float, float]:
    """Of something on the page."""
    box = what.bounding_box()
    assert box, "it is not on the page"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def rest(page: Page) -> None:
    """Until nothing runs and all is drawn."""
    page.wait_for_timeout(600)
    page.wait_for_selector("[data-test-script-state=notRunning]")
    page.wait_for_selector("[data-testid=stMain] button:has-text('Cancel')", state="detached")
    page.wait_for_timeout(1_200)


def drag_a_centroid(film: Film) -> None:
    """Learn: the middle class is pulled off the line, and back."""
    page = film.page
    green = page.get_by_role("slider", name="Centroid of green")
    film.still(LONG)
    x, y = middle(green)
    film.point(x, y)
    page.mouse.down()
    for dx, dy in ((-60, -30), (-90, -120), (40, -170), (150, -120), (90, -20)):
        film.point(x + dx, y + dy, steps=5)
    page.mouse.up()
    rest(page)
    film.still(LONG)


def see_a_cause(film: Film) -> None:
    """Explain: the strip over w and the causes; a bar is pressed, and its errors stay."""
    page = film.page
    film.still(LONG)
    film.click(page.locator(".js-plotly-plot").nth(1).locator(".barlayer .point path").nth(2))
    film.still(LONG)


def remove_a_shot(film: Film) -> None:
    """Teach: the influence of the shots, and the support set without one."""
    page = film.page
    film.still(LONG)
    film.click(page.get_by_role("button", name="Remove", exact=True).first)
    film.still()
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    page.mouse.move(0, 0)
    film.pointer = None
    film.still(LONG)


def main() -> None:
    """Record the film."""
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--font-render-hinting=none"]
        )
        page = browser.new_page(viewport=WINDOW, color_scheme="light", reduced_motion="reduce")
        page.set_default_timeout(180_000)
        film = Film(page)
        for where, play in (
            ("learn", drag_a_centroid), ("explain", see_a_cause), ("teach", remove_a_shot),
        ):  # fmt: skip
            page.goto(f"{address}/{where}")
            page.wait_for_selector(DRAWN)
            rest(page)
            film.pointer = None
            play(film)
        browser.close()
    film.write()


@contextmanager
def served() -> Iterator[str]:
    """The address of the app on a server of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "slp_core.launch", f"--port={port}", "--server.headless=true"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"http://localhost:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
