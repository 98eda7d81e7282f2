"""What is said in the frame of each page."""

import math

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.evaluation.draws import Spread, chosen_facts, right_facts, spread_facts


@subject
def strip(case):
    yield Saying(right_facts(case.true, case.predicted))
    yield Saying(chosen_facts("A *dataset*", "An encoder", 1 + case.seed % 3, 2, case.method.title))
    if len(case.X) > 2:
        parts = [slice(0, 1), slice(1, None)][: 1 + case.seed % 2]
        right = [(case.predicted[p] == case.true[p]).mean() for p in parts]
        spread = Spread(tuple(range(len(parts))), np.array(right))
        yield Saying(spread_facts(spread), {"parts": parts})


@check("strip.chosen")
def _(fact, case, **_):
    assert fact["method"] == case.method.title
    assert (fact["shots"], fact["draw"]) == (1 + case.seed % 3, 2)
    assert ("shots" in fact.template.replace("{shots", "")) == (fact["shots"] != 1)


@check("strip.nothing_asked")
def _(fact, case, **_):
    assert not len(case.X)


@check("strip.right")
def _(fact, case, **_):
    right = sum(1 for answer, true in zip(case.predicted, case.true, strict=True) if answer == true)
    assert fact["n"] == len(case.true)
    assert near(fact["accuracy"], right / len(case.true))


def accuracies(case, parts):
    for part in parts:
        pairs = list(zip(case.predicted[part], case.true[part], strict=True))
        yield sum(1 for answer, true in pairs if answer == true) / len(pairs)


@check("strip.spread")
def _(fact, case, *, parts, **_):
    each = list(accuracies(case, parts))
    mean = sum(each) / len(each)
    assert fact["n"] == len(parts) > 1
    assert near(fact["mean"], mean)
    assert near(fact["std"], 100 * math.sqrt(sum((a - mean) ** 2 for a in each) / len(each)))


@check("strip.one_draw")
def _(fact, case, *, parts, **_):
    assert len(parts) == 1


@check("strip.missing")
def _(fact, case, *, titles, **_):
    assert fact["asked"] not in titles
    assert fact["instead"] in titles
    assert fact["minutes"] == 5


@check("job.encoding", "job.layout", "job.to_encode")
def _(fact, case, *, n, **_):
    assert fact["n"] == n
    assert ("examples" in fact.template) == (n != 1)


@check("data.cut")
def _(fact, case, *, cut, **_):
    assert fact["cut"] == sum(cut) > 0
    assert fact["n"] == len(cut)
