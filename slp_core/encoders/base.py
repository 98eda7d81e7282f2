"""The base class of encoders: accepts examples in any form and normalises their embeddings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard, Union, get_args

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples, Kind
from slp_core.encoders.tokens import Token
from slp_core.errors import Cancelled, EncoderError
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

if TYPE_CHECKING:
    import pandas as pd

Normalisation = Literal["none", "l2", "centred_l2"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)

Data: TypeAlias = Union[
    FewShotDataset,
    Examples,
    Sequence[str],
    Sequence[Sequence[float]],
    NDArray[np.generic],
    "pd.Series",
    "pd.DataFrame",
]


Draw: TypeAlias = tuple[NDArray[np.integer] | None, NDArray[np.integer]]
"""Classes (n,) of n rows, if known, and the row numbers (s,) of the support set."""


@dataclass(frozen=True, eq=False)
class ByDraw:
    """Rows whose embeddings depend on the support set."""

    encoder: Encoder
    rows: Any  # as `Encoder._read` gives them
    y: NDArray[np.integer]  # (n,) their classes

    def on(self, support: NDArray[np.integer]) -> NDArray[np.float32]:
        """(n, d) embeddings of all rows, given the support set's row numbers (s,)."""
        return self.encoder._place(self.rows, self.rows, (self.y, support))

    def place(self, examples: Examples, support: NDArray[np.integer]) -> NDArray[np.float32]:
        """(k, d) embeddings of k new rows, given the same support set."""
        new = self.encoder._read(self.encoder._fitting(examples), unreported)
        return self.encoder._place(self.rows, new, (self.y, support))

    def __len__(self) -> int:
        return len(self.y)


Vectors: TypeAlias = NDArray[np.floating] | ByDraw
"""(n, d) embeddings, or rows whose embeddings depend on the support set."""


def vectors_on(vectors: Vectors, support: NDArray[np.integer]) -> NDArray[np.floating]:
    """(n, d) embeddings of all rows, given these support rows."""
    return vectors.on(support) if isinstance(vectors, ByDraw) else vectors


@dataclass(frozen=True)
class EncoderInfo:
    """An entry of the list of encoders."""

    name: str  # what `load_encoder` takes
    title: str
    description: str
    kinds: tuple[Kind, ...]  # of examples that it encodes
    options: tuple[str, ...] = ()  # which of ``combine`` and ``chunks`` it supports


def unreported(_: Progress) -> None:
    """Report nothing."""


