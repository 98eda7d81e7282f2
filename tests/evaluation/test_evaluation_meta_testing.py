"""What tuning changes, counted."""

import io
import zipfile
from functools import partial

import numpy as np
import pytest

from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.errors import Cancelled
from slp_core.evaluation.meta_testing import MetaTest, meta_test, zipped_tuned_encoder
from slp_core.evaluation.text import tuning_text
from slp_core.methods.meta_slp import MetaSLPClassifier


def test_before_and_after_are_the_classifiers_predictions(narrow_minilm):
    dataset = load_dataset("airline")
    episode = dataset.draw(4, 0)
    seen = []
    result = meta_test(episode, "minilm-l4", max_query=10, progress=seen.append)
    assert (len(result.query), result.available) == (10, len(episode.query))
    assert set(result.query) <= set(episode.query)
    # rows that are sorted by class are not asked about from the top
    assert result.query.max() > np.sort(episode.query)[20]
    assert seen[-1].done == seen[-1].total
    take = dataset.examples.take
    for steps, predicted in [({"steps": 0}, result.before), ({}, result.after)]:
        model = MetaSLPClassifier(encoder="minilm-l4", **steps)
        model.fit(take(episode.support), episode.y_support)
        assert model.predict(take(result.query)).tolist() == predicted.tolist()
    with pytest.raises(Cancelled):
        meta_test(episode, "minilm-l4", cancelled=lambda: True)


def test_the_table_names_what_has_changed():
    dataset = load_dataset("airline")
    query, (first, second, third) = np.array([5, 6, 7]), dataset.classes
    true, before, after = np.array([[0, 1, 2], [0, 2, 1], [1, 2, 0]])
    result = MetaTest(query, true, before, after, 8, (), (), 1.0, 3)
    assert result.changed_table(dataset, 5).values.tolist() == [
        [first, first, second, dataset.describe(5)],
        [third, second, first, dataset.describe(7)],
    ]
    assert len(result.changed_table(dataset, 1)) == 1


@pytest.mark.parametrize("seed", range(60))
def test_changes_are_counted(seed):
    rng = np.random.default_rng(seed)
    m, k = int(rng.choice([0, 1, 2, 6, 30])), int(rng.integers(1, 4))
    true, before, after = rng.integers(0, k, (3, m))
    result = MetaTest(np.arange(m), true, before, after, 8, (), (), 1.0, m)
    moved = [(t, b, a) for t, b, a in zip(true, before, after, strict=True) if b != a]
    assert len(result.changed) == len(moved)
    newly, no_longer = sum(t == a for t, _, a in moved), sum(t == b for t, b, _ in moved)
    said = f"of which {newly} newly correct and {no_longer} no longer correct."
    assert tuning_text(result).endswith(said if m else "There is no query example.")


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
