"""What is on the table: the dataset, its embeddings, the fitted method and what it answers.

Every step is cached by a key that names its content, never by hashing arrays, so that a page can
ask for it again on each script run. Caches are bounded; what takes seconds is left to jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st

import slp_core as slp
from pages.session.jobs import Job, job_pool
from pages.session.methods import Method
from slp_core.data import Episode, FewShotDataset
from slp_core.encoders import Encoder
from slp_core.errors import Cancelled
from slp_core.evaluation.draws import Spread, accuracy_over_draws
from slp_core.explain import Answers, PointReading, read_answers, read_point
from slp_core.markdown import literal
from slp_core.views import (
    HeldOut,
    Landscape,
    Projection,
    Recommendation,
    held_out_fidelity,
    recommend_projection,
)

Encoded = tuple[np.ndarray, int]  # (n, d) vectors, and how many texts were cut
GRID, ASPECT = 200, 1.15  # of landscapes; wider than high, like the map
LAYOUTS = ("umap", "tsne", "decision_umap")
FAITHFUL = 0.95  # a picture that shows so many of the answers needs no better one


@dataclass(frozen=True)
class View:
    """A picture of the data, and the way back from it into the space.

    Attributes
    ----------
    method : str
        Of ``slp_core.fit_projection``.
    bent : bool
        Whether the landscape is a surface through the points; layouts always are.
    options : tuple of (str, Any)
        Of the layout.
    """

    method: str
    bent: bool = False
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def looks_at_method(self) -> bool:
        """Whether the picture itself depends on the model."""
        return self.method in ("centroid_plane", "decision_plane", "decision_umap")

    @property
    def is_layout(self) -> bool:
        """Whether it takes seconds to lay out, and so is left to a job."""
        return self.method in LAYOUTS


@dataclass(frozen=True)
class Workspace:
    """Everything that the sidebar has settled; each property is computed once and kept."""

    dataset: FewShotDataset
    encoder: Encoder
    encoder_name: str
    shots: int
    draw: int
    method: Method
    options: Mapping[str, Any]

    def with_method(self, method: Method, **fixed: Any) -> Workspace:
        """The same with another method: what options both have stay as they are."""
        taken = {option.parameter for option in (*method.main, *method.more)}
        options = {k: v for k, v in self.options.items() if k in taken} | fixed
        return replace(self, method=method, options=options)

    @property
    def shots_said(self) -> str:
        """The number of shots in words."""
        return f"{self.shots} shot{'' if self.shots == 1 else 's'}"

    @property
    def data_key(self) -> str:
        """Names the embeddings."""
        return f"{self.dataset.digest} {self.encoder_name} {self.encoder.normalisation}"

    @property
    def method_key(self) -> str:
        """Names the method with its options."""
        return f"{self.method.name} {sorted(self.options.items())}"

    @property
    def model_key(self) -> str:
        """Names the fitted model."""
        return f"{self.data_key} {self.shots} {self.draw} {self.method_key}"

    @property
    def encoded(self) -> bool:
        """Whether the embeddings are at hand without a long computation."""
        seen, job = _seen_encoded(), self.encoding_job
        if self.data_key in seen:
            return True
        if (job and job.ready) or self.encoder.is_cached(self.dataset):
            seen.add(self.data_key)
        return self.data_key in seen

    @property
    def encoding_job(self) -> Job | None:
        """The job that encodes the dataset, if one was started."""
        return job_pool().get(("encode", self.data_key))

    def start_encoding(self) -> Job:
        """Encode in the background; the result goes to the encoder's own cache on disk."""
        dataset, encoder = self.dataset, self.encoder

        def work(job: Job) -> Encoded:
            vectors = encoder.encode(dataset, progress=job.report, cancelled=job.cancelled)
            return vectors, encoder.n_truncated

        title = f"Encoding {len(dataset):,} examples with {encoder.info.title}"
        return job_pool().start(("encode", self.data_key), title, work)

    @cached_property
    def X(self) -> np.ndarray:
        """(n, d) embeddings of the whole dataset."""
        return self._embeddings[0]

    @property
    def n_truncated(self) -> int:
        """How many texts were longer than the encoder's limit, and cut."""
        return self._embeddings[1]

    @cached_property
    def _embeddings(self) -> Encoded:
        return _embeddings(self.data_key, self)

    @cached_property
    def episode(self) -> Episode:
        """The support and query rows."""
        return self.dataset.draw(self.shots, self.draw)

    @cached_property
    def model(self) -> Any:
        """The method, fitted on the support set."""
        return _fitted(self.model_key, self)

    @cached_property
    def centroids(self) -> np.ndarray:
        """(K, d) class means of the support set."""
        support, y = self.X[self.episode.support], self.episode.y_support
        return np.stack([support[y == c].mean(axis=0) for c in range(len(self.dataset.classes))])

    @cached_property
    def answers(self) -> Answers:
        """What the model says of the query set."""
        return _answers(self.model_key, self)

    @cached_property
    def support_answers(self) -> np.ndarray:
        """(n,) what it says of its own support set, as class indices."""
        return self.model.predict_proba(self.X[self.episode.support]).argmax(axis=1)

    def reading(self, row: int) -> PointReading:
        """How a row of the dataset came by its answer."""
        true = int(self.dataset.y[row])
        return read_point(self.model, self.X[row], self.centroids, true)

    def view_key(self, view: View) -> str:
        """Names a picture: one that looks at no method stays when shots, draw or method change."""
        return f"{self.model_key if view.looks_at_method else self.data_key} {view}"

    def projection(self, view: View) -> Projection:
        """The picture of the whole dataset, support and query together."""
        return _projection(self.view_key(view), view, self)

    def start_projection(self, view: View) -> Job:
        """Lay the picture out in the background."""
        return job_pool().start(
            ("project", self.view_key(view)),
            f"Laying out {len(self.dataset):,} examples",
            lambda job: self.projection(view),
        )

    def start_held_out(self, view: View) -> Job:
        """Judge a picture that has seen the answers by points held out of it."""
        model, X, options = self.model, self.X, dict(view.options)

        def work(job: Job) -> HeldOut:
            return _apart(job, held_out_fidelity, model, X, view.method, **options)

        key = ("held out", f"{self.model_key} {view}")
        return job_pool().start(key, "Judging by points held out", work)

    def landscape(self, view: View) -> Landscape:
        """What the model would answer all over the picture."""
        return _landscape(f"{self.model_key} {self.view_key(view)}", view, self)

    @property
    def linear_views(self) -> tuple[str, ...]:
        """The linear pictures that this model has."""
        with_plane = ("centroid_plane",) if hasattr(self.model, "centroids_") else ()
        return ("pca", *with_plane, "decision_plane")

    @property
    def recommendation(self) -> Recommendation:
        """How faithful each linear picture is to this model."""
        return _recommendation(self.model_key, self)

    def start_recommendation(self) -> Job | None:
        """See how faithful decision UMAP is, where no linear picture is faithful enough."""
        linear = self.recommendation
        if self.X.shape[1] <= 2 or linear.fidelity[linear.best] >= FAITHFUL:
            return None
        model, X = self.model, self.X

        def work(job: Job) -> Recommendation:
            return _apart(job, recommend_projection, model, X, ["decision_umap"])

        return job_pool().start(("recommend", self.model_key), "Trying decision UMAP", work)

    @property
    def _spread_key(self) -> tuple[Any, ...]:
        return ("spread", self.data_key, self.shots, self.method_key)

    @property
    def spread_job(self) -> Job | None:
        """The job that fits the method on every draw of this many shots, once it was started."""
        return job_pool().get(self._spread_key)

    def start_spread(self) -> Job:
        """Fit the method on every draw of this many shots, in the background."""
        dataset, shots, X = self.dataset, self.shots, self.X
        draws = dataset.available_draws(shots) or (self.draw,)
        method, options = self.method, self.options

        def work(job: Job) -> Spread:
            return accuracy_over_draws(
                lambda: method.make(options), dataset, X, shots, draws, job.cancelled
            )

        return job_pool().start(self._spread_key, "Accuracy over the draws", work)


