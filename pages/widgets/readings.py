"""Results that several pages compute from a fitted model, cached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from slp_core.diagnostics.ensemble import EnsembleDiagnostics, ensemble_diagnostics
from slp_core.diagnostics.members import Temperature
from slp_core.explain import Causes, read_causes
from slp_core.explain.causes import Headline, headline
from slp_core.explain.profile import LineProfile, half_planes, labels_at, line_profile
from slp_core.explain.soft_labels import SoftLabels, read_soft_labels
from slp_core.figures.line.strip import WStripDisplay

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class LineView:
    """A line with its query examples."""

    profile: LineProfile
    soft_labels: np.ndarray  # (2, K)
    texts: Sequence[str]  # of every row of the dataset
    half_planes: dict[bool, LineProfile]
    key: str

    def strip(self, key: str = "", **options: Any) -> WStripDisplay:
        """The strip over w; ``key`` names the options shown."""
        key = f"{self.key} {key}".rstrip()
        return WStripDisplay(self.profile, self.soft_labels, self.texts, key=key, **options)

    @property
    def number(self) -> int:
        return self.profile.number

    @property
    def local(self) -> bool:
        """Whether soft labels depend on the example."""
        return self.profile.soft_labels is None


@cached_by(lambda workspace: workspace.model_key)
def causes_of(workspace: Workspace) -> Causes:
    episode = workspace.episode
    X, centroids = workspace.X[episode.query], workspace.centroids
    return read_causes(workspace.model, X, episode.y_query, centroids, workspace.predictions)


@cached_by(lambda workspace: workspace.model_key)
def headline_of(workspace: Workspace) -> Headline:
    return headline(workspace.model, workspace.method.title, causes_of(workspace))


def line_view(
    workspace: Workspace, number: int, x: np.ndarray, shown: np.ndarray, shown_key: str
) -> LineView:
    model = workspace.line_model
    examples = causes_of(workspace).examples.assign(row=workspace.episode.query, shown=shown)
    profile = line_profile(model, number, examples)
    planes = half_planes(profile, model.distance == "along_line")
    key = f"{workspace.model_key} {number} {shown_key}"
    return LineView(profile, labels_at(model, number, x), workspace.texts, planes, key)


@cached_by(lambda workspace, temperature: f"{workspace.model_key} {temperature}")
def diagnostics_of(workspace: Workspace, temperature: Temperature) -> EnsembleDiagnostics:
    *_, X, y = workspace.arrays
    return ensemble_diagnostics(workspace.model, X, y, temperature)


@cached_by(lambda workspace, name: f"{workspace.model_key} {name}")
def labels_of(workspace: Workspace, name: str) -> SoftLabels:
    return read_soft_labels(workspace.model, name, workspace.X[workspace.episode.query])
