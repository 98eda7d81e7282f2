"""The Soft labels page in a real Chromium."""

import json
import re

import pytest
from lists import calm, choose_option, settle
from playwright.sync_api import expect

import slp_core as slp

pytestmark = pytest.mark.browser


def wins_above():
    """The w above which the left class wins with the whole of the left prototype's soft label."""
    dataset = slp.load_dataset("airline")
    episode = dataset.draw(16, 0)
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    model = slp.ConstraintSLPClassifier().fit(X[episode.support], episode.y_support)
    right = model.soft_labels_[0, 1].max()
    return re.escape(f"{right / (1 + right):.2f}")


def test_an_edit_moves_the_answers_is_kept_in_a_file_and_taken_back(visit, tmp_path):
    page = visit("soft_labels")
    page.get_by_text("Variation across support sets").click()
    expect(page.get_by_text(re.compile(r"\b10 of 10\b")).first).to_be_visible()
    settle(page)
    fitted = page.get_by_role("button", name="Reset", exact=True)
    expect(fitted).to_be_disabled()  # nothing to take back
    handle = page.get_by_test_id("stSlider").first.get_by_role("slider")
    handle.focus()
    for _ in range(5):  # ten steps of 0.01 each
        handle.press("PageUp")
    bands = page.get_by_text(re.compile(rf"neutral\W* 1\.00–{wins_above()}"))
    by_hand = page.get_by_text(re.compile(r"^Edited: accuracy.*changed"))
    expect(bands).to_be_visible()
    expect(by_hand).to_be_visible()
    page.wait_for_url(
        re.compile(r"hand_made_shares=[^&]*1\.0")
    )  # the last step, not the one before
    page.go_back()
    expect(handle).not_to_have_value("1")
    page.go_forward()
    expect(handle).to_have_value("1")
    page.get_by_role("button", name="View").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download prototypes").click()
    page.keyboard.press("Escape")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    content = json.loads(file.read_text())
    assert content["lines"][0]["left"] == {"neutral": 1.0}

    fitted.click()
    expect(by_hand).to_have_count(0)
    expect(fitted).to_be_disabled()
    page.get_by_role("button", name="View").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    expect(by_hand).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stException")).to_have_count(0)

    choose_option(page, "Method", "DeepSLP")
    choose_option(page, "Dataset", "Emotions")
    expect(page.get_by_role("slider")).to_have_count(8)  # of the line's four classes
    folds = page.get_by_text("9 other classes")
    expect(folds).to_have_count(2)
    for fold, drawn in zip(folds.all(), (17, 26), strict=True):
        fold.click()
        expect(page.get_by_role("slider")).to_have_count(drawn)  # as it opens, the next one moves
    page.get_by_role("slider").last.scroll_into_view_if_needed()
    # In sight, however far down the slider is. Streamlit may hide an old one beside it for a while.
    chart = page.locator(".st-key-map-by-hand-figure:not([data-retained])")
    expect(chart).to_be_in_viewport(ratio=1)
    page.get_by_role("slider").last.press("ArrowRight")
    expect(by_hand).to_be_visible()
    expect(page.get_by_role("slider")).to_have_count(26)  # and the folds stay open
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_key_of_many_long_names_is_whole_on_the_small_map(visit):
    page = visit("soft_labels?dataset=Customer+intents")
    key = page.locator(".st-key-map-by-hand-figure:not([data-retained]) .legend")
    expect(key.locator(".legendtext")).to_have_count(9)
    calm(page)
    # At once: what is above may still move it
    below = """key => {
      const end = (each) => each.getBoundingClientRect().bottom;
      const names = [...key.querySelectorAll(".legendtext")].map(end);
      return Math.max(...names) - end(key.querySelector(".bg"));
    }"""
    assert key.evaluate(below) <= 0
