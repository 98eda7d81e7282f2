"""Results in, Plotly figures out. Every figure has a table twin with the same content."""

from slp_core.figures.confusion import ConfusionDisplay
from slp_core.figures.map.data import MapData, MapLayers, MapPoints, map_table
from slp_core.figures.map.figure import map_caption, map_figure
from slp_core.figures.soft_labels import soft_labels_figure, soft_labels_table
from slp_core.figures.style.theme import DARK, LIGHT, PLOT_CONFIG, Theme, class_style

__all__ = [
    "DARK",
    "LIGHT",
    "PLOT_CONFIG",
    "ConfusionDisplay",
    "MapData",
    "MapLayers",
    "MapPoints",
    "Theme",
    "class_style",
    "map_caption",
    "map_figure",
    "map_table",
    "soft_labels_figure",
    "soft_labels_table",
]
