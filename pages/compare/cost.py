"""What each method is judged by, how many numbers it fits, and how long that takes."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from slp_core.evaluation.comparison import costs_table
from slp_core.evaluation.method_runs import MethodRuns


def cost(runs: Mapping[str, MethodRuns]) -> None:
    """A table, a row a method."""
    st.markdown("**Accuracy, parameters and fit time**")
    formats = {
        "percent": ["accuracy", "± accuracy"],
        "localized": ["trainable", "stored"],
        "%.4f": ["fit, s", "± fit, s"],
        "%.3f": ["macro-F1", "NLL"],
    }
    st.dataframe(
        costs_table(runs),
        hide_index=True,
        height="content",
        placeholder="–",
        column_config={
            column: st.column_config.NumberColumn(format=how)
            for how, columns in formats.items()
            for column in columns
        },
    )
    st.caption(
        "*Trainable*: numbers that fitting chooses, counted from the fitted model's arrays "
        "(constraintSLP solves for its own; the others that have any descend a gradient). "
        "*Stored*: all that is needed to answer, the prototypes or kept points too. What stays as "
        "it was in the encoder is in neither. The paper counts 1,500 to 10,000 a line for DeepSLP, "
        "50,000 to 100,000 for LoRA of rank 2, and over 10⁸ for a fine-tuned BERT. Fit times are "
        "of this machine, beside whatever else it does. All is of a method's own draws."
    )
