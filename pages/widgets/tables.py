"""Tables that are read as they are, without an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

NO_VALUE = "–"
"""In a cell that has none; a browser would write "None"."""
_SETTINGS: dict[str, Any] = {"height": "content", "placeholder": NO_VALUE}


def plain_table(
    table: pd.DataFrame,
    formats: Mapping[str, Iterable[str]] | None = None,
    columns: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Show a table, as high as its content unless a ``height`` is given.

    Parameters
    ----------
    table : DataFrame
    formats : mapping of str to iterable of str, optional
        Formats of numbers, as Streamlit names them, and the columns that have each.
    columns : mapping, optional
        Other settings of columns.
    **options
        Of ``st.dataframe``.
    """
    numbers = {
        column: st.column_config.NumberColumn(format=how)
        for how, names in (formats or {}).items()
        for column in names
    }
    settings = numbers | dict(columns or {})
    st.dataframe(table, hide_index=True, column_config=settings, **_SETTINGS | options)
