"""Classifiers that train the encoder: their formulas by loops, and what training may touch."""

import pickle
from itertools import chain, repeat

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core import FineTunedClassifier, LoRAClassifier, MetaSLPClassifier, SLPError
from slp_core.data import Examples, load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.chunks import TOGETHER
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import Cancelled
from slp_core.lines import find_lines
from slp_core.methods import leopard, text_classifier
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.heads import head_gradient, split_batches
from slp_core.methods.leopard import LeopardClassifier
from slp_core.methods.meta_slp import DISTANCE_FLOOR, line_loss
from slp_core.methods.proto_net import ProtoNetClassifier, _query_half

QUICK = {"encoder": "minilm-l4", "max_tokens": 32}
MAKERS = {
    "meta_slp": lambda **o: MetaSLPClassifier(**(QUICK | {"steps": 4} | o)),
    "fine_tuned": lambda **o: FineTunedClassifier(
        **(QUICK | {"epochs": 12, "learning_rate": 3e-3} | o)
    ),
    "lora": lambda **o: LoRAClassifier(**(QUICK | {"epochs": 12, "learning_rate": 3e-2} | o)),
    "proto_net": lambda **o: ProtoNetClassifier(**(QUICK | {"steps": 6} | o)),
    "leopard": lambda **o: LeopardClassifier(max_tokens=32, **({"steps": 6} | o)),
}


@pytest.fixture
def tweets(request):
    """Support and query texts of three classes, and their classes, for a narrow MiniLM.

    What LEOPARD brings along is as wide as MiniLM itself.
    """
    asked = getattr(request.node, "callspec", None)
    if asked is None or asked.params.get("name") != "leopard":
        request.getfixturevalue("narrow_minilm")
    dataset = load_dataset("airline")
    episode = dataset.draw(4, 0)
    query = episode.query[::8]
    take = dataset.examples.take
    return take(episode.support), episode.y_support, take(query), dataset.y[query]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(1, 4))
def test_the_loss_is_that_of_a_loop_that_leaves_each_example_out(seed, n_classes, shots):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_classes * shots, 5))
    codes = np.repeat(np.arange(n_classes), shots)
    heads = rng.normal(size=(2, n_classes, 6))
    ends = (0, n_classes - 1)
    d = np.empty((len(X), 2))
    for i, x in enumerate(X):
        for side, end in enumerate(ends):
            others = [j for j in range(len(X)) if codes[j] == end and (j != i or shots == 1)]
            d[i, side] = max(np.linalg.norm(x - X[others].mean(axis=0)), DISTANCE_FLOOR)
    weights = torch.tensor(heads, requires_grad=True)
    loss = line_loss(torch.tensor(X), torch.tensor(codes), weights, ends)
    loss.backward()

    inputs = np.column_stack([X, np.ones(len(X))])
    (batch,) = split_batches(
        inputs, codes, d.T[:, None], np.ones(len(X)), len(X), loss_scaling="per_example"
    )
    losses, gradient = head_gradient(heads[:, :, None], batch)
    assert loss.item() == pytest.approx(losses.mean())
    np.testing.assert_allclose(weights.grad.numpy(), gradient[:, :, 0], rtol=1e-6, atol=1e-8)


def test_the_gradient_reaches_points_whole():
    rng = np.random.default_rng(1)
    x = torch.tensor(rng.normal(size=(6, 3)), requires_grad=True)
    y, heads = torch.tensor([0, 0, 0, 1, 1, 1]), torch.tensor(rng.normal(size=(2, 2, 4)))
    line_loss(x, y, heads, (0, 1)).backward()
    step = 1e-6
    for i, j in [(0, 0), (4, 2)]:
        ahead, behind = x.detach().clone(), x.detach().clone()
        ahead[i, j] += step
        behind[i, j] -= step
        rise = line_loss(ahead, y, heads, (0, 1)) - line_loss(behind, y, heads, (0, 1))
        assert x.grad[i, j].item() == pytest.approx(rise.item() / (2 * step), rel=1e-5)


