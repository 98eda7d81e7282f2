"""Widgets that choose the same kind of thing on several pages."""

from __future__ import annotations

from typing import Any

import streamlit as st

from slp_core.methods.options import Choice, Option


def option_widget(option: Option, prefix: str = "") -> Any:
    """A widget for a method's option, kept in the address; returns what the estimator takes.

    Parameters
    ----------
    option : Option
    prefix : str
        Of its key, where a page has an option of its own that the sidebar has too.
    """
    bound: dict[str, Any] = {
        "key": f"{prefix}{option.url_key}",
        "bind": "query-params",
        "help": option.help,
    }
    if isinstance(option, Choice):
        return option.choices[st.selectbox(option.label, list(option.choices), **bound)]
    limits = ("min_value", option.low), ("max_value", option.high)
    steps = ("value", option.default), ("step", option.step)
    bound |= {name: option.kind(value) for name, value in (*limits, *steps)}
    return st.number_input(
        f"{option.label} ({option.low:g} to {option.high:g})",
        format="%d" if option.whole else "%.4g",
        **bound,
    )
