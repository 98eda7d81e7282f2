"""What is said of figures that show no random case: checked on data made in test_facts_point."""

import numpy as np
from facts_book import check, near


@check("line.drawn")
def _(fact, case, figure, points):
    marks = [trace for trace in figure.data if trace.yaxis == "y3" and trace.customdata is not None]
    drawn = np.concatenate([trace.customdata for trace in marks])
    assert fact["drawn"] == len(set(drawn.tolist())) == len(drawn)
    assert fact["n"] == len(points.ids) > fact["drawn"]


@check("strip.below")
def _(fact, case, below):
    assert list(fact["classes"].items) == below[:3]
    assert fact["classes"].more == len(below[3:])


@check("dimensions.at")
def _(fact, case, series, **_):
    (at,) = (one for one in (series[0], series[-1]) if one.dimension == fact["dimension"])
    assert near(fact["low"], min(at.w))
    assert near(fact["high"], max(at.w))
    assert fact["right"] == at.right[fact["method"]]
    if fact["dimension"] == min(one.dimension for one in series):
        assert "{method}" in fact.template


@check("dimensions.ribbons")
def _(fact, case, series, figure):
    assert (fact["shots"], fact["draw"]) == (7, 3)
    for k in range(3):
        high, low = (np.asarray(figure.data[3 * k + place].y) for place in (0, 1))
        for at, top, bottom in zip(series, high, low, strict=True):
            w = at.w[at.true == k]
            inside = np.mean((w >= bottom - 1e-6) & (w <= top + 1e-6))
            assert abs(inside - fact["share"]) <= 2 / len(w)
