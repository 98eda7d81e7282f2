"""Which column of a table holds what: guessed from names and contents, or told by the caller."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Literal

from slp_core.data.dataset import Kind
from slp_core.data.mentions import find_mention
from slp_core.data.tables import Table, as_text
from slp_core.errors import DatasetError

Role = Literal["text", "text2", "label", "split", "mention", "start", "end"]

# Names of columns in order of preference, as `_plain` writes them.
_NAMES: dict[Role, tuple[str, ...]] = {
    "text": (
        *("text", "sentence", "sentence1", "text1", "text_a", "sentence_a", "first_text"),
        *("premise", "question1", "tweet", "review", "review_text", "content", "message"),
        *("body", "comment", "utterance", "query", "question", "document", "post"),
        *("headline", "title", "description"),
    ),
    "text2": (
        *("text2", "sentence2", "text_b", "sentence_b", "second_text", "hypothesis", "question2"),
    ),
    "label": (
        *("label", "labels", "class", "target", "gold_label", "category", "intent", "emotion"),
        *("sentiment", "rating", "stars", "score", "topic", "tag", "species", "variety"),
        *("diagnosis", "quality", "outcome"),
    ),
    "split": ("split", "partition", "set", "subset", "fold"),
    "mention": ("mention", "entity", "entity_mention", "span"),
    "start": ("start", "span_start", "mention_start", "begin"),
    "end": ("end", "span_end", "mention_end"),
}
_ROLE_TITLES: dict[Role, str] = {"text2": "second text"}

TRAIN_WORDS = frozenset({"train", "training", "support"})
TEST_WORDS = frozenset({"test", "testing", "query", "eval", "evaluation"})
VALIDATION_WORDS = frozenset({"dev", "development", "val", "valid", "validation"})

_SAMPLED_CELLS = 1_000
_WORDS_OF_A_TEXT = 3
_MENTION_SHARE = 0.9
"""Share of rows in which a column must occur in the text to be taken for a mention of it."""


@dataclass(frozen=True)
class Columns:
    """The kind of a table and the column that plays each part; ``None`` where there is none."""

    kind: Kind | None = None
    text: str | None = None
    text2: str | None = None
    label: str | None = None
    split: str | None = None
    mention: str | None = None
    start: str | None = None
    end: str | None = None

    def features(self, table: Table) -> list[str]:
        """The columns that hold numeric features: all but label and split."""
        return [name for name in table.columns if name not in (self.label, self.split)]


def guess_columns(
    table: Table, kind: Kind | None = None, told: dict[Role, str] | None = None
) -> Columns:
    """Guess what `told` (columns by role) and `kind` leave open; never an error."""
    choice = _Choice(table, told or {})
    columns = Columns(
        label=choice.take("label"),
        split=choice.take("split", choice.is_split),
    )
    if kind != "numeric":
        text = choice.take("text", choice.is_words) or choice.take_longest(certain=kind is not None)
        if text is not None:
            return _guess_text_kind(replace(columns, text=text), kind, choice)
        if kind is not None:
            return replace(columns, kind=kind)
    if columns.label is None:
        columns = replace(columns, label=choice.take_recurring_words())
    features = columns.features(table)
    is_numeric = kind == "numeric" or not all(choice.is_words(name) for name in features)
    return replace(columns, kind="numeric" if is_numeric else None)


def _guess_text_kind(columns: Columns, kind: Kind | None, choice: _Choice) -> Columns:
    """Text alone, or with a mention, or with a second text: what is told, else what is there."""
    told = choice.told.keys()
    if kind == "span" or (kind is None and "text2" not in told):
        mention = choice.take(
            "mention",
            lambda name: (
                kind == "span" or name == "mention" or choice.is_inside(name, columns.text)
            ),
        )
        start = choice.take("start", choice.is_numbers)
        end = choice.take("end", choice.is_numbers)
        if not (start and end) and told.isdisjoint({"start", "end"}):
            start = end = None
        if kind == "span" or mention or start or end:
            return replace(columns, kind="span", mention=mention, start=start, end=end)
    if kind in (None, "pair"):
        text2 = choice.take("text2", choice.is_words)
        if kind == "pair" or text2:
            return replace(columns, kind="pair", text2=text2)
    return replace(columns, kind="text")


class _Choice:
    """The columns that no role has taken yet."""

    def __init__(self, table: Table, told: dict[Role, str]) -> None:
        self.told = told
        self.free = [name for name in table.columns if name not in told.values()]
        self._table = table

    def take(self, role: Role, fits: Callable[[str], bool] = lambda name: True) -> str | None:
        """The column told for `role`, or the free one that fits by name and contents."""
        if role in self.told:
            return self.told[role]
        named = (name for want in _NAMES[role] for name in self.free if _plain(name) == want)
        ending = (
            name
            for want in (_NAMES[role] if role in ("text", "label") else ())
            for name in self.free
            if _plain(name).endswith(f"_{want}")  # airline_sentiment
        )
        return self._taken(next(filter(fits, chain(named, ending)), None))

    def take_longest(self, *, certain: bool) -> str | None:
        """The free column with the longest texts.

        Short words beside numbers are as likely a table of numbers with a stray column, so there
        they are taken only when the caller is `certain` that the data are texts.
        """
        words = {name: self._mean_words(name) for name in self.free if self.is_words(name)}
        if not words:
            return None
        longest = max(words, key=lambda name: words[name])
        certain = certain or len(words) == len(self.free) or words[longest] >= _WORDS_OF_A_TEXT
        return self._taken(longest if certain else None)

    def take_recurring_words(self) -> str | None:
        """The one free column of words in a table of numbers, if its words come again."""
        words = [name for name in self.free if self.is_words(name)]
        if len(words) != 1 or len(words) == len(self.free):
            return None
        cells = self._filled(words[0])
        return self._taken(words[0] if 2 * len(set(cells)) <= len(cells) else None)

    def is_words(self, name: str) -> bool:
        """Whether most cells that are filled in are no numbers (a few may be mistakes)."""
        cells = self._filled(name)
        if self._table.decimal_comma:
            cells = [cell.replace(",", ".") for cell in cells]
        return 2 * sum(map(is_number, cells)) < len(cells)

    def is_numbers(self, name: str) -> bool:
        """Whether at least half of the cells that are filled in are numbers."""
        return not self.is_words(name)

    def is_inside(self, name: str, text: str | None) -> bool:
        """Whether a column occurs in the column `text` in nearly all rows."""
        if text is None or not self.is_words(name):
            return False
        sample = [
            find_mention(as_text(sentence), as_text(mention)) is not None
            for sentence, mention in islice(
                zip(self._table.columns[text], self._table.columns[name], strict=True),
                _SAMPLED_CELLS,
            )
        ]
        return sum(sample) >= _MENTION_SHARE * len(sample)

    def is_split(self, name: str) -> bool:
        """Whether a column tells training rows from others, and nothing else."""
        words = {as_text(cell).strip().casefold() for cell in self._table.columns[name]}
        held_out = TEST_WORDS | VALIDATION_WORDS
        return bool(words & TRAIN_WORDS and words & held_out) and words <= TRAIN_WORDS | held_out

    def _filled(self, name: str) -> list[str]:
        texts = (as_text(cell).strip() for cell in self._table.columns[name][:_SAMPLED_CELLS])
        return [text for text in texts if text]

    def _mean_words(self, name: str) -> float:
        cells = self._filled(name)
        return sum(len(cell.split()) for cell in cells) / max(1, len(cells))

    def _taken(self, name: str | None) -> str | None:
        if name is not None:
            self.free.remove(name)
        return name


def resolve_columns(table: Table, kind: Kind | None, told: dict[Role, str]) -> Columns:
    """The columns to read: what the caller said, completed by guesses.

    Raises
    ------
    DatasetError
        When a named column does not exist or plays two parts, or a needed one is not to be found.
    """
    there = f"its columns are {', '.join(map(repr, table.columns))}"
    for role, name in told.items():
        if name not in table.columns:
            raise DatasetError(f"{table.name} has no column {name!r} ({role}=): {there}.")
        doubled = [other for other in told if told[other] == name]
        if len(doubled) > 1:
            raise DatasetError(
                f"Column {name!r} of {table.name} cannot be both {' and '.join(doubled)}: "
                "name two different columns."
            )
    columns = guess_columns(table, kind, told)

    def need(role: Role, hint: str = "") -> DatasetError:
        what = _ROLE_TITLES.get(role, role)
        return DatasetError(
            f"{table.name} has no column that looks like the {what}: name it with {role}=, "
            f"or rename it {role!r}{hint}; {there}."
        )

    if columns.label is None:
        raise need("label", " in the header row")
    if columns.kind is None:
        raise need("text")
    if columns.kind == "numeric":
        if not columns.features(table):
            raise need("text")
        return columns
    if columns.text is None:
        raise need("text")
    if columns.kind == "pair" and columns.text2 is None:
        raise need("text2")
    if columns.kind == "span":
        if (columns.start is None) != (columns.end is None):
            raise need("end" if columns.end is None else "start")
        if columns.mention is None and columns.start is None:
            raise need("mention")
    return columns


def is_number(cell: Any) -> bool:
    """Whether a cell can be read as a number; NaN and infinity can."""
    try:
        float(cell)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")
