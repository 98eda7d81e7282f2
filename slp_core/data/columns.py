"""The roles of a table's columns: guessed from names and contents, or given by the caller."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, Literal

from slp_core.data.examples import Kind
from slp_core.data.limits import LIMITS
from slp_core.data.mentions import find_mention
from slp_core.data.numbers import looks_like_number
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
_TRUTH = {"true": 1.0, "false": 0.0}
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
    chosen: tuple[str, ...] = ()  # features, where somebody has said which
    guessed: bool = False  # the class: other columns could be it, too

    def features(self, table: Table) -> list[str]:
        """The columns with numeric features, of numbers or of true and false."""
        if self.chosen:
            return list(self.chosen)
        choice = _Choice(table, {})
        others = [name for name in choice.free if name not in (self.label, self.split)]
        numbers = [name for name in others if choice.is_feature(name)]
        return [name for name in numbers if not choice.is_id(name)] or numbers

    def unused(self, table: Table) -> tuple[list[str], list[str]]:
        """In a table of texts, other columns of texts, and of numbers that are no ids."""
        if self.kind == "numeric":
            return [], []
        choice = _Choice(table, {})
        roles = {self.label, self.split, self.text, self.text2, self.mention, self.start, self.end}
        others = [name for name in choice.free if name not in roles]
        numbers = [name for name in others if choice.is_feature(name) and not choice.is_id(name)]
        return list(filter(choice.is_long_text, others)), numbers


def guess_columns(
    table: Table, kind: Kind | None = None, told: dict[Role, str] | None = None
) -> Columns:
    """Guess what `told` (columns by role) and `kind` leave open; never raises."""
    choice = _Choice(table, told or {})
    split = choice.take("split", choice.is_split)
    label = choice.take("label", choice.is_class)
    if label is None and not any(map(choice.recurs, choice.free)):
        label = choice.take("label")
    if label is not None and "label" not in choice.told:
        label = choice.take_class_names(label)
    text = text2 = None
    if kind in (None, "pair") and not choice.told.keys() & {"text", "text2"}:
        text, text2 = choice.take_pair()
    if kind != "numeric" and text is None:
        text = choice.take("text", choice.is_text)
        if text is None:
            text = choice.take_longest(certain=kind is not None, label=label)
    guessed = False
    if label is None:
        whole = choice.is_whole if text is None else choice.is_numbers
        label = choice.take_recurring(choice.is_words) or choice.take("label")
        label = label or choice.take_recurring(whole)
        guessed = label is not None and choice.is_doubtful(label)
    prediction = choice.prediction(label)
    columns = Columns(label=label, split=split, prediction=prediction, guessed=guessed)
    if text2 is not None:
        return replace(columns, kind="pair", text=text, text2=text2)
    if text is not None:
        return _guess_text_kind(replace(columns, text=text), kind, choice)
    if kind not in (None, "numeric"):
        return replace(columns, kind=kind)
    is_numeric = kind == "numeric" or bool(columns.features(table))
    return replace(columns, kind="numeric" if is_numeric else None)


def _guess_text_kind(columns: Columns, kind: Kind | None, choice: _Choice) -> Columns:
    """Text alone, with a mention, or with a second text: as given, else as found."""
    told = choice.told.keys()
    if kind == "span" or (kind is None and "text2" not in told):
        mention = choice.take(
            "mention", lambda name: name == "mention" or choice.is_inside(name, columns.text)
        )
        if mention is None:  # LEOPARD calls it sentence2
            mention = choice.take_inside(columns.text, any_name=kind == "span")
        if mention is None and kind == "span":
            mention = choice.take("mention")
        start = choice.take("start", choice.is_numbers)
        end = choice.take("end", choice.is_numbers)
        if not (start and end) and told.isdisjoint({"start", "end"}):
            start = end = None
        if kind == "span" or mention or start or end:
            return replace(columns, kind="span", mention=mention, start=start, end=end)
    if kind in (None, "pair"):
        text2 = choice.take("text2", choice.is_words)
        if text2 is None and kind == "pair":
            text2 = choice.take_longest(certain=True)
        if kind == "pair" or text2:
            return replace(columns, kind="pair", text2=text2)
    return replace(columns, kind="text")


class _Choice:
    """The columns that no role has taken yet."""

    def __init__(self, table: Table, told: dict[Role, str]) -> None:
        self.told = told
        self._cells: dict[str, list[str]] = {}
        given = [name for name in table.columns if name not in told.values()]
        self.free = [name for name in given if _plain(name) not in _PREDICTED]
        self._predicted = [name for name in given if _plain(name) in _PREDICTED]
        self._table = table

    def take(self, role: Role, fits: Callable[[str], bool] = lambda name: True) -> str | None:
        """The column given for `role`, or the free one that fits by name and contents."""
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

    def take_longest(self, *, certain: bool, label: str | None = None) -> str | None:
        """The free column with the longest texts, preferably one that cannot be the class."""
        words = {
            name: self._mean_words(name)
            for name in self.free
            if self.is_text(name) and not all_truths(self._filled(name))
        }
        if label is None:  # one of them has to be left for the class
            distinct = {name: words[name] for name in words if not self.recurs(name)}
            words = distinct or (words if len(words) > 1 else {})
        if not words:
            return None
        longest = max(words, key=lambda name: words[name])
        numbers = [name for name in self.free if self.is_feature(name)]
        an_id = any(
            self.is_whole(name) and self._singles(name) == len(self._filled(name))
            for name in numbers
        )
        the_class = label is None and any(map(self.recurs, numbers))
        no_features = len(numbers) <= an_id + the_class
        least = _WORDS_AMONG_NUMBERS if len(numbers) > 2 + an_id else _WORDS_OF_A_TEXT
        certain = certain or no_features or words[longest] >= least
        return self._taken(longest if certain else None)

    def take_recurring(self, fits: Callable[[str], bool]) -> str | None:
        """The free column whose values recur as those of a class do."""
        names = list(self._table.columns)
        return self._taken(
            min(
                (name for name in self.free if self.recurs(name) and fits(name)),
                key=lambda name: (
                    self._singles(name) > 0,
                    (name != names[-1]) + (name not in (names[-1], names[0])),
                    len(set(self._filled(name))),
                ),
                default=None,
            )
        )

    def take_inside(self, text: str | None, *, any_name: bool) -> str | None:
        """The free column of phrases of the text: one named like a second text, or any."""
        among = [name for name in self.free if any_name or _plain(name) in _NAMES["text2"]]
        return self._taken(next((n for n in among if self.is_inside(n, text)), None))

    def take_pair(self) -> tuple[str | None, str | None]:
        """Two columns of texts that known datasets pair."""
        free = {_plain(name): name for name in self.free if self.is_text(name)}
        for first, second in _PAIRS:
            if first in free and second in free:
                return self._taken(free[first]), self._taken(free[second])
        return None, None

    def take_class_names(self, label: str) -> str:
        """Beside class numbers the column that names each class, or else the numbers."""
        if not self.is_whole(label):
            return label
        for name in self.free:
            called = _plain(name).removeprefix(_plain(label)).strip("_")
            called = called.removeprefix("target_").removeprefix("class_").removeprefix("label_")
            if called in _CLASS_NAMES and called != _plain(name) and self._names(name, label):
                self.free.remove(name)
                return name
        return label

    def _names(self, name: str, label: str) -> bool:
        pairs = {
            (as_text(number).strip(), as_text(word).strip())
            for number, word in zip(self._sampled(label), self._sampled(name), strict=True)
        }
        numbers, words = zip(*pairs, strict=True)
        one_each = len(set(numbers)) == len(set(words)) == len(pairs)
        return one_each and self.is_words(name)

    def prediction(self, label: str | None) -> str | None:
        """A column of predictions, most of which are classes of the class column."""
        classes = set() if label is None else set(_bare(self._filled(label)))
        for name in self._predicted:
            cells = _bare(self._filled(name))
            if "correct" not in _plain(name) and 2 * sum(cell in classes for cell in cells) > len(
                cells
            ):
                return name
        return None

    def is_class(self, name: str) -> bool:
        """Whether its values recur and are no fractions."""
        return self.recurs(name) and (self.is_words(name) or self.is_whole(name))

    def is_doubtful(self, label: str) -> bool:
        """Whether no name says that it is the class, and others could be, or it has fractions."""
        named = is_label_name(label) and _plain(label) != "score"
        fractions = not (self.is_words(label) or self.is_whole(label))
        return not named and (fractions or any(map(self.is_class, self.free)))

    def is_long_text(self, name: str) -> bool:
        """Whether it holds texts of several words that do not recur."""
        several = self._mean_words(name) >= _WORDS_OF_A_TEXT
        return several and self.is_text(name) and not self.recurs(name)

    def is_text(self, name: str) -> bool:
        """Whether it holds words, and not the same in every row where those of another differ."""
        varied = [n for n in self.free if self.is_words(n) and len(set(self._filled(n))) > 1]
        return self.is_words(name) and (name in varied or not varied)

    def is_id(self, name: str) -> bool:
        """Whether it numbers the rows, as its name or its order says."""
        if not self.is_whole(name):
            return False
        numbers = [float(cell) for cell in self._filled(name)]
        many = len(numbers) >= _ROWS_OF_AN_ID
        counts = numbers[:1] in ([0], [1]) and all(b - a == 1 for a, b in pairwise(numbers))
        nameless = self._table.header is None and name == next(iter(self._table.columns))
        first = nameless and self._singles(name) == len(numbers)
        return (many and (counts or first)) or bool(_ID_NAMES.fullmatch(_plain(name)))

    def recurs(self, name: str) -> bool:
        """Whether a column has several values, each of which comes twice on average."""
        cells = self._filled(name)
        return 1 < len(set(cells)) <= min(LIMITS.classes, len(cells) // _ROWS_A_CLASS)

    def is_words(self, name: str) -> bool:
        """Whether most cells that are filled in are no numbers (a few may be mistakes)."""
        cells = self._filled(name)
        return 2 * sum(map(looks_like_number, cells)) < len(cells)

    def is_numbers(self, name: str) -> bool:
        return not self.is_words(name)

    def is_feature(self, name: str) -> bool:
        """Whether it holds numbers, or true and false, and anything at all."""
        numbers = self.is_numbers(name) and bool(self._filled(name))
        return numbers or all_truths(self._table.columns[name])

    def is_inside(self, name: str, text: str | None) -> bool:
        """Whether a column occurs in the column `text` in nearly all rows."""
        if text is None or not self.is_words(name):
            return False
        sample = [
            as_text(sentence).strip() != as_text(mention).strip()
            and find_mention(as_text(sentence), as_text(mention)) is not None
            for sentence, mention in zip(self._sampled(text), self._sampled(name), strict=True)
        ]
        return sum(sample) >= _MENTION_SHARE * len(sample)

    def is_split(self, name: str) -> bool:
        """Whether a column tells training rows from others, and nothing else."""
        words = {as_text(cell).strip().casefold() for cell in self._table.columns[name]}
        held_out = TEST_WORDS | VALIDATION_WORDS
        return bool(words & TRAIN_WORDS and words & held_out) and words <= TRAIN_WORDS | held_out

    def is_whole(self, name: str) -> bool:
        """Whether all cells that are filled in are whole numbers."""
        return all(re.fullmatch(r"[+-]?\d+(\.0+)?", cell) for cell in self._filled(name))

    def _singles(self, name: str) -> int:
        """How many values come once only."""
        return sum(n == 1 for n in Counter(self._filled(name)).values())

    def _filled(self, name: str) -> list[str]:
        """Cells that hold something; of a long table a sample from its beginning to its end."""
        if name not in self._cells:
            texts = (as_text(cell).strip() for cell in self._sampled(name))
            self._cells[name] = [text for text in texts if text]
        return self._cells[name]

    def _sampled(self, name: str) -> list[Any]:
        return self._table.columns[name][:: 1 + len(self._table) // _SAMPLED_CELLS]

    def _mean_words(self, name: str) -> float:
        cells = self._filled(name)
        return sum(len(cell.split()) for cell in cells) / max(1, len(cells))

    def _taken(self, name: str | None) -> str | None:
        if name is not None:
            self.free.remove(name)
        return name


def resolve_columns(table: Table, kind: Kind | None, told: dict[Role, str]) -> Columns:
    """The columns to read: the caller's, completed by guesses."""
    there = f"its columns are {', '.join(map(repr, table.columns))}"
    for role, name in told.items():
        if name in table.nested:
            raise _nested(table, name)
        if name not in table.columns:
            raise DatasetError(f"{table.name} has no column {name!r} ({role}=): {there}.")
        doubled = [other for other in told if told[other] == name]
        if len(doubled) > 1:
            raise DatasetError(
                f"Column {name!r} of {table.name} cannot be both {' and '.join(doubled)}: "
                "name two different columns.",
                form=f"Column {name!r} of {table.name} cannot be both "
                f"{' and '.join(FORM[other] for other in doubled)}: choose two different columns.",
            )
    if len(table.columns) == 1 and not table.nested:
        beside = " beside one that counts the rows" if table.counted else ""
        raise DatasetError(
            f"{table.name} has one column only{beside}, {next(iter(table.columns))!r}, and needs "
            "two: one with the text (or columns of numbers), and one with the class of each row."
        )
    columns = guess_columns(table, kind, told)

    def need(role: Role) -> DatasetError:
        for name in table.nested:
            if _plain(name) in _NAMES[role]:
                return _nested(table, name)
        what = {"label": "class", "text2": "second text", "mention": "phrase"}.get(role, role)
        lack = f"{table.name} has no column that looks like the {what}"
        header = " in the header row" if role == "label" else ""
        return DatasetError(
            f"{lack}: name it with {role}=, or rename it {role!r}{header}; {there}.",
            form=f"{lack}: choose it under {FORM[role]}, or add it to the file; {there}.",
        )

    if columns.kind is None:
        raise need("text" if columns.label else "label")
    if columns.label is None:
        raise need("label")
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


def _nested(table: Table, name: str) -> DatasetError:
    return DatasetError(
        f"{table.name} is nested: column {name!r} holds {table.nested[name]}, so give it plain "
        "values or take another column."
    )


def is_label_name(name: str) -> bool:
    """Whether a column's name is one that class columns have."""
    plain = _plain(name)
    return any(plain == want or plain.endswith(f"_{want}") for want in _NAMES["label"])


def truth(cell: Any) -> float | None:
    """1 for true and 0 for false, in letters of any case; None for anything else."""
    return _TRUTH.get(as_text(cell).strip().casefold())


def all_truths(cells: Sequence[Any]) -> bool:
    """Whether each cell of a column says true or false."""
    return bool(cells) and all(truth(cell) is not None for cell in cells)


def _bare(cells: Sequence[str]) -> list[str]:
    """Cells without the decimals of whole numbers."""
    return [re.sub(r"\.0+$", "", cell) for cell in cells]


@lru_cache(maxsize=4_096)
def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")
