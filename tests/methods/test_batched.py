"""Models trained at once are those that are fitted one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier
from slp_core.errors import Cancelled, SLPError
from slp_core.methods import batched, deep_slp
from slp_core.methods.batched import fit_each


@pytest.fixture(scope="module", autouse=True)
def in_double():
    """The same but for rounding: in double precision that is told from what would be wrong."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deep_slp, "_precision", lambda points: np.float64)
        yield


def supports(k, shots, d, draws, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), shots)
    middles = 2 * rng.normal(size=(k, d))
    return [(middles[y] + rng.normal(size=(len(y), d)), y) for _ in range(draws)]


def check_same(together, alone):
    for name in ("coef_", "intercept_", "prototypes_"):
        np.testing.assert_allclose(getattr(together, name), getattr(alone, name), atol=1e-9)
    for name, told in alone.history_.items():
        np.testing.assert_allclose(together.history_[name], told, atol=1e-9)


@settings(deadline=None, max_examples=25)
@given(
    st.integers(2, 7),
    st.integers(1, 5),
    st.integers(1, 9),
    st.sampled_from(["prototype", "paper"]),
    st.sampled_from(["per_example", "batch", "none"]),
    st.sampled_from(["all", "line"]),
    st.integers(0, 10_000),
)
def test_draws_and_seeds_at_once_equal_single_fits(k, shots, d, preset, scaling, train_on, seed):
    """In the paper's preset lines, of other sizes in each draw, finish at other epochs."""
    draws = supports(k, shots, d, 3, seed)
    options = {"preset": preset, "loss_scaling": scaling, "train_on": train_on}

    def fits():
        for number in (seed, seed + 1):
            for X, y in draws:
                yield DeepSLPClassifier(random_state=number, **options), X, y

    for together, (alone, X, y) in zip(fit_each(fits()), fits(), strict=True):
        check_same(together, alone.fit(X, y))


def test_unlike_models_keep_their_order(monkeypatch):
    """Of other shapes, other methods, and more than are trained at once."""
    monkeypatch.setattr(batched, "_NUMBERS", 200)
    sets = [*supports(3, 4, 5, 5, 0), *supports(4, 3, 5, 2, 1), *supports(3, 4, 6, 1, 2)]
    kinds = [DeepSLPClassifier] * 3 + [ConstraintSLPClassifier] + [DeepSLPClassifier] * 4
    models = [kind() for kind in kinds]
    rates = [1e-3, 1e-2]
    models[1].set_params(learning_rate=rates[1])
    found = list(fit_each((m, X, y) for m, (X, y) in zip(models, sets, strict=True)))
    assert [id(model) for model in found] == [id(model) for model in models]
    for model, (X, y) in zip(found, sets, strict=True):
        alone = type(model)(**model.get_params()).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), alone.predict_proba(X), atol=1e-9)


def test_a_generator_shared_by_models_goes_on_in_their_order():
    sets = supports(3, 8, 4, 2, 0)
    at_once, one_by_one = np.random.RandomState(0), np.random.RandomState(0)
    fits = ((DeepSLPClassifier(preset="paper", random_state=at_once), X, y) for X, y in sets)
    for together, (X, y) in zip(fit_each(fits), sets, strict=True):
        check_same(together, DeepSLPClassifier(preset="paper", random_state=one_by_one).fit(X, y))


def test_it_stops_between_epochs():
    ((X, y), (other, _)) = supports(3, 4, 5, 2, 0)
    asked = iter([False, False, False, True])
    model, never = DeepSLPClassifier().fit(X, y), DeepSLPClassifier()
    before = model.predict_proba(X)
    with pytest.raises(Cancelled):
        list(fit_each([(model, other, y), (never, X, y)], lambda: next(asked)))
    np.testing.assert_array_equal(model.predict_proba(X), before)
    with pytest.raises(NotFittedError):
        never.predict(X)


def test_heads_beyond_all_numbers_are_refused_at_once_too():
    draws = supports(3, 4, 5, 3, 0)
    models = [DeepSLPClassifier(weight_decay=1e9) for _ in draws]
    with pytest.raises(SLPError, match=r"weight decay of 1e\+09 the heads grow beyond"):
        list(fit_each((model, *draw) for model, draw in zip(models, draws, strict=True)))
    with pytest.raises(NotFittedError):
        models[0].predict(draws[0][0])