def test_before_the_first_step_it_is_the_nearest_centroid_rule_over_distances(tweets):
    support, y, query, _ = tweets
    model = MAKERS["meta_slp"](steps=0, temperature=2.0).fit(support, y)
    encoder = load_encoder("minilm-l4", max_tokens=32, cache=False)
    X, Q = encoder.encode(support).astype(float), encoder.encode(query).astype(float)
    centroids = np.array([X[y == k].mean(axis=0) for k in range(3)])
    fit = find_lines(centroids)
    scale = np.sqrt(((X - X.mean(axis=0)) ** 2).sum(axis=1).mean())
    mine = model.geometry_.place(Q).line
    for q, line, scores in zip(Q, mine, model.decision_function(query), strict=True):
        z = -2.0 * ((q - centroids) ** 2).sum(axis=1) / scale**2
        ends = centroids[[fit.lines[line].left, fit.lines[line].right]]
        expected = (z[None] / (np.linalg.norm(q - ends, axis=1) / scale)[:, None]).sum(axis=0)
        # Scores leave out −τ‖q‖², which is the same for every class.
        np.testing.assert_allclose(scores - scores[0], expected - expected[0], atol=1e-3)


@pytest.mark.parametrize("name", MAKERS)
def test_it_learns_its_support_set_and_leaves_the_encoder_as_it_was(name, tweets):
    support, y, query, _ = tweets
    labels = np.array(["no", "so so", "yes"])[y]
    text_classifier._layers.cache_clear()
    leopard._read.cache_clear()
    drawn, told = torch.get_rng_state(), []
    model = MAKERS[name]()
    states = model.lower_states(support)
    before = model._start_layers().all_vectors(states)
    model.fit(states, labels)
    assert torch.equal(torch.get_rng_state(), drawn)  # of the process's, by a first fit either
    assert torch.equal(model._start_layers().all_vectors(states), before)
    assert (model.predict(support) == labels).mean() > 0.9
    probabilities = model.predict_proba(query)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    pickled = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(pickled.predict_proba(query), probabilities)
    again = MAKERS[name](progress=told.append).fit(support, labels).predict_proba(query)
    np.testing.assert_array_equal(again, probabilities)
    curves = [t.losses for t in model.adapted_] if name == "meta_slp" else [model.history_]
    assert all(curve[-1] < curve[0] for curve in curves)
    assert [p.done for p in told] == sorted(p.done for p in told)
    assert (told[0].done, told[-1].done) == (0, told[-1].total)


@pytest.mark.parametrize("name", MAKERS)
def test_a_text_that_says_one_thing_again_and_again_teaches_what_it_says_once(name, request):
    if name != "leopard":
        request.getfixturevalue("narrow_minilm")
    rng = np.random.default_rng(0)
    words = ["rain", "sun", "tea", "car", "bread", "the", "slow", "a", "red", "my", "flight"]
    once = [" ".join(rng.choice(words, 20)) + "." for _ in range(9)]
    assert all(2 * len(text) + 1 > TOGETHER for text in once)
    often = [" ".join([text] * n) for text, n in zip(once, [4, 5, 9] * 3, strict=True)]
    y = np.repeat([0, 1, 2], 3)
    whole = MAKERS[name]().fit(once[::2], y[::2])
    by_passage = MAKERS[name](encoder=f"passages-{whole.encoder}").fit(often[::2], y[::2])
    expected = whole.decision_function(once)
    spread = expected.std()
    np.testing.assert_allclose(by_passage.decision_function(often), expected, atol=1e-3 * spread)
    assert np.abs(whole.decision_function(often) - expected).max() > 0.1 * spread


def test_other_weights_of_the_same_name_are_read_anew(request):
    widths = [MAKERS["lora"]()._start_layers().hidden_size]
    request.getfixturevalue("narrow_minilm")
    widths.append(MAKERS["lora"]()._start_layers().hidden_size)
    assert widths == [384, 48]


