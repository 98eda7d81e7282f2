"""Tasks from a folder of labelled texts, and episodes drawn from them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slp_core.allowed import Number
from slp_core.data.examples import Examples
from slp_core.encoders.checkpoint import sha256
from slp_core.entries import read_entries
from slp_core.errors import DatasetError, SLPError

TRAINING, VALIDATION = "*_train.jsonl", "validation_*.jsonl"
VALIDATION_SHOTS = 8
VALIDATION_DRAWS = 4
VALIDATION_QUERY = 100
"""Query rows of a validation set; support sets are drawn from the others."""

_ROW = {"sentence1": str, "sentence2?": str, "label": (str, bool, Number(-1e300, 1e300))}


@dataclass(frozen=True, eq=False)
class Source:
    """A labelled dataset to draw tasks from."""

    name: str  # the file's name without its suffix
    examples: Examples  # n texts or pairs
    labels: NDArray[np.str_]  # (n,)
    sha256: str
    path: Path

    @cached_property
    def rows(self) -> dict[str, NDArray[np.intp]]:
        """Row numbers of each class, sorted by name."""
        return {
            str(label): np.flatnonzero(self.labels == label) for label in np.unique(self.labels)
        }


@dataclass(frozen=True)
class TaskClass:
    source: Source
    label: str

    @property
    def rows(self) -> NDArray[np.intp]:
        return self.source.rows[self.label]


@dataclass(frozen=True)
class Task:
    """K classes of one or two sources."""

    classes: tuple[TaskClass, ...]

    @property
    def size(self) -> int:
        return sum(len(each.rows) for each in self.classes)

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.source.name for each in self.classes))


def read_sources(folder: Path, pattern: str) -> tuple[Source, ...]:
    """The JSON Lines files of a folder that match, gzipped or not: sentence1, label, sentence2."""
    paths = sorted([*folder.glob(pattern), *folder.glob(pattern + ".gz")])
    if not paths:
        raise DatasetError(
            f"{folder} contains no file {pattern} or {pattern}.gz: name a folder of JSON Lines "
            "with sentence1, label and, for pairs, sentence2."
        )
    _check_names(paths)
    return tuple(_read(path) for path in paths)


def make_tasks(sources: tuple[Source, ...], shots: int, max_classes: int = 2) -> tuple[Task, ...]:
    """All sets of 2 to `max_classes` classes of a source; from 4, pairs of two sources."""
    of_sources = [
        [TaskClass(source, label) for label in source.rows if len(source.rows[label]) >= 2 * shots]
        for source in sources
    ]
    pairs = [Task(two) for classes in of_sources for two in combinations(classes, 2)]
    if not pairs:
        raise DatasetError(
            f"No file has two classes with {2 * shots} examples each, as {shots} shots need: lower "
            "the shots or add data."
        )
    larger = [
        Task(chosen)
        for classes in of_sources
        for n in range(3, max_classes + 1)
        for chosen in combinations(classes, n)
    ]
    joined = [
        Task(first.classes + second.classes)
        for first, second in combinations(pairs, 2)
        if max_classes >= 4 and _can_be_joined(first.classes[0].source, second.classes[0].source)
    ]
    return (*pairs, *larger, *joined)


def _can_be_joined(first: Source, second: Source) -> bool:
    return first.name != second.name and first.examples.kind == second.examples.kind


def draw_tasks(tasks: tuple[Task, ...], n: int, rng: np.random.Generator) -> list[Task]:
    """Draw n tasks, each in proportion to the square root of its size."""
    weights = np.sqrt([task.size for task in tasks])
    return [tasks[i] for i in rng.choice(len(tasks), n, p=weights / weights.sum())]


def draw_episode(task: Task, shots: int, rng: np.random.Generator) -> Examples:
    """Draw `shots` support and as many query examples per class, classes in random order.

    2·K·shots rows: the support set class by class, then the query set, disjoint.
    """
    classes = [task.classes[i] for i in rng.permutation(len(task.classes))]
    rows = [rng.choice(each.rows, 2 * shots, replace=False) for each in classes]
    parts = [
        each.source.examples.take(chosen[half])
        for half in (slice(shots), slice(shots, None))
        for each, chosen in zip(classes, rows, strict=True)
    ]
    texts, pairs = (
        tuple(chain.from_iterable(getattr(part, field) or () for part in parts))
        for field in ("texts", "pairs")
    )
    return Examples(parts[0].kind, texts, pairs or None)


def _check_names(paths: list[Path]) -> None:
    """Raise for ambiguous file names: results are stored by source name."""
    first_of: dict[str, Path] = {}
    for path in paths:
        unpacked = path.name.removesuffix(".gz")
        first = first_of.setdefault(unpacked, path)
        if first is not path:
            raise DatasetError(f"{first} and {path} have the same name: rename or remove one.")
        if all(fnmatchcase(unpacked, pattern) for pattern in (TRAINING, VALIDATION)):
            raise DatasetError(
                f"{path} is named both as training and as validation data: rename it to match "
                f"either {TRAINING} or {VALIDATION}."
            )


def _read(path: Path) -> Source:
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    first: list[str] = []
    second: list[str] = []
    labels: list[str] = []
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            row = read_entries(line, _ROW)
        except SLPError as error:
            raise DatasetError(f"{path}, line {number}: {error}") from error
        first.append(row["sentence1"])
        label = row["label"]
        # 1 and 1.0 are one class.
        whole = isinstance(label, float) and label.is_integer()
        labels.append(str(int(label) if whole else label))
        if row.get("sentence2") is not None:
            second.append(row["sentence2"])
    if second and len(second) != len(first):
        raise DatasetError(f"{path}: {len(second)} of {len(first)} rows have a sentence2.")
    examples = Examples(
        "pair" if second else "text", texts=tuple(first), pairs=tuple(second) if second else None
    )
    return Source(name, examples, np.array(labels), sha256(path), path)


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file, decompressed as they are read."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", newline="\n") as file:
            yield from file
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DatasetError(
            f"{path} cannot be read as UTF-8 JSON Lines ({error}): fetch or write it again."
        ) from error
