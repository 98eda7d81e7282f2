"""The same three classes in more and more dimensions: how distances concentrate."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.workspace import Workspace, bundled_dataset, encoder
from pages.widgets.chart import show
from pages.widgets.say import say
from slp_core.data.toys import MAX_DIMENSION, MIN_DIMENSION
from slp_core.explain.bands import winning_bands
from slp_core.figures.line.dimensions import AtDimension, DimensionsDisplay, OneDimensionDisplay
from slp_core.methods.protocols import has_constant_soft_labels
from slp_core.methods.table import METHODS

TOY = "toy_dimensions"
DIMENSIONS = (MIN_DIMENSION, 4, 8, 16, 32, 64, 128, 256, MAX_DIMENSION)
SHOTS, DRAW = 16, 0


def dimensions(workspace: Workspace) -> None:
    """A slider over the dimension of a toy, and below it the spread of w against the dimension."""
    on_toy = workspace.dataset.name == TOY
    shots, draw = (workspace.shots, workspace.draw) if on_toy else (SHOTS, DRAW)
    series, classes = _series(shots, draw)
    current = workspace.X.shape[1] if on_toy else None
    key = f"{shots} {draw} {current}"
    display = DimensionsDisplay(series, classes, current, key=key)
    show(OneDimensionDisplay(series, classes, current or 16, key=key))
    say(display.sentence())
    show(display)
    say(display.caption(shots, draw), st.caption)
    if not on_toy:
        opened = st.button("Use this dataset", icon=":material/open_in_new:", on_click=_open_toy)
        if opened:  # the whole page, sidebar included
            st.rerun()


def _open_toy() -> None:
    settings.DATASET.set(bundled_dataset(TOY, dimension=settings.DIMENSION.default).title)
    settings.POINT.clear()


@cached_by(lambda shots, draw: f"{shots} {draw}")
def _series(shots: int, draw: int) -> tuple[list[AtDimension], tuple[str, ...]]:
    series = []
    for dimension in DIMENSIONS:
        dataset = bundled_dataset(TOY, dimension=dimension)
        raw = encoder("raw", None)
        base = Workspace(dataset, raw, "raw", shots, draw, METHODS["constraint_slp"], {})
        others = {
            "constraintSLP": base,
            "projected": base.with_method(METHODS["constraint_slp_along_line"]),
            "nearest centroid": base.with_method(METHODS["nearest_centroid"]),
        }
        model = base.model
        assert has_constant_soft_labels(model)
        series.append(
            AtDimension(
                dimension,
                winning_bands(*model.soft_labels_[0]),
                model.place(base.X[base.episode.query]).w,
                base.predictions.true,
                {name: other.predictions.accuracy for name, other in others.items()},
            )
        )
    return series, dataset.classes
