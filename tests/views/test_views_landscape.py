"""Landscapes show what the method predicts, and say where they do not."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from slp_core.errors import SLPError
from slp_core.methods.baselines import LogisticRegressionClassifier, NearestCentroidClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.views import decision_landscape, fit_projection, held_out_fidelity, landscape_fidelity
from slp_core.views.boundaries import region_boundaries
from slp_core.views.plane import on_plane

METHODS = [
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line", assignment="prototype"),
    DeepSLPClassifier(),
    DeepSLPClassifier(preset="paper", train_on="line"),
    NearestCentroidClassifier(),
    LogisticRegressionClassifier(),
]


def classes_on_a_plane(n_classes=5, shots=8, d=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), shots)
    return rng.normal(size=(n_classes, d))[y] * 4 + rng.normal(size=(len(y), d)), y


def predictions(landscape, model, lift):
    places = np.stack(np.meshgrid(landscape.x, landscape.y), axis=-1).reshape(-1, 2)
    return model.predict(lift(places)).reshape(landscape.labels.shape)


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_picture_of_two_features_is_the_method_itself(method):
    X, y = classes_on_a_plane()
    model = method.fit(X, y)
    landscape = decision_landscape(model, fit_projection(X), grid=60)
    expected = predictions(landscape, model, lambda places: places)
    np.testing.assert_array_equal(model.classes_[landscape.labels], expected)
    assert landscape.fidelity == 1.0


# Heads trained by gradient steps depend on the coordinates: methods that do not.
@pytest.mark.parametrize("method", [METHODS[0], METHODS[1], METHODS[4]], ids=repr)
def test_plane_embedded_in_384_dimensions_gives_the_exact_picture(method):
    flat, y = classes_on_a_plane()
    axes = np.linalg.qr(np.random.default_rng(5).normal(size=(384, 2)))[0].T
    X = flat @ axes + 0.3
    projection = fit_projection(X)
    landscape = decision_landscape(clone(method).fit(X, y), projection, grid=60)
    expected = predictions(
        landscape, clone(method).fit(flat, y), lambda p: (projection.inverse(p) - 0.3) @ axes.T
    )
    np.testing.assert_array_equal(landscape.labels, expected)
    assert landscape.fidelity == 1.0


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_predictions_in_the_planes_own_coordinates_are_the_methods(method):
    X, y = classes_on_a_plane(n_classes=7, d=40)
    model = method.fit(X, y)
    plane = fit_projection(X).plane
    places = np.random.default_rng(0).normal(size=(200, 2)) * 3
    flat = on_plane(model, plane, places)
    np.testing.assert_allclose(
        flat.predict_proba(places), model.predict_proba(plane.lift(places)), atol=1e-9
    )
    if hasattr(model, "place"):
        np.testing.assert_array_equal(flat.place(places).line, model.place(plane.lift(places)).line)
    np.testing.assert_array_equal(model.predict(X), method.fit(X, y).predict(X))  # left as it was


def test_method_with_other_state_is_asked_in_the_space():
    class Curved(NearestCentroid):
        def predict_proba(self, X):
            first = 1 / (1 + np.exp(-np.sin(X).sum(axis=1)))
            return np.column_stack([first, 1 - first])

    X, y = classes_on_a_plane(n_classes=2, d=20)
    model = Curved().fit(X, y)
    projection = fit_projection(X)
    assert on_plane(model, projection.plane, projection.points) is None
    landscape = decision_landscape(model, projection, grid=20)
    places = np.stack(np.meshgrid(landscape.x, landscape.y), axis=-1).reshape(-1, 2)
    probabilities = model.predict_proba(projection.inverse(places)).reshape(20, 20, 2)
    np.testing.assert_array_equal(landscape.labels, probabilities.argmax(-1))
    np.testing.assert_allclose(landscape.confidence, probabilities.max(-1), rtol=1e-6)
    np.testing.assert_allclose(landscape.margin, np.abs(np.diff(probabilities)[..., 0]), rtol=1e-4)


class ReadOnly(ClassifierMixin, BaseEstimator):
    """Its linear functions cannot be set, as those of scikit-learn's SVC."""

    coef_ = property(lambda self: self.inner_.coef_)
    intercept_ = property(lambda self: self.inner_.intercept_)
    classes_ = property(lambda self: self.inner_.classes_)

    def fit(self, X, y):
        self.inner_ = LogisticRegression().fit(X, y)
        return self

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)


