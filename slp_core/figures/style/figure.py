"""Making a figure of what a display has put together."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

CHECKED = False
"""Whether Plotly looks at every value of every property: four fifths of the time that a figure
takes. The tests have it on, so that it need not be on for those who wait for a figure."""


def figure_of(data: Any, layout: Any, frames: Any = None) -> go.Figure:
    """A figure of these traces and this layout.

    Parameters
    ----------
    data : trace or sequence of traces
        As dictionaries or objects.
    layout : dict or Layout
    frames : sequence of frames, optional

    Raises
    ------
    ValueError
        Where values are checked, for one that plotly.js does not know.
    """
    return go.Figure(data, layout, frames, _validate=CHECKED)
