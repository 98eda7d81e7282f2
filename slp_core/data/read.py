"""Reads a file as a few-shot dataset, or says in one sentence what to correct."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from slp_core.data import remarks
from slp_core.data.checks import alike_warning, content_warnings, imbalance_warning, overlap_warning
from slp_core.data.columns import (
    FORM,
    NONE,
    TEST_WORDS,
    TRAIN_WORDS,
    VALIDATION_WORDS,
    Columns,
    Role,
    all_truths,
    resolve_columns,
    truth,
)
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import KINDS, Examples, Kind
from slp_core.data.gaps import without_gaps
from slp_core.data.language import Language, language_of
from slp_core.data.limits import LIMITS
from slp_core.data.mentions import find_mention
from slp_core.data.mojibake import garbled, mended
from slp_core.data.numbers import DecimalMark
from slp_core.data.table import Table, as_text, with_header
from slp_core.data.tables import Source, read_table
from slp_core.errors import DatasetError

_WHAT = {"text": "text", "pair": "pair of texts", "span": "mention", "numeric": "numbers"}
_POSITION = re.compile(rf"[0-9]{{1,{LIMITS.digits}}}(\.0+)?")
# How else to mend it: by arguments, or in a form
_LEAVE_OUT = "leave those rows out with drop_incomplete=True", "leave those rows out below"
_OTHER_LABEL = "name the right label column", f"choose another column under {FORM['label']}"
_NO_SPLIT = "read it with split=False", f"choose {NONE!r} under {FORM['split']}"


def read_dataset(
    path_or_file: Source | Table,
    filename: str | None = None,
    *,
    kind: Kind | None = None,
    text: str | None = None,
    text2: str | None = None,
    label: str | None = None,
    split: str | Literal[False] | None = None,
    mention: str | None = None,
    start: str | None = None,
    end: str | None = None,
    sheet: str | None = None,
    name: str | None = None,
    mend: bool = False,
    header: bool | None = None,
    decimal: DecimalMark | None = None,
    drop_unlabelled: bool | None = None,
    drop_incomplete: bool = False,
    min_class_rows: int = 1,
    features: Sequence[str] | None = None,
) -> FewShotDataset:
    """Read a few-shot dataset from CSV, TSV, JSON, JSON Lines, Parquet or XLSX.

    Text encoding and delimiter are detected. What is not said about the columns is guessed from
    their names and contents.

    Parameters
    ----------
    path_or_file
        A path, or an open file such as an upload (``.read``, and ``.name`` if it has one). Or what
        `read_table` has made of either, which is not read again.
    filename
        The file's name where `path_or_file` has none; its ending tells the format.
    kind
        ``"text"``, ``"pair"``, ``"span"`` or ``"numeric"``.
    text, text2, label
        Columns of the text, of the second text of a pair, and of the class. With numeric data
        every column but label and split is a feature.
    split
        Column that says which rows are to learn from (train, support) and which to be judged on
        (test, query, eval; validation rows only where there is no test row). ``False`` for none.
    mention, start, end
        Columns of a mention inside the text, and of its first character and the one after its
        last, counted from 0. Either `mention` or `start` and `end` will do.
    sheet
        Sheet of a workbook; by default the first one with two columns.
    name
        Short id of the dataset; by default from the file's name.
    mend
        Put letters right that were once read in a wrong encoding, such as ``Ã¶`` for ö.
    header
        Whether the first row holds the names of the columns; guessed by default.
    decimal
        The decimal mark of numbers, ``"."`` or ``","``; the other one separates thousands. By
        default each column's cells tell.
    drop_unlabelled
        Leave out rows without a class: by default those where that is certain (an empty cell, NaN,
        ``#N/A``, ``-``, "unlabeled"); with True also "None", "null", "?" and -1 beside 0 and 1;
        with False none, and such words are classes.
    drop_incomplete
        Leave out rows with an empty text, or an empty, NaN or infinite number.
    min_class_rows
        Leave out classes with fewer rows.
    features
        Of numeric data the columns to use; by default all that hold numbers, or true and false, and
        no ids.

    Raises
    ------
    DatasetError
        One sentence that names the file, the rows or the column, and how to mend it.

    Examples
    --------
    >>> import io, json
    >>> import slp_core as slp
    >>> table = [{"text": text, "label": text[0]} for text in ("good", "great", "bad", "bland")]
    >>> file = io.BytesIO(json.dumps(table).encode())
    >>> dataset = slp.read_dataset(file, "opinions.json")
    >>> dataset.classes, dataset.counts
    (('b', 'g'), {'b': 2, 'g': 2})
    """
    if kind is not None and kind not in KINDS:
        raise DatasetError(f"There is no kind {kind!r}: choose one of {', '.join(KINDS)}.")
    table = read_table(path_or_file, filename, sheet=sheet)
    if mend and not table.mended:
        table = mended(table)
    table = replace(with_header(table, header), decimal=decimal or table.decimal)
    if len(table) == 0:
        raise DatasetError(
            f"{table.name} is empty{' below its header' if table.columns else ''}: "
            "add rows of two or more classes."
        )
    asked: dict[Role, str | Literal[False] | None] = {
        "text": text,
        "text2": text2,
        "label": label,
        "split": split,
        "mention": mention,
        "start": start,
        "end": end,
    }
    told: dict[Role, str] = {role: column for role, column in asked.items() if column}
    columns = resolve_columns(table, kind, told)
    if features is not None:
        columns = _with_features(table, columns, features)
    table = without_gaps(
        table,
        columns,
        drop_unlabelled=drop_unlabelled,
        drop_incomplete=drop_incomplete,
        min_class_rows=min_class_rows,
    )
    if len(table) == 0:
        rare = f", or is one of fewer than {min_class_rows} of its class"
        raise DatasetError(
            f"{table.name} has no row left: each lacks a class, a text or a number"
            f"{rare if min_class_rows > 1 else ''}; add labelled rows."
        )
    stem = PurePath(table.filename).stem
    dataset = _to_dataset(table, columns, stem, name=name, use_split=split is not False)
    settled: dict[str, Any] = {
        "filename": table.filename,
        "kind": columns.kind,
        **{str(role): getattr(columns, role) for role in asked},
        "split": columns.split if split is not False and columns.split else False,
        "sheet": table.sheet,
        "name": name,
        "mend": True if table.mended else None,
        "header": header,
        "decimal": decimal,
        "drop_unlabelled": drop_unlabelled,
        "drop_incomplete": drop_incomplete or None,
        "features": None if features is None else list(features),
        "min_class_rows": min_class_rows if min_class_rows > 1 else None,
    }
    read_as = {what: value for what, value in settled.items() if value is not None}
    return replace(dataset, read_as=read_as)


def _with_features(table: Table, columns: Columns, features: Sequence[str]) -> Columns:
    unknown = [name for name in features if name not in table.columns]
    if unknown or not features:
        what = f"no column {unknown[0]!r}" if unknown else "no feature chosen"
        mend = "choose columns of numbers"
        raise _refused(f"{table.name} has {what}:", mend, mend)
    return replace(columns, chosen=tuple(features)) if columns.kind == "numeric" else columns


def _to_dataset(
    table: Table, columns: Columns, stem: str, *, name: str | None, use_split: bool
) -> FewShotDataset:
    """Check a table whose columns are known, and make a dataset of it."""
    assert columns.kind is not None
    assert columns.label is not None
    labels = _labels(table, columns.label)
    features: list[str] = []
    if columns.kind == "numeric":
        features = columns.features(table)
        examples = Examples("numeric", features=_features(table, features))
    else:
        examples = _text_examples(table, columns)
    language = language_of(examples.texts or ())
    classes, y, counts = np.unique(labels, return_inverse=True, return_counts=True)
    _check_classes(table, columns.label, classes, counts)
    pools, unused = _pools(table, columns.split if use_split else None, classes, y)
    ids = examples.content_ids
    warnings = [
        *table.warnings,
        *_remarks_on_columns(table, columns, features),
        *_remarks_on_cells(table, columns, features, examples, language, unused),
        *content_warnings(table, ids, labels, _WHAT[columns.kind]),
        *(() if pools is None else overlap_warning(table.name, ids, *pools)),
        *alike_warning(table.name, classes.tolist()),
        *imbalance_warning(table.name, labels),
    ]
    return FewShotDataset(
        name=name or re.sub(r"\W+", "_", stem.lower()).strip("_") or "data",
        title=re.sub(r"[\W_]+", " ", name or stem).strip().capitalize() or "Data",
        examples=examples,
        labels=labels,
        classes=tuple(classes.tolist()),
        default_encoder=_encoder_for(columns.kind, language),
        warnings=tuple(warnings),
        feature_names=tuple(features),
        support_pool=None if pools is None else pools[0],
        query_pool=None if pools is None else pools[1],
        file_rows=np.array(table.rows, dtype=np.int64),
        file_unit=table.unit,
        predicted=_predicted(table, columns.prediction, classes.tolist()),
    )


def _predicted(
    table: Table, column: str | None, classes: Sequence[str]
) -> NDArray[np.int64] | None:
    """Predictions given beside the classes; -1 for what is none of them."""
    if column is None:
        return None
    places = {name: k for k, name in enumerate(classes)}
    names = class_names(table.columns[column])
    return np.array([places.get(name, -1) for name in names], dtype=np.int64)


def _encoder_for(kind: Kind, language: Language) -> str:
    if kind == "numeric":
        return "numeric"
    return "tfidf-char" if language.unread else "minilm-l4"


def _remarks_on_columns(table: Table, columns: Columns, features: Sequence[str]) -> Iterator[str]:
    name = table.name
    others, numbers = columns.unused(table)
    if others:
        yield remarks.unused_texts(name, others)
    elif len(numbers) > 1:  # it may be meant as a table of numbers
        yield remarks.unused_numbers(name, numbers)
    elif columns.kind == "numeric" and not columns.chosen:
        parts = {columns.label, columns.split, columns.prediction, *features}
        unused = [each for each in table.columns if each not in parts]
        ids = [each for each in unused if None not in table.numbers(each).values]
        if others := [each for each in unused if each not in ids]:
            yield remarks.no_features(name, others)
        if ids:
            yield remarks.ids(name, ids)
    if truths := [each for each in features if all_truths(table.columns[each])]:
        yield remarks.truths(name, truths)
    if columns.guessed and columns.label:
        yield remarks.guessed_class(name, columns.label)
    if columns.prediction is not None:
        yield remarks.predictions(name, columns.prediction)


def _remarks_on_cells(
    table: Table,
    columns: Columns,
    features: Sequence[str],
    examples: Examples,
    language: Language,
    unused: int,
) -> Iterator[str]:
    numbers = {name: table.numbers(name) for name in features}
    if several := [name for name in features if numbers[name].open]:
        first = numbers[several[0]]
        alike = [name for name in several if numbers[name].decimal == first.decimal]
        yield remarks.open_numbers(table.name, alike, first.open, first.decimal)
    if unused:
        yield remarks.unused_validation(table.name, unused)
    if language.remarkable:
        yield remarks.not_english(table.name, language)
    read = (columns.text, columns.text2, columns.label, columns.mention)
    if rows := garbled(table, [name for name in read if name is not None]):
        yield remarks.garbled(table.name, table.where(rows))
    if examples.features is not None and len(examples) > 1:
        level = (examples.features == examples.features[0]).all(axis=0)
        if constant := [name for name, same in zip(features, level, strict=True) if same]:
            yield remarks.constant(table.name, constant)


def class_names(cells: Sequence[Any]) -> list[str]:
    """Labels as text, without white space around them; whole numbers without a decimal point."""
    names = [as_text(cell).strip() for cell in cells]
    if all(re.fullmatch(r"[+-]?\d+(\.0+)?", name) for name in names if name):
        return [name.partition(".")[0] for name in names]
    return names


def _refused(why: str, mend: str, in_form: str) -> DatasetError:
    """An error whose last words name the caller's arguments, or the form's fields."""
    return DatasetError(f"{why} {mend}.", form=f"{why} {in_form}.")


def _labels(table: Table, column: str) -> NDArray[np.str_]:
    names = class_names(table.columns[column])
    missing = [row for row, label in enumerate(names) if not label]
    if missing:
        raise DatasetError(
            f"{table.name} has no class in {table.where(missing)}: fill in column {column!r} there "
            "or delete those rows."
        )
    too_long = [row for row, label in enumerate(names) if len(label) > LIMITS.label_characters]
    if too_long:
        raise _refused(
            f"{table.name} has a class of more than {LIMITS.label_characters} characters in "
            f"{table.where(too_long)}: shorten {column!r} there, or",
            *_OTHER_LABEL,
        )
    return np.array(names, dtype=np.str_)


def _texts(table: Table, column: str) -> tuple[str, ...]:
    texts = tuple(as_text(cell) for cell in table.columns[column])
    missing = [row for row, text in enumerate(texts) if not text.strip()]
    if missing:
        raise _refused(
            f"{table.name} has no text in {table.where(missing)}: fill in column {column!r} there "
            "or",
            *_LEAVE_OUT,
        )
    too_long = [row for row, text in enumerate(texts) if len(text) > LIMITS.text_characters]
    if too_long:
        raise DatasetError(
            f"{table.name} has a text of more than {LIMITS.text_characters:,} characters in "
            f"{table.where(too_long)}: shorten column {column!r} there."
        )
    return texts


def _text_examples(table: Table, columns: Columns) -> Examples:
    assert columns.text is not None
    texts = _texts(table, columns.text)
    if columns.kind == "pair":
        assert columns.text2 is not None
        return Examples("pair", texts=texts, pairs=_texts(table, columns.text2))
    if columns.kind == "span":
        return Examples("span", texts=texts, spans=_spans(table, columns, texts))
    return Examples("text", texts=texts)


def _spans(table: Table, columns: Columns, texts: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    mentions = None if columns.mention is None else _texts(table, columns.mention)
    if columns.start is None or columns.end is None:
        assert mentions is not None
        found = [find_mention(text, of) for text, of in zip(texts, mentions, strict=True)]
    else:
        starts, ends = _positions(table, columns.start), _positions(table, columns.end)
        outside = [
            row
            for row, text in enumerate(texts)
            if mentions is None and not 0 <= starts[row] < ends[row] <= len(text)
        ]
        if outside:
            raise DatasetError(
                f"{table.name} has a mention outside its text in {table.where(outside)}: columns "
                f"{columns.start!r} and {columns.end!r} count characters from 0, the end excluded."
            )
        found = [
            (start, end)
            if mentions is None or (start >= 0 and text[start:end] == mentions[row])
            else find_mention(text, mentions[row], near=start)
            for row, (text, start, end) in enumerate(zip(texts, starts, ends, strict=True))
        ]
    lost = [row for row, span in enumerate(found) if span is None]
    if lost:
        raise _refused(
            f"{table.name} has a phrase that does not occur in its text in {table.where(lost)}:",
            f"column {columns.mention!r} must hold words of column {columns.text!r}",
            f"choose another column under {FORM['mention']} or {FORM['text']}, or another answer "
            "to what an example is",
        )
    return tuple(span for span in found if span is not None)


def _positions(table: Table, column: str) -> list[int]:
    positions = [as_text(cell).strip() for cell in table.columns[column]]
    odd = [row for row, text in enumerate(positions) if not _POSITION.fullmatch(text)]
    if odd:
        raise DatasetError(
            f"{table.name} has no whole number in column {column!r} in {table.where(odd)}: "
            f"write character positions counted from 0, of at most {LIMITS.digits} digits."
        )
    return [int(text.partition(".")[0]) for text in positions]


def _features(table: Table, names: Sequence[str]) -> NDArray[np.float64]:
    features = np.empty((len(table), len(names)))
    for j, name in enumerate(names):
        if all_truths(table.columns[name]):
            features[:, j] = [truth(cell) for cell in table.columns[name]]
            continue
        found = table.numbers(name)
        features[:, j] = [np.nan if value is None else value for value in found.values]
        if not np.isfinite(features[:, j]).all():
            raise _not_numbers(table, name, found.values)
    return features


def _not_numbers(table: Table, name: str, values: Sequence[float | None]) -> DatasetError:
    """What keeps a column from being numeric: words, or gaps, NaN and infinity."""
    cells = [as_text(cell).strip() for cell in table.columns[name]]
    words = [row for row, value in enumerate(values) if value is None and cells[row]]
    if words:
        return _refused(
            f"{table.name} has {cells[words[0]][:40]!r} rather than a number in column {name!r} "
            f"in {table.where(words)}:",
            "mend it or delete those rows, or say kind='text'",
            "mend it or delete those rows",
        )
    odd = [row for row, value in enumerate(values) if value is None or not np.isfinite(value)]
    return _refused(
        f"{table.name} has an empty cell, NaN or infinity in column {name!r} in "
        f"{table.where(odd)}: put numbers there or",
        *_LEAVE_OUT,
    )


def _check_classes(
    table: Table, column: str, classes: NDArray[np.str_], counts: NDArray[np.intp]
) -> None:
    if len(classes) == 1:
        why = f"one class only, {str(classes[0])!r} in column {column!r}: add rows of another class"
    elif len(classes) > LIMITS.classes:
        why = (
            f"{len(classes):,} different classes in column {column!r}, more than {LIMITS.classes}: "
            "merge classes"
        )
    elif counts.max() == 1:
        why = (
            f"a single example of each class in column {column!r}, and so none to be tested on: "
            "add examples"
        )
    else:
        return
    raise _refused(f"{table.name} has {why}, or", *_OTHER_LABEL)


def _pools(
    table: Table, column: str | None, classes: NDArray[np.str_], y: NDArray[np.intp]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]] | None, int]:
    """Training rows and test rows, by the words of a split column; how many others there are."""
    if column is None:
        return None, 0
    words = [as_text(cell).strip().casefold() for cell in table.columns[column]]
    known = TRAIN_WORDS | TEST_WORDS | VALIDATION_WORDS
    strange = [row for row, word in enumerate(words) if word not in known]
    if strange:
        raise _refused(
            f"{table.name} has {words[strange[0]]!r} in column {column!r} in "
            f"{table.where(strange)}: write train or test there, or",
            *_NO_SPLIT,
        )

    def rows_of(among: frozenset[str]) -> NDArray[np.int64]:
        return np.array([row for row, word in enumerate(words) if word in among], dtype=np.int64)

    support, query, validation = map(rows_of, (TRAIN_WORDS, TEST_WORDS, VALIDATION_WORDS))
    n_unused = len(validation) if len(query) else 0
    query = query if len(query) else validation
    for rows, word in ((support, "train"), (query, "test")):
        if len(rows) == 0:
            raise _refused(
                f"{table.name} has no {word} rows in column {column!r}: mark some as {word}, or",
                *_NO_SPLIT,
            )
    unlearnt = np.setdiff1d(y, y[support])
    if len(unlearnt):
        raise _refused(
            f"{table.name} has no train row of class {str(classes[unlearnt[0]])!r} in column "
            f"{column!r}: mark one of its rows as train, or",
            *_NO_SPLIT,
        )
    return (support, query), n_unused