@pytest.mark.parametrize("theirs", [ReadOnly(), NearestCentroid()], ids=repr)
def test_whatever_scikit_learn_keeps_it_in_it_is_asked_in_the_space(theirs):
    X, y = classes_on_a_plane(n_classes=3, d=6)
    projection = fit_projection(X)
    landscape = decision_landscape(theirs.fit(X, y), projection, grid=9)
    places = np.stack(np.meshgrid(landscape.x, landscape.y), axis=-1).reshape(-1, 2)
    expected = theirs.predict_proba(projection.inverse(places)).argmax(axis=1)
    np.testing.assert_array_equal(landscape.labels.ravel(), expected)


@pytest.mark.parametrize("inverse", ["plane", "surface"])
def test_fidelity_counts_where_picture_and_method_agree(inverse):
    X, y = classes_on_a_plane(n_classes=6, d=30, shots=20)
    model = KNeighborsClassifier(3).fit(X, y)
    projection = fit_projection(X)
    report = landscape_fidelity(model, projection, inverse)
    predicted = model.predict(X)
    if inverse == "plane":
        shown = model.predict(projection.inverse(projection.points))
    else:
        shown = np.array([_without(model, projection, row) for row in range(len(X))])
    np.testing.assert_array_equal(report.disagreeing, np.flatnonzero(shown != predicted))
    assert report.overall == pytest.approx((shown == predicted).mean())
    for k in range(6):
        here = predicted == k
        assert report.per_class[k] == pytest.approx((shown[here] == k).mean())


def _without(model, projection, row):
    """The map's prediction at a row's place, drawn from the other rows only."""
    others = np.delete(np.arange(len(projection.points)), row)
    surface = type(projection.surface)(projection.points[others], projection.vectors[others])
    return model.predict(surface(projection.points[[row]]))[0]


def test_chosen_lines_and_their_borders():
    X = np.array([[0, 0], [8, 1], [16, 0], [0, 20], [8, 22], [16, 20], [9, 40], [20, 44]], float)
    model = ConstraintSLPClassifier(n_lines=3).fit(X, np.arange(8))
    assert len(model.lines_) == 3
    landscape = decision_landscape(model, fit_projection(X), grid=50)
    places = np.stack(np.meshgrid(landscape.x, landscape.y), axis=-1).reshape(-1, 2)
    np.testing.assert_array_equal(landscape.line.ravel(), model.place(places).line)
    middle = landscape.line_boundaries.mean(axis=1)
    off = np.sort(model.place(middle.astype(float)).segment_distance, axis=1)
    step = landscape.x[1] - landscape.x[0]
    assert (off[:, 1] - off[:, 0]).max() < step  # on a border two lines are as near


def test_more_lines_than_a_byte_counts_keep_their_numbers():
    X = np.random.default_rng(0).uniform(size=(800, 2))
    model = ConstraintSLPClassifier().fit(X, np.arange(800))
    assert len(model.lines_) > 256
    landscape = decision_landscape(model, fit_projection(X), grid=40)
    places = np.stack(np.meshgrid(landscape.x, landscape.y), axis=-1).reshape(-1, 2)
    np.testing.assert_array_equal(landscape.line.ravel(), model.place(places).line)


def test_boundaries_run_where_the_margin_vanishes():
    x = y = np.linspace(-1, 1, 41)
    far = np.hypot(*np.meshgrid(x, y)) - 0.6
    segments = region_boundaries((far > 0).astype(int), x, y, np.abs(far))
    np.testing.assert_allclose(np.linalg.norm(segments, axis=2), 0.6, atol=2e-3)
    length = np.linalg.norm(segments[:, 0] - segments[:, 1], axis=1).sum()
    assert length == pytest.approx(2 * np.pi * 0.6, rel=1e-2)


