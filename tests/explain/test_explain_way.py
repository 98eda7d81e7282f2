"""One example's way: from its numbers alone the prediction of the method follows."""

import json

import numpy as np
import pytest
from explain_problems import clouds
from scipy.special import softmax

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier
from slp_core.data import Examples
from slp_core.explain import read_point
from slp_core.figures.way import Source, way_data

MODELS = (
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line", n_lines="all", assignment="prototype"),
    DeepSLPClassifier(epochs=3),
    DeepSLPClassifier(epochs=3, train_on="line"),
)


def retold(data, rule):
    """The prediction from what the browser is sent, by equation 1 as it is written."""
    d_a, d_b = data["distances"][rule]
    a, b = np.array(data["labels"])
    if data["local"]:
        return softmax(data["unit"] * (a / d_a + b / d_b))
    w = d_b / (d_a + d_b)
    return w * a + (1 - w) * b


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_its_numbers_make_the_prediction_by_either_rule_for_distances(model):
    X, y, Q, truth, centroids = clouds()
    model.fit(X, y)
    own = model.distance
    for x, true in zip(Q[:20], truth[:20], strict=True):
        way = read_point(model, x, centroids, int(true))
        source = Source("one", Examples("numeric", features=x[None]))
        data = json.loads(json.dumps(way_data(way, source), allow_nan=False))
        assert data["rule"] == own
        for rule in ("euclidean", "along_line"):
            model.set_params(distance=rule)  # which fitting made no use of
            expected = np.zeros(len(centroids))
            expected[data["scored"]] = retold(data, rule)
            np.testing.assert_allclose(model.predict_proba(x[None])[0], expected, atol=1e-9)
        model.set_params(distance=own)
        assert model.classes_[data["predicted"]] == model.predict(x[None])[0]
        to_a, to_b = (np.linalg.norm(x - p) for p in model.prototypes_[data["line"]])
        np.testing.assert_allclose(data["distances"]["euclidean"], [to_a, to_b])
        at = np.hypot(data["t"], data["r"]), np.hypot(data["length"] - data["t"], data["r"])
        np.testing.assert_allclose(at, [to_a, to_b])  # as the picture has it
        away = {each["k"]: each["distance"] for each in data["centroids"]}
        for k, distance in away.items():
            assert distance == pytest.approx(np.linalg.norm(x - centroids[k]))
        assert way.nearness.argmin() == data["line"]


def test_texts_come_in_parts_and_features_by_name():
    X, y, Q, _, centroids = clouds()
    way = read_point(ConstraintSLPClassifier().fit(X, y), Q[0], centroids)

    def told(example, **more):
        return way_data(way, Source("one", example, **more))

    span = told(Examples("span", texts=("<b>Ada</b> wrote",), spans=((3, 6),)))
    assert span["texts"] == [["<b>", "Ada", "</b> wrote"]]
    pair = told(Examples("pair", texts=("It rains.",), pairs=("Wet.",)))
    assert [part for part, *_ in pair["texts"]] == ["It rains.", "Wet."]
    d = Q.shape[1]
    names = [f"f{i}" for i in range(d)]
    numbers = told(Examples("numeric", features=Q[:1]), feature_names=names)
    assert [name for name, _ in numbers["features"]] == (names if d <= 12 else [])
    image = told(Examples("numeric", features=Q[:1]), image=np.eye(3))
    assert image["image"] == np.eye(3).tolist()
    assert image["features"] == []
