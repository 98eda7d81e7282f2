"""The tasks found on disk, and their runs with the methods."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slp_core.allowed import Count, CountOrZero
from slp_core.entries import Text
from slp_core.errors import DatasetError, SLPError

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset


class Run(NamedTuple):
    """One fit of one method: what identifies a row of the results."""

    task: str
    encoder: str
    method: str
    shots: Count
    draw: CountOrZero
    seed: CountOrZero


@dataclass(frozen=True)
class Task:
    """A dataset with a name, read when needed."""

    name: str
    load: Callable[[], FewShotDataset]


def on_some_classes(episode: Episode, n_classes: int) -> Episode:
    """An episode on a random subset of its classes, chosen by the draw's number alone."""
    y, of_all = episode.dataset.y, len(episode.dataset.classes)
    # Seeded like the rows of a class (FewShotDataset.draw), with a number that no class has.
    keys = np.random.default_rng([episode.draw, of_all]).random(of_all)
    chosen = keys.argsort(kind="stable")[:n_classes]
    support, query = (rows[np.isin(y[rows], chosen)] for rows in (episode.support, episode.query))
    return replace(episode, support=support, query=query)


def find_tasks(sources: Sequence[str | os.PathLike[str]]) -> tuple[Task, ...]:
    """The tasks of LEOPARD folders, folders of these, files and bundled datasets, unread."""
    tasks = [task for source in sources for task in _tasks_of(os.fspath(source))]
    names = [task.name for task in tasks]
    for name in names:
        if names.count(name) > 1:
            raise DatasetError(f"Two tasks are called '{name}': evaluate them into separate files.")
    return tuple(tasks)


def _tasks_of(source: str) -> list[Task]:
    from slp_core.data import list_datasets, load_dataset, read_dataset, read_leopard
    from slp_core.data.tables import names_table

    if not source:  # which would be the folder one is in, as where a variable is not set
        raise DatasetError("No data are named: give a folder, a file or a bundled dataset.")
    path = whole_path(source)
    if path.is_dir():
        if _is_task(path):
            return [Task(path.name, partial(read_leopard, path))]
        inside = sorted(each for each in path.iterdir() if not each.name.startswith("."))
        folders = [each for each in inside if each.is_dir()]
        files = [each for each in inside if each.is_file() and names_table(each.name)]
        # Some other file beside task folders is no task.
        if files and not any(map(_is_task, folders)):
            return [Task(file.name, partial(read_dataset, file)) for file in files]
        if not folders:
            raise DatasetError(
                f"The folder {source} holds no task: a task folder holds NAME_eval.json and "
                "NAME_train_DRAW_SHOTS.json files, and a folder of files CSV, JSONL or others."
            )
        return [Task(folder.name, partial(read_leopard, folder)) for folder in folders]
    if path.is_file():
        return [Task(path.name, partial(read_dataset, path))]
    bundled = [info.name for info in list_datasets()]
    if source in bundled:
        return [Task(f"sample/{source}", partial(load_dataset, source))]
    raise DatasetError(
        f"'{source}' is neither a folder, a file nor a bundled dataset ({', '.join(bundled)})."
    )


def whole_path(source: str) -> Path:
    """Absolute, and not resolved: "." has a name, and a link keeps the one that it was given."""
    try:
        return Path(source).expanduser().absolute()
    except RuntimeError:  # "~somebody", who is not known here
        raise DatasetError(f"{source} names no folder here: give its whole path.") from None


def check_recordable(name: str) -> None:
    """Raise SLPError at the name of a task or an encoder that no row of results can hold."""
    if {"\r", "\n"} & set(name) or not Text(len(name)).takes(name):
        raise SLPError(f"The name {name!r} holds a line break or is not UTF-8: rename it.")


def _is_task(folder: Path) -> bool:
    return any(any(folder.glob(pattern)) for pattern in ("*_eval.json", "*_train_*.json"))
