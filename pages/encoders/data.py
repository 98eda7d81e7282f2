"""What the Encoders page computes, cached by content, and the code for it."""

from __future__ import annotations

import pandas as pd

import slp_core as slp
from pages.session.cache import cached_by
from pages.session.code import encoder_code, script
from pages.session.jobs import LONG, Job, job_pool
from pages.session.workspace import Workspace, bundled_dataset
from slp_core.diagnostics.encoders import EncoderChange, encoder_change
from slp_core.encoders.cards import read_encoder_card
from slp_core.evaluation.draws import accuracy_by_shots, accuracy_over_draws
from slp_core.figures.encoder_change import MovesDisplay, Parts
from slp_core.methods.table import METHODS
from slp_core.views.align import JointPlane, joint_plane

COMPARED = tuple(METHODS[name] for name in ("nearest_centroid", "deep_slp", "constraint_slp"))

# By base encoder, the meta-trained one that the page opens with
META_TRAINED = {
    "minilm-l4": "metaslp-mean3-minilm-l4",
    "minilm-l6": "protonet-mean-minilm-l6",
}


# Of texts that MiniLM cannot read: on words alone, then on characters too
ANY_SCRIPT = ("tfidf-svd", "tfidf-char")


def defaults(workspace: Workspace) -> tuple[str, str]:
    """The two encoders to open with: the sidebar's, and its base or a meta-trained one."""
    name = workspace.encoder_name
    if name in ANY_SCRIPT and workspace.dataset.language.unread:
        return ANY_SCRIPT
    base = read_encoder_card(name).base
    return (base, name) if base else (name, META_TRAINED.get(name, META_TRAINED["minilm-l4"]))


def tunable(workspace: Workspace) -> Workspace:
    """The workspace with the encoder of the two that can be fine-tuned: the meta-trained one."""
    parts = read_encoder_card(workspace.encoder_name).parts
    return workspace.through(parts[-1]) if parts else workspace


def titles_of(before: Workspace, after: Workspace) -> tuple[str, str]:
    return before.encoder.info.title, after.encoder.info.title


@cached_by(
    lambda before, after: f"{before.data_key} {after.data_key} {before.support_key}",
)
def change_of(before: Workspace, after: Workspace) -> EncoderChange:
    dataset, method = before.dataset, METHODS["nearest_centroid"]
    wrong, wrong_after = (w.with_method(method).predictions.wrong for w in (before, after))
    return encoder_change(
        titles_of(before, after),
        dataset.classes,
        (before.X, after.X),
        dataset.y,
        (~wrong, ~wrong_after),
        (_over_draws(before).to_numpy(), _over_draws(after).to_numpy()),
    )


@cached_by(lambda workspace: f"{workspace.data_key} {workspace.shots}")
def _over_draws(workspace: Workspace) -> pd.Series:
    draws = workspace.draws if len(workspace.episode.query) else ()
    make, dataset = METHODS["nearest_centroid"].make, workspace.dataset
    return accuracy_over_draws(make, dataset, workspace.vectors, workspace.shots, draws)


def moves_of(
    before: Workspace,
    after: Workspace,
    change: EncoderChange,
    by_class: bool,
    parts: Parts,
    chosen: int | None,
) -> MovesDisplay:
    return MovesDisplay(
        _joint_plane(before, after, by_class),
        change,
        before.dataset.y,
        before.episode.support,
        before.episode.query,
        before.texts,
        by_class,
        parts,
        chosen,
        key=f"{before.data_key} {after.data_key} {before.support_key} {by_class} {parts}",
    )


@cached_by(lambda before, after, by_class: f"{before.vectors_key} {after.vectors_key} {by_class}")
def _joint_plane(before: Workspace, after: Workspace, by_class: bool) -> JointPlane:
    return joint_plane(before.X, after.X, before.dataset.y if by_class else None)


def accuracy_job(before: Workspace, after: Workspace) -> Job:
    def work(job: Job) -> pd.DataFrame:
        data = before.dataset, (before.vectors, after.vectors)
        cells = [(method.title, method, *data) for method in COMPARED]
        return accuracy_by_shots(cells, "method", job.report, job.cancelled)

    key = ("accuracy by shots", before.data_key, after.data_key)
    title = f"Fitting {len(COMPARED)} methods on every support set under both"
    return job_pool().start(key, title, work)


def everywhere_job(before: Workspace, after: Workspace) -> Job:
    encoders = (before.encoder, after.encoder)

    def work(job: Job) -> pd.DataFrame:
        """On the datasets that both encoders have cached."""
        names = (info.name for info in slp.list_datasets() if info.kind != "numeric")
        cells = [
            (dataset.title, COMPARED[0], dataset, [e.encode_for_draws(dataset) for e in encoders])
            for dataset in map(bundled_dataset, names)
            if all(encoder.is_cached(dataset) for encoder in encoders)
        ]
        return accuracy_by_shots(cells, "dataset", job.report, job.cancelled)

    normalisation = before.encoder.normalisation
    key = ("accuracy everywhere", before.encoder_name, after.encoder_name, normalisation)
    return job_pool().start(key, "Evaluating on the bundled texts", work, LONG)


_BODY = """
for when, name in (("before", {before}), ("after", {after})):
    through = slp.load_encoder(name, normalisation={normalisation!r})
    nearest, X_there, y_there = fit(slp.NearestCentroidClassifier(), {draw}, through)
    numbers[f"accuracy of nearest centroid, {{when}}"] = float(nearest.score(X_there, y_there))
"""


def code(workspace: Workspace, before: Workspace, after: Workspace) -> str:
    names = [encoder_code(each.encoder_name) for each in (before, after)]
    scaled = workspace.encoder.normalisation
    body = _BODY.format(before=names[0], after=names[1], normalisation=scaled, draw=workspace.draw)
    return script(workspace, "Encoders", body)
