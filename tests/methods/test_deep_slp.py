import warnings

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import softmax
from sklearn.neighbors import NearestCentroid

from slp_core import DeepSLPClassifier, SLPError
from slp_core.methods import deep_slp
from slp_core.methods.deep_slp import paper_schedule
from slp_core.methods.heads import head_gradient, split_batches


def clusters(k=4, shots=8, d=12, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), shots)
    return rng.normal(size=(k, d))[y] * 2 + noise * rng.normal(size=(k * shots, d)), y


def algorithm_1(X, y, prototypes, heads, rate, epochs, weight_decay, dtype=torch.float64):
    """Algorithm 1 line by line, with autograd and torch's own AdamW, full batch."""
    floor = 0.01 * float(np.sqrt(((X - X.mean(axis=0)) ** 2).sum(axis=1).mean()))
    X, y = torch.tensor(X, dtype=dtype), torch.tensor(y)
    trained = []
    for (left, right), (w_left, w_right) in zip(prototypes, heads, strict=True):
        parameters = [
            torch.tensor(w, dtype=dtype, requires_grad=True)
            for side in (w_left, w_right)
            for w in side
        ]
        optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=weight_decay)
        d_1 = torch.linalg.norm(X - torch.tensor(left, dtype=dtype), dim=1).clamp(min=floor)
        d_2 = torch.linalg.norm(X - torch.tensor(right, dtype=dtype), dim=1).clamp(min=floor)
        for _ in range(epochs):
            a, a_bias, b, b_bias = parameters
            s = (X @ a.T + a_bias) / d_1[:, None] + (X @ b.T + b_bias) / d_2[:, None]
            loss = torch.nn.functional.cross_entropy(s, y, reduction="none")
            loss_1 = (d_2 / (d_1 + d_2) * loss).mean()
            loss_2 = (d_1 / (d_1 + d_2) * loss).mean()
            gradients = [
                *torch.autograd.grad(loss_1, parameters[:2], retain_graph=True),
                *torch.autograd.grad(loss_2, parameters[2:]),
            ]
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter.grad = gradient
            optimiser.step()
        trained.append([p.detach().numpy() for p in parameters])
    return trained


@settings(deadline=None, max_examples=15)
@example(5, 1, 5, 265)  # a bias whose gradient is rounding and nothing else
@given(st.integers(2, 6), st.integers(1, 5), st.integers(1, 9), st.integers(0, 10_000))
def test_training_equals_a_plain_autograd_loop_of_algorithm_1(k, shots, d, seed):
    X, y = clusters(k, shots + 1, d, seed)
    options = {"preset": "paper", "batch_size": 0, "learning_rate": 0.02, "warmup": 0.0}
    start = DeepSLPClassifier(**options, epochs=0).fit(X, y)
    model = DeepSLPClassifier(**options, epochs=7).fit(X, y)
    heads = [
        [(start.coef_[n, side], start.intercept_[n, side]) for side in range(2)]
        for n in range(len(start.lines_))
    ]
    exact, single = (
        algorithm_1(X, y, model.prototypes_, heads, 0.02, 7, model.weight_decay, dtype)
        for dtype in (torch.float64, torch.float32)  # in which the classifier is trained
    )
    for n, (expected, rounded) in enumerate(zip(exact, single, strict=True)):
        for first, trained in enumerate((model.coef_[n], model.intercept_[n])):
            for side in range(2):
                value, other = expected[first + 2 * side], rounded[first + 2 * side]
                # AdamW divides by the gradient's size: of one near nought, rounding is left
                assert (abs(trained[side] - value) <= 1e-5 + 10 * abs(other - value)).all()


@pytest.mark.parametrize("scaling", ["per_example", "batch", "none"])
def test_gradient_equals_a_finite_difference_of_each_heads_share(scaling):
    """On two lines, in batches of 4 and of 2 points."""
    rng = np.random.default_rng(0)
    heads = rng.normal(size=(2, 3, 2, 5))
    inputs = np.column_stack([rng.normal(size=(6, 4)), np.ones(6)])
    codes, distances = rng.integers(0, 3, 6), rng.uniform(0.2, 3, (2, 2, 6))
    weights = rng.integers(1, 4, 6) / 2
    first = 0
    for batch in split_batches(inputs, codes, distances, weights, 4, scaling):
        b = len(batch.inputs)
        d, w = distances[..., first : first + b], weights[first : first + b]
        first += b
        if scaling == "batch":
            d = (w * d).sum(axis=2, keepdims=True) / w.sum()
        shares = np.ones_like(d) if scaling == "none" else d[::-1] / d.sum(axis=0)
        _, gradient = head_gradient(heads, batch)
        for side, line in np.ndindex(2, 2):
            for one_class, feature in [(0, 0), (2, 3), (1, 4)]:
                at = side, one_class, line, feature
                step = np.zeros_like(heads)
                step[at] = 1e-6
                up, down = (head_gradient(heads + s * step, batch)[0] for s in (1, -1))
                share = np.broadcast_to(shares[side, line], b)
                slope = (share * (up - down)[line]).sum() / w.sum() / 2e-6
                assert gradient[at] == pytest.approx(slope, abs=1e-6)
    assert first == 6


