"""SetFit on the bundled weights."""

import numpy as np
import pytest

from slp_core.data import Examples, load_dataset
from slp_core.encoders import Progress, load_encoder
from slp_core.errors import Cancelled, SLPError
from slp_core.methods.setfit import SetFitClassifier, plain_texts, sentence_transformer


@pytest.mark.parametrize("name", ["minilm-l4", "metaslp-reptile-minilm-l4"])
def test_it_starts_from_the_encoders_own_vectors(name):
    rows = load_dataset("airline").examples.take(range(6))
    expected = load_encoder(name, cache=False).encode(rows)
    got = sentence_transformer(name, 128).encode(list(rows.texts), show_progress_bar=False)
    np.testing.assert_allclose(got, expected, atol=5e-4)


def test_it_learns_its_support_set_and_says_nothing(narrow_minilm, capfd):
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
        ((2, 1, 1), {"batch_size": 2}, 5),  # 5 and 5
        ((2, 1, 1), {"batch_size": 2, "epochs": 2}, 10),
        ((4, 4), {"max_steps": 2}, 2),
        ((7, 7), {"batch_size": 1}, 112),  # as many as there are
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


def test_second_parts_are_read_and_tables_refused():
    pair = Examples("pair", texts=("It rains.",), pairs=("It is wet.",))
    span = Examples("span", texts=("Rain in Rome",), spans=((8, 12),))
    assert plain_texts(pair) == ["It rains. [SEP] It is wet."]
    assert plain_texts(span) == ["Rain in Rome [SEP] Rome"]
    with pytest.raises(SLPError, match="no texts"):
        plain_texts(Examples("numeric", features=np.zeros((1, 2))))
    with pytest.raises(SLPError, match="choose 'minilm-l4'"):
        SetFitClassifier(encoder="tfidf-svd").fit(["a", "b"], [0, 1])
