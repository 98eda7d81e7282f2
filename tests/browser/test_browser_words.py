"""Words are explained where they stand, under a pointer or at a tap, and in a list."""

import pytest
from conftest import STILL
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PLACE = """word => {
    for (const text of document.querySelectorAll('[data-testid=stMain] h3')) {
        const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
            const node = walker.currentNode, at = node.data.indexOf(word)
            if (at < 0) continue
            const range = document.createRange()
            range.setStart(node, at)
            range.setEnd(node, at + word.length)
            const box = range.getBoundingClientRect()
            return [box.x + box.width / 2, box.y + box.height / 2]
        }
    }
}"""
MARKED = "() => CSS.highlights.get('slp-words')?.size ?? 0"


def test_a_word_is_explained_under_the_pointer_and_all_are_in_a_list(visit):
    page = visit("explain", patience=240_000)
    page.wait_for_function(f"() => ({MARKED})() > 5")
    tip, words = page.locator(".tip"), page.get_by_role("button", name="Glossary")
    x, y = page.evaluate(PLACE, "line")
    page.mouse.move(x, y + 1)
    page.mouse.move(x, y)
    expect(tip).to_contain_text("line: A straight piece")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()

    words.focus()
    page.keyboard.press("Enter")
    listed = page.get_by_role("dialog", name="Words on this page")
    expect(listed).to_be_focused()
    expect(listed.get_by_role("term").filter(has_text="concentration")).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(words).to_be_focused()

    page.get_by_role("button", name="Draw again").click()  # the page is drawn anew
    page.wait_for_function(f"() => ({MARKED})() > 5")
    page.get_by_role("link", name="Soft labels").click()
    expect(page.get_by_role("heading", name="Edit by hand")).to_be_visible()
    page.wait_for_function(f"() => ({MARKED})() > 5")


def test_a_tap_explains_a_word_and_another_one_ends_it(browser, address):
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, color_scheme="dark", **STILL
    )
    page = context.new_page()
    page.set_default_timeout(240_000)
    page.goto(address)
    page.wait_for_function(f"() => ({MARKED})() > 5")
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    x, y = page.evaluate(PLACE, "constraintSLP")
    page.touchscreen.tap(x, y)
    tip = page.locator(".tip")
    expect(tip).to_contain_text("constraintSLP: The method")
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.touchscreen.tap(195, 30)
    expect(tip).to_be_hidden()
    context.close()
