"""The Ensemble page, run without a browser."""

import pytest
from driving import open_page, shown, until

import slp_core as slp
from pages.session.methods import ON_VECTORS


def text_of(**settings):
    app = open_page("ensemble", **settings)
    until(app, lambda: "Together or alone" in shown(app))
    return shown(app), app


@pytest.mark.parametrize("method", list(ON_VECTORS))
def test_every_method_has_its_page_or_is_told_why_not(method):
    text, _ = text_of(method=method)
    assert "Together the prototypes have an NLL of" in text
    lines = method in ("constraintSLP", "DeepSLP", "Nearest centroid")
    assert ("has no prototypes" in text) != lines


def test_draws_decompositions_calibration_and_strangers():
    text, app = text_of(method="DeepSLP", temperature="softmax(z / distance)")
    assert "of 10 draws" in text
    assert "F being the log-linear pool" in text
    assert "off bin by bin (ECE)" in text
    assert "has the higher entropy than a query point in" in text
    assert "where the two disagree most" in text
    parts = next(d.value for d in app.dataframe if "left over" in d.value.columns)
    assert parts["left over"].iloc[1:].abs().max() < 1e-6


def test_the_single_model_can_be_a_fine_tuned_encoder():
    text, _ = text_of(shots=1, single="Fine-tuned encoder")
    assert "the single model is the fine-tuned encoder on the same support sets" in text
    assert "Its entropy is above that of the fine-tuned encoder on" in text
    assert "of 3 draws" in text
    text, _ = text_of(dataset="Wine", single="Fine-tuned encoder")
    assert "the single model is logistic regression" in text


def test_a_clicked_point_is_read():
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[7])
    text, app = text_of(point=row)
    assert f"**Query point {row}**" in text
    assert dataset.examples.texts[row] in [t.value for t in app.text]


@pytest.mark.parametrize("title", ["Emotions", "Disaster or not", "Wine", "A, B and C"])
def test_other_data(title):
    text, _ = text_of(dataset=title)
    assert "Together the prototypes" in text
    assert ("Texts" in text) or title in ("Wine", "A, B and C") or "higher entropy" in text
