"""The first visitor of a server, who comes by the address of a page."""

import pytest
from conftest import PATIENCE, STILL
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_link_to_a_page_opens_it_on_a_server_that_nobody_has_visited(browser, fresh_server):
    page = browser.new_page(**STILL)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{fresh_server}/soft_labels?method=DeepSLP&dataset=Disaster+or+not")
    page.wait_for_selector(".js-plotly-plot .main-svg")
    expect(page.get_by_text("Disaster or not", exact=True).first).to_be_visible()
    expect(page.get_by_test_id("stMain").get_by_text("DeepSLP").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stDialog")).to_have_count(0)  # "Page not found"
    assert "/soft_labels" in page.url
    page.close()
