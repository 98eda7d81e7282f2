"""Names that try to be markup are read as they are in a real Chromium, and fetch nothing."""

import json

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CLASSES = (
    "<b>Qb</b> &lt;Qi",
    ":smile: $Qx$ www.q.org",
    "<img src=x onerror=alert(1)>",
    "%{Qt} [Q](q)",
)
LEGEND = "() => [...document.querySelectorAll('.legendtext')].map(t => t.textContent)"


def test_names_of_classes_are_read_as_they_are_in_sentence_key_and_hover(visit, tmp_path):
    rows = [
        {"text": f"{name} and {word} {n}", "label": name}
        for name in CLASSES
        for n, word in enumerate(["sun", "rain", "wind", "snow", "fog", "hail"])
    ]
    file = tmp_path / "=cmd <i>Q.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    page, foreign = visit("?encoder=TF-IDF+and+SVD&shots=2"), []
    page.on("dialog", lambda dialog: (foreign.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda asked: foreign.append(asked.url) if "q.org" in asked.url else None)
    page.get_by_role("button", name="Upload a dataset").click()
    page.set_input_files("[data-testid=stFileUploader] input", file)
    counted = page.get_by_text("24 examples, 4 classes").last
    expect(counted).to_be_visible()
    said = counted.locator(
        "xpath=ancestor::*[@data-testid='stMarkdownContainer']"
    ).last.inner_text()
    for name in CLASSES:
        assert f"“{name}”" in said.replace("\u2060", "")
    page.get_by_role("button", name="Use this dataset").click()
    page.wait_for_function(f"() => ({LEGEND})().some(text => text.includes('<b>Qb</b> &lt;Qi'))")
    legend = page.evaluate(LEGEND)
    assert [name for name in CLASSES if name[:12] not in "\n".join(legend)] == []
    hover = page.wait_for_function(
        """() => firstChart()?.calcdata
            ?.map(c => c[0].trace.hovertext?.[0]).find(text => /img src/.test(text))"""
    ).json_value()
    assert "<img" not in hover
    assert "&lt;img src=x onerror=alert(1)&gt;" in hover
    assert not foreign
    assert (
        page.locator("[data-testid=stMain] :is(a[href*='q.org'], .katex, img[src='x'])").count()
        == 0
    )
    page.get_by_role("button", name="Data & export").first.click()
    page.get_by_role("button", name="Table (CSV)").wait_for()
    expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)
