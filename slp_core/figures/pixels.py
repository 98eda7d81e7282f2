"""A small image as SVG: dark on light, in either theme."""

from __future__ import annotations

import html

import numpy as np

_SHADES = 16


def pixel_svg(image: np.ndarray, alt: str, width: int = 96) -> str:
    """An (h, w) image from 0 to 1 as an SVG element of so many pixels; ``alt`` is escaped."""
    rows, columns = image.shape
    marks = []
    for (row, column), value in np.ndenumerate(image):
        shade = round(float(np.clip(value, 0, 1)) * _SHADES)
        if shade:
            marks.append(f'<path d="M{column} {row}h1v1h-1z" opacity="{shade / _SHADES:.2g}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns} {rows}" width="{width}" '
        f'height="{round(width * rows / columns)}" shape-rendering="crispEdges" role="img" '
        f'aria-label="{html.escape(alt, quote=True)}"><path fill="#fff" '
        f'd="M0 0h{columns}v{rows}H0z"/>{"".join(marks)}</svg>'
    )
