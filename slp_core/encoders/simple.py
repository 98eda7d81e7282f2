"""The encoders that have no weights: numbers as they are, and weighted counts of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples
from slp_core.encoders.base import (
    Data,
    Encoder,
    EncoderInfo,
    Normalisation,
    Vectors,
    as_examples,
    checked_support,
)
from slp_core.errors import Cancelled, EncoderError
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SVD_DIMENSIONS = 128
_ROUNDING = 1e-13  # of the largest value in a column
_RANK = 1e-12  # of the largest eigenvalue: what is smaller is a rounding error
_OUTSIDE = 1e-6  # of a text's length 1: a projection that is shorter is a rounding error


@dataclass(frozen=True, eq=False)
class Columns:
    """Rows of a table, standardised anew on every draw by its support set.

    Query rows have no say in mean and deviation: whoever has few labelled examples has seen no
    others.
    """

    encoder: NumericEncoder
    examples: Examples

    def on(
        self, support: NDArray[np.integer], rows: NDArray[np.integer] | None = None
    ) -> NDArray[np.float32]:
        """(n, d) vectors of all rows, or of some, where ``support`` (s,) are the support set's."""
        asked = self.examples if rows is None else self.examples.take(rows)
        return self.place(asked, support)

    def place(self, examples: Examples, support: NDArray[np.integer]) -> NDArray[np.float32]:
        """(k, d) vectors of k new rows on that draw."""
        fitted_to = self.examples.take(checked_support(support, len(self)))
        return self.encoder.encode_like(fitted_to, examples)

    def __len__(self) -> int:
        return len(self.examples)


