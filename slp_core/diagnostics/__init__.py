"""How far a method's probabilities can be trusted, and what its two prototypes make of it."""

from slp_core.diagnostics.calibration import (
    Calibration,
    OutOfDistribution,
    calibration,
    out_of_distribution,
)
from slp_core.diagnostics.ensemble import EnsembleDiagnostics, ensemble_diagnostics
from slp_core.diagnostics.members import Temperature

__all__ = [
    "Calibration",
    "EnsembleDiagnostics",
    "OutOfDistribution",
    "Temperature",
    "calibration",
    "ensemble_diagnostics",
    "out_of_distribution",
]
