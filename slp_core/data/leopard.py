"""LEOPARD evaluation tasks (Bansal et al. 2020): a test file, and support sets drawn in advance."""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from slp_core.data import remarks
from slp_core.data.checks import oddities
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples
from slp_core.data.limits import check_counts, check_file_size, check_size
from slp_core.data.mentions import find_mention
from slp_core.data.read import class_names
from slp_core.data.table import Table, as_text
from slp_core.data.tables import Source, read_table
from slp_core.errors import DatasetError

_SPAN_SHARE = 0.9
"""Share of rows whose second sentence occurs in the first, from which it is a mention."""

_EVAL = "_eval.json"

Row = tuple[str, str, str | None]
"""Label, sentence1 and, for some tasks, sentence2."""

_FOLDERS = {"conll_c": "conll"}
"""LEOPARD's folders whose files have another name; files can come without their folder."""


def read_leopard(folder: str | os.PathLike[str]) -> FewShotDataset:
    """Read a LEOPARD task folder.

    It holds ``<task>_eval.json``, whose rows are the query set of every draw, and
    ``<task>_train_<draw>_<shots>.json``, the support sets. Each is a JSON list of objects with
    ``sentence1``, ``label`` and, for some tasks, ``sentence2``: a mention inside ``sentence1``
    where it occurs there in nearly all rows (kind ``"span"``), else a second text (``"pair"``).

    The rows of the dataset are the test rows in file order, then the distinct training rows. Rows
    are kept as published, long or doubtful ones too, so that results compare.

    Raises
    ------
    DatasetError
        When a file is missing or is not of this form, or two are of one draw. A draw that is empty
        or lacks a class is an error only when it is asked for; ``FewShotDataset.available_draws``
        tells which there are.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> import slp_core as slp
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, texts in {"train_0_1": ["good", "bad"], "eval": ["nice", "poor"]}.items():
    ...         rows = [{"sentence1": text, "label": i} for i, text in enumerate(texts)]
    ...         _ = pathlib.Path(folder, f"film_{name}.json").write_text(json.dumps(rows))
    ...     slp.read_leopard(folder).draw(shots=1, draw=0).support.tolist()
    [2, 3]
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise DatasetError(f"{folder} is not a folder: give the folder of one LEOPARD task.")
    files = {path.name: path for path in sorted(folder.glob("*.json"))}
    tasks = sorted({path.parent.name for path in folder.glob(f"*/*{_EVAL}")})
    if tasks and not any(name.endswith(_EVAL) for name in files):
        raise DatasetError(
            f"{folder} holds folders of tasks ({', '.join(tasks)}) and is none itself: give one "
            f"of them, for example {folder / tasks[0]}."
        )
    return _read_task(files, str(folder), folder.resolve().name)


def read_leopard_files(files: Sequence[tuple[str, bytes]]) -> FewShotDataset:
    """The same of files that are handed in without a folder."""
    check_counts("The upload", files=len(files))
    check_file_size("The upload", sum(len(contents) for _, contents in files))
    given: dict[str, bytes] = {}
    for path, contents in files:
        name = as_text(path.replace("\\", "/").rpartition("/")[2])
        if given.setdefault(name, contents) != contents:
            raise DatasetError(
                f"The upload has two files named {name} that differ: take one of them out."
            )
    opened = {name: io.BytesIO(contents) for name, contents in sorted(given.items())}
    return _read_task(opened, "The upload")


def _read_task(files: Mapping[str, Source], where: str, folder: str = "") -> FewShotDataset:
    """Read files by name, in order, from a folder of this name or from none."""
    task, eval_file = _eval_file(files, where, folder)
    name = folder if folder and task.startswith(folder) else _FOLDERS.get(task, task)
    name = re.sub(r"[^\w-]+", "_", name)
    test = _rows(eval_file, files)
    if not test:
        raise DatasetError(f"{eval_file} is an empty list: fetch the task's test file again.")
    rows: dict[Any, int] = {}
    own_draws = {}
    train_files = _train_files(files, where, task)
    for key, file in train_files.items():
        # A row that stands twice in one draw is two support rows; across draws it is one.
        seen: Counter[Row] = Counter()
        places = []
        for row in _rows(file, files):
            seen[row] += 1
            places.append(rows.setdefault((row, seen[row]), len(test) + len(rows)))
        check_size(name, len(test) + len(rows), 1)
        own_draws[key] = np.array(places, dtype=np.int64)
    if not own_draws:
        raise DatasetError(
            f"{where} has no support sets: it needs files named {task}_train_<draw>_<shots>.json."
        )
    everything = [*test, *(row for row, _ in rows)]
    if len({second is None for *_, second in everything}) > 1:
        raise DatasetError(
            f"Some rows in {where} have sentence2 and some have not: give it to all or to none."
        )
    examples, warnings = _examples(name, everything)
    labels = np.array(class_names([row[0] for row in everything]), dtype=np.str_)
    test_rows = np.arange(len(test))
    tested = Table(eval_file, {}, range(1, len(test) + 1), unit="entry")
    learnt = np.arange(len(test), len(everything))
    warnings += oddities(tested, examples.content_ids, labels, "text", learnt, test_rows)
    read = {eval_file, *train_files.values()}
    if others := [each for each in files if each not in read]:
        warnings.append(remarks.left_out_files(task, others))
    title = name.replace("_", " ").capitalize()
    dataset = FewShotDataset(
        name=name,
        title=f"{title} (LEOPARD)",
        examples=examples,
        labels=labels,
        warnings=tuple(warnings),
        query_pool=test_rows,
        own_draws=own_draws,
    )
    card = (
        f"# {title}\n\nA LEOPARD evaluation task (Bansal et al. 2020) with the published support "
        f"sets, each judged on all {len(test):,} test rows. {dataset.size_text()}\n"
    )
    return replace(dataset, card=card)


def _eval_file(files: Mapping[str, Source], where: str, folder: str) -> tuple[str, str]:
    found = {name.removesuffix(_EVAL): name for name in files if name.endswith(_EVAL)}
    if len(found) > 1 and folder in found:
        return folder, found[folder]
    if len(found) != 1:
        which = f" ({', '.join(found.values())})" if found else ""
        raise DatasetError(
            f"{where} has {len(found) or 'no'} file{'s' if len(found) > 1 else ''} named "
            f"<task>{_EVAL}{which}: a LEOPARD task folder has one."
        )
    return found.popitem()


def _train_files(files: Mapping[str, Source], where: str, task: str) -> dict[tuple[int, int], str]:
    """Training files by (shots, draw), draws in order."""
    pattern = re.compile(rf"{re.escape(task)}_train_([0-9]{{1,4}})_([0-9]{{1,4}})\.json")
    found: dict[tuple[int, int], str] = {}
    for name in files:
        if match := pattern.fullmatch(name):
            draw, shots = int(match[1]), int(match[2])
            other = found.setdefault((shots, draw), name)
            if other != name:  # the numbers differ by leading zeros
                raise DatasetError(
                    f"{where} has two files for draw {draw} with {shots} shots, {other} and "
                    f"{name}: take one of them out."
                )
    return dict(sorted(found.items()))


def _rows(name: str, files: Mapping[str, Source]) -> list[Row]:
    table = read_table(files[name], name)
    columns: list[Sequence[str | None]] = [
        list(map(as_text, table.columns[key])) if key in table.columns else [None] * len(table)
        for key in ("label", "sentence1", "sentence2")
    ]
    rows = []
    for i, (label, first, second) in enumerate(zip(*columns, strict=True)):
        named = (label or "").strip()
        if first is None or not named:
            raise DatasetError(
                f"{name} has no {'sentence1' if first is None else 'label'!r} in "
                f"{table.where([i])}: LEOPARD rows have sentence1 and label."
            )
        rows.append((named, first, second))
    return rows


def _examples(name: str, rows: Sequence[Row]) -> tuple[Examples, list[str]]:
    _, texts, others = zip(*rows, strict=True)
    n_blank = sum(not text.strip() for text in texts)
    warnings = [remarks.blank(name, n_blank)] if n_blank else []
    if others[0] is None:
        return Examples("text", texts=texts), warnings
    found = [find_mention(text, mention) for text, mention in zip(texts, others, strict=True)]
    lost = found.count(None)
    if lost > (1 - _SPAN_SHARE) * len(found):
        return Examples("pair", texts=texts, pairs=others), warnings
    if lost:
        warnings.append(remarks.lost_mentions(name, lost))
    spans = [span or (0, len(text)) for text, span in zip(texts, found, strict=True)]
    return Examples("span", texts=texts, spans=tuple(spans)), warnings
