"""Encoders as scikit-learn transformers."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from slp_core.data.examples import Examples
from slp_core.encoders.base import Normalisation, as_examples, unreported
from slp_core.encoders.checkpoint import Device, Precision
from slp_core.encoders.choice import Combine
from slp_core.encoders.combine import CombinedEncoder
from slp_core.encoders.registry import load_encoder
from slp_core.encoders.tokens import Pooling
from slp_core.errors import EncoderError


@dataclass(repr=False, eq=False)
class TextEncoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """An encoder as a step of a scikit-learn pipeline: n texts to embeddings (n, d).

    What an encoder learns from data (TF-IDF, columns' means, the weights of two parts) it learns
    from the rows of ``fit`` alone, so that cross-validation is sound.

    Parameters
    ----------
    encoder : str
        One of `list_encoders`, or another name that `load_encoder` takes.
    combine, chunks, pooling, layer, normalisation, max_tokens, precision, prefix, device, cache, \
cache_dir
        As in `load_encoder`.

    Attributes
    ----------
    encoder_ : Encoder

    Raises
    ------
    EncoderError
        In ``fit`` and ``transform``: unknown encoder or option, or rows that do not fit it.

    Examples
    --------
    >>> import slp_core as slp
    >>> from sklearn.pipeline import make_pipeline
    >>> model = make_pipeline(slp.TextEncoder("minilm-l4"), slp.DeepSLPClassifier())
    >>> texts = ["The crew was friendly.", "They lost my bag.", "A smooth flight!", "We were late."]
    >>> model = model.fit(texts, ["good", "bad", "good", "bad"])
    >>> model.predict(["The service was lovely.", "My luggage never came."]).tolist()
    ['good', 'bad']
    """

    encoder: str = "minilm-l4"
    combine: Combine | None = None
    chunks: bool = False
    pooling: Pooling | None = None
    layer: int | None = None
    normalisation: Normalisation | None = None
    max_tokens: int | None = None
    precision: Precision | None = None
    prefix: str | None = None
    device: Device = "cpu"
    cache: bool = True
    cache_dir: str | PathLike[str] | None = None

    def fit(self, X: Any, y: Any = None) -> TextEncoder:
        """Prepare the encoder for rows like X.

        X is n texts, (n, 2) texts for pairs, `Examples`, or (n, d) numbers. The labels y (n,) are
        read for ``combine="weighted"`` alone.
        """
        options = self.get_params()
        encoder = load_encoder(options.pop("encoder"), **options)
        rows = encoder._fitting(_examples(X))
        combined = isinstance(encoder, CombinedEncoder) and encoder.by_draw
        codes = _codes(y, len(rows)) if combined else None
        self.encoder_, self._known = encoder, encoder._known(rows)
        self._draw = codes, np.arange(len(rows))
        self._n_features_out = self._vectors(rows.take([0])).shape[1]
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        """(m, d) embeddings of rows in any form that ``fit`` takes."""
        check_is_fitted(self)
        return self._vectors(_examples(X))

    def _vectors(self, rows: Examples) -> NDArray[np.float32]:
        new = self.encoder_._read(self.encoder_._fitting(rows), unreported)
        return self.encoder_._place(self._known, new, self._draw)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags


def _examples(X: Any) -> Examples:
    """Rows; two columns of texts are pairs."""
    table = X.to_numpy() if hasattr(X, "columns") else X
    if isinstance(table, list | tuple | np.ndarray) and all(map(_is_pair, table)) and len(table):
        first, second = zip(*table, strict=True)
        return as_examples(first, pairs=second)
    return as_examples(X)


def _is_pair(row: Any) -> bool:
    sequence = isinstance(row, list | tuple | np.ndarray) and len(row) == 2
    return sequence and all(isinstance(text, str) for text in row)


def _codes(y: Any, n: int) -> NDArray[np.integer]:
    """(n,) class indices of labels."""
    if y is None or len(y) != n:
        raise EncoderError(
            'combine="weighted" needs a label for each row that it is fitted on: call fit(X, y).'
        )
    return np.unique(np.asarray(y), return_inverse=True)[1]
