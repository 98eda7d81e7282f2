"""Making a figure of what a display has put together."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import plotly.graph_objects as go

CHECKED = False
"""Whether Plotly looks at every value of every property: four fifths of the time that a figure
takes. The tests have it on, so that it need not be on for those who wait for a figure."""

_TYPED = {"i1", "i2", "i4", "u1", "u2", "u4", "f4", "f8"}
_PLAIN = {"geojson", "layer", "layers", "range"}  # what plotly.js does not take as bytes


class Figure(go.Figure):
    """A figure that, once it is kept, is put into the form of its file one time only."""

    _as_sent: dict[str, Any] | None = None

    def keep(self) -> Figure:
        """Say that it will not change any more."""
        self._as_sent = self.to_dict()
        return self

    def to_dict(self) -> dict[str, Any]:
        """Its parts, arrays as typed bytes; of a kept figure to be read only."""
        if self._as_sent is not None:
            return self._as_sent
        parts = {"data": self._data, "layout": self._layout}
        if self._frame_objs:
            parts["frames"] = [frame._props for frame in self._frame_objs]
        sent: dict[str, Any] = _sent(parts)
        return sent


def _sent(part: Any) -> Any:
    """A part of a figure in the form of its file, whose lists and names are its own."""
    if isinstance(part, dict):
        return {name: each if name in _PLAIN else _entry(each) for name, each in part.items()}
    return [_sent(each) for each in part] if isinstance(part, list | tuple) else part


def _entry(value: Any) -> Any:
    if hasattr(value, "to_numpy"):  # pandas
        value = value.to_numpy()
    return _typed(value) if isinstance(value, np.ndarray) else _sent(value)


def _typed(array: np.ndarray) -> Any:
    """An array as plotly.js reads it from bytes; itself where it has no bytes that it reads."""
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        least, most = np.min_scalar_type(array.min()), np.min_scalar_type(array.max())
        array = array.astype(np.result_type(least, most), copy=False)
    kind = f"{array.dtype.kind}{array.dtype.itemsize}"
    if kind not in _TYPED or not array.dtype.isnative or not array.size:
        return array.copy()
    spec = {"dtype": kind, "bdata": base64.b64encode(array.tobytes()).decode("ascii")}
    return spec | ({"shape": str(array.shape)[1:-1]} if array.ndim > 1 else {})


def figure_of(data: Any, layout: Any, frames: Any = None) -> Figure:
    """A figure of these traces and this layout."""
    return Figure(data, layout, frames, _validate=CHECKED)


def with_domains(figure: Figure) -> Figure:
    """The figure, saying in its ``meta`` what room was meant for axes that keep a shape."""
    layout = figure.layout.to_plotly_json()
    domains = {
        name: axis.get("domain", [0, 1])
        for name, axis in layout.items()
        if name[1:].startswith("axis") and axis.get("constrain") == "domain"
    }
    if domains:
        figure.layout.meta = {"domains": domains}
    return figure
