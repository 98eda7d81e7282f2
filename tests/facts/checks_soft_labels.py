"""What two methods predict on the same query points, and over draws."""

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core import ConstraintSLPClassifier
from slp_core.explain import predict_query_set
from slp_core.explain.difference import compare_answers, spread_facts


@subject
def beside(case):
    if case.seed % 4:
        return
    rng = np.random.default_rng(case.seed)
    model = ConstraintSLPClassifier().fit(case.support, np.array(case.classes)[case.y_support])
    yield from _beside(case, model, rng)


def _beside(case, model, rng):
    """Two draws that share some of their query points."""
    m = len(case.X)
    parts = [np.sort(rng.permutation(m)[: rng.integers(0, m + 1)]) for _ in "ab"]
    answers = [
        predict_query_set(one, "it", case.X[part], case.true[part], case.centroids)
        for one, part in zip((case.model, model), parts, strict=True)
    ]
    rows = tuple(100 + part for part in parts)
    found = compare_answers(*answers, ("one", "other"), rows=rows)
    context = {"models": (case.model, model), "both": sorted(set(parts[0]) & set(parts[1]))}
    yield Saying(found.changes_facts(), context)
    assert found.changed_table()["row"].tolist() == found.rows[found.disagree].tolist()
    accuracy = rng.random(rng.integers(1, 5)).round(2)
    yield Saying(spread_facts("it", accuracy), {"accuracy": accuracy})


@check("answers_beside.none")
def _(fact, case, models, both):
    assert both == []


@check("answers_beside.changed")
def _(fact, case, models, both):
    first, second = (
        [int(row.argmax()) for row in model.predict_proba(case.X[both])] for model in models
    )
    pairs = list(zip(first, second, case.true[both], strict=True))
    assert fact["n"] == len(both)
    assert near(fact["first"], sum(a == c for a, _, c in pairs) / len(pairs))
    assert near(fact["second"], sum(b == c for _, b, c in pairs) / len(pairs))
    assert fact["changed"] == sum(a != b for a, b, _ in pairs)
    assert fact["gained"] == sum(a != c and b == c for a, b, c in pairs)
    assert fact["lost"] == sum(a == c and b != c for a, b, c in pairs)
    assert ("no answer changes" in fact.template) == (fact["changed"] == 0)


@check("answers_beside.one_draw", "answers_beside.spread")
def _(fact, case, accuracy):
    n = len(accuracy)
    assert (n == 1) == (fact.kind == "answers_beside.one_draw")
    mean = sum(accuracy) / n
    assert near(fact["mean"], mean)
    if n > 1:
        assert fact["n"] == n
        assert near(fact["std"], 100 * (sum((a - mean) ** 2 for a in accuracy) / n) ** 0.5)
