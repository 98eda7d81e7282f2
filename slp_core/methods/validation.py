"""Validation of estimators' parameters by scikit-learn's ``_parameter_constraints``."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, TypeAlias

from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions

from slp_core.encoders.checkpoint import LEAST_TOKENS
from slp_core.errors import SLPError

Constraints: TypeAlias = dict[str, list[Any]]

NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
SHARE = Interval(Real, 0, 1, closed="both")
COUNT = Interval(Integral, 1, None, closed="left")
TOKENS = Interval(Integral, LEAST_TOKENS, None, closed="left")
COUNT_OR_ZERO = Interval(Integral, 0, None, closed="left")
SEED = Interval(Integral, 0, 2**32 - 1, closed="both")  # as scikit-learn takes them
CALLED = [callable, None]


def one_of(*names: str) -> StrOptions:
    """One of these words."""
    return StrOptions(set(names))


class ValidatesParameters:
    """Raises SLPError for invalid parameters."""

    _parameter_constraints: ClassVar[Constraints]

    def _check_parameters(self) -> None:
        """Raise unless every parameter is valid."""
        try:
            self._validate_params()  # type: ignore[attr-defined]
        except InvalidParameterError as error:
            raise SLPError(str(error)) from None
