"""Every run is seen live, goes on whatever is clicked, and plays back without the server."""

import re

import pytest
from lists import choose_option
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

EPOCH = re.compile(r"Epoch (\d+) of")
SLOW = "train?method=DeepSLP&run_preset=custom&run_epochs=400&pace=1+epoch+a+second"


def epoch(page):
    return int(EPOCH.search(page.get_by_text(EPOCH).first.inner_text())[1])


def main(page):
    return page.get_by_test_id("stMain")


def button(page, name):
    return main(page).get_by_role("button", name=name, exact=True)


def choose(page, label, option):
    choose_option(main(page), label, option)


def download(page):
    return main(page).get_by_role("button", name="Record (JSON)")


# Looks every 20 ms how wide the picture of a run is that goes on.
LIVE = """() => {
  const image = document.querySelector('[data-testid=stMain] img'), live = window.live = [];
  clearInterval(window.timer);
  window.timer = setInterval(() => {
    if (image.isConnected) live.push(image.naturalWidth && image.getBoundingClientRect().width);
  }, 20);
}"""


def watched(page):
    """Epochs that the page shows on its own, without a touch, until there are several."""
    expect(page.get_by_text(EPOCH).first).to_be_visible()
    expect(main(page).locator("img")).to_be_visible()
    page.evaluate(LIVE)
    seen = {epoch(page)}
    for _ in range(1_200):
        page.wait_for_timeout(100)
        seen.add(epoch(page))
        if len(seen) > 3:
            assert page.evaluate("() => window.live.every(width => width > 300)")  # never blank
            return seen
    raise AssertionError(f"the page stays at {seen}")


def test_every_start_is_live(visit):
    page = visit("train?method=DeepSLP&run_preset=custom&run_epochs=300&pace=1+epoch+a+second")
    watched(page)  # the one that starts by itself
    button(page, "Stop").click()
    expect(download(page)).to_be_visible()
    page.get_by_role("button", name="Draw again").click()
    button(page, "Start").click()
    watched(page)
    button(page, "Stop").click()
    expect(download(page)).to_be_visible()
    choose(page, "Heads start", "at random (Xavier)")
    button(page, "Start").click()
    watched(page)
    button(page, "Reset").click()
    expect(button(page, "Start")).to_be_visible()
    page.wait_for_timeout(1_000)
    expect(page.get_by_text(EPOCH)).to_have_count(0)
    choose(page, "Pace", "as fast as it goes")
    button(page, "Start").click()
    expect(download(page)).to_be_visible()
    expect(page.get_by_text("After 300 of 300 epochs")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_run_survives_twenty_quick_changes_a_reload_and_leaving_the_page(visit):
    page = visit(f"{SLOW}&run_warmup=0.2")
    watched(page)
    before = epoch(page)
    fold = main(page).get_by_text("Options", exact=True)
    for _ in range(10):
        fold.click()
    for _ in range(5):
        choose(page, "Heads start", "at random (Xavier)")  # another run, that nobody has started
        choose(page, "Heads start", "as nearest centroid")
    expect(page.get_by_text(EPOCH).first).to_be_visible()
    page.wait_for_timeout(1_500)
    now = epoch(page)
    assert before < now < 400
    page.reload()
    expect(page.get_by_text(EPOCH).first).to_be_visible()
    assert epoch(page) >= now  # the same run, not one that begins anew
    page.get_by_role("link", name="Explore").click()
    expect(page.get_by_text("Beside it")).to_be_visible()
    page.get_by_role("link", name="Train").click()
    expect(page.get_by_text(EPOCH).first).to_be_visible()
    assert epoch(page) >= now
    button(page, "Pause").click()
    expect(button(page, "Go on")).to_be_visible()
    paused = re.compile(r"Paused after epoch \d+")
    there = page.get_by_text(paused).first.inner_text()
    page.wait_for_timeout(800)
    assert page.get_by_text(paused).first.inner_text() == there
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)  # no button is drawn anew
    button(page, "Stop").click()
    expect(download(page)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


# Looks at the plot every 20 ms while it plays: how many points and regions it has, at which epoch.
LOOK = """() => {
  const plot = document.querySelector('.js-plotly-plot'), seen = window.seen = [];
  const regions = () => [...plot.querySelectorAll('.scatterlayer path.js-fill')]
    .filter(path => path.getBoundingClientRect().width > 5).length;
  const look = () => seen.push([plot.querySelectorAll('.scatterlayer .point').length, regions(),
    plot._fullData.find(trace => trace.xaxis === 'x2').x[0]]);
  const timer = setInterval(() => { look(); if (seen.length > 250) clearInterval(timer); }, 20);
}"""


def test_the_scrubber_plays_in_the_browser_and_is_never_blank(visit):
    page = visit("train?method=DeepSLP&pace=as+fast+as+it+goes")
    expect(download(page)).to_be_visible()
    cursor = """document.querySelector('.js-plotly-plot')?._fullData
        ?.find(trace => trace.xaxis === 'x2')?.x[0]"""
    page.wait_for_function(f"() => {cursor} === 60")
    page.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')._transitionData._frames"
    )
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    frames = page.evaluate(
        "() => document.querySelector('.js-plotly-plot')._transitionData._frames.length"
    )
    assert 20 <= frames <= 40
    slider = page.get_by_role("slider", name="epoch", exact=True)  # by the keyboard as well
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_function(f"() => {cursor} === 1")
    expect(slider).to_have_attribute("aria-valuetext", "epoch 1")
    expect(slider).to_be_focused()
    page.keyboard.press("End")
    page.wait_for_function(f"() => {cursor} === 60")
    page.locator(".slider-rail-touch-rect").click(position={"x": 3, "y": 3}, force=True)
    page.wait_for_function(f"() => {cursor} < 10")
    page.evaluate(LOOK)
    page.get_by_text("▶").last.click()
    page.wait_for_function("() => window.seen.length > 250")
    seen = page.evaluate("() => window.seen")
    assert len({epoch for *_, epoch in seen}) > 5
    assert all(points > 80 and regions for points, regions, _ in seen)
