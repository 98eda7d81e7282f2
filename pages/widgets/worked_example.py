"""The paper's two small examples, worked number by number beside what the paper prints."""

from __future__ import annotations

import streamlit as st

from pages.session.cache import cached_by
from pages.widgets.chart import show
from pages.widgets.say import say
from slp_core.explain.worked_example import Step, counter_example, steps_table, worked_example
from slp_core.figures.line.half_plane import HalfPlaneDisplay
from slp_core.figures.line.points import LinePoints

_toy = cached_by(lambda: "the paper's toy example")(worked_example)
_counter = cached_by(lambda: "the paper's counter-example")(counter_example)


def papers_examples() -> None:
    """Both, one after the other."""
    toy_example()
    counter_example_steps()


def toy_example(beside: bool = True) -> None:
    """The first example: its picture, and its numbers beside that or below."""
    example = _toy()
    st.markdown("**The toy example: three centroids on one line, and x = (1.5, 0.8)**")
    say(example.facts())
    left, right = st.columns([4, 9], gap="large") if beside else (st.container(), st.container())
    reading = example.reading
    with left:
        show(
            HalfPlaneDisplay(
                reading.bands,
                reading.classes,
                example.line,
                LinePoints.none(),
                marked=(reading.t, reading.r),
                told=example.facts(),
                key="toy",
            ),
            name="the paper's toy",
        )
        st.caption("x is ringed; the background is what constraintSLP answers there.")
    with right:
        _steps(example.steps)


def counter_example_steps() -> None:
    """The second example, number by number."""
    st.markdown("**The counter-example of Theorem 2: A at −10, B at 5 and C at 15 on one axis**")
    st.markdown(
        "A point that sees A and C at a right angle, where A and B tie. A little further on the "
        "answer is B, though A is nearer."
    )
    _steps(_counter()[1])


def _steps(steps: tuple[Step, ...]) -> None:
    st.table(steps_table(steps), hide_index=True)
