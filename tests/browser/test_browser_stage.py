"""The stage of Learn: its numbers are the library's, and it moves by hand, by keys and by links."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import window
from lists import calm
from playwright.sync_api import expect

import slp_core as slp
from slp_core.explain.bands import winning_bands
from slp_core.lessons.stage import RULES, TOLERANCES, read_stage

pytestmark = pytest.mark.browser
GEOMETRY = Path(__file__).parents[2] / "pages" / "learn" / "geometry.js"
POSITIONS, PROBES = 200, 4
COMPUTE = """cases => cases.map(({ centroids, lines, tolerance, probes, height }) => {
  const model = fit(centroids, { lines, tolerance })
  const at = probes.map(probe => place(model, probe, height))
  const told = name => at.map(one => one[name])
  const of = rule => probes.map(probe => scores(model, rule, probe, height))
  return {
    lines: model.lines.map(line => line.classes), labels: model.softLabels,
    line: told("line"), t: told("t"), r: told("r"), w: told("w"),
    constraint: of("constraint"), along: of("along"), deep: of("deep"), nearest: of("nearest"),
    predicted: RULES.map(rule => probes.map(([x, y]) => predictor(model, rule)(x, y, height ** 2))),
    sure: probes.map(([x, y]) => startingProbability(model)(x, y, height ** 2, 0)),
    corners: model.lines.flatMap((_, n) =>
      corners(model, n).map(({ left, right, w, angle, t, r }) => [left, right, w, angle, t, r])),
  }
})"""


def cases():
    """Random places; some nearly on one line, some with two centroids almost at one place."""
    rng = np.random.default_rng(0)
    for number in range(POSITIONS):
        centroids = rng.uniform(-3, 3, (int(rng.integers(3, 6)), 2))
        if number % 4 == 1:
            centroids[:, 1] *= 0.05
        if number % 4 == 2:
            centroids[1] = centroids[0] + rng.normal(scale=0.1, size=2)
        yield {
            "centroids": centroids.tolist(),
            "lines": int(rng.integers(1, 3)),
            "tolerance": float(rng.choice(TOLERANCES)),
            "probes": rng.uniform(-4, 4, (PROBES, 2)).tolist(),
            "height": float(rng.choice([0.0, 0.5, 8.0])),
        }


def expected(case):
    """The same by the library: a height over the plane is a third number."""
    X = np.column_stack([case["centroids"], np.zeros(len(case["centroids"]))])
    Q = np.column_stack([case["probes"], np.full(PROBES, case["height"])])
    y, options = list("ABCDE")[: len(X)], {"n_lines": case["lines"], "tolerance": case["tolerance"]}
    model = slp.ConstraintSLPClassifier(**options).fit(X, y)
    deep = slp.DeepSLPClassifier(**options, epochs=0).fit(X, y)
    at = model.place(Q)
    nearest = -np.linalg.norm(Q[:, None] - X, axis=2)
    full = model.influence(Q)
    along = model.set_params(distance="along_line").influence(Q)  # which fitting makes no use of
    rules = full, along, nearest, deep.influence(Q)
    return {
        "lines": [list(line.classes) for line in model.lines_],
        "labels": model.soft_labels_,
        **{name: getattr(at, name) for name in ("line", "t", "r", "w")},
        **dict(zip(("constraint", "along", "nearest", "deep"), rules, strict=True)),
        "predicted": [scores.argmax(axis=1) for scores in rules],
        "sure": deep.predict_proba(Q)[:, 0],
        "corners": list(corners(model)),
    }


def corners(model):
    """Where two bands meet, seen at the right angle of Theorem 2's proof: tan θ = w / (1 − w)."""
    for line, labels in zip(model.lines_, model.soft_labels_, strict=True):
        bands = winning_bands(*labels)
        for place, w in enumerate(bands.edges[1:-1]):
            right, left = bands.classes[place : place + 2]
            angle = np.arctan(w / (1 - w))
            t, r = line.length * np.cos(angle) * np.array([np.cos(angle), np.sin(angle)])
            yield left, right, w, np.degrees(angle), t, r


def test_the_browser_computes_what_the_library_does(browser):
    page, asked = browser.new_page(), list(cases())
    script = re.sub(r"^export ", "", GEOMETRY.read_text(encoding="utf-8"), flags=re.MULTILINE)
    page.add_script_tag(content=script)
    found = page.evaluate(COMPUTE, asked)
    page.close()
    assert len(found) == POSITIONS
    for case, here in zip(asked, found, strict=True):
        there = expected(case)
        assert here.pop("lines") == there.pop("lines")
        for name, numbers in here.items():
            np.testing.assert_allclose(
                np.array(numbers, float),
                there[name],
                rtol=1e-6,
                atol=1e-6,
                err_msg=f"{name} {case}",
            )


