"""A saved model comes back as it was; anything else is refused in a sentence."""

import io
import json
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import load, save

import slp_core as slp
from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    SLPError,
)
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.model_files import CARD, WEIGHTS, model_from_bytes, model_to_bytes


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
        DeepSLPClassifier(preset="paper", train_on="line", assignment="prototype", n_lines=2),
        DeepSLPClassifier(epochs=0),
        NearestCentroidClassifier(),
    ],
    ids=repr,
)
def test_it_predicts_as_before(model, data):
    X, y, query = data
    fitted = model.fit(X, y)
    back, about = model_from_bytes(model_to_bytes(fitted, dataset="planted", draw=3))
    assert about == {"dataset": "planted", "draw": 3}
    assert type(back) is type(fitted)
    np.testing.assert_array_equal(back.predict(query), fitted.predict(query))
    np.testing.assert_array_equal(back.predict_proba(query), fitted.predict_proba(query))
    np.testing.assert_array_equal(back.place(query).w, fitted.place(query).w)
    np.testing.assert_array_equal(back.prototypes_, fitted.prototypes_)
    assert [line.classes for line in back.lines_] == [line.classes for line in fitted.lines_]
    assert hasattr(back, "line_fit_") == (not isinstance(model, NearestCentroidClassifier))
    if hasattr(back, "line_fit_"):
        assert back.line_fit_.lines is back.lines_
        assert back.line_fit_.tolerance == fitted.line_fit_.tolerance
    history, expected = (getattr(one, "history_", {}) for one in (back, fitted))
    assert set(history) == set(expected)
    for name in expected:
        np.testing.assert_array_equal(history[name], expected[name])


def packed(card, weights):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        if card is not None:
            package.writestr(CARD, card if isinstance(card, str) else json.dumps(card))
        if weights is not None:
            package.writestr(WEIGHTS, weights)
    return file.getvalue()


def parts(whole):
    with zipfile.ZipFile(io.BytesIO(whole)) as package:
        return json.loads(package.read(CARD)), package.read(WEIGHTS)


def test_what_is_no_saved_model_is_refused(data):
    X, y, _ = data
    whole = model_to_bytes(DeepSLPClassifier().fit(X, y))
    card, weights = parts(whole)
    _, foreign = parts(model_to_bytes(ConstraintSLPClassifier().fit(X[:, :4], y)))

    def with_array(name, value):
        return packed(card, save(load(weights) | {name: np.asarray(value, dtype=np.float64)}))

    for content, said in (
        (b"text,label\na,b\n", "cannot be opened as a saved model"),
        (whole[:-40], "cannot be opened as a saved model"),
        (packed(card, None), "not a saved model"),
        (packed("[1]", weights), "It must be an object {…} with format, kind"),
        (packed("[1", weights), "It is not JSON"),
        (packed(card | {"format": "else"}, weights), "format must be"),
        (packed(card | {"kind": "os.system"}, weights), "kind must be 'NearestCentroid"),
        (packed(card | {"classes": ["ant"]}, weights), "is inconsistent"),
        (packed(card | {"parameters": {"colour": 1}}, weights), "'colour'"),
        (packed(card | {"parameters": {"callback": 1}}, weights), "callback of DeepSLP"),
        (
            packed(card | {"parameters": {"epochs": -1}}, weights),
            "epochs of DeepSLPClassifier must",
        ),
        (
            packed(card | {"numbers": {"spread_": -1}}, weights),
            "spread_ must be a finite number above 0",
        ),
        (packed(card | {"numbers": {}}, weights), "numbers → spread_ is missing"),
        (packed(card | {"lines": card["lines"][:1]}, weights), "is inconsistent"),
        (
            packed(card | {"lines": [{"classes": [9]}] * len(card["lines"])}, weights),
            "lines name 9, which has no centroid",
        ),
        (packed(card | {"about": 3}, weights), "is inconsistent"),
        (packed(card, foreign), "is inconsistent"),
        (packed(card, weights[:50]), "model.safetensors is damaged"),
        (with_array("coef_", load(weights)["coef_"] + 1e200), "'coef_' contains"),
        (with_array("history loss", [[1.0]]), "'history loss' is not of 64-bit numbers of shape"),
        (
            with_array("history learning_rate", np.full(60, np.nan)),
            "'history learning_rate' contains",
        ),
    ):
        with pytest.raises(SLPError, match=f"model.zip.*{said}"):
            model_from_bytes(content, "model.zip")


