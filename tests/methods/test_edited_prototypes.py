"""Prototypes made by hand: predicting, edited, saved and loaded."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier, SLPError
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.model_files import SOFT_LABEL_FORMAT as FORMAT


def fitted(model=None, k=6, d=4):
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(k), 5)
    X = 2 * rng.normal(size=(k, d))[y] + rng.normal(size=(len(y), d))
    names = np.array(["zwölf", "b", "c", "d", "e", "f"])[y]
    return (model or ConstraintSLPClassifier()).fit(X, names), 3 * rng.normal(size=(80, d))


def made(model=None):
    model, Q = fitted(model)
    return (
        EditedPrototypes.of(model, model.soft_labels_, encoder="minilm, l2", dataset="digest"),
        model,
        Q,
    )


@pytest.mark.parametrize(
    "model",
    [
        ConstraintSLPClassifier(),
        ConstraintSLPClassifier(distance="along_line", assignment="prototype", n_lines=1),
    ],
)
def test_untouched_they_predict_as_the_fitted_method(model):
    own, model, Q = made(model)
    for one in (own, EditedPrototypes.from_json(own.to_json())):
        by_hand = one.classifier()
        np.testing.assert_allclose(by_hand.predict_proba(Q), model.predict_proba(Q), atol=1e-12)
        w = model.place(Q).w
        inside = Q[(w > 1e-9) & (w < 1 - 1e-9)]  # at a prototype both are as good as infinite
        np.testing.assert_allclose(by_hand.influence(inside), model.influence(inside))
        assert (by_hand.predict(Q) == model.predict(Q)).all()
        assert (clone(by_hand).fit(Q, Q[:, 0] > 0).predict(Q) == by_hand.predict(Q)).all()


def test_classes_must_be_sorted_by_name():
    model = ConstraintSLPClassifier().fit([[0.0], [1.0], [4.0]], [2, 9, 10])
    with pytest.raises(SLPError, match="not in alphabetical order"):
        EditedPrototypes.of(model, model.soft_labels_)


@settings(deadline=None, max_examples=60)
@example(np.eye(3), list("abc"), 1)  # three furthest pairs
@example(np.array([[0.0], [5], [5], [10]]), list("abcd"), 1)  # two classes at one place
@given(
    arrays(
        float, st.tuples(st.integers(2, 24), st.integers(1, 4)), elements=st.sampled_from([0, 1])
    ),
    st.permutations("abcdefghijk"),
    st.sampled_from([1, 2, "half"]),
)
def test_what_is_written_can_be_read_and_predicts_as_before(X, labels, n_lines):
    y = np.resize(labels[: len(X)], len(X))
    model = ConstraintSLPClassifier(n_lines=n_lines).fit(X, y)
    made = EditedPrototypes.of(model, model.soft_labels_)
    again = EditedPrototypes.from_json(made.to_json())
    assert again.digest == made.digest
    asked = np.random.default_rng(0).normal(size=(20, X.shape[1]))
    read = again.classifier().predict_proba(asked)
    np.testing.assert_array_equal(read, made.classifier().predict_proba(asked))
    column = [made.classes.index(str(name)) for name in model.classes_]
    np.testing.assert_allclose(read[:, column], model.predict_proba(asked), atol=1e-9)


def test_a_hard_label_of_one_class_makes_a_nearest_centroid_rule():
    model, Q = fitted(NearestCentroidClassifier())
    by_hand = EditedPrototypes.of(model, model.soft_labels_).classifier()
    assert (by_hand.predict(Q) == model.predict(Q)).all()


def test_soft_labels_of_one_classes_name_change_the_prediction():
    own, _, Q = made()
    for line in range(len(own.lines)):
        for side in (0, 1):
            own = own.with_share(line, side, 2, 1.0)
    assert set(own.classifier().predict(Q)) == {own.classes[2]}


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 1), st.integers(0, 5), st.floats(0, 1))
def test_a_moved_share_leaves_a_distribution_with_the_others_proportions(side, index, share):
    own, *_ = made()
    moved = own.with_share(0, side, index, share)
    before, label = own.soft_labels[0, side], moved.soft_labels[0, side]
    assert label.sum() == pytest.approx(1)
    assert label[index] == pytest.approx(share)
    assert label.min() >= 0
    rest = np.arange(6) != index
    if before[rest].sum() > 0:
        np.testing.assert_allclose(
            label[rest] * before[rest].sum(), before[rest] * (1 - share), atol=1e-12
        )
    untouched = np.ones(own.soft_labels.shape[:2], dtype=bool)
    untouched[0, side] = False
    assert (moved.soft_labels[untouched] == own.soft_labels[untouched]).all()
    assert (own.soft_labels[0, side] == before).all()
    assert (moved.digest != own.digest) == (abs(share - before[index]) > 0)


def test_what_a_hard_label_gives_up_goes_to_its_line():
    own, *_ = made()
    line = own.lines[0]
    hard = own.with_share(0, 0, line.left, 1.0).with_share(0, 0, line.left, 0.4)
    others = [c for c in line.classes if c != line.left]
    assert hard.soft_labels[0, 0, others] == pytest.approx(0.6 / len(others))


def test_shares_too_small_to_divide_by_keep_their_proportions_too():
    own, model, _ = made()
    labels = own.soft_labels.copy()
    labels[0, 0] = [1.0, 1e-320, 3e-320, 0, 0, 0]
    moved = EditedPrototypes.of(model, labels).with_share(0, 0, 0, 0.6)
    assert moved.soft_labels[0, 0] == pytest.approx([0.6, 0.1, 0.3, 0, 0, 0], abs=1e-3)


def test_changes_make_the_same_prototypes_or_none_are_told():
    fit, *_ = made()
    moved = fit.with_share(0, 1, 2, 0.7)
    changes = moved.changes_from(fit)
    assert fit.with_changes(changes).digest == moved.digest
    for other in ({"distance": "along_line"}, {"assignment": "prototype"}):
        assert replace(moved, **other).changes_from(fit) == []
    for wrong in (
        [-1, 0, 0, 1],
        [0, -1, 0, 1],
        [0, 0, -1, 1],
        [9, 0, 0, 1],
        [0, 0, 0.5, 1],
        [0, 0, 0],
    ):
        with pytest.raises(SLPError, match="no such line, end or class"):
            fit.with_changes([wrong])


def test_a_file_brings_everything_back():
    own = replace(made()[0], fitted_on=(4, 2))
    text = own.to_json()
    for marked in (text.encode(), "\ufeff" + text, ("\ufeff" + text).encode()):
        again = EditedPrototypes.from_json(marked)
        assert again.digest == own.digest
    assert (again.encoder, again.dataset) == ("minilm, l2", "digest")
    assert again.fitted_on == (4, 2)
    assert EditedPrototypes.from_json(made()[0].to_json()).fitted_on is None
    assert "zwölf" in own.to_json()


@pytest.mark.parametrize(
    ("order", "stands"),
    [
        ("abced", True),
        ("acbed", True),
        ("abecd", False),
        ("abcde", False),
        ("debca", False),
    ],
)
def test_a_line_is_listed_from_end_to_end_and_at_one_place_in_any_order(order, stands):
    at = {"a": [0.0, 0], "b": [1 + 1e-15, 0], "c": [1.0, 1], "d": [3.0, 0], "e": [2.0, 0]}
    line = {"classes": list(order), "left": {"a": 1}, "right": {"d": 1}}
    text = json.dumps({"format": FORMAT, "centroids": at, "lines": [line]})
    if not stands:
        with pytest.raises(SLPError, match="the order of their centroids is a, c, b, e, d"):
            EditedPrototypes.from_json(text)
        return
    (read,) = EditedPrototypes.from_json(text).lines
    assert [at[name][0] for name in order] == pytest.approx(read.positions.tolist())
    assert read.offsets.tolist() == [at[name][1] for name in order]
    assert (np.diff(read.positions) >= 0).all()


def broken(change):
    content = json.loads(made()[0].to_json())
    change(content)
    return json.dumps(content)


def put(path, value):
    def change(content):
        *parents, last = path
        for key in parents:
            content = content[key]
        content[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put(["format"], "something else"), "format must be 'soft-label prototypes, version 1'"),
        (put(["centroids"], []), "centroids must be an object {…}, not []"),
        (put(["centroids"], {}), "It has 0 classes with centroids of 0 numbers"),
        (
            put(["centroids", "c"], [1, "two", 3, 4]),
            "→ 2 must be a number from -1e+100 to 1e+100, not 'two'",
        ),
        (put(["centroids", "c"], [1, float("nan"), 3, 4]), "centroids → c → 2 must be a number"),
        (put(["centroids", "c"], 1), "centroids → c must be a list, not 1"),
        (put(["centroids", "c"], [True, 2, 3, 4]), "centroids → c → 1 must be a number"),
        (
            put(["centroids", "x" * 201], [1, 2, 3, 4]),
            "must be a text of at most 200 characters",
        ),
        (put(["centroids", "c"], [1, 2]), "Centroids have 2 to 4 numbers, not the same"),
        (put(["centroids", "c"], [1, -1e160, 3, 4]), "centroids → c → 2 must be a number"),
        (put(["lines"], {}), "lines must be a list, not {}"),
        (put(["lines", 0, "classes"], None), "lines → 1 → classes is missing"),
        (
            put(["lines", 0, "classes", 0], "nobody"),
            "lines name 'nobody', which has no centroid",
        ),
        (
            lambda c: c["lines"][1]["classes"].append(c["lines"][0]["classes"][0]),
            "2 times, not once",
        ),
        (lambda c: c["lines"][0]["classes"].reverse(), "but the order of their centroids is"),
        (lambda c: c["lines"].pop(), "0 times, not once"),
        (put(["lines", 0, "left"], None), "lines → 1 → left is missing"),
        (put(["lines", 1, "right"], {"b": 0.5}), "right soft label of line 2 sums to 0.5"),
        (
            put(["lines", 1, "right"], {"b": 1.5, "c": -0.5}),
            "→ c must be a finite number of at least 0",
        ),
        (put(["lines", 1, "right"], {"b": "1"}), "lines → 2 → right → b must be a finite number"),
        (
            put(["lines", 1, "right"], {"nobody": 1}),
            "soft labels name 'nobody', which",
        ),
        (put(["fitted on"], {"shots": 4}), "fitted on → draw is missing"),
        (put(["fitted on"], {"shots": 4, "draw": True}), "fitted on → draw must be a whole"),
        (
            put(["distance"], "manhattan"),
            "distance must be 'euclidean' or 'along_line'",
        ),
    ],
)
def test_a_wrong_file_is_told_in_one_sentence(change, message):
    with pytest.raises(SLPError) as error:
        EditedPrototypes.from_json(broken(change), "mine.json")
    assert message in str(error.value)
    assert str(error.value).startswith("mine.json")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("entry", "other"), [('"c": [', '"b": ['), ('"right"', '"left"')])
def test_a_name_that_is_given_twice_is_told(entry, other):
    text = made()[0].to_json().replace(entry, other, 1)
    with pytest.raises(SLPError, match=r"^mine\.json.*the entry '(b|left)' is there twice"):
        EditedPrototypes.from_json(text, "mine.json")


@pytest.mark.parametrize("text", ["", "[1, 2]", "{", b"\xff\xfe\x00", "null", "[" * 100_000])
def test_what_is_no_such_file_is_refused(text):
    with pytest.raises(SLPError, match=r"^mine\.json"):
        EditedPrototypes.from_json(text, "mine.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"classes": ("b", "c")}, "has the classes b, c"),
        ({"dataset": "another"}, "made with another dataset"),
        ({"encoder": "tfidf, l2"}, "made with the encoder minilm, l2, not tfidf, l2"),
        ({"d": 9}, "centroids of 4 dimensions, and the embeddings have 9"),
    ],
)
def test_a_file_of_other_data_does_not_fit(change, message):
    own, *_ = made()
    here = {"classes": own.classes, "d": 4, "encoder": "minilm, l2", "dataset": "digest"}
    own.check_fits(**here, filename="mine.json")
    with pytest.raises(SLPError, match=r"^mine\.json") as error:
        own.check_fits(**(here | change), filename="mine.json")
    assert message in str(error.value)


def test_soft_labels_of_the_wrong_sum_are_refused():
    model, _ = fitted(DeepSLPClassifier())
    shape = (len(model.lines_), 2, 6)
    with pytest.raises(SLPError, match="left soft label of line 1 sums to 6"):
        EditedPrototypes.of(model, np.ones(shape))
