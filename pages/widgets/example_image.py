"""An example of numbers that is an image, as one."""

from __future__ import annotations

import streamlit as st

from slp_core.data import FewShotDataset
from slp_core.data.images import image_of, pixel_svg


def example_image(dataset: FewShotDataset, row: int | None) -> None:
    """Draw a row of a dataset of images; nothing for other data, or for what was typed."""
    image = None if row is None else image_of(dataset, row)
    if image is not None:
        st.html(pixel_svg(image, f"Example {row} as an image"))
