"""Where the encoder puts an example that was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from slp_core.data import Examples

if TYPE_CHECKING:
    import numpy as np


@cached_by(
    lambda workspace, examples: f"{workspace.data_key} {examples.digest}",
    max_entries=64,
)
def typed_vector(workspace: Workspace, examples: Examples) -> np.ndarray:
    """(d,) as a row of the dataset: with the dataset's own mean and deviation where these count."""
    vector: np.ndarray = workspace.encoder.encode_like(workspace.dataset, examples)[0]
    return vector
