"""Colours, marker shapes and the look of all figures."""

from __future__ import annotations

from colorsys import rgb_to_hls
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
from plotly.colors import hex_to_rgb

from slp_core.sentences import SHAPES, shape_of

_CLEAR = 30 / 360  # of the colour circle: no other class comes nearer to a named hue

# Words of English, German, French, Spanish, Italian, Portuguese and Dutch; light and dark colour
_TABLE = {
    "red rot rouge rojo roja rosso rossa vermelho vermelha rood": ("#D32F2F", "#FF5C5C"),
    "orange naranja arancione laranja oranje": ("#D96C00", "#FF9A3C"),
    "yellow gelb jaune amarillo amarilla giallo gialla amarelo amarela geel": (
        "#A88B00",
        "#FFDD40",
    ),
    "green grün vert verte verde groen": ("#1E8E3E", "#4CD964"),
    "turquoise türkis cyan teal turquesa turchese": ("#00838F", "#3FD0D4"),
    "blue blau bleu bleue azul blu blauw": ("#1F5FD0", "#5B9BFF"),
    "purple violet violett lila violette morado morada viola roxo roxa paars": (
        "#7B2FBE",
        "#B57BFF",
    ),
    "pink rosa rose roze": ("#D6498F", "#FF8AC4"),
    "brown braun marron marrón marrone castanho bruin": ("#7A4A21", "#B98A5E"),
}
NAMED = {word: colours for words, colours in _TABLE.items() for word in words.split()}


def palette_for(classes: tuple[str, ...], palette: tuple[str, ...], dark: bool) -> tuple[str, ...]:
    """Colours of these classes: the named ones, and of the palette what is clear of them."""
    named = [NAMED.get(name.strip().casefold(), (None, None))[dark] for name in classes]
    hues = [_hue(colour) for colour in named if colour]
    if not hues:
        return palette
    clear = [c for c in palette if all(_apart(_hue(c), hue) >= _CLEAR for hue in hues)]
    usual = [palette[place % len(palette)] for place in range(len(classes))]
    kept = {usual[place] for place, colour in enumerate(named) if not colour}
    spare = [c for c in clear if c not in kept] or clear or list(palette)
    chosen, used = [], 0
    for colour, own in zip(named, usual, strict=True):
        if colour is None and own not in clear:
            colour, used = spare[used % len(spare)], used + 1
        chosen.append(colour or own)
    return tuple(chosen)


def _hue(colour: str) -> float:
    red, green, blue = hex_to_rgb(colour)
    return rgb_to_hls(red / 255, green / 255, blue / 255)[0]


def _apart(one: float, other: float) -> float:
    away = abs(one - other)
    return min(away, 1 - away)


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
    correct: str
    wrong: str

    def for_classes(self, classes: tuple[str, ...], made: tuple[str, ...] = ()) -> Theme:
        """The theme in which classes named after a colour have it, and no other comes near it.

        Colours go by the order in which classes were made, where that is known.
        """
        palette = palette_for(made or classes, self.palette, self.name == "dark")
        if made:
            palette = tuple(palette[made.index(name) % len(palette)] for name in classes)
        return replace(self, palette=palette)


# Colours of either theme stay apart in normal vision and in simulated protanopia, deuteranopia and
# tritanopia, as marks and as tints, and stand out from the background (contrast 3 : 1 or more).
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
    correct="#2E5091",
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
    correct="#6185C8",
    wrong="#E8743B",
)


@dataclass(frozen=True)
class ClassStyle:
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
        # Most charts show all that there is: there is nothing to zoom into.
        "fixedrange": True,
        "zeroline": False,
        "automargin": True,
    }
    return go.layout.Template(
        layout={
            "colorway": list(theme.palette),
            "title": {"font": {"color": theme.text}},
            "margin": dict.fromkeys("lrtb", 8),
            "xaxis": axis,
            "yaxis": axis,
            "legend": {
                **{"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
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


def chart(theme: Theme, traces: Any, **layout: Any) -> go.Figure:
    """A figure with every colour set, so that no host page's template shows through."""
    return go.Figure(
        traces,
        {
            "template": _template(theme),
            "font": {"family": FONT, "color": theme.text, "size": 14},
            "paper_bgcolor": theme.background,
            "plot_bgcolor": theme.background,
            **layout,
        },
    )


# For st.plotly_chart(config=...) and write_html(config=...).
PLOT_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "scrollZoom": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg", "filename": "slp-explorer"},
}
