"""A second method or encoder beside the map, run without a browser."""

import pytest
from driving import MAIN, charts, fitted, labels, link, open_page, shown
from streamlit.testing.v1 import AppTest

import slp_core as slp
from pages.session.methods import ON_VECTORS
from slp_core.explain.difference import compare_predictions, difference_text
from slp_core.figures.difference import DifferenceDisplay, MapPairDisplay

PAIR, DIFFERENCE = MapPairDisplay.name, DifferenceDisplay.name


@pytest.mark.parametrize("comparison", ["side by side", "difference"])
@pytest.mark.parametrize("other", ["constraintSLP", "1-nearest neighbour"])
def test_another_method_on_the_same_picture(other, comparison):
    key = "beside_deep_slp_minilm-l4"
    app = open_page(folded=True, method="DeepSLP", comparison=comparison, **{key: other})
    both = [fitted(ON_VECTORS[title].make()).predictions(title) for title in ("DeepSLP", other)]
    assert f"**{difference_text(compare_predictions(*both, ('DeepSLP', other)))}**" in shown(app)
    drawn = charts(app)
    assert len(drawn) >= 2
    if comparison == "side by side":
        assert zoomed_together(drawn[PAIR])
    else:
        assert "xaxis2" not in drawn[DIFFERENCE][0]["layout"]  # one map


def test_a_link_to_the_difference_opens_as_it_was_left():
    asked = {"beside_constraint_slp_minilm-l4": "DeepSLP", "comparison": "difference", "point": "7"}
    app = AppTest.from_file(MAIN, default_timeout=240)
    app.query_params.update(asked)
    shown(app.run())
    assert DIFFERENCE in charts(app)
    assert "layers" not in [choice.key for choice in app.get("button_group")]  # has none to choose
    assert {key: link(app)[key] for key in asked} == asked


def zoomed_together(chart):
    layout = chart[0]["layout"]
    assert "xaxis2" in layout  # two maps
    return layout["xaxis2"].get("matches") == "x"


def test_another_encoder_that_has_to_be_asked_first(nothing_encoded):
    app = open_page(
        folded=True, **{"beside_constraint_slp_minilm-l4": "through MiniLM, last layer"}
    )
    shown(app)
    assert "Encode with MiniLM, last layer" in labels(app)
    assert not any("xaxis2" in chart["layout"] for chart, _ in charts(app).values())


def test_tables_are_seen_through_another_encoder_at_once():
    app = open_page(
        folded=True, dataset="Wine", **{"beside_constraint_slp_numeric": "through Raw numbers"}
    )
    both = [
        fitted(slp.ConstraintSLPClassifier(), "wine", encoder=encoder).predictions("constraintSLP")
        for encoder in ("numeric", "raw")
    ]
    names = ("Standardised on support set", "Raw numbers")
    assert f"**{difference_text(compare_predictions(*both, names, 'constraintSLP'))}**" in shown(
        app
    )
    assert not zoomed_together(charts(app)[PAIR])
