"""A run goes on whatever is clicked, and can be played back without the server."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

EPOCH = re.compile(r"epoch (\d+) of")


def epoch(page):
    return int(EPOCH.search(page.get_by_text(EPOCH).first.inner_text())[1])


def choose(page, label, option):
    main = page.get_by_test_id("stMain")
    main.get_by_test_id("stSelectbox").filter(has_text=label).locator("input").click()
    page.get_by_role("option", name=option, exact=True).click()


def test_a_run_survives_twenty_quick_changes_a_second_tab_and_leaving_the_page(visit):
    page = visit("train?method=DeepSLP&run_preset=custom&run_epochs=400&pace=5+epochs+a+second")
    expect(page.get_by_text(EPOCH).first).to_be_visible()
    before = epoch(page)
    fold = page.get_by_text("Hyperparameters")
    for _ in range(10):
        fold.click()
    for _ in range(5):
        choose(page, "Seed", "1")  # another run, that nobody has started
        choose(page, "Seed", "0")
    expect(page.get_by_text(EPOCH).first).to_be_visible()
    page.wait_for_timeout(1_500)
    now = epoch(page)
    assert before < now < 400
    other = visit("train?method=DeepSLP&run_preset=custom&run_epochs=400&pace=5+epochs+a+second")
    expect(other.get_by_text(EPOCH).first).to_be_visible()
    assert epoch(other) >= now  # the same run, not one that begins anew
    page.get_by_role("link", name="Explore").click()
    expect(page.get_by_text("Beside it")).to_be_visible()
    page.get_by_role("link", name="Train").click()
    expect(page.get_by_text(EPOCH).first).to_be_visible()
    assert epoch(page) >= now
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.wait_for_timeout(800)
    there = epoch(page)
    page.wait_for_timeout(800)
    assert epoch(page) == there
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Record (JSON)")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_scrubber_plays_in_the_browser(visit):
    page = visit("train?method=DeepSLP&pace=as+fast+as+it+goes")
    expect(page.get_by_role("button", name="Record (JSON)")).to_be_visible()
    page.wait_for_timeout(1_000)
    cursor = "() => document.querySelector('.js-plotly-plot')._fullData[1].x[0]"
    assert page.evaluate(cursor) == 60
    frames = page.evaluate(
        "() => document.querySelector('.js-plotly-plot')._transitionData._frames.length"
    )
    assert 20 <= frames <= 40
    page.locator(".slider-rail-touch-rect").click(position={"x": 3, "y": 3}, force=True)
    page.wait_for_timeout(800)
    assert page.evaluate(cursor) < 10
