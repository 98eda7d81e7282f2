import numpy as np
import pytest
import torch

from slp_core.methods.adamw import AdamW


def trained(weights, gradients, rates, kept=None):
    """After some steps; half way on, if it is said which, with some of the lines only."""
    optimiser = AdamW(weights, 0.1)
    for step, (gradient, rate) in enumerate(zip(gradients, rates, strict=True)):
        if kept is not None and step == len(rates) // 2:
            optimiser.keep(kept)
        now = slice(None) if kept is None or step < len(rates) // 2 else kept
        optimiser.gradient[...] = gradient[..., now, :]
        optimiser.step(rate if np.isscalar(rate) else rate[..., now])
    return optimiser.weights


def by_pytorch(weights, gradients, rates):
    theirs = torch.tensor(weights, requires_grad=True)
    optimiser = torch.optim.AdamW([theirs], weight_decay=0.1)
    for gradient, rate in zip(gradients, rates, strict=True):
        optimiser.param_groups[0]["lr"] = rate
        theirs.grad = torch.tensor(gradient)
        optimiser.step()
    return theirs.detach().numpy()


@pytest.mark.parametrize("scale", [1e-18, 1.0, 1e15])
def test_its_steps_are_those_of_pytorch(scale):
    rng = np.random.default_rng(0)
    weights, gradients = rng.normal(size=(2, 3, 5)), scale * rng.normal(size=(9, 2, 3, 5))
    rates = [0.01 * (1 + step) for step in range(9)]
    ours = trained(weights, gradients, rates)
    np.testing.assert_allclose(ours, by_pytorch(weights, gradients, rates), rtol=1e-12)


def test_lines_have_rates_of_their_own_and_may_leave():
    rng = np.random.default_rng(1)
    weights, gradients = rng.normal(size=(2, 3, 5)), rng.normal(size=(6, 2, 3, 5))
    rates, kept = list(rng.uniform(0, 0.1, size=(6, 3))), np.array([True, False, True])
    ours = trained(weights, gradients, rates, kept)
    for place, line in enumerate(np.flatnonzero(kept)):
        alone = by_pytorch(weights[:, line], gradients[:, :, line], [r[line] for r in rates])
        np.testing.assert_allclose(ours[:, place], alone, rtol=1e-12)
