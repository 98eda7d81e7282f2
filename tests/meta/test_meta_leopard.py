"""LEOPARD's loops on a model small enough to be differentiated by hand."""

import json

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from slp_core.encoders.meta_checkpoint import MetaCheckpoint
from slp_core.errors import EncoderError, SLPError
from slp_core.meta import leopard
from slp_core.meta.settings import preset_settings
from slp_core.meta.training import meta_train
from slp_core.methods.leopard import (
    HEAD_RATES,
    LeopardClassifier,
    LeopardNetworks,
    adapt,
    vectors,
)

K, D = 3, 5


class TinyLayers(nn.Module):
    """Two layers in the place of the encoder's; rows are vectors of 4 numbers."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(4, D), nn.Linear(D, D)])

    def vectors(self, states, rows=None):
        x = states if rows is None else states[rows]
        for block in self.blocks:
            x = torch.tanh(block(x))
        return x


@pytest.fixture
def tiny():
    """Layers, networks, and rows of three classes, in float64."""
    torch.manual_seed(0)
    layers, networks = TinyLayers().double(), LeopardNetworks(D, 4).double()
    for parameter in networks.parameters():
        nn.init.normal_(parameter, std=0.5)
    return layers, networks, torch.randn(7, 4).double(), torch.tensor([0, 1, 2, 1, 0, 2, 2])


def test_before_the_first_step_logits_are_those_of_a_loop_over_examples(tiny):
    layers, networks, rows, y = tiny
    weights = {name: tensor.numpy() for name, tensor in networks.state_dict().items()}
    with torch.no_grad():
        X = layers.vectors(rows).numpy()

    def network(name, x):
        hidden = np.tanh(weights[f"{name}.hidden.weight"] @ x + weights[f"{name}.hidden.bias"])
        return weights[f"{name}.out.weight"] @ hidden + weights[f"{name}.out.bias"]

    adapted = adapt(layers, networks, rows, y, K, [], [0.1] * 5)
    logits = adapted.logits(vectors(layers, rows)).detach().numpy()
    for i, x in enumerate(X):
        for k in range(K):
            members = [X[j] / np.linalg.norm(X[j]) for j in range(len(X)) if y[j] == k]
            made = sum(network("generator", member) for member in members) / len(members)
            expected = made[:-1] @ network("features", x / np.linalg.norm(x)) + made[-1]
            assert logits[i, k] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("n_agnostic", [0, 1])
def test_outer_gradients_are_those_of_finite_differences(tiny, n_agnostic):
    """Of the query loss at θ − u, φ − u', W − u'' and b − u'', the sums of steps u held fixed."""
    layers, networks, rows, y = tiny
    query, of_query = torch.randn(6, 4).double(), torch.tensor([0, 1, 2, 2, 1, 0])
    rates = [0.3, 0.2, 0.5, 0.4, 0.7][n_agnostic:]
    batches = [np.array([0, 1, 2, 3]), np.array([2, 4, 5, 6])]
    adapted = adapt(layers, networks, rows, y, K, batches, rates)
    assert len(adapted.losses) == 2
    loss = F.cross_entropy(adapted.logits(vectors(adapted.layers, query)), of_query)
    found = leopard.outer_gradient(layers, networks, adapted, loss, len(rates))

    began = [*layers.parameters(), *networks.features.parameters(), *adapted.started]
    ends = [parameter for group in adapted.groups() for parameter in group]
    ways = [(old - end).detach() for old, end in zip(began, ends, strict=True)]
    still = list(layers.blocks[0].parameters()) if n_agnostic else []
    assert all(not way.any() for way in ways[: len(still)])
    assert all(way.any() for way in ways[len(still) :])
    sizes = [2, 2, 2, 2, 2]  # tensors that share a rate

    @torch.no_grad()
    def at(log_scales=(0.0,) * 5):
        scale = [np.exp(s) for s, n in zip(log_scales, sizes, strict=True) for _ in range(n)]
        ends = [old - a * way for old, a, way in zip(start(), scale, ways, strict=True)]
        x = query
        for weight, bias in (ends[0:2], ends[2:4]):
            x = torch.tanh(F.linear(x, weight, bias))
        x = torch.tanh(F.linear(F.normalize(x, dim=1), *ends[4:6]))
        logits = F.linear(F.linear(x, *ends[6:8]), *ends[8:10])
        return F.cross_entropy(logits, of_query).item()

    def start():
        made = networks.softmax_parameters(vectors(layers, rows), y, K)
        return [*layers.parameters(), *networks.features.parameters(), *made]

    assert at() == pytest.approx(found.loss)
    step = 1e-6
    parameters = [*layers.parameters(), *networks.parameters()]
    for parameter, gradient in zip(parameters, found.layers, strict=True):
        for place in {0, parameter.numel() // 2, parameter.numel() - 1}:
            entry = parameter.data.view(-1)
            value, losses = entry[place].item(), []
            for sign in (1, -1):
                entry[place] = value + sign * step
                losses.append(at())
            entry[place] = value
            slope = (losses[0] - losses[1]) / (2 * step)
            assert gradient.flatten()[place].item() == pytest.approx(slope, rel=1e-5, abs=1e-8)
    for place, gradient in enumerate(found.log_rates, n_agnostic):
        scales = np.zeros((2, 5))
        scales[:, place] = step, -step
        slope = (at(scales[0]) - at(scales[1])) / (2 * step)
        assert gradient == pytest.approx(slope, rel=1e-5, abs=1e-8)
    assert found.layers[-1].abs().sum() > 0  # ψ's


def test_the_order_of_classes_does_not_matter(tiny):
    layers, networks, rows, y = tiny
    batches = [np.arange(7)] * 3

    def logits(labels):
        adapted = adapt(layers, networks, rows, labels, K, batches, [0.2] * 5)
        return adapted.logits(vectors(adapted.layers, rows)).detach()

    turned = torch.tensor([2, 0, 1])
    torch.testing.assert_close(logits(turned[y])[:, turned], logits(y))


def test_networks_start_as_the_inner_product_with_the_class_means():
    rng = np.random.default_rng(0)
    x = F.normalize(torch.from_numpy(rng.normal(size=(40, 64))).float(), dim=1)
    y = torch.arange(40) % 4
    networks = LeopardNetworks.start(64, rng, temperature=3.0)
    weight, bias = networks.softmax_parameters(x, y, 4)
    logits = F.linear(networks.features(x), weight, bias)
    means = torch.stack([x[y == k].mean(dim=0) for k in range(4)])
    assert (logits.argmax(dim=1) == (x @ means.T).argmax(dim=1)).float().mean() > 0.9
    assert not bias.any()


def test_a_run_writes_what_the_classifier_reads(data, tmp_path, small):
    settings = small("leopard", n_trainable=2, inner_steps=1, steps=2, validate_every=1)
    out = meta_train(data, tmp_path / "out", settings)
    card = json.loads((out / "card.json").read_text())
    assert "LEOPARD's own classifiers" in card["validation"]["how"]
    tensors = MetaCheckpoint(out).beside()
    np.testing.assert_allclose(tensors["inner_rates"], card["inner_rates"], rtol=1e-6)
    assert len(card["inner_rates"]) == 1 + HEAD_RATES

    texts = ["wet and grey", "golden and warm", "white and icy", "flooded", "a dry day", "frozen"]
    labels = np.array(["rain", "sun", "snow"] * 2)
    model = LeopardClassifier(encoder=f"meta:{out}", steps=3, max_tokens=16).fit(texts, labels)
    assert model.history_[-1] < model.history_[0]
    probabilities = model.predict_proba(texts)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    order = [2, 0, 1, 5, 4, 3]
    again = LeopardClassifier(encoder=f"meta:{out}", steps=3, max_tokens=16)
    again.fit([texts[i] for i in order], labels[order])
    np.testing.assert_allclose(again.predict_proba(texts), probabilities, atol=1e-4)
    one = LeopardClassifier(encoder=f"meta:{out}", max_tokens=16).fit(["rain"], ["wet"])
    assert one.predict(["snow"]).tolist() == ["wet"]


@pytest.mark.parametrize("encoder", ["minilm-l4", "reptile-minilm-l4", "tfidf-svd"])
def test_an_encoder_of_another_making_is_refused(encoder):
    with pytest.raises(EncoderError, match=f"Encoder '{encoder}' was not meta-trained by LEOPARD"):
        LeopardClassifier(encoder=encoder).fit(["one", "two"], [0, 1])


def test_tensors_that_are_no_networks_are_refused():
    whole = LeopardNetworks(D, 4).state_dict()
    for wrong in ({}, whole | {"more": whole["features.hidden.bias"]}):
        with pytest.raises(EncoderError, match="no LEOPARD networks"):
            LeopardNetworks.of(wrong)


def test_more_layers_of_every_task_than_are_trained_are_refused():
    with pytest.raises(SLPError, match="n_agnostic must be a whole number from 0 to 3"):
        preset_settings("leopard", n_agnostic=4)
