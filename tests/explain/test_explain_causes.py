"""Every error has exactly one cause, and it is the correct one."""

import numpy as np
import pandas as pd
import pytest
from explain_problems import problems
from hypothesis import given, settings

from slp_core import (
    ConstraintSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    SLPError,
    explain_errors,
)
from slp_core.explain import predict_query_set, read_causes
from slp_core.explain.bands import winning_bands
from slp_core.explain.causes import CROSSING
from slp_core.explain.places import read_places, weighed
from slp_core.explain.profile import line_profile

quick = settings(max_examples=40, deadline=None)


@quick
@given(problems())
def test_causes_partition_the_errors_as_defined(problem):
    model, X, true = problem
    found = read_causes(model, X, true)
    predicted = model.predict(X)
    away = np.linalg.norm(X[:, None] - model.centroids_, axis=2)
    nearest, own = away.argmin(axis=1), away[np.arange(len(X)), true]
    tied = (nearest != true) & (own <= away.min(axis=1) + 1e-9 * away.max(axis=1))
    on = model.place(X)
    for i in range(len(X)):
        line = model.lines_[on.line[i]]
        if predicted[i] == true[i]:
            expected = ""
        elif nearest[i] != true[i]:
            expected = "embedding"
        elif true[i] not in line.classes:
            expected = "line"
        else:
            t, floor = np.clip(on.t[i], 0, line.length), model.distance_floor
            to_left, to_right = max(t, floor), max(line.length - t, floor)
            foot = to_left / (to_left + to_right)
            left, right = model.prototype_scores(X[[i]])[0][:, list(line.classes)]
            # Of the line's own classes; DeepSLP may predict others, and then it is wrong anyway.
            whole = np.where(
                np.isinf(model.prototype_scores(X[[i]])[0]).any(axis=0),
                -np.inf,
                (1 - foot) * np.nan_to_num(model.prototype_scores(X[[i]])[0][0], neginf=0)
                + foot * np.nan_to_num(model.prototype_scores(X[[i]])[0][1], neginf=0),
            )
            assert whole[list(line.classes)].max() == pytest.approx(
                ((1 - foot) * left + foot * right).max()
            )
            best = whole >= whole.max() - 1e-12 * max(1.0, abs(whole.max()))
            expected = "concentration" if whole.argmax() == true[i] else "off_line"
            if best.sum() > 1 and best[true[i]]:  # classes tie, and rounding decides
                expected = found.examples["cause"][i]
                assert expected in ("concentration", "off_line")
        assert found.examples["cause"][i] == expected
    errors = int((predicted != true).sum())
    assert sum(found.counts.values()) == errors
    assert found.by_class.sum() == found.by_line.sum() == errors
    np.testing.assert_array_equal(found.examples["tied"], tied)
    np.testing.assert_array_equal(found.rescued, (predicted == true) & (nearest != true) & ~tied)
    proba = model.predict_proba(X)
    own = proba[np.arange(len(X)), true]
    np.testing.assert_array_equal(found.examples["margin"] < 0, own < proba.max(axis=1))
    assert found.local != hasattr(model, "soft_labels_")


@quick
@given(problems())
def test_the_strip_predicts_as_the_method_does(problem):
    model, X, _ = problem
    at = model.place(X)
    strip = weighed(model.prototype_scores(X, at.line), at.w)
    predicted = model.influence(X).argmax(axis=1)
    best, chosen = strip.max(axis=1), strip[np.arange(len(X)), predicted]
    np.testing.assert_allclose(chosen, best, rtol=1e-9, atol=1e-12)


@quick
@given(problems())
def test_breakpoints_are_those_of_a_dense_scan(problem):
    model, X, _ = problem
    w = np.linspace(0, 1, 4_001)
    for labels in model.prototype_scores(X[:3]):
        bands = winning_bands(*labels)
        scan = weighed(np.broadcast_to(labels, (len(w), *labels.shape)), w)
        said = np.array([bands.classes[bands.at(x)] for x in w])
        clear = np.abs(w[:, None] - np.array(bands.edges)).min(axis=1) > 1e-9
        # By score: classes with the same soft labels tie, and rounding picks one of them.
        chosen, best = scan[np.arange(len(w)), said], scan.max(axis=1)
        np.testing.assert_allclose(chosen[clear], best[clear], rtol=1e-12, atol=1e-12)


@quick
@given(problems())
def test_profiles_of_all_lines_hold_every_point_once(problem):
    model, X, _ = problem
    places = read_places(model, X)
    profiles = [line_profile(model, n, places) for n in range(len(model.lines_))]
    rows = np.concatenate([profile.examples.index for profile in profiles])
    np.testing.assert_array_equal(np.sort(rows), np.arange(len(X)))
    names = [str(c) for c in model.classes_]
    for profile in profiles:
        assert profile.classes == tuple(names)
        if profile.bands is not None and len(profile.examples):
            # Classes with the same soft labels tie, and rounding picks one of them.
            won = profile.soft_labels[:, profile.winners]
            apart = [
                np.abs(won - profile.soft_labels[:, [c]]).max(axis=0).min()
                for c in np.searchsorted(model.classes_, model.predict(X[profile.examples.index]))
            ]
            assert max(apart) < 1e-12


