"""The tasks found on disk, and the runs that they make together with the methods."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from slp_core.errors import DatasetError, SLPError
from slp_core.methods.table import Method

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset


class Run(NamedTuple):
    """One fit of one method: what a row of the results is known by."""

    task: str
    encoder: str
    method: str
    shots: int
    draw: int
    seed: int


def plan_runs(
    task: str,
    encoder: str,
    methods: Sequence[Method],
    shots: Sequence[int],
    n_draws: int,
    n_seeds: int,
) -> Iterator[Run]:
    """Every run of one task and encoder, in a fixed order: shots, draw, method, seed."""
    for n_shots in shots:
        for draw in range(n_draws):
            for method in methods:
                for seed in method.seeds(n_seeds):
                    yield Run(task, encoder, method.name, n_shots, draw, seed)


@dataclass(frozen=True)
class Task:
    """A dataset that is known by name and read when needed."""

    name: str
    load: Callable[[], FewShotDataset]


def find_tasks(
    sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
) -> tuple[Task, ...]:
    """The tasks of LEOPARD folders, folders of these, files and bundled datasets, unread."""
    each = _all_of("sources", sources, (str, os.PathLike), "names or paths")
    tasks = [task for source in each for task in _tasks_of(os.fspath(source))]
    names = [task.name for task in tasks]
    for name in names:
        if names.count(name) > 1:
            raise DatasetError(f"Two tasks are called '{name}': evaluate them into separate files.")
    return tuple(tasks)


def _tasks_of(source: str) -> list[Task]:
    from slp_core.data import list_datasets, load_dataset, read_dataset, read_leopard

    if not source:  # which would be the folder one is in, as where a variable is not set
        raise DatasetError("No data are named: give a folder, a file or a bundled dataset.")
    # absolute, and not resolved: "." has a name, and a link keeps the one that it was given
    try:
        path = Path(source).expanduser().absolute()
    except RuntimeError:  # "~somebody", who is not known here
        raise DatasetError(f"{source} names no folder here: give its whole path.") from None
    if path.is_dir():
        folders = sorted(
            folder
            for folder in path.iterdir()
            if folder.is_dir() and not folder.name.startswith(".")
        )
        # Some other JSON file beside task folders does not make a task of what holds them.
        if _is_task(path) or (any(path.glob("*.json")) and not any(map(_is_task, folders))):
            return [Task(path.name, partial(read_leopard, path))]
        if not folders:
            raise DatasetError(
                f"The folder {source} holds no task: a task folder holds NAME_eval.json and "
                "NAME_train_DRAW_SHOTS.json files."
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


def check_tasks(tasks: Task | Sequence[Task]) -> tuple[Task, ...]:
    """The tasks that an evaluation is asked for; raises SLPError where there are none."""
    found = _all_of("tasks", tasks, Task, "tasks that find_tasks has found")
    if not found:
        raise SLPError("There is no task to run: give one or more that find_tasks has found.")
    return found


def check_names(argument: str, names: str | Sequence[str]) -> tuple[str, ...]:
    """Each name once, in the order given; raises SLPError where one is no text."""
    return tuple(dict.fromkeys(_all_of(argument, names, str, "names")))


def check_count(argument: str, value: Any, otherwise: str = "") -> int:
    """Take a whole number of at least 1; raises SLPError at any other, saying what else may be."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1:
        return int(value)
    raise SLPError(f"{argument} must be a whole number of at least 1{otherwise}, not {value!r}.")


def check_shots(shots: int | Sequence[int]) -> tuple[int, ...]:
    """Each number of shots once, in the order given; raises SLPError at one that cannot be."""
    each = _items(shots)
    if not each:
        raise SLPError("There is no number of shots to run: give one or more, such as (4, 8, 16).")
    return tuple(dict.fromkeys(check_count("shots", n_shots) for n_shots in each))


def check_jobs(n_jobs: Any) -> int:
    """Take a number of processes as joblib does; raises SLPError where it would not."""
    if isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool) and n_jobs != 0:
        return int(n_jobs)
    raise SLPError(
        f"n_jobs must be a whole number of at least 1, or -1 for all cores, not {n_jobs!r}."
    )


def check_recordable(name: str) -> None:
    """Raise SLPError at the name of a task or an encoder that no row of results can hold."""
    try:
        name.encode()
    except UnicodeEncodeError:
        fault = "is not UTF-8"
    else:
        if not {"\r", "\n"} & set(name):
            return
        fault = "holds a line break"
    shown = name.encode("unicode_escape").decode()
    raise SLPError(f"The name '{shown}' {fault}, and no results file can hold it: rename it.")


def _items(given: Any) -> tuple[Any, ...]:
    """What is listed; one alone, such as a text and not its letters, is an item itself."""
    alone = isinstance(given, str) or not isinstance(given, Iterable)
    return (given,) if alone else tuple(given)


def _all_of(
    argument: str, given: Any, kind: type | tuple[type, ...], wanted: str
) -> tuple[Any, ...]:
    """The items of an argument; raises SLPError where one is not of the kind."""
    items = _items(given)
    for item in items:
        if not isinstance(item, kind):
            raise SLPError(f"{argument} must be {wanted}, not {item!r}.")
    return items


def _is_task(folder: Path) -> bool:
    return any(any(folder.glob(pattern)) for pattern in ("*_eval.json", "*_train_*.json"))
