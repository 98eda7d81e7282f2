"""The roles of a table's columns: guessed from names and contents, or given by the caller."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, Literal

from slp_core.data.examples import Kind
from slp_core.data.limits import LIMITS
from slp_core.data.mentions import find_mention
from slp_core.data.numbers import are_truths, looks_like_number
from slp_core.data.table import Table, as_text
from slp_core.errors import DatasetError

Role = Literal["text", "text2", "label", "split", "mention", "start", "end"]

# Names of columns in order of preference, as `_plain` writes them.
_NAMES: dict[Role, tuple[str, ...]] = {
    "text": (
        *("text", "sentence", "sentence1", "text1", "text_a", "sentence_a", "first_text"),
        *("premise", "question1", "tweet", "review", "review_text", "content", "message"),
        *("body", "comment", "utterance", "utt", "query", "question", "document", "post"),
        *("headline", "title", "description", "first"),
        *("satz", "nachricht", "äußerung", "kommentar", "beitrag", "frage", "beschreibung"),
        *("texte", "phrase", "énoncé", "commentaire", "avis", "texto", "frase", "mensaje"),
        *("comentario", "reseña", "testo", "messaggio", "recensione", "tekst", "zin", "metin"),
        *("текст", "сообщение", "文本", "内容", "句子", "テキスト", "本文", "텍스트", "문장", "نص"),
    ),
    "text2": (
        *("text2", "sentence2", "text_b", "sentence_b", "second_text", "hypothesis", "question2"),
        *("second", "paraphrase"),
        *("satz2", "phrase2", "texte2", "frase2", "texto2", "testo2"),
    ),
    "label": (
        *("label", "labels", "annotation", "class", "target", "gold_label", "gold", "y_true"),
        *("true_label", "ground_truth", "true_class", "truth", "actual", "category", "intent"),
        *("emotion", "sentiment", "rating", "stars", "judgment", "judgement", "topic", "species"),
        *("variety", "diagnosis", "quality", "survived", "outcome", "kind", "type", "score", "y"),
        *("klasse", "kategorie", "etikett", "gefühl", "stimmung", "bewertung", "thema", "art"),
        *("classe", "catégorie", "étiquette", "espèce", "clase", "categoría", "etiqueta"),
        *("sentimiento", "especie", "categoria", "etichetta", "categorie", "kategoria", "sınıf"),
        *("класс", "метка", "категория", "标签", "类别", "ラベル", "カテゴリ", "레이블"),
        *("فئة", "tag"),
    ),
    "split": ("split", "partition", "set", "subset", "fold"),
    "mention": ("mention", "entity", "entity_mention", "span", "phrase", "aspect_term", "aspect"),
    "start": ("start", "span_start", "mention_start", "begin", "from"),
    "end": ("end", "span_end", "mention_end", "to"),
}
# What a method has predicted is never the class, and no feature.
_PREDICTED = frozenset(
    {"y_pred", "predicted", "predicted_label", "predicted_class", "prediction", "pred"}
    | {"pred_label", "preds", "predictions", "model_prediction", "correct", "is_correct"}
)
_PAIRS = (  # of texts, where neither column is called as the first or second of two
    *(("question", "sentence"), ("question", "passage"), ("question", "context")),
    *(("1_string", "2_string"), ("string1", "string2"), ("query", "document")),
)
_CLASS_NAMES = ("text", "name", "names", "str", "string", "title")  # "label_text" beside "label"
_ID_NAMES = re.compile(r"(.*_)?(id|ids|uuid|guid|zip|zipcode|zip_code|postcode|phone)")
WHOLE = re.compile(r"[+-]?\d+(\.0+)?")
FORM: dict[Role, str] = {
    "text": "Text",
    "text2": "Second text",
    "label": "Class",
    "split": "Train or test",
    "mention": "Phrase",
    "start": "First character",
    "end": "Character after the last",
}
"""What a form calls the columns; messages have a version in these words."""
NONE = "—"
"""What a form calls no column."""

TRAIN_WORDS = frozenset({"train", "training", "support"})
TEST_WORDS = frozenset({"test", "testing", "query", "eval", "evaluation"})
VALIDATION_WORDS = frozenset({"dev", "development", "val", "valid", "validation"})

_SAMPLED_CELLS = 1_000
_WORDS_OF_A_TEXT = 3
_WORDS_AMONG_NUMBERS = 6
"""In the mean, of a text beside several columns of numbers; a name or an address has fewer."""
_MENTION_SHARE = 0.9
"""Share of rows in which a column must occur in the text to be taken for a mention of it."""
_ROWS_OF_AN_ID = 10
_ROWS_A_CLASS = 2
"""Rows to a value, on average at least, in a column that may be the class."""


@dataclass(frozen=True)
class Columns:
    """The kind of a table and the column of each role; ``None`` if there is none."""

    kind: Kind | None = None
    text: str | None = None
    text2: str | None = None
    label: str | None = None
    split: str | None = None
    prediction: str | None = None
    mention: str | None = None
    start: str | None = None
    end: str | None = None
    features: tuple[str, ...] = ()  # columns of numbers, or of true and false, that are no ids
    unused: Mapping[str, list[str]] = field(default_factory=dict)  # by what they hold
    guessed: bool = False  # the class: other columns could be it, too


class _Column:
    """What the cells of a column show; of a long table a sample from its beginning to its end."""

    def __init__(self, table: Table, name: str) -> None:
        self.name, self.plain = name, _plain(name)
        self.cells = table.columns[name]
        sampled = self.cells[:: 1 + len(table) // _SAMPLED_CELLS]
        self.sample = [as_text(cell).strip() for cell in sampled]
        self.filled = [text for text in self.sample if text]
        counts = Counter(self.filled)
        self.distinct, self.singles = len(counts), sum(n == 1 for n in counts.values())
        # Several values, each of which comes twice on average
        most = min(LIMITS.classes, len(self.filled) // _ROWS_A_CLASS)
        self.recurs = 1 < self.distinct <= most
        # A few of many numbers may be mistakes
        self.words = 2 * sum(map(looks_like_number, self.filled)) < len(self.filled)
        self.numbers = not self.words
        self.whole = all(map(WHOLE.fullmatch, self.filled))
        self.truths = are_truths(self.filled)
        self.is_feature = (self.numbers and bool(self.filled)) or are_truths(self.cells)
        words = sum(len(cell.split()) for cell in self.filled)
        self.mean_words = words / max(1, len(self.filled))
        self.is_class = self.recurs and (self.words or self.whole)
        nameless = table.header is None and name == table.names[0]
        self.is_id = self.whole and (
            self._counts(nameless) or bool(_ID_NAMES.fullmatch(self.plain))
        )

    def _counts(self, nameless: bool) -> bool:
        """Whether it numbers the rows, by its order or as a first column without a name."""
        numbers = list(map(float, self.filled))
        by_one = numbers[:1] in ([0], [1]) and all(b - a == 1 for a, b in pairwise(numbers))
        unlike = nameless and self.singles == len(numbers)
        return len(numbers) >= _ROWS_OF_AN_ID and (by_one or unlike)

    def is_split(self) -> bool:
        """Whether it tells training rows from others, and nothing else."""
        words = {as_text(cell).strip().casefold() for cell in self.cells}
        held_out = TEST_WORDS | VALIDATION_WORDS
        return bool(words & TRAIN_WORDS and words & held_out) and words <= TRAIN_WORDS | held_out

    def is_inside(self, text: _Column | None) -> bool:
        """Whether nearly all of its cells are phrases of a text."""
        if text is None or self.numbers:
            return False
        found = [
            sentence != mention and find_mention(sentence, mention) is not None
            for sentence, mention in zip(text.sample, self.sample, strict=True)
        ]
        return sum(found) >= _MENTION_SHARE * len(found)

    def names_each_of(self, numbers: _Column) -> bool:
        """Whether it has one word for each number."""
        called = self.plain.removeprefix(numbers.plain).strip("_")
        for prefix in ("target_", "class_", "label_"):
            called = called.removeprefix(prefix)
        pairs = set(zip(numbers.sample, self.sample, strict=True))
        both = (len(set(part)) for part in zip(*pairs, strict=True))
        as_name = called in _CLASS_NAMES and called != self.plain
        return as_name and self.words and all(n == len(pairs) for n in both)


class _Choice:
    """The columns by role, and those that no role has taken yet."""

    def __init__(self, table: Table, told: dict[Role, str]) -> None:
        self.told = told
        self.all = {name: _Column(table, name) for name in table.columns}
        self.given = [each for each in self.all.values() if each.plain not in _PREDICTED]
        self.free = [column for column in self.given if column.name not in told.values()]
        self.roles: dict[Role, _Column] = {role: self.all[name] for role, name in told.items()}

    def take(
        self, role: Role, fits: Callable[[_Column], bool] = lambda column: True
    ) -> _Column | None:
        """The column given for a role, or the free one that fits by name and contents."""
        if role in self.told:
            return self.roles[role]
        named = (column for want in _NAMES[role] for column in self.free if column.plain == want)
        ending = (
            column
            for want in (_NAMES[role] if role in ("text", "label") else ())
            for column in self.free
            if column.plain.endswith(f"_{want}")  # airline_sentiment
        )
        return self.give(role, next(filter(fits, chain(named, ending)), None))

    def give(self, role: Role, column: _Column | None) -> _Column | None:
        if column is not None:
            self.free.remove(column)
            self.roles[role] = column
        return column

    def take_longest(self, role: Role, *, certain: bool) -> _Column | None:
        """The free column with the longest texts, preferably one that cannot be the class."""
        # One of the columns has to be left for it, and a second text is not like one either
        no_class = "label" not in self.roles or role == "text2"
        texts = [column for column in self.free if self.is_text(column) and not column.truths]
        if no_class:
            distinct = [column for column in texts if not column.recurs]
            texts = distinct or (texts if len(texts) > 1 else [])
        if not texts:
            return None
        longest = max(texts, key=lambda column: column.mean_words)
        numbers = [column for column in self.free if column.is_feature]
        an_id = any(column.whole and column.singles == len(column.filled) for column in numbers)
        the_class = no_class and any(column.recurs for column in numbers)
        no_features = len(numbers) <= an_id + the_class
        least = _WORDS_AMONG_NUMBERS if len(numbers) > 2 + an_id else _WORDS_OF_A_TEXT
        certain = certain or no_features or longest.mean_words >= least
        return self.give(role, longest if certain else None)

    def take_recurring(self, fits: Callable[[_Column], bool]) -> _Column | None:
        """The free column whose values recur as those of a class do; rather the last or first."""
        names = list(self.all)
        recurring = (column for column in self.free if column.recurs and fits(column))

        def rank(column: _Column) -> tuple[bool, int, int]:
            at = (column.name != names[-1]) + (column.name not in (names[-1], names[0]))
            return column.singles > 0, at, column.distinct

        return self.give("label", min(recurring, key=rank, default=None))

    def take_pair(self) -> None:
        """Two columns of texts that known datasets pair."""
        free = {column.plain: column for column in self.free if self.is_text(column)}
        for first, second in _PAIRS:
            if first in free and second in free and "text" not in self.roles:
                self.give("text", free[first])
                self.give("text2", free[second])

    def take_class_names(self) -> None:
        """Rather than class numbers the column that names each class."""
        label = self.roles["label"]
        names = (column for column in self.free if label.whole and column.names_each_of(label))
        self.give("label", next(names, None))

    def prediction(self) -> str | None:
        """A column of predictions, most of which are classes of the class column."""
        classes = set(_bare(self.roles["label"].filled)) if "label" in self.roles else set()
        for name, column in self.all.items():
            if column in self.given or name in self.told.values() or "correct" in column.plain:
                continue
            cells = _bare(column.filled)
            if 2 * sum(cell in classes for cell in cells) > len(cells):
                return name
        return None

    def is_doubtful(self, label: _Column) -> bool:
        """Whether no name says that it is the class, and others could be, or it has fractions."""
        named = is_label_name(label.name) and label.plain != "score"
        fractions = not (label.words or label.whole)
        return not named and (fractions or any(column.is_class for column in self.free))

    def is_text(self, column: _Column) -> bool:
        """Whether it holds words, and not the same in every row where those of another differ."""
        varied = any(other.words and other.distinct > 1 for other in self.free)
        return column.words and (column.distinct > 1 or not varied)


def guess_columns(
    table: Table, kind: Kind | None = None, told: dict[Role, str] | None = None
) -> Columns:
    """Guess what `told` (columns by role) and `kind` leave open; never raises."""
    choice = _Choice(table, told or {})
    choice.take("split", _Column.is_split)
    label = choice.take("label", lambda column: column.is_class)
    if label is None and not any(column.recurs for column in choice.free):
        label = choice.take("label")
    if label is not None and "label" not in choice.told:
        choice.take_class_names()
    if kind in (None, "pair") and not choice.told.keys() & {"text", "text2"}:
        choice.take_pair()
    if kind != "numeric" and not ("text" in choice.roles or choice.take("text", choice.is_text)):
        choice.take_longest("text", certain=kind is not None)
    guessed = False
    if label is None:
        label = choice.take_recurring(lambda column: column.words) or choice.take("label")
        label = label or choice.take_recurring(
            lambda column: column.numbers if "text" in choice.roles else column.whole
        )
        guessed = label is not None and choice.is_doubtful(label)
    if "text" in choice.roles and kind != "numeric":
        kind = _guess_text_kind(kind, choice)
    names: dict[str, Any] = {role: column.name for role, column in choice.roles.items()}
    columns = Columns(kind, **names, prediction=choice.prediction(), guessed=guessed)
    return _with_features(columns, choice)


def _guess_text_kind(kind: Kind | None, choice: _Choice) -> Kind:
    """Text alone, with a mention, or with a second text: as given, else as found."""
    told, text = choice.told.keys(), choice.roles["text"]
    if kind == "span" or (kind is None and "text2" not in choice.roles):
        choice.take("mention", lambda each: each.name == "mention" or each.is_inside(text))
        if "mention" not in choice.roles:  # LEOPARD calls it sentence2
            second = [each for each in choice.free if kind or each.plain in _NAMES["text2"]]
            choice.give("mention", next((each for each in second if each.is_inside(text)), None))
        if "mention" not in choice.roles and kind == "span":
            choice.take("mention")
        start = choice.take("start", lambda column: column.numbers)
        end = choice.take("end", lambda column: column.numbers)
        if not (start and end) and told.isdisjoint({"start", "end"}):
            choice.roles.pop("start", None)
            choice.roles.pop("end", None)
        if kind == "span" or choice.roles.keys() & {"mention", "start", "end"}:
            return "span"
    if kind in (None, "pair"):
        if choice.take("text2", lambda column: column.words) is None and kind == "pair":
            choice.take_longest("text2", certain=True)
        if kind == "pair" or "text2" in choice.roles:
            return "pair"
    return "text"


def _with_features(columns: Columns, choice: _Choice) -> Columns:
    """With the columns that are features, or are not read."""
    choice.free = choice.given
    parts = {getattr(columns, role) for role in FORM}
    others = [each for each in choice.given if each.name not in (columns.label, columns.split)]
    numbers = [column for column in others if column.is_feature]
    features = [column.name for column in numbers if not column.is_id]
    features = features or [column.name for column in numbers]
    kind = columns.kind or ("numeric" if features else None)
    if kind == "numeric":
        used = {*parts, columns.prediction, *features}
        others = [column for column in choice.all.values() if column.name not in used]
        unused = {
            "Columns without numbers": [each.name for each in others if not each.is_feature],
            "Columns that look like ids": [each.name for each in others if each.is_feature],
        }
    else:
        others = [column for column in choice.given if column.name not in parts]
        texts = [each for each in others if choice.is_text(each) and not each.recurs]
        long = [each.name for each in texts if each.mean_words >= _WORDS_OF_A_TEXT]
        values = [each.name for each in others if each.is_feature and not each.is_id]
        unused = {"Other columns of texts": long}
        if not long and len(values) > 1:  # it may be meant as a table of numbers
            unused = {"Columns of numbers": values}
    unused = {what: names for what, names in unused.items() if names}
    return replace(columns, kind=kind, features=tuple(features), unused=unused)


def resolve_columns(
    table: Table, kind: Kind | None, told: dict[Role, str], features: Sequence[str] | None = None
) -> Columns:
    """The columns to read: the caller's, completed by guesses."""
    there = f"its columns are {', '.join(map(repr, table.columns))}"
    for role, name in told.items():
        if name in table.nested:
            raise _nested(table, name)
        if name not in table.columns:
            raise DatasetError(f"{table.name} has no column {name!r} ({role}=): {there}.")
        doubled = [other for other in told if told[other] == name]
        if len(doubled) > 1:
            why = f"Column {name!r} of {table.name} cannot be both"
            raise DatasetError(
                f"{why} {' and '.join(doubled)}: name two different columns.",
                form=f"{why} {' and '.join(FORM[other] for other in doubled)}: choose two "
                "different columns.",
            )
    if len(table.columns) == 1 and not table.nested:
        beside = " beside one that counts the rows" if table.counted else ""
        raise DatasetError(
            f"{table.name} has one column only{beside}, {next(iter(table.columns))!r}, and needs "
            "two: one with the text (or columns of numbers), and one with the class of each row."
        )
    columns = guess_columns(table, kind, told)
    if lacking := _lacking(columns):
        for name in table.nested:
            if _plain(name) in _NAMES[lacking]:
                raise _nested(table, name)
        words = {"label": "class", "text2": "second text", "mention": "phrase"}
        what = words.get(lacking, lacking)
        lack = f"{table.name} has no column that looks like the {what}"
        header = " in the header row" if lacking == "label" else ""
        raise DatasetError(
            f"{lack}: name it with {lacking}=, or rename it {lacking!r}{header}; {there}.",
            form=f"{lack}: choose it under {FORM[lacking]}, or add it to the file; {there}.",
        )
    if features is None:
        return columns
    if unknown := [name for name in features if name not in table.columns]:
        raise DatasetError(f"{table.name} has no column {unknown[0]!r}: choose columns of numbers.")
    if not features:
        raise DatasetError(f"{table.name} has no feature chosen: choose columns of numbers.")
    numeric = columns.kind == "numeric"
    return replace(columns, features=tuple(features), unused={}) if numeric else columns


def _lacking(columns: Columns) -> Role | None:
    """A role that its kind needs, and no column has."""
    if columns.label is None:
        return "label"
    if not (columns.features if columns.kind == "numeric" else columns.text):
        return "text"
    if columns.kind == "pair" and columns.text2 is None:
        return "text2"
    if columns.kind == "span" and (columns.start is None) != (columns.end is None):
        return "end" if columns.end is None else "start"
    return "mention" if columns.kind == "span" and not (columns.mention or columns.start) else None


def _nested(table: Table, name: str) -> DatasetError:
    return DatasetError(
        f"{table.name} is nested: column {name!r} holds {table.nested[name]}, so give it plain "
        "values or take another column."
    )


def is_label_name(name: str) -> bool:
    """Whether a column's name is one that class columns have."""
    plain = _plain(name)
    return any(plain == want or plain.endswith(f"_{want}") for want in _NAMES["label"])


def _bare(cells: Sequence[str]) -> list[str]:
    """Cells without the decimals of whole numbers."""
    return [re.sub(r"\.0+$", "", cell) for cell in cells]


@lru_cache(maxsize=4_096)
def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")
