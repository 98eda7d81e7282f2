"""Waiting, clicking and choosing as a person does: again where a page has moved meanwhile."""

from playwright.sync_api import TimeoutError, expect

TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def calm(page):
    """Wait until no run is under way or requested, and every part of the page is drawn."""
    expect(page.locator("[data-test-script-state=notRunning]")).to_have_count(1)
    expect(page.get_by_test_id("stMain").get_by_test_id("stSkeleton")).to_have_count(0)


def settle(page):
    """Wait until the page is calm, and no job draws itself by the clock."""
    calm(page)
    expect(page.get_by_text("computing others")).to_have_count(0)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    calm(page)


def leave_for(page, title):
    """Go to another page by its link, once no job draws itself by the clock.

    Of a click on a link and a tick that come before a run begins, Streamlit makes one run, on the
    page that the later one names: on a busy machine that may be the page to be left.
    """
    settle(page)
    page.get_by_role("link", name=title, exact=True).click()


def stood(text):
    """A script that notes, as ``stood``, that a text was there, however soon it was replaced."""
    return f"""
    window.stood = false
    new MutationObserver(changes => {{
      stood ||= changes.some(each => each.target.textContent?.includes("{text}"))
    }}).observe(document, {{ childList: true, characterData: true, subtree: true }})
    """


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
