"""How one example is predicted, as one picture whose numbers can be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.session.cache import cached_by
from pages.session.component import component
from pages.session.workspace import Workspace
from pages.widgets.chart import theme
from slp_core.data import Examples
from slp_core.data.images import image_of
from slp_core.encoders.tokens import Token
from slp_core.explain import PointReading
from slp_core.figures.style.theme import Theme
from slp_core.figures.way import Source, way_data

if TYPE_CHECKING:
    import numpy as np

_component = component(__file__, "way")


def row_way(workspace: Workspace, row: int, place: str) -> None:
    """The picture for a row of the dataset; ``place`` distinguishes several on a page."""
    example, image = workspace.dataset.examples.take([row]), image_of(workspace.dataset, row)
    point_way(workspace, workspace.called(row), example, workspace.reading(row), place, image)


def point_way(
    workspace: Workspace,
    title: str,
    example: Examples,
    reading: PointReading,
    place: str,
    image: np.ndarray | None = None,
) -> None:
    names = workspace.dataset.feature_names or ()
    source = Source(title, example, _tokens(workspace, example), names, image)
    draw_way(reading, source, theme(), place, f"{workspace.model_key} {example.digest}")


def draw_way(reading: PointReading, source: Source, look: Theme, place: str, key: str) -> None:
    """Draw it; changed numbers stay until the example or the method changes."""
    data = way_data(reading, source, look) | {"key": key}
    _component(key=f"way {place}", data=data, height="content")


@cached_by(lambda workspace, example: f"{workspace.data_key} {example.digest}")
def _tokens(workspace: Workspace, example: Examples) -> tuple[Token, ...]:
    return workspace.encoder.tokens(workspace.dataset.examples, example)
