"""The first sentence of Explore: what a method answers, beside the nearest centroid."""

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core import NearestCentroidClassifier
from slp_core.explain import predict_query_set


@subject
def answers(case):
    read = predict_query_set(case.model, "The method", case.X, case.true, case.centroids)
    yield Saying(read.facts())
    opens = read.opening()
    assert (opens is None) == (len(case.X) == 0)
    if opens is not None:
        yield Saying(opens.facts())


def share(flags):
    return sum(map(bool, flags)) / len(flags)


def shared(fact, case):
    assert fact["n"] == len(case.X)
    assert near(fact["accuracy"], share(case.predicted == case.true))
    assert near(fact["nearest"], share(case.nearest == case.true))


@check("answers.nothing_asked")
def _(fact, case):
    assert len(case.X) == 0


@check("answers.as_nearest")
def _(fact, case):
    shared(fact, case)
    assert list(case.predicted) == list(case.nearest)


@check("answers.is_nearest")
def _(fact, case):
    assert fact["n"] == len(case.X)
    assert near(fact["accuracy"], share(case.nearest == case.true))
    assert near(fact["nearest"], fact["accuracy"])
    assert str(fact).count("earest centroid") <= 1  # its own name, and no comparison with itself


@check("answers.accuracy")
def _(fact, case):
    shared(fact, case)
    assert set(case.predicted) == set(range(len(case.classes)))


@check("answers.one_class")
def _(fact, case):
    shared(fact, case)
    assert {case.classes[c] for c in case.predicted} == {fact["answer"]}
    assert len(case.classes) > 1


@check("answers.silent")
def _(fact, case):
    shared(fact, case)
    silent = [name for c, name in enumerate(case.classes) if not np.any(case.predicted == c)]
    assert fact["silent"] == len(silent)
    assert fact["k"] == len(case.classes)
    assert list(fact["examples"].items) == silent[:4]
    assert fact["examples"].more == max(0, len(silent) - 4)


def leads(case):
    """By how much the true class leads the best other one, at each point."""
    return [
        row[true] - max([p for c, p in enumerate(row) if c != true], default=0.0)
        for row, true in zip(case.probability.tolist(), case.true.tolist(), strict=True)
    ]


def least_of(fact, case, among):
    """The named point has the least lead of these, and as many have no more as is said."""
    lead = leads(case)
    assert fact["index"] in among
    assert near(fact["margin"], lead[fact["index"]])
    assert near(lead[fact["index"]], min(lead[i] for i in among))
    sure = [lead[i] <= min(lead[j] for j in among) + 1e-9 for i in among]
    doubtful = [abs(lead[i] - min(lead[j] for j in among) - 1e-9) < 1e-12 for i in among]
    assert abs(fact["alike"] - sum(sure)) <= sum(doubtful)
    assert ("{alike" in fact.template) == (fact["alike"] > 1)


def wrong_points(case):
    return [i for i, (p, t) in enumerate(zip(case.predicted, case.true, strict=True)) if p != t]


@check("answers.opens_on_spared")
def _(fact, case):
    least_of(fact, case, [i for i in wrong_points(case) if case.nearest[i] == case.true[i]])


@check("answers.opens_on_error")
def _(fact, case):
    assert not [i for i in wrong_points(case) if case.nearest[i] == case.true[i]]
    least_of(fact, case, wrong_points(case))


@check("answers.opens_on_right")
def _(fact, case):
    assert not wrong_points(case)
    least_of(fact, case, list(range(len(case.X))))


@subject
def nearest_centroid(case):
    if case.seed % 3:
        return
    other = NearestCentroidClassifier().fit(case.support, np.array(case.classes)[case.y_support])
    theirs = predict_query_set(other, "Nearest centroid", case.X, case.true, case.centroids)
    yield Saying(theirs.facts())
