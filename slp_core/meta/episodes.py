"""Two-class tasks out of a folder of labelled texts, and the episodes drawn from them."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import Examples
from slp_core.errors import DatasetError

TRAINING, VALIDATION = "*_train.jsonl", "validation_*.jsonl"
VALIDATION_SHOTS = 8
VALIDATION_DRAWS = 4
VALIDATION_QUERY = 100
"""A validation set's query rows; its support sets are drawn from the others."""


@dataclass(frozen=True)
class Source:
    """A labelled dataset to draw tasks from.

    Parameters
    ----------
    name
        The file's name without its ending.
    examples
        n texts or pairs.
    labels
        (n,) str.
    sha256
        Of the file.
    """

    name: str
    examples: Examples
    labels: NDArray[np.str_]
    sha256: str

    @cached_property
    def rows(self) -> dict[str, NDArray[np.intp]]:
        """The rows of each class, classes in the order of their names."""
        return {
            str(label): np.flatnonzero(self.labels == label) for label in np.unique(self.labels)
        }


@dataclass(frozen=True)
class Task:
    """Two classes of one source.

    Parameters
    ----------
    source
        Where they are.
    classes
        Their names.
    """

    source: Source
    classes: tuple[str, str]

    @property
    def size(self) -> int:
        """Examples of both classes."""
        return sum(len(self.source.rows[label]) for label in self.classes)

    @property
    def name(self) -> str:
        """For people: ``mnli_train: entailment / neutral``."""
        return f"{self.source.name}: {' / '.join(self.classes)}"


@dataclass(frozen=True)
class MetaEpisode:
    """A support and a query set of a task, disjoint.

    Parameters
    ----------
    task
        What they are drawn from.
    support, query
        (2, shots) rows of the task's source; one line for each class, so that an example's label
        is the line it stands in. Which class is on the first line is drawn too.
    """

    task: Task
    support: NDArray[np.intp]
    query: NDArray[np.intp]

    @property
    def examples(self) -> Examples:
        """Support then query, class by class: 2·shots + 2·query shots rows."""
        return self.task.source.examples.take(np.r_[self.support.ravel(), self.query.ravel()])


def read_sources(folder: Path, pattern: str) -> tuple[Source, ...]:
    """Read the JSON Lines files of a folder whose names match, gzipped or not, sorted by name.

    Each line has ``sentence1`` and ``label``, and in a file of pairs ``sentence2``.

    Raises
    ------
    DatasetError
        There is none, or a line cannot be read.
    """
    paths = sorted([*folder.glob(pattern), *folder.glob(pattern + ".gz")])
    if not paths:
        raise DatasetError(
            f"{folder} holds no file {pattern} or {pattern}.gz: name a folder of JSON Lines with "
            "sentence1, label and, for pairs, sentence2."
        )
    return tuple(_read(path) for path in paths)


def make_tasks(sources: tuple[Source, ...], shots: int) -> tuple[Task, ...]:
    """Every pair of classes of every source, where both have 2·shots examples.

    Raises
    ------
    DatasetError
        No pair has so many.
    """
    tasks = tuple(
        Task(source, (first, second))
        for source in sources
        for first, second in combinations(source.rows, 2)
        if min(len(source.rows[first]), len(source.rows[second])) >= 2 * shots
    )
    if not tasks:
        raise DatasetError(
            f"No two classes of a file have {2 * shots} examples each, which {shots} shots need: "
            "lower the shots or add data."
        )
    return tasks


def draw_tasks(tasks: tuple[Task, ...], n: int, rng: np.random.Generator) -> list[Task]:
    """Draw n tasks, each in proportion to the square root of its size."""
    weights = np.sqrt([task.size for task in tasks])
    return [tasks[i] for i in rng.choice(len(tasks), n, p=weights / weights.sum())]


def draw_episode(task: Task, shots: int, rng: np.random.Generator) -> MetaEpisode:
    """Draw `shots` support and as many query examples of each class, labels in random order."""
    classes = rng.permutation(list(task.classes))
    rows = np.stack(
        [rng.choice(task.source.rows[str(label)], 2 * shots, replace=False) for label in classes]
    )
    return MetaEpisode(task, rows[:, :shots], rows[:, shots:])


def _read(path: Path) -> Source:
    content = path.read_bytes()
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    first: list[str] = []
    second: list[str] = []
    labels: list[str] = []
    try:
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        lines = text.decode("utf-8").split("\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path} cannot be read as UTF-8 JSON Lines: {error}.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            first.append(row["sentence1"])
            labels.append(str(row["label"]))
            if "sentence2" in row:
                second.append(row["sentence2"])
        except (ValueError, KeyError, TypeError) as error:
            raise DatasetError(
                f"{path}, line {number}: not an object with sentence1 and label ({error})."
            ) from error
    if second and len(second) != len(first):
        raise DatasetError(f"{path}: {len(second)} of {len(first)} rows have a sentence2.")
    examples = Examples(
        "pair" if second else "text", texts=tuple(first), pairs=tuple(second) if second else None
    )
    return Source(name, examples, np.array(labels), hashlib.sha256(content).hexdigest())