def numbers(page):
    """What the picture says of the probe."""
    kept = page.locator(".sum").evaluate("table => ({ ...table.dataset })")
    return {name: json.loads(kept[name]) for name in ("scores", "w", "labels")}


def test_the_stage_is_dragged_moved_by_keys_kept_in_the_url_opened_as_a_dataset_and_compared(visit):
    page = visit("learn", width=1280, height=720)
    green, probe = (
        page.get_by_role("slider", name=name) for name in ("Centroid of green", "Probe")
    )
    page.locator(".sum[data-w]").wait_for()
    calm(page)
    assert page.locator("canvas.map").bounding_box()["y"] <= 260
    before = numbers(page)
    np.testing.assert_allclose(
        before["labels"], [[[4 / 7, 3 / 7, 0], [0, 3 / 7, 4 / 7]]], atol=1e-6
    )
    box = green.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y - 10)
    page.mouse.up()
    expect(page).to_have_url(re.compile("stage="))
    green.press("ArrowLeft")
    probe.press("Shift+ArrowRight")
    page.wait_for_function("() => /probe%22%3A%5B1.6/.test(location.href)")
    stage = read_stage(page.evaluate("new URLSearchParams(location.search).get('stage')"))
    assert stage.centroids[1][0] < 1.5 < stage.probe[0]
    case = {"centroids": stage.centroids, "lines": 1, "tolerance": 0.1, "height": 0}
    there, here = expected(case | {"probes": [stage.probe] * PROBES}), numbers(page)
    for name, value in (("labels", there["labels"]), ("scores", there["constraint"][0])):
        np.testing.assert_allclose(here[name], value, rtol=1e-3, atol=1e-3)  # by the URL's digits
    moved = green.get_attribute("aria-valuetext")
    page.get_by_role("slider", name="Dimensions").press("End")
    page.get_by_role("button", name="Open as dataset").click()
    dataset = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Dataset")
    expect(dataset).to_have_value("The stage of Learn")
    expect(page).not_to_have_url(re.compile("/learn"))
    page.go_back()
    expect(green).to_have_attribute("aria-valuetext", moved)
    page.get_by_role("button", name="Middle class aside").click()
    page.get_by_role("button", name="Open as dataset").click()  # before the URL says so
    expect(page).not_to_have_url(re.compile("/learn"))
    page.go_back()
    expect(green).to_have_attribute("aria-valuetext", "−0.50, 2.00")

    # Any two rules are compared, and hatched where they differ
    page.get_by_role("button", name="Nearly equal centroids").click()
    rules = page.get_by_role("group", name="Rules")

    def picture(rule, against):
        rules.get_by_role("button", name=RULES[rule]).click()
        page.get_by_label("Compare with").select_option(against)
        return page.locator("canvas.map").evaluate(
            "map => new Promise(done => requestAnimationFrame(() => done(map.toDataURL())))"
        )

    for rule in RULES:
        alone = picture(rule, "")
        for against in RULES:
            same = rule == against or {rule, against} == {"nearest", "deep"}
            assert (picture(rule, against) == alone) is same, (rule, against)
    expect(page).to_have_url(re.compile("against"))


def test_a_finger_drags_a_centroid_and_the_page_stays_where_it_is(browser, address):
    context = window(browser, 390, 844, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{address}/learn")
    page.locator(".sum[data-w]").wait_for()
    calm(page)
    green, top = page.get_by_role("slider", name="Centroid of green"), page.locator("canvas.map")
    finger = context.new_cdp_session(page)

    def drag(x, y):
        """Upwards."""
        for kind, way in (("Start", 0), *(("Move", 6 * step) for step in range(1, 11)), ("End", 0)):
            at = [] if kind == "End" else [{"x": x, "y": y - way}]
            finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})

    box, before = green.bounding_box(), top.bounding_box()
    assert green.get_attribute("aria-valuetext") == "1.50, 0.00"
    drag(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(green).to_have_attribute("aria-valuetext", re.compile(r"1\.50, 0\.[789]"))
    assert green.bounding_box()["y"] == pytest.approx(box["y"] - 60, abs=2)
    assert top.bounding_box() == before
    drag(before["x"] + 20, before["y"] + before["height"] - 20)  # beside them, it scrolls
    page.wait_for_function("top => document.querySelector('[data-testid=stMain]').scrollTop > 20")
    context.close()
