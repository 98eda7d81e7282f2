"""The bundled datasets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from slp_core.data.checks import oddities
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples, Kind
from slp_core.data.read import read_dataset
from slp_core.data.table import Table
from slp_core.data.toys import TOYS, make_toy
from slp_core.errors import DatasetError
from slp_core.own_parts import check_part, described, installed_parts
from slp_core.resources import resource

SAMPLE_FOLDER = resource("sample_data")

Group = Literal["Texts", "Tables", "Toys", "Own"]


@dataclass(frozen=True)
class DatasetInfo:
    """What a list of datasets shows before one is loaded.

    Parameters
    ----------
    name, title, description
        Short id, what people read, and one line about it.
    kind, group
        What its inputs are, and the heading it stands under.
    n_classes
        Number of classes.
    options
        Options of its own that `load_dataset` takes.
    """

    name: str
    title: str
    kind: Kind
    group: Group
    n_classes: int
    description: str
    options: tuple[str, ...] = ()


_TEXTS = (
    DatasetInfo(
        "airline", "Airline tweets", "text", "Texts", 3,
        "Tweets to airlines: negative, neutral or positive, irony included.",
    ),
    DatasetInfo(
        "products", "Product reviews", "text", "Texts", 2,
        "Short reviews of things people bought: positive or negative.",
    ),
    DatasetInfo(
        "disaster", "Disaster or not", "text", "Texts", 2,
        "Tweets that report a disaster, and tweets that only borrow its words.",
    ),
    DatasetInfo(
        "intents", "Customer intents", "text", "Texts", 9,
        "Messages to a broadband supplier: what does the customer want?",
    ),
    DatasetInfo(
        "emotions", "Emotions", "text", "Texts", 13,
        "Short posts, each with the emotion that it shows most.",
    ),
    DatasetInfo(
        "ratings", "Product ratings", "text", "Texts", 3,
        "Reviews of 2, 4 and 5 stars; the 4 is the hard one.",
    ),
    DatasetInfo(
        "restaurant", "Restaurant queries", "span", "Texts", 8,
        "Spoken searches with one phrase marked: what kind of thing is it?",
    ),
    DatasetInfo(
        "entailment", "Entailment pairs", "pair", "Texts", 2,
        "Two sentences: does the second follow from the first?",
    ),
)  # fmt: skip


_TABLES = (
    DatasetInfo(
        "iris", "Iris flowers", "numeric", "Tables", 3,
        "Four measurements of 150 flowers of three species.",
    ),
    DatasetInfo(
        "wine", "Wine", "numeric", "Tables", 3,
        "Thirteen chemical measurements of 178 wines of three growers.",
    ),
    DatasetInfo(
        "breast_cancer", "Breast cancer", "numeric", "Tables", 2,
        "Thirty measurements of cell nuclei: benign or malignant.",
    ),
    DatasetInfo(
        "digits", "Handwritten digits", "numeric", "Tables", 10,
        "Images of 8 × 8 pixels of the digits 0 to 9.",
    ),
)  # fmt: skip
"""scikit-learn's ``load_<name>`` has each of them."""


def list_datasets() -> tuple[DatasetInfo, ...]:
    """The datasets that `load_dataset` knows; nothing is read for this.

    Examples
    --------
    >>> import slp_core as slp
    >>> [info.name for info in slp.list_datasets() if info.kind == "pair"]
    ['entailment']
    """
    installed_parts("dataset", add_dataset)  # not on import: the package may import this one
    toys = (
        DatasetInfo(
            name,
            toy.title,
            "numeric",
            "Toys",
            len(toy.classes),
            toy.description,
            (*toy.options, "n_per_class", "seed"),
        )
        for name, toy in TOYS.items()
    )
    return (*_TEXTS, *_TABLES, *toys, *(info for info, _ in _OWN.values()))


def load_dataset(name: str, **options: Any) -> FewShotDataset:
    """Load one of the datasets that come with the project.

    Parameters
    ----------
    name
        A name from `list_datasets`.
    **options
        What its ``DatasetInfo.options`` lists, such as ``dimension`` of ``toy_dimensions`` (see
        `make_toy`).

    Raises
    ------
    DatasetError
        When there is no such dataset, or an option does not fit it.

    Examples
    --------
    >>> import slp_core as slp
    >>> slp.load_dataset("airline").classes
    ('negative', 'neutral', 'positive')
    >>> slp.load_dataset("toy_dimensions", dimension=20).examples.features.shape[1]
    20
    """
    infos = {info.name: info for info in list_datasets()}
    if name not in infos:
        raise DatasetError(f"There is no dataset {name!r}: choose one of {', '.join(infos)}.")
    info = infos[name]
    if unknown := options.keys() - set(info.options):
        has = ", ".join(info.options) or "none"
        raise DatasetError(f"{name} has no option {min(unknown)!r}; its options: {has}.")
    if info.group == "Own":
        return _OWN[name][1]
    if info.group == "Toys":
        dataset = make_toy(name, **options)
    elif info.group == "Tables":
        dataset = _load_table(info)
    else:
        dataset = read_dataset(SAMPLE_FOLDER / f"{name}.jsonl", name=name)
    card = (SAMPLE_FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return replace(dataset, title=info.title, card=card, read_as=None, file_rows=None)


def _load_table(info: DatasetInfo) -> FewShotDataset:
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{info.name}")()
    class_names = np.array([str(target) for target in bunch.target_names])
    labels = class_names[bunch.target]
    examples = Examples("numeric", features=bunch.data)
    rows = Table(info.title, {}, range(1, len(labels) + 1), unit="entry")
    return FewShotDataset(
        name=info.name,
        title=info.title,
        examples=examples,
        labels=labels,
        warnings=tuple(oddities(rows, examples.content_ids, labels, "numbers")),
        feature_names=tuple(str(feature) for feature in bunch.feature_names),
    )


_OWN: dict[str, tuple[DatasetInfo, FewShotDataset]] = {}
"""Of other packages or programs."""


def add_dataset(name: str, function: object, package: str, title: str = "") -> None:
    """Add a function that returns a dataset; it is called now, and what it returns is kept."""
    check_part("dataset", name, function, {info.name for info in list_datasets()})
    assert callable(function)
    dataset = function()
    if not isinstance(dataset, FewShotDataset):
        raise DatasetError(f"it returned {type(dataset).__name__}, not a FewShotDataset")
    own, description = described(function, dataset.title)
    info = DatasetInfo(name, title or own, dataset.kind, "Own", len(dataset.classes), description)
    _OWN[name] = info, replace(dataset, name=name, title=info.title)
