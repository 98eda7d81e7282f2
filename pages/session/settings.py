"""What the pages share, as one table: name, type, default, and whether the URL carries it.

Widgets are bound to their setting by key; a setting with ``url`` is read from the address on the
first visit and written back when it changes, so that a view can be sent to somebody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st


@dataclass(frozen=True)
class Setting:
    """One thing that a user chooses.

    Attributes
    ----------
    key : str
        In ``st.session_state``, and in the URL.
    kind : type
    default : Any
    url : bool
    """

    key: str
    kind: type
    default: Any
    url: bool = True

    def bound(self) -> dict[str, Any]:
        """Arguments that tie a widget to this setting."""
        if self.url:
            return {"key": self.key, "bind": "query-params"}
        return {"key": self.key, "persist_state": "session"}

    @property
    def value(self) -> Any:
        """What is chosen now."""
        return st.session_state.get(self.key, self.default)

    def set(self, value: Any) -> None:
        """Choose; only before the widget is drawn, or in a callback."""
        st.session_state[self.key] = value


DATASET = Setting("dataset", str, "Airline tweets")
DIMENSION = Setting("dimension", int, 16)
ENCODER = Setting("encoder", str, "MiniLM, layer 4")
OTHER_ENCODER = Setting("model", str, "")
NORMALISATION = Setting("normalisation", str, "unit length")
SHOTS = Setting("shots", int, 16)
DRAW = Setting("draw", int, 0)
METHOD = Setting("method", str, "constraintSLP")
PROJECTION = Setting("projection", str, "PCA")
LANDSCAPE = Setting("landscape", str, "slice")
NEIGHBOURS = Setting("neighbours", int, 15)
MIN_DIST = Setting("min_dist", float, 0.1)
DECISION_MIN_DIST = Setting("decision_min_dist", float, 0.3)
PERPLEXITY = Setting("perplexity", int, 30)
METRIC = Setting("metric", str, "straight")
MIX = Setting("mix", float, 0.5)
SHADE = Setting("shade", str, "lead")
COMPARISON = Setting("comparison", str, "side by side")
TEMPERATURE = Setting("temperature", str, "softmax(z)")
OVER = Setting("over", str, "w")
ELSEWHERE = Setting("elsewhere", str, "")
RUN_PRESET = Setting("run_preset", str, "prototype-initialised")
EPOCH = Setting("epoch", int, 0)
PACE = Setting("pace", str, "")
STARTED = Setting("started_runs", dict, {}, url=False)  # run key -> what to call it
LAYERS = Setting("layers", list, [])
POINT = Setting("point", int, None, url=False)  # a row of the dataset, clicked on the map
UPLOADING = Setting("uploading", bool, False, url=False)
UPLOADS = Setting("uploads", dict, {}, url=False)  # name -> FewShotDataset, this session's own
