"""The dataset, its embeddings, the fitted method and its predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import streamlit as st

import slp_core as slp
from pages.session.cache import cached_by
from pages.session.jobs import LONG, PICTURES, SHORT, Job, job_pool
from pages.session.public import NO_FOLDERS, limits, may_download
from pages.session.text import encoding_text
from slp_core.data import Episode, Examples, FewShotDataset
from slp_core.data.edits import NONE, Edits
from slp_core.data.typed_shots import TypedBeside
from slp_core.encoders import ByDraw, Encoder, Normalisation, Vectors
from slp_core.encoders.combine import CombinedEncoder, shares_on
from slp_core.encoders.text import shares_text
from slp_core.evaluation.draws import EpisodeArrays, accuracy_over_draws, arrays_of
from slp_core.explain import PointReading, Predictions, predict_query_set, read_point
from slp_core.lines import class_means
from slp_core.markdown import unmarked
from slp_core.memory import return_what_is_free
from slp_core.methods.protocols import HasLines, HasProbabilities
from slp_core.methods.table import METHODS, Method, fit_own
from slp_core.on_demand import OnDemand
from slp_core.sentences import count
from slp_core.views import (
    PROJECTION_TITLES,
    HeldOut,
    Inverse,
    Landscape,
    Projection,
    ProjectionMethod,
    held_out_fidelity,
    recommend_projection,
)
from slp_core.views.align import left_to_right
from slp_core.views.fidelity import HeldOutByView, opening_projection
from slp_core.views.layouts import run_in_process
from slp_core.views.projection import all_options, layout_is_bundled

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

ENOUGH_FIDELITY = 0.95  # a picture that shows so many predictions needs no better one
_FEW = 100  # examples that are encoded in a moment
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


@dataclass(frozen=True)
class Workspace:
    """Everything that the sidebar sets; each property is computed once and cached."""

    dataset: FewShotDataset
    encoder: Encoder
    encoder_name: str
    shots: int
    draw: int
    method: Method
    options: Mapping[str, Any]
    edits: Edits = NONE  # of the support set

    def on_draw(self, draw: int) -> Workspace:
        """The workspace on another draw, without edits of this one."""
        return replace(self, draw=draw, edits=self.edits if draw == self.draw else NONE)

    def without_shot(self, row: int) -> Workspace:
        """The workspace with a shot in the query set; DatasetError for the last of its class."""
        return replace(self, edits=self.episode.edited(remove=[row]).edits)

    @property
    def as_drawn(self) -> Workspace:
        return replace(self, edits=NONE)

    def with_method(self, method: Method, **options: Any) -> Workspace:
        """The workspace with another method; shared options keep their values."""
        like = method.like(self.options, len(self.dataset.classes))
        return replace(self, method=method, options=like | options)

    def where(self, fits: Callable[[object], bool]) -> Workspace:
        """The workspace if its model qualifies, else with constraintSLP, which always does."""
        if fits(self.model):
            return self
        return self.with_method(METHODS["constraint_slp"])

    def through(self, name: str) -> Workspace:
        """The workspace with another encoder, and the same scaling of vectors."""
        if name == self.encoder_name:
            return self
        scaled = None if self.dataset.kind == "numeric" else self.encoder.normalisation
        return replace(self, encoder=encoder(name, scaled), encoder_name=name)

    @property
    def draws(self) -> tuple[int, ...]:
        """All draws of this many shots; just the current one if a dataset has none."""
        return self.dataset.available_draws(self.shots) or (self.draw,)

    @property
    def texts(self) -> Sequence[str]:
        """A readable line for each row of the dataset."""
        return OnDemand(self.dataset.describe, len(self.dataset))

    def called(self, row: int) -> str:
        """A row by its part in the episode: *Support example 3*."""
        role = "Support" if row in self.episode.support else "Query"
        return f"{role} {self.dataset.called(row)}"

    @property
    def data_key(self) -> str:
        return f"{self.dataset.digest} {self.encoder_name} {self.encoder.normalisation}"

    @property
    def vectors_key(self) -> str:
        """Identifies the vectors of this draw, which is in it if the encoder depends on it."""
        by_draw = f" {self.support_key}" if self.encoder.by_draw else ""
        return f"{self.data_key}{by_draw}"

    @property
    def support_key(self) -> str:
        return f"{self.shots} {self.draw} {self.edits}"

    @property
    def method_key(self) -> str:
        return f"{self.method.name} {sorted(self.options.items())}"

    @property
    def model_key(self) -> str:
        return f"{self.data_key} {self.support_key} {self.method_key}"

    @property
    def encoded(self) -> bool:
        """Whether the embeddings are available without a long computation."""
        seen = _seen_encoded()
        if self.data_key in seen:
            return True
        if self.encoding.ready or self.encoder.is_cached(self.dataset):
            seen.add(self.data_key)
        return self.data_key in seen

    @property
    def encoding(self) -> Job:
        dataset, encoder = self.dataset, self.encoder

        def work(job: Job) -> tuple[Vectors, int]:
            if encoder.chunks:
                limits().check_passages(dataset.examples.texts or ())
            try:
                vectors = encoder.encode_for_draws(
                    dataset, progress=job.report, cancelled=job.cancelled
                )
            finally:
                return_what_is_free()  # a network's activations, several times what it gives
            return vectors, encoder.n_truncated

        title = unmarked(encoding_text(len(dataset), encoder.info.title))
        lane = SHORT if self.soon_encoded else LONG
        return job_pool().job(("encode", self.data_key), title, work, lane)

    @property
    def soon_encoded(self) -> bool:
        """Whether few texts are to be encoded."""
        return len(self.dataset) <= _FEW or isinstance(self.dataset, TypedBeside)

    @property
    def vectors(self) -> Vectors:
        """Embeddings of the whole dataset; may depend on the support set."""
        return self._embeddings[0]

    @cached_property
    @cached_by(lambda self: self.vectors_key, most=16)
    def X(self) -> np.ndarray:
        """(n, d) embeddings of the whole dataset on this draw."""
        vectors = self.vectors
        return vectors.on(self.episode.support) if isinstance(vectors, ByDraw) else vectors

    def place(self, examples: Examples) -> np.ndarray:
        """(k, d) vectors of k new rows, scaled as the dataset's on this draw."""
        if isinstance(self.vectors, ByDraw):
            return self.vectors.place(examples, self.episode.support)
        return self.encoder.encode_like(self.dataset, examples)

    def weights_text(self) -> str:
        """The weights of two encoders combined by the support set; else empty."""
        vectors, encoder = self.vectors, self.encoder
        if not isinstance(vectors, ByDraw) or not isinstance(encoder, CombinedEncoder):
            return ""
        shares, relabelled = shares_on(vectors, self.episode.support), bool(self.edits.relabelled)
        return shares_text(shares, encoder.titles, relabelled)

    @property
    def n_truncated(self) -> int:
        return self._embeddings[1]

    @cached_property
    @cached_by(lambda self: self.data_key, most=16)
    def _embeddings(self) -> tuple[Vectors, int]:
        if (job := self.encoding).ready:
            vectors: tuple[Vectors, int] = job.result
            return vectors
        return self.encoder.encode_for_draws(self.dataset), self.encoder.n_truncated

    @cached_property
    @cached_by(lambda self: f"{self.dataset.digest} {self.support_key}")
    def episode(self) -> Episode:
        return self.dataset.draw(self.shots, self.draw).with_edits(self.edits)

    @property
    def arrays(self) -> EpisodeArrays:
        """What the method is fitted on and evaluated on."""
        return arrays_of(self.episode, self.X)

    @cached_property
    @cached_by(lambda self: self.model_key)
    def model(self) -> HasProbabilities:
        X, y, *_ = self.arrays
        if self.method.from_package:
            return fit_own(self.method, X, y)
        return self.method.make(**self.options).fit(X, y)

    @property
    def line_model(self) -> HasLines:
        """The model, for pages that have made sure by :meth:`where` that it has lines."""
        assert isinstance(self.model, HasLines)
        return self.model

    @cached_property
    def centroids(self) -> np.ndarray:
        """(K, d) class means of the support set."""
        e = self.episode
        return class_means(self.X[e.support], e.y_support, len(self.dataset.classes))

    @cached_property
    @cached_by(lambda self: self.model_key)
    def predictions(self) -> Predictions:
        title, X, y = self.method.title, self.X[self.episode.query], self.episode.y_query
        return predict_query_set(self.model, title, X, y, self.centroids)

    @cached_property
    def support_predictions(self) -> np.ndarray:
        """(n,) predictions on its own support set, as class indices."""
        return self.model.predict_proba(self.X[self.episode.support]).argmax(axis=1)

    def reading(self, row: int) -> PointReading:
        true = int(self.dataset.y[row])
        return read_point(self.model, self.X[row], self.centroids, true)

    def view_key(self, view: View) -> str:
        """Identifies a projection: one that needs no method stays when shots, draw or method
        change.
        """
        return f"{self.model_key if view.looks_at_method else self.vectors_key} {view}"

    def map_key(self, view: View) -> str:
        """Identifies a map: the projection and the predictions on it."""
        return f"{self.model_key} {self.view_key(view)}"

    @cached_by(lambda self, view: self.map_key(view))
    def projection(self, view: View) -> Projection:
        """Of the whole dataset; prototype A is on the left."""
        return left_to_right(_projection(self, view), self.model)

    @property
    @cached_by(lambda self: self.model_key)
    def opening_view(self) -> View:
        return View(*opening_projection(self.model, self.X, self.episode.query))

    def start_projection(self, view: View) -> Job:
        return job_pool().start(
            ("project", self.view_key(view)),
            f"Computing the projection of {count(len(self.dataset), 'example')}",
            lambda job: _projection(self, view, job.cancelled),
            PICTURES if _takes_process(self, view) else SHORT,
        )

    def start_judging(self) -> Job:
        model, X, rows = self.model, self.X, self.episode.query
        views = self.linear_views

        def work(job: Job) -> HeldOutByView:
            return recommend_projection(model, X, views, rows, cancelled=job.cancelled)

        title = "Cross-validating the linear projections"
        return job_pool().start(("judge", self.model_key), title, work)

    def start_judging_layout(self, view: View) -> Job:
        """Cross-validate the fidelity of a layout, in its own process."""
        model, X, rows = self.model, self.X, self.episode.query
        options = all_options(view.method, dict(view.options))

        def work(job: Job) -> HeldOutByView:
            held_out = run_in_process(
                held_out_fidelity,
                model,
                X,
                view.method,
                None,
                rows,
                cancelled=job.cancelled,
                **options,
            )
            return {(view.method, "surface"): held_out}

        key = ("judge", self.model_key, view.method, str(sorted(options.items())))
        title = f"Cross-validating {PROJECTION_TITLES[view.method]}"
        return job_pool().start(key, title, work, PICTURES)

    @cached_by(lambda self, view: self.map_key(view))
    def held_out(self, view: View) -> HeldOut:
        """Fidelity of a linear projection on held-out query examples."""
        return held_out_fidelity(self.model, self.X, view.method, view.inverse, self.episode.query)

    @cached_by(lambda self, view: self.map_key(view))
    def landscape(self, view: View) -> Landscape:
        return landscape_on(self, self.projection(view), view)

    @property
    def linear_views(self) -> tuple[ProjectionMethod, ...]:
        if hasattr(self.model, "centroids_"):
            return ("pca", "centroid_plane", "decision_plane")
        return ("pca", "decision_plane")

    @property
    def spread(self) -> Job:
        """Fits the method on every draw of this many shots."""
        dataset, shots, X = self.dataset, self.shots, self.vectors
        draws, method, options = self.draws, self.method, self.options

        def work(job: Job) -> pd.Series:
            return accuracy_over_draws(
                lambda: method.make(**options), dataset, X, shots, draws, job.cancelled
            )

        key = ("spread", self.data_key, shots, self.method_key)
        return job_pool().job(key, "Accuracy over the support sets", work)


