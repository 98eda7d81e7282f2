"""The first visitor of a server, who comes by a link."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_link_to_a_page_opens_it_on_a_server_that_nobody_has_visited(browser, fresh_server):
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{fresh_server}/soft_labels?method=DeepSLP&dataset=Disaster+or+not")
    page.wait_for_selector(".js-plotly-plot .main-svg")
    expect(page.get_by_text("Disaster or not", exact=True).first).to_be_visible()
    expect(page.get_by_role("heading", name="DeepSLP")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.close()
