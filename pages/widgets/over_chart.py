"""The ring of the selected point above a chart, and a click handler for its marks.

Streamlit makes a chart anew when its figure changes, which blanks it and forgets its zoom, and
takes a second click on one mark for taking the choice back. So charts are drawn without the ring
and without Streamlit's selection, and a small component beside them sees to both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from slp_core.figures.display import HALO, WIDTH, Spot
from slp_core.figures.style.theme import Theme

_JS = Path(__file__).with_name("over_chart.js").read_text(encoding="utf-8")
_component = st.components.v2.component("over_chart", js=_JS)


def over_chart(
    key: str, ring: Sequence[Spot], look: Theme, on_click: Callable[..., None] | None
) -> None:
    """Draw the ring over the chart in the same container, and report clicks."""

    def clicked() -> None:
        here: Any = st.session_state.get(key)  # None where another chart has taken its place
        if here is not None and here.clicked is not None and on_click is not None:
            on_click(*map(int, here.clicked))

    data = {
        "ring": [asdict(spot) | {"path": spot.path} for spot in ring],
        **{"width": WIDTH, "halo": HALO},
        **{"color": look.text, "background": look.background},
    }
    _component(key=key, data=data, height="content", on_clicked_change=clicked)
