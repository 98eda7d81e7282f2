"""Widgets that several pages share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.address import option_setting
from pages.session.public import limits
from pages.session.selection import choose_row
from pages.session.settings import view
from pages.session.workspace import Workspace
from slp_core.methods.options import EPOCHS, Choice, Option


def option_widget(option: Option, prefix: str = "", opening: str | None = None) -> Any:
    """A widget for a method's option; returns the estimator's parameter."""
    setting = option_setting(option, prefix)
    if isinstance(option, Choice):
        bound = setting.bound(opening, options=list(option.choices))
        return option.choices[st.selectbox(option.label, help=option.help, **bound)]
    if option is EPOCHS:
        option = replace(option, high=min(option.high, limits().epochs))
    return st.number_input(
        option.label_with_limits,
        step=option.kind(option.step),
        format="%d" if option.whole else "%.4g",
        help=option.help,
        **setting.bound(within=(option.low, option.high)),
    )


def point_number(workspace: Workspace, row: int | None) -> None:
    """Any example by its row, without a mouse; ``row`` is None if none of the data is shown."""
    settings.POINT_SHOWN.set(row)
    _row_number(
        workspace, "Example", "A click on a mark selects it, too.", "point_number", row, choose_row
    )


def second_number(workspace: Workspace) -> int | None:
    """The row of another example to show below the selected one; None for none."""
    second = settings.SECOND.shows(among=range(len(workspace.dataset)))
    tip = "Another example, drawn below."
    _row_number(workspace, "Compare with", tip, "second_number", second, settings.SECOND.set)
    return second


def _row_number(
    workspace: Workspace,
    label: str,
    tip: str,
    name: str,
    row: int | None,
    then: Callable[[int | None], None],
) -> None:
    dataset = workspace.dataset
    first, last = dataset.numbers[[0, -1]].tolist()

    def choose(to: int | None) -> None:
        then(None if to is None else dataset.index_of(to, row))

    number = None if row is None else int(dataset.numbers[row])
    in_file = dataset.file_rows is not None
    what = f"{dataset.file_unit.capitalize()} of the file." if in_file else "Counted from 0."
    st.number_input(
        label,
        first,
        last,
        number,
        step=1,
        width=140 if last < 10_000 else 180,
        help=f"{what} {tip}",
        **view(name, number, choose),
    )
