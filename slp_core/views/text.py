"""Sentences about projections: their fidelity, what they keep, and which to use instead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slp_core.glossary import term
from slp_core.sentences import class_names, count, listed, number, percent
from slp_core.views.fidelity import Fidelity, HeldOut, HeldOutByView, ProjectionView
from slp_core.views.projection import (
    FITTED_TO_SCORES,
    INVERSE_TITLES,
    LAYOUTS,
    PROJECTION_TITLES,
    Inverse,
    ProjectionMethod,
)
from slp_core.views.quality import ProjectionQuality

_MOST_CLASSES = 6  # whose fidelity is listed


def view_title(view: ProjectionView) -> str:
    """A projection, and its landscape where there is a choice."""
    method, inverse = view
    title = PROJECTION_TITLES[method]
    return title if method in LAYOUTS else f"{title} ({INVERSE_TITLES[inverse]})"


def fidelity_text(held: HeldOut) -> str:
    """Held-out fidelity in one line, the majority baseline beside it."""
    if not held.n:
        return "Fidelity cannot be measured: there are no query examples to hold out."
    how = f"{held.folds}-fold CV" if held.folds > 1 else "held out"
    return (
        f"{term('fidelity', 'Fidelity')} ({how}): {percent(held.overall)} "
        f"({held.n_agreeing:,} of {held.n:,}). "
        f"{term('majority baseline', 'Majority baseline')}: {percent(held.majority)}."
    )


def fidelity_by_class_text(held: HeldOut) -> str:
    """The same by predicted class; nothing where that would be a long list, or one class."""
    shown = np.flatnonzero(held.counts).tolist()
    if not 1 < len(shown) <= _MOST_CLASSES:
        return ""
    names, shares = class_names(held.classes), held.per_class
    return f"By predicted class: {listed([f'{names[k]} {percent(shares[k])}' for k in shown])}."


def landscape_text(method: ProjectionMethod, inverse: Inverse, fidelity: Fidelity) -> str:
    """What the landscape is computed on, and its fidelity at the examples that are drawn."""
    how = {
        "plane": "The background is computed on the plane itself.",
        "offset": "The background is computed on a parallel plane, as far away as the median "
        "example.",
        "surface": "The background is computed on a surface fitted through the examples.",
    }[inverse]
    fitted = method in FITTED_TO_SCORES
    how_fitted = " The projection was fitted to the class scores of these examples."
    return (
        f"{how} It matches the prediction at {fidelity.n_agreeing:,} of {fidelity.n:,} examples "
        f"({percent(fidelity.overall)}), which are not held out.{how_fitted if fitted else ''}"
    )


def centroids_text(on_plane: int, k: int) -> str:
    return f"Centroids on the plane: {on_plane:,} of {k:,}." + (
        " The others are projected onto it." if on_plane < k else ""
    )


def quality_text(quality: ProjectionQuality) -> str:
    if quality.exact:
        return "The map shows the vectors as they are."
    if quality.one_place:
        return "All vectors are equal."
    if quality.explained_variance is not None:
        share = min(round(sum(quality.explained_variance), 9), 1.0)
        return (
            f"The two axes explain {percent(share)} of the variance of {quality.n_features:,} "
            "dimensions."
        )
    if not quality.neighbours:
        return "The map preserves neighbourhoods, not distances."
    return (
        "The map preserves neighbourhoods, not distances: trustworthiness "
        f"{number(quality.trustworthiness)} over {count(quality.neighbours, 'neighbour')} (1 is "
        "best)."
    )


def plane_distance_text(distance: tuple[float, float]) -> str:
    own, others = distance
    mean = "" if np.isnan(others) else f" (mean of the others: {number(others)})"
    return f"Distance to the plane: {number(own)}{mean}. The example is drawn projected onto it."


def better_text(view: ProjectionView, held: HeldOut) -> str:
    """A more faithful projection, for the button that leads to it."""
    return f"Try a more faithful projection: {view_title(view)}, {percent(held.overall)}"


def none_better_text(found: HeldOutByView, every: Sequence[ProjectionMethod]) -> str:
    tried = {method for method, _ in found}
    left = [PROJECTION_TITLES[method] for method in every if method not in tried]
    return "No other projection evaluated proved more faithful." + (
        f" Not evaluated: {listed(left)}." if left else ""
    )


def not_enough_text(enough: float) -> str:
    return f"No linear projection has a fidelity of {percent(enough)}."
