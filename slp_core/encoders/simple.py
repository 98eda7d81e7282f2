"""Encoders without weights: numeric features, and TF-IDF."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.encoders.base import (
    Draw,
    Encoder,
    EncoderInfo,
    Normalisation,
    unreported,
    validate_support,
)
from slp_core.encoders.tokens import Token
from slp_core.errors import EncoderError
from slp_core.progress import Progress, ProgressCallback

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer

SVD_DIMENSIONS, MOST_FITTED = 128, 2_000
_BLOCK = 2_000  # rows
# Relative rounding errors: of a column, of eigenvalues, and of the projection of a unit vector.
_ROUNDING, _RANK, _OUTSIDE = 1e-13, 1e-12, 1e-6


class NumericEncoder(Encoder):
    """Columns of a table, standardised or unchanged."""

    fitted = True

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

    def _read(self, examples: Examples, report: ProgressCallback) -> NDArray[np.float64]:
        assert examples.features is not None
        _refuse_unless_finite(examples.features)
        report(Progress(len(examples), len(examples), 0.0))
        return examples.features

    def _place(
        self, known: Any, new: Any, draw: Draw | None = None, report: ProgressCallback = unreported
    ) -> NDArray[np.float32]:
        if new.shape[1] != known.shape[1]:
            raise EncoderError(
                f"A row of {new.shape[1]} numbers does not fit among rows of {known.shape[1]}."
            )
        if self.by_draw and draw is not None:
            known = known[validate_support(draw[1], len(known))]
        scaled = self._scaled(known, new)
        if self.normalisation == "centred_l2":
            known = self._scaled(known, known)
        return super()._place(known, scaled)

    def _scaled(self, known: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float32]:
        with np.errstate(over="ignore"):
            vectors = (_standardised(new, known) if self.standardise else new).astype(np.float32)
        _refuse_unless_finite(vectors)
        return vectors


class TfidfEncoder(Encoder):
    """TF-IDF and truncated SVD, fitted on the rows that it encodes: two calls must not be mixed."""

    fitted = True

    def __init__(
        self, info: EncoderInfo, normalisation: Normalisation, *, characters: bool = False
    ) -> None:
        super().__init__(info, normalisation)
        self.characters = characters

    def _read(self, examples: Examples, report: ProgressCallback) -> Examples:
        return examples

    def _place(
        self, known: Any, new: Any, draw: Draw | None = None, report: ProgressCallback = unreported
    ) -> NDArray[np.float32]:
        place = self._fitted(known)

        def vectors(rows: Examples) -> NDArray[np.float32]:
            n, parts = len(rows), []
            for start in range(0, n, _BLOCK):
                report(Progress(start, n))
                parts.append(place(rows.take(range(start, min(start + _BLOCK, n)))))
            report(Progress(n, n))
            return np.concatenate(parts)

        placed = vectors(new)
        if self.normalisation == "centred_l2":
            known = vectors(known)
        return super()._place(known, placed)

    def tokens(self, dataset: Examples, examples: Examples) -> tuple[Token, ...]:
        """Terms of one row by weight, the largest first; those that no row counts come last."""
        weights: list[tuple[str, float]] = []
        segments = [*_segments(examples), ("",)]  # a text among pairs has no second
        for segment, vectorizer, _ in self._counted(dataset):
            text, vocabulary = segments[segment][0], vectorizer.vocabulary_
            row = vectorizer.transform([text]).toarray()[0].tolist()
            for term in dict.fromkeys(vectorizer.build_analyzer()(text)):
                weights.append((term, row[vocabulary[term]] if term in vocabulary else 0.0))
        weights.sort(key=lambda each: -each[1])
        return tuple(Token(term, weight > 0) for term, weight in weights)

    def _fitted(self, examples: Examples) -> Callable[[Examples], NDArray[np.float32]]:
        """The map from examples to their vectors, fitted to these or to a sample of them."""
        from scipy.sparse import hstack

        columns = self._counted(examples)
        directions = _principal_directions(hstack([table for *_, table in columns], format="csr"))

        def place(new: Examples) -> NDArray[np.float32]:
            segments = [*_segments(new), ("",) * len(new)]  # a text among pairs has no second
            table = hstack([v.transform(segments[at]) for at, v, _ in columns], format="csr")
            if directions is None:
                return table.toarray().astype(np.float32)
            vectors = (table @ directions).astype(np.float32)
            vectors[np.linalg.norm(vectors, axis=1) < _OUTSIDE] = 0.0
            return vectors

        return place

    def _counted(self, examples: Examples) -> list[tuple[int, TfidfVectorizer, csr_matrix]]:
        """Segments that have terms, with their vectorizers and weights."""
        # With equal singular values the result depends on the order of the rows: fix it.
        rows = sorted(zip(*_segments(examples), strict=True))
        sample = rows[:: -(-len(rows) // MOST_FITTED)]
        columns = []
        for segment, texts in enumerate(zip(*sample, strict=True)):
            for vectorizer in self._vectorizers():
                if any(map(vectorizer.build_analyzer(), texts)):
                    columns.append((segment, vectorizer, vectorizer.fit_transform(texts)))
        if not columns:
            what = "character" if self.characters else "word"
            raise EncoderError(
                f"No text contains a {what}, so {self.info.name!r} has nothing to count."
            )
        return columns

    def _vectorizers(self) -> list[TfidfVectorizer]:
        from sklearn.feature_extraction.text import TfidfVectorizer

        words = TfidfVectorizer(
            token_pattern=r"\w+", ngram_range=(1, 2), sublinear_tf=True, strip_accents="unicode"
        )
        characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), sublinear_tf=True)
        return [words, characters] if self.characters else [words]


def _principal_directions(table: csr_matrix) -> NDArray[np.float64] | None:
    """(d, k) of (n, d) rows, k ≤ n: the V of a truncated SVD; None where all d columns are kept.

    Singular values of texts lie too close together for a randomised SVD.
    """
    from scipy.linalg import eigh
    from sklearn.utils.extmath import svd_flip

    n, d = table.shape
    dimensions = min(SVD_DIMENSIONS, n, d)
    if dimensions == d:
        return None
    values, U = eigh((table @ table.T).toarray(), subset_by_index=(n - dimensions, n - 1))
    values, U = values[::-1], svd_flip(U[:, ::-1], None)[0]
    scales = np.sqrt(np.where(values > _RANK * values[0], values, np.inf))
    directions: NDArray[np.float64] = table.T @ U / scales
    return directions


def _standardised(features: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.float64]:
    """Columns standardised by the known rows; constant ones become 0."""
    # Columns constant up to rounding count as constant; dividing by the maximum avoids overflow.
    largest = np.abs(known).max(axis=0)
    constant = known.max(axis=0) - known.min(axis=0) <= _ROUNDING * largest
    unit = np.where(constant, 1.0, largest)
    mean = (known / unit).mean(axis=0)
    deviation = np.where(constant, 1.0, (known / unit - mean).std(axis=0))
    vectors = features / unit  # in place from here on, to save memory
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
            "correct it or leave the row out."
        )


def _segments(examples: Examples) -> list[tuple[str, ...]]:
    assert examples.texts is not None
    if examples.pairs is not None:
        return [examples.texts, examples.pairs]
    if examples.spans is not None:
        mentions = zip(examples.texts, examples.spans, strict=True)
        return [examples.texts, tuple(text[start:end] for text, (start, end) in mentions)]
    return [examples.texts]
