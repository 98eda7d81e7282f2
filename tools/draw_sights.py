"""Draws pages/widgets/sights/, the gallery's small pictures, from the app's own figures.

    python -m tools.draw_sights

Each example is opened in a browser, light and dark, and the plane of its chart is made small.
"""

from __future__ import annotations

import io

from PIL import Image, ImageOps
from playwright.sync_api import Page, ViewportSize, sync_playwright

from pages.widgets.gallery import GALLERY, PICTURES, Sight
from tools.chromium import chromium
from tools.make_film import DRAWN, rest, served

WINDOW: ViewportSize = {"width": 1000, "height": 720}
SIZE = (320, 180)
PLANE = ".player .map, .nsewdrag"  # of a chart: what is within its axes


def draw(page: Page, sight: Sight) -> Image.Image:
    """The plane of the first chart of its page."""
    plane = page.locator(PLANE).first
    box = plane.bounding_box()
    assert box, sight.title
    picture = Image.open(io.BytesIO(page.screenshot(clip=box))).convert("RGB")
    return ImageOps.fit(picture, SIZE, Image.Resampling.LANCZOS, bleed=0.04)


def main() -> None:
    """Write them all."""
    PICTURES.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for theme in ("light", "dark"):
            page = browser.new_page(viewport=WINDOW, color_scheme=theme, reduced_motion="reduce")
            page.set_default_timeout(180_000)
            for sight in GALLERY:
                page.goto(f"{address}/{sight.link}")
                page.wait_for_selector(DRAWN)
                rest(page)
                file = sight.picture(theme)
                draw(page, sight).save(file, quality=55, method=6)
                print(f"{file.name}: {file.stat().st_size / 1000:.1f} kB")
        browser.close()


if __name__ == "__main__":
    main()