def test_trained_parameters_are_counted(tweets):
    support, y, _, _ = tweets
    d, K, layers = 48, 3, 4
    head = d * K + K
    one_layer = 4 * (d * d + d) + 2 * 4 * d * d + 4 * d + d + 4 * d
    assert MAKERS["lora"](epochs=1).fit(support, y).n_trained_ == layers * 2 * 2 * 2 * d + head
    assert MAKERS["fine_tuned"](epochs=1).fit(support, y).n_trained_ == layers * one_layer + head
    top = MAKERS["fine_tuned"](epochs=1, n_trainable=1).fit(support, y)
    assert top.n_trained_ == one_layer + head


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 5), st.floats(0.5, 20))
def test_proto_nets_loss_is_that_of_a_loop_over_the_points_asked_about(
    seed, n_classes, shots, temperature
):
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(n_classes), shots + 1))
    X = rng.normal(size=(len(codes), 6))
    asked = _query_half(codes, rng)
    assert np.bincount(codes[asked], minlength=n_classes).tolist() == [(shots + 1) // 2] * n_classes

    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    losses = []
    for i in np.flatnonzero(asked):
        near = np.empty(n_classes)
        for c in range(n_classes):
            mean = np.mean(
                [unit[j] for j in range(len(X)) if codes[j] == c and not asked[j]], axis=0
            )
            near[c] = np.exp(-temperature * ((unit[i] - mean) ** 2).sum())
        losses.append(-np.log(near[codes[i]] / near.sum()))
    model = ProtoNetClassifier(temperature=temperature)
    model.classes_ = np.arange(n_classes)
    loss = model._loss(torch.tensor(X), torch.tensor(codes), torch.tensor(asked))
    assert loss.item() == pytest.approx(np.mean(losses))


def test_a_proto_net_that_learnt_nothing_is_the_nearest_centroid(tweets):
    support, y, query, _ = tweets
    encoder = load_encoder("minilm-l4", max_tokens=32, cache=False)
    centroids = NearestCentroidClassifier().fit(encoder.encode(support), y)
    untrained = MAKERS["proto_net"](steps=0).fit(support, y)
    np.testing.assert_allclose(untrained.centroids_, centroids.centroids_, atol=1e-5)
    expected = centroids.predict(encoder.encode(query))
    assert (untrained.predict(query) == expected).mean() > 0.99  # all but ties

    one_each = support.take(np.array([0, 4, 8]))
    alone = MAKERS["proto_net"](steps=5).fit(one_each, y[[0, 4, 8]])
    assert alone.history_ == ()
    assert alone.predict(one_each).tolist() == y[[0, 4, 8]].tolist()


def test_small_batches_have_every_class_and_depend_on_the_seed(tweets):
    support, y, query, _ = tweets
    model = MAKERS["meta_slp"](batch_size=6)
    for rows in model.set_params(steps=6).fit(support, y)._batches(y):
        assert np.bincount(y[rows]).tolist() == [2, 2, 2]
    other = MAKERS["meta_slp"](batch_size=6, random_state=1, steps=6).fit(support, y)
    assert not np.array_equal(model.predict_proba(query), other.predict_proba(query))
    with pytest.raises(SLPError, match="batch_size 2 is below the 3 classes"):
        MAKERS["meta_slp"](batch_size=2).fit(support, y)


@pytest.mark.parametrize("name", MAKERS)
def test_a_fit_that_is_cancelled_leaves_the_model_as_it_was(name, tweets):
    support, y, _, _ = tweets
    asked = repeat(False)
    model, new = (MAKERS[name](cancelled=lambda: next(asked)) for _ in range(2))
    states = model.lower_states(support)
    before = model.fit(states, y).predict_proba(states)
    for either in (model, new):
        asked = chain([False] * 2, repeat(True))
        with pytest.raises(Cancelled):
            either.fit(states, np.array(["no", "so so", "yes"])[y])
    asked = repeat(False)
    assert model.classes_.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(model.predict_proba(states), before)
    assert not hasattr(new, "classes_")


def test_what_others_draw_meanwhile_does_not_change_where_lora_starts(tweets, monkeypatch):
    import peft

    support, y, _, _ = tweets
    alone = MAKERS["lora"](epochs=2).fit(support, y).predict_proba(support)
    inject = peft.inject_adapter_in_model

    def beside_others(*arguments):
        torch.rand(3, device="cpu")
        return inject(*arguments)

    monkeypatch.setattr(peft, "inject_adapter_in_model", beside_others)
    beside = MAKERS["lora"](epochs=2).fit(support, y).predict_proba(support)
    np.testing.assert_array_equal(beside, alone)


def test_rates_rise_to_their_height_and_no_further():
    for steps in range(1, 60):
        (share,) = text_classifier.warmed_up(
            torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1), steps
        ).lr_lambdas
        shares = [share(step) for step in range(steps + 1)]
        assert (max(shares), shares[-1]) == (1.0, 0.0)


