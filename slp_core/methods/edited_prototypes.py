"""Edited soft labels; :mod:`slp_core.methods.model_files` reads their files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from slp_core.entries import read_entries, written
from slp_core.errors import SLPError
from slp_core.lines import Line
from slp_core.methods.base import all_or_nothing
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.model_files import (
    SIDES,
    SOFT_LABEL_ENTRIES,
    SOFT_LABEL_FORMAT,
    check_sizes,
    check_soft_labels,
    lines_through,
)
from slp_core.methods.protocols import HasLines

_AS_WRITTEN = ("dataset", "encoder", "assignment", "distance")


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
    def of(cls, model: HasLines, soft_labels: np.ndarray, **origin: Any) -> EditedPrototypes:
        """The prototypes of a fitted classifier with these soft labels; and where they are from."""
        made = cls(
            tuple(str(c) for c in model.classes_),
            np.asarray(model.centroids_, dtype=np.float64),
            tuple(model.lines_),
            np.array(soft_labels, dtype=np.float64),
            model.assignment,
            model.distance,
            **origin,
        )
        if list(made.classes) != sorted(made.classes):
            raise SLPError("The names of the classes are not in alphabetical order: rename them.")
        check_soft_labels(made.soft_labels)
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
        if replace(self, soft_labels=fitted.soft_labels).digest != fitted.digest:
            return []
        changes = []
        for line, side in np.argwhere((self.soft_labels != fitted.soft_labels).any(axis=2)):
            label = self.soft_labels[line, side]
            shares = [n for c in np.flatnonzero(label) for n in (int(c), float(label[c]))]
            changes.append([int(line), int(side), *shares])
        return changes

    def with_changes(self, changes: list[list[Any]]) -> EditedPrototypes:
        """Replace soft labels: line, end (0 left, 1 right), and pairs of class and share each."""
        labels = self.soft_labels.copy()
        try:
            for line, side, *shares in changes:
                if min(line, side, *shares[::2]) < 0:  # numpy would count from the end
                    raise IndexError
                labels[line, side] = 0
                labels[line, side, shares[::2]] = shares[1::2]
        except (IndexError, ValueError):
            raise SLPError("These prototypes have no such line, end or class.") from None
        check_soft_labels(labels)
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
        shots, draw = self.fitted_on or (0, 0)
        return written(
            {
                "format": SOFT_LABEL_FORMAT,
                "fitted on": {"shots": shots, "draw": draw} if self.fitted_on else None,
                **{name: getattr(self, name) for name in _AS_WRITTEN},
                "lines": [
                    {"classes": [self.classes[c] for c in line.classes]}
                    | {
                        side: {self.classes[c]: float(label[c]) for c in np.flatnonzero(label)}
                        for side, label in zip(SIDES, pair, strict=True)
                    }
                    for line, pair in zip(self.lines, self.soft_labels, strict=True)
                ],
                "centroids": dict(zip(self.classes, self.centroids.tolist(), strict=True)),
            }
        )

    @classmethod
    def from_json(cls, text: str | bytes, filename: str = "The file") -> EditedPrototypes:
        """Read a file of :meth:`to_json`, or one written by hand."""
        try:
            return cls._of_entries(read_entries(text, SOFT_LABEL_ENTRIES))
        except SLPError as error:
            raise SLPError(f"{filename}: {error}") from None

    @classmethod
    def _of_entries(cls, content: dict[str, Any]) -> EditedPrototypes:
        lines, given = content["lines"], content["centroids"]
        classes, fitted_on = tuple(sorted(given)), content.get("fitted on")
        lengths = sorted(map(len, given.values())) or [0]
        if lengths[0] < lengths[-1]:
            raise SLPError(f"Centroids have {lengths[0]} to {lengths[-1]} numbers, not the same.")
        check_sizes(len(classes), lengths[0])
        centroids = np.array([given[name] for name in classes], dtype=np.float64)
        through = lines_through([line["classes"] for line in lines], classes, centroids)
        shares = [line[side] for line in lines for side in SIDES]
        if unknown := set().union(*shares).difference(classes):
            raise SLPError(f"The soft labels name {min(unknown)!r}, which has no centroid.")
        table = [[label.get(name, 0.0) for name in classes] for label in shares]
        soft_labels = np.array(table, dtype=np.float64).reshape(-1, 2, len(classes))
        check_soft_labels(soft_labels)
        total = soft_labels.sum(axis=2, keepdims=True)
        return cls(
            classes,
            centroids,
            through,
            # Sums of 1 up to rounding stay as written.
            np.where(abs(total - 1) < 1e-12, soft_labels, soft_labels / total),
            fitted_on=(fitted_on["shots"], fitted_on["draw"]) if fitted_on else None,
            **{name: content[name] for name in _AS_WRITTEN if content.get(name)},
        )


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
