"""Which draws the figures of methods are of: those that all have, or each method's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import streamlit as st

from pages.session import settings
from slp_core.evaluation.comparison import shared_draws
from slp_core.evaluation.method_runs import MethodRuns

SHARED, OWN = "the draws that all have", "each method's own draws"

T = TypeVar("T")


def choose_draws_shown(runs: Iterable[MethodRuns], key: str = "") -> bool:
    """Whether figures are of the draws that all have; asked where these are not all draws.

    Parameters
    ----------
    runs : iterable of MethodRuns
    key : str, optional
        Of a second choice on the page, which is in no address.
    """
    each = list(runs)
    shared = shared_draws(each)
    if not shared:
        st.caption(":material/info: The methods share no draw: each is shown on its own.")
        return False
    if all(run.draws == shared for run in each):
        return True
    bound = {"key": key} if key else settings.COMPARED_DRAWS.bound()
    chosen = st.segmented_control(
        "Accuracies and means are of",
        [SHARED, OWN],
        default=SHARED,
        required=True,
        help="Draws differ in how hard they are, so that means over other draws are not to be "
        "compared.",
        **bound,
    )
    return chosen != OWN


def on_draws(cells: Sequence[dict[T, MethodRuns]], shared: bool) -> list[dict[T, MethodRuns]]:
    """The same runs, of the draws that all of them have if ``shared``."""
    draws = shared_draws(run for runs in cells for run in runs.values()) if shared else ()
    if not draws:
        return list(cells)
    return [{name: run.only(draws) for name, run in runs.items()} for runs in cells]