@quick
@given(problems())
def test_what_is_at_hand_changes_nothing(problem):
    model, X, true = problem
    alone = read_causes(model, X, true)
    predictions = predict_query_set(model, "it", X, true, model.centroids_)
    found = read_causes(model, X, true, predictions=predictions)
    pd.testing.assert_frame_equal(found.examples, alone.examples)
    columns = ["line", "w", "t", "r", "along", "predicted_along"]
    pd.testing.assert_frame_equal(found.examples[columns], read_places(model, X))


def test_the_table_names_labels_and_leaves_lines_out_where_there_are_none():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.array(["no", "yes"])[np.arange(40) % 2]
    table = explain_errors(ConstraintSLPClassifier().fit(X[:8], y[:8]), X, y)
    assert list(table) == [
        *("index", "true", "predicted", "cause", "line", "w", "t", "r", "margin"),
    ]
    assert (table["true"] != table["predicted"]).all()
    assert (table["margin"] < 0).all()
    np.testing.assert_array_equal(y[table["index"]], table["true"])
    plain = NearestCentroidClassifier().fit(X[:8], y[:8])
    assert set(explain_errors(plain, X, y)["cause"]) == {"embedding"}
    regression = LogisticRegressionClassifier().fit(X[:8], y[:8])
    table = explain_errors(regression, X, y, plain.centroids_)
    assert set(table["cause"]) <= {"embedding", "rule"}
    assert table["line"].isna().all()
    with pytest.raises(SLPError, match="keeps no class centroids"):
        explain_errors(regression, X, y)
    for bad, why in ((plain.centroids_[:1], r"\(1, 3\)"), (plain.centroids_ * np.nan, "finite")):
        with pytest.raises(SLPError, match=why):
            explain_errors(regression, X, y, bad)
    with pytest.raises(SLPError, match="'maybe'"):
        explain_errors(plain, X[:1], np.array(["maybe"]))


@pytest.mark.parametrize("m", [0, 1])
def test_one_query_point_or_none(m):
    X = np.array([[0.0, 0], [4, 0], [9, 1]])
    model = ConstraintSLPClassifier().fit(X, [0, 1, 2])
    found = read_causes(model, X[:m], np.zeros(m, int))
    assert sum(found.counts.values()) == 0


@quick
@given(problems())
def test_a_filter_lets_errors_of_its_kind_through_and_none_is_no_filter(problem):
    found = read_causes(*problem)
    each = found.examples
    assert found.where().all()
    assert (found.where(margin=1e-12) <= found.wrong).all()
    for i in np.flatnonzero(found.wrong)[:5]:
        cause, true, line, margin = each.loc[i, ["cause", "true", "line", "margin"]]
        same = (each["cause"] == cause) & (each["true"] == true) & (each["line"] == line)
        expected = found.wrong & same & (each["margin"] <= margin + 1e-9)
        assert expected[i]
        assert found.where(cause, true, line, -margin).tolist() == expected.tolist()


@quick
@given(problems())
def test_a_line_shows_its_most_confident_error_first(problem):
    found = read_causes(*problem)
    margin = found.examples["margin"].to_numpy()
    for line in range(found.n_lines):
        here = (found.examples["line"] == line).to_numpy()
        crossed = here & found.examples["cause"].isin(CROSSING).to_numpy()
        among = next(
            some for some in (crossed, here & found.wrong, here, here | True) if some.any()
        )
        chosen = found.default_point(line)
        assert among[chosen]
        assert margin[chosen] == pytest.approx(margin[among].min(), abs=1e-9)
    model, X, true = problem
    assert read_causes(model, X[:0], true[:0]).default_point(0) is None


def test_a_centroid_that_is_as_near_is_not_said_to_be_nearer():
    points = np.array([[-1.0, 0.0], [1.0, 0.0]])
    Q = np.array([[0.0, 2.0], [0.0, -1.0], [-3.0, 0.0]])
    true = np.array([1, 1, 1])
    model = NearestCentroidClassifier().fit(points, ["a", "b"])
    ties, both = read_causes(model, Q[:2], true[:2]), read_causes(model, Q, true)
    assert ties.examples["tied"].tolist() == [True, True]
    assert both.examples["tied"].tolist() == [True, True, False]


def test_two_classes_never_cross():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 9)), np.arange(200) % 2
    model = ConstraintSLPClassifier().fit(X[:16], y[:16])
    assert not read_causes(model, X, y).examples["cause"].isin(CROSSING).any()
