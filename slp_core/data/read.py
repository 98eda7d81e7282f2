"""Reads a file as a few-shot dataset, or says in one sentence what to correct."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from slp_core.data import remarks
from slp_core.data.checks import oddities
from slp_core.data.columns import (
    FORM,
    NONE,
    TEST_WORDS,
    TRAIN_WORDS,
    VALIDATION_WORDS,
    WHOLE,
    Columns,
    Role,
    resolve_columns,
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
_LEAVE_OUT = (
    " or leave those rows out with drop_incomplete=True",
    " or leave those rows out below",
)
_OTHER_LABEL = (
    ", or name the right label column",
    f", or choose another column under {FORM['label']}",
)
_NO_SPLIT = ", or read it with split=False", f", or choose {NONE!r} under {FORM['split']}"


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
    columns = resolve_columns(table, kind, told, features)
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
    if split is False:
        columns = replace(columns, split=None)
    dataset = _to_dataset(table, columns, name)
    settled: dict[str, Any] = {
        "filename": table.filename,
        "kind": columns.kind,
        **{str(role): getattr(columns, role) for role in asked},
        "split": columns.split or False,
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


def _to_dataset(table: Table, columns: Columns, name: str | None) -> FewShotDataset:
    """Check a table whose columns are known, and make a dataset of it."""
    assert columns.kind is not None
    assert columns.label is not None
    labels = _labels(table, columns.label)
    examples = _examples(table, columns)
    features = columns.features if columns.kind == "numeric" else ()
    language = language_of(examples.texts or ())
    classes, y, counts = np.unique(labels, return_inverse=True, return_counts=True)
    _check_classes(table, columns.label, classes, counts)
    pools = _pools(table, columns.split, classes, y)
    sides = pools.get("support"), pools.get("query")
    warnings = [
        *table.warnings,
        *_remarks(table, columns, language, len(pools.get("unused", ()))),
        *oddities(table, examples.content_ids, labels, _WHAT[columns.kind], *sides),
    ]
    predicted = None
    if columns.prediction is not None:
        places = {name: k for k, name in enumerate(classes.tolist())}
        named = class_names(table.columns[columns.prediction])
        predicted = np.array([places.get(each, -1) for each in named], dtype=np.int64)
    stem = PurePath(table.filename).stem
    return FewShotDataset(
        name=name or re.sub(r"\W+", "_", stem.lower()).strip("_") or "data",
        title=re.sub(r"[\W_]+", " ", name or stem).strip().capitalize() or "Data",
        examples=examples,
        labels=labels,
        default_encoder="tfidf-char" if language.unread else "",
        warnings=tuple(warnings),
        feature_names=features,
        support_pool=sides[0],
        query_pool=sides[1],
        file_rows=np.array(table.rows, dtype=np.int64),
        file_unit=table.unit,
        predicted=predicted,
    )


def _remarks(table: Table, columns: Columns, language: Language, n_unused: int) -> Iterator[str]:
    """What was assumed of the columns, and what is odd in their cells."""
    name, features = table.name, columns.features if columns.kind == "numeric" else ()
    for what, others in columns.unused.items():
        yield remarks.unused(name, what, others)
    numbers = {each: table.numbers(each) for each in features}
    if truths := [each for each in features if numbers[each].truths]:
        yield remarks.truths(name, truths)
    if columns.guessed and columns.label:
        yield remarks.guessed_class(name, columns.label)
    if columns.prediction is not None:
        yield remarks.predictions(name, columns.prediction)
    if several := [each for each in features if numbers[each].open]:
        first = numbers[several[0]]
        alike = [each for each in several if numbers[each].decimal == first.decimal]
        yield remarks.open_numbers(name, alike, first.open, first.decimal)
    if n_unused:
        yield remarks.unused_validation(name, n_unused)
    if language.remarkable:
        yield remarks.not_english(name, language)
    read = (columns.text, columns.text2, columns.label, columns.mention)
    if rows := garbled(table, [each for each in read if each is not None]):
        yield remarks.garbled(name, table.where(rows))


def class_names(cells: Sequence[Any]) -> list[str]:
    """Labels as text, without white space around them; whole numbers without a decimal point."""
    names = [as_text(cell).strip() for cell in cells]
    if all(map(WHOLE.fullmatch, filter(None, names))):
        return [name.partition(".")[0] for name in names]
    return names


def _refused(why: str, mend: tuple[str, str]) -> DatasetError:
    """An error whose last words name the caller's arguments, or the form's fields."""
    return DatasetError(f"{why}{mend[0]}.", form=f"{why}{mend[1]}.")


def _check(
    table: Table, bad: Iterable[object], what: str, mend: str, other: tuple[str, str] = ("", "")
) -> None:
    """Raise where rows are bad: what they have, and how to mend it."""
    if rows := [row for row, is_bad in enumerate(bad) if is_bad]:
        raise _refused(f"{table.name} has {what} in {table.where(rows)}: {mend}", other)


def _labels(table: Table, column: str) -> NDArray[np.str_]:
    names, most = class_names(table.columns[column]), LIMITS.label_characters
    mend = f"fill in column {column!r} there or delete those rows"
    _check(table, (not name for name in names), "no class", mend)
    long = (len(name) > most for name in names)
    mend = f"shorten {column!r} there"
    _check(table, long, f"a class of more than {most} characters", mend, _OTHER_LABEL)
    return np.array(names, dtype=np.str_)


def _texts(table: Table, column: str) -> tuple[str, ...]:
    texts, most = tuple(map(as_text, table.columns[column])), LIMITS.text_characters
    blank = (not text.strip() for text in texts)
    _check(table, blank, "no text", f"fill in column {column!r} there", _LEAVE_OUT)
    long = (len(text) > most for text in texts)
    mend = f"shorten column {column!r} there"
    _check(table, long, f"a text of more than {most:,} characters", mend)
    return texts


def _examples(table: Table, columns: Columns) -> Examples:
    if columns.kind == "numeric":
        return Examples("numeric", features=_features(table, columns.features))
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
        rows = list(zip(texts, starts, ends, strict=True))
        if mentions is None:
            _check(
                table,
                (not 0 <= start < end <= len(text) for text, start, end in rows),
                "a mention outside its text",
                f"columns {columns.start!r} and {columns.end!r} count characters from 0, the end "
                "excluded",
            )
        found = [
            (start, end)
            if mentions is None or (start >= 0 and text[start:end] == mentions[row])
            else find_mention(text, mentions[row], near=start)
            for row, (text, start, end) in enumerate(rows)
        ]
    other = (
        f"column {columns.mention!r} must hold words of column {columns.text!r}",
        f"choose another column under {FORM['mention']} or {FORM['text']}, or another answer to "
        "what an example is",
    )
    lost = (span is None for span in found)
    _check(table, lost, "a phrase that does not occur in its text", "", other)
    return tuple(span for span in found if span is not None)


def _positions(table: Table, column: str) -> list[int]:
    positions = [as_text(cell).strip() for cell in table.columns[column]]
    odd = (not _POSITION.fullmatch(text) for text in positions)
    mend = f"write character positions counted from 0, of at most {LIMITS.digits} digits"
    _check(table, odd, f"no whole number in column {column!r}", mend)
    return [int(text.partition(".")[0]) for text in positions]


def _features(table: Table, names: Sequence[str]) -> NDArray[np.float64]:
    features = np.empty((len(table), len(names)))
    for j, name in enumerate(names):
        features[:, j] = np.array(table.numbers(name).values, dtype=float)  # NaN for no number
        if np.isfinite(features[:, j]).all():
            continue
        texts = [as_text(cell).strip() for cell in table.columns[name]]
        read = table.numbers(name).values
        words = [text if value is None else "" for text, value in zip(texts, read, strict=True)]
        word = next(filter(None, words), "")[:40]
        what, mend = f"{word!r} rather than a number in column", "mend it or delete those rows"
        _check(table, words, f"{what} {name!r}", mend, (", or say kind='text'", ""))
        what = f"an empty cell, NaN or infinity in column {name!r}"
        _check(table, ~np.isfinite(features[:, j]), what, "put numbers there", _LEAVE_OUT)
    return features


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
    raise _refused(f"{table.name} has {why}", _OTHER_LABEL)


def _pools(
    table: Table, column: str | None, classes: NDArray[np.str_], y: NDArray[np.intp]
) -> dict[str, NDArray[np.int64]]:
    """By the words of a split column rows to learn from, to be tested on, and unused ones."""
    if column is None:
        return {}
    words = [as_text(cell).strip().casefold() for cell in table.columns[column]]
    known = TRAIN_WORDS | TEST_WORDS | VALIDATION_WORDS
    strange = next((word for word in words if word not in known), "")
    what, mend = f"{strange!r} in column {column!r}", "write train or test there"
    _check(table, (word not in known for word in words), what, mend, _NO_SPLIT)
    support, query, validation = (
        np.flatnonzero([word in among for word in words])
        for among in (TRAIN_WORDS, TEST_WORDS, VALIDATION_WORDS)
    )
    pools = {"support": support, "query": query if len(query) else validation}
    for rows, word in zip(pools.values(), ("train", "test"), strict=True):
        if len(rows) == 0:
            why = f"{table.name} has no {word} rows in column {column!r}: mark some as {word}"
            raise _refused(why, _NO_SPLIT)
    unlearnt = np.setdiff1d(y, y[support])
    if len(unlearnt):
        raise _refused(
            f"{table.name} has no train row of class {str(classes[unlearnt[0]])!r} in column "
            f"{column!r}: mark one of its rows as train",
            _NO_SPLIT,
        )
    return pools | {"unused": validation if len(query) else validation[:0]}
