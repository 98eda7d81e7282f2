"""A display on a page: its figure, its table, and both as files, in one call."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import asdict
from mimetypes import guess_type
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.component import component
from pages.session.files import WORKSPACE, Of, file_name, numbered, origin, origin_text
from pages.widgets.tables import NO_VALUE
from slp_core.data.csv_text import as_csv
from slp_core.figures.display import HALO, WIDTH, Display, Scope, Spot, with_ring
from slp_core.figures.style.theme import DARK, LIGHT, PLOT_CONFIG, Theme
from slp_core.markdown import unmarked

_over = component(__file__, "over_chart")


def theme() -> Theme:
    look = DARK if st.context.theme.type == "dark" else LIGHT
    workspace = st.session_state.get(WORKSPACE)
    if workspace is None:
        return look
    return look.for_classes(workspace.dataset.classes, workspace.dataset.made)


def show(
    display: Display,
    name: str = "",
    on_click: Callable[..., None] | None = None,
    workspace: Of = None,
    of: str = "",
    export: Any = None,
) -> None:
    """Draw a display; its table and both files are one click away, below or elsewhere."""
    name, look = name or display.name, theme()
    figure = _kept_figure(display, look) if display.key else display.figure(look)
    what = f"{name} {of}".rstrip()
    filename = file_name(what, "", display.scope, workspace)
    config = PLOT_CONFIG | {"toImageButtonOptions": {"format": "svg", "filename": filename}}
    with st.container(gap=None, key=f"drawn {name}"):  # where over_chart.js finds it
        st.plotly_chart(
            figure,
            theme=None,
            key=f"{name} figure",
            height="stretch" if display.to_scale else "content",
            config=config,
            alt=unmarked(display.sentence()),
        )
        if on_click is not None or display.ring:
            _over_chart(f"over {name}", display.ring, look, on_click)
    if thinned := display.thinned_text():
        st.caption(thinned)
    alt = unmarked(display.sentence())

    def page(title: str) -> bytes:
        return _page(with_ring(figure, display.ring, look), config, title, alt)

    with export or st.container():
        data_and_export(name, what, display.table, page, alt, display.scope, workspace)


def _over_chart(
    key: str, ring: Sequence[Spot], look: Theme, on_click: Callable[..., None] | None
) -> None:
    """The ring of the selected point above the chart in the same container, and clicks on marks.

    Streamlit makes a chart anew when its figure changes, which blanks it and forgets its zoom, and
    takes a second click on one mark for taking the choice back. So charts are drawn without the
    ring and without Streamlit's selection, and a small component beside them sees to both.
    """

    def clicked() -> None:
        here: Any = st.session_state.get(key)  # None where another chart has taken its place
        if here is not None and here.clicked is not None and on_click is not None:
            on_click(*map(int, here.clicked))

    data = {
        "ring": [asdict(spot) | {"path": spot.path} for spot in ring],
        **{"width": WIDTH, "halo": HALO},
        **{"color": look.text, "background": look.background},
    }
    _over(key=key, data=data, height="content", on_clicked_change=clicked)


def data_and_export(
    name: str,
    what: str,
    table: Callable[[], pd.DataFrame],
    page: Callable[[str], bytes],
    alt: str,
    scope: Scope = "draw",
    workspace: Of = None,
) -> None:
    """Behind a button: the table of the data, and downloads of the table and a page of its own."""
    fold = st.popover(
        "Data & export", icon=":material/table:", on_change="rerun", key=f"{name} fold"
    )
    if not fold.open:
        return
    with fold:
        rows = table()
        st.dataframe(
            numbered(rows, workspace),
            height=_rows_height(len(rows)),
            hide_index=True,
            placeholder=NO_VALUE,
            alt=alt,
        )
        with st.container(horizontal=True):
            csv_download("Table (CSV)", what, lambda: rows, scope, workspace)
            title = f"{what}: {origin_text(scope, workspace)}"
            file = file_name(what, "html", scope, workspace)
            download("Figure (HTML)", lambda: page(title), file)


def csv_download(
    label: str,
    what: str,
    table: Callable[[], pd.DataFrame],
    scope: Scope = "draw",
    workspace: Of = None,
    plain: bool = False,
    **options: Any,
) -> None:
    about = {} if plain else origin(scope, workspace)

    def content() -> bytes:
        rows = numbered(table(), workspace)
        rows = rows.assign(**{k: v for k, v in about.items() if k not in rows.columns})
        return as_csv(rows)

    download(
        label,
        content,
        file_name(what.removesuffix(".csv"), "csv", scope, workspace),
        **options,
    )


def download(label: str, content: Any | Callable[[], Any], name: str, **options: Any) -> None:
    """A button for a file, made on demand if ``content`` is a function."""
    usual = {"icon": ":material/download:", "mime": guess_type(name)[0], "on_click": "ignore"}
    st.download_button(label, content, name, **usual | options)


def _page(figure: go.Figure, config: dict[str, Any], title: str, sentence: str) -> bytes:
    """A figure as a page of its own that states its origin."""
    body = figure.to_html(include_plotlyjs=True, full_html=False, config=config)
    title = html.escape(title)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><p>{html.escape(sentence)}</p>{body}<p>{title}</p></body></html>"
    ).encode()


def pick_row(
    table: pd.DataFrame,
    rows: Sequence[int],
    key: str,
    on_pick: Callable[[int | None], None] | None,
    chosen: int | None = None,
    formats: dict[Any, str | Callable[[Any], str] | None] | None = None,
    **options: Any,
) -> None:
    """A table whose rows are selected by a click on any cell; ``key`` names the content.

    A column ``image`` holds pictures.

    What ``formats`` makes of a number is shown; columns are sorted by the numbers.
    """
    if on_pick is not None:

        def picked(state: Any) -> int | None:
            return next((int(rows[row]) for row, _ in state.selection.cells), None)

        bound = settings.view(key, chosen if chosen in rows else None, on_pick, picked)
        first = settings.VIEWS.value[key].first
        cells = [] if first is None else [(rows.index(first), str(table.columns[0]))]
        options |= {
            "key": bound["key"],
            "on_select": bound["on_change"],
            "selection_mode": "single-cell",
            "selection_default": {"selection": {"cells": cells}},
        }
    columns = {"image": st.column_config.ImageColumn(width=60), **options.get("column_config", {})}
    st.dataframe(
        numbered(table).style.format(formats, na_rep=NO_VALUE) if formats else numbered(table),
        hide_index=True,
        placeholder=NO_VALUE,
        **{"height": _rows_height(len(table))} | options | {"column_config": columns},
    )


def _rows_height(n: int) -> int:
    """The height in pixels of a table with so many rows, up to a maximum."""
    return min(402, 38 + 35 * max(n, 1))


@cached_by(
    lambda display, look: f"{type(display).__qualname__} {display.key} {look.name} {look.palette}"
)
def _kept_figure(display: Display, look: Theme) -> go.Figure:
    return display.figure(look)
