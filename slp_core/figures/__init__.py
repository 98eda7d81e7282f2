"""Results in, Plotly figures out. Every figure has a table twin with the same content."""

from slp_core.errors import missing

try:
    from slp_core.figures.confusion import ConfusionDisplay
    from slp_core.figures.map.data import MapData, MapLayers, MapPoints
    from slp_core.figures.map.figure import MapDisplay
    from slp_core.figures.style.theme import DARK, LIGHT, PLOT_CONFIG, Theme, class_style
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "plotly":
        raise
    raise missing("A figure", "plotly", "app") from None

__all__ = [
    "DARK",
    "LIGHT",
    "PLOT_CONFIG",
    "ConfusionDisplay",
    "MapData",
    "MapDisplay",
    "MapLayers",
    "MapPoints",
    "Theme",
    "class_style",
]
