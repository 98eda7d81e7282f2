"""Where the encoder puts an example that was typed."""

from __future__ import annotations

import numpy as np

import slp_core as slp
from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from slp_core.data import Examples


@cached_by(
    lambda workspace, examples: f"{workspace.data_key} {examples.digest}",
    max_entries=64,
)
def typed_vector(workspace: Workspace, examples: Examples) -> np.ndarray:
    """(d,) as a row of the dataset: with the dataset's own mean and deviation where these count."""
    encoder, dataset = workspace.encoder, workspace.dataset
    if examples.features is not None and workspace.encoder_name == "numeric":
        features = dataset.examples.features
        assert features is not None
        deviation = features.std(axis=0)
        constant = np.ptp(features, axis=0) == 0
        scaled = (examples.features[0] - features.mean(axis=0)) / np.where(constant, 1, deviation)
        return np.where(constant, 0.0, scaled).astype(np.float32)
    if encoder.normalisation != "centred_l2":
        return encoder.encode(examples)[0]
    plain = slp.load_encoder(workspace.encoder_name, normalisation="none")
    centred = plain.encode(examples)[0] - plain.encode(dataset).mean(axis=0)
    return centred / max(float(np.linalg.norm(centred)), 1e-12)
