"""The paper's two small examples, worked number by number beside what the paper prints."""

from __future__ import annotations

import streamlit as st

from pages.session.cache import cached_by
from pages.widgets.chart import theme
from pages.widgets.parts import folded
from pages.widgets.tables import small_table
from pages.widgets.way import draw_way
from slp_core.data import Examples
from slp_core.explain.worked_example import (
    TOY_CLASSES,
    TOY_POINT,
    counter_example,
    worked_example,
)
from slp_core.figures.way import Source
from slp_core.lessons.text import toy_text

_toy = cached_by(lambda: "the paper's toy example")(worked_example)
_counter = cached_by(lambda: "the paper's counter-example")(counter_example)


def papers_examples() -> None:
    st.markdown("**Toy example: x = (1.5, 0.8) and three centroids on one line**")
    small_table(_toy()[1], most_rows=20)
    st.markdown("**Counter-example of Theorem 2: A at −10, B at 5, C at 15**")
    small_table(_counter(), most_rows=20)


def toy_way() -> None:
    reading, steps = _toy()
    look = theme().for_classes(TOY_CLASSES)
    point = Examples("numeric", features=TOY_POINT[None])
    draw_way(reading, Source("x = (1.5, 0.8)", point), look, "toy", "toy")
    st.markdown(toy_text(reading))
    folded("Compared with the paper's printed numbers", "examples", small_table, steps)


def counter_example_values() -> None:
    steps = _counter()
    small_table(steps[["quantity", "computed here"]])
    folded("Compared with the paper's printed numbers", "examples", small_table, steps)
