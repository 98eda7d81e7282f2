"""One point: the example, how it was answered and why, in words and as a figure."""

from __future__ import annotations

import streamlit as st

from pages.widgets.chart import show, theme
from slp_core.explain import PointReading
from slp_core.figures.point import PointDisplay
from slp_core.figures.style.theme import class_style
from slp_core.markdown import literal

_MOST_NEAREST = 4  # centroids named


def point_words(title: str, words: str, reading: PointReading, cause: str = "") -> None:
    """The example and its answer in a sentence, with the centroids and the line next to it.

    Parameters
    ----------
    title : str
        In Markdown.
    words : str
        The example itself.
    reading : PointReading
    cause : str
        What to add to the sentence.
    """
    st.markdown(title)
    with st.container(border=True):
        st.text(words)
    st.markdown(f"{reading.sentence()} {cause}")
    st.caption(f"{_nearest(reading)} {_runner_up(reading)}")


def point_figure(reading: PointReading, key: str) -> None:
    """What each class has from either prototype; ``key`` names model and point."""
    show(PointDisplay(reading, key=key))
    if reading.line is None:
        return
    unit = " Logits are divided, of any sign; the diamond is their sum." if reading.local else ""
    st.caption(
        f"Line {reading.line + 1}: w = {reading.w:.3f}, t = {reading.t:.3f} of "
        f"{reading.length:.3f}, r = {reading.r:.3f}. Strong: the left prototype's part; pale: the "
        f"right one's.{unit}"
    )


def _nearest(reading: PointReading) -> str:
    each = [
        f"{class_style(c, theme()).character} {literal(reading.classes[c])} "
        f"{reading.centroid_distance[c]:.3f}"
        for c in reading.nearest[:_MOST_NEAREST]
    ]
    return f"Nearest centroids: {' · '.join(each)}."


def _runner_up(reading: PointReading) -> str:
    if reading.line is None or reading.runner_up is None:
        return ""
    return (
        f"It asks line {reading.line + 1}; line {reading.runner_up + 1}, the next, is "
        f"{reading.lead:.3f} further away."
    )
