"""The prototypes as a PyTorch layer: equal to the classifiers, and differentiable."""

import numpy as np
import pytest
import torch
from torch.func import functional_call

import slp_core as slp

DEEP = [
    {},
    {"preset": "paper", "train_on": "line"},
    {"distance": "along_line"},
    {"assignment": "prototype", "n_lines": "all"},
]


def data(k=5, d=6, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(4 * k, d)), np.repeat(np.arange(k), 4), rng.normal(size=(50, d))


@pytest.mark.parametrize("options", DEEP)
@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_layer_gives_the_classifiers_influence(options, k):
    X, y, Q = data(k)
    for model in (slp.DeepSLPClassifier(**options), slp.ConstraintSLPClassifier()):
        model.fit(X, y)
        Q = np.concatenate([Q, model.centroids_])  # on prototypes too
        layer = slp.nn.SoftLabelPrototypes.of(model)
        np.testing.assert_allclose(layer(torch.tensor(Q)).detach(), model.influence(Q), rtol=1e-9)
    model = slp.DeepSLPClassifier(**options).fit(X, y)
    layer = slp.nn.SoftLabelPrototypes.of(model).float()
    share = layer(torch.tensor(Q, dtype=torch.float32)).softmax(dim=1).detach()
    np.testing.assert_allclose(share, model.predict_proba(Q), atol=1e-5)


def test_several_models_are_episodes_of_one_layer():
    rng, (X, y, Q) = np.random.default_rng(1), data()
    models = [
        slp.DeepSLPClassifier(preset="paper", train_on="line").fit(X + 0.1 * rng.normal(), y)
        for _ in range(3)
    ]
    layer, x = slp.nn.SoftLabelPrototypes.of(*models), torch.tensor(np.stack([Q] * 3))
    x.requires_grad_()
    logits = layer(x)
    for of_episode, model in zip(logits.detach(), models, strict=True):
        np.testing.assert_allclose(of_episode, model.influence(Q), rtol=1e-9)
    logits.logsumexp(dim=-1).sum().backward()
    assert all(t.grad.isfinite().all() for t in (x, layer.weight, layer.bias))


@pytest.mark.parametrize("distance", ["euclidean", "along_line"])
def test_gradients_equal_finite_differences_twice(distance):
    torch.manual_seed(0)
    prototypes, x = (torch.randn(*s, dtype=torch.float64) for s in ((2, 2, 2, 3), (2, 4, 3)))
    layer = slp.nn.SoftLabelPrototypes(
        prototypes, 3, unit=torch.tensor([1.0, 2.0]), distance=distance
    )

    def logits(x, weight, bias, prototypes):
        parts = {"weight": weight, "bias": bias, "prototypes": prototypes}
        return functional_call(layer, parts, (x,))

    parts = [t.detach().clone().requires_grad_() for t in (x, layer.weight, layer.bias, prototypes)]
    assert torch.autograd.gradcheck(logits, parts)
    assert torch.autograd.gradgradcheck(logits, parts)


def test_a_point_on_a_prototype_has_a_gradient_and_a_layer_learns():
    X, y, _ = data(3)
    model = slp.DeepSLPClassifier(epochs=0, init="xavier").fit(X, y)
    layer = slp.nn.SoftLabelPrototypes.of(model)
    x = torch.tensor(np.concatenate([X, model.centroids_])).requires_grad_()
    target = torch.tensor(np.concatenate([y, np.arange(3)]))
    optimiser = torch.optim.AdamW(layer.parameters(), lr=0.05)
    for _ in range(50):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(layer(x), target)
        loss.backward()
        optimiser.step()
    assert x.grad.isfinite().all()
    assert (layer(x).argmax(dim=1) == target).double().mean() > 0.9


def test_models_that_differ_are_refused():
    X, y, _ = data()
    models = [slp.DeepSLPClassifier(n_lines=n).fit(X, y) for n in (1, 2)]
    with pytest.raises(ValueError, match="differ in their numbers of lines"):
        slp.nn.SoftLabelPrototypes.of(*models)
    with pytest.raises(TypeError, match="without lines"):
        slp.nn.SoftLabelPrototypes.of(slp.OneNearestNeighbourClassifier().fit(X, y))
