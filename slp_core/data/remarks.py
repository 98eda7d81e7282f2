"""Remarks on a dataset and its file: each is a sentence, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slp_core.data.edits import Edits
from slp_core.data.language import EMOJI, Language
from slp_core.sentences import ClassName, Verbatim, class_names, count, listed, percent

_ROWS_SHOWN = 5
_NAMED = 3  # columns, files or pairs that a remark names
_CLASSES_COUNTED = 12
_UNITS = {"row": "rows", "line": "lines", "entry": "entries"}


@dataclass(frozen=True)
class Places:
    """Where some rows stand in their file, in words: ``rows 4, 9 and 12 (the header is row 1)``."""

    numbers: tuple[int, ...]
    unit: str = "row"
    header: int | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def __str__(self) -> str:
        rows = listed(self.numbers, _ROWS_SHOWN)
        unit = self.unit if len(self) == 1 else _UNITS[self.unit]
        counted = " (the first is entry 1)" if self.unit == "entry" else ""
        if self.unit == "row" and self.header is not None:
            counted = f" (the header is row {self.header})"
        return f"{unit} {rows}{counted}"


def _first(names: Sequence[str], kind: type[str] = ClassName) -> str:
    return listed([kind(name) for name in names], _NAMED)


# ---- the file ----


def not_utf8(file: str, encoding: str) -> str:
    return (
        f"{Verbatim(file)} is not UTF-8 and was read as {encoding}: if letters look wrong, save it "
        "as UTF-8."
    )


def damaged(file: str, n: int) -> str:
    return f"{Verbatim(file)} is damaged UTF-8: {count(n, 'letter')} shown as \ufffd."


def garbled(file: str, where: Places) -> str:
    return (
        f"Letters in {Verbatim(file)} look wrongly encoded (such as Ã¶ for ö): {where}. "
        "Save it again as UTF-8."
    )


def first_words(file: str) -> str:
    return f"The first word of each line of {Verbatim(file)} is read as its class."


def class_columns(file: str, columns: Sequence[str]) -> str:
    return f"Columns of 0 and 1 in {Verbatim(file)} are read as classes: {_first(columns)}."


def header_rows(file: str) -> str:
    return f"{Verbatim(file)} has two header rows, whose names are joined."


def title_rows(file: str, where: Places) -> str:
    return f"Text above the table in {Verbatim(file)} is left out: {where}."


def no_header(file: str) -> str:
    return f"{Verbatim(file)} has no header row: its columns are called column 1, column 2, …"


def row_numbers(file: str, column: str) -> str:
    named = f" {ClassName(column)}" if column else ""
    return f"The first column{named} of {Verbatim(file)} only numbers the rows and is left out."


def merged_cells(file: str, where: Places) -> str:
    return f"Merged cells in {Verbatim(file)} count for each of their rows: {where}."


def left_out_files(task: str, files: Sequence[str]) -> str:
    """Files in a LEOPARD folder whose names are not the task's."""
    names = Verbatim(f"{task}_eval.json"), Verbatim(f"{task}_train_<draw>_<shots>.json")
    return (
        f"Files that do not belong to {Verbatim(task)} are left out: {_first(files, Verbatim)}. "
        f"Its files are called {listed(names)}."
    )


def not_english(file: str, language: Language) -> str:
    what = f"{Verbatim(file)} looks {language.name}"
    if language.script:
        which = language.script if language.script == EMOJI else f"in {language.script} script"
        what = f"{percent(language.share)} of the words in {Verbatim(file)} are {which}"
    return (
        f"MiniLM reads English, and {what}: use *TF-IDF of words and characters* or a multilingual "
        "encoder."
    )


# ---- the columns ----


def unused(file: str, what: str, columns: Sequence[str]) -> str:
    return f"{what} in {Verbatim(file)} are not used: {_first(columns)}."


def guessed_class(file: str, column: str) -> str:
    return (
        f"The class in {Verbatim(file)} is guessed to be {ClassName(column)}: if that is wrong, "
        "choose another column."
    )


def predictions(file: str, column: str) -> str:
    return (
        f"{ClassName(column)} in {Verbatim(file)} holds predictions: the confusion matrix on "
        "Explain shows them beside the method's."
    )


def truths(file: str, columns: Sequence[str]) -> str:
    return f"In {_first(columns)} of {Verbatim(file)} true is read as 1 and false as 0."


def open_numbers(file: str, columns: Sequence[str], cell: str, decimal: str) -> str:
    mark = next(mark for mark in ".," if mark in cell)
    read_as = cell if mark == decimal else cell.replace(mark, "")
    return (
        f"In {_first(columns)} of {Verbatim(file)} {cell} is read as {read_as}: if that is wrong, "
        "choose the other decimal mark."
    )


