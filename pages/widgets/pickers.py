"""Widgets that choose the same kind of thing on several pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from pages.session import settings
from pages.session.public import limits
from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.widgets.renewed import Renewed
from pages.widgets.say import say
from slp_core.methods.options import EPOCHS, Choice, Option

T = TypeVar("T")

POINT_NUMBER = "point_number"


def as_offered(chosen: Any, options: Sequence[T]) -> T:
    """The option that is written like what a list says was chosen of it.

    A browser sends texts. One that arrives when its list has other options, as while data change,
    stays a text, and passes for the option that is written like it once that is offered again.
    """
    return next(option for option in options if str(option) == str(chosen))


def option_widget(option: Option, prefix: str = "") -> Any:
    """A widget for a method's option, kept in the address; returns what the estimator takes.

    Parameters
    ----------
    option : Option
    prefix : str
        Of its key, where a page has an option of its own that the sidebar has too.
    """
    first = next(iter(option.choices)) if isinstance(option, Choice) else option.default
    setting = settings.Setting(f"{prefix}{option.url_key}", type(first), first)
    bound: dict[str, Any] = {**setting.bound(), "help": option.help}
    if isinstance(option, Choice):
        return option.choices[st.selectbox(option.label, list(option.choices), **bound)]
    if option is EPOCHS and (public := limits()):
        option = replace(option, high=min(option.high, public.epochs))
    ends = ("min_value", option.low), ("max_value", option.high)
    steps = ("value", option.default), ("step", option.step)
    bound |= {name: option.kind(value) for name, value in (*ends, *steps)}
    return st.number_input(
        option.label_with_limits,
        format="%d" if option.whole else "%.4g",
        **bound,
    )


def point_number(workspace: Workspace, row: int | None) -> None:
    """Any point by its number, without a mouse; says so where the address named one in vain.

    Parameters
    ----------
    workspace : Workspace
    row : int, optional
        The point on show; None where it is no row of the dataset.
    """

    def typed() -> None:
        if (number := field.choice()) is not None:
            choose_row(number)

    field = Renewed[int](POINT_NUMBER, row)
    st.number_input(
        "Point",
        0,
        len(workspace.dataset) - 1,
        None,
        step=1,
        key=field.key,
        on_change=typed,
        width=140 if len(workspace.dataset) <= 10_000 else 180,
        help="A row of the data, counted from 0: type one, or step through them with the arrow "
        "keys. A click on a mark does the same.",
    )
    if settings.POINT_REFUSED.value:
        say(settings.POINT_REFUSED.value, st.caption, before=":material/info: ")
