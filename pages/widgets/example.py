"""One example: as it is, and its prediction, in words and as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import pandas as pd
import streamlit as st

from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from pages.widgets.chart import show
from slp_core.data import FewShotDataset
from slp_core.data.images import image_of, pixel_svg
from slp_core.explain.text import place_text, point_text, surroundings_text
from slp_core.figures.point import PointDisplay

LONG, HEIGHT = 900, 320
"""Characters of a text that would push away what is said of it, and the pixels that it is given."""


def example(words: str, border: bool = True) -> None:
    with st.container(border=border, height=HEIGHT if len(words) > LONG else "content"):
        st.text(words)


def example_image(dataset: FewShotDataset, row: int | None) -> bool:
    """Draw a row of a dataset of images; False for other data and typed examples."""
    image = None if row is None else image_of(dataset, row)
    if image is None:
        return False
    alt = f"Example {row} as an image"
    st.image(pixel_svg(image, alt), alt=alt)
    return True


@cached_by(lambda dataset, rows: f"{dataset.digest} {list(rows)}", most=8)
def image_column(dataset: FewShotDataset, rows: Sequence[int]) -> dict[str, list[str]]:
    """A column of what the rows show, if they are images."""
    images = [image_of(dataset, row) for row in rows]
    svgs = [pixel_svg(image, "") for image in images if image is not None]
    return {"image": [f"data:image/svg+xml,{quote(svg)}" for svg in svgs]} if svgs else {}


def with_images(dataset: FewShotDataset, table: pd.DataFrame) -> pd.DataFrame:
    """A table with pictures for the texts of its rows, if they are images."""
    images = image_column(dataset, table["row"].tolist())
    return table.assign(text=images["image"]).rename(columns={"text": "image"}) if images else table


def example_row(dataset: FewShotDataset, row: int, border: bool = True) -> None:
    """A row of the dataset, as an image if it is one, else in words."""
    if not example_image(dataset, row):
        example(dataset.describe(row), border)


def point_words(title: str, workspace: Workspace, row: int) -> None:
    """The example and its prediction, with the nearest centroids and the next line."""
    reading = workspace.reading(row)
    st.markdown(title)
    example_row(workspace.dataset, row)
    st.markdown(point_text(reading))
    st.caption(surroundings_text(reading))


def point_figure(workspace: Workspace, row: int) -> None:
    reading = workspace.reading(row)
    display = PointDisplay(reading, row, key=f"{workspace.model_key} row {row}")
    show(display, of=f"row {row}")
    if reading.line is not None:
        st.caption(f"{place_text(reading)} {display.key_text()}")
