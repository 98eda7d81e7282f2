"""The last choice holds, for slow and fast browsers too, on a busy machine."""

import os
import re
from contextlib import contextmanager

import pytest
from conftest import DRAWN, window
from lists import calm, choose_option, leave_for
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from test_browser_upload import LOADS, every_core_busy, numbers, upload

pytestmark = pytest.mark.browser
TIMES = int(os.environ.get("TIMES", "1"))


class Late:
    """A browser that says of all its widgets what they showed at first, once told to."""

    def __init__(self):
        self.on = False
        self.before = WidgetStates()

    def pass_on(self, socket):
        server = socket.connect_to_server()

        def up(content):
            told = BackMsg.FromString(content)
            if told.WhichOneof("type") == "rerun_script":
                states = told.rerun_script.widget_states
                clicks = [each for each in states.widgets if is_click(each)]
                others = [each for each in states.widgets if not is_click(each)]
                if self.on:
                    states.CopyFrom(self.before)
                    states.widgets.extend(clicks)
                    content = told.SerializeToString()
                else:
                    self.before = WidgetStates(widgets=others)
            server.send(content)

        socket.on_message(up)


def is_click(state):
    return (state.WhichOneof("value") or "").endswith("trigger_value")


@contextmanager
def tab(browser, url):
    late = Late()
    context = window(browser)
    page = context.new_page()
    page.route_web_socket(lambda url: url.endswith("/stream"), late.pass_on)
    page.goto(url)
    page.wait_for_selector(DRAWN)
    yield page, late
    expect(page.get_by_test_id("stException")).to_have_count(0)
    context.close()


def shows(page, draw, title="Airline tweets", method="DeepSLP"):
    """Bar, field and address agree; its method tells one page's bar from another's."""
    bar = page.locator(".st-key-status-bar")
    expect(bar).to_contain_text(method)
    expect(bar).to_contain_text(f"support set {draw};")
    expect(bar).to_contain_text(title)
    expect(page.get_by_role("spinbutton", name="Support set")).to_have_value(f"{draw}")
    expect(page).to_have_url(re.compile(rf"draw={draw}\b") if draw else re.compile(r"^(?!.*draw=)"))


def again(page):
    return page.get_by_role("button", name="Resample")


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("time", range(TIMES))
def test_quick_clicks_are_two_a_choice_after_them_holds_and_a_late_click_says_nothing_of_it(
    browser, address, load, time
):
    with tab(browser, f"{address}/ensemble") as (page, late), load():
        shows(page, 0)
        again(page).click()
        page.wait_for_timeout(60)
        again(page).click()
        shows(page, 2)
        page.get_by_role("spinbutton", name="Support set").fill("7")
        page.keyboard.press("Enter")
        shows(page, 7)
        late.on = True
        again(page).click()
        shows(page, 8)
        page.get_by_role("button", name="Upload a dataset").click()
        expect(page.locator(".st-key-upload-panel")).to_be_visible()
        shows(page, 8)


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("time", range(TIMES))
def test_back_and_forward_lead_from_view_to_view_and_from_page_to_page(
    browser, address, load, time
):
    with tab(browser, f"{address}/ensemble?draw=3") as (page, _), load():
        shows(page, 3)
        again(page).click()
        shows(page, 4)
        leave_for(page, "Encoders")
        expect(page).to_have_url(re.compile(r"/encoders\?draw=4$"))
        shows(page, 4, method="constraintSLP")
        calm(page)
        page.go_back()
        expect(page).to_have_url(re.compile(r"/ensemble\?draw=4$"))
        shows(page, 4)
        calm(page)
        page.go_back()
        shows(page, 3)
        calm(page)
        page.go_forward()
        shows(page, 4)
        calm(page)
        choose_option(page, "Dataset", "Iris flowers")
        expect(page.locator(".st-key-status-bar")).to_contain_text("Iris flowers")
        expect(page).to_have_url(re.compile("dataset=Iris"))
        calm(page)
        page.go_back()
        shows(page, 4)


@pytest.mark.busy  # where it is quiet, test_browser_upload sees it
@pytest.mark.parametrize("time", range(TIMES))
def test_an_upload_that_is_used_stays_where_somebody_clicks_on_at_once(browser, address, time):
    with tab(browser, f"{address}/ensemble") as (page, late), every_core_busy():
        upload(page, "weather.csv", numbers(60))
        use = page.get_by_role("button", name="Use this dataset")
        expect(use).to_be_visible()
        calm(page)
        late.on = True
        use.click()
        again(page).click()
        shows(page, 1, "Weather")
