"""Identities of the ensemble view, against scipy, scikit-learn and a longer way round."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.special import softmax
from scipy.stats import entropy, pearsonr
from sklearn.metrics import log_loss

from slp_core import (
    ConstraintSLPClassifier,
    DeepSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
    SLPError,
    ensemble_diagnostics,
)
from slp_core.diagnostics.draws import ensemble_over_draws
from slp_core.diagnostics.ensemble import EnsembleDiagnostics
from slp_core.diagnostics.members import Members
from slp_core.diagnostics.text import (
    confidence_text,
    divergence_text,
    ensemble_text,
    identity_texts,
)

METHODS = (
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line"),
    DeepSLPClassifier(),
    DeepSLPClassifier(preset="paper", train_on="line"),
)


@st.composite
def diagnoses(draw, methods=METHODS):
    k, d = draw(st.integers(2, 7)), draw(st.sampled_from([2, 30]))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    y, true = np.repeat(np.arange(k), 4), rng.integers(k, size=50)
    centre = rng.normal(size=(k, d)) * 1.5
    model = draw(st.sampled_from(methods))
    model = type(model)(**model.get_params()).fit(centre[y] + rng.normal(size=(len(y), d)), y)
    X = centre[true] + rng.normal(size=(50, d))
    temperature = draw(st.sampled_from(["none", "distance"]))
    return model, X, true, ensemble_diagnostics(model, X, true, temperature)


quick = settings(max_examples=40, deadline=None)


@quick
@given(diagnoses())
def test_entropy_divergence_and_nll_agree_with_others(case):
    model, X, true, found = case
    joint, alone = found.members.joint, found.members.alone
    np.testing.assert_allclose(joint, model.predict_proba(X))
    np.testing.assert_allclose(found.entropy, entropy(joint, axis=1), atol=1e-9)
    np.testing.assert_allclose(found.member_entropy, entropy(alone, axis=2), atol=1e-9)
    kl = np.stack([entropy(alone[:, s], np.maximum(joint, 1e-300), axis=1) for s in (0, 1)], 1)
    finite = np.isfinite(kl) & (joint.min(axis=1) > 1e-12)[:, None]
    np.testing.assert_allclose(found.divergence[finite], kl[finite], atol=1e-6)
    np.testing.assert_allclose(found.paper_jsd, found.divergence.mean(axis=1))
    with np.errstate(invalid="ignore"):  # SciPy's root of a rounded −0
        between = np.nan_to_num(jensenshannon(alone[:, 0], alone[:, 1], axis=1) ** 2)
    np.testing.assert_allclose(found.jsd, between, atol=1e-9)
    k = np.arange(joint.shape[1])
    for nll, probability in (
        (found.nll, joint),
        *((found.member_nll[:, side], alone[:, side]) for side in (0, 1)),
    ):
        some = probability[np.arange(len(true)), true] > 1e-7
        np.testing.assert_array_equal(np.isfinite(nll) & (nll < -np.log(1e-7)), some)
        if some.any():
            expected = log_loss(true[some], probability[some], labels=k)
            assert nll[some].mean() == pytest.approx(expected, abs=1e-6)


@quick
@given(diagnoses())
def test_the_mixture_is_decomposed_exactly(case):
    *_, found = case
    parts = found.mixture_diversity + found.mixture_member_entropy
    np.testing.assert_allclose(found.mixture_entropy, parts, atol=1e-6)
    assert (found.mixture_diversity > -1e-9).all()
    if found.is_mixture:
        np.testing.assert_allclose(found.mixture, found.members.joint, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(diagnoses(methods=METHODS[2:]))
def test_the_pool_is_decomposed_exactly(case):
    model, X, _, found = case
    able = np.isfinite(found.nll)
    np.testing.assert_allclose(
        found.nll[able], (found.pool_nll - found.pool_diversity)[able], rtol=1e-9, atol=1e-6
    )
    assert (found.pool_diversity > -1e-9).all()
    # The long way round: z / T from distances measured here.
    at = model.place(X)
    d = np.column_stack([at.d_left, at.d_right]) / model.scale_
    z = model.logits(X)
    for i in range(5):
        by_hand = softmax(z[i] * (1 / d[i]).sum(), axis=1)
        np.testing.assert_allclose(np.exp(found.members.log_pooled[i]), by_hand, atol=1e-9)
        expected = softmax(z[i] if found.temperature == "none" else z[i] / d[i][:, None], axis=1)
        np.testing.assert_allclose(found.members.alone[i], expected, atol=1e-9)


@quick
@given(diagnoses())
def test_the_papers_identity_with_its_residual(case):
    *_, found = case
    total = found.paper_jsd + found.member_entropy.mean(axis=1) + found.residual
    np.testing.assert_allclose(total, found.entropy, atol=1e-9)
    # Exact for the plain average of the members, by the same code.
    even = np.full_like(found.members.weight, 0.5)
    average = found.members.alone.mean(axis=1)
    with np.errstate(divide="ignore"):
        logs = {"log_alone": np.log(found.members.alone), "log_joint": np.log(average)}
    members = replace(found.members, joint=average, weight=even, log_pooled=None, **logs)
    plain = type(found)(found.classes, found.true, members, found.temperature)
    np.testing.assert_allclose(plain.residual, 0, atol=1e-6)


@quick
@given(diagnoses())
def test_tables_count_every_point(case):
    *_, true, found = case
    assert found.per_class()["examples"].sum() == len(true)
    for what in ("w", "distance"):
        bins = found.along(what)
        assert bins["examples"].sum() == len(true)
        together = (bins["together"] * bins["examples"]).sum()
        assert together == pytest.approx(found.correct.sum())
        assert bins["middle"].is_monotonic_increasing
    if not np.isnan(found.correlation):
        assert found.correlation == pytest.approx(
            pearsonr(found.jsd, found.correct.astype(float))[0]
        )


@quick
@given(diagnoses())
def test_parts_add_up_in_the_table_of_decompositions(case):
    *_, found = case
    table = found.decompositions()
    assert len(table) == (2 if found.is_mixture else 3)
    sums = table["total"] - table["members"] - table["residual"]
    np.testing.assert_allclose(sums[:2], table["diversity"][:2], atol=1e-9)
    assert (table["diversity"][1:] > -1e-9).all()  # the pool's is taken away from the members'
    assert table["residual"][0] == pytest.approx(found.residual.mean(), abs=1e-9)
    assert table["residual"][1] == pytest.approx(0, abs=1e-6)
    if not found.is_mixture and table["examples"][2]:
        total, diversity, members, left_over = table.iloc[2, 2:]
        assert left_over == pytest.approx(0, abs=1e-6)
        assert total == pytest.approx(members - diversity, abs=1e-6)


def test_disagreement_is_not_the_temperature_of_the_two_together():
    """Two members of one mind differ from F by its lower temperature, and not from each other."""
    logs = np.log([[[0.58, 0.42], [0.62, 0.38]], [[0.7, 0.3], [0.3, 0.7]]])
    joint = np.array([[0.99, 0.01], [0.5, 0.5]])
    weight, near = np.full((2, 2), 0.5), np.ones(2)
    members = Members(np.exp(logs), joint, weight, near, logs, np.log(joint), logs)
    found = EnsembleDiagnostics(("a", "b"), np.array([0, 1]), members, "none")
    assert found.paper_jsd.argmax() == 0
    assert found.most_diverse == 1
    assert found.jsd[0] < 0.002


def test_a_member_without_weight_adds_nothing_to_the_diversity_of_the_mixture():
    alone = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    with np.errstate(divide="ignore"):
        members = Members(
            alone, alone[:, 0], np.array([[1.0, 0.0]]), np.ones(1), np.log(alone), np.zeros((1, 2))
        )
    found = EnsembleDiagnostics(("a", "b"), np.array([0]), members, "none")
    assert found.mixture_diversity.tolist() == [0]
    assert found.jsd == pytest.approx(np.log(2))


def test_an_nll_is_never_a_floor():
    """A class that gets exactly nothing has an infinite one, which is counted and left out."""
    X, names = [[-10.0, 0], [5, 0], [15, 0]], list("ABC")
    model = ConstraintSLPClassifier().fit(X, names)
    found = ensemble_diagnostics(model, np.array(X), np.array(names))
    assert np.isinf(found.member_nll).tolist() == [[False, True], [False, False], [True, False]]
    assert np.isfinite(found.nll).all()
    assert found.comparable.tolist() == [False, True, False]
    assert found.summary()["mean NLL(f)"] == pytest.approx(-np.log([44 / 109, 49 / 109]).mean())
    of_two = ensemble_diagnostics(model, np.array([X[0], X[1]]), np.array(["B", "B"])).per_class()
    assert of_two[["examples", "NLL over"]].to_numpy().tolist() == [[2, 2]]
    of_two = ensemble_diagnostics(model, np.array([X[0], [-9.0, 0]]), np.array(["A", "A"]))
    assert of_two.per_class()["NLL over"].tolist() == [0]
    assert of_two.per_class()[["NLL(F)", "mean NLL(f)"]].isna().all(axis=None)
    two = ConstraintSLPClassifier().fit(X[:2], names[:2])
    near = np.array([[-10 + 1e-9, 0.0]])  # of its end's soft label, "B" has nothing
    (nll,) = ensemble_diagnostics(two, near, names[1:2]).nll
    assert nll == pytest.approx(-np.log(two.predict_proba(near)[0, 1]))
    two.soft_labels_[0, 0] = [1 - 1e-9, 1e-9]  # as solvers of linear programmes leave it
    assert np.isinf(ensemble_diagnostics(two, near, names[1:2]).member_nll[0, 0])
    two.fit(X[:2], names[:2])
    draws = {n: (X[:2], names[:2], np.array([[0.0, 0]]), np.array(["A"])) for n in range(2)}
    assert not ensemble_diagnostics(two, *draws[0][2:]).comparable.any()
    over = ensemble_over_draws(lambda: two, lambda: two, draws.items(), "two")
    assert np.isinf(over.table["mean NLL(f)"]).all()
    assert not over.compared.any()


def test_bins_are_of_five_points_or_more_by_the_nearer_prototype():
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    model = ConstraintSLPClassifier().fit(X, list("ABC"))
    points = np.column_stack([np.linspace(-20, 30, 14), np.ones(14)])
    found = ensemble_diagnostics(model, points, np.repeat("A", 14))
    ends = X[[0, 2]]
    nearer = np.linalg.norm(points[:, None] - ends, axis=2).min(axis=1)
    bins = found.along("distance")
    assert bins["examples"].tolist() == [7, 7]
    halves = np.array_split(np.sort(nearer), 2)
    np.testing.assert_allclose(bins["middle"], [np.median(half) for half in halves])
    assert found.along("w", n_bins=1)["examples"].tolist() == [14]


def test_a_class_that_one_of_the_pool_bars_is_barred_from_all():
    """The power of nothing is nothing: 0^½ · 1^½ of the first class, 1^½ · ¼^½ of the second."""
    pooled = np.log([[[1e-300, 1.0], [0.75, 0.25]]])
    pooled[0, 0, 0] = -np.inf
    joint = np.array([[0.0, 1.0]])
    weight, near = np.full((1, 2), 0.5), np.ones(1)
    with np.errstate(divide="ignore"):
        logs = np.log(joint)
    members = Members(np.exp(pooled), joint, weight, near, pooled, logs, pooled)
    found = EnsembleDiagnostics(("a", "b"), np.array([1]), members, "none")
    assert found.pool_diversity == pytest.approx([np.log(2)])
    assert found.pool_nll - found.pool_diversity == pytest.approx(found.nll)


def test_means_beside_a_single_model_leave_out_what_it_gives_nothing():
    X, names = np.array([[-10.0, 0], [5, 0], [15, 0]]), np.array(list("ABC"))
    asked, true = np.array([[0.0, 0], [4.0, 1]]), np.array(["B", "B"])

    def over(single):
        draws = {0: (X, names, asked, true)}
        single = {0: np.array(single)}
        return ensemble_over_draws(
            ConstraintSLPClassifier, single, draws.items(), "one"
        ).table.iloc[0]

    each = ensemble_diagnostics(ConstraintSLPClassifier().fit(X, names), asked, true)
    both = over([[0.5, 0.5, 0], [0, 0.25, 0.75]])
    assert both["NLL(F)"] == pytest.approx(each.nll.mean())
    first = over([[0.5, 0.5, 0], [1, 0, 0]])
    assert first["NLL over"] == 0.5
    assert first["NLL(F)"] == pytest.approx(each.nll[0])
    assert first["mean NLL(f)"] == pytest.approx(each.member_nll[0].mean())
    assert first["single NLL"] == pytest.approx(np.log(2))


def test_where_no_member_can_be_compared_the_joint_predicts_still_are():
    X, names = np.array([[-10.0, 0], [5, 0]]), np.array(["A", "B"])
    asked = np.array([[-9.0, 0], [0, 0]])
    draws = {0: (X, names, asked, names[:1].repeat(2))}
    single = {0: np.array([[0.5, 0.5], [0.0, 1.0]])}
    row = ensemble_over_draws(ConstraintSLPClassifier, single, draws.items(), "one").table.iloc[0]
    expected = ensemble_diagnostics(ConstraintSLPClassifier().fit(X, names), *draws[0][2:]).nll[0]
    assert row["NLL(F)"] == pytest.approx(expected)
    assert row["single NLL"] == pytest.approx(np.log(2))
    assert np.isinf(row["mean NLL(f)"])


def test_draws_are_fitted_afresh_and_counted():
    rng = np.random.default_rng(0)
    y = np.arange(240) % 3
    X = rng.normal(size=(240, 20)) + 2 * np.eye(20)[y]
    draws = {d: (X[d * 24 :][:24], y[:24], X[200:], y[200:]) for d in range(4)}
    found = ensemble_over_draws(
        DeepSLPClassifier, LogisticRegressionClassifier, draws.items(), "LR"
    )
    assert list(found.table["draw"]) == [0, 1, 2, 3]
    alone = ensemble_diagnostics(DeepSLPClassifier().fit(*draws[2][:2]), *draws[2][2:])
    assert found.table["NLL(F)"][2] == pytest.approx(alone.nll.mean())

    probabilities = {
        d: LogisticRegressionClassifier().fit(X, y).predict_proba(X_query)
        for d, (X, y, X_query, _) in draws.items()
    }
    told = ensemble_over_draws(DeepSLPClassifier, probabilities, draws.items(), "LR")
    np.testing.assert_allclose(told.table, found.table)


def test_what_mixes_or_pools_no_prototypes_has_no_members():
    model = NearestCentroidClassifier().fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(SLPError, match="no members"):
        ensemble_diagnostics(model, np.eye(4), [0, 0, 1, 1])
    model = LogisticRegressionClassifier().fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(SLPError, match="has no prototypes"):
        ensemble_diagnostics(model, np.eye(4), [0, 0, 1, 1])
    model = ConstraintSLPClassifier().fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(SLPError, match=r"Label .7."):
        ensemble_diagnostics(model, np.eye(4), [0, 0, 1, 7])
    with pytest.raises(SLPError, match="'warm'"):
        ensemble_diagnostics(model, np.eye(4), [0, 0, 1, 1], "warm")


@pytest.mark.parametrize("kind", [ConstraintSLPClassifier, DeepSLPClassifier])
def test_of_no_points_there_are_no_means_and_nothing_is_said(kind, recwarn):
    nobody = ensemble_diagnostics(kind().fit(np.eye(4), [0, 0, 1, 1]), np.empty((0, 4)), [])
    assert np.isnan(nobody.summary()["NLL(F)"])
    table = nobody.decompositions()
    assert (table["examples"] == 0).all()
    assert table.iloc[:, 2:].isna().all(axis=None)
    assert identity_texts(nobody) == ()
    for text in (divergence_text(nobody), ensemble_text(nobody, "m"), confidence_text(nobody)):
        assert text == "There are no query examples."
    with pytest.raises(SLPError, match="no query examples"):
        _ = nobody.most_diverse
    assert not recwarn.list
