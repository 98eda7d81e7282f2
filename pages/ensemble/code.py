"""The code for what Ensemble shows."""

from __future__ import annotations

from pages.session.code import script
from pages.session.workspace import Workspace
from slp_core.diagnostics import Temperature

_BODY = """
read = slp.ensemble_diagnostics(model, X, y, temperature={temperature!r})
counted = read.comparable  # where the true class has something from F and from both members
numbers["points compared"] = int(counted.sum())
if counted.any():
    numbers["NLL of the two together"] = float(read.nll[counted].mean())
    numbers["NLL of left and right alone"] = read.member_nll[counted].mean(axis=0).tolist()
elif np.isfinite(read.nll).any():  # alone they have an infinite one everywhere
    numbers["NLL of the two together"] = float(read.nll[np.isfinite(read.nll)].mean())
numbers["left and right alone are right"] = read.member_right.mean(axis=0).tolist()
numbers["entropy of the two together"] = float(read.entropy.mean())
numbers["entropy of left and right alone"] = read.member_entropy.mean(axis=0).tolist()
numbers["JSD of left and right"] = float(read.jsd.mean())
"""


def code(workspace: Workspace, temperature: Temperature) -> str:
    """NLL, entropy and divergence of the prototypes, together and alone."""
    return script(workspace, "Ensemble", _BODY.format(temperature=temperature))