class NumericEncoder(Encoder):
    """Columns of a table, standardised by their mean and deviation, or as they are."""

    def __init__(
        self,
        info: EncoderInfo,
        normalisation: Normalisation,
        *,
        standardise: bool,
        by_draw: bool = False,
    ) -> None:
        super().__init__(info, normalisation)
        self.standardise = standardise
        self.by_draw = by_draw

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
        """Encode n rows; see `Encoder.encode`."""
        if support is None or not self.by_draw:
            return super().encode(data, pairs, spans, progress=progress, cancelled=cancelled)
        rows = Columns(self, self._fitting(as_examples(data, pairs, spans)))
        return rows.on(support)

    def encode_for_draws(
        self,
        dataset: FewShotDataset,
        *,
        progress: ProgressCallback | None = None,
        cancelled: CancelledCallback | None = None,
    ) -> Vectors:
        """Encode a dataset once for all its draws; see `Encoder.encode_for_draws`."""
        if not self.by_draw:
            return self.encode(dataset, progress=progress, cancelled=cancelled)
        examples = self._fitting(dataset.examples)
        self._vectors_like(examples, examples)  # what is no number is named at once
        return Columns(self, examples)

    def _vectors(
        self, examples: Examples, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> NDArray[np.float32]:
        vectors = self._vectors_like(examples, examples)
        progress(Progress(len(examples), len(examples), 0.0))
        return vectors

    def _vectors_like(self, reference: Examples, examples: Examples) -> NDArray[np.float32]:
        assert examples.features is not None
        assert reference.features is not None
        features, known = examples.features, reference.features
        if features.shape[1] != known.shape[1]:
            raise EncoderError(
                f"A row of {features.shape[1]} numbers does not fit among rows of {known.shape[1]}."
            )
        _refuse_unless_finite(features)
        _refuse_unless_finite(known)
        with np.errstate(over="ignore"):
            if self.standardise:
                features = _standardised(features, known)
            vectors = features.astype(np.float32)
        _refuse_unless_finite(vectors)
        return vectors

    def _is_cached(self, examples: Examples) -> bool:
        return True


class TfidfEncoder(Encoder):
    """TF-IDF of words and word pairs, reduced by a truncated SVD: latent semantic analysis.

    Both steps are fitted on the rows being encoded, so vectors of two calls must not be mixed.
    The segments of a pair, and a sentence and its mention, have columns of their own. A text of
    which nothing lies along the directions that are kept is 0.
    """

    def _vectors(
        self, examples: Examples, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> NDArray[np.float32]:
        from scipy.sparse import hstack
        from sklearn.feature_extraction.text import TfidfVectorizer

        if cancelled():
            raise Cancelled
        progress(Progress(0, len(examples), None))
        segments = _segments(examples)
        # Where singular values are equal, vectors hang on the order of the rows: so one is chosen.
        order = sorted(range(len(examples)), key=lambda row: [texts[row] for texts in segments])
        counts = []
        for texts in ([texts[row] for row in order] for texts in segments):
            vectorizer = TfidfVectorizer(
                token_pattern=r"\w+", ngram_range=(1, 2), sublinear_tf=True, strip_accents="unicode"
            )
            if any(map(vectorizer.build_analyzer(), texts)):
                counts.append(vectorizer.fit_transform(texts))
        if not counts:
            raise EncoderError("No text holds a word, so 'tfidf-svd' has nothing to count.")
        table = hstack(counts, format="csr")
        dimensions = min(SVD_DIMENSIONS, *table.shape)
        vectors = np.empty((len(examples), dimensions), np.float32)
        vectors[order] = (
            _projected(table, dimensions) if dimensions < table.shape[1] else table.toarray()
        )
        progress(Progress(len(examples), len(examples), 0.0))
        return vectors

    def _vectors_like(self, reference: Examples, examples: Examples) -> NDArray[np.float32]:
        raise EncoderError(
            "'tfidf-svd' is fitted on all rows of a dataset at once, so a new one has no place "
            "among them: choose another encoder."
        )

    def _is_cached(self, examples: Examples) -> bool:
        return True


def _projected(table: csr_matrix, dimensions: int) -> NDArray[np.float64]:
    """Rows (n, k) by their k ≤ n principal directions: the U Σ of a truncated SVD.

    Singular values of texts lie so close together that a few steps of the usual randomised SVD are
    far from it, and give other vectors for each order of the rows.
    """
    from scipy.sparse.linalg import LinearOperator, eigsh
    from sklearn.utils.extmath import svd_flip

    n = table.shape[0]
    if dimensions == n:
        values, U = np.linalg.eigh((table @ table.T).toarray())
    else:
        products = LinearOperator((n, n), matvec=lambda x: table @ (table.T @ x), dtype=np.float64)
        values, U = eigsh(products, dimensions, rng=0)
    falling = np.argsort(-values)
    values, U = values[falling], svd_flip(U[:, falling], None)[0]
    rows = U * np.sqrt(np.where(values > _RANK * values[0], values, 0.0))
    rows[np.linalg.norm(rows, axis=1) < _OUTSIDE] = 0.0
    return rows


def _standardised(features: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns of some rows, by mean and deviation of those of the rows that are known."""
    # Values that differ in their last digits alone are the same: their deviation is a rounding
    # error, by which other rows would be thrown far away. A column that is constant says nothing.
    # Dividing by the largest value first keeps the square of a large one from overflowing.
    largest = np.abs(known).max(axis=0)
    constant = known.max(axis=0) - known.min(axis=0) <= _ROUNDING * largest
    unit = np.where(constant, 1.0, largest)
    mean = (known / unit).mean(axis=0)
    deviation = np.where(constant, 1.0, (known / unit - mean).std(axis=0))
    vectors = features / unit  # and on in the same memory: there may be very many rows
    vectors -= mean
    vectors[:, constant] = 0.0
    vectors /= deviation
    return vectors


def _refuse_unless_finite(table: NDArray[np.floating]) -> None:
    finite = np.isfinite(table)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        raise EncoderError(
            f"Row {row}, column {column} is missing, infinite or too large for a 32-bit number: "
            "mend it or leave the row out."
        )


def _segments(examples: Examples) -> list[tuple[str, ...]]:
    assert examples.texts is not None
    if examples.pairs is not None:
        return [examples.texts, examples.pairs]
    if examples.spans is not None:
        mentions = zip(examples.texts, examples.spans, strict=True)
        return [examples.texts, tuple(text[start:end] for text, (start, end) in mentions)]
    return [examples.texts]
