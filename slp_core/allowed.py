"""The values that an option takes, and one sentence for one that it does not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from slp_core.errors import SLPError

_TYPES = {str: "a text", bool: "true or false", dict: "a dict", list: "a list"}
ABOVE_0, BELOW_1 = sys.float_info.min, 1 - sys.float_info.epsilon
_MOST = sys.float_info.max


@dataclass(frozen=True)
class Number:
    """Finite numbers from ``low`` to ``high``."""

    low: float = 0
    high: float = _MOST
    whole: bool = False

    def takes(self, value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, Integral if self.whole else Real):
            return False
        exact = int(value) if isinstance(value, Integral) else float(value)
        return self.low <= exact <= self.high

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a finite number"
        if self.low == ABOVE_0:
            return f"{kind} above 0"
        if self.high == _MOST:
            return f"{kind} of at least {self.low:,}"
        high = "below 1" if self.high == BELOW_1 else f"to {self.high:,}"
        return f"{kind.replace('finite ', '')} from {self.low:,} {high}"


NOT_NEGATIVE, POSITIVE, SHARE = Number(), Number(ABOVE_0), Number(0, 1)
COUNT, COUNT_OR_ZERO = Number(1, whole=True), Number(whole=True)
SEED = Number(0, 2**32 - 1, whole=True)  # as scikit-learn takes them

# Type hints that say more than int and float.
NotNegative: TypeAlias = Annotated[float, NOT_NEGATIVE]
Positive: TypeAlias = Annotated[float, POSITIVE]
Share: TypeAlias = Annotated[float, SHARE]
Count: TypeAlias = Annotated[int, COUNT]
CountOrZero: TypeAlias = Annotated[int, COUNT_OR_ZERO]
Seed: TypeAlias = Annotated[int, SEED]


def check_options(
    options: Mapping[str, Any], hinted: Any, of: str = "", error: type[SLPError] = SLPError
) -> None:
    """Check options of a function or a class against their type hints."""
    for name, value in options.items():
        check(name + of, value, _hints(hinted)[name], error)


@cache
def _hints(hinted: Any) -> dict[str, list[Any]]:
    hints = get_type_hints(hinted, include_extras=True)
    return {name: _allowed(hint) for name, hint in hints.items()}


def _allowed(hint: Any) -> list[Any]:
    """What a type hint allows, as `check` takes it."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return [each for part in args for each in _allowed(part)]
    if origin is Annotated:
        return [*hint.__metadata__]
    if origin is Literal:
        return [*args]
    return [None if hint is NoneType else callable if origin is Callable else hint]


def check(name: str, value: Any, allowed: Sequence[Any], error: type[SLPError] = SLPError) -> None:
    """Raise unless a value is among those allowed.

    They are values, a `Number` or another description that ``takes`` values, types, or `callable`.
    """
    if not any(_takes(each, value) for each in allowed):
        *first, last = map(_words, allowed)
        either = f"{', '.join(first)} or {last}" if first else last
        raise error(f"{name} must be {either}, not {value!r}.")


def _takes(allowed: Any, value: Any) -> bool:
    if isinstance(allowed, type):
        return isinstance(value, allowed)
    if allowed is callable:
        return callable(value)
    if hasattr(allowed, "takes"):
        return bool(allowed.takes(value))
    return isinstance(value, type(allowed)) and value == allowed


def _words(allowed: Any) -> str:
    if allowed is callable:
        return "a function"
    if isinstance(allowed, type):
        return _TYPES.get(allowed, f"of type {allowed.__name__}")
    return str(allowed) if hasattr(allowed, "takes") else repr(allowed)
