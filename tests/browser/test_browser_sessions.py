"""Two sessions at once: neither sees or cancels the other's work."""

import re
import uuid

import pytest
from conftest import start, wait_for_the_end_of, window
from lists import act_until, choose_option
from playwright.sync_api import expect
from test_browser_upload import rows

pytestmark = pytest.mark.browser


def button(page, name):
    return page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def main(page):
    return page.get_by_test_id("stMain")


def test_two_browsers_with_the_same_settings_leave_each_other_alone(visit):
    first, second = visit(), visit()
    # Both encode the same file
    content = rows(20_000, key=uuid.uuid4().hex)  # more than anybody has to wait for here
    for page in (first, second):
        page.get_by_role("button", name="Upload a dataset").click()
        panel = page.locator(".st-key-upload-panel")  # the page has a place for models too
        panel.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            {"name": "handout.csv", "mimeType": "text/csv", "buffer": content}
        )
        panel.get_by_role("button", name="Use this dataset").click()
        expect(button(page, "Cancel")).to_be_visible()
        expect(main(page).get_by_text("Encoding 20,000 examples")).to_be_visible()

    def cancel(page):
        click = "buttons => buttons.forEach(button => button.click())"  # none, once it is heard
        cancelled = main(page).get_by_text("was cancelled")
        act_until(lambda: button(page, "Cancel").evaluate_all(click), cancelled, 1)

    cancel(second)
    first.wait_for_timeout(1_000)
    expect(button(first, "Cancel")).to_be_visible()
    expect(main(first).get_by_text("was cancelled")).to_have_count(0)
    cancel(first)
    choose_option(first, "Dataset", "Airline tweets")
    expect(main(first).get_by_role("heading", name="constraintSLP never predicts")).to_be_visible()


def test_a_server_that_starts_anew_tells_every_tab_which_upload_is_gone(browser, tmp_path):
    content = "x,y,label\n" + "".join(f"{i},{i % 3},{'ab'[i % 2]}\n" for i in range(40))
    server, url = start(tmp_path)
    context = window(browser)
    try:
        first, second = context.new_page(), context.new_page()
        for tab in (first, second):  # nobody was here before, and the address names the page
            tab.goto(f"{url}/ensemble?shots=8")  # no map, for which each server would compile UMAP
            expect(main(tab).get_by_text(re.compile(r"all \d+: "))).to_be_visible()
            expect(tab).to_have_url(re.compile(r"/ensemble\?shots=8$"))
            expect(tab.get_by_role("combobox", name="Shots per class")).to_have_value("8")
            expect(tab.get_by_test_id("stDialog")).to_have_count(0)  # "Page not found"
        first.get_by_role("button", name="Upload a dataset").click()
        first.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            {"name": "mine.csv", "mimeType": "text/csv", "buffer": content.encode()}
        )
        first.get_by_role("button", name="Use this dataset").click()
        expect(first).to_have_url(re.compile("dataset=Mine"))
        second.reload()
        choose_option(second, "Dataset", "Mine")
        for tab in (first, second):
            expect(main(tab).get_by_text("Mine", exact=True).first).to_be_visible()
            expect(tab).to_have_url(re.compile("dataset=Mine"))
        server.kill()
        wait_for_the_end_of(server)
        server, _ = start(tmp_path, int(url.rsplit(":", 1)[1]))
        for tab in (first, second):
            note = tab.locator(".st-key-missing-dataset")  # nobody has touched the tab
            expect(note).to_contain_text("Mine")
            expect(note).to_contain_text("Airline tweets")
            tab.get_by_role("button", name="Resample").click()
            shows_draw(tab, "1")
            expect(tab).to_have_url(re.compile("dataset=Mine"))
    finally:
        context.close()
        server.kill()
        wait_for_the_end_of(server)


# What a server sends comes late when asked for, and the connection breaks off when asked for
LATE = """
const add = WebSocket.prototype.addEventListener
const held = []
WebSocket.prototype.addEventListener = function (type, then) {
  window.connection = this
  add.call(this, type, type !== "message" ? then : (event) => {
    if (window.late) held.push([this, event, then])
    else then(event)
  })
}
window.quietFor = (ms) => held.length > 0 && performance.now() - held.at(-1)[1].timeStamp > ms
window.arrive = () => {
  const [socket, event, then] = held.shift()
  then.call(socket, event)
  if (held.length) setTimeout(arrive)
  else window.late = false
}
window.lose = () => {
  held.length = 0
  window.late = false
  connection.dispatchEvent(new CloseEvent("close", { code: 1006 }))
}
"""


def shows_draw(page, draw):
    """The page says that it shows the draw, and that one is set."""
    expect(page.locator(".st-key-status-bar")).to_contain_text(f"support set {draw};")
    expect(page.get_by_role("spinbutton", name="Support set")).to_have_value(draw)


def test_a_page_lives_on_where_a_click_overtakes_an_answer_and_the_connection_breaks_off(visit):
    page = visit("?draw=0", before=LATE)
    number = page.get_by_role("spinbutton", name="Support set")
    again = page.get_by_role("button", name="Resample")
    for draw, late in (("1", False), ("2", True), ("0", False)):
        page.wait_for_timeout(1_000)
        if late:
            page.evaluate("() => { window.late = true }")
        number.fill(draw)
        number.press("Enter")
        if late:
            page.wait_for_function("() => quietFor(1_000)", polling=100)
    page.evaluate("() => arrive()")
    page.wait_for_function("() => !window.late", polling=100)
    expect(again).to_be_enabled()
    number.fill("5")
    number.press("Enter")
    shows_draw(page, "5")

    page.evaluate("() => { window.late = true }")
    again.click()
    page.wait_for_function("() => quietFor(1_000)", polling=100)
    page.evaluate("() => lose()")
    shows_draw(page, "6")
    again.click()
    shows_draw(page, "7")