def test_rows_read_for_other_layers_are_refused(tweets):
    support, y, _, _ = tweets
    states = MAKERS["proto_net"](n_trainable=3).lower_states(support)
    for other in ({"n_trainable": 2}, {"encoder": "passages-minilm-l4", "n_trainable": 3}):
        for part in (states, states[:6], states.take(range(6))):
            with pytest.raises(SLPError, match=r"of another encoder .* pass the texts"):
                MAKERS["proto_net"](**other).fit(part, y[: len(part)])
    assert MAKERS["lora"](n_trainable=3).lower_states(states) is states


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("ab", "Texts must be several strings"),
        (np.array("ab"), "Texts must be several strings"),
        (pd.DataFrame({"text": ["a", "b"]}), r"frame\['text'\]"),
        ({"text": ["a", "b"]}, "list of texts is expected, not {'text'"),
        (["a", None], "row 1 is None"),
        (["a", float("nan")], "row 1 is nan"),
        (7, "list of texts is expected, not 7"),
        (np.zeros((2, 3)), "trained on texts"),
        ([], "no rows to encode"),
    ],
)
def test_what_are_no_texts_is_refused(rows, said, narrow_minilm):
    with pytest.raises(SLPError, match=said):
        MAKERS["proto_net"]().lower_states(rows)


def test_texts_may_come_in_any_row(narrow_minilm):
    texts = ["rain falls", "the sun shines"]
    expected = MAKERS["proto_net"]().lower_states(Examples("text", texts=tuple(texts)))
    for rows in (texts, np.array(texts), pd.Series(texts, index=[7, 3])):
        states = MAKERS["proto_net"]().lower_states(rows)
        assert torch.equal(states.states, expected.states)


def test_labels_and_texts_go_together():
    with pytest.raises(SLPError, match="2 texts and 3 labels"):
        MAKERS["lora"]().fit(["one", "two"], [0, 1, 1])
    with pytest.raises(SLPError, match="no rows to encode"):
        MAKERS["lora"]().fit([], [])
    with pytest.raises(SLPError, match="label of row 1 is missing"):
        MAKERS["lora"]().fit(["one", "two"], ["a", None])
    with pytest.raises(SLPError, match="has no trainable layers"):
        FineTunedClassifier(encoder="tfidf-svd").fit(["one", "two"], [0, 1])


def test_one_class_and_one_example_a_class_have_predictions():
    one = MAKERS["meta_slp"]().fit(["a day", "a night"], ["x", "x"])
    assert one.predict(["noon"]).tolist() == ["x"]
    pair = MAKERS["meta_slp"]().fit(["rain falls", "the sun shines"], ["wet", "dry"])
    assert pair.predict(["rain falls", "the sun shines"]).tolist() == ["wet", "dry"]


def test_shared_rows_come_out_as_they_went_in(tweets):
    states = MAKERS["meta_slp"]().lower_states(tweets[0])
    rows, ends = [5, 0, 5], states.lengths.cumsum()
    tokens = np.concatenate([np.arange(ends[i] - states.lengths[i], ends[i]) for i in rows])
    for taken in (states.take(rows), states.shared()[rows]):
        assert taken.origin == states.origin
        assert taken.lengths.tolist() == states.lengths[rows].tolist()
        for found, there in (
            (taken.vectors, states.vectors[rows]),
            (taken.states, states.states[tokens]),
            (taken.weights, states.weights[tokens]),
        ):
            assert torch.equal(found, there)


def test_rows_that_are_asked_about_again_pass_the_meta_encoder_once(tweets, monkeypatch):
    texts = tweets[0]
    y = np.arange(len(texts)) % 6  # enough classes for several lines
    model = MAKERS["meta_slp"](line_method="attraction", tolerance=0.0)
    states = model.lower_states(texts)
    start = model._start_layers()
    exact = torch.nn.functional.normalize(start.all_vectors(states), dim=1)
    torch.testing.assert_close(torch.nn.functional.normalize(states.vectors, dim=1), exact)
    asked = []
    whole = TrainableLayers.all_vectors
    monkeypatch.setattr(
        TrainableLayers,
        "all_vectors",
        lambda self, rows, *_: asked.append((self is start, len(rows))) or whole(self, rows),
    )
    model.fit(states, y)
    assert len(model.adapted_) > 1
    asked.clear()
    model.predict(states)
    assert not any(untrained for untrained, _ in asked)
    assert sum(n for _, n in asked) == len(states)  # each row under its own line's layers alone