def test_boundaries_are_found_where_the_margin_jumps():
    X = np.array([[0, 0], [8, 1], [16, 0], [0, 20], [8, 22], [16, 20], [9, 40], [20, 44]], float)
    model = ConstraintSLPClassifier(n_lines=3).fit(X, np.arange(8))
    landscape = decision_landscape(model, fit_projection(X), grid=40)
    step = landscape.x[1] - landscape.x[0]
    ends = landscape.boundaries.reshape(-1, 2).astype(float)
    # On a side of a cell one coordinate is the grid's; a hair along the other, the class changes.
    for along, axis in enumerate((landscape.x, landscape.y)):
        across = 1 - along
        grid = landscape.y if across else landscape.x
        on_side = np.abs(ends[:, across, None] - grid).min(axis=1) < 1e-5
        on_side &= np.abs(ends[:, along, None] - axis).min(axis=1) > 0.05 * step
        shift = 0.03 * step * np.eye(2)[along]
        before, after = model.predict(ends[on_side] - shift), model.predict(ends[on_side] + shift)
        assert (before != after).mean() > 0.95


def test_three_regions_meet_in_a_point():
    labels = np.array([[0, 1], [2, 2]])
    segments = region_boundaries(labels, np.arange(2.0), np.arange(2.0), np.ones((2, 2)))
    assert segments.shape == (3, 2, 2)
    assert len(np.unique(segments[:, 1], axis=0)) == 1
    nothing = region_boundaries(np.zeros((4, 4), int), *[np.arange(4.0)] * 2, np.ones((4, 4)))
    assert nothing.shape == (0, 2, 2)


def test_frame_holds_every_point_and_keeps_the_aspect():
    X, y = classes_on_a_plane()
    model = NearestCentroidClassifier().fit(X, y)
    landscape = decision_landscape(model, fit_projection(X), grid=20, aspect=1.5)
    assert np.ptp(landscape.x) == pytest.approx(1.5 * np.ptp(landscape.y))
    for axis, values in ((landscape.x, X[:, 0]), (landscape.y, X[:, 1])):
        assert axis[0] < values.min()
        assert values.max() < axis[-1]


def test_one_class_and_one_feature_have_a_landscape():
    X = np.arange(6.0)[:, None]
    model = NearestCentroidClassifier().fit(X, np.zeros(6, int))
    landscape = decision_landscape(model, fit_projection(X), grid=10)
    assert (landscape.labels == 0).all()
    assert (landscape.line == 0).all()
    assert landscape.labels.dtype == np.uint8


@pytest.mark.parametrize(
    ("argument", "values", "words"),
    [
        ("grid", [1, 401, 20.5], "a whole number from 2 to 400"),
        ("margin", [-1, np.nan, np.inf, "wide"], "a finite number of at least 0"),
        ("aspect", [0, -1, np.nan, np.inf], "a finite number above 0 or None"),
    ],
)
def test_a_frame_out_of_bounds_is_refused(argument, values, words):
    X, y = classes_on_a_plane()
    model, projection = NearestCentroidClassifier().fit(X, y), fit_projection(X)
    for value in values:
        with pytest.raises(SLPError, match=f"{argument} must be {words}, not {value!r}"):
            decision_landscape(model, projection, **{argument: value})


def test_what_looks_at_a_method_refuses_one_that_is_not_fitted():
    X, _ = classes_on_a_plane(d=3)
    model, projection = NearestCentroidClassifier(), fit_projection(X)
    for look in (
        lambda: decision_landscape(model, projection),
        lambda: landscape_fidelity(model, projection),
        lambda: held_out_fidelity(model, X, "pca"),
        lambda: fit_projection(X, "decision_plane", model),
        lambda: fit_projection(X, "centroid_plane", model),
    ):
        with pytest.raises(NotFittedError):
            look()
