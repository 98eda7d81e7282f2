"""The encoders that have no weights: numbers as they are, and weighted counts of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import Examples
from slp_core.encoders.base import (
    CancelledCallback,
    Encoder,
    EncoderInfo,
    Normalisation,
    Progress,
    ProgressCallback,
)
from slp_core.errors import Cancelled, EncoderError

SVD_DIMENSIONS = 128


class NumericEncoder(Encoder):
    """Columns of a table, standardised by the table's own mean and deviation, or as they are."""

    def __init__(
        self, info: EncoderInfo, normalisation: Normalisation, *, standardise: bool
    ) -> None:
        super().__init__(info, normalisation)
        self.standardise = standardise

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
    The segments of a pair, and a sentence and its mention, have columns of their own.
    """

    def _vectors(
        self, examples: Examples, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> NDArray[np.float32]:
        from scipy.sparse import hstack
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer

        if cancelled():
            raise Cancelled
        progress(Progress(0, len(examples), None))
        counts = []
        for texts in _segments(examples):
            vectorizer = TfidfVectorizer(
                token_pattern=r"\w+", ngram_range=(1, 2), sublinear_tf=True, strip_accents="unicode"
            )
            if any(map(vectorizer.build_analyzer(), texts)):
                counts.append(vectorizer.fit_transform(texts))
        if not counts:
            raise EncoderError("No text holds a word, so 'tfidf-svd' has nothing to count.")
        table = hstack(counts, format="csr")
        dimensions = min(SVD_DIMENSIONS, *table.shape)
        if dimensions < table.shape[1]:
            vectors = TruncatedSVD(dimensions, random_state=0).fit_transform(table)
        else:
            vectors = table.toarray()
        progress(Progress(len(examples), len(examples), 0.0))
        return vectors.astype(np.float32)

    def _vectors_like(self, reference: Examples, examples: Examples) -> NDArray[np.float32]:
        raise EncoderError(
            "'tfidf-svd' is fitted on all rows of a dataset at once, so a new one has no place "
            "among them: choose another encoder."
        )

    def _is_cached(self, examples: Examples) -> bool:
        return True


def _standardised(features: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns of some rows, by mean and deviation of those of the rows that are known."""
    # Whether a column is constant is asked of its values: its deviation may be a rounding error.
    # Dividing by the largest value first keeps the square of a large one from overflowing.
    constant = known.min(axis=0) == known.max(axis=0)
    unit = np.where(constant, 1.0, np.abs(known).max(axis=0))
    mean = (known / unit).mean(axis=0)
    deviation = np.where(constant, 1.0, (known / unit - mean).std(axis=0))
    return np.where(constant, 0.0, features / unit - mean) / deviation


def _refuse_unless_finite(table: NDArray[np.floating]) -> None:
    bad = np.argwhere(~np.isfinite(table))
    if len(bad):
        row, column = bad[0]
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
