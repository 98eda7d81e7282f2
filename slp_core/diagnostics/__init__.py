"""How far a method's probabilities can be trusted, and what its two prototypes make of it."""

from slp_core.diagnostics.calibration import (
    Calibration,
    OutOfDistribution,
    calibration,
    out_of_distribution,
)
from slp_core.diagnostics.draws import EnsembleOverDraws, ensemble_over_draws
from slp_core.diagnostics.ensemble import EnsembleDiagnostics, ensemble_diagnostics
from slp_core.diagnostics.members import Members, Temperature, members_facts, read_members

__all__ = [
    "Calibration",
    "EnsembleDiagnostics",
    "EnsembleOverDraws",
    "Members",
    "OutOfDistribution",
    "Temperature",
    "calibration",
    "ensemble_diagnostics",
    "ensemble_over_draws",
    "members_facts",
    "out_of_distribution",
    "read_members",
]
