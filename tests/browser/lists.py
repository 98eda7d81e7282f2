"""Clicking and choosing as a person does: again where a page has moved meanwhile."""

from playwright.sync_api import TimeoutError, expect


def act_until(act, locator, count=0, first=2_000):
    """Do it, and again where a page that moved or was busy has lost it: first after so many ms."""
    for patience in (first, 2 * first, 4 * first, 8 * first, 16 * first):
        if locator.count() != count:  # a slow page may have heard it after all
            act()
        try:
            expect(locator).to_have_count(count, timeout=patience)
            return
        except AssertionError:
            pass
    raise AssertionError(f"{locator} is not there {count} times")


def choose_option(scope, label, option):
    """Choose in the list of this label; one that a new run of the page has shut is opened again."""
    page = scope if hasattr(scope, "keyboard") else scope.page
    for patience in (1_000, 2_000, 4_000, 8_000, 16_000, 32_000):
        scope.get_by_test_id("stSelectbox").filter(has_text=label).locator("input").click()
        try:
            page.get_by_role("option", name=option, exact=True).click(timeout=patience)
            return
        except TimeoutError:
            if page.get_by_role("listbox").is_visible():  # or it would shut what the list stands in
                page.keyboard.press("Escape")
    raise AssertionError(f"the list {label!r} never offered {option!r}")
