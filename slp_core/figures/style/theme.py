"""Colours, marker shapes and the look that every figure shares.

A class keeps its colour and its shape everywhere: both follow from its place in the class order,
but a class that is called after a colour has that colour.
The colours of either theme were chosen together, so that any two stay apart in normal vision and
in simulated protanopia, deuteranopia and tritanopia, as marks and as the tints of a landscape, and
every one stands out from the background (contrast 3 : 1 or more).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from plotly.colors import hex_to_rgb

from slp_core.figures.style.named_colours import palette_for
from slp_core.sentences import SHAPES, shape_of

FONT = "'Source Sans', 'Source Sans 3', 'Source Sans Pro', 'Segoe UI', system-ui, sans-serif"

# Plotly's markers with the shapes of `SHAPES`, in its order; they differ in area at one size, which
# the factor evens out.
_MARKERS = (
    ("circle", 1.0),
    ("square", 0.92),
    ("diamond", 1.08),
    ("triangle-up", 1.18),
    ("pentagon", 1.06),
    ("star", 1.32),
    ("triangle-down", 1.18),
    ("cross", 1.08),
    ("hexagon2", 1.06),
    ("x", 1.02),
    ("triangle-left", 1.18),
    ("star-diamond", 1.32),
    ("bowtie", 1.05),
)


@dataclass(frozen=True)
class Theme:
    """The colours of a light or a dark page, as ``#RRGGBB``."""

    name: Literal["light", "dark"]
    background: str
    grid: str
    text: str
    muted: str
    palette: tuple[str, ...]
    right: str
    wrong: str

    def for_classes(self, classes: tuple[str, ...]) -> Theme:
        """The theme in which classes called after a colour have it, and no other comes near it."""
        palette = palette_for(classes, self.palette, self.name == "dark")
        return replace(self, palette=palette)


LIGHT = Theme(
    name="light",
    background="#FFFFFF",
    grid="#E4E8EE",
    text="#1B2430",
    muted="#5B6878",
    palette=(
        "#2E5091",
        "#BE8101",
        "#01A984",
        "#9E0002",
        "#9530EB",
        "#017FAD",
        "#7D6B02",
        "#8671FF",
        "#5D1C51",
        "#EA6F5F",
        "#007461",
        "#AC82C4",
        "#464D38",
    ),
    right="#2E5091",
    wrong="#BC4A1F",
)

DARK = Theme(
    name="dark",
    background="#0E1117",
    grid="#28303C",
    text="#E9EEF5",
    muted="#9BA8B9",
    palette=(
        "#6185C8",
        "#FEAF02",
        "#05EBCE",
        "#FB687A",
        "#9451E1",
        "#3BB2D5",
        "#968E01",
        "#CAADFF",
        "#B3588B",
        "#DEF4D9",
        "#48D67F",
        "#D2D8FF",
        "#6C814A",
    ),
    right="#6185C8",
    wrong="#E8743B",
)


@dataclass(frozen=True)
class ClassStyle:
    """How a class is drawn."""

    color: str
    symbol: str
    scale: float
    character: str


def class_style(index: int, theme: Theme) -> ClassStyle:
    """The style of the class with this index in the class order."""
    shape = shape_of(index)
    symbol, scale = _MARKERS[shape]
    return ClassStyle(theme.palette[index % len(theme.palette)], symbol, scale, SHAPES[shape])


def blend(color: str, over: str, opacity: float) -> str:
    """The opaque ``#RRGGBB`` of one colour laid over another."""
    mixed = [
        round(opacity * top + (1 - opacity) * under)
        for top, under in zip(hex_to_rgb(color), hex_to_rgb(over), strict=True)
    ]
    return "#{:02X}{:02X}{:02X}".format(*mixed)


def ink_on(color: str) -> str:
    """Black or white, whichever stands out more from a colour: 4.5 : 1 or more, as WCAG reckons."""
    channels = np.array(hex_to_rgb(color)) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#FFFFFF"


def with_opacity(color: str, opacity: float) -> str:
    """The colour as a CSS ``rgba()``."""
    red, green, blue = hex_to_rgb(color)
    return f"rgba({red},{green},{blue},{opacity:g})"


@lru_cache(maxsize=32)
def _template(theme: Theme) -> go.layout.Template:
    axis = {
        "color": theme.muted,
        "gridcolor": theme.grid,
        "linecolor": theme.grid,
        "tickcolor": theme.grid,
        "zerolinecolor": theme.grid,
        "tickfont": {"color": theme.muted, "size": 12},
        "title": {"font": {"color": theme.muted, "size": 13}},
        # 2 × 10⁷, and not 20M: what is measured here has none of the units that letters go with.
        "exponentformat": "power",
        "minexponent": 5,
    }
    return go.layout.Template(
        layout={
            "colorway": list(theme.palette),
            "font": {"family": FONT, "color": theme.text, "size": 14},
            "title": {"font": {"color": theme.text}},
            "paper_bgcolor": theme.background,
            "plot_bgcolor": theme.background,
            "xaxis": axis,
            "yaxis": axis,
            "legend": {
                "bgcolor": with_opacity(theme.background, 0),
                "bordercolor": theme.grid,
                "font": {"color": theme.text, "size": 13},
                "title": {"font": {"color": theme.muted, "size": 13}},
            },
            "hoverlabel": {
                "bgcolor": theme.background,
                "bordercolor": theme.muted,
                "font": {"family": FONT, "color": theme.text, "size": 13},
                "align": "left",
            },
            "modebar": {
                "bgcolor": with_opacity(theme.background, 0),
                "color": theme.muted,
                "activecolor": theme.text,
            },
        }
    )


def base_layout(theme: Theme, **layout: Any) -> dict[str, Any]:
    """A Plotly layout with every colour set, so that no host page's template shows through."""
    return {
        "template": _template(theme),
        "font": {"family": FONT, "color": theme.text, "size": 14},
        "paper_bgcolor": theme.background,
        "plot_bgcolor": theme.background,
        **layout,
    }


# For st.plotly_chart(config=...) and write_html(config=...).
PLOT_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "scrollZoom": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg", "filename": "slp-explorer"},
}
