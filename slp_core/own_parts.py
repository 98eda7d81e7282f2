"""Methods, encoders and datasets of other packages: by entry points, with their errors.

A package registers a part by an entry point of one of the groups ``slp_explorer.methods``,
``slp_explorer.encoders`` and ``slp_explorer.datasets``; a program by :func:`slp_core.register`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Literal, TypeVar

from slp_core.errors import SLPError, one_sentence

Kind = Literal["method", "encoder", "dataset"]
T = TypeVar("T")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_BROKEN: list[str] = []
_BEGUN: set[Kind] = set()


def broken_parts() -> tuple[str, ...]:
    """A sentence for each part of an installed package that cannot be used."""
    return tuple(_BROKEN)


def installed_parts(kind: Kind, add: Callable[[str, object, str], None]) -> None:
    """Once, add each part that an installed package has; failures are for `broken_parts`."""
    if kind in _BEGUN:  # also by a part that is being added
        return
    _BEGUN.add(kind)
    for point in entry_points(group=f"slp_explorer.{kind}s"):
        package = point.dist.name if point.dist is not None else point.module
        try:
            add(point.name, point.load(), package)
        except Exception as error:  # whatever is in somebody else's package
            _BROKEN.append(failed(kind, point.name, package, error))


def failed(kind: Kind, name: str, package: str, error: Exception) -> str:
    """An error in a part of a package, in one sentence."""
    why = f"{error}" if isinstance(error, SLPError) else f"{type(error).__name__}: {error}"
    told = one_sentence(f"The {kind} {name!r} of the package {package} cannot be used ({why})")
    return f"{told}: mend or uninstall the package."


def check_part(kind: Kind, name: str, part: object, taken: object) -> None:
    """Raise for a name or a part that cannot be registered."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SLPError(f"{name!r} cannot name a part: take small letters, digits, '-' and '_'.")
    if name in taken:  # type: ignore[operator]
        raise SLPError(f"Another {kind} is called {name!r}: take another name.")
    if not callable(part):
        raise SLPError(f"A part is a class or a function, not {part!r}.")


def described(part: object, name: str) -> tuple[str, str]:
    """A part's title and the first line of its docstring."""
    lines = (getattr(part, "__doc__", None) or "").strip().splitlines()
    title = getattr(part, "title", None)
    return title if isinstance(title, str) else name, lines[0] if lines else ""
