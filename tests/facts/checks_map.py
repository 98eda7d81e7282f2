"""What stands beside a map: what its shades mean, how many points are drawn and answered."""

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.views import decision_landscape, fit_projection

GRID = 5  # grid points asked along each axis
SHARE = 0.15  # of the cases: a map costs some milliseconds


@subject
def maps(case):
    rng = np.random.default_rng(case.seed)
    if rng.random() > SHARE:
        return
    both = np.concatenate([case.support, case.X])
    projection = fit_projection(both)
    landscape = decision_landscape(case.model, projection, grid=GRID) if len(both) > 1 else None
    n, m = len(case.support), len(case.X)
    shown = rng.random(m) < rng.choice([0.0, 0.1, 0.5, 1.0])
    query = map_points(projection, n + np.arange(m), case.true, case.predicted).only(shown)
    fitted = case.model.predict_proba(case.support).argmax(axis=1)
    support = map_points(projection, np.arange(n), case.y_support, fitted)
    data = map_of(case.model, projection, landscape, case.classes, case.centroids, support, query)
    layers = MapLayers(
        landscape=bool(rng.random() < 0.9),
        query=bool(rng.random() < 0.9),
        shade=("margin", "confidence")[rng.integers(2)],
    )
    display = MapDisplay(data, layers)
    context = {"display": display, "shown": shown, "projection": projection}
    yield Saying(display.facts() + display.caption(), context)


def asked_everywhere(case, display, projection):
    """The probabilities at each grid point, asked one at a time, best first."""
    landscape = display.data.landscape
    for y in landscape.y:
        for x in landscape.x:
            lifted = projection.inverse(np.array([[x, y]]), landscape.inverse)
            yield sorted(case.model.predict_proba(lifted)[0].tolist(), reverse=True)


def almost_all(values):
    """The value that one in a hundred exceeds, between neighbours in proportion."""
    values = sorted(values)
    place = 0.99 * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def in_single_precision(fact, values):
    low, high = (f"{100 * fact[end]:.0f}%" for end in ("low", "high"))
    assert "100% and more" not in str(fact)
    assert ("everywhere" in str(fact)) == (low == high)
    assert low in str(fact)
    assert high in str(fact)
    assert near(fact["low"], min(values), 1e-5)
    assert near(fact["high"], almost_all(values), 1e-5)


@check("map.shade_lead")
def _(fact, case, display, projection, **_context):
    assert display.layers.landscape
    assert display.layers.shade == "margin"
    every = asked_everywhere(case, display, projection)
    in_single_precision(fact, [row[0] - row[1] if len(row) > 1 else 1.0 for row in every])


@check("map.shade_probability")
def _(fact, case, display, projection, **_context):
    assert display.layers.landscape
    assert display.layers.shade == "confidence"
    in_single_precision(fact, [row[0] for row in asked_everywhere(case, display, projection)])


@check("map.points")
def _(fact, case, shown, **_context):
    wrong = 0
    for i, seen in enumerate(shown):
        wrong += bool(seen and case.predicted[i] != case.true[i])
    assert fact["n"] == sum(map(bool, shown))
    assert fact["wrong"] == wrong
    if fact["n"] == 1:
        assert ("wrongly" in str(fact)) == (wrong == 1)
        assert "points" not in str(fact)
