"""The first sentence of Explore: what a method answers, beside the nearest centroid."""

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.explain import read_answers


@subject
def answers(case):
    read = read_answers(case.model, "The method", case.X, case.true, case.centroids)
    yield Saying(read.facts())


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
    assert ("…" in fact.template) == (len(silent) > 4)
