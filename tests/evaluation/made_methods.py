"""Methods of a test's own, beside those of the table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slp_core.evaluation import Method


@dataclass(frozen=True)
class MadeMethod(Method):
    """A method whose classifiers a function makes."""

    factory: Callable[..., Any] = object

    def make(self, seed=0, encoder="", **options):
        texts = {"encoder": encoder} if self.reads == "texts" else {}
        return self.factory(**texts, **options)


def made_method(name, factory, reads="vectors"):
    return MadeMethod(name, name, "", "Made in a test.", reads=reads, factory=factory)
