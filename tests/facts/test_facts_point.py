"""Facts of figures that show no random case."""

import checks_point_figures  # noqa: F401
import numpy as np
import pytest
from facts_book import check_facts

from slp_core.explain.bands import Bands, Edge, Share
from slp_core.figures.line.dimensions import AtDimension, DimensionsDisplay
from slp_core.figures.line.points import LinePoints
from slp_core.figures.line.strip import WStripDisplay


@pytest.mark.parametrize("n", [599, 601, 2_000])
def test_a_strip_says_how_many_points_it_draws(n):
    rng = np.random.default_rng(n)
    true = rng.integers(0, 2, n)
    w, shown = rng.random(n), rng.random(n) < 0.5
    points = LinePoints(np.arange(n), true, true, w, w, w, w, true, shown)
    labels = np.eye(2)
    display = WStripDisplay(labels, Bands((1, 0), (0.0, 0.5, 1.0)), "ab", (0, 1), points)
    told = display.facts()
    assert bool(told) == (n > 600)
    check_facts(told, None, figure=display.figure(), points=points)


@pytest.mark.parametrize("seed", range(8))
def test_a_strip_says_whose_logits_lie_below_its_scale(seed):
    rng = np.random.default_rng(seed)
    classes = "abcdefg"[: rng.integers(2, 8)]
    w = rng.random(20)
    true = rng.integers(0, len(classes), 20)
    points = LinePoints(np.arange(20), true, true, w, w, w, w, true, np.ones(20, bool))
    logits = rng.normal(size=(2, len(classes))) * rng.choice([0.3, 4])
    winner = int(logits.mean(axis=0).argmax())
    display = WStripDisplay(
        logits, Bands((winner,), (0.0, 1.0)), classes, (0, 1), points, logits=True
    )
    layout = display.figure().to_dict()["layout"]
    lowest, ends = layout["yaxis"]["range"][0], layout["xaxis"]["range"]
    left, right = logits
    seen = [[w * left[k] + (1 - w) * right[k] for w in ends] for k in range(len(classes))]
    below = [k for k, scores in enumerate(seen) if max(scores) < lowest]
    told = display.facts()
    assert bool(told) == bool(below)
    check_facts(told, None, below=[classes[k] for k in below])


def test_dimensions_say_how_w_spreads():
    rng = np.random.default_rng(0)
    true = np.repeat(np.arange(3), 40)
    bands = Bands((2, 1, 0), (0, 0.2, 0.7, 1))
    series = [
        AtDimension(d, bands, rng.beta(d, d, 120), true, {"x": rng.random(), "y": rng.random()})
        for d in (2, 8, 32)
    ]
    display = DimensionsDisplay(series, "abc")
    seen = check_facts(display.facts(), None, series=series)
    seen |= check_facts(display.key_facts(7, 3), None, series=series, figure=display.figure())
    assert seen == {"dimensions.at", "dimensions.ribbons"}


@pytest.mark.parametrize(
    ("w", "text", "edge"),
    [
        (0.0, "0.00", "0.00"),
        (1.0, "1.00", "1.00"),
        (0.5, "0.50", "0.50"),
        (0.996, "0.9960", "0.9960"),
        (2e-5, "almost 0", "0.000020"),
        (1 - 6e-13, "almost 1", "0.99999999999940"),
    ],
)
def test_only_0_reads_as_0_and_only_1_as_1(w, text, edge):
    assert f"{Share(w):.2f}" == f"{Share(w)}" == text
    assert f"{Edge(w):.2f}" == edge
    assert (float(edge) in (0, 1)) == (w in (0, 1))