def test_a_line_that_its_centroids_do_not_make_is_refused(data):
    X, y, _ = data
    card, weights = parts(model_to_bytes(ConstraintSLPClassifier(n_lines=1).fit(X, y)))
    (line,) = card["lines"]
    turned = {"classes": line["classes"][1:] + line["classes"][:1]}
    with pytest.raises(SLPError, match="the order of their centroids is"):
        model_from_bytes(packed(card | {"lines": [turned]}, weights))


@pytest.mark.parametrize("change", [[0.1, 0, 0, 0, 0], [2, -2, 0, 0, 0]])
def test_soft_labels_that_are_no_distribution_are_refused(change, data):
    card, weights = parts(model_to_bytes(ConstraintSLPClassifier().fit(*data[:2])))
    arrays = load(weights)
    arrays["soft_labels_"] = arrays["soft_labels_"] + change
    with pytest.raises(
        SLPError, match=r"The (left|right) soft label of line 1 (sums to|has a share)"
    ):
        model_from_bytes(packed(card, save(arrays)))


def test_other_models_cannot_be_saved(data):
    X, y, _ = data
    with pytest.raises(SLPError, match="LogisticRegressionClassifier cannot be saved"):
        model_to_bytes(LogisticRegressionClassifier().fit(X, y))


@pytest.mark.parametrize(
    ("classifier", "parameters"),
    [
        (ConstraintSLPClassifier, {"n_lines": np.int64(2), "tolerance": np.float32(0.1)}),
        (DeepSLPClassifier, {"random_state": np.int64(3), "learning_rate": np.float64(0.1)}),
    ],
)
def test_numbers_of_numpy_are_saved_as_numbers(classifier, parameters, data):
    X, y, query = data
    fitted = classifier(**parameters).fit(X, y)
    back, about = model_from_bytes(model_to_bytes(fitted, draw=np.int64(3)))
    assert about == {"draw": 3}
    assert type(about["draw"]) is int
    assert {name: back.get_params()[name] for name in parameters} == parameters
    assert not any(isinstance(value, np.generic) for value in back.get_params().values())
    np.testing.assert_array_equal(back.predict_proba(query), fitted.predict_proba(query))


