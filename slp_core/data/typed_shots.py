"""A dataset with typed shots in addition to those of each draw."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.data.edits import Edits
from slp_core.data.examples import Examples
from slp_core.data.own_examples import CLASSES, LETTERS, OwnExamples
from slp_core.errors import DatasetError
from slp_core.sentences import count

_NUMBERS = 30  # in a row, at most: more are pasted, not typed
_LARGEST = 3.4e38  # of either sign: encoders compute with 32 bits


@dataclass(frozen=True, eq=False, kw_only=True)
class TypedBeside(FewShotDataset):
    """Rows of another dataset, then the typed ones, which are shots in every draw of that one."""

    base: FewShotDataset
    typed: OwnExamples

    @cached_property
    def digest(self) -> str:
        """The base dataset's, which can be found in it, and that of the typed shots."""
        typed = hashlib.blake2b(str(self.typed).encode(), digest_size=16).hexdigest()
        return f"{self.base.digest}+{typed}"

    def called(self, index: int) -> str:
        """The displayed name of a row; typed ones are counted separately."""
        place = index - len(self.base)
        return self.base.called(index) if place < 0 else f"typed example {place + 1}"

    def _pool_rows(self, k: int) -> NDArray[np.int64]:
        rows = super()._pool_rows(k)
        return rows[rows < len(self.base)]

    def _random_support(self, shots: int, draw: int) -> NDArray[np.int64]:
        """The base dataset's with the typed shots."""
        drawn = self.base._random_support(shots, draw)
        support = np.append(drawn, np.arange(len(self.base), len(self)))
        return support[self.y[support].argsort(kind="stable")]

    def _uneven(self, support: NDArray[np.int64], shots: int) -> Iterator[str]:
        return iter(())  # as whoever types shots sees


def base_of(dataset: FewShotDataset) -> FewShotDataset:
    return dataset.base if isinstance(dataset, TypedBeside) else dataset


def typed_text(dataset: FewShotDataset) -> str:
    """The typed shots, as :meth:`OwnExamples.read` reads them; else ""."""
    return str(dataset.typed) if isinstance(dataset, TypedBeside) else ""


def typed_rows(dataset: FewShotDataset) -> list[tuple[str, str]]:
    """Text and class of each of its typed shots."""
    return dataset.typed.rows if isinstance(dataset, TypedBeside) else []


def can_be_typed(dataset: FewShotDataset) -> bool:
    """Whether shots of its classes can be typed: texts, or rows of a few numbers."""
    names = dataset.classes
    fit = all(0 < len(name) <= LETTERS and name == name.strip() for name in names)
    kind = dataset.kind == "text" or 0 < n_numbers(dataset) <= _NUMBERS
    return kind and len(names) <= CLASSES and fit


def n_numbers(dataset: FewShotDataset) -> int:
    """How many numbers a row of it has; 0 of texts."""
    features = dataset.examples.features
    return 0 if features is None else features.shape[1]


def every_class(base: FewShotDataset, typed: OwnExamples) -> OwnExamples:
    """Each class of a dataset with its typed shots; then the new classes."""
    return OwnExamples(tuple((dict.fromkeys(base.classes, ()) | typed.by_name).items()))


def typed_alone(base: FewShotDataset, typed: OwnExamples) -> OwnExamples:
    """The typed shots, in the same order, without classes that have none."""
    classes = every_class(base, typed).classes
    return OwnExamples(tuple((k, each) for k, each in classes if each or k not in base.classes))


def typed_beside(base: FewShotDataset, typed: OwnExamples) -> FewShotDataset:
    """A dataset with typed shots; the same dataset if nothing is typed.

    A row of numbers has commas, semicolons or blanks between them; DatasetError for any other row.
    """
    typed = typed_alone(base, typed)
    rows = typed.rows
    if not rows:
        return base
    texts, labels = zip(*rows, strict=True)
    more = len(rows)
    parts: dict[str, Any] = {part.name: getattr(base, part.name) for part in fields(base)}
    parts |= {
        "name": f"{base.name}+typed",
        "title": f"{base.title} with {count(more, 'typed shot')}",
        "examples": _examples(base, texts),
        "labels": np.append(base.labels, labels),
        "classes": (),
        "made": every_class(base, typed).names,
    }
    if base.file_rows is not None:
        parts["file_rows"] = np.append(base.file_rows, base.file_rows[-1] + 1 + np.arange(more))
    if base.own_draws is not None:
        own = len(base) + np.arange(more)
        parts["own_draws"] = {key: np.append(each, own) for key, each in base.own_draws.items()}
    if base.predicted is not None:
        parts["predicted"] = np.append(base.predicted, [-1] * more)
    return TypedBeside(**parts, base=base, typed=typed)


def _examples(base: FewShotDataset, texts: tuple[str, ...]) -> Examples:
    features = base.examples.features
    if features is None:
        return Examples("text", (*(base.examples.texts or ()), *texts))
    rows = [_numbers(text, base) for text in texts]
    return Examples("numeric", features=np.vstack([features, rows]))


def _numbers(text: str, base: FewShotDataset) -> list[float]:
    try:
        row = [float(part) for part in text.replace(",", " ").replace(";", " ").split()]
    except ValueError:
        row = []
    n = n_numbers(base)
    if len(row) != n or not all(abs(number) <= _LARGEST for number in row):
        names = f": {', '.join(base.feature_names)}" if base.feature_names else ""
        raise DatasetError(f"A row of this dataset has {count(n, 'number')}{names}.")
    return row


def carried_edits(edits: Edits, before: FewShotDataset, after: FewShotDataset) -> Edits:
    """Edits once other shots are typed: without those of shots that are gone."""
    n = len(base_of(before))
    were = typed_rows(before)
    typed = {text: row for row, (text, _) in enumerate(typed_rows(after), n)}

    def now(row: int) -> int | None:
        return row if row < n else typed.get(were[row - n][0])

    def carried(rows: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(at for row in rows if (at := now(row)) is not None))

    relabelled = []
    for row, k in edits.relabelled:
        at, name = now(row), before.classes[k]
        if at is not None and name in after.classes and after.labels[at] != name:
            relabelled.append((at, after.classes.index(name)))
    return Edits(carried(edits.removed), carried(edits.added), tuple(sorted(relabelled)))