@st.cache_resource(max_entries=16, show_spinner=False)
def bundled_dataset(name: str, **options: Any) -> FewShotDataset:
    """A dataset that came with the app."""
    return slp.load_dataset(name, **options)


@st.cache_resource(max_entries=16, show_spinner=False)
def encoder(name: str, normalisation: str | None) -> Encoder:
    """An encoder; nothing is read until it is used."""
    return slp.load_encoder(name, normalisation=normalisation)


@st.cache_resource(max_entries=8, show_spinner=False)
def _embeddings(key: str, _workspace: Workspace) -> Encoded:
    job = _workspace.encoding_job
    if job and job.ready:
        return job.result
    encoder = _workspace.encoder
    return encoder.encode(_workspace.dataset), encoder.n_truncated


@st.cache_resource(show_spinner=False)
def _seen_encoded() -> set[str]:
    """Keys of embeddings known to be in the encoder's cache: to look them up digests every row."""
    return set()


@st.cache_resource(max_entries=48, show_spinner=False)
def _fitted(key: str, _workspace: Workspace) -> Any:
    names = np.array(_workspace.dataset.classes)
    episode = _workspace.episode
    model = _workspace.method.make(_workspace.options)
    return model.fit(_workspace.X[episode.support], names[episode.y_support])


@st.cache_resource(max_entries=48, show_spinner=False)
def _answers(key: str, _workspace: Workspace) -> Answers:
    episode = _workspace.episode
    return read_answers(
        _workspace.model,
        _workspace.method.title,
        _workspace.X[episode.query],
        episode.y_query,
        _workspace.centroids,
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _projection(key: str, _view: View, _workspace: Workspace) -> Projection:
    model = _workspace.model if _view.looks_at_method else None
    asked = (_workspace.X, _view.method, model)
    if not _view.is_layout:
        return slp.fit_projection(*asked)
    from slp_core.views.process import run_in_process

    return run_in_process(slp.fit_projection, *asked, **dict(_view.options))


@st.cache_resource(max_entries=24, show_spinner=False)
def _landscape(key: str, _view: View, _workspace: Workspace) -> Landscape:
    projection = _workspace.projection(_view)
    return slp.decision_landscape(
        _workspace.model,
        projection,
        grid=GRID,
        aspect=ASPECT,
        inverse="surface" if _view.bent else None,
    )


@st.cache_resource(max_entries=48, show_spinner=False)
def _recommendation(key: str, _workspace: Workspace) -> Recommendation:
    return recommend_projection(_workspace.model, _workspace.X, _workspace.linear_views)


def _apart(job: Job, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Run in the process for pictures, unless nobody wants it any more when its turn comes."""
    if job.cancelled():
        raise Cancelled
    from slp_core.views.process import run_in_process

    return run_in_process(function, *args, **options)


def failure(job: Job) -> str:
    """What to tell about a job that did not end well."""
    if isinstance(job.error, Cancelled):
        return f"{job.title} was cancelled. What was done is kept, and can be taken up again."
    if isinstance(job.error, slp.SLPError):
        return literal(str(job.error))
    return f"{job.title} failed: {literal(str(job.error))}."
