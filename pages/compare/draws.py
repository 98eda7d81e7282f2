"""Which draws the figures of methods are of: those that all have, or each method's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import streamlit as st

from pages.session import settings
from slp_core.evaluation.comparison import by_shots, shared_draws
from slp_core.evaluation.method_runs import MethodRuns

SHARED, OWN = "the draws that all have", "each method's own draws"

T = TypeVar("T")


def choose_draws_shown(
    runs: Mapping[T, MethodRuns], key: str = "", unfinished: Collection[T] = ()
) -> bool:
    """Whether figures are of the draws that all have; asked where these are not all draws."""
    done = {name: run for name, run in runs.items() if name not in unfinished}
    cells = [list(cell.values()) for cell in by_shots(done)]
    uneven = [cell for cell in cells if any(run.draws != cell[0].draws for run in cell)]
    if not uneven:
        return True
    if not any(map(shared_draws, uneven)):
        st.caption(":material/info: The methods share no draw: each is shown on its own.")
        return True
    options = [SHARED, OWN]
    bound: dict[str, Any] = {"options": options, "default": SHARED, "key": key}
    if not key:
        bound = settings.COMPARED_DRAWS.bound(options=options, opens="default")
    chosen = st.segmented_control(
        "Accuracies and means are of",
        required=True,
        help="Draws differ in how hard they are, so that means over other draws are not to be "
        "compared.",
        **bound,
    )
    return chosen != OWN