class Encoder(ABC):
    """Computes embeddings; made by `load_encoder`."""

    by_draw = False  # whether embeddings depend on the support set, which `encode` then takes
    chunks = False  # whether long texts are encoded in chunks
    fitted = False  # whether embeddings depend on all rows, whatever the normalisation

    def __init__(self, info: EncoderInfo, normalisation: Normalisation | None) -> None:
        self.info = info
        self._normalisation = normalisation
        # Rows of the last `encode` beyond the token limit, cut at their end or around a mention.
        self.n_truncated = 0

    @property
    def normalisation(self) -> Normalisation:
        """The normalisation of the embeddings."""
        return self._normalisation or "none"

    def encode(
        self,
        data: Data,
        pairs: Sequence[str] | None = None,
        spans: Sequence[tuple[int, int]] | None = None,
        *,
        support: NDArray[np.integer] | None = None,
        progress: ProgressCallback | None = None,
        cancelled: CancelledCallback | None = None,
    ) -> NDArray[np.float32]:
        """Encode n rows.

        Parameters
        ----------
        data
            A dataset, its examples, n texts (a pandas Series, say), or an (n, d) array, pandas
            DataFrame or list of lists of numbers.
        pairs
            With texts only: the second text of each pair.
        spans
            With texts only: the mention in each text, ``[start, end)`` in characters.
        support
            (s,) row numbers of the support set, from 0. An encoder with `by_draw` fits itself to
            these rows, or to all rows without them; others ignore them.
        progress
            Called with a `Progress` at the start and after each batch.
        cancelled
            Called between batches; encoding stops once it returns True.

        Returns
        -------
        ndarray of shape (n, d), float32

        Raises
        ------
        EncoderError
            The data does not fit the encoder, or the encoder is not available.
        Cancelled
            `cancelled` returned True. Rows encoded so far stay in the cache.
        """
        examples = self._fitting(as_examples(data, pairs, spans))
        report = _report(progress, cancelled)
        rows = self._read(examples, report)
        y = data.y if isinstance(data, FewShotDataset) else None
        draw = None if support is None else (y, support)
        return self._place(rows, rows, draw, report)

    def encode_for_draws(
        self,
        dataset: FewShotDataset,
        *,
        progress: ProgressCallback | None = None,
        cancelled: CancelledCallback | None = None,
    ) -> Vectors:
        """Encode a dataset once for all support sets; `vectors_on` gives the embeddings for one."""
        report = _report(progress, cancelled)
        rows = self._read(self._fitting(dataset.examples), report)
        if self.by_draw:
            return ByDraw(self, rows, dataset.y)
        return self._place(rows, rows, report=report)

    def encode_like(self, dataset: Data, examples: Data) -> NDArray[np.float32]:
        """(k, d) embeddings of new rows as if they were rows of a dataset, by whose means.

        Give an encoder that standardises by the support set its rows. One that weights two parts
        uses its initial weights: see ``encode_for_draws(dataset).place`` instead.
        """
        known, new = (self._fitting(as_examples(each)) for each in (dataset, examples))
        return self._place(self._known(known), self._read(new, unreported))

    def is_cached(self, data: Data) -> bool:
        """Whether `encode` needs no model for these rows: all are cached."""
        return self._is_cached(self._fitting(as_examples(data)))

    def tokens(self, dataset: Examples, examples: Examples) -> tuple[Token, ...]:
        """What one row is read as, among a dataset's; nothing by an encoder without tokens."""
        return ()

    def identity(self) -> str:
        """Digest of the weights and settings that an embedding depends on; "" without weights."""
        return ""

    @abstractmethod
    def _read(self, examples: Examples, report: ProgressCallback) -> Any:
        """(n, d) embeddings of n >= 1 examples before normalisation, or what `_place` needs.

        `report` is called between batches, and may raise Cancelled.
        """

    def _known(self, examples: Examples) -> Any:
        """What `_place` needs of the rows that others are placed among."""
        relative = self.by_draw or self.fitted or self.normalisation == "centred_l2"
        return self._read(examples, unreported) if relative else None

    def _place(
        self, known: Any, new: Any, draw: Draw | None = None, report: ProgressCallback = unreported
    ) -> NDArray[np.float32]:
        """(k, d) embeddings of new rows among known ones, both as `_read` gives them."""
        mean = known.mean(axis=0) if self.normalisation == "centred_l2" else None
        return normalise(new, self.normalisation, mean)

    def _is_cached(self, examples: Examples) -> bool:
        return True

    def _fitting(self, examples: Examples) -> Examples:
        if len(examples) == 0:
            raise EncoderError("There are no rows to encode.")
        if examples.kind not in self.info.kinds:
            if examples.kind == "numeric":
                raise EncoderError(
                    f"Encoder {self.info.name!r} reads texts, but the data is a table of numbers: "
                    "choose 'numeric' or 'raw'."
                )
            raise EncoderError(
                f"Encoder {self.info.name!r} reads tables of numbers, but the data is text: "
                "choose a text encoder such as 'minilm-l4'."
            )
        return examples


def _report(
    progress: ProgressCallback | None, cancelled: CancelledCallback | None
) -> ProgressCallback:
    """One callback for both, which raises Cancelled."""

    def report(state: Progress) -> None:
        if progress is not None:
            progress(state)
        if cancelled is not None and cancelled():
            raise Cancelled

    return report


