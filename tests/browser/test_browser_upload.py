"""A file that somebody brings, in a real Chromium: it arrives, however busy the machine is."""

import os
import re
import subprocess
import sys
import uuid
from contextlib import contextmanager, nullcontext

import pytest
from conftest import wait_for_the_end_of, window
from lists import calm, choose_option, settle
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates

pytestmark = pytest.mark.browser

UPLOADS, SHOTS = int(os.environ.get("UPLOADS", "1")), 16
PATIENCE = 240_000  # ms: not whether it is quick, but whether it comes
DRAWN = """names => {
    const data = firstChart()?.calcdata ?? [];
    return names.every(name => data.some(c => (c[0].trace.name ?? '').includes(name)));
}"""
# The headline and the line above it say one accuracy, which the headline rounds
AGREES = r"""() => {
    const accuracy = within =>
        parseFloat(document.querySelector(within)?.innerText.match(/accuracy ([\d.]+)%/)?.[1]);
    return Math.abs(accuracy('.st-key-status-bar') - accuracy('[data-testid=stMain] h3')) < 0.6;
}"""


def rows(n, classes=("dawn", "dusk"), key=""):
    """Texts that no server has seen before, by their key."""
    words = ["wind", "rain", "sun", "cloud", "storm", "frost", "heat", "mist", "hail", "snow"]
    lines = ["text,label"]
    for i in range(n):
        body = " ".join(words[(i * k + k) % len(words)] for k in range(2, 9))
        lines.append(f"{body} number {i} {key},{classes[i % len(classes)]}")
    return "\n".join(lines).encode()


def numbers(n, classes=("dawn", "dusk")):
    """Rows that no encoder has to see, so that the page with them follows at once."""
    lines = ["heat,wind,rain,label"]
    for i in range(n):
        lines.append(f"{i % 2 + i / n},{i * i % 7},{i % 5 / 2},{classes[i % len(classes)]}")
    return "\n".join(lines).encode()


def upload(page, name, content):
    page.get_by_role("button", name="Upload a dataset").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


@contextmanager
def every_core_busy():
    """Others compute on this machine too."""
    spin = (
        "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"
    )
    others = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            wait_for_the_end_of(other)


def arrives(page, title, m):
    """The strip, the headline and the map are those of the upload, and the page is at rest."""
    main, patient = page.get_by_test_id("stMain"), {"timeout": PATIENCE}
    expect(main.get_by_text(title, exact=True).first).to_be_visible(**patient)
    fidelity = main.get_by_text(re.compile(rf"\(\d+ of {m}\)"))
    expect(fidelity.first).to_be_visible(**patient)
    page.wait_for_function(AGREES, **patient)
    page.wait_for_function(DRAWN, arg=["dawn", "dusk"], **patient)
    expect(page.locator(".st-key-upload-panel")).to_have_count(0, **patient)
    expect(page.get_by_text("computing others")).to_have_count(0, **patient)
    settle(page)
    expect(main.get_by_text("Airline tweets")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


# A busy machine is tried by `make test-busy`, with fifty uploads.
LOADS = (
    pytest.param(nullcontext, id="quiet"),
    pytest.param(every_core_busy, id="busy", marks=pytest.mark.busy),
)


@pytest.mark.busy
def test_every_upload_reaches_the_page_on_a_busy_machine(visit):
    lost = []
    for i in range(UPLOADS):
        n, name = 60 + 2 * i, f"weather{i}"
        page = visit(patience=PATIENCE)
        with every_core_busy():
            upload(page, f"{name}.csv", rows(n, key=uuid.uuid4().hex[:8]))
            page.get_by_role("button", name="Use this dataset").click()
            try:
                arrives(page, name.capitalize(), n - 2 * SHOTS)
            except Exception as error:  # all are counted before any is told
                lost.append(f"{name}: {error}")
        print(f"{name}: {len(lost)} of {i + 1} lost", flush=True)
        page.context.close()
    assert not lost, f"{len(lost)} of {UPLOADS} uploads were lost:\n" + "\n".join(lost)


def test_an_upload_stays_where_the_browser_is_late_to_draw_it(browser, address):
    """Parts that draw themselves by the clock say where widgets stood before the upload's use."""
    n = 990  # so many that encoding them outlasts a beat of the clock
    late, before = [], WidgetStates()

    def pass_on(socket):
        server = socket.connect_to_server()

        def up(content):
            told = BackMsg.FromString(content)
            if told.WhichOneof("type") == "rerun_script":
                states = told.rerun_script.widget_states
                if not told.rerun_script.is_auto_rerun:
                    before.CopyFrom(states)
                elif late:
                    late.append(True)
                    states.CopyFrom(before)
                    content = told.SerializeToString()
            server.send(content)

        socket.on_message(up)

    context = window(browser)
    page = context.new_page()
    page.route_web_socket(lambda url: url.endswith("/stream"), pass_on)
    page.goto(f"{address}/?method=DeepSLP")
    upload(page, "weather.csv", rows(n, key=uuid.uuid4().hex[:8]))
    use = page.get_by_role("button", name="Use this dataset")
    expect(use).to_be_visible()
    late.append(True)
    use.click()
    arrives(page, "Weather", n - 2 * SHOTS)
    assert len(late) > 1, "nothing drew itself by the clock, so that nothing was tried"
    context.close()


def test_an_upload_stays_where_somebody_clicks_on_before_the_page_has_answered(browser, address):
    held, sockets = [], []

    def pass_on(socket):
        sockets.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda content: (held.append if held else socket.send)(content))
        socket.on_message(server.send)

    context = window(browser)
    page = context.new_page()
    page.route_web_socket(lambda url: url.endswith("/stream"), pass_on)
    page.goto(address)
    upload(page, "weather.csv", rows(60, key=uuid.uuid4().hex[:8]))
    use = page.get_by_role("button", name="Use this dataset")
    expect(use).to_be_visible()
    settle(page)
    held.append(None)
    use.click()
    page.get_by_role("button", name="Resample").click()
    page.wait_for_timeout(300)
    answers = held[1:]
    held.clear()
    for content in answers:
        sockets[0].send(content)
    arrives(page, "Weather", 60 - 2 * SHOTS)
    expect(page.get_by_test_id("stMain").get_by_text("support set 1;").first).to_be_visible()
    context.close()