def in_both_precisions(X, y, **options):
    single = DeepSLPClassifier(**options).fit(X, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deep_slp, "_precision", lambda points: np.float64)
        return single, DeepSLPClassifier(**options).fit(X, y)


@pytest.mark.parametrize(
    "options", [{}, {"preset": "paper"}, {"init": "xavier", "batch_size": 5}], ids=str
)
def test_trained_in_single_precision_it_predicts_as_in_double(options):
    X, y = clusters(k=7, shots=12, d=60, noise=2.0)
    Q, _ = clusters(k=7, shots=60, d=60, noise=3.0)
    single, double = in_both_precisions(X, y, **options)
    assert 0 < np.abs(single.coef_ - double.coef_).max() < 1e-4 * np.abs(double.coef_).max()
    assert (single.predict(Q) == double.predict(Q)).mean() > 0.999


def test_what_single_precision_would_lose_is_trained_in_double():
    """In the paper's preset data are taken as they are: here far away, tiny or huge."""
    X, y = clusters()
    for moved in (X + 1e4, 1e-30 * X, 1e25 * X):
        model, double = in_both_precisions(moved, y, preset="paper")
        np.testing.assert_array_equal(model.coef_, double.coef_)


def test_lines_trained_together_equal_lines_trained_alone():
    X, y = clusters(k=7, shots=6)
    together = DeepSLPClassifier(preset="paper", n_lines=3, batch_size=0).fit(X, y)
    sizes = [len(line.classes) for line in together.lines_]
    assert len(set(sizes)) > 1  # so that one line stops before another
    losses = together.history_["loss"]
    assert [int(np.isfinite(losses[:, n]).sum()) for n in range(len(sizes))] == [
        15 + 10 * (size - 2) for size in sizes
    ]
    longest = DeepSLPClassifier(preset="paper", n_lines=3, batch_size=0, epochs=len(losses)).fit(
        X, y
    )
    last = int(np.argmax(sizes))
    np.testing.assert_allclose(together.coef_[last], longest.coef_[last], atol=1e-6)
    other = int(np.argmin(sizes))
    assert np.abs(together.coef_[other] - longest.coef_[other]).max() > 1e-3


def test_the_paper_starts_from_glorot_and_bengios_uniform_weights():
    X, y = clusters(k=6, d=30)
    weights = np.abs(DeepSLPClassifier(preset="paper", epochs=0).fit(X, y).coef_)
    bound = np.sqrt(6 / (30 + 6))
    assert 0.99 * bound < weights.max() <= bound
    assert weights.mean() == pytest.approx(bound / 2, rel=0.05)


def test_the_learning_rate_rises_step_by_step_in_the_warm_up():
    """Without decay AdamW's first step moves every weight by the learning rate of that step."""
    X, y = clusters()
    options = {"preset": "paper", "batch_size": 0, "weight_decay": 0.0, "learning_rate": 0.04}
    start = DeepSLPClassifier(**options, epochs=0).fit(X, y)
    seen = []
    DeepSLPClassifier(
        **options, warmup=1.0, epochs=4, callback=lambda epoch, state: seen.append(state.coef)
    ).fit(X, y)
    assert np.median(np.abs(seen[0] - start.coef_)) == pytest.approx(0.01, rel=1e-3)


def test_the_prototype_start_is_the_nearest_centroid_rule():
    X, y = clusters(k=6, d=5)
    model = DeepSLPClassifier(epochs=0).fit(X, y)
    Q = np.random.default_rng(1).normal(size=(500, 5)) * 3
    assert (model.predict(Q) == NearestCentroid().fit(X, y).predict(Q)).all()


def test_predictions_do_not_depend_on_units_or_origin():
    X, y = clusters()
    Q, _ = clusters(seed=5)
    plain = DeepSLPClassifier().fit(X, y).predict_proba(Q)
    moved = DeepSLPClassifier().fit(1e3 * X + 5e4, y).predict_proba(1e3 * Q + 5e4)
    np.testing.assert_allclose(moved, plain, atol=1e-6)


