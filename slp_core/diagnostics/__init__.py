"""Whether probabilities can be trusted, the ensemble of two prototypes, two encoders compared."""

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
