"""The Explain page in a real Chromium: clicks that only a browser can make."""

import json
import re

import numpy as np
import pytest
from lists import act_until, settle
from playwright.sync_api import expect
from scipy.special import softmax
from test_browser_access import violations

import slp_core as slp

pytestmark = pytest.mark.browser
WIDE = "e => e.scrollWidth - e.clientWidth"  # px that are out of sight
LINES = "e => Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight))"
APART = """() => {
  const charts = [...document.querySelectorAll('.js-plotly-plot')]
  const [strip, causes] = charts.filter(chart => chart.checkVisibility())
  return causes ? causes.getBoundingClientRect().x - strip.getBoundingClientRect().x : NaN
}"""


def cut(cell):
    return cell.evaluate(WIDE) > 0


def opening_errors():
    """All errors of the view that the app opens on."""
    dataset = slp.load_dataset("airline")
    episode = dataset.draw(16, 0)
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    model = slp.ConstraintSLPClassifier().fit(X[episode.support], episode.y_support)
    return dataset.classes, slp.explain_errors(model, X[episode.query], episode.y_query)


def unfold(page, title):
    page.locator("summary", has_text=title).evaluate("fold => fold.click()")  # no scrolling


def test_a_click_on_bar_row_and_strip_and_a_typed_sentence_are_followed(visit):
    classes, errors = opening_errors()
    page = visit("explain", height=1500)
    expect(page.get_by_role("button", name="View", exact=True)).to_be_visible()
    expect(page.locator("summary", has_text="Variation across support sets")).to_be_visible()
    settle(page)
    for title in ("All errors", "Position against distance from the line", "Errors on the map"):
        unfold(page, title)
    n = len(errors)
    every_error = page.get_by_text(re.compile(rf"^Errors: {n}\."))
    clear = page.get_by_role("button", name="All errors", exact=True)
    expect(every_error).to_be_visible()
    expect(clear).to_have_count(0)  # nothing is filtered
    charts = page.locator(".js-plotly-plot:visible")  # a busy browser hides some once more beside
    strip, causes = charts.nth(0), charts.nth(1)

    piece = causes.locator(".barlayer .point path").first
    here = errors[errors["cause"] == "embedding"]
    first = here["true"].min()  # class of the bar's first piece
    kept = (here["true"] == first).sum()
    said = rf"^Errors: {kept} of {n}\b.*wrong nearest centroid.*{classes[first]}"
    filtered = page.get_by_text(re.compile(said))
    act_until(lambda: piece.click(force=True), filtered, 1, first=10_000)

    summary = page.locator(".st-key-in-short")
    before = summary.inner_text()
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()

    def click():  # the text of the second row
        if box := table.bounding_box():
            page.mouse.click(box["x"] + 90, box["y"] + 38 + 35 * 1.5)

    act_until(click, summary.filter(has_text=before), first=5_000)
    expect(summary).not_to_have_text(before)
    expect(filtered).to_be_visible()
    settle(page)

    before = summary.inner_text()
    page.keyboard.press("ArrowDown")
    expect(summary).not_to_have_text(before)
    # On the strip with either distance, both half-planes and the map.
    for chart, rings in ((0, 2), (2, 1), (3, 1), (4, 1)):
        ring = charts.nth(chart).get_by_test_id("chosen-ring")
        expect(ring.locator("g[display=inline]")).to_have_count(rings)

    clear.click()
    expect(every_error).to_be_visible()
    expect(clear).to_have_count(0)

    before = summary.inner_text()
    mark = strip.locator(".scatterlayer .trace path.point").nth(20)

    def click_on_mark():
        mark.evaluate("mark => mark.scrollIntoView({ block: 'center' })")
        mark.click(force=True)

    act_until(click_on_mark, summary.filter(has_text=before), first=5_000)

    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_label("Try your own text").fill("The crew was lovely and we landed early")
    page.get_by_role("button", name="Explain it").click()
    expect(page.get_by_text("Your example", exact=True).first).to_be_visible()
    expect(strip.get_by_text(re.compile("^selected: 0.4"))).to_be_visible()
    page.keyboard.press("Escape")
    for width, where in ((600, "Math.abs({}) <= 1"), (1400, "{} > 300")):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("() => " + where.format(f"({APART})()"))
    expect(page.get_by_test_id("stException")).to_have_count(0)


WHOLE = """() => {
  const summary = document.querySelector('.st-key-in-short-text')
  return summary?.querySelector('p') && summary.scrollHeight <= summary.clientHeight
}"""


