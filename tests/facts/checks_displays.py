"""Facts of displays whose data are no random case: confusion counts, accuracy over draws."""

import numpy as np
from facts_book import check, near


@check("confusion.right")
def _(fact, case, counts):
    k = len(counts)
    assert fact["n"] == sum(counts[i][j] for i in range(k) for j in range(k))
    assert fact["right"] == sum(counts[i][i] for i in range(k))


@check("confusion.most_often")
def _(fact, case, counts):
    k = len(counts)
    off = {(i, j): counts[i][j] for i in range(k) for j in range(k) if i != j}
    here = (fact["true"].place, fact["answer"].place)
    assert off[here] == fact["times"] > 0
    assert all(n < fact["times"] for pair, n in off.items() if pair != here)
    assert ("{times" in fact.template) == (fact["times"] > 1)


@check("draws.nothing_asked")
def _(fact, case, spread):
    assert np.isnan(spread.accuracy).any()


@check("draws.one")
def _(fact, case, spread):
    assert [fact["mean"]] == spread.accuracy.tolist()


@check("draws.alike")
def _(fact, case, spread):
    assert fact["n"] == len(spread.accuracy) > 1
    assert fact["draws"] == len(set(spread.draws))
    assert all(near(fact["mean"], share) for share in spread.accuracy.tolist())
    assert ("{n:" in fact.template) == (fact["n"] != fact["draws"])


@check("draws.spread")
def _(fact, case, spread):
    shares = spread.accuracy.tolist()
    assert fact["n"] == len(shares) > 1
    assert fact["draws"] == len(set(spread.draws))
    mean = sum(shares) / len(shares)
    assert near(fact["mean"], mean)
    assert near(fact["std"] ** 2, sum((s - mean) ** 2 for s in shares) / len(shares))
    assert (fact["low"], fact["high"]) == (min(shares), max(shares))
    assert fact["low"] < fact["high"]
    assert ("{n:" in fact.template) == (fact["n"] != fact["draws"])
