"""Tables that are read as they are, without an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from slp_core.markdown import literal

NO_VALUE = "–"
"""In a cell that has none; a browser would write "None"."""
_SETTINGS: dict[str, Any] = {"height": "content", "placeholder": NO_VALUE}
_MOST_ROWS, _HEIGHT = 10, 320  # of a small table as high as its content; px of a higher one


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


def small_table(table: pd.DataFrame) -> None:
    """Show a table of a few rows without the program that other tables need, 0.2 MB to fetch.

    Nothing can be sorted in it; numbers are shown with the decimals that they have.

    Parameters
    ----------
    table : DataFrame
    """
    words = table.map(_as_word).rename(columns=literal)
    st.table(words, height="content" if len(table) <= _MOST_ROWS else _HEIGHT, hide_index=True)


def _as_word(value: object) -> str:
    """A cell in Markdown, which is what the cells of such a table are."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return literal(str(value))
