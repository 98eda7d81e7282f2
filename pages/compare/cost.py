"""What each method is judged by, how many numbers it fits, and how long that takes."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from slp_core.evaluation.method_runs import MethodRuns


def cost(runs: Mapping[str, MethodRuns]) -> None:
    """A table, a row a method."""
    st.markdown("**Accuracy, parameters and fit time**")
    percent = st.column_config.NumberColumn(format="percent")
    number = st.column_config.NumberColumn(format="localized")
    seconds = st.column_config.NumberColumn(format="%.4f")
    st.dataframe(
        _table(runs),
        hide_index=True,
        height="content",
        placeholder="–",
        column_config={
            "accuracy": percent,
            "± accuracy": percent,
            "trainable": number,
            "stored": number,
            "fit, s": seconds,
            "± fit, s": seconds,
        }
        | dict.fromkeys(["macro-F1", "NLL"], st.column_config.NumberColumn(format="%.3f")),
    )
    st.caption(
        "*Trainable*: numbers that fitting chooses, counted from the fitted model's arrays "
        "(constraintSLP solves for its own; the others that have any descend a gradient). "
        "*Stored*: all that is needed to answer, the prototypes or kept points too. What stays as "
        "it was in the encoder is in neither. The paper counts 1,500 to 10,000 a line for DeepSLP, "
        "50,000 to 100,000 for LoRA of rank 2, and over 10⁸ for a fine-tuned BERT. Fit times are "
        "of this machine, beside whatever else it does. All is of a method's own draws."
    )


def _table(runs: Mapping[str, MethodRuns]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "method": title,
                "draws": len(found.draws),
                "accuracy": found.accuracy.mean(),
                "± accuracy": found.accuracy.std(),
                "macro-F1": sum(s.macro_f1 for s in found.scores) / len(found.scores),
                "NLL": sum(s.nll for s in found.scores) / len(found.scores),
                "trainable": found.parameters and found.parameters.trainable,
                "stored": found.parameters and found.parameters.stored,
                "fit, s": found.fit_seconds.mean(),
                "± fit, s": found.fit_seconds.std(),
                "counted as": found.parameters and found.parameters.counted,
            }
            for title, found in runs.items()
        ]
    )
