"""A small typed dataset: classes by name, each with the texts of its examples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from slp_core.data.csv_text import as_csv
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples
from slp_core.errors import DatasetError

NAME: Final = "own"
TITLE: Final = "Your own examples"
FILE: Final = "your-own-examples"
CHARACTERS, CLASSES, EXAMPLES, LETTERS = 2_000, 64, 500, 60
"""At most: characters of an example, classes, examples in all, characters of a class's name."""


@dataclass(frozen=True)
class OwnExamples:
    """Classes in the order in which they were made; a class may still be empty."""

    classes: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def of(cls, classes: Mapping[str, Iterable[str]]) -> OwnExamples:
        """Checked: DatasetError where there is too much, or a text or a name is empty."""
        found = {name.strip(): tuple(map(str.strip, texts)) for name, texts in classes.items()}
        if len(found) > CLASSES:
            raise DatasetError(f"There are at most {CLASSES} classes: remove one first.")
        if sum(map(len, found.values())) > EXAMPLES:
            raise DatasetError(f"There are at most {EXAMPLES} examples: type fewer.")
        for name, texts in found.items():
            if not 0 < len(name) <= LETTERS:
                raise DatasetError(f"A class needs a name of 1 to {LETTERS} characters.")
            if not all(0 < len(text) <= CHARACTERS for text in texts):
                raise DatasetError(f"An example has 1 to {CHARACTERS:,} characters: shorten it.")
        return cls(tuple(found.items()))

    @classmethod
    def of_dataset(cls, dataset: FewShotDataset) -> OwnExamples:
        """The inverse of :meth:`dataset`, but for empty classes."""
        texts = np.array(dataset.examples.texts or (), dtype=object)
        names = dict.fromkeys(dataset.labels.tolist())
        return cls.of({name: texts[dataset.labels == name].tolist() for name in names})

    @classmethod
    def read(cls, text: str) -> OwnExamples | None:
        """The inverse of ``str``; None where a text is none of these."""
        try:
            found = json.loads(text)
            json.dumps(found, ensure_ascii=False).encode()  # half a character can be written so
            good = isinstance(found, dict) and all(
                isinstance(texts, list) and all(isinstance(each, str) for each in texts)
                for texts in found.values()
            )
            return cls.of(found) if good else None
        except (ValueError, RecursionError, DatasetError):
            return None

    def __str__(self) -> str:
        return json.dumps(self.by_name, ensure_ascii=False, separators=(",", ":"))

    @property
    def by_name(self) -> dict[str, tuple[str, ...]]:
        return dict(self.classes)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.classes)

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Text and class of every example, as :meth:`dataset` numbers them."""
        return [(text, name) for name, texts in self.classes for text in texts]

    def with_texts(self, name: str, texts: Iterable[str]) -> OwnExamples:
        """With further examples of a class; blank ones are ignored."""
        return self.of(self.by_name | {name: (*self.by_name[name], *filter(str.strip, texts))})

    def without(self, row: int) -> OwnExamples:
        rows = self.rows
        del rows[row]
        return self._of_rows(rows)

    def moved(self, row: int, name: str) -> OwnExamples:
        """With an example given to another class."""
        rows = self.rows
        text, _ = rows.pop(row)
        return self._of_rows([*rows, (text, name)])

    def with_class(self, name: str) -> OwnExamples:
        if name.strip() in self.by_name:
            raise DatasetError(f"There is a class {name.strip()!r} already: choose another name.")
        return self.of(self.by_name | {name: ()})

    def without_class(self, name: str) -> OwnExamples:
        return self.of({each: texts for each, texts in self.classes if each != name})

    def renamed(self, name: str, new: str) -> OwnExamples:
        if new.strip() in self.by_name.keys() - {name}:
            raise DatasetError(f"There is a class {new.strip()!r} already: choose another name.")
        return self.of({new if each == name else each: texts for each, texts in self.classes})

    def dataset(self) -> FewShotDataset | None:
        """All of it as a support set without a query set; None before two classes have examples."""
        rows = self.rows
        if len({name for _, name in rows}) < 2:
            return None
        texts, labels = zip(*rows, strict=True)
        return FewShotDataset(
            name=NAME,
            title=TITLE,
            examples=Examples("text", texts),
            labels=np.array(labels),
            made=self.names,
            support_pool=np.arange(len(rows)),
            query_pool=np.arange(0),
            read_as={"own": str(self)},
        )

    def _of_rows(self, rows: Iterable[tuple[str, str]]) -> OwnExamples:
        texts: dict[str, list[str]] = {name: [] for name, _ in self.classes}
        for text, name in rows:
            texts[name].append(text)
        return self.of(texts)


def own_csv(own: OwnExamples) -> bytes:
    """As a table that :func:`read_dataset` reads."""
    import pandas as pd

    return as_csv(pd.DataFrame(own.rows, columns=["text", "label"]))


IDEAS: Final = {
    "Polite or rude?": OwnExamples.of(
        {
            "polite": (
                "Could you please tell me the way?",
                "Thank you very much for your help.",
                "Would you kindly wait a moment?",
                "I would be grateful for your answer.",
            ),
            "rude": (
                "Get lost, you idiot!",
                "Shut up and move over.",
                "What a stupid thing to say.",
                "Nobody asked you, so go away.",
            ),
        }
    ),
    "Weather, sport or cooking?": OwnExamples.of(
        {
            "weather": (
                "It will rain all afternoon.",
                "A cold wind blows from the north.",
                "Tomorrow is sunny and warm.",
            ),
            "sport": (
                "She scored in the last minute.",
                "Our team lost the final match.",
                "He runs ten kilometres a day.",
            ),
            "cooking": (
                "Fry the onions in butter.",
                "The soup needs more salt.",
                "Bake the bread for an hour.",
            ),
        }
    ),
    "Praise or complaint?": OwnExamples.of(
        {
            "praise": (
                "What a wonderful evening, we loved it.",
                "The staff were friendly and quick.",
                "Best meal I have had in years.",
                "I am delighted with my new shoes.",
            ),
            "complaint": (
                "The room was dirty and the heating was broken.",
                "We waited an hour and nobody came.",
                "This is the worst phone I have owned.",
                "My parcel arrived late and damaged.",
            ),
        }
    ),
}
"""Small tasks to begin with, by title."""
