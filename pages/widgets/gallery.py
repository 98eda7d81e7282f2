"""Examples to open, each a link."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

import streamlit as st

from slp_core.figures.style.theme import LIGHT, class_style

_A, _B, _C = (class_style(place, LIGHT).color for place in range(3))
_BLUE, _GREEN, _YELLOW = LIGHT.for_classes(("blue", "green", "yellow")).palette
_INK = "#7f8794"  # seen on white and on black

# What meta-training alone does: the Encoders page begins with MiniLM beside it.
_ALONE = {"after_minilm-l4": "MetaSLP (Reptile) on MiniLM, layer 4"}


@dataclass(frozen=True)
class Sight:
    """A view, and what it shows."""

    title: str
    sentence: str
    folder: str
    settings: Mapping[str, str]
    drawing: str

    @property
    def link(self) -> str:
        """The address, from the app's own."""
        return f"{self.folder}?{urlencode(self.settings)}"

    @property
    def picture(self) -> str:
        """The drawing as an image's address."""
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="72" height="48" viewBox="0 0 72 48">'
            f"<rect x='.5' y='.5' width='71' height='47' rx='5' fill='none' stroke='{_INK}'/>"
            f"{self.drawing}</svg>"
        )
        return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def _dot(x: float, y: float, color: str = _INK, r: float = 3) -> str:
    return f"<circle cx='{x}' cy='{y}' r='{r}' fill='{color}'/>"


def _ring(x: float, y: float, color: str = _INK, r: float = 5) -> str:
    return f"<circle cx='{x}' cy='{y}' r='{r}' fill='none' stroke='{color}' stroke-width='2'/>"


def _block(x: float, width: float, color: str, opacity: float = 0.55) -> str:
    return f"<rect x='{x}' y='4' width='{width}' height='40' fill='{color}' opacity='{opacity}'/>"


def _path(d: str, color: str = _INK, width: float = 2) -> str:
    return f"<path d='{d}' fill='none' stroke='{color}' stroke-width='{width}'/>"


_ARROW = _path("M30 24h11m-4 -4l4 4l-4 4")

GALLERY = (
    Sight(
        "A method that always predicts one class",
        "Three kinds of tweets, and constraintSLP predicts the same class for all of them.",
        "explore",
        {"dataset": "Airline tweets", "draw": "1", "method": "constraintSLP"},
        _block(4, 64, _A) + _dot(18, 16, _A) + _dot(36, 32, _B) + _dot(54, 18, _C),
    ),
    Sight(
        "One switch brings the others back",
        "The same soft labels, with distances projected onto the line: all three classes are "
        "predicted, and accuracy is higher.",
        "explore",
        {
            "dataset": "Airline tweets",
            "draw": "1",
            "method": "constraintSLP",
            "distance": "projected onto the line",
        },
        _block(4, 21, _B) + _block(25, 22, _A) + _block(47, 21, _C) + _path("M10 24H62"),
    ),
    Sight(
        "Two prototypes, three classes",
        "The middle class has no prototype of its own. The soft labels of the two at the ends let "
        "it win between them.",
        "explore",
        {"dataset": "Blue, green, yellow", "method": "constraintSLP"},
        _path("M14 24H58") + _ring(14, 24, _BLUE, 7) + _ring(58, 24, _YELLOW, 7)
        + _dot(36, 24, _GREEN, 4),
    ),
    Sight(
        "More dimensions, fewer classes predicted",
        "In two dimensions all three classes are predicted. In 512 the two at the ends of the "
        "line never are.",
        "explain",
        {
            "dataset": "A, B and C in many dimensions",
            "dimension": "512",
            "method": "constraintSLP",
        },
        _block(4, 14, _A, 0.25)
        + _block(18, 36, _B)
        + _block(54, 14, _C, 0.25)
        + "".join(_dot(33 + 2 * i, 16 + 4 * i) for i in range(5)),
    ),
    Sight(
        "A misleading projection",
        "A plane through hundreds of dimensions: at most held-out examples it does not show the "
        "class that the method predicts. The fidelity under the map says so.",
        "explore",
        {"dataset": "Emotions", "method": "DeepSLP", "projection": "PCA", "landscape": "slice"},
        _block(4, 32, _A) + _block(36, 32, _B) + _dot(18, 24, _B, 4) + _dot(54, 24, _A, 4),
    ),
    Sight(
        "Uninformative centroids",
        "Three rings around one centre: their centroids nearly coincide, and the nearest centroid "
        "is usually the wrong class.",
        "explore",
        {"dataset": "Concentric rings", "method": "Nearest centroid"},
        _ring(36, 24, _A, 6) + _ring(36, 24, _B, 13) + _ring(36, 24, _C, 20),
    ),
    Sight(
        "Variation across support sets",
        "With four examples per class, accuracy can depend more on which four they are than on "
        "the method.",
        "explore",
        {"dataset": "Disaster or not", "shots": "4", "method": "Nearest centroid"},
        _path("M8 40H64") + "".join(
            _dot(x, y, _A) for x, y in ((12, 30), (24, 14), (36, 36), (48, 22), (60, 10))
        ),
    ),
    Sight(
        "Training from random weights",
        "DeepSLP starts with random weights and ends with a higher accuracy. Drag the slider "
        "through its epochs.",
        "train",
        {"dataset": "Customer intents", "run_preset": "as in the paper"},
        _path("M8 8V40H64") + _path("M10 38C22 36 24 14 62 12", _A, 2.5),
    ),
    Sight(
        "An encoder that helps",
        "After meta-training on other reviews, nearest centroid has a higher accuracy on these.",
        "encoders",
        {"dataset": "Product reviews", "encoder": "MiniLM, layer 4"} | _ALONE,
        _dot(14, 18, _A) + _dot(20, 28, _B) + _dot(12, 32, _A) + _ARROW
        + _dot(50, 12, _A) + _dot(54, 18, _A) + _dot(56, 38, _B),
    ),
    Sight(
        "An encoder that harms",
        "After the same meta-training, nearest centroid has a lower accuracy on these tweets.",
        "encoders",
        {"dataset": "Disaster or not", "encoder": "MiniLM, layer 4"} | _ALONE,
        _dot(14, 12, _A) + _dot(20, 18, _A) + _dot(14, 38, _B) + _ARROW
        + _dot(52, 20, _A) + _dot(58, 26, _B) + _dot(50, 32, _A),
    ),
)  # fmt: skip


_STYLE = """
.sights { list-style: none; margin: 0 !important; padding: 0 !important; }
.sights li { margin: 0 !important; padding: 0 !important; }
.sights a { display: flex; gap: 0.75rem; padding: 0.4rem; border-radius: 0.5rem; color: inherit;
  text-decoration: none; align-items: flex-start; }
.sights a:hover, .sights a:focus-visible { background: rgb(127 135 148 / 0.16); }
.sights b { text-decoration: underline; }
.sights img { flex: none; }
"""


def gallery() -> None:
    """A button that opens the examples, which are drawn only then."""
    fold = st.popover("Examples", type="tertiary", on_change="rerun", key="gallery")
    if fold.open:
        with fold:
            st.markdown("Each example opens with its own settings.")
            st.html(f"<style>{_STYLE}</style><ul class='sights'>{_items()}</ul>")


def _items() -> str:
    return "".join(
        f'<li><a href="{escape(sight.link)}"><img src="{sight.picture}" alt="" '
        f'width="72" height="48"><span><b>{escape(sight.title)}</b><br>{escape(sight.sentence)}'
        "</span></a></li>"
        for sight in GALLERY
    )
