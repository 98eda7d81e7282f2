"""A second method or encoder beside the map, run without a browser."""

import re

import pytest
from driving import charts, fitted, labels, open_page, shown

import slp_core as slp
from pages.session.methods import ON_VECTORS
from slp_core.explain.difference import compare_answers
from slp_core.figures.difference import DifferenceDisplay
from slp_core.figures.map.pair import MapPairDisplay

PAIR, DIFFERENCE = MapPairDisplay.name, DifferenceDisplay.name


@pytest.mark.parametrize("comparison", ["side by side", "difference"])
@pytest.mark.parametrize("other", [title for title in ON_VECTORS if title != "DeepSLP"])
def test_another_method_on_the_same_picture(other, comparison):
    key = "beside_deep_slp_minilm-l4"
    app = open_page(method="DeepSLP", comparison=comparison, **{key: other})
    both = [fitted(ON_VECTORS[title].make()).answers(title) for title in ("DeepSLP", other)]
    assert f"**{compare_answers(*both, ('DeepSLP', other)).sentence()}**" in shown(app)
    drawn = charts(app)
    assert len(drawn) >= 2
    if comparison == "side by side":
        assert zoomed_together(drawn[PAIR])
    else:
        assert "xaxis2" not in drawn[DIFFERENCE][0]["layout"]  # one map


def zoomed_together(chart):
    layout = chart[0]["layout"]
    assert "xaxis2" in layout  # two maps
    return layout["xaxis2"].get("matches") == "x"


def test_another_encoder_that_has_to_be_asked_first(nothing_encoded):
    app = open_page(**{"beside_constraint_slp_minilm-l4": "through MiniLM, last layer"})
    shown(app)
    assert "Encode with MiniLM, last layer" in labels(app)
    assert "Compare" not in [choice.label for choice in app.get("button_group")]
    assert not any("xaxis2" in chart["layout"] for chart, _ in charts(app).values())


def test_tables_are_seen_through_another_encoder_at_once():
    app = open_page(dataset="Wine", **{"beside_constraint_slp_numeric": "through Raw numbers"})
    both = [
        fitted(slp.ConstraintSLPClassifier(), "wine", encoder=encoder).answers("constraintSLP")
        for encoder in ("numeric", "raw")
    ]
    names = ("Standardised on support set", "Raw numbers")
    assert f"**{compare_answers(*both, names).sentence()}**" in shown(app)
    assert not zoomed_together(charts(app)[PAIR])


def test_every_picture_but_layouts_has_a_residual_for_the_point():
    expected = fitted(slp.ConstraintSLPClassifier())
    row = expected.episode.query[expected.answers("constraintSLP").most_telling()]
    off = slp.fit_projection(expected.X, "decision_plane", expected.model).residuals
    here = open_page(projection="Decision plane")
    (told,) = [
        c.value
        for c in here.caption
        if f"{off[row]:.3f}" in c.value and f"{off.mean():.3f}" in c.value
    ]
    form = re.escape(told)
    for value in (off[row], off.mean()):
        form = form.replace(re.escape(f"{value:.3f}"), r"[\d.]+")
    assert re.search(form, shown(here))
    assert not re.search(form, shown(open_page(dataset=slp.load_dataset("toy_abc").title)))
