"""The paper's two small examples, worked number by number beside what the paper prints."""

from __future__ import annotations

import streamlit as st

from pages.session.cache import cached_by
from pages.widgets.chart import show
from pages.widgets.parts import folded
from pages.widgets.say import say
from pages.widgets.tables import small_table
from slp_core.explain.worked_example import counter_example, worked_example
from slp_core.figures.line.half_plane import HalfPlaneDisplay
from slp_core.figures.line.points import LinePoints
from slp_core.lessons.text import audit_table, toy_text, values_table

_FIVE = 5  # steps of the toy example that make the prediction
_toy = cached_by(lambda: "the paper's toy example")(worked_example)
_counter = cached_by(lambda: "the paper's counter-example")(counter_example)


def papers_examples() -> None:
    """Both, beside what the paper prints."""
    st.markdown("**Toy example: x = (1.5, 0.8) and three centroids on one line**")
    small_table(audit_table(_toy().steps), most_rows=20)
    st.markdown("**Counter-example of Theorem 2: A at −10, B at 5, C at 15**")
    small_table(audit_table(_counter()[1]), most_rows=20)


def five_numbers() -> None:
    """The toy example: its picture, and the five numbers that make the prediction."""
    example = _toy()
    reading = example.reading
    display = HalfPlaneDisplay(
        reading.bands,
        reading.classes,
        example.line,
        LinePoints.none(),
        marked=(reading.t, reading.r),
        text=toy_text(example),
        key="toy",
    )
    show(display, name="the paper's toy")
    small_table(values_table(example.steps[:_FIVE]))
    say(toy_text(example))
    folded(
        "Compared with the paper's printed numbers",
        "examples",
        small_table,
        audit_table(example.steps),
    )


def counter_example_values() -> None:
    """The counter-example, number by number."""
    steps = _counter()[1]
    small_table(values_table(steps))
    folded("Compared with the paper's printed numbers", "examples", small_table, audit_table(steps))
