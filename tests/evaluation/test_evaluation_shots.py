"""Swaps of shots and experiments on a support set, against classifiers fitted one by one."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from slp_core import NearestCentroidClassifier
from slp_core.data import Examples, FewShotDataset
from slp_core.data.edits import Edits
from slp_core.errors import Cancelled, DatasetError
from slp_core.evaluation.shot_experiments import Experiment, Kind, experiment
from slp_core.evaluation.shot_search import ShotSwap, best_swap
from slp_core.evaluation.text import experiment_text, swap_text
from slp_core.markdown import unmarked

MODEL = NearestCentroidClassifier()


def plain(text):
    """Without marks, and with plain spaces and quotes."""
    plain = str.maketrans("“”\xa0", '"" ', "\u2066\u2068\u2069\u2060")
    return unmarked(text).translate(plain)


def episode_of(X, y, shots=2, draw=0):
    dataset = FewShotDataset(
        name="toy",
        title="Toy",
        examples=Examples("numeric", features=np.asarray(X, dtype=float)),
        labels=np.array(list(y)),
        classes=tuple(sorted(set(y))),
        default_encoder="raw",
    )
    return dataset.draw(shots, draw)


def used_up(episode):
    """With all its query examples as shots."""
    return episode.edited(add=episode.query)


def clouds(n=120, classes="ab", seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % len(classes)
    return rng.normal(size=(n, 2)) + 4 * y[:, None], [classes[k] for k in y]


# Swaps


def test_a_swap_is_chosen_on_one_half_and_judged_on_the_other():
    X, y = clouds()
    episode = episode_of(X, y, shots=4)
    shot = int(episode.support[0])
    X[shot] += 30  # an outlier among the shots
    found = best_swap(MODEL, X, episode, shot)
    true = episode.dataset.y
    assert true[found.best] == true[shot]
    assert found.gain == found.after - found.before > 0
    assert len(found.judged) == 56
    assert not {shot, found.best} & set(found.judged)
    swapped = episode.edited(remove=[shot], add=[found.best])
    for rows, accuracy in ((episode, found.before), (swapped, found.after)):
        model = NearestCentroidClassifier().fit(X[rows.support], rows.y_support)
        assert accuracy == (model.predict(X[found.judged]) == true[found.judged]).mean()


def test_a_replacement_has_the_label_that_the_shot_was_given():
    X, y = clouds()
    drawn = episode_of(X, y, shots=4)
    shot = int(drawn.support[0])
    found = best_swap(MODEL, X, drawn.edited(relabel={shot: "b"}), shot)
    assert y[found.best] == "b"


def test_of_equal_shots_none_is_swapped_and_without_a_query_set_none_is_judged():
    X, y = np.repeat([[0.0], [1.0]], 20, axis=0), "a" * 20 + "b" * 20
    episode = episode_of(X, y)
    shot = int(episode.support[0])
    found = best_swap(MODEL, X, episode, shot)
    assert found.best is None
    assert found.gain == 0
    assert not found.beats_chance
    few = used_up(episode_of(X[18:22], "aabb", shots=1))
    none = best_swap(MODEL, X[18:22], few, int(few.support[0]))
    assert not len(none.judged)
    assert not none.beats_chance
    with pytest.raises(Cancelled):
        best_swap(MODEL, X, episode, shot, cancelled=lambda: True)


def test_a_gain_is_more_than_random_swaps_have():
    found = ShotSwap(1, 0.5, 0.6, np.full(20, 0.55), np.arange(9))
    assert found.beats_chance
    chance = replace(found, at_random=np.full(20, 0.6))
    assert not chance.beats_chance
    assert swap_text(found).endswith(": +10.0 points on 9 query examples not used to choose it.")
    assert swap_text(chance).endswith(
        "9 query examples not used to choose it; swaps at random do as well."
    )
    assert swap_text(replace(found, best=None)).startswith("None of the examples tried")
    assert "too small" in swap_text(replace(found, judged=np.arange(0)))


# Experiments


@pytest.mark.parametrize("kind", get_args(Kind))
def test_an_experiment_edits_and_measures_what_it_says(kind):
    X, y = clouds(90, "abc")
    drawn = episode_of(X, y, shots=4, draw=1)
    found = experiment(kind, drawn, X)
    assert experiment(kind, drawn, X) == found
    edited = drawn.with_edits(found.edits)
    means = [
        {k: X[e.support][e.y_support == k].mean(axis=0) for k in range(3)} for e in (drawn, edited)
    ]
    before, after = means
    unit = np.linalg.norm(before[found.watched] - before[found.other])
    moved = np.linalg.norm(after[found.watched] - before[found.watched])
    apart = np.linalg.norm(after[found.watched] - after[found.other])
    np.testing.assert_allclose((found.moved, found.apart), (moved / unit, apart / unit))
    changed = set(edited.support) - set(drawn.support) | {row for row, _ in edited.edits.relabelled}
    assert set(found.rows) == changed
    true = drawn.dataset.y
    if kind == "wrong label":
        ((row, label),) = edited.edits.relabelled
        assert (label, true[row]) == (found.watched, found.other)
        assert (true[row], label) in ((0, 2), (2, 0), (1, 0), (1, 2))
    elif kind == "outlier":
        (row,) = edited.edits.added
        moves = [np.linalg.norm(X[r] - before[true[r]]) for r in drawn.query]
        assert row == drawn.query[np.argmax(moves)]
    elif kind == "twice the shots":
        assert (
            np.bincount(edited.y_support) == np.where(np.arange(3) == found.watched, 8, 4)
        ).all()
    else:
        assert found.apart < 1
        for k in (found.watched, found.other):
            labels = edited.y_support[true[edited.support] == k]
            assert np.bincount(labels, minlength=3)[[found.watched, found.other]].tolist() == [2, 2]


@pytest.mark.parametrize("kind", get_args(Kind))
def test_an_impossible_experiment_says_why(kind):
    words = {
        "wrong label": "A wrong label needs a class with two shots",
        "outlier": "There is no example to add",
        "twice the shots": "No class has enough query examples",
        "same examples": "Two classes with two shots each are needed",
    }
    X = np.arange(4.0)[:, None]
    episode = episode_of(X, "aabb", shots=1)
    if kind in ("outlier", "twice the shots"):
        episode = used_up(episode)
    with pytest.raises(DatasetError, match=words[kind]):
        experiment(kind, episode, X)
    with pytest.raises(DatasetError, match="needs two classes"):
        experiment(kind, episode_of(X, "aaaa"), X)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            "wrong label",
            'A shot of ■ "y" is labelled ● "x". Its centroid moves by 25% of its distance from '
            'that of ■ "y": watch what ● "x" loses.',
        ),
        (
            "outlier",
            'An outlier joined ● "x". Its centroid moves by 25% of its distance from that of '
            '■ "y": watch the regions move with it.',
        ),
        (
            "twice the shots",
            '● "x" has 2 more shots, twice as many as before. Its centroid moves by 25% of its '
            'distance from that of ■ "y": watch whether ● "x" is predicted more often.',
        ),
        (
            "same examples",
            '● "x" and ■ "y" have exchanged every second shot, 2 in all. Their centroids keep '
            "75% of their distance, mostly by chance: watch how often they are confused.",
        ),
    ],
)
def test_an_experiment_is_said_with_what_to_watch(kind, text):
    found = Experiment(kind, Edits(), (3, 4), ("x", "y"), 0, 1, 0.25, 0.75)
    assert plain(experiment_text(found)) == text
