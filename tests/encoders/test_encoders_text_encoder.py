"""Encoders as steps of scikit-learn's pipelines."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import slp_core as slp
from slp_core.data import Examples

DATASET = slp.load_dataset("airline")
EPISODE = DATASET.draw(4, 0)
TEXTS = np.array(DATASET.examples.texts)
SUPPORT, QUERY = TEXTS[EPISODE.support].tolist(), TEXTS[EPISODE.query].tolist()


@pytest.mark.parametrize(
    "options",
    [{}, {"chunks": True, "encoder": "minilm-l6"}, {"encoder": "protonet-mean-minilm-l6",
                                                    "combine": "weighted"}],
)  # fmt: skip
def test_a_pipeline_predicts_as_its_two_parts_do(options):
    model = make_pipeline(slp.TextEncoder(**options), slp.NearestCentroidClassifier())
    predicted = clone(model).fit(SUPPORT, EPISODE.y_support).predict(QUERY)
    encoder = slp.load_encoder(options.pop("encoder", "minilm-l4"), **options)
    X = encoder.encode(DATASET, support=EPISODE.support)
    parts = slp.NearestCentroidClassifier().fit(X[EPISODE.support], EPISODE.y_support)
    np.testing.assert_array_equal(predicted, parts.predict(X[EPISODE.query]))


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"encoder": "tfidf-char"}, SUPPORT),
        ({"normalisation": "centred_l2"}, SUPPORT),
        ({"encoder": "numeric"}, [[0.0, 3.0], [1.0, 5.0], [5.0, 4.0]]),
    ],
)
def test_rows_to_predict_have_no_say_in_what_is_fitted(options, rows):
    encoder = slp.TextEncoder(**options).fit(rows)
    together = encoder.transform(rows)
    np.testing.assert_array_equal(together, clone(encoder).fit_transform(rows))
    one_by_one = np.concatenate([encoder.transform(rows[i : i + 1]) for i in range(len(rows))])
    np.testing.assert_allclose(one_by_one, together, atol=1e-6)


def test_a_grid_search_compares_encoders():
    model = make_pipeline(slp.TextEncoder(), slp.DeepSLPClassifier())
    grid = {"textencoder__encoder": ["tfidf-char", "minilm-l4"]}
    search = GridSearchCV(model, grid, cv=2).fit(SUPPORT, EPISODE.y_support)
    assert search.best_params_ == {"textencoder__encoder": "minilm-l4"}
    assert "TextEncoder" in search._repr_html_()


def test_two_columns_of_texts_are_pairs():
    rows = [("It rained.", "It was dry."), ("He left.", "He went away.")]
    expected = slp.load_encoder("minilm-l4").encode(*map(list, zip(*rows, strict=True)))
    whole = Examples(
        "pair", texts=("It rained.", "He left."), pairs=("It was dry.", "He went away.")
    )
    for X in (rows, np.array(rows), pd.DataFrame(rows, columns=["first", "second"]), whole):
        np.testing.assert_array_equal(slp.TextEncoder().fit_transform(X), expected)


def test_vectors_come_as_a_table_with_names():
    encoder = slp.TextEncoder().set_output(transform="pandas")
    found = encoder.fit_transform(pd.Series(SUPPORT))
    assert found.columns[[0, -1]].tolist() == ["textencoder0", "textencoder383"]


def test_weights_by_support_need_labels():
    encoder = slp.TextEncoder("protonet-mean-minilm-l6", combine="weighted")
    with pytest.raises(slp.EncoderError, match=r"call fit\(X, y\)"):
        encoder.fit(SUPPORT)
    with pytest.raises(slp.EncoderError, match="Device 'cuda' is not available"):
        slp.TextEncoder(device="cuda", cache=False).fit(SUPPORT)