@st.cache_resource(max_entries=16, show_spinner=False)
def bundled_dataset(name: str, **options: Any) -> FewShotDataset:
    return slp.load_dataset(name, **options)


@st.cache_resource(max_entries=16, show_spinner=False)
def encoder(name: str, normalisation: Normalisation | None) -> Encoder:
    """An encoder; its weights are loaded when first used."""
    if not may_download(name):
        raise slp.EncoderError(NO_FOLDERS)
    return slp.load_encoder(name, normalisation=normalisation)


@st.cache_resource(show_spinner=False)
def _seen_encoded() -> set[str]:
    """Keys of embeddings known to be cached: a lookup hashes every row."""
    return set()


@cached_by(lambda workspace, view, cancelled=None: workspace.view_key(view))
def _projection(
    workspace: Workspace, view: View, cancelled: Callable[[], bool] | None = None
) -> Projection:
    model = workspace.model if view.looks_at_method else None
    asked = (workspace.X, view.method, model)
    options = dict(view.options)
    if _takes_process(workspace, view):
        return run_in_process(slp.fit_projection, *asked, cancelled=cancelled, **options)
    return slp.fit_projection(*asked, **options)


def _takes_process(workspace: Workspace, view: View) -> bool:
    """A lock for the projection process; reading results does not need it."""
    return view.is_layout and not layout_is_bundled(workspace.X, view.method, **dict(view.options))


def landscape_on(workspace: Workspace, projection: Projection, view: View) -> Landscape:
    """The model's predictions over a projection of the workspace's vectors."""
    inverse = None if view.is_layout else view.inverse
    return slp.decision_landscape(
        workspace.model, projection, grid=GRID, aspect=ASPECT, inverse=inverse
    )
