"""The app in a real Chromium, as a new user meets it."""

import json
import re

import pytest
from lists import choose_option, settle, stood
from playwright.sync_api import expect

import slp_core as slp

pytestmark = pytest.mark.browser

OPENING = "constraintSLP never predicts"
MEANWHILE = "another projection meanwhile"

MARK = """name => {
    const plot = firstChart(), layout = plot?._fullLayout;
    if (!plot?.calcdata || !layout?.yaxis) return null;
    const box = plot.getBoundingClientRect();
    const marks = plot.calcdata.find(c => c[0].trace.customdata && c.length > 3)?.[name];
    if (!marks) return null;
    return [box.x + layout.xaxis._offset + layout.xaxis.l2p(marks.x),
            box.y + layout.yaxis._offset + layout.yaxis.l2p(marks.y)];
}"""
FILLED = """() => {
    const layout = firstChart()?._fullLayout, x = layout?.xaxis;
    return x?.range[1] < 5 && x._length > layout.width - 40 && layout.yaxis._length > 200;
}"""


def headline(page, words):
    return page.get_by_role("heading").filter(has_text=words).first


def choose(page, label, option):
    choose_option(page, label, option)
    settle(page)


def point_field(page):
    """Made anew where the point is chosen elsewhere: that of before may stay a moment longer."""
    return page.get_by_role("spinbutton", name="Example", exact=True).first


def no_failure(page):
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


RING = """() => {
    const plot = firstChart();
    const ring = plot?.querySelector('[data-testid=chosen-ring] path');
    if (!ring) return null;
    const at = ring.getBoundingClientRect();
    return [at.x + at.width / 2, at.y + at.height / 2];
}"""
X_RANGE = "() => firstChart()?._fullLayout?.xaxis?.range"


def at_mark(page, name):
    ring, mark = page.evaluate(RING), page.evaluate(MARK, name)
    return ring and mark and max(abs(a - b) for a, b in zip(ring, mark, strict=True)) < 2


def wait_until(page, there):
    for _ in range(600):
        if there():
            return
        page.wait_for_timeout(200)
    raise AssertionError("It never came.")


def ready(page):
    """Wait until the map can be clicked: what listens to it also draws the ring."""
    for _ in range(2):  # the first chart of a busy server's page may give way to another
        settle(page)
        wait_until(page, lambda: page.evaluate(RING))
        page.wait_for_timeout(500)


def click_until_ringed(page, name):
    """Click a mark as a person does: again where the page moved under the pointer."""
    for _ in range(10):
        if mark := page.evaluate(MARK, name):
            page.mouse.click(*mark)
        for _ in range(30):
            if at_mark(page, name):
                return
            page.wait_for_timeout(200)
    raise AssertionError("The mark was never ringed.")


def zoom_outlives_click(page, name):
    """Zoom, click a mark: whether the map is the same element and has the zoom.

    On a busy machine a map may, once, give way to another in between.
    """
    page.evaluate("() => { window.first = firstChart(); }")
    whole = page.evaluate(X_RANGE)

    def zooms():
        if mark := page.evaluate(MARK, name):
            page.mouse.move(*mark)
            page.mouse.wheel(0, -300)
        page.wait_for_timeout(1_000)
        return page.evaluate(X_RANGE) not in (None, whole)

    wait_until(page, zooms)
    zoomed = page.evaluate(X_RANGE)
    click_until_ringed(page, name)
    same = page.evaluate("() => window.first === firstChart()")
    return same and page.evaluate(X_RANGE) == zoomed


def test_a_click_reads_its_point_and_leaves_the_zoom_and_keyboard_and_address_choose_it_too(visit):
    page = visit()
    expect(headline(page, OPENING)).to_be_visible()
    expect(page.get_by_text(": misclassified")).to_be_visible()
    ready(page)
    name = next((name for name in (5, 6, 7) if zoom_outlives_click(page, name)), None)
    assert name is not None
    expect(page.get_by_text(": misclassified")).to_have_count(0)
    expect(page.get_by_text("Predicted").first).to_be_visible()
    opacity = "() => (window.first._fullData ?? []).map(t => t.selectedpoints ?? null)"
    assert not any(page.evaluate(opacity))  # nothing is selected, and so nothing fades
    settle(page)
    wait_until(page, lambda: "point=" in page.url)
    address = page.url

    number = point_field(page)
    clicked = re.search(r"point=(\d+)", address)[1]
    expect(number).to_have_value(clicked)
    number.fill("8")
    number.press("Enter")
    expect(page.get_by_text(re.compile(r"example 8\b"))).to_be_visible()
    wait_until(page, lambda: not at_mark(page, name))
    click_until_ringed(page, name)  # the mark that was clicked before
    expect(number).to_have_value(clicked)
    wait_until(page, lambda: at_mark(page, name))
    no_failure(page)

    again = visit("?" + address.split("?", 1)[1])
    wait_until(again, lambda: at_mark(again, name))


