"""A figure on a page, with its table twin and its downloads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from slp_core.figures.style.theme import DARK, LIGHT, PLOT_CONFIG, Theme
from slp_core.markdown import unmarked


def theme() -> Theme:
    """The figures' theme that goes with the browser's."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def chart(
    figure: go.Figure,
    table: Callable[[], pd.DataFrame],
    name: str,
    alt: str,
    **options: Any,
) -> Any:
    """Draw a figure; its table, and both as files, are one click away.

    Parameters
    ----------
    figure : plotly Figure
    table : callable
        Makes the table; asked only when somebody opens it.
    name : str
        Of the files, and of the widgets.
    alt : str
        What the figure shows, for those who do not see it; a sentence in Markdown.
    **options
        Of ``st.plotly_chart``.
    """
    config = PLOT_CONFIG | {"toImageButtonOptions": {"format": "svg", "filename": name}}
    event = st.plotly_chart(
        figure, theme=None, key=f"{name} figure", config=config, alt=unmarked(alt), **options
    )
    fold = st.popover(
        "Table and files", icon=":material/table:", on_change="rerun", key=f"{name} fold"
    )
    if fold.open:
        with fold:
            rows = table()
            st.dataframe(rows, height=min(400, 38 + 35 * len(rows)), hide_index=True)
            with st.container(horizontal=True):
                st.download_button(
                    "Table (CSV)",
                    rows.to_csv(index=False).encode(),
                    f"{name}.csv",
                    "text/csv",
                    icon=":material/download:",
                )
                st.download_button(
                    "Figure (HTML)",
                    figure.to_html(include_plotlyjs=True, config=config).encode(),
                    f"{name}.html",
                    "text/html",
                    icon=":material/download:",
                )
    return event
