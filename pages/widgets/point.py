"""One point: the example, how it was answered and why, in words and as a figure."""

from __future__ import annotations

import streamlit as st

from pages.widgets.chart import show
from pages.widgets.example import example
from pages.widgets.say import say
from slp_core.explain import PointReading
from slp_core.facts import Facts
from slp_core.figures.point import PointDisplay


def point_words(title: str, words: str, reading: PointReading, cause: Facts = ()) -> None:
    """The example and its answer in a sentence, with the centroids and the line next to it."""
    st.markdown(title)
    example(words)
    say((*reading.facts(), *cause))
    say(reading.surroundings(), st.caption)


def point_figure(reading: PointReading, row: int | None, key: str) -> None:
    """What each class has from either prototype."""
    display = PointDisplay(reading, row, key=key)
    show(display, of="typed" if row is None else f"row {row}")
    if reading.line is not None:
        say((*reading.place(), *display.key_facts()), st.caption)
