"""Rows of a numeric dataset that are images: features called pixel_ROW_COLUMN, all of a grid."""

from __future__ import annotations

import html

import numpy as np

from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import pixel_places


def image_of(dataset: FewShotDataset, row: int) -> np.ndarray | None:
    """(height, width) of one row from 0 to 1, the least and the greatest feature; else None."""
    places, features = pixel_places(dataset.feature_names), dataset.examples.features
    if places is None or features is None:
        return None
    low, high = float(features.min()), float(features.max())
    image = np.zeros(places.max(axis=0) + 1)
    image[tuple(places.T)] = (features[row] - low) / ((high - low) or 1.0)
    return image


_SHADES = 16


def pixel_svg(image: np.ndarray, alt: str, width: int = 96) -> str:
    """An (h, w) image from 0 to 1 as an SVG element of so many pixels; ``alt`` is escaped."""
    rows, columns = image.shape
    marks = []
    shades = np.rint(np.clip(image, 0, 1) * _SHADES).astype(int)
    for shade in sorted(set(shades[shades > 0].tolist())):
        places = np.argwhere(shades == shade).tolist()
        squares = "".join(f"M{column} {row}h1v1h-1z" for row, column in places)
        marks.append(f'<path d="{squares}" opacity="{shade / _SHADES:.2g}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns} {rows}" width="{width}" '
        f'height="{round(width * rows / columns)}" shape-rendering="crispEdges" role="img" '
        f'aria-label="{html.escape(alt, quote=True)}"><path fill="#fff" '
        f'd="M0 0h{columns}v{rows}H0z"/>{"".join(marks)}</svg>'
    )
