"""The code for what Ensemble shows."""

from __future__ import annotations

from pages.session.code import script
from pages.session.workspace import Workspace
from slp_core.diagnostics import Temperature

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
