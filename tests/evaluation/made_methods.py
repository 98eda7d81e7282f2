"""Methods of a test's own, beside those of the table."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.table import Method


@dataclass(frozen=True)
class MadeMethod(Method):
    """A method whose classifiers a function makes."""

    factory: Callable[..., Any] = object

    def make(self, seed=0, encoder="", **options):
        texts = {"encoder": encoder} if self.reads == "texts" else {}
        return self.factory(**texts, **options)


def made_method(name, factory, reads="vectors"):
    return MadeMethod(name, name, "", "Made in a test.", reads=reads, factory=factory)


class SlowClassifier(NearestCentroidClassifier):
    """Leaves its process's number in a folder, and takes its time; after ``most``, without end."""

    def __init__(self, folder, most=10**6):
        super().__init__()
        self.folder, self.most = folder, most

    def fit(self, X, y):
        with open(os.path.join(self.folder, f"{os.getpid()} {time.monotonic_ns()}"), "w"):
            time.sleep(0.1)
        while len(os.listdir(self.folder)) > self.most:
            time.sleep(0.1)
        return super().fit(X, y)
