import copy
import dataclasses

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from slp_core.encoders.trainable import TrainableLayers
from slp_core.meta.episodes import draw_episode, make_tasks, read_sources
from slp_core.meta.inner import Heads, adapt, split_support, vectors
from slp_core.meta.outer import task_gradient


@pytest.fixture
def task(data):
    """Layers, and the lower states of a support and a query set of 2 x 4 rows each."""
    layers = TrainableLayers("minilm-l4", 1)
    first = make_tasks(read_sources(data, "weather_train.jsonl"), shots=4)[0]
    states = layers.lower_states(draw_episode(first, 4, np.random.default_rng(0)), 16)
    return layers, states[:8], states[8:]


def test_logits_are_divided_by_distances_and_heads_share_an_examples_gradient():
    """Equation 3 and Algorithm 1, one example at a time."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(5, 3, generator=generator, requires_grad=True)
    y = torch.tensor([0, 1, 1, 0, 1])
    prototypes = torch.randn(2, 3, generator=generator)
    heads = Heads(torch.randn(2, 2, 3, generator=generator), torch.randn(2, 2, generator=generator))
    loss = heads.loss(x, y, prototypes)
    loss.backward()

    expected_x = torch.zeros(5, 3)
    expected_weight = torch.zeros(2, 2, 3)
    total = 0.0
    for i in range(5):
        point = x[i].detach().requires_grad_()
        weight = heads.weight.detach().requires_grad_()
        d = [(point - prototype).norm() for prototype in prototypes]
        z = [weight[h] @ point + heads.bias[h].detach() for h in range(2)]
        score = z[0] / d[0] + z[1] / d[1]
        one = F.cross_entropy(score[None], y[i : i + 1]) / 5
        one.backward()
        total += one.item()
        expected_x[i] = point.grad
        expected_weight[0] += d[1].item() / (d[0] + d[1]).item() * weight.grad[0]
        expected_weight[1] += d[0].item() / (d[0] + d[1]).item() * weight.grad[1]
    assert loss.item() == pytest.approx(total, rel=1e-5)
    torch.testing.assert_close(x.grad, expected_x)
    torch.testing.assert_close(heads.weight.grad, expected_weight)


def test_heads_that_start_at_random_are_xavier_uniform(small):
    """Glorot and Bengio, 2010: in an interval of ±√(6 / (inputs + outputs)), and biases of 0."""
    settings = small(head_start="random")
    heads = Heads.start(4000, torch.zeros(2, 2), settings, np.random.default_rng(0))
    weight, bound = heads.weight.detach(), (6 / (2 + 2)) ** 0.5
    assert 0.99 * bound < weight.abs().max() <= bound
    assert weight.mean() == pytest.approx(0, abs=0.02)
    assert weight.std() == pytest.approx(bound / 3**0.5, rel=0.02)
    assert not heads.bias.any()


def test_heads_that_start_from_prototypes_are_the_nearest_centroid_rule(small):
    generator = torch.Generator().manual_seed(1)
    x, means = torch.randn(50, 6, generator=generator), torch.randn(2, 6, generator=generator)
    rng = np.random.default_rng(0)
    heads = Heads.start(2, means, small(), rng)
    scores = x @ heads.weight[1].T + heads.bias[1]
    assert torch.equal(scores.argmax(1), torch.cdist(x, means).argmin(1))
    at_random = Heads.start(2, means, small(head_start="random"), rng)
    assert not torch.equal(at_random.weight[0], at_random.weight[1])


def test_prototypes_stand_on_other_examples_than_the_loss(small):
    for seed in range(20):
        settings = small(shots=5, batch_size=4)
        for_loss, for_means = split_support(settings, np.random.default_rng(seed))
        assert for_loss.shape == (2, 2)
        assert for_means.shape == (2, 3)
        both = np.sort(np.hstack([for_loss, for_means]), axis=1)
        assert both.tolist() == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


@pytest.mark.parametrize("method", ["metaslp-reptile", "reptile"])
def test_the_inner_loop_learns_the_task_on_a_copy(task, small, method):
    layers, support, _ = task
    before = layers.all_vectors(support)
    settings = small(method, inner_steps=20, encoder_rate=0.03)
    adapted = adapt(layers, support, settings, np.random.default_rng(0))
    assert torch.equal(layers.all_vectors(support), before)
    assert len(adapted.heads.weight) == (1 if method == "reptile" else 2)
    assert np.mean(adapted.losses[-5:]) < np.mean(adapted.losses[:5])

    def gap(of):  # the push and the pull: between the classes, over within them
        x = vectors(of, support, settings).detach().view(2, 4, -1)
        means = x.mean(dim=1)
        return ((means[0] - means[1]).norm() / (x - means[:, None]).norm(dim=2).mean()).item()

    assert gap(adapted.layers) > gap(layers)


def test_steps_without_momentum_are_those_of_gradient_descent(task, small):
    layers, support, _ = task
    settings = small(momentum=0, inner_steps=2, batch_size=2)
    rates = [settings.encoder_rate, settings.head_rate]
    adapted = adapt(layers, support, settings, np.random.default_rng(4))
    rng = np.random.default_rng(4)
    found, heads = copy.deepcopy(layers), copy.deepcopy(adapted.started)
    for _ in range(2):
        for_loss, for_means = split_support(settings, rng)
        x = vectors(found, support, settings)
        loss = heads.loss(x[for_loss].flatten(0, 1), torch.tensor([0, 1]), x[for_means].mean(1))
        for part, rate in zip((found, heads), rates, strict=True):
            parameters = list(part.parameters())
            slopes = torch.autograd.grad(loss, parameters, retain_graph=True)
            for parameter, slope in zip(parameters, slopes, strict=True):
                parameter.data = parameter.data - rate * slope
    for one, other in ((found, adapted.layers), (heads, adapted.heads)):
        for expected, parameter in zip(one.parameters(), other.parameters(), strict=True):
            torch.testing.assert_close(parameter, expected)


def test_reptile_goes_to_where_the_inner_loop_ended(task, small):
    layers, support, query = task
    found = task_gradient(layers, support, query, small(), np.random.default_rng(3))
    adapted = adapt(layers, support, small(), np.random.default_rng(3))
    for old, step, new in zip(
        layers.parameters(), found.layers, adapted.layers.parameters(), strict=True
    ):
        torch.testing.assert_close(old - step, new)


def test_fomamls_rates_have_the_gradient_of_finite_differences(task, small):
    """With one inner step, whose direction no rate changes, first order is exact."""
    layers, support, query = task
    settings = small("metaslp-fomaml", inner_steps=1)

    def at(rates):
        return task_gradient(layers, support, query, settings, np.random.default_rng(5), rates)

    rates = [0.05, 0.05]
    found = at(rates)
    assert sum(float(g.abs().sum()) for g in found.layers) > 0
    for i in range(2):
        losses = []
        for sign in (1, -1):
            moved = list(rates)
            moved[i] *= np.exp(sign * 0.05)
            losses.append(at(moved).loss)
        assert found.log_rates[i] == pytest.approx((losses[0] - losses[1]) / 0.1, rel=0.05)


def test_protonet_tells_any_number_of_classes_apart(data, small):
    """Its loss by loops over the vectors, of three classes."""
    task = make_tasks(read_sources(data, "weather_train.jsonl"), shots=4, max_classes=3)[-1]
    layers, settings = TrainableLayers("minilm-l4", 1), small("protonet", max_classes=3)
    examples = draw_episode(task, 4, np.random.default_rng(0))
    states = layers.lower_states(examples, settings.max_tokens)
    support, query = states[:12], states[12:]
    found = task_gradient(layers, support, query, settings, np.random.default_rng(0))
    x = vectors(layers, states, settings).detach().numpy().reshape(2, 3, 4, -1)
    losses = []
    for k in range(3):
        for point in x[1, k]:
            logits = [-10 * ((point - x[0, j].mean(axis=0)) ** 2).sum() for j in range(3)]
            losses.append(np.log(np.sum(np.exp(logits))) - logits[k])
    assert found.loss == pytest.approx(np.mean(losses), rel=1e-5)


def test_protonets_gradient_lowers_its_loss(task, small):
    layers, support, query = task
    settings = small("protonet")
    found = task_gradient(layers, support, query, settings, np.random.default_rng(0))
    with torch.no_grad():
        for parameter, gradient in zip(layers.parameters(), found.layers, strict=True):
            parameter -= 0.02 * gradient
    after = task_gradient(layers, support, query, settings, np.random.default_rng(0))
    assert after.loss < found.loss
    swapped = dataclasses.replace(settings, seed=1)
    again = task_gradient(layers, support, query, swapped, np.random.default_rng(9))
    assert again.loss == after.loss  # nothing is drawn
