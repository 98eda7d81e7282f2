"""The Encoders page in a browser: arrows under another encoder, and an uploaded checkpoint."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CHECKPOINT = Path(__file__).resolve().parents[2] / "checkpoints" / "reptile-minilm-l4"
ARROWS = """() => {
    const plot = [...document.querySelectorAll('.js-plotly-plot')].find(
        p => p.checkVisibility()
            && p._fullData?.some(t => t.marker && t.marker.angleref === 'previous'));
    if (!plot) return null;
    const shaft = plot._fullData.find(t => t.marker && t.marker.angleref === 'previous');
    return [plot.querySelectorAll('.trace.scatter').length, shaft.x[0], shaft.x[1]];
}"""


def test_an_uploaded_checkpoint_moves_the_points(visit):
    page = visit("encoders")
    before = page.get_by_role("heading").filter(has_text="MiniLM, layer 4")
    expect(before).to_be_visible()
    traces, start, end = page.wait_for_function(ARROWS).json_value()
    assert traces > 6
    assert start != end

    page.get_by_text("Upload a checkpoint", exact=True).click()
    files = page.get_by_test_id("stMain").locator("input[type=file]")
    files.set_input_files([CHECKPOINT / "card.json"])
    expect(page.get_by_text("The .safetensors file is missing")).to_be_visible()
    files.set_input_files([CHECKPOINT / "model.safetensors"])  # beside the card
    page.get_by_role("button", name="Use this encoder").click()
    title = "Reptile, plain head on MiniLM, layer 4 (uploaded)"
    headline = page.get_by_role("heading").filter(has_text=f"to “{title}”: accuracy")
    offer = page.get_by_role("button", name=f"Encode with {title}")
    expect(headline.or_(offer)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
