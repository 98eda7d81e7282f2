"""Methods that train the encoder, over draws: the same rows for all, one draw at a time."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core import FineTunedClassifier, LoRAClassifier, MetaSLPClassifier, load_encoder
from slp_core.data import Examples, FewShotDataset
from slp_core.encoders.registry import trainable_part
from slp_core.errors import Cancelled
from slp_core.evaluation.method_runs import judged_rows, text_runs, vector_runs
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.proto_net import ProtoNetClassifier
from slp_core.methods.protocols import parameters_of
from slp_core.methods.setfit import SetFitClassifier

QUICK = {"encoder": "minilm-l4", "n_trainable": 1, "max_tokens": 16}
D, K, LAYER = 384, 3, 1_774_464


@pytest.fixture(scope="module")
def dataset():
    words = {"bad": ["awful", "late"], "good": ["fine", "great"], "so so": ["fair", "mixed"]}
    rows = [
        (f"thing {i} was {words[label][i % 2]}", label) for i in range(7) for label in sorted(words)
    ]
    texts, labels = zip(*rows, strict=True)
    return FewShotDataset(
        "tiny", "Tiny", Examples("text", texts=texts), np.array(labels), tuple(words), "minilm-l4"
    )


def quick(**options):
    return FineTunedClassifier(**QUICK, **{"epochs": 2, **options})


def test_each_draw_is_what_the_classifier_predicts_there(dataset):
    told = []
    draws = (2, 0)
    runs = text_runs(quick, dataset, 2, draws, progress=lambda *now: told.append(now))
    found = list(runs)
    assert [draw for draw, *_ in found] == [2, 0]
    for draw, run, likely in found:
        episode = dataset.draw(2, draw)
        model = quick().fit(dataset.examples.take(episode.support), episode.y_support)
        np.testing.assert_array_equal(run.true, episode.y_query)
        predicted = model.predict(dataset.examples.take(episode.query))
        np.testing.assert_array_equal(run.predicted, predicted)
        assert run.scores.accuracy == (run.true == predicted).mean()
        shares = [share for of, share in told if of == draw]
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0, 1)
        np.testing.assert_array_equal(likely.argmax(axis=1), predicted)


def test_what_the_lower_layers_make_of_the_rows_is_computed_once(dataset):
    count = []

    class Counting(FineTunedClassifier):
        def lower_states(self, X):
            count.append(len(X)) if isinstance(X, Examples) else None
            return super().lower_states(X)

    list(text_runs(lambda: Counting(**QUICK, epochs=1), dataset, 2, (0, 1, 2), 3))
    assert len(count) == 1
    assert count[0] < len(dataset)


@given(st.integers(1, 20), st.integers(0, 9))
@settings(deadline=None, max_examples=20)
def test_fewer_query_points_are_the_same_ones_for_all_methods(most, draw):
    numbers = np.random.default_rng(1).normal(size=(40, 2))
    labels = np.array(["a", "b"] * 20)
    table = FewShotDataset("t", "T", Examples("numeric", features=numbers), labels, ("a", "b"), "")
    episode = table.draw(3, draw)
    rows = judged_rows(episode, most)
    assert len(rows) == min(most, len(episode.query))
    assert set(rows) <= set(episode.query)
    assert rows.tolist() == sorted(rows)
    assert set(judged_rows(episode, most - 1)) <= set(rows)
    data = table, numbers, 3, (draw,)
    ((_, found),) = vector_runs(NearestCentroidClassifier, *data, most_query=most)
    np.testing.assert_array_equal(found.true, table.y[rows])
    assert found.scores.n_query == len(rows)


@pytest.mark.parametrize("after", [1, 2, 5])
def test_it_stops_within_a_step(dataset, after):
    steps = []

    def cancelled():
        return len(steps) >= after

    runs = text_runs(
        lambda: quick(batch_size=2, epochs=5),
        dataset,
        2,
        (0, 1),
        progress=lambda draw, share: steps.append(share),
        cancelled=cancelled,
    )
    with pytest.raises(Cancelled):
        next(runs)
    assert len(steps) == after


def test_what_training_can_change_is_counted(dataset):
    episode = dataset.draw(2, 0)
    X, y = dataset.examples.take(episode.support), episode.y_support

    def count(model):
        return parameters_of(model.fit(X, y))

    head = D * K + K
    assert count(quick()).trainable == LAYER + head
    assert count(LoRAClassifier(**QUICK, epochs=1)).trainable == 2 * 2 * 2 * D + head
    meta = MetaSLPClassifier(**QUICK, steps=1, n_lines=2)
    found, lines = count(meta), len(meta.geometry_.lines_)
    assert found.trainable == lines * (LAYER + 2 * head)
    assert found.stored == found.trainable + lines * 2 * D
    proto = count(ProtoNetClassifier(**QUICK, steps=1))
    assert (proto.trainable, proto.stored) == (LAYER, LAYER + K * D)

    setfit = SetFitClassifier()
    body = torch.nn.ModuleDict({"pooler": torch.nn.Linear(4, 4), "rest": torch.nn.Linear(4, 5)})
    body = torch.nn.ModuleDict({"model": body})
    head = SimpleNamespace(coef_=np.empty((K, 5)), intercept_=np.empty(K))
    setfit.model_ = SimpleNamespace(model_body=body, model_head=head)
    assert parameters_of(setfit).trainable == (4 * 5 + 5) + K * (5 + 1)


def test_which_encoders_can_be_trained():
    mean = "metaslp-mean-minilm-l4"
    trained = ("minilm-l4", "minilm-l6", mean, f"passages-{mean}")
    assert all(trainable_part(load_encoder(name)) for name in trained)
    others = ("tfidf-svd", "raw", "hf:x", "minilm-l4-int8", "passages-minilm-l4-int8")
    both = (f"beside-{mean}", f"passages-beside-{mean}", f"passages-weighted-{mean}")
    assert not any(trainable_part(load_encoder(name)) for name in others + both)
