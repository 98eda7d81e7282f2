"""Sentences about projections."""

from dataclasses import replace

import numpy as np
import pytest

from slp_core.figures.map.figure import map_text, shade_text
from slp_core.markdown import without_terms
from slp_core.views import Fidelity, HeldOut, Projection, text


def held(shown, predicted, classes=("no", "yes")):
    n = len(shown)
    fold = np.arange(n) % 5
    return HeldOut(classes, np.array(shown), np.array(predicted), np.arange(n), fold, min(n, 5))


NINE = held([0, 0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1, 0])


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (NINE, "Fidelity (5-fold CV): 78% (7 of 9). Majority baseline: 78%."),
        (NINE.half(1).half(1), "Fidelity (5-fold CV): 100% (2 of 2). Majority baseline: 50%."),
        (held([1], [1]), "Fidelity (held out): 100% (1 of 1). Majority baseline: 100%."),
        (held([0, 1], [1, 1]), "Fidelity (2-fold CV): 50% (1 of 2). Majority baseline: 100%."),
        (
            held(np.zeros(1000, int), [1] + [0] * 999),
            "Fidelity (5-fold CV): 99.9% (999 of 1,000). Majority baseline: 99.9%.",
        ),
        (
            held(np.empty(0, int), np.empty(0, int)),
            "Fidelity cannot be measured: there are no query examples to hold out.",
        ),
    ],
)
def test_fidelity(result, expected):
    assert without_terms(text.fidelity_text(result)) == expected


def test_fidelity_by_class():
    by_class = text.fidelity_by_class_text
    assert by_class(NINE) == "By predicted class: ●\xa0“no” 86% and ■\xa0“yes” 50%."
    assert by_class(held([0, 0], [1, 1])) == ""
    assert by_class(held(range(7), range(7), classes=tuple("abcdefg"))) == ""
    hostile = held([0, 1], [0, 1], classes=("$$", "[a](b)"))
    assert by_class(hostile) == "By predicted class: ●\xa0“\\$\\$” 100% and ■\xa0“\\[a\\](b)” 100%."


@pytest.mark.parametrize(
    ("inverse", "method", "expected"),
    [
        ("plane", "pca", "The background is computed on the plane itself."),
        (
            "offset",
            "centroid_plane",
            "The background is computed on a parallel plane, as far away as the median example.",
        ),
        (
            "surface",
            "decision_umap",
            "The background is computed on a surface fitted through the examples.",
        ),
    ],
)
def test_landscape(inverse, method, expected):
    found = Fidelity(("a", "b"), np.arange(40) < 2, np.zeros(40, int))
    fitted = " The projection was fitted to the class scores of these examples."
    end = fitted if method.startswith("decision") else ""
    shown = "It matches the prediction at 38 of 40 examples (95%), which are not held out."
    assert text.landscape_text(method, inverse, found) == f"{expected} {shown}{end}"


def test_what_a_projection_keeps():
    X = np.diag([2.0, 1.0, 1.0, 0.5])
    points = np.zeros((4, 2))

    def kept(projection):
        return text.quality_text(projection.kept)

    layout = Projection("umap", X, points, None, False)
    assert kept(layout).startswith("The map preserves neighbourhoods, not distances: trustworth")
    few = Projection("umap", X[:3], points[:3], None, False)
    assert kept(few) == "The map preserves neighbourhoods, not distances."
    assert kept(replace(layout, vectors=np.ones((4, 4)))) == "All vectors are equal."
    assert kept(replace(layout, exact=True)) == "The map shows the vectors as they are."
    quality = replace(layout.kept, explained_variance=(0.5, 0.161))
    expected = "The two axes explain 66% of the variance of 4 dimensions."
    assert text.quality_text(quality) == expected
    whole = replace(quality, explained_variance=(0.5, 0.5 + 1e-12))
    assert text.quality_text(whole) == "The two axes explain 100% of the variance of 4 dimensions."
    assert text.centroids_text(3, 3) == "Centroids on the plane: 3 of 3."
    expected = "Centroids on the plane: 2 of 3. The others are projected onto it."
    assert text.centroids_text(2, 3) == expected
    drawn = "The example is drawn projected onto it."
    assert text.plane_distance_text((0.512, np.nan)) == f"Distance to the plane: 0.51. {drawn}"
    expected = f"Distance to the plane: 0.00 (mean of the others: 1,234.50). {drawn}"
    assert text.plane_distance_text((0.0, 1234.5)) == expected


def test_which_projection_to_use():
    pca, scores = ("pca", "plane"), ("decision_plane", "offset")
    expected = "Try a more faithful projection: PCA of class scores (offset plane), 78%"
    assert text.better_text(scores, NINE) == expected
    assert text.view_title(("umap", "surface")) == "UMAP"
    found = {pca: NINE, scores: NINE}
    none = "No other projection evaluated proved more faithful."
    assert text.none_better_text(found, ["pca", "decision_plane"]) == none
    left = text.none_better_text(found, ["pca", "umap", "tsne"])
    assert left == f"{none} Not evaluated: UMAP and t-SNE."
    assert text.not_enough_text(0.95) == "No linear projection has a fidelity of 95%."


def test_maps():
    assert map_text(261, 99) == "A map of 261 query examples; misclassified: 99."
    assert map_text(1, 0) == "A map of 1 query example; misclassified: 0."
    start = "Colour intensity: "
    for shade, low, high, expected in (
        ("margin", 1e-6, 0.1234, "margin, from 0% (faint) to 12% or more (strong)."),
        ("confidence", 0.333, 1.0, "confidence, from 33% (faint) to 100% (strong)."),
    ):
        assert without_terms(shade_text(shade, low, high)) == start + expected
    assert shade_text("margin", 1.0, 1.0) == ""
