"""The methods that read texts and train the encoder, with what the app can afford of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import streamlit as st

from pages.session.workspace import Workspace
from slp_core.evaluation.protocol import get_method
from slp_core.evaluation.text_runs import can_be_trained


@dataclass(frozen=True)
class TextMethod:
    """A classifier that trains the encoder's layers on the support set.

    Attributes
    ----------
    name : str
        On the command line, where its settings are higher.
    title : str
    setting, value : str, int
        The parameter that the app lowers, and to what.
    unit : str
        What it counts, in the plural.
    package : str
        The optional package that it needs, if any.
    """

    name: str
    title: str
    setting: str
    value: int
    unit: str
    package: str = ""

    def make(self, encoder: str) -> Any:
        """A classifier that has not been fitted."""
        return get_method(self.name).make(0, encoder).set_params(**{self.setting: self.value})

    @property
    def effort(self) -> str:
        """What the app has it do, in words."""
        return f"{self.title} {self.value} {self.unit}"

    @property
    def missing(self) -> bool:
        """Whether its package is not installed."""
        return bool(self.package) and find_spec(self.package) is None

    def refusal(self, workspace: Workspace) -> str:
        """Why it cannot be run on these data through this encoder, in a sentence; or nothing."""
        if self.missing:
            return (
                f"{self.title} needs the package {self.package}, and is left out: "
                "`pip install -r requirements-extra.txt`."
            )
        if workspace.dataset.kind == "numeric":
            return (
                f"{self.title} trains an encoder on texts, and {workspace.dataset.title} is a "
                "table of numbers: it is left out."
            )
        if not can_be_trained(workspace.encoder):
            return (
                f"{self.title} trains the encoder, and {workspace.encoder.info.title} has no "
                "layers that can be trained here: choose a MiniLM or a meta-trained one."
            )
        return ""


TEXT_METHODS = {
    method.title: method
    for method in (
        TextMethod("meta_slp", "MetaSLP", "steps", 5, "steps a line"),
        TextMethod("lora", "LoRA", "epochs", 10, "epochs", package="peft"),
        TextMethod("fine_tuned", "Fine-tuned encoder", "epochs", 10, "epochs"),
        TextMethod("proto_net", "ProtoNet", "steps", 10, "steps"),
        TextMethod("setfit", "SetFit", "max_steps", 20, "steps at most", package="setfit"),
    )
}


@st.cache_resource(show_spinner="Getting ready to train, once …")
def ready_to_train() -> None:
    """Have torch imported now: SciPy, asked while a job imports it, trips over the half of it."""
    import_module("slp_core.methods.fine_tuned")


def efforts(methods: Sequence[TextMethod]) -> str:
    """What the app has each of them do, in words."""
    return ", ".join(dict.fromkeys(method.effort for method in methods))
