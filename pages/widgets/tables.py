"""Tables without an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from slp_core.markdown import literal

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

NO_VALUE = "–"
"""In a cell that has none; a browser would write "None"."""
_SETTINGS: dict[str, Any] = {"height": "content", "placeholder": NO_VALUE}
_BAR = "light-dark(rgb(51 80 200 / 0.28), rgb(143 164 255 / 0.4))"
_WIDE = "width: 6em;"  # a bar: names beside it have the rest
_MOST_ROWS, _HEIGHT = 10, 320  # of a small table as high as its content; px of a longer one


def plain_table(
    table: pd.DataFrame | Styler,
    formats: Mapping[str, Iterable[str]] | None = None,
    columns: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Show a table in full, or with the given ``height``."""
    numbers = {
        column: st.column_config.NumberColumn(format=how)
        for how, names in (formats or {}).items()
        for column in names
    }
    settings = numbers | dict(columns or {})
    st.dataframe(table, hide_index=True, column_config=settings, **_SETTINGS | options)


def small_table(
    table: pd.DataFrame,
    decimals: int | None = None,
    bars: Sequence[str] = (),
    most_rows: int = _MOST_ROWS,
) -> None:
    """Show a table of a few rows as Markdown, without the 0.2 MB grid that others need."""
    height: Any = "content" if len(table) <= most_rows else _HEIGHT
    figures = table.columns[[kind.kind == "f" and decimals is not None for kind in table.dtypes]]
    words = table.apply(lambda each: each if each.name in figures else each.map(_as_word))
    words = words.rename(columns=literal)
    if figures.empty:
        st.table(words, height=height, hide_index=True)
        return
    style = words.style.format(precision=decimals, na_rep=NO_VALUE)
    if bars:
        style = style.bar([literal(name) for name in bars], color=_BAR, vmin=0, vmax=1, props=_WIDE)
    st.table(style, height=height, hide_index=True)


def _as_word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return literal(str(value))
