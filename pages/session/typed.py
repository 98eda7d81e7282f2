"""Where the encoder puts an example that was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from slp_core.data import Examples

if TYPE_CHECKING:
    import numpy as np


@cached_by(
    lambda workspace, examples: f"{workspace.vectors_key} {examples.digest}",
    max_entries=64,
)
def typed_vector(workspace: Workspace, examples: Examples) -> np.ndarray:
    """(d,) as a row of the dataset: with its own mean and deviation, or the support set's."""
    known = workspace.dataset.examples
    if workspace.encoder.by_draw:
        known = known.take(workspace.episode.support)
    vector: np.ndarray = workspace.encoder.encode_like(known, examples)[0]
    return vector
