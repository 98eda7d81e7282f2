"""Edited soft labels; :mod:`slp_core.methods.model_files` reads their files."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from slp_core.errors import SLPError
from slp_core.lines import Line
from slp_core.methods.base import all_or_nothing
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.model_files import (
    FITTED_ON,
    SIDES,
    SOFT_LABEL_FORMAT,
    check_numbers,
    check_soft_label,
    soft_labels_from_json,
)
from slp_core.methods.protocols import HasLines


@dataclass(frozen=True, eq=False)
class EditedPrototypes:
    """Everything that constraintSLP predicts from, for editing and saving."""

    classes: tuple[str, ...]
    centroids: np.ndarray  # (K, d)
    lines: tuple[Line, ...]
    soft_labels: np.ndarray  # (L, 2, K), rows sum to 1
    assignment: str = "segment"
    distance: str = "euclidean"
    encoder: str = ""  # "" if unknown
    dataset: str = ""  # its digest
    fitted_on: tuple[int, int] | None = None  # shots and draw

    @classmethod
    def of(
        cls,
        model: HasLines,
        soft_labels: np.ndarray,
        encoder: str = "",
        dataset: str = "",
        fitted_on: tuple[int, int] | None = None,
    ) -> EditedPrototypes:
        """The prototypes of a fitted classifier with these soft labels."""
        made = cls(
            tuple(str(c) for c in model.classes_),
            np.asarray(model.centroids_, dtype=np.float64),
            tuple(model.lines_),
            np.array(soft_labels, dtype=np.float64),
            model.assignment,
            model.distance,
            encoder,
            dataset,
            fitted_on,
        )
        if list(made.classes) != sorted(made.classes):
            raise SLPError("The names of the classes are not in alphabetical order: rename them.")
        check_numbers(made.classes, made.centroids, made.soft_labels)
        return made

    @cached_property
    def digest(self) -> str:
        """Hex digest (BLAKE2b, 128 bits) of everything that predictions depend on."""
        lines = (str(line.classes) for line in self.lines)
        parts = "\n".join([*self.classes, self.assignment, self.distance, *lines]).encode()
        numbers = self.centroids.tobytes(), self.soft_labels.tobytes()
        return hashlib.blake2b(b"".join([parts, *numbers]), digest_size=16).hexdigest()

    def with_share(self, line: int, side: int, index: int, share: float) -> EditedPrototypes:
        """Set a class's share at an end of a line; the others are rescaled, or equal after 0."""
        labels = self.soft_labels.copy()
        label = labels[line, side]
        rest = np.arange(len(label)) != index
        total = label[rest].sum()
        if share == label[index]:
            return self
        if total == 0:
            members = [c for c in self.lines[line].classes if c != index]
            others = members or [c for c in range(len(self.classes)) if c != index]
            label[others] = (1 - share) / max(len(others), 1)
        else:
            label[rest] = label[rest] / total * (1 - share)  # 1 / total may overflow
        label[index] = share if len(self.classes) > 1 else 1.0
        return replace(self, soft_labels=labels)

    def changes_from(self, fitted: EditedPrototypes) -> list[list[float]]:
        """Differences for :meth:`with_changes`; empty if more than soft labels differ."""

        def frame(of: EditedPrototypes) -> tuple[Any, ...]:
            return of.assignment, of.distance, [line.classes for line in of.lines]

        alike = np.array_equal(self.centroids, fitted.centroids)
        if not alike or frame(self) != frame(fitted):
            return []
        changes = []
        for line, side in np.argwhere((self.soft_labels != fitted.soft_labels).any(axis=2)):
            label = self.soft_labels[line, side]
            shares = [n for c in np.flatnonzero(label) for n in (int(c), float(label[c]))]
            changes.append([int(line), int(side), *shares])
        return changes

    def with_changes(self, changes: list[list[float]]) -> EditedPrototypes:
        """Replace soft labels: line, end (0 left, 1 right), and pairs of class and share each."""
        labels = self.soft_labels.copy()
        for line, side, *shares in (change if len(change) > 1 else (-1, -1) for change in changes):
            places, whole = [line, side, *shares[::2]], labels.shape
            limits = [whole[0], whole[1], *[whole[2]] * len(shares[::2])]
            fits = all(p in range(n) for p, n in zip(places, limits, strict=True))
            if not fits or len(shares) % 2:
                raise SLPError("These prototypes have no such line, end or class.")
            label = np.zeros(whole[2])
            label[np.array(shares[::2], dtype=int)] = shares[1::2]
            check_soft_label(label, "The soft label")
            labels[int(line), int(side)] = label
        return replace(self, soft_labels=labels)

    def check_fits(
        self, classes: tuple[str, ...], d: int, encoder: str, dataset: str, filename: str
    ) -> None:
        """Raise unless these prototypes fit a dataset and its encoder."""
        if self.classes != classes:
            raise SLPError(
                f"{filename} has the classes {', '.join(self.classes[:6])}, and the dataset has "
                f"{', '.join(classes[:6])}: choose its dataset first."
            )
        if self.dataset and self.dataset != dataset:
            raise SLPError(
                f"{filename} was made with another dataset of the same classes: choose it first, "
                'or remove "dataset" from the file.'
            )
        if self.encoder and self.encoder != encoder:
            raise SLPError(
                f"{filename} was made with the encoder {self.encoder}, not {encoder}: choose it "
                "first."
            )
        if self.centroids.shape[1] != d:
            raise SLPError(
                f"{filename} has centroids of {self.centroids.shape[1]} dimensions, and the "
                f"embeddings have {d}."
            )

    def classifier(self) -> EditedSLPClassifier:
        """A fitted classifier with these soft labels."""
        return EditedSLPClassifier(self).fit()

    def to_json(self) -> str:
        """The content of a file that :meth:`from_json` reads."""
        return json.dumps(
            {
                "format": SOFT_LABEL_FORMAT,
                "dataset": self.dataset,
                "encoder": self.encoder,
                "fitted on": self.fitted_on and dict(zip(FITTED_ON, self.fitted_on, strict=True)),
                "assignment": self.assignment,
                "distance": self.distance,
                "lines": [self._line_entry(number) for number in range(len(self.lines))],
                "centroids": {
                    name: centroid.tolist()
                    for name, centroid in zip(self.classes, self.centroids, strict=True)
                },
            },
            ensure_ascii=False,
            indent=1,
        )

    def _line_entry(self, number: int) -> dict[str, Any]:
        shares = {
            side: {
                name: float(share) for name, share in zip(self.classes, label, strict=True) if share
            }
            for side, label in zip(SIDES, self.soft_labels[number], strict=True)
        }
        return {"classes": [self.classes[c] for c in self.lines[number].classes], **shares}

    @classmethod
    def from_json(cls, text: str | bytes, filename: str = "The file") -> EditedPrototypes:
        """Read a file of :meth:`to_json`, or one written by hand."""
        return cls(**soft_labels_from_json(text, filename))


class EditedSLPClassifier(ConstraintSLPClassifier):
    """constraintSLP with edited soft labels; without ``line_fit_`` and ``slack_``."""

    def __init__(self, prototypes: EditedPrototypes):
        self.prototypes = prototypes

    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> EditedSLPClassifier:
        """Use the prototypes as they are; a support set is ignored."""
        made: Any = self.prototypes
        with all_or_nothing(self):
            self.assignment, self.distance = made.assignment, made.distance
            self._validate_support(made.centroids, np.array(made.classes))
            self._set_lines(made.lines)
            self.soft_labels_ = made.soft_labels
        return self
