"""Every hyperparameter of a training run."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.pickers import option_widget
from slp_core.methods.options import LINES, PRESET
from slp_core.methods.table import METHODS

DEEP_SLP = METHODS["deep_slp"]
CUSTOM = "custom"


def run_options(workspace: Workspace) -> dict[str, Any]:
    """Widgets for a run of DeepSLP; returns the classifier's parameters.

    What has to do with lines is the sidebar's, where that is set to DeepSLP.
    """
    from_sidebar = dict(workspace.options) if workspace.method is DEEP_SLP else {}
    presets = [*PRESET.choices, CUSTOM]
    chosen = st.selectbox("Preset", presets, help=PRESET.help, **settings.RUN_PRESET.bound())
    options = from_sidebar | {PRESET.parameter: PRESET.choices.get(chosen, "prototype")}
    with st.expander("Hyperparameters", expanded=chosen == CUSTOM):
        training = DEEP_SLP.training if chosen == CUSTOM else ()
        asked = [*(option for option in DEEP_SLP.more if option not in LINES), *training]
        options |= {option.parameter: option_widget(option, "run_") for option in asked}
        if chosen != CUSTOM:
            st.caption(
                "Epochs, rates and batches are the preset's; choose *custom* to set them yourself."
            )
    return options
