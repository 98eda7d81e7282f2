"""The link, the report and the code, as somebody takes them from a page."""

import pytest
from conftest import window
from lists import act_until
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_copied_link_opens_the_same_and_the_report_draws_itself_offline(visit, browser, tmp_path):
    page = visit("?dataset=A,+B+and+C&shots=4&draw=2&point=9&long_gone=1")
    expect(page.get_by_text("there is no such setting")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this view")
    expect(link).to_have_value(f"{page.url.split('?')[0]}?{QUERY}")
    expect(page.get_by_test_id("stCode")).to_contain_text("mean over support sets")
    page.get_by_text("All pages", exact=True).click()
    make = page.get_by_role("button", name="Make the report")
    act_until(make.click, make)  # a hasty click is for the report of this page
    with page.expect_download() as download:
        page.get_by_role("button", name="Report (HTML)").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    context = window(browser, 390, 800, offline=True)
    report, asked, wrong = context.new_page(), [], []
    report.on("request", lambda request: asked.append(request.url.split(":")[0]))
    report.on("pageerror", lambda error: wrong.append(str(error)))
    report.goto(file.as_uri())
    report.wait_for_selector("body[data-drawn]")
    figures = report.locator(".figure .main-svg").count()
    assert figures >= report.locator("figure").count() > 5
    assert set(asked) <= {"file", "blob", "data"}
    assert not wrong
    wide = "document.documentElement.scrollWidth <= innerWidth"
    assert report.evaluate(wide)
    report.set_viewport_size({"width": 733, "height": 1000})  # what A4 holds between its margins
    report.emulate_media(media="print")
    right = (
        "Math.max(...[...document.querySelectorAll('figure, table, p')].map(e => e.scrollWidth))"
    )
    assert report.evaluate(right) <= 733
    assert report.pdf(prefer_css_page_size=True)[:5] == b"%PDF-"
    context.close()


QUERY = "dataset=A%2C+B+and+C&shots=4&draw=2&point=9"
