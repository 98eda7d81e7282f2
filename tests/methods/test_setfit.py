"""SetFit on the bundled weights."""

import logging
import os
import random
import socket
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from slp_core.data import Examples, load_dataset
from slp_core.encoders import load_encoder
from slp_core.errors import Cancelled, SLPError
from slp_core.methods.setfit import SetFitClassifier, plain_texts, sentence_transformer
from slp_core.progress import Progress


@pytest.mark.parametrize("name", ["minilm-l4", "metaslp-reptile-minilm-l4"])
def test_it_starts_from_the_encoders_own_vectors(name):
    texts = [*load_dataset("airline").examples.texts[:6], "rain " * 600]
    expected = load_encoder(name, max_tokens=1000, cache=False).encode(texts)
    got = sentence_transformer(name, 1000).encode(texts, show_progress_bar=False)
    np.testing.assert_allclose(got, expected, atol=5e-4)


def test_it_learns_its_support_set_and_says_nothing(narrow_minilm, capfd, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("asks a hub"))
    dataset = load_dataset("airline")
    episode = dataset.draw(4, 0)
    support = dataset.examples.take(episode.support)
    labels = np.array(["no", "so so", "yes"])[episode.y_support]
    seen = []
    model = SetFitClassifier(epochs=2, max_steps=8, progress=seen.append).fit(support, labels)
    assert [(p.done, p.total) for p in seen] == [(i, 8) for i in range(9)]
    assert (model.predict(support) == labels).mean() > 0.8
    np.testing.assert_allclose(model.predict_proba(support).sum(axis=1), 1)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("counts", "options", "steps"),
    [
        ((4, 4), {}, 3),  # 20 pairs of one class and 16 of two: 40 with as many of both
        ((2, 1, 1), {"batch_size": 2, "epochs": 2}, 10),  # 5 and 5, twice
        ((4, 4), {"max_steps": 2}, 2),
        ((3, 3), {"batch_size": 1}, 24),  # as many as there are
    ],
)
def test_an_epoch_goes_once_over_the_pairs(narrow_minilm, counts, options, steps):
    labels = np.repeat(np.arange(len(counts)), counts)
    seen = []
    SetFitClassifier(progress=seen.append, **options).fit([f"text {i}" for i in labels], labels)
    assert seen[-1] == Progress(steps, steps, None)


def test_a_cancelled_fit_stops_at_the_next_step(narrow_minilm):
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        SetFitClassifier(epochs=2, cancelled=lambda: next(asked)).fit(
            ["rain", "sun"], ["wet", "dry"]
        )


def of_the_process():
    """What all threads share: generators, bars, news and settings."""
    from datasets.utils.logging import is_progress_bar_enabled as of_datasets
    from huggingface_hub.utils import are_progress_bars_disabled
    from transformers.utils.logging import is_progress_bar_enabled

    bars = of_datasets(), is_progress_bar_enabled(), are_progress_bars_disabled()
    of_numpy = np.random.get_state()  # noqa: NPY002 (the one that the packages draw from)
    generators = random.getstate(), of_numpy[1].tolist(), torch.get_rng_state().tolist()
    return bars, logging.getLogger("setfit").level, generators, dict(os.environ)


def test_a_fit_leaves_the_process_as_it_was_and_the_model_too_if_it_fails(narrow_minilm):
    from transformers.utils.logging import enable_progress_bar

    enable_progress_bar()
    texts, seen = ["rain", "sun"], []
    before = of_the_process()
    model = SetFitClassifier(max_steps=2, progress=seen.append)
    probabilities = model.fit(texts, ["wet", "dry"]).predict_proba(texts)
    assert of_the_process() == before
    assert len(seen) == 2
    model.set_params(cancelled=lambda: len(seen) > 2)
    with pytest.raises(Cancelled):
        model.fit(texts, ["yes", "no"])
    assert of_the_process() == before
    assert model.classes_.tolist() == ["dry", "wet"]
    np.testing.assert_array_equal(model.predict_proba(texts), probabilities)


def test_fits_at_once_are_those_one_after_the_other(narrow_minilm):
    texts, y = ["rain", "sun", "snow", "heat"], [0, 1, 0, 1]

    def fitted(seed):
        model = SetFitClassifier(max_steps=3, batch_size=4, random_state=seed)
        return model.fit(texts, y).predict_proba(texts)

    one_by_one = [fitted(seed) for seed in range(2)]
    with ThreadPoolExecutor(2) as pool:
        np.testing.assert_array_equal(list(pool.map(fitted, range(2))), one_by_one)


def test_rows_and_labels_are_checked_as_those_of_others(narrow_minilm):
    for rows, labels, said in (
        ("ab", [0, 1], "Texts must be several strings"),
        (["a", None], [0, 1], "row 1 is None"),
        (["a", "b"], [0, 1, 1], "2 texts and 3 labels"),
        (["a", "b"], [0, None], "label of row 1 is missing"),
    ):
        with pytest.raises(SLPError, match=said):
            SetFitClassifier().fit(rows, labels)
    seen = []
    model = SetFitClassifier(progress=seen.append).fit(["rain", "half \ud800"], ["wet", "wet"])
    assert seen == [Progress(0, 0, None)]  # of one class there are no pairs
    assert model.predict(["sun", "\udc00"]).tolist() == ["wet", "wet"]
    with pytest.raises(SLPError, match="no rows to encode"):
        model.predict([])


def test_second_parts_are_read_and_tables_refused():
    pair = Examples("pair", texts=("It rains.",), pairs=("It is wet.",))
    span = Examples("span", texts=("Rain in Rome",), spans=((8, 12),))
    assert plain_texts(pair) == ["It rains. [SEP] It is wet."]
    assert plain_texts(span) == ["Rain in Rome [SEP] Rome"]
    with pytest.raises(SLPError, match="needs texts"):
        plain_texts(Examples("numeric", features=np.zeros((1, 2))))
    for encoder in ("tfidf-svd", "minilm-l4-int8"):
        with pytest.raises(SLPError, match=f"{encoder!r} has no trainable layers"):
            SetFitClassifier(encoder=encoder).fit(["a", "b"], [0, 1])