def test_an_upload_and_its_view_outlive_a_reload_and_open_in_no_other_browser(visit):
    page = visit()
    upload(page, "weather.csv", rows(60, key=uuid.uuid4().hex[:8]))
    page.get_by_role("button", name="Use this dataset").click()
    arrives(page, "Weather", 60 - 2 * SHOTS)
    page.get_by_role("button", name="View").click()
    choose_option(
        page, "Projection", "PCA of class scores"
    )  # a widget that the upload panel stood above
    page.wait_for_url("**projection=Decision*")
    page.reload()
    arrives(page, "Weather", 60 - 2 * SHOTS)
    page.get_by_role("button", name="View").click()
    expect(page.get_by_role("combobox", name="Projection")).to_have_value("PCA of class scores")
    query = "?" + page.url.split("?", 1)[1]
    stranger = visit(query)
    note = stranger.locator(".st-key-missing-dataset")
    expect(note).to_contain_text("Weather")
    expect(note).to_contain_text("Airline tweets")
    note.get_by_role("button", name="Upload it again").click()
    expect(stranger.locator(".st-key-upload-panel")).to_be_visible()
    page.get_by_role("button", name="Delete this upload").click()
    expect(page.get_by_test_id("stMain").get_by_text("Airline tweets").first).to_be_visible()
    again = page.context.new_page()
    again.goto(page.url.split("?")[0] + query)
    expect(again.locator(".st-key-missing-dataset")).to_be_visible()


def test_what_is_not_taken_is_told_in_words_and_a_file_that_is_right_follows(visit):
    page = visit(width=1280, height=720)
    upload(page, "vectors.npz", b"PK")
    panel = page.locator(".st-key-upload-panel")
    expect(panel.get_by_role("alert")).to_contain_text("vectors.npz")
    title, close = panel.get_by_role("heading"), panel.get_by_role("button", name="Close")
    calm(page)
    title, close = title.bounding_box(), close.bounding_box()
    assert close["y"] < title["y"] + title["height"], "it stands beside the title, not below it"
    at_once = page.evaluate_handle(
        """rows => {
            const files = new DataTransfer();
            files.items.add(new File([rows], 'weather.csv'));
            files.items.add(new File(['PK'], 'more.npz'));
            return files;
        }""",
        rows(12).decode() + "\nno class,",  # which is remarked on
    )
    zone = panel.get_by_test_id("stFileUploaderDropzone")
    zone.dispatch_event("drop", {"dataTransfer": at_once})
    use = panel.get_by_role("button", name="Use this dataset")
    expect(use).to_be_in_viewport(ratio=1)
    told = panel.get_by_role("alert")  # of what was one too many, and nothing of what came before
    expect(told).to_have_text("Error: Only one file is allowed.")
    calm(page)
    assert told.bounding_box()["width"] > 100
    use.click()
    expect(panel).to_have_count(0)  # below which the line stands until then
    line = page.locator(".st-key-slim-line")
    expect(line).to_contain_text(re.compile(r"all \d+: "))
    settle(page)
    remarks = line.get_by_role("button", name="remark").bounding_box()
    share = line.get_by_role("button", name="Share").bounding_box()
    assert abs(share["y"] - remarks["y"]) < 5, "what stands beside the line is in one row"
