"""Choosing in a list, as a person does."""

from playwright.sync_api import TimeoutError


def choose_option(scope, label, option):
    """Choose in the list of this label; one that a new run of the page has shut is opened again."""
    page = scope if hasattr(scope, "keyboard") else scope.page
    for patience in (1_000, 2_000, 4_000, 8_000, 16_000, 32_000):
        scope.get_by_test_id("stSelectbox").filter(has_text=label).locator("input").click()
        try:
            page.get_by_role("option", name=option, exact=True).click(timeout=patience)
            return
        except TimeoutError:
            page.keyboard.press("Escape")
    raise AssertionError(f"the list {label!r} never offered {option!r}")
