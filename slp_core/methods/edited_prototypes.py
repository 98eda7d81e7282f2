"""Prototypes made by hand: soft labels that somebody chose, in the place of solved ones.

A file of them is JSON: class centroids, the classes of each line from left to right, and the soft
labels at its two ends, whose prototypes are the centroids of the classes there. It is checked by
hand: what may be wrong is how entries go together, each told in a sentence, not their types.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from slp_core.data.limits import LIMITS, MB
from slp_core.data.table import as_text
from slp_core.errors import SLPError
from slp_core.lines import Line, LineFit
from slp_core.methods.base import all_or_nothing
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.protocols import HasLines

FORMAT = "soft-label prototypes, version 1"
_SIDES = ("left", "right")
_LONGEST_FILE = 30 * MB  # of as many classes and coordinates as are allowed, with all digits
_TOLERANCE = 1e-6  # by which a soft label may miss a sum of 1


@dataclass(frozen=True, eq=False)
class EditedPrototypes:
    """Everything that constraintSLP's vote needs, to be edited, kept and taken up again.

    Attributes
    ----------
    classes : tuple of str
        In class order.
    centroids : (K, d) array
    lines : tuple of Line
        A prototype stands at either end of each, on the centroid of the class there.
    soft_labels : (L, 2, K) array
        Rows sum to 1.
    assignment, distance : str
        As in ConstraintSLPClassifier.
    encoder : str
        What the vectors come from, in the words of whoever made them; "" if unknown.
    dataset : str
        Digest of the dataset; "" if unknown.
    """

    classes: tuple[str, ...]
    centroids: np.ndarray
    lines: tuple[Line, ...]
    soft_labels: np.ndarray
    assignment: str = "segment"
    distance: str = "euclidean"
    encoder: str = ""
    dataset: str = ""

    @classmethod
    def of(
        cls, model: HasLines, soft_labels: np.ndarray, encoder: str = "", dataset: str = ""
    ) -> EditedPrototypes:
        """The prototypes of a fitted classifier, with these constant soft labels.

        Classes are texts here, and stand in the order of texts, which may not be the model's own.

        Parameters
        ----------
        model : fitted classifier
            With lines.
        soft_labels : (L, 2, K) array
            Not negative; rows sum to 1. Classes as in ``model.classes_``.
        encoder, dataset : str

        Raises
        ------
        SLPError
        """
        made = cls(
            tuple(str(c) for c in model.classes_),
            np.asarray(model.centroids_, dtype=np.float64),
            tuple(model.lines_),
            np.array(soft_labels, dtype=np.float64),
            model.assignment,
            model.distance,
            encoder,
            dataset,
        )
        expected = (len(made.lines), 2, len(made.classes))
        if made.soft_labels.shape != expected:
            raise SLPError(
                f"Soft labels must be an array of shape {expected} (lines, ends, classes), not "
                f"{made.soft_labels.shape}."
            )
        for number, pair in enumerate(made.soft_labels, start=1):
            for side, label in zip(_SIDES, pair, strict=True):
                _check_soft_label(label, f"The {side} soft label of line {number}")
        return made._in_order_of_texts()

    def _in_order_of_texts(self) -> EditedPrototypes:
        order = sorted(range(len(self.classes)), key=lambda c: self.classes[c])
        if order == list(range(len(order))):
            return self
        place = np.argsort(order)
        lines, soft_labels = [], self.soft_labels[..., order]
        for number, line in enumerate(self.lines):
            moved = replace(line, classes=tuple(int(place[c]) for c in line.classes))
            if moved.left > moved.right:  # the class that comes first is at the left
                soft_labels[number] = soft_labels[number, ::-1].copy()
                moved = moved.turned()
            lines.append(moved)
        return replace(
            self,
            classes=tuple(self.classes[c] for c in order),
            centroids=self.centroids[order],
            lines=tuple(lines),
            soft_labels=soft_labels,
        )

    @cached_property
    def digest(self) -> str:
        """Hex digest (BLAKE2b, 128 bits) of all that the vote depends on."""
        parts = [
            *self.classes,
            self.assignment,
            self.distance,
            *(str(line.classes) for line in self.lines),
        ]
        digest = hashlib.blake2b("\n".join(parts).encode(), digest_size=16)
        digest.update(np.ascontiguousarray(self.centroids).tobytes())
        digest.update(np.ascontiguousarray(self.soft_labels).tobytes())
        return digest.hexdigest()

    def with_share(self, line: int, side: int, index: int, share: float) -> EditedPrototypes:
        """Set one class's share of a soft label; the others keep their proportions.

        Where the others had nothing, the other classes of the line come to equal shares.

        Parameters
        ----------
        line, side, index : int
            Of the line, the end (0 left, 1 right) and the class.
        share : float
            From 0 to 1.
        """
        if not 0 <= share <= 1:
            raise SLPError(f"A share of a soft label lies between 0 and 1, and {share} does not.")
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
            label[rest] = label[rest] / total * (1 - share)  # 1 / total may be no number
        label[index] = share if len(self.classes) > 1 else 1.0
        return replace(self, soft_labels=labels)

    def changes_from(self, fitted: EditedPrototypes) -> list[list[float]]:
        """What was changed of fitted soft labels, in numbers: see :meth:`with_changes`.

        Nothing where these prototypes stand elsewhere, or on other lines.
        """
        lines = [line.classes for line in self.lines]
        if lines != [line.classes for line in fitted.lines] or not np.array_equal(
            self.centroids, fitted.centroids
        ):
            return []
        changes = []
        for line, side in np.argwhere((self.soft_labels != fitted.soft_labels).any(axis=2)):
            label = self.soft_labels[line, side]
            shares = [n for c in np.flatnonzero(label) for n in (int(c), float(label[c]))]
            changes.append([int(line), int(side), *shares])
        return changes

    def with_changes(self, changes: list[list[float]]) -> EditedPrototypes:
        """Put other soft labels in the place of some.

        Parameters
        ----------
        changes : list of list of float
            Of each: the line, the end (0 left, 1 right), and every class that has a share, followed
            by that share.

        Raises
        ------
        SLPError
            Where there is no such line, end or class, or shares do not sum to 1.
        """
        labels = self.soft_labels.copy()
        for line, side, *shares in (change if len(change) > 1 else (-1, -1) for change in changes):
            places, whole = [line, side, *shares[::2]], labels.shape
            limits = [whole[0], whole[1], *[whole[2]] * len(shares[::2])]
            fits = all(p in range(n) for p, n in zip(places, limits, strict=True))
            if not fits or len(shares) % 2:
                raise SLPError("There is no such line, end or class among these prototypes.")
            label = np.zeros(whole[2])
            label[np.array(shares[::2], dtype=int)] = shares[1::2]
            _check_soft_label(label, "The soft label")
            labels[int(line), int(side)] = label
        return replace(self, soft_labels=labels)

    def check_fits(
        self, classes: tuple[str, ...], d: int, encoder: str, dataset: str, filename: str
    ) -> None:
        """Raise unless these prototypes belong to some data, seen through some encoder.

        Parameters
        ----------
        classes : tuple of str
        d : int
            Length of the vectors.
        encoder, dataset : str
            As given when the prototypes were made; what a file leaves out is not compared.
        filename : str
            What to call the prototypes in messages.

        Raises
        ------
        SLPError
        """
        if self.classes != classes:
            raise SLPError(
                f"{filename} is about the classes {', '.join(self.classes[:6])}, and the data here "
                f"have {', '.join(classes[:6])}: choose its dataset first."
            )
        if self.dataset and self.dataset != dataset:
            raise SLPError(
                f"{filename} was made on other data with the same classes: choose its dataset "
                'first, or take "dataset" out of the file.'
            )
        if self.encoder and self.encoder != encoder:
            raise SLPError(
                f"{filename} was made with the encoder {self.encoder}, and here it is {encoder}: "
                "choose that one first."
            )
        if self.centroids.shape[1] != d:
            raise SLPError(
                f"{filename} has centroids of {self.centroids.shape[1]} coordinates, and the "
                f"vectors here have {d}."
            )

    def classifier(self) -> EditedSLPClassifier:
        """A fitted classifier that votes with these soft labels."""
        return EditedSLPClassifier(self).fit()

    def to_json(self) -> str:
        """The text of a file, from which :meth:`from_json` makes equal prototypes."""
        return json.dumps(
            {
                "format": FORMAT,
                "dataset": self.dataset,
                "encoder": self.encoder,
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
            for side, label in zip(_SIDES, self.soft_labels[number], strict=True)
        }
        return {"classes": [self.classes[c] for c in self.lines[number].classes], **shares}

    @classmethod
    def from_json(cls, text: str | bytes, filename: str = "The file") -> EditedPrototypes:
        """Read what :meth:`to_json` wrote, or somebody by hand.

        Parameters
        ----------
        text : str or bytes
        filename : str
            What to call it in messages.

        Raises
        ------
        SLPError
            One sentence naming the entry to mend.
        """
        if len(text) > _LONGEST_FILE:
            raise SLPError(
                f"{filename} is larger than {_LONGEST_FILE // MB} MB: give fewer classes, or "
                "coordinates with fewer digits."
            )
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SLPError(f"{filename} is not JSON: {error}.") from None
        if not isinstance(content, Mapping) or content.get("format") != FORMAT:
            raise SLPError(
                f'{filename} holds no hand-made prototypes: its "format" must be "{FORMAT}".'
            )
        classes, centroids = _read_centroids(content.get("centroids"), filename)
        lines, soft_labels = _read_lines(content.get("lines"), classes, centroids, filename)
        return cls(
            classes,
            centroids,
            lines,
            soft_labels,
            _choice(content, "assignment", ("segment", "prototype"), filename),
            _choice(content, "distance", ("euclidean", "along_line"), filename),
            str(content.get("encoder", "")),
            str(content.get("dataset", "")),
        )


class EditedSLPClassifier(ConstraintSLPClassifier):
    """constraintSLP's vote (equation 1 of the paper) with soft labels made by hand.

    Parameters
    ----------
    prototypes : EditedPrototypes

    Attributes
    ----------
    classes_, centroids_, lines_, prototypes_, soft_labels_, n_features_in_
        As in ConstraintSLPClassifier; there is no ``line_fit_`` and no ``slack_``, since no lines
        were searched for and no programme was solved.
    """

    def __init__(self, prototypes: EditedPrototypes):
        self.prototypes = prototypes

    def fit(self, X: Any = None, y: Any = None) -> EditedSLPClassifier:
        """Take the prototypes as they are; a support set has no say, and may be left out."""
        made = self.prototypes
        with all_or_nothing(self):
            self.assignment, self.distance = made.assignment, made.distance
            self._validate_support(made.centroids, np.array(made.classes))
            self._set_lines(LineFit(made.lines, "by hand", 0.0))
            self.soft_labels_ = made.soft_labels
        return self


def _read_centroids(entry: Any, filename: str) -> tuple[tuple[str, ...], np.ndarray]:
    if not isinstance(entry, Mapping) or not entry:
        raise SLPError(f'{filename} needs "centroids": for each class the list of its coordinates.')
    if len(entry) > LIMITS.classes:
        raise SLPError(
            f'{filename} has {len(entry):,} "centroids", more than {LIMITS.classes} classes: give '
            "fewer."
        )
    classes = tuple(sorted(entry))
    if long := [name for name in classes if len(name) > LIMITS.label_characters]:
        raise SLPError(
            f'{filename}: the class "{long[0][:20]} …" has a name of more than '
            f"{LIMITS.label_characters} characters: shorten it."
        )
    if odd := [name for name in classes if name != as_text(name)]:
        raise SLPError(f"{filename}: the class {odd[0]!r} has a name that is no text: change it.")
    rows = [_numbers(entry[name]) for name in classes]
    for name, row in zip(classes, rows, strict=True):
        if row is None or not len(row):
            raise SLPError(f'{filename}: the centroid of "{name}" is not a list of finite numbers.')
        if rows[0] is not None and len(row) != len(rows[0]):
            raise SLPError(
                f'{filename}: the centroid of "{name}" has {len(row)} coordinates, and that of '
                f'"{classes[0]}" {len(rows[0])}: give all the same number.'
            )
        if row is not None and len(row) > LIMITS.dimensions:
            raise SLPError(
                f'{filename}: the centroid of "{name}" has more than {LIMITS.dimensions:,} '
                "coordinates: give fewer."
            )
    return classes, np.array(rows)


def _read_lines(
    entries: Any, classes: tuple[str, ...], centroids: np.ndarray, filename: str
) -> tuple[tuple[Line, ...], np.ndarray]:
    if not isinstance(entries, list) or not all(isinstance(e, Mapping) for e in entries):
        raise SLPError(f'{filename} needs "lines": a list with an entry for each line.')
    if len(entries) > len(classes):
        raise SLPError(
            f"{filename} has {len(entries):,} lines for {len(classes):,} classes: a class is on "
            "one line."
        )
    index = {name: i for i, name in enumerate(classes)}
    seen: dict[str, int] = {}
    lines = []
    soft_labels = np.zeros((len(entries), 2, len(classes)))
    for number, entry in enumerate(entries, start=1):
        names = entry.get("classes")
        if not isinstance(names, list) or not names:
            raise SLPError(f'{filename}: line {number} needs "classes", from left to right.')
        for name in names:
            if not isinstance(name, str) or name not in index:
                raise SLPError(f"{filename}: line {number} names {name!r}, which has no centroid.")
            if name in seen:
                raise SLPError(
                    f"{filename}: {name!r} is on line {seen[name]} and again on line {number}: a "
                    "class is on one line."
                )
            seen[name] = number
        line = Line.through([index[name] for name in names], centroids)
        found = [classes[c] for c in line.classes]
        if found != names:
            raise SLPError(
                f"{filename}: line {number} lists its classes as {', '.join(names)}, but by their "
                f"centroids they stand as {', '.join(found)}."
            )
        lines.append(line)
        for side, name in enumerate(_SIDES):
            soft_labels[number - 1, side] = _read_soft_label(
                entry.get(name), index, f"{filename}: the {name} soft label of line {number}"
            )
    if missing := [name for name in classes if name not in seen]:
        raise SLPError(f"{filename}: {missing[0]!r} has a centroid and is on no line.")
    return tuple(lines), soft_labels


def _read_soft_label(entry: Any, index: Mapping[str, int], what: str) -> np.ndarray:
    if not isinstance(entry, Mapping):
        raise SLPError(f"{what} is missing: give the share of each class.")
    label = np.zeros(len(index))
    for name, share in entry.items():
        if name not in index:
            raise SLPError(f"{what} names {name!r}, which has no centroid.")
        value = _numbers([share])
        if value is None:
            raise SLPError(f"{what} gives {name!r} {share!r}, which is not a number.")
        label[index[name]] = value[0]
    _check_soft_label(label, what)
    total = label.sum()
    # What was written down to the last digit comes back to the last digit.
    return label if abs(total - 1) < 1e-12 else label / total


def _check_soft_label(label: np.ndarray, what: str) -> None:
    if not np.isfinite(label).all() or label.min() < 0:
        raise SLPError(f"{what} has a share that is negative or not finite.")
    if abs(label.sum() - 1) > _TOLERANCE:
        raise SLPError(f"{what} sums to {label.sum():.6g}, and must sum to 1.")


def _numbers(values: Any) -> np.ndarray | None:
    """A list of finite numbers as an array; None for anything else."""
    usable = isinstance(values, list) and all(
        isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < 1e300 for v in values
    )
    return np.array(values, dtype=np.float64) if usable else None


def _choice(content: Mapping[str, Any], name: str, allowed: tuple[str, ...], filename: str) -> str:
    value = content.get(name, allowed[0])
    if value not in allowed:
        raise SLPError(f'{filename}: "{name}" must be {" or ".join(allowed)}, not {value!r}.')
    return value
