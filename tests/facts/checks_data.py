"""What is said in the frame of each page."""

from facts_book import check


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
