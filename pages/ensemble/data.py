"""What the Ensemble page computes, kept by content, and the code for it."""

from __future__ import annotations

from dataclasses import replace

import slp_core as slp
from pages.session.cache import cached_by
from pages.session.code import script
from pages.session.workspace import Workspace, bundled_dataset
from slp_core.data.edits import NONE
from slp_core.data.typed_shots import base_of
from slp_core.diagnostics.calibration import OutOfDistribution, out_of_distribution
from slp_core.diagnostics.members import Temperature


def elsewhere(workspace: Workspace) -> dict[str, str]:
    """Titles and names of other bundled datasets that this encoder can encode."""
    here = base_of(workspace.dataset)
    if here.kind == "numeric":
        return {}
    return {
        info.title: info.name
        for info in slp.list_datasets()
        if info.kind != "numeric" and info.title != here.title
    }


def outside(workspace: Workspace, name: str) -> OutOfDistribution | None:
    """Uncertainty on another dataset's texts; None if they must be encoded first."""
    other = replace(workspace, dataset=bundled_dataset(name), edits=NONE)
    return _outside(workspace, other) if other.encoded else None


@cached_by(lambda workspace, other: f"{workspace.model_key} {other.data_key}")
def _outside(workspace: Workspace, other: Workspace) -> OutOfDistribution:
    # By themselves the texts may have other vectors, which this model has not seen.
    X = workspace.place(other.dataset.examples)
    return out_of_distribution(workspace.predictions.probability, workspace.model.predict_proba(X))


_BODY = """
read = slp.ensemble_diagnostics(model, X, y, temperature={temperature!r})
counted = read.comparable  # NLL is finite for F and for both members
numbers["examples with finite NLL"] = int(counted.sum())
if counted.any():
    numbers["NLL together"] = float(read.nll[counted].mean())
    numbers["NLL of A and B"] = read.member_nll[counted].mean(axis=0).tolist()
elif np.isfinite(read.nll).any():
    numbers["NLL together"] = float(read.nll[np.isfinite(read.nll)].mean())
numbers["accuracy of A and B"] = read.member_correct.mean(axis=0).tolist()
numbers["entropy together"] = float(read.entropy.mean())
numbers["entropy of A and B"] = read.member_entropy.mean(axis=0).tolist()
numbers["JSD of A and B"] = float(read.jsd.mean())
"""


def code(workspace: Workspace, temperature: Temperature) -> str:
    return script(workspace, "Ensemble", _BODY.format(temperature=temperature))
