"""Views worth a look, each a link: for whoever wants to see something before learning the words.

What a view claims is fixed prose; tests compute each claim on the view's own settings.
"""

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
    """A view with what is to be seen there."""

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
        """The drawing as an image's address; it says nothing that the title does not."""
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
        "The method that always answers one class",
        "Three kinds of tweets, and constraintSLP gives every one of them the same answer.",
        "explore",
        {"dataset": "Airline tweets", "draw": "1", "method": "constraintSLP"},
        _block(4, 64, _A) + _dot(18, 16, _A) + _dot(36, 32, _B) + _dot(54, 18, _C),
    ),
    Sight(
        "One switch brings the others back",
        "The same soft labels on the same tweets, with distances taken along the line: all three "
        "classes are answered, and more answers are right.",
        "explore",
        {
            "dataset": "Airline tweets",
            "draw": "1",
            "method": "constraintSLP",
            "distance": "along the line",
        },
        _block(4, 21, _B) + _block(25, 22, _A) + _block(47, 21, _C) + _path("M10 24H62"),
    ),
    Sight(
        "Two prototypes, three classes",
        "The class in the middle has no prototype of its own: the two at the ends share their "
        "votes so that it wins between them.",
        "explore",
        {"dataset": "Blue, green, yellow", "method": "constraintSLP"},
        _path("M14 24H58") + _ring(14, 24, _BLUE, 7) + _ring(58, 24, _YELLOW, 7)
        + _dot(36, 24, _GREEN, 4),
    ),
    Sight(
        "The more dimensions, the fewer answers",
        "The same three classes: in two dimensions all are answered, here the two at the ends of "
        "the line have fallen silent. See the strip of w.",
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
        "The picture that lies",
        "A flat slice through hundreds of dimensions: at most of the points held out of it, it "
        "shows another class than the method answers. The page says so under the map.",
        "explore",
        {"dataset": "Emotions", "method": "DeepSLP", "projection": "PCA", "landscape": "slice"},
        _block(4, 32, _A) + _block(36, 32, _B) + _dot(18, 24, _B, 4) + _dot(54, 24, _A, 4),
    ),
    Sight(
        "Centroids that say nothing",
        "Three rings around one middle: their centroids all but coincide, and the nearest one is "
        "wrong more often than right.",
        "explore",
        {"dataset": "Concentric rings", "method": "Nearest centroid"},
        _ring(36, 24, _A, 6) + _ring(36, 24, _B, 13) + _ring(36, 24, _C, 20),
    ),
    Sight(
        "The luck of the draw",
        "With four examples of each class, which four they are can matter more than the method: "
        "see how far the draws lie apart.",
        "explore",
        {"dataset": "Disaster or not", "shots": "4", "method": "Nearest centroid"},
        _path("M8 40H64") + "".join(
            _dot(x, y, _A) for x, y in ((12, 30), (24, 14), (36, 36), (48, 22), (60, 10))
        ),
    ),
    Sight(
        "Learning from scratch, before your eyes",
        "DeepSLP begins with random weights and ends with more right answers. Drag the slider "
        "under the picture through its epochs.",
        "train",
        {"dataset": "Customer intents", "run_preset": "as in the paper"},
        _path("M8 8V40H64") + _path("M10 38C22 36 24 14 62 12", _A, 2.5),
    ),
    Sight(
        "The encoder that helps",
        "Meta-training on other people's reviews: the nearest centroid gets more of these reviews "
        "right after it than before.",
        "encoders",
        {"dataset": "Product reviews", "encoder": "MiniLM, layer 4"} | _ALONE,
        _dot(14, 18, _A) + _dot(20, 28, _B) + _dot(12, 32, _A) + _ARROW
        + _dot(50, 12, _A) + _dot(54, 18, _A) + _dot(56, 38, _B),
    ),
    Sight(
        "The encoder that harms",
        "The same meta-training, other texts: it has forgotten something that these tweets need, "
        "and the nearest centroid gets fewer right.",
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
    """A button that opens the gallery; nothing is drawn before it is asked for."""
    fold = st.popover("Examples", type="tertiary", on_change="rerun", key="gallery")
    if fold.open:
        with fold:
            st.markdown("**Views worth a look.** Each opens with settings of its own.")
            st.html(f"<style>{_STYLE}</style><ul class='sights'>{_items()}</ul>")


def _items() -> str:
    return "".join(
        f'<li><a href="{escape(sight.link)}"><img src="{sight.picture}" alt="" '
        f'width="72" height="48"><span><b>{escape(sight.title)}</b><br>{escape(sight.sentence)}'
        "</span></a></li>"
        for sight in GALLERY
    )
