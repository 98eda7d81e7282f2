"""Formats of labelling tools and public data that are no plain table, converted to one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from slp_core.data import remarks
from slp_core.data.columns import TEST_WORDS, TRAIN_WORDS, VALIDATION_WORDS, is_label_name
from slp_core.data.table import Table, as_text, is_filled

SEVERAL = " | "  # between the labels of a row with several
_FASTTEXT = "__label__"
_SPLITS = TRAIN_WORDS | TEST_WORDS | VALIDATION_WORDS

Record = dict[str, Any]


# ---- JSON ----


def records_of_splits(value: Record) -> list[Record] | None:
    """``{"train": […], "test": […]}`` as one list, its rows marked; None for another object."""
    if len(value) < 2 or not all(key.casefold() in _SPLITS for key in value):
        return None
    rows = [(key, row) for key, part in value.items() if isinstance(part, list) for row in part]
    if not rows or not all(isinstance(row, dict) for _, row in rows):
        return None
    return [{**row, "split": key} for key, row in rows]


def flat_record(record: Record) -> Record:
    """A record of Prodigy, Label Studio, spaCy, Argilla or a chat with text and label beside."""
    if {"accept", "answer"} <= record.keys() and isinstance(record["accept"], list):
        chosen = record["accept"] if record["answer"] == "accept" else []
        return {**_scalars(record, "answer"), "label": _joined(chosen)}
    if isinstance(data := record.get("data"), dict) and "annotations" in record:
        chosen = _under([record], "annotations", "result", "value", "choices")
        return {**_scalars(data), "label": _joined(dict.fromkeys(map(as_text, chosen)))}
    cats = record.get("cats")
    if isinstance(cats, dict) and all(isinstance(each, int | float) for each in cats.values()):
        named = [name for name, weight in cats.items() if weight >= 0.5]
        return {**_scalars(record), "label": _joined(named)}
    if isinstance(messages := record.get("messages"), list) and (pair := _chat(messages)):
        return {**_scalars(record), "text": pair[0], "label": pair[1]}
    if isinstance(fields := record.get("fields"), dict) and "responses" in record:
        responses = record["responses"] if isinstance(record["responses"], dict) else {}
        values = (each for name in responses for each in _under([responses], name, "value"))
        answers = (value for value in values if isinstance(value, str))
        return {**_scalars(fields), "label": _joined(dict.fromkeys(answers))}
    return {key: _unwrapped(cell) for key, cell in record.items()}


def _scalars(record: Record, *but: str) -> Record:
    return {k: v for k, v in record.items() if not isinstance(v, dict | list) and k not in but}


def _joined(labels: Iterable[Any]) -> str:
    return SEVERAL.join(as_text(label) for label in labels if is_filled(label))


def _unwrapped(cell: Any) -> Any:
    """A list of words as a text: one label, or several."""
    if isinstance(cell, list) and all(isinstance(each, str | int | bool) for each in cell):
        return _joined(cell)
    return cell


def _under(values: list[Any], *keys: str) -> list[Any]:
    """What objects hold under keys, one within another; lists are opened."""
    for key in keys:
        found = [each[key] for each in values if isinstance(each, dict) and key in each]
        values = [one for each in found for one in (each if isinstance(each, list) else [each])]
    return values


def _chat(messages: list[Any]) -> tuple[str, str] | None:
    """The last message of a user and the reply, which is the class."""
    if not all(isinstance(each, dict) for each in messages):
        return None
    said = [(each.get("role"), as_text(each.get("content")).strip()) for each in messages]
    users = [text for role, text in said if role == "user"]
    replies = [text for role, text in said if role == "assistant"]
    return (users[-1], replies[-1]) if users and replies else None


# ---- lines of text ----


def labelled_lines(text: str, name: str) -> Table | None:
    """Lines that begin with their class: fastText's, or a word of a few that come again."""
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) < 4:
        return None
    said: tuple[str, ...] = ()
    if sum(line.startswith(_FASTTEXT) for _, line in lines) > 0.9 * len(lines):
        split = [re.fullmatch(rf"((?:{_FASTTEXT}\S+\s+)*)(.*)", line) for _, line in lines]
        labels = [SEVERAL.join(re.findall(rf"{_FASTTEXT}(\S+)", m[1])) if m else "" for m in split]
        texts = [m[2] if m else "" for m in split]
    else:
        words = [line.partition(" ") for _, line in lines]
        labels, texts = [word for word, *_ in words], [rest.strip() for *_, rest in words]
        counts = Counter(labels)
        if not all(texts) or min(counts.values()) < 2 or len(counts) > len(lines) / 3:
            return None
        said = (remarks.first_words(name),)
    columns: dict[str, list[Any]] = {"text": texts, "label": labels}
    return Table(name, columns, [i for i, _ in lines], unit="line", header=None, warnings=said)


# ---- one column a class ----


def with_class_column(table: Table) -> Table:
    """A table whose classes are columns of 0 and 1, with a column for the class.

    Beside texts, or beside numbers of which no column has values that come again as a class's do.
    """
    if any(map(is_label_name, table.columns)) or len(table) < 2:
        return table
    marks = {name: _marks(cells) for name, cells in table.columns.items()}
    classes = {name: each for name, each in marks.items() if each is not None}
    others = [table.columns[name] for name in table.columns if name not in classes]
    is_text = any(map(_is_text, others))
    varied = bool(others) and all(2 * len(set(map(as_text, c))) > len(c) for c in others)
    if len(classes) < 2 or not (is_text or varied):
        return table
    rows = list(zip(*classes.values(), strict=True))
    single = sum(sum(row) == 1 for row in rows)
    # Two columns that are no classes of one question, or features
    if single < len(rows) and (len(classes) < 3 or not is_text):
        return table
    names = list(classes)
    labels = [_joined([n for n, mark in zip(names, row, strict=True) if mark]) for row in rows]
    if len(set(labels)) < 2:
        return table
    columns = {name: cells for name, cells in table.columns.items() if name not in classes}
    told = remarks.class_columns(table.name, names)
    return replace(table, columns=columns | {"class": labels}, warnings=(*table.warnings, told))


def _marks(cells: Sequence[Any]) -> list[int] | None:
    """A column of 0 and 1, or of true and false, each of which is there."""
    known = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
    found = [known.get(as_text(cell).strip().casefold()) for cell in cells]
    marks = [each for each in found if each is not None]
    return marks if len(marks) == len(cells) and len(set(marks)) == 2 else None


def _is_text(cells: Sequence[Any]) -> bool:
    words = [len(as_text(cell).split()) for cell in cells]
    return len(set(map(as_text, cells))) > 1 and sum(words) >= 2 * len(words)
