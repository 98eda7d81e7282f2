"""Every hyperparameter of a training run."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.pickers import option_widget
from pages.widgets.training import CUSTOM, DEEP_SLP
from slp_core.methods.options import LINES, PRESET

SIDEBAR = "as in the sidebar"


def run_options(workspace: Workspace) -> dict[str, Any]:
    """Widgets for a run of DeepSLP; returns the classifier's parameters."""
    in_sidebar = workspace.method is DEEP_SLP
    choices = [SIDEBAR, CUSTOM] if in_sidebar else [*PRESET.choices, CUSTOM]
    label = "Hyperparameters" if in_sidebar else PRESET.label
    bound = settings.RUN_PRESET.bound(choices[0], options=choices)
    chosen = st.selectbox(label, help=PRESET.help, **bound)
    options = {PRESET.parameter: PRESET.choices.get(chosen, "prototype")}
    if in_sidebar:
        options = dict(workspace.options)
    asked = [*(DEEP_SLP.training if chosen == CUSTOM else ())]
    if not in_sidebar:
        asked = [*(option for option in DEEP_SLP.more if option not in LINES), *asked]
    if asked:
        with st.expander("Options", expanded=chosen == CUSTOM):
            options |= {option.parameter: option_widget(option, "run_") for option in asked}
    if chosen != CUSTOM:
        whose = "the sidebar's preset's" if in_sidebar else "the preset's"
        st.caption(f"Epochs, rates and batches are {whose}; choose *custom* to set them yourself.")
    return options