def test_drawing_comes_round_and_eight_quick_times_leave_one_page_that_is_saved_and_compared(visit):
    page = visit("?draw=8")
    again = page.get_by_role("button", name="Resample")
    for draw in (9, 0, 1):
        again.click()
        expect(page.get_by_text(f"support set {draw};", exact=False).first).to_be_visible()
    no_failure(page)

    for _ in range(8):
        again.click(no_wait_after=True)
    settle(page)
    number = page.get_by_role("spinbutton", name="Support set")
    told = page.locator(".st-key-status-bar")
    wait_until(page, lambda: f"support set {number.input_value()};" in told.inner_text())
    no_failure(page)

    page.get_by_role("button", name="Data & export").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Table (CSV)").click()
    text = download.value.path().read_text()
    assert text.startswith("mark,id,line,x,y,true,predicted")
    query = slp.load_dataset("airline").draw(16, int(number.input_value())).query
    assert text.count("\nquery,") == len(query)
    assert json.dumps("support") not in text

    page.keyboard.press("Escape")
    page.get_by_role("button", name="View").click()
    choose(page, "Compare with", "DeepSLP")
    expect(page.get_by_text("Different predictions:")).to_be_visible()
    page.wait_for_function("() => firstChart()?._fullLayout?.xaxis2?.matches === 'x'")
    page.get_by_role("button", name="View").click()
    page.get_by_role("radio", name="difference").click()
    expect(page.get_by_text("the two landscapes show different classes")).to_be_visible()
    settle(page)
    no_failure(page)


def test_the_address_keeps_the_view_and_back_returns_to_it(visit):
    page = visit()
    choose(page, "Dataset", "Disaster or not")
    choose(page, "Method", "DeepSLP")
    expect(headline(page, "DeepSLP")).to_be_visible()
    expect(page).to_have_url(re.compile("dataset=.*method=DeepSLP"))
    other = visit("?landscape=surface&" + page.url.split("?", 1)[1])
    expect(headline(other, "DeepSLP")).to_be_visible()
    expect(other.get_by_text("Disaster or not").first).to_be_visible()
    settle(other)
    view = other.url
    learn = other.get_by_test_id("stSidebarNavLink").filter(has_text="Learn")
    learn.click()
    wait_until(other, lambda: "/learn?" in other.url and "landscape" not in other.url)
    expect(other.get_by_role("heading", name="Two prototypes can serve")).to_be_visible()
    settle(other)
    other.go_back()
    expect(other).to_have_url(view)
    other.get_by_role("button", name="View", exact=True).click()
    landscape = other.get_by_role("combobox", name="Decision landscape on")
    expect(landscape).to_have_value(re.compile("surface"))

    other.goto(view)
    learn.click()  # at once, before the page has come
    wait_until(other, lambda: "/learn?" in other.url and "method=DeepSLP" in other.url)
    expect(other.get_by_role("combobox", name="Method", exact=True)).to_have_value("DeepSLP")


def test_back_leads_to_the_point_the_sentence_and_the_cause_before(visit):
    page = visit("explain?point=3")
    page.get_by_role("button", name="View", exact=True).click()
    point = point_field(page)
    expect(point).to_have_value("3")
    point.fill("7")
    point.press("Enter")
    expect(page).to_have_url(re.compile(r"point=7$"))
    fold = page.locator("details", has_text="Confusion matrix")
    fold.locator("summary").click()  # no step to go back from
    expect(fold.locator(".js-plotly-plot")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile(r"point=3&open_confusion=true$"))
    page.get_by_role("button", name="View", exact=True).click()
    expect(point).to_have_value("3")
    expect(fold.locator(".js-plotly-plot")).to_be_visible()

    field = page.get_by_role("textbox", name="Try your own text")
    for words in ("late again", "thank you"):
        settle(page)
        field.fill(words)
        field.press("Enter")
        expect(page).to_have_url(re.compile(rf"typed=.*{words.split()[0]}"))
    settle(page)
    for cause, n in (("wrong nearest centroid", "embedding"), ("line-model error", "off_line")):
        page.get_by_role("radio", name=re.compile(f"^{cause} [0-9]")).click()
        expect(page).to_have_url(re.compile(f"explain_cause={n}"))
        settle(page)
    chosen = page.get_by_role("radio", checked=True)
    page.go_back()
    expect(chosen.filter(has_text="line-model error")).to_have_count(0)
    expect(chosen).to_have_count(1)  # for a moment also that of the page before
    expect(chosen).to_contain_text("wrong nearest centroid")
    page.go_back()
    expect(chosen).to_have_count(0)
    expect(field).to_have_value("thank you")
    page.go_back()
    expect(field).to_have_value("late again")
    expect(page).to_have_url(re.compile(r"typed=.*late"))


# Undefined while a chart is still being drawn.
TITLE = "() => firstChart()?._fullLayout?.xaxis?.title?.text ?? ''"


def test_a_layout_comes_in_the_background_and_the_page_stays_alive(visit):
    page = visit("?dataset=Disaster+or+not", before=stood(MEANWHILE))
    page.get_by_role("button", name="View").click()
    choose_option(page, "Projection", "t-SNE")
    page.wait_for_function("() => stood")
    page.get_by_role("button", name="Resample").click()
    expect(page.locator(".st-key-status-bar")).to_contain_text("support set 1;")
    expect(page.get_by_text(MEANWHILE)).to_have_count(0, timeout=600_000)
    page.wait_for_function(f"() => ({TITLE})().includes('t-SNE')")
    no_failure(page)


def test_a_more_faithful_picture_is_offered_and_taken(visit):
    page = visit("?method=DeepSLP&projection=PCA&landscape=slice")
    expect(page.get_by_text(re.compile(r"Fidelity .*\d+%")).first).to_be_visible()
    settle(page)
    page.get_by_text("How faithful is this map?").click()
    page.get_by_role("button", name="Try a more faithful projection: PCA of").click()
    page.wait_for_function(f"() => ({TITLE})().includes('PCA of')")
    expect(page.get_by_text("No other projection evaluated")).to_be_visible()
    no_failure(page)


def test_a_digit_is_seen_as_an_image(visit):
    page = visit("explore?dataset=Handwritten+digits&shots=1")
    image = page.get_by_role("img", name="as an image")
    expect(image).to_have_js_property("naturalWidth", 96)
