"""A second method or encoder beside the map, run without a browser."""

import pytest
from driving import open_page, shown

import slp_core as slp
from pages.session.methods import ON_VECTORS


def texts(**settings):
    app = open_page(**settings)
    return shown(app), app


@pytest.mark.parametrize("comparison", ["side by side", "difference"])
@pytest.mark.parametrize("other", [title for title in ON_VECTORS if title != "DeepSLP"])
def test_another_method_on_the_same_picture(other, comparison):
    key = "beside_deep_slp_minilm-l4"
    text, app = texts(method="DeepSLP", comparison=comparison, **{key: other})
    assert f"DeepSLP and {other} differ at" in text
    assert len(app.get("plotly_chart")) >= 2
    said = "zoomed together" if comparison == "side by side" else "two landscapes show different"
    assert said in text


def test_another_encoder_that_has_to_be_asked_first(nothing_encoded):
    text, app = texts(**{"beside_constraint_slp_minilm-l4": "through MiniLM, last layer"})
    assert "Encode with MiniLM, last layer" in [b.label for b in app.button]
    assert "differ at" not in text


def test_tables_are_seen_through_another_encoder_at_once():
    text, _ = texts(dataset="Wine", **{"beside_constraint_slp_numeric": "through Raw numbers"})
    assert "Standardised numbers and Raw numbers" in text
    assert "zoomed apart" in text


def test_every_picture_but_layouts_has_a_residual_for_the_point():
    assert "picture's plane passes it at a distance of" in texts(projection="Decision plane")[0]
    assert "picture's plane" not in texts(dataset=slp.load_dataset("toy_abc").title)[0]
