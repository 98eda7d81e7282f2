"""A long table page by page, whose rows can be chosen, without Streamlit's program for tables.

That program is a tenth of what a first visit is sent, and wants the whole table at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from pages.widgets.tables import NO_VALUE
from slp_core.markdown import beginning

_ROWS = 10  # on a page
_LONGEST = 160  # letters of a cell
_JS, _CSS = (
    Path(__file__).with_name(f"row_list.{kind}").read_text(encoding="utf-8")
    for kind in ("js", "css")
)
# The keyboard comes to the frame, too: columns may have to be scrolled to.
_HTML = """
<div class="rows" role="region" tabindex="0">
<table role="table">
<thead role="rowgroup"><tr role="row"></tr></thead><tbody role="rowgroup"></tbody>
</table>
</div>
"""
_component = st.components.v2.component("row_list", html=_HTML, css=_CSS, js=_JS)


def row_list(
    table: pd.DataFrame,
    label: str,
    key: str,
    on_pick: Callable[[int], None],
    chosen: int | None = None,
    helps: Mapping[str, str] | None = None,
    yielding: Collection[str] = (),
    complete: Callable[[pd.DataFrame], pd.DataFrame] = lambda shown: shown,
) -> None:
    """Show ten rows of a table, and a list of its pages where it has more."""
    key = key.replace("_", "_ ")  # Streamlit refuses two in a row, which a folder's name may have
    above = st.container()
    pages = -(-len(table) // _ROWS)
    page = st.pagination(pages, key=f"{key} page") if pages > 1 else 1
    shown = complete(table.iloc[_ROWS * (page - 1) : _ROWS * page])

    def picked() -> None:
        here: Any = st.session_state.get(key)  # None where other rows have taken its place
        if here is not None and here.picked is not None:
            on_pick(int(here.picked))

    data = {
        "label": label,
        "chosen": chosen,
        "heads": [
            {
                "name": name,
                "number": pd.api.types.is_numeric_dtype(column),
                "help": (helps or {}).get(str(name)),
                "yields": name in yielding,
            }
            for name, column in shown.items()
        ],
        "rows": [
            {"id": row, "cells": [_cell(value) for value in cells]}
            for row, cells in zip(
                shown["row"].tolist(), shown.itertuples(index=False, name=None), strict=True
            )
        ],
    }
    with above:
        _component(key=key, data=data, height="content", on_picked_change=picked)


def _cell(value: object) -> object:
    if isinstance(value, float):
        return NO_VALUE if pd.isna(value) else value
    return beginning(str(value), _LONGEST)
