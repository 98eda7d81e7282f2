"""Facts of confusion counts, which are no random case."""

from facts_book import check


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
