"""Two people at once: neither sees, pauses or cancels what is the other's."""

import re
import uuid

import pytest
from playwright.sync_api import expect
from test_browser_train import SLOW, button, epoch, main
from test_browser_upload import rows

pytestmark = pytest.mark.browser


def goes_on(page):
    """A run's epoch moves without a touch."""
    before = epoch(page)
    for _ in range(300):
        page.wait_for_timeout(100)
        if epoch(page) > before:
            return
    raise AssertionError(f"the run stays at epoch {before}")


def test_two_browsers_with_the_same_settings_leave_each_other_alone(visit):
    # Both train the same ...
    first, second = visit(SLOW), visit(SLOW)
    for page in (first, second):
        expect(button(page, "Pause")).to_be_visible()
    button(second, "Pause").click()
    expect(button(second, "Go on")).to_be_visible()
    paused = second.get_by_text(re.compile("Paused after epoch")).inner_text()
    goes_on(first)
    button(second, "Stop").click()
    expect(button(second, "Reset")).to_be_visible()
    button(second, "Reset").click()
    expect(button(second, "Start")).to_be_visible()
    assert "Paused" in paused
    goes_on(first)
    # ... and encode the same file.
    content = rows(40_000, key=uuid.uuid4().hex)  # more than anybody has to wait for here
    for page in (first, second):
        page.get_by_role("button", name="Upload your own").click()
        panel = page.locator(".st-key-upload-panel")  # the page has a place for models too
        panel.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            {"name": "handout.csv", "mimeType": "text/csv", "buffer": content}
        )
        panel.get_by_role("button", name="Use this dataset").click()
        expect(button(page, "Cancel")).to_be_visible()
    button(second, "Cancel").click()
    expect(main(second).get_by_text("was cancelled")).to_be_visible()
    first.wait_for_timeout(2_000)
    expect(button(first, "Cancel")).to_be_visible()
    expect(main(first).get_by_text("was cancelled")).to_have_count(0)
    button(first, "Cancel").click()
    expect(main(first).get_by_text("was cancelled")).to_be_visible()
