"""Example views to open, each a link."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from pages.widgets.chart import theme

PICTURES = Path(__file__).with_name("sights")  # drawn by tools/draw_sights.py
# What meta-training alone does: the Encoders page begins with MiniLM beside it.
_ALONE = {"after_minilm-l4": "MetaSLP (Reptile) on MiniLM, layer 4"}


@dataclass(frozen=True)
class Sight:
    title: str
    sentence: str
    folder: str
    settings: Mapping[str, str]

    @property
    def link(self) -> str:
        return f"{self.folder}?{urlencode(self.settings)}"

    def picture(self, theme: str) -> Path:
        name = re.sub(r"\W+", "-", self.title.lower())
        return PICTURES / f"{name}-{theme}.webp"


GALLERY = (
    Sight(
        "A method that always predicts one class",
        "Three kinds of tweets, and constraintSLP predicts the same class for all of them.",
        "explore",
        {"dataset": "Airline tweets", "draw": "1", "method": "constraintSLP"},
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
    ),
    Sight(
        "Two prototypes, three classes",
        "The middle class has no prototype of its own. The soft labels of the two at the ends let "
        "it win between them.",
        "explore",
        {"dataset": "Blue, green, yellow", "method": "constraintSLP"},
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
    ),
    Sight(
        "A misleading projection",
        "A plane through hundreds of dimensions: at most held-out examples it does not show the "
        "class that the method predicts. The fidelity under the map says so.",
        "explore",
        {"dataset": "Emotions", "method": "DeepSLP", "projection": "PCA", "landscape": "slice"},
    ),
    Sight(
        "Uninformative centroids",
        "Three rings around one centre: their centroids nearly coincide, and the nearest centroid "
        "is usually the wrong class.",
        "explore",
        {"dataset": "Concentric rings", "method": "Nearest centroid"},
    ),
    Sight(
        "Variation across support sets",
        "With four examples per class, accuracy can depend more on which four they are than on "
        "the method.",
        "explore",
        {"dataset": "Disaster or not", "shots": "4", "method": "Nearest centroid"},
    ),
    Sight(
        "Training from random weights",
        "DeepSLP starts with random weights and ends with a higher accuracy. Drag the slider "
        "through its epochs.",
        "train",
        {"dataset": "Customer intents", "run_preset": "as in the paper"},
    ),
    Sight(
        "An encoder that helps",
        "After meta-training on other reviews, nearest centroid has a higher accuracy on these.",
        "encoders",
        {"dataset": "Product reviews", "encoder": "MiniLM, layer 4"} | _ALONE,
    ),
    Sight(
        "An encoder that harms",
        "After the same meta-training, nearest centroid has a lower accuracy on these tweets.",
        "encoders",
        {"dataset": "Disaster or not", "encoder": "MiniLM, layer 4"} | _ALONE,
    ),
)

_LECTURE = """<li class="wide"><a href="learn?lecture=prototypes"
title="From soft labels to meta-training, by arrow keys or a clicker.">
Lecture: eight scenes, shown large</a></li>"""
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def gallery() -> None:
    fold = st.popover("Examples", type="tertiary", on_change="rerun", key="gallery")
    if fold.open:
        with fold:
            st.caption("Each example opens with its own settings.")
            st.html(_links(theme().name))


@cache
def _links(theme: str) -> str:
    items = "".join(
        f'<li><a href="{escape(sight.link)}" title="{escape(sight.sentence)}">'
        f'<img alt="" src="data:image/webp;base64,{_bytes(sight.picture(theme))}">'
        f"{escape(sight.title)}</a></li>"
        for sight in GALLERY
    )
    return f"<style>{_STYLE}</style><ul class='sights'>{items}{_LECTURE}</ul>"


def _bytes(picture: Path) -> str:
    return b64encode(picture.read_bytes()).decode()