def test_influence_is_the_logits_over_the_distances():
    X, y = clusters(k=5)
    model = DeepSLPClassifier().fit(X, y)
    at, z = model.place(X), model.logits(X)
    by_hand = (
        z[:, 0] * model.scale_ / at.d_left[:, None] + z[:, 1] * model.scale_ / at.d_right[:, None]
    )
    np.testing.assert_allclose(model.influence(X), by_hand)
    np.testing.assert_allclose(model.predict_proba(X), softmax(by_hand, axis=1))
    np.testing.assert_allclose(
        z[:, 1], np.einsum("mkd,md->mk", model.coef_[at.line, 1], X) + model.intercept_[at.line, 1]
    )
    np.testing.assert_allclose(model.soft_labels(X).sum(axis=2), 1)


def test_trained_on_its_line_a_prototype_predicts_only_its_lines_classes():
    X, y = clusters(k=6)
    model = DeepSLPClassifier(train_on="line").fit(X, y)
    probability = model.predict_proba(np.random.default_rng(0).normal(size=(200, 12)) * 3)
    at = model.place(np.random.default_rng(0).normal(size=(200, 12)) * 3)
    for number, line in enumerate(model.lines_):
        off = np.setdiff1d(np.arange(6), line.classes)
        assert (probability[at.line == number][:, off] == 0).all()
    assert (model.predict(X) == y).mean() > 0.9


def test_callback_sees_every_epoch_and_can_stop():
    X, y = clusters()
    seen = []

    def callback(epoch, state):
        seen.append((epoch, state.epoch, state.epochs, state.coef.copy()))
        return epoch == 5

    model = DeepSLPClassifier(epochs=9, callback=callback).fit(X, y)
    assert [s[:3] for s in seen] == [(e, e, 9) for e in range(1, 6)]
    assert model.history_["loss"].shape == (5, len(model.lines_))
    assert (model.coef_ == seen[-1][3]).all()
    assert (seen[0][3] != seen[1][3]).any()
    assert model.history_["learning_rate"][0] <= model.history_["learning_rate"][-1]


@pytest.mark.parametrize("options", [{"learning_rate": 1e3}, {"weight_decay": 1e5}], ids=str)
@pytest.mark.parametrize("train_on", ["all", "line"])
def test_heads_beyond_all_numbers_are_refused_with_the_settings_to_mend(options, train_on):
    ((name, value),) = options.items()
    words = rf"a {name.replace('_', ' ')} of {value:g} .*: choose smaller"
    with warnings.catch_warnings(action="error"), pytest.raises(SLPError, match=words):
        DeepSLPClassifier(train_on=train_on, **options).fit(*clusters())


def test_the_same_seed_gives_the_same_model_and_another_seed_another():
    X, y = clusters()
    one, same, other = (
        DeepSLPClassifier(preset="paper", random_state=s).fit(X, y).coef_ for s in (1, 1, 2)
    )
    assert (one == same).all()
    assert (one != other).any()


def test_training_lowers_the_loss_and_beats_its_start():
    X, y = clusters(k=13, shots=16, d=40, noise=3.0)
    Q, truth = clusters(k=13, shots=60, d=40, noise=3.0)
    start = DeepSLPClassifier(epochs=0).fit(X, y)
    model = DeepSLPClassifier().fit(X, y)
    assert (model.history_["loss"][-1] < model.history_["loss"][0]).all()
    assert (model.predict(Q) == truth).mean() > (start.predict(Q) == truth).mean() - 0.02


def test_help_lists_the_numbers_of_each_preset():
    told = " ".join(DeepSLPClassifier.__doc__.split())
    sizes = np.array([2, 3, 9])
    used = DeepSLPClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2]).settings_used(3)
    assert f"{used['epochs']} epochs of the whole support set" in told
    assert f"(``batch_size={used['batch_size']}``), at" in told
    assert f"a learning rate of {used['learning_rate']}." in told
    schedules = [paper_schedule(shots, sizes) for shots in (4, 8, 16)]
    epochs = schedules[0][0]
    (first, low), (second, middle), (third, high) = (each[1:] for each in schedules)
    assert f"batches of {low}, {middle} and {high} and" in told
    assert f"learning rates of {first}, {second} and {third} for up to 4, up to 8 and" in told
    assert f"{epochs[0]} epochs for two classes on a line and {epochs[1] - epochs[0]} more" in told
    assert f"at most {epochs[2]}." in told
