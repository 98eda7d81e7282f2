"""The same three classes in more and more dimensions: how concentration sets in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.methods import DISTANCE, METHODS
from pages.session.workspace import Workspace, bundled_dataset, encoder
from pages.widgets.chart import chart, theme
from slp_core.data.toys import MAX_DIMENSION, MIN_DIMENSION
from slp_core.explain.bands import winning_bands
from slp_core.figures.line.dimensions import (
    AtDimension,
    dimensions_figure,
    dimensions_table,
    scrub_figure,
)
from slp_core.figures.style.theme import Theme

TOY = "toy_dimensions"
DIMENSIONS = (MIN_DIMENSION, 4, 8, 16, 32, 64, 128, 256, MAX_DIMENSION)
SHOTS, DRAW = 16, 0


def dimensions(workspace: Workspace) -> None:
    """A slider over the dimension of a toy, and w's spread against it."""
    on_toy = workspace.dataset.name == TOY
    shots, draw = (workspace.shots, workspace.draw) if on_toy else (SHOTS, DRAW)
    series, classes = _series(shots, draw)
    current = workspace.X.shape[1] if on_toy else None
    first, last = series[0], series[-1]
    st.markdown("#### When concentration sets in")
    st.markdown(
        "Three classes at −10, 5 and 15 on one axis, with the same noise in every direction: only "
        f"the number of directions grows. In {first.dimension} dimensions w runs from "
        f"{first.w.min():.2f} to {first.w.max():.2f} and constraintSLP gets "
        f"{first.right['constraintSLP']:.0%} right; in {last.dimension} from {last.w.min():.2f} to "
        f"{last.w.max():.2f}, and {last.right['constraintSLP']:.0%}."
    )
    left, right = st.columns(2, gap="large")
    look, key = theme(), f"{shots} {draw}"
    with left:
        chart(
            _scrub_figure(f"{key} {current} {look.name}", series, classes, current or 16, look),
            lambda: dimensions_table(series, classes),
            "one dimension",
            alt="The points over w with the bands of the line, in a number of dimensions to choose",
        )
    with right:
        chart(
            _dimensions_figure(f"{key} {current} {look.name}", series, classes, current, look),
            lambda: dimensions_table(series, classes),
            "dimensions",
            alt="How the spread of w shrinks as the number of dimensions grows, and what is right",
        )
    st.caption(
        f"The toy *A, B and C in many dimensions*, {shots} shots, draw {draw}. Ribbons hold 90% of "
        "a class's query points; the background is the class that wins at that w."
    )
    if not on_toy:
        opened = st.button("Open this toy here", icon=":material/open_in_new:", on_click=_open_toy)
        if opened:  # the whole page, sidebar included
            st.rerun()


def _open_toy() -> None:
    settings.DATASET.set(bundled_dataset(TOY, dimension=settings.DIMENSION.default).title)
    settings.POINT.set(None)


@st.cache_resource(max_entries=24, show_spinner=False)
def _series(shots: int, draw: int) -> tuple[list[AtDimension], tuple[str, ...]]:
    series = []
    along = {DISTANCE.parameter: "along_line"}
    for dimension in DIMENSIONS:
        dataset = bundled_dataset(TOY, dimension=dimension)
        raw = encoder("raw", None)
        base = Workspace(dataset, raw, "raw", shots, draw, METHODS["constraint_slp"], {})
        others = {
            "constraintSLP": base,
            "along the line": replace(base, options=along),
            "nearest centroid": replace(base, method=METHODS["nearest_centroid"]),
        }
        placement = base.model.place(base.X[base.episode.query])
        series.append(
            AtDimension(
                dimension,
                winning_bands(*base.model.soft_labels_[0]),
                placement.w,
                base.answers.true,
                {name: other.answers.accuracy for name, other in others.items()},
            )
        )
    return series, dataset.classes


@st.cache_resource(max_entries=12, show_spinner=False)
def _scrub_figure(
    key: str, _series: Any, _classes: tuple[str, ...], _current: int, _theme: Theme
) -> Any:
    return scrub_figure(_series, _classes, current=_current, theme=_theme)


@st.cache_resource(max_entries=12, show_spinner=False)
def _dimensions_figure(
    key: str, _series: Any, _classes: tuple[str, ...], _current: int | None, _theme: Theme
) -> Any:
    return dimensions_figure(_series, _classes, current=_current, theme=_theme)
