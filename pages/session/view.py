"""A projection of the space that a page shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slp_core.views import Inverse, ProjectionMethod

GRID, ASPECT = 200, 1.15  # of landscapes; wider than high, like the map
LAYOUTS: tuple[ProjectionMethod, ...] = ("umap", "tsne", "decision_umap")


@dataclass(frozen=True)
class View:
    """A projection of the data, and what its landscape is computed on."""

    method: ProjectionMethod
    inverse: Inverse = "plane"
    options: tuple[tuple[str, Any], ...] = ()  # (str, Any)

    @property
    def looks_at_method(self) -> bool:
        """Whether the projection itself depends on the model."""
        return self.method in ("centroid_plane", "decision_plane", "decision_umap")

    @property
    def is_layout(self) -> bool:
        """Whether it takes seconds, and so runs as a job."""
        return self.method in LAYOUTS


PCA = View("pca")
