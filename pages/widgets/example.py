"""An example as it is: its texts, or its numbers as an image."""

from __future__ import annotations

import streamlit as st

from slp_core.data import FewShotDataset
from slp_core.data.images import image_of, pixel_svg

LONG, HEIGHT = 900, 320
"""Characters of a text that would push away what is said of it, and the pixels that it is given."""


def example(words: str, border: bool = True) -> None:
    """The texts, escaped."""
    with st.container(border=border, height=HEIGHT if len(words) > LONG else "content"):
        st.text(words)


def example_image(dataset: FewShotDataset, row: int | None) -> None:
    """Draw a row of a dataset of images; nothing for other data or typed examples."""
    image = None if row is None else image_of(dataset, row)
    if image is not None:
        st.html(pixel_svg(image, f"Example {row} as an image"))