@pytest.mark.parametrize(
    "classes",
    [
        [False, True],
        ["", "bee"],
        ["x" * 200, "bee"],
        np.array([1, 2], dtype=np.uint8),
        np.array([-1, 2], dtype=np.int32),
        np.array([0, 1], dtype=np.float16),
        np.array(["ant", "bee"], dtype=object),
    ],
    ids=str,
)
def test_classes_keep_their_type(classes, data):
    X, _, query = data
    fitted = NearestCentroidClassifier().fit(X, np.asarray(classes)[np.arange(20) % 2])
    back, _ = model_from_bytes(model_to_bytes(fitted))
    assert back.classes_.dtype == fitted.classes_.dtype
    np.testing.assert_array_equal(back.predict(query), fitted.predict(query))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"y": ["x" * 201, "bee"]}, "classes → 2 must be a text of at most 200"),
        ({"y": ["half \ud800", "bee"]}, "surrogates not allowed"),
        ({"y": [b"ant", b"bee"]}, "a bytes is not a number, a text"),
        (
            {"y": np.array(["2020", "2021"], "M8[ns]")},
            "the classes are not sorted, distinct and of",
        ),
        ({"y": range(201)}, "must have 1 to 200 classes"),
        ({"width": 5001}, "1 to 5,000 numbers"),
        (
            {"random_state": np.random.RandomState(0)},
            "a RandomState is not a number, a text",
        ),
        ({"about": {"when": object()}}, "a object is not a number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_could_not_be_loaded_is_not_saved(change, said):
    y = np.asarray(change.get("y", ["ant", "bee"]))
    X = np.random.default_rng(0).normal(size=(2 * len(y), change.get("width", 3)))
    model = NearestCentroidClassifier()
    if "random_state" in change:
        model = DeepSLPClassifier(random_state=change["random_state"])
    fitted = model.fit(X, np.tile(y, 2))
    with pytest.raises(SLPError, match=f"{type(model).__name__} cannot be saved.*{said}"):
        model_to_bytes(fitted, **change.get("about", {}))


def test_names_of_columns_are_kept(data):
    X, y, _ = data
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    fitted = DeepSLPClassifier().fit(frame, y)
    back, _ = model_from_bytes(model_to_bytes(fitted))
    assert back.feature_names_in_.tolist() == list(frame)
    with warnings.catch_warnings(action="error"):
        np.testing.assert_array_equal(back.predict(frame), fitted.predict(frame))
    with pytest.raises(ValueError, match="feature names should match"):
        back.predict(frame[list("bacdefg")])


def test_a_file_without_types_names_and_history_is_read(data):
    X, y, query = data
    fitted = DeepSLPClassifier(epochs=2).fit(X, y)
    card, weights = parts(model_to_bytes(fitted))
    del card["class_dtype"], card["feature_names"]
    kept = {name: array for name, array in load(weights).items() if "history" not in name}
    back, _ = model_from_bytes(packed(card, save(kept)))
    np.testing.assert_array_equal(back.predict_proba(query), fitted.predict_proba(query))
    assert not hasattr(back, "history_")
    assert not hasattr(back, "feature_names_in_")


def test_files_of_the_version_before_predict_as_they_did():
    """Written by 0.1.0 at commit 6bb265b, with what it predicted."""
    folder = Path(__file__).parent / "files"
    expected = json.loads((folder / "expected.json").read_text())
    for name, kind in (
        ("constraint_slp", ConstraintSLPClassifier),
        ("deep_slp", DeepSLPClassifier),
    ):
        content = (folder / f"{name}.zip").read_bytes()
        model, about = model_from_bytes(content, name)
        assert type(model) is kind
        assert about == {"dataset": "planted", "draw": 3}
        found = model.predict_proba(np.array(expected["query"]))
        np.testing.assert_allclose(found, expected[name], atol=1e-9)
        assert model.line_method == "recursive_regression"
    assert model.history_["loss"].shape == (4, len(model.lines_))
    made = EditedPrototypes.from_json((folder / "soft_labels.json").read_text())
    found = made.classifier().predict_proba(np.array(expected["query"]))
    np.testing.assert_allclose(found, expected["soft_labels"], atol=1e-9)
    assert made.digest == expected["digest"]
    assert (made.encoder, made.fitted_on) == ("minilm-l4", (4, 2))


def test_a_file_is_written_and_read_by_its_path(data, tmp_path):
    X, y, query = data
    fitted = ConstraintSLPClassifier().fit(X, y)
    slp.save_model(fitted, tmp_path / "model.zip", draw=2)
    back = slp.load_model(str(tmp_path / "model.zip"))
    np.testing.assert_array_equal(back.predict_proba(query), fitted.predict_proba(query))
    (tmp_path / "other.zip").write_bytes(b"nothing")
    with pytest.raises(SLPError, match=r"^other\.zip"):
        slp.load_model(tmp_path / "other.zip")


@pytest.mark.parametrize(
    "changes",
    [
        {"classes": [True, 2]},
        {"classes": [1, "b"]},
        {"classes": [1, 300], "class_dtype": "int8"},
        {"classes": [0.5, 1.5], "class_dtype": "int64"},
        {"classes": [1, 2], "class_dtype": "datetime64[ns]"},
        {"classes": [1, 2], "class_dtype": ["int8"]},
        {"feature_names": ["a", "b"]},
        {"feature_names": ["a", "b", 3]},
        {"feature_names": ["a", "b", "x" * 1001]},
        {"feature_names": "abc"},
    ],
    ids=str,
)
def test_a_card_with_odd_classes_or_names_is_refused(changes, data):
    card, weights = parts(model_to_bytes(NearestCentroidClassifier().fit(np.eye(2, 3), ["a", "b"])))
    with pytest.raises(SLPError, match="is inconsistent"):
        model_from_bytes(packed(card | changes, weights))
