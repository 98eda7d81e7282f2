import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core import DeepSLPClassifier
from slp_core.methods import adamw, adamw_loop
from slp_core.methods.adamw import AdamW

LOOPS = ["in NumPy", "compiled"]


def trained(weights, gradients, rates, how="compiled", kept=None):
    """After some steps; half way on, if it is said which, with some of the lines only."""
    steps = adamw._LONG if how == "compiled" else 0
    with pytest.MonkeyPatch.context() as patch:
        if how == "in NumPy":
            patch.setattr(adamw, "loop_of", lambda dtype, needed: None)
        optimiser = AdamW(weights, 0.1, steps)
    assert (optimiser._loop is None) == (how == "in NumPy")
    for step, (gradient, rate) in enumerate(zip(gradients, rates, strict=True)):
        if kept is not None and step == len(rates) // 2:
            optimiser.keep(kept)
        now = slice(None) if kept is None or step < len(rates) // 2 else kept
        optimiser.gradient[...] = gradient[..., now, :]
        optimiser.step(rate if np.isscalar(rate) else rate[..., now])
    return optimiser.weights


@pytest.mark.parametrize("how", LOOPS)
def test_its_steps_are_those_of_pytorch(how):
    rng = np.random.default_rng(0)
    weights, gradients = rng.normal(size=(2, 3, 5)), rng.normal(size=(9, 2, 3, 5))
    rates = [0.01 * (1 + step) for step in range(9)]
    theirs = torch.tensor(weights, requires_grad=True)
    optimiser = torch.optim.AdamW([theirs], weight_decay=0.1)
    for gradient, rate in zip(gradients, rates, strict=True):
        optimiser.param_groups[0]["lr"] = rate
        theirs.grad = torch.tensor(gradient)
        optimiser.step()
    ours = trained(weights, gradients, rates, how)
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=1e-12)


@settings(deadline=None)
@given(
    shape=st.tuples(*[st.integers(1, 3)] * 4, st.integers(1, 70)),
    dtype=st.sampled_from([np.float32, np.float64]),
    size=st.sampled_from([0.0, 1e-18, 1e-8, 1.0, 1e15]),
    each_line=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_the_compiled_loop_does_what_numpy_does_to_the_last_bit(
    shape, dtype, size, each_line, seed
):
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=shape).astype(dtype)
    gradients = (size * rng.normal(size=(6, *shape))).astype(dtype)
    rates = list(rng.uniform(0, 0.1, size=6))
    kept = None
    if each_line:
        rates = [rate * rng.integers(0, 2, size=(shape[0], 1, 1, shape[3])) for rate in rates]
        kept = rng.integers(0, 2, size=shape[3]).astype(bool)
    in_numpy, compiled = (trained(weights, gradients, rates, how, kept) for how in LOOPS)
    np.testing.assert_array_equal(compiled, in_numpy)


@pytest.fixture
def nothing_compiled(monkeypatch):
    monkeypatch.setattr(adamw_loop, "_compiled", {})


def test_a_loop_is_compiled_for_a_long_training_and_then_serves_all(nothing_compiled):
    weights = np.zeros((2, 2, 5), np.float32)
    assert AdamW(weights, 0.1, 1000)._loop is None
    assert AdamW(weights, 0.1, adamw._LONG)._loop is not None
    assert AdamW(weights, 0.1, 1000)._loop is not None
    assert AdamW(weights.astype(np.float64), 0.1, 1000)._loop is None


def test_without_llvm_training_is_the_same(nothing_compiled, monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(12) % 3
    X = rng.normal(size=(3, 4))[y] + rng.normal(size=(12, 4))
    monkeypatch.setattr(adamw, "_LONG", 0)
    with_it = DeepSLPClassifier(preset="paper").fit(X, y)
    assert adamw_loop._compiled["f"] is not None
    adamw_loop._compiled.clear()

    def refused(kind):
        raise RuntimeError("no LLVM here")

    monkeypatch.setattr(adamw_loop, "_compile", refused)
    without = DeepSLPClassifier(preset="paper").fit(X, y)
    assert adamw_loop._compiled == {"f": None}
    np.testing.assert_array_equal(without.coef_, with_it.coef_)
