"""What a page shows as it opens on a projector: the picture, and few words beside it."""

import pytest
from test_browser_access import calm

from pages.shell.navigation import PAGES

pytestmark = pytest.mark.browser

SIZE = {"width": 1280, "height": 720}
LATEST_TOP, LEAST_SHARE, MOST_WORDS = 260, 0.6, 250
UNFINISHED = {"Learn", "Explore", "Train", "Explain", "Soft labels", "Ensemble", "Compare",
              "Encoders"}  # fmt: skip
MEASURE = """() => {
  const charts = [...document.querySelectorAll(
    "[data-testid=stMain] :is(.js-plotly-plot, canvas.map)")]
    .map(chart => chart.getBoundingClientRect()).filter(box => box.height > 80)
    .sort((a, b) => a.top - b.top)
  const { top, bottom, height } = charts[0] ?? { height: 0 }
  const text = document.querySelector("[data-testid=stMain]").innerText
  return {
    top: Math.round(top),
    share: height ? Math.max(0, Math.min(innerHeight, bottom) - top) / height : null,
    words: text.split(/\\s+/).filter(word => /\\w/.test(word)).length,
  }
}"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_page_opens_on_its_picture(visit, dark):
    failing = {}
    for title, (folder, *_) in PAGES.items():
        page = visit(folder, dark=dark, **SIZE)
        calm(page)
        page.wait_for_function(f"() => ({MEASURE})().share !== null")
        found = page.evaluate(MEASURE)
        page.context.close()
        good = found["top"] <= LATEST_TOP and found["share"] >= LEAST_SHARE
        if not (good and found["words"] <= MOST_WORDS):
            failing[title] = found
    assert not failing.keys() - UNFINISHED, failing