def test_long_names_give_way_and_no_number_is_cut(visit):
    """In the table beside the soft labels; a point in short is there as a whole."""
    rng = np.random.default_rng(0)
    classes = [f"a class whose name is rather long, the one called {name}" for name in "abcdefgh"]
    rows = [
        f'{",".join(f"{value:.3f}" for value in rng.normal(size=4))},"{name}"'
        for name in classes * 12
    ]
    content = "\n".join(["one,two,three,four,class", *rows]).encode()
    page = visit("explain?method=DeepSLP")
    page.wait_for_function(WHOLE)
    page.get_by_role("button", name="Upload a dataset").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        {"name": "long names.csv", "mimeType": "text/csv", "buffer": content}
    )
    page.get_by_role("button", name="Use this dataset").click()
    expect(page.locator(".st-key-status-bar")).to_contain_text("Long names")
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 1000})
        page.wait_for_function(WHOLE)

    settle(page)
    page.get_by_role("link", name="Soft labels", exact=True).evaluate("link => link.click()")
    unfold(page, "Compare with another method")
    table = page.get_by_test_id("stMain").locator(".stTable")
    names, numbers = table.locator("td.col0 p"), table.locator("td:not(.col0) p")
    expect(names.first).to_contain_text("a class whose name")
    settle(page)
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 1000})
        assert not any(map(cut, [*names.all(), *numbers.all()]))
        assert names.first.evaluate(LINES) <= 5
        assert numbers.first.evaluate(LINES) == 1
        assert table.locator("> div").evaluate(WIDE) == 0


def told(way):
    """w and the probabilities that the picture of an example shows now."""
    kept = way.evaluate("way => ({ ...way.dataset })")
    return float(kept["w"]), json.loads(kept["probabilities"])


@pytest.mark.parametrize("method", ["constraintSLP", "DeepSLP"])
def test_one_example_is_followed_and_what_is_changed_is_computed_as_by_the_library(visit, method):
    dataset = slp.load_dataset("airline")
    episode = dataset.draw(16, 0)
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    row, other = map(int, episode.query[:2])
    x, deep = X[[row]], method == "DeepSLP"
    model = slp.DeepSLPClassifier() if deep else slp.ConstraintSLPClassifier()
    model.fit(X[episode.support], episode.y_support)
    query = f"open_example=true&point={row}&second={other}&method={method}"
    page = visit(f"explain?{query}", dark=deep)
    expect(page.locator(".way")).to_have_count(2)
    way = page.locator(".way").first
    way.locator(".n").first.wait_for()
    settle(page)
    assert violations(page, dark=deep) == []

    at, labels = model.place(x), model.prototype_scores(x)[0]
    unit = model.distance_unit * (1 / at.d_left[0] + 1 / at.d_right[0])
    order = np.argsort(-model.predict_proba(x)[0], kind="stable")

    def expected(labels, w):
        scores = w * labels[0] + (1 - w) * labels[1]
        return (softmax(unit * scores) if deep else scores)[order]

    w, shown = told(way)
    assert w == pytest.approx(at.w[0], abs=1e-6)
    np.testing.assert_allclose(shown, model.predict_proba(x)[0][order], atol=1e-6)
    way.get_by_role("slider", name="w, the weight of prototype A").press("ArrowLeft")  # towards A
    changed, shown = told(way)
    assert changed == pytest.approx(w + 0.01, abs=1e-9)
    np.testing.assert_allclose(shown, expected(labels, changed), atol=1e-6)
    way.get_by_role("combobox", name="Distances").select_option("projected onto the line")
    along = model.set_params(distance="along_line").predict_proba(x)[0]
    np.testing.assert_allclose(told(way)[1], along[order], atol=1e-6)
    way.get_by_role("button", name="Reset").click()
    slider = way.locator("tbody input").first
    slider.evaluate("it => { it.value = 0.25; it.dispatchEvent(new Event('input')) }")
    by_hand, k = labels.copy(), order[0]
    if not deep:  # a logit changes alone
        by_hand[0] *= (1 - 0.25) / (1 - labels[0, k])
    by_hand[0, k] = 0.25
    np.testing.assert_allclose(told(way)[1], expected(by_hand, w), atol=1e-6)
    number = way.locator("[data-id=w]")
    number.focus()  # where it comes from lights up
    expect(way.locator(".lit")).to_have_count(2)
    number.press("ArrowRight")
    expect(number).not_to_be_focused()
    expect(way.locator(".how")).to_contain_text("Soft label of A" if not deep else "Logit of A")
