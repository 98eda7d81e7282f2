"""What tuning changes, counted."""

import numpy as np
import pytest

from slp_core.data import load_dataset
from slp_core.errors import Cancelled
from slp_core.evaluation.meta_testing import MetaTest, meta_test
from slp_core.methods import MetaSLPClassifier


def test_before_and_after_are_the_classifiers_answers():
    dataset = load_dataset("airline")
    episode = dataset.draw(4, 0)
    seen = []
    result = meta_test(episode, "minilm-l4", max_query=10, progress=seen.append)
    assert result.query.tolist() == episode.query[:10].tolist()
    assert seen[-1].done == seen[-1].total
    take = dataset.examples.take
    for steps, answers in [({"steps": 0}, result.before), ({}, result.after)]:
        model = MetaSLPClassifier(encoder="minilm-l4", **steps)
        model.fit(take(episode.support), episode.y_support)
        assert model.predict(take(result.query)).tolist() == answers.tolist()
    with pytest.raises(Cancelled):
        meta_test(episode, "minilm-l4", cancelled=lambda: True)


def test_the_table_names_what_has_changed():
    dataset = load_dataset("airline")
    query, (first, second, third) = np.array([5, 6, 7]), dataset.classes
    true, before, after = np.array([[0, 1, 2], [0, 2, 1], [1, 2, 0]])
    result = MetaTest(query, true, before, after, 8, (), (), 1.0)
    assert result.changed_table(dataset, 5).values.tolist() == [
        [first, first, second, dataset.describe(5)],
        [third, second, first, dataset.describe(7)],
    ]
    assert len(result.changed_table(dataset, 1)) == 1


def test_the_sentence_counts():
    def told(true, before, after):
        arrays = (np.array(a, dtype=int) for a in (true, before, after))
        return MetaTest(np.arange(len(true)), *arrays, 8, ((0.5,),), ("a – b",), 3.2).sentence()

    assert told([0, 1, 1, 0], [0, 0, 1, 1], [0, 1, 0, 1]) == (
        "Tuned for 3 s on 8 support points, MetaSLP gets 50.0% of 4 query points right, where it "
        "began at 50.0%: 2 answers have changed, 1 to the right one and 1 from it."
    )
    assert "no answer has changed" in told([0], [0], [0])
    assert "1 answer has changed, to the right one" in told([0], [1], [0])
    assert "1 answer has changed, from the right one" in told([0], [0], [1])
    assert "1 answer has changed, from one wrong one to another" in told([0], [1], [2])
    assert "no query point" in told([], [], [])
