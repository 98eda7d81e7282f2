"""One example: its prediction and why, in words and as a figure."""

from __future__ import annotations

import streamlit as st

from pages.widgets.chart import show
from pages.widgets.example import example
from pages.widgets.say import say
from slp_core.explain import PointReading
from slp_core.explain.text import place_text, point_text, surroundings_text
from slp_core.figures.point import PointDisplay


def point_words(title: str, words: str, reading: PointReading, cause: str = "") -> None:
    """The example and its prediction, with the nearest centroids and the next line."""
    st.markdown(title)
    example(words)
    say(f"{point_text(reading)} {cause}".rstrip())
    say(surroundings_text(reading), st.caption)


def point_figure(reading: PointReading, row: int | None, key: str) -> None:
    """The contribution of each prototype to each class."""
    display = PointDisplay(reading, row, key=key)
    show(display, of="typed" if row is None else f"row {row}")
    if reading.line is not None:
        say(f"{place_text(reading)} {display.key_text()}", st.caption)
