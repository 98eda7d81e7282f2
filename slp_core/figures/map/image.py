"""A landscape as an image: class colours, stronger where the margin or confidence is higher."""

from __future__ import annotations

import base64
import io
import zlib
from typing import Any

import numpy as np
from PIL import Image
from plotly.colors import hex_to_rgb

from slp_core.figures.map.data import Shade
from slp_core.figures.style.theme import Theme, class_style
from slp_core.views import Landscape

FAINTEST, STRONGEST = 0.10, 0.46  # opacity of a class colour over the background
_MASK = 0.28  # opacity of a mask


def landscape_image(landscape: Landscape, shade: Shade, theme: Theme) -> dict[str, Any]:
    """A landscape's predictions as a layout image, with its shade as colour intensity."""
    values = getattr(landscape, shade)
    low, high = shade_range(landscape, shade)
    strength = (values - low) / (high - low) if high > low else np.full(values.shape, 0.5)
    return image_under(landscape, landscape_png(landscape.labels, strength, theme))


def shade_range(landscape: Landscape, shade: Shade) -> tuple[float, float]:
    """The values of the faintest and the strongest shade, without a few extremes."""
    low, high = np.quantile(getattr(landscape, shade), [0.0, 0.99])
    return float(low), float(high)


def image_under(landscape: Landscape, source: str) -> dict[str, Any]:
    """A layout image that covers a landscape's grid; a pixel is centred on its grid point."""
    step_x, step_y = (axis[1] - axis[0] for axis in (landscape.x, landscape.y))
    return {
        "source": source,
        "xref": "x",
        "yref": "y",
        "x": float(landscape.x[0] - step_x / 2),
        "y": float(landscape.y[-1] + step_y / 2),
        "sizex": float(landscape.x[-1] - landscape.x[0] + step_x),
        "sizey": float(landscape.y[-1] - landscape.y[0] + step_y),
        "sizing": "stretch",
        "layer": "below",
    }


def landscape_png(labels: np.ndarray, strength: np.ndarray, theme: Theme) -> str:
    """A PNG data URI of a grid of predictions, its first row at the bottom."""
    used = int(labels.max()) + 1
    palette = np.array([hex_to_rgb(class_style(k, theme).color) for k in range(used)], dtype=float)
    under = np.array(hex_to_rgb(theme.background), dtype=float)
    opacity = FAINTEST + (STRONGEST - FAINTEST) * np.clip(strength, 0.0, 1.0)
    pixels = under + opacity[..., None] * (palette[labels] - under)
    return _data_uri(pixels)


def mask_png(mask: np.ndarray, theme: Theme) -> str:
    """A PNG data URI of a (h, w) bool grid, grey where it is true; its first row at the bottom."""
    under, over = (np.array(hex_to_rgb(c), dtype=float) for c in (theme.background, theme.muted))
    return _data_uri(under + (_MASK * mask)[..., None] * (over - under))


def _data_uri(pixels: np.ndarray) -> str:
    image = Image.fromarray(np.rint(pixels[::-1]).astype(np.uint8))
    buffer = io.BytesIO()
    # Runs of a pixel alone: a quarter of the time of a search for all that is alike, a sixth larger
    image.save(buffer, format="PNG", compress_type=zlib.Z_RLE)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
