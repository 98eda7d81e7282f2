"""The Compare page in a browser: a point that A wins is taken to Explain, with B."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

B = "constraintSLP%2C+along+the+line"
CHOSEN = f"compared={B}&compared=Nearest+centroid&method_a=Nearest+centroid&method_b={B}"


def test_a_row_opens_explain_on_that_point_with_the_other_method(visit):
    page = visit(f"compare?draw=2&shots=4&{CHOSEN}&open_points=true")
    won = page.get_by_text("on which nearest centroid is right and constraintSLP, along the line")
    expect(won).to_be_visible()
    page.get_by_role("radio", name="beside the paper").click()
    expect(page.get_by_role("heading").filter(has_text="48")).to_be_visible()
    page.get_by_role("radio", name="on these data").click()
    expect(
        page.get_by_role("heading").filter(has_text=re.compile(r"Airline tweets.*\b4\b"))
    ).to_be_visible()
    expect(page.get_by_text("Mean over 10 draws; the band to either side is")).to_be_visible()
    expect(page.get_by_text("computing the others")).to_have_count(0)
    expect(won).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    row = table.get_by_test_id("glide-cell-0-0").text_content()
    for _ in range(10):  # a busy page may still move as it is clicked
        box = table.bounding_box()
        page.mouse.click(box["x"] + 14, box["y"] + 38 + 16)
        page.wait_for_timeout(4_000)
        if "/explain" in page.url:
            break
    expect(page.get_by_text(f"Query point {row}", exact=True).first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/explain\?.*distance=along\+the\+line"))
    expect(page.get_by_text("The row that you ticked on Compare has set the method")).to_have_count(
        0
    )
    expect(page.get_by_text("4 shots  ·  draw 2  ·  constraintSLP")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_shares_that_answer_alike_can_be_read(visit):
    page = visit("compare")
    shares = page.locator(".heatmap-label text")
    expect(shares).to_have_count(12)  # of four methods, in both halves of the square
    heights = shares.evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert min(heights) > 10
