"""Terms are explained where they are marked, under a pointer, and in a list."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_term_is_explained_under_the_pointer_and_all_are_in_a_list(visit):
    page = visit("explain", patience=240_000)
    tip, words = page.locator(".tip"), page.get_by_role("button", name="Glossary")
    shots = page.get_by_role("link", name="shots", exact=True).first
    shots.hover()
    expect(tip).to_contain_text("shots: The number of support examples per class")
    expect(shots).to_have_attribute("aria-description", "The number of support examples per class. "
                                    "Few-shot means that it is small.")  # fmt: skip
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    address = page.url
    shots.click()
    expect(tip).to_be_visible()
    assert page.url == address

    words.focus()
    page.keyboard.press("Enter")
    listed = page.get_by_role("dialog", name="Glossary")
    expect(listed).to_be_focused()
    expect(listed.get_by_role("heading").first).to_have_text("On this page")
    expect(listed.get_by_role("term").filter(has_text="calibration")).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(words).to_be_focused()
