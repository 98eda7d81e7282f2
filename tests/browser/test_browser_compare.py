"""The Compare page in a browser: an example that only A gets correct opens Explain with B."""

import re

import pytest
from lists import act_until, settle
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

B = "constraintSLP%2C+along+the+line"
CHOSEN = f"compared={B}&compared=Nearest+centroid&method_a=Nearest+centroid&method_b={B}"


def test_a_row_opens_explain_on_that_example_with_the_other_method(visit):
    page = visit(f"compare?draw=2&shots=4&{CHOSEN}&open_points=true&open_by_shots=true")
    won = page.get_by_text(
        "Only nearest centroid is correct, not constraintSLP, projected onto the line"
    )
    expect(won).to_be_visible()
    table = page.get_by_test_id("stDataFrame").first
    table.evaluate("element => { element.firstDrawn = true }")
    expect(page.get_by_text("F1 of each class")).to_be_visible()
    expect(page.get_by_text("Every run (CSV)")).to_be_visible()  # once every number of shots ran
    settle(page)
    assert table.evaluate("element => element.firstDrawn")  # what came meanwhile swapped nothing
    page.get_by_role("radio", name="Published results").click()
    expect(page.get_by_role("heading").filter(has_text="18 of the paper's 48")).to_be_visible()
    page.get_by_role("radio", name="This dataset").click()
    expect(
        page.get_by_role("heading").filter(has_text=re.compile(r"Airline tweets.*\b4\b"))
    ).to_be_visible()
    expect(won).to_be_visible()
    settle(page)
    shares = page.locator(".js-plotly-plot:visible .heatmap-label text")
    expect(shares.first).to_be_visible()
    heights = shares.evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    assert min(heights) > 10
    table.scroll_into_view_if_needed()
    row = table.get_by_test_id("glide-cell-0-0").text_content()

    def click():
        if "/explain" not in page.url and (box := table.bounding_box()):
            page.mouse.click(box["x"] + 14, box["y"] + 38 + 16)

    # Not again too soon: a second click takes the choice back
    opened = page.get_by_text("The row you selected on Compare")
    act_until(click, opened, 1, first=10_000)
    expect(page).to_have_url(re.compile(r"/explain\?.*distance=projected\+onto\+the\+line"))
    expect(page.get_by_text(re.compile(rf"\b{row}\b")).first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
