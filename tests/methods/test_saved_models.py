"""A saved model comes back as it was; anything else is refused in a sentence."""

import io
import json
import zipfile

import numpy as np
import pytest

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    SLPError,
)
from slp_core.methods.saved import CARD, WEIGHTS, load_model, save_model


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.array(["ant", "bee", "cat", "dog", "emu"])[np.repeat(np.arange(5), 4)]
    return rng.normal(size=(20, 7)), y, rng.normal(size=(50, 7))


@pytest.mark.parametrize(
    "model",
    [
        ConstraintSLPClassifier(n_lines=2, distance="along_line"),
        DeepSLPClassifier(),
        DeepSLPClassifier(preset="paper", train_on="line", assignment="prototype"),
        NearestCentroidClassifier(),
    ],
    ids=repr,
)
def test_it_answers_as_before(model, data):
    X, y, query = data
    fitted = model.fit(X, y)
    back, about = load_model(save_model(fitted, dataset="planted", draw=3))
    assert about == {"dataset": "planted", "draw": 3}
    assert type(back) is type(fitted)
    np.testing.assert_array_equal(back.predict(query), fitted.predict(query))
    np.testing.assert_array_equal(back.predict_proba(query), fitted.predict_proba(query))
    np.testing.assert_array_equal(back.place(query).w, fitted.place(query).w)
    np.testing.assert_array_equal(back.prototypes_, fitted.prototypes_)
    assert [line.classes for line in back.lines_] == [line.classes for line in fitted.lines_]


def packed(card, weights):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        if card is not None:
            package.writestr(CARD, card if isinstance(card, str) else json.dumps(card))
        if weights is not None:
            package.writestr(WEIGHTS, weights)
    return file.getvalue()


def test_what_is_no_saved_model_is_refused(data):
    X, y, _ = data
    whole = save_model(DeepSLPClassifier().fit(X, y))
    with zipfile.ZipFile(io.BytesIO(whole)) as package:
        card, weights = json.loads(package.read(CARD)), package.read(WEIGHTS)
    other = save_model(ConstraintSLPClassifier().fit(X[:, :4], y))
    with zipfile.ZipFile(io.BytesIO(other)) as package:
        foreign = package.read(WEIGHTS)
    for content, said in (
        (b"text,label\na,b\n", "cannot be opened as a saved model"),
        (whole[:-40], "cannot be opened as a saved model"),
        (packed(card, None), "no saved model"),
        (packed("[1]", weights), "holds no object"),
        (packed(card | {"format": "else"}, weights), "not saved by this program"),
        (packed(card | {"kind": "os.system"}, weights), "not saved by this program"),
        (packed(card | {"classes": ["ant"]}, weights), "does not fit together"),
        (packed(card | {"parameters": {"colour": 1}}, weights), "does not fit together"),
        (packed(card, foreign), "does not fit together"),
        (packed(card, weights[:50]), "model.safetensors is damaged"),
    ):
        with pytest.raises(SLPError, match=f"model.zip.*{said}"):
            load_model(content, "model.zip")


def test_other_models_cannot_be_saved(data):
    X, y, _ = data
    with pytest.raises(SLPError, match="LogisticRegressionClassifier cannot be saved"):
        save_model(LogisticRegressionClassifier().fit(X, y))
