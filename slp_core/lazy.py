"""Package namespaces whose names are imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """A module-level ``__getattr__`` (PEP 562) that finds names in their modules.

    Parameters
    ----------
    package : str
        Whose names they are.
    homes : mapping of str to tuple of str
        Module, and the names that live there.
    """
    module_of = {name: module for module, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module_of[name]), name)

    return find