def as_examples(
    data: Data,
    pairs: Sequence[str] | None = None,
    spans: Sequence[tuple[int, int]] | None = None,
) -> Examples:
    """Examples from any form that `Encoder.encode` takes."""
    if isinstance(data, FewShotDataset):
        data = data.examples
    if isinstance(data, Examples):
        if pairs is not None or spans is not None:
            raise EncoderError("Pairs and spans are part of a dataset: give them with texts only.")
        return data
    if _is_frame(data) or _are_rows(data):
        data = _numbers(data)
    if isinstance(data, np.ndarray) and data.dtype.kind in "buif":
        if data.ndim != 2:
            raise EncoderError(f"Numbers must be a table of rows and columns, not {data.ndim}-D.")
        if pairs is not None or spans is not None:
            raise EncoderError("Numbers have neither pairs nor spans: give those with texts only.")
        return Examples(kind="numeric", features=data.astype(np.float64))
    if pairs is not None and spans is not None:
        raise EncoderError("Give either pairs or spans, not both.")
    kind: Kind = "text" if pairs is None and spans is None else "span" if pairs is None else "pair"
    given: dict[str, Any] = {"texts": _listed(data, "text")}
    if pairs is not None:
        given["pairs"] = _listed(pairs, "second text")
    if spans is not None:
        given["spans"] = tuple(spans)
    try:
        return Examples(kind, **given)
    except ValueError as error:
        why = str(error)
        raise EncoderError(f"{why[0].upper()}{why[1:]}.") from error


def validate_support(support: NDArray[np.integer], n: int) -> NDArray[np.integer]:
    """Validate the row numbers (s,) of a support set among n rows."""
    rows = np.asarray(support)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not rows.size:
        raise EncoderError(
            "support must be a list of row numbers, such as [0, 3], which are whole numbers."
        )
    outside = rows[(rows < 0) | (rows >= n)]
    if len(outside):
        raise EncoderError(
            f"support names row {outside[0]}, but the rows are 0 to {n - 1}: leave it out."
        )
    return rows


def normalise(
    vectors: NDArray[np.float32], how: Normalisation, mean: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Normalise (n, d) rows; zero rows stay zero.

    ``"none"``; ``"l2"``: to unit length; ``"centred_l2"``: subtract `mean` (d,), by default that of
    these rows, then ``"l2"``.
    """
    # scikit-learn's normalize sums in another order: last digits would differ from cached rows.
    if how == "none":
        return vectors
    if how == "centred_l2":
        vectors = vectors - (vectors.mean(axis=0) if mean is None else mean)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    return vectors / lengths


def _is_frame(data: object) -> TypeGuard[pd.DataFrame]:
    return hasattr(data, "columns") and hasattr(data, "iloc")


def _numbers(table: pd.DataFrame | Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """(n, d) numbers of a numeric data frame or of rows; missing values are NaN."""
    import pandas as pd

    frame = pd.DataFrame(table)
    for name, kind in zip(frame.columns, frame.dtypes, strict=True):
        if kind.kind not in "buif":
            raise EncoderError(
                f"Column {name!r} of the table does not hold numbers: give one column of "
                f"texts, such as frame[{name!r}], or columns of numbers alone."
            )
    return frame.to_numpy(dtype=np.float64, na_value=np.nan)


def _are_rows(data: object) -> TypeGuard[Sequence[Sequence[float]]]:
    return (
        isinstance(data, list | tuple)
        and bool(data)
        and all(isinstance(row, list | tuple | np.ndarray) and np.ndim(row) == 1 for row in data)
    )


def _listed(values: Any, what: str) -> Any:
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if not isinstance(values, Iterable) or isinstance(values, Mapping) or _is_frame(values):
        raise EncoderError(f"A list of {what}s is expected, not {values!r:.60}: give it alone.")
    return values if isinstance(values, str) else tuple(values)
