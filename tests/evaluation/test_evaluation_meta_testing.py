"""What tuning changes, counted."""

import io
import zipfile
from functools import partial

import numpy as np
import pytest

from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.errors import Cancelled
from slp_core.evaluation.meta_testing import meta_test, zipped_tuned_encoder
from slp_core.methods.meta_slp import MetaSLPClassifier


def test_before_and_after_are_the_classifiers_predictions(narrow_minilm):
    dataset = load_dataset("airline")
    episode = dataset.draw(4, 0)
    seen = []
    result = meta_test(episode, "minilm-l4", max_query=10, progress=seen.append)
    examples = result.difference.examples
    query = examples["row"].to_numpy()
    assert (len(query), result.available) == (10, len(episode.query))
    assert set(query) <= set(episode.query)
    assert examples["true"].tolist() == dataset.y[query].tolist()
    # rows that are sorted by class are not asked about from the top
    assert query.max() > np.sort(episode.query)[20]
    assert seen[-1].done == seen[-1].total
    take = dataset.examples.take
    for steps, predicted in [({"steps": 0}, "first"), ({}, "second")]:
        model = MetaSLPClassifier(encoder="minilm-l4", **steps)
        model.fit(take(episode.support), episode.y_support)
        assert model.predict(take(query)).tolist() == examples[predicted].tolist()
    with pytest.raises(Cancelled):
        meta_test(episode, "minilm-l4", cancelled=lambda: True)


def test_a_tuned_encoder_is_handed_out_as_its_line_left_it(narrow_minilm, tmp_path, monkeypatch):
    quick = partial(MetaSLPClassifier, steps=2)  # after which lines differ by 0.002
    monkeypatch.setattr("slp_core.methods.meta_slp.MetaSLPClassifier", quick)
    dataset = load_dataset("emotions")
    episode, name = dataset.draw(2, 3), "minilm-l4"
    support, asked = (dataset.examples.take(rows) for rows in (episode.support, episode.query[:5]))
    model = quick(encoder=name).fit(support, episode.y_support)
    number, line = 1, model.adapted_[1]
    assert len(model.adapted_) > 2  # so that it is neither the first nor the last
    content = zipped_tuned_encoder(episode, name, number, "second line")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(tmp_path)
    elsewhere = load_encoder(f"hf:{tmp_path / 'second line'}", cache=False)
    states = line.layers.lower_states(asked)
    ours = line.layers.all_vectors(states).numpy()
    ours /= np.linalg.norm(ours, axis=1, keepdims=True)
    np.testing.assert_allclose(elsewhere.encode(asked.texts), ours, atol=1e-5)