# ---- the rows ----


def left_out_rows(file: str, what: str, where: Places) -> str:
    rows = f"{count(len(where), 'row')} {what} in {Verbatim(file)}"
    return f"{rows} {'is' if len(where) == 1 else 'are'} left out: {where}."


def maybe_no_class(file: str, word: str, n: int) -> str:
    return (
        f"In {Verbatim(file)} {ClassName(word)} is read as a class ({count(n, 'row')}): if it "
        "means “no label”, leave rows without a class out."
    )


def blank(file: str, n: int) -> str:
    return f"{Verbatim(file)} has {count(n, 'row')} without text."


def lost_mentions(file: str, n: int) -> str:
    return (
        f"{Verbatim(file)} has {count(n, 'mention')} not found in the sentence: there the whole "
        "sentence is encoded."
    )


def duplicates(file: str, where: Places) -> str:
    return f"{Verbatim(file)} has {count(len(where), 'duplicate row')}: {where}."


def contradictions(file: str, what: str, where: Places) -> str:
    """Rows whose label is not that of an earlier row with the same input."""
    return (
        f"{Verbatim(file)} has {count(len(where), 'row')} labelled differently from an earlier row "
        f"with the same {what}: {where}."
    )


def alike_classes(file: str, pairs: Sequence[tuple[ClassName, ClassName]]) -> str:
    named = listed([f"{a} / {b}" for a, b in pairs], _NAMED)
    return (
        f"Class names in {Verbatim(file)} differ only in case or spaces: {named}. Write them alike "
        "if they mean the same class."
    )


def imbalance(file: str, largest: tuple[ClassName, int], smallest: tuple[ClassName, int]) -> str:
    (most, m), (least, n) = largest, smallest
    return (
        f"{Verbatim(file)} is strongly imbalanced ({most}: {count(m, 'row')}; {least}: "
        f"{count(n, 'row')}): look at macro-F1 as well as accuracy."
    )


# ---- support and query sets ----


def overlap(file: str, n: int) -> str:
    """Training rows that are test rows too."""
    return (
        f"{Verbatim(file)} has {count(n, 'training row')} that {'occurs' if n == 1 else 'occur'} "
        "among the test rows too: accuracy may be too high."
    )


def unused_validation(file: str, n: int) -> str:
    rows = f"{count(n, 'validation row')} in {Verbatim(file)}"
    return f"{rows} {'is' if n == 1 else 'are'} not used, since there are test rows."


def uneven_support(shots: int, sizes: Mapping[ClassName, int]) -> str:
    odd = listed([f"{name}: {n:,}" for name, n in sizes.items()], _NAMED)
    return f"Not every class has {count(shots, 'shot')} in this support set ({odd})."


def untested(classes: Sequence[ClassName]) -> str:
    return (
        f"No examples of {listed(classes, _NAMED)} are left to test on: accuracy does not cover "
        "them."
    )


def edits_text(edits: Edits, typed: int = 0) -> str:
    kinds = {
        "removed": len(edits.removed),
        "added": len(edits.added),
        "relabelled": len(edits.relabelled),
        "typed": typed,
    }
    each = [f"{n:,} {kind}" for kind, n in kinds.items() if n]
    return f"Edited support set: {listed(each)}."


def support_set_text(draw: int, edits: Edits) -> str:
    return f"{draw:,}, edited" if edits else f"{draw:,}"


def as_drawn_text(edits: Edits) -> str:
    return "Support sets as drawn, without your edits." if edits else ""


def repeated_support(n: int) -> str:
    return f"{count(n, 'query example')} identical to a support example: accuracy may be too high."


def repeated_draws(n: int, of: int) -> str:
    return f"Only {n:,} of {of:,} random support sets differ; repeats are left out."


def class_counts(classes: Sequence[str], counts: Mapping[str, int]) -> str:
    names = class_names(classes)
    each = listed([f"{name} {counts[name]:,}" for name in names], _CLASSES_COUNTED)
    n = sum(counts[name] for name in classes)
    return f"**{count(n, 'example')}, {count(len(names), 'class', 'classes')}**: {each}."


def size(n: int, classes: int, support_sets: Mapping[int, int]) -> str:
    each = [
        f"{count(m, 'support set')} of {count(shots, 'shot')}" for shots, m in support_sets.items()
    ]
    rows = f"{count(n, 'row')}, {count(classes, 'class', 'classes')}"
    return f"{rows}; {listed(each)}." if each else f"{rows}."
