"""Pooled hidden states of a transformer for texts, pairs and mentions."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.encoders.base import Encoder, EncoderInfo, Normalisation, normalise
from slp_core.encoders.batches import TOKENS_PER_BATCH, plan_batches, run_batches
from slp_core.encoders.cache import Found, VectorCache, row_keys
from slp_core.encoders.checkpoint import Device, LoadedModel, Precision, chosen_device
from slp_core.encoders.chunks import in_chunks
from slp_core.encoders.hub import HubCheckpoint
from slp_core.encoders.minilm import MiniLMCheckpoint
from slp_core.encoders.tokens import Token, Tokens, pad, tokenise
from slp_core.encoders.usage import Usage
from slp_core.errors import EncoderError
from slp_core.progress import Progress, ProgressCallback

_KEEP_EVERY = 0.25  # seconds between writes to the cache
_VERSION = 1  # part of every cache key: increase when the same settings give other embeddings
_LAST_BITS = "onednn"  # part of the cache's folder names: the library that rounds the last bits
_ARITHMETIC = {"float32": "float32", "int8": "int8, units by token, halves up"}


class TransformerEncoder(Encoder):
    """Pooled hidden states of one layer of a checkpoint; see `load_encoder` for the options."""

    def __init__(
        self,
        checkpoint: MiniLMCheckpoint | HubCheckpoint,
        *,
        info: EncoderInfo,
        normalisation: Normalisation | None,
        layer: int | None = None,
        precision: Precision = "float32",
        device: Device = "cpu",
        chunks: bool = False,
        cache: VectorCache | None = None,
        **given: Any,
    ) -> None:
        super().__init__(info, normalisation)
        self.layer = None if layer is None else int(layer)  # NumPy's are written otherwise
        self.precision = precision
        self.checkpoint = checkpoint
        self.device = device
        self.chunks = chunks
        self._given = given
        self._cache = cache
        self.cut = np.empty(0, bool)

    @property
    def usage(self) -> Usage:
        """Pooling, token limit and prefix as given, or else the model's own."""
        return replace(self.checkpoint.usage(), **self._given)

    @property
    def normalisation(self) -> Normalisation:
        """The normalisation of the embeddings; by default the model's own."""
        return self._normalisation or self.checkpoint.usage().normalisation

    def _read(self, examples: Examples, report: ProgressCallback) -> NDArray[np.float32]:
        """Embeddings; in chunks, the means of the chunks' unit embeddings."""
        parts, starts = self._parts(examples)
        n, n_parts = len(examples), len(parts)
        counts = np.diff(starts, append=n_parts)
        row_of = np.repeat(np.arange(n), counts)

        def of_rows(state: Progress) -> None:
            report(replace(state, done=state.done * n // n_parts, total=n))

        keys = row_keys(self.identity(), parts)
        found = self._cache.find(self._kept_in(), keys) if self._cache else {}
        if found.keys() >= set(keys):
            report(Progress(n, n, 0.0))
        else:
            self._compute(parts, keys, found, of_rows, row_of)
        self.cut = np.logical_or.reduceat([found[key][1] for key in keys], starts)
        self.n_truncated = int(self.cut.sum())
        vectors = np.stack([found[key][0] for key in keys])
        if not self.chunks:
            return vectors
        sums: NDArray[np.float32] = np.add.reduceat(normalise(vectors, "l2"), starts, axis=0)
        sums /= counts.astype(np.float32)[:, None]
        return sums

    def _parts(self, examples: Examples) -> tuple[Examples, NDArray[np.intp]]:
        """What is embedded for n rows, and the first part of each (n,)."""
        return in_chunks(examples) if self.chunks else (examples, np.arange(len(examples)))

    def _compute(
        self,
        examples: Examples,
        keys: list[bytes],
        found: Found,
        report: ProgressCallback,
        numbers: NDArray[np.intp],
    ) -> None:
        """Add each distinct row that is not in `found`, there and to the cache.

        Errors call the rows by their `numbers`.
        """
        import torch

        first = {key: row for row, key in reversed([*enumerate(keys)]) if key not in found}
        missing, rows = list(first), list(first.values())
        model = self._model()
        # A mention is always the mean of its tokens.
        largest = self.usage.pooling == "max" and examples.spans is None
        tokens = self._tokenised(model, examples.take(rows))
        lengths = [len(row.ids) for row in tokens]
        if 0 in lengths:
            raise EncoderError(
                f"The tokenizer of encoder {self.info.name!r} knows no token of "
                f"row {numbers[rows[lengths.index(0)]]}: change the text or leave the row out."
            )
        # Long rows first, for a cautious estimate; ties by content, so that batches, and with them
        # the last bits, do not depend on the order of the rows.
        order = sorted(range(len(rows)), key=lambda i: (-lengths[i], missing[i]))

        def work(batch: list[int]) -> NDArray[np.float32]:
            with torch.inference_mode():
                return _pooled(model, [tokens[i] for i in batch], largest)

        repeats, fresh = Counter(keys), Found()

        def keep() -> None:
            if self._cache and fresh:
                self._cache.keep(self._kept_in(), fresh)
            fresh.clear()

        n, n_tokens, tokens_done = len(keys), sum(lengths), 0
        n_done = n - sum(repeats[key] for key in missing)
        start = kept_at = time.monotonic()
        report(Progress(n_done, n))
        try:
            batches = plan_batches(lengths, order, TOKENS_PER_BATCH)
            with closing(run_batches(batches, work)) as results:
                for batch, result in results:
                    finite = np.isfinite(result).all(axis=1)
                    if not finite.all():
                        raise EncoderError(
                            f"Encoder {self.info.name!r} gives non-finite values for "
                            f"row {numbers[rows[batch[finite.argmin()]]]}, so its weights are "
                            "damaged: fetch the model again, or choose another."
                        )
                    for i, vector in zip(batch, result, strict=True):
                        found[missing[i]] = fresh[missing[i]] = vector, tokens[i].cut
                        n_done += repeats[missing[i]]
                        tokens_done += lengths[i]
                    if time.monotonic() - kept_at > _KEEP_EVERY:
                        keep()
                        kept_at = time.monotonic()
                    a_token = (time.monotonic() - start) / tokens_done
                    report(Progress(n_done, n, a_token * (n_tokens - tokens_done)))
        finally:  # keep what a cancelled run has computed
            keep()

    def _is_cached(self, examples: Examples) -> bool:
        if self._cache is None:
            return False
        keys = row_keys(self.identity(), self._parts(examples)[0])
        return self._cache.find(self._kept_in(), keys).keys() >= set(keys)

    def _kept_in(self) -> str:
        return f"{self.identity()}-{_LAST_BITS if self.device == 'cpu' else self.device}"

    def tokens(self, dataset: Examples, examples: Examples) -> tuple[Token, ...]:
        """Of one row, the tokenizer's own included; of a text that is too long, what is read."""
        model = self._model()
        return tuple(
            Token(model.tokenizer.id_to_token(i) or "", weight > 0)
            for row in self._tokenised(model, self._parts(examples)[0])
            for i, weight in zip(row.ids, row.weights, strict=True)
        )

    def _model(self) -> LoadedModel:
        device = "cpu" if self.precision == "int8" else chosen_device(self.device)
        return self.checkpoint.load(self.layer, self.precision, device)

    def _tokenised(self, model: LoadedModel, examples: Examples) -> list[Tokens]:
        usage = self.usage
        limit = min(usage.max_tokens, model.max_tokens)
        return tokenise(model.tokenizer, _prefixed(examples, usage.prefix), usage.pooling, limit)

    def identity(self) -> str:
        """Digest of everything but the row that its embedding depends on."""
        usage = self.usage
        settings = (
            _VERSION,
            self.checkpoint.digest(),
            self.layer,
            usage.pooling,
            int(usage.max_tokens),
            _ARITHMETIC[self.precision],
            *filter(None, [usage.prefix]),
        )
        return hashlib.blake2b(repr(settings).encode(), digest_size=16).hexdigest()


def _prefixed(examples: Examples, prefix: str) -> Examples:
    """The same texts, each behind a prefix."""
    if not prefix:
        return examples
    texts, pairs, spans = examples.texts, examples.pairs, examples.spans
    n = len(prefix)
    return replace(
        examples,
        texts=texts and tuple(prefix + text for text in texts),
        pairs=pairs and tuple(prefix + text for text in pairs),
        spans=spans and tuple((start + n, end + n) for start, end in spans),
    )


def _pooled(model: LoadedModel, rows: Sequence[Tokens], largest: bool) -> NDArray[np.float32]:
    """Weighted means, or maxima, (B, d) over the tokens' hidden states of B rows."""
    import torch

    ids, types, mask, weights = pad(rows, model.device)
    hidden = model.hidden_states(ids, types, mask)
    if largest:
        return hidden.masked_fill(~mask[:, :, None], -torch.inf).amax(dim=1).cpu().numpy()
    return torch.bmm(weights[:, None], hidden)[:, 0].cpu().numpy()
