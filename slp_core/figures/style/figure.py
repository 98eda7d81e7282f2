"""Making a figure of what a display has put together."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

CHECKED = False
"""Whether Plotly looks at every value of every property: four fifths of the time that a figure
takes. The tests have it on, so that it need not be on for those who wait for a figure."""


class Figure(go.Figure):
    """A figure that, once it is kept, is put into the form of its file one time only."""

    _as_sent: dict[str, Any] | None = None

    def keep(self) -> Figure:
        """Say that it will not change any more."""
        self._as_sent = super().to_dict()
        return self

    def to_dict(self) -> dict[str, Any]:
        """Its parts, arrays as typed bytes; of a kept figure to be read only."""
        if self._as_sent is not None:
            return self._as_sent
        parts: dict[str, Any] = super().to_dict()
        return parts


def figure_of(data: Any, layout: Any, frames: Any = None) -> Figure:
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
    return Figure(data, layout, frames, _validate=CHECKED)


def with_domains(figure: Figure) -> Figure:
    """The figure, saying in its ``meta`` what room was meant for axes that keep a shape.

    plotly.js writes the room that such an axis takes over the room that it was given. Drawn from
    that anew, as pages do, the axes would take of the smaller room what their shape leaves of it.
    """
    layout = figure.layout.to_plotly_json()
    domains = {
        name: axis.get("domain", [0, 1])
        for name, axis in layout.items()
        if name[1:].startswith("axis") and axis.get("constrain") == "domain"
    }
    if domains:
        figure.layout.meta = {"domains": domains}
    return figure
