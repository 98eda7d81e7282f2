"""The Ensemble page in a browser: a click on a point reads it."""

import pytest
from lists import act_until, settle
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PLACE = """() => {
    const plot = [...document.querySelectorAll('.js-plotly-plot')].find(
        p => p.checkVisibility() &&
            p._fullLayout?.xaxis?.title?.text?.includes('confidence of prototype A'));
    if (!plot?.calcdata?.[1]) return null;
    plot.scrollIntoView({block: 'center'});
    const box = plot.getBoundingClientRect(), layout = plot._fullLayout;
    const mark = plot.calcdata[1][0];
    return [box.x + layout.xaxis._offset + layout.xaxis.l2p(mark.x),
            box.y + layout.yaxis._offset + layout.yaxis.l2p(mark.y)];
}"""


def test_a_click_on_a_point_reads_its_members(visit):
    page = visit("ensemble?method=DeepSLP")
    expect(page.get_by_role("heading").filter(has_text="DeepSLP: accuracy")).to_be_visible()
    expect(page.get_by_text("largest disagreement")).to_be_visible()
    settle(page)
    page.wait_for_function(PLACE)  # comes into view
    page.wait_for_timeout(300)
    act_until(
        lambda: page.mouse.click(*page.evaluate(PLACE)), page.get_by_text("largest disagreement")
    )
    expect(page.get_by_test_id("stException")).to_have_count(0)
