"""The vectors of two encoders side by side, as those of one.

What one of the two has lost by its training the other still has. Both read the same tokens, and
layers that they have in common are computed once. Each keeps its own vectors in the cache, under
its own keys: texts that one of them has seen cost the other's layers only, and nothing is kept
twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.encoders.base import EncoderInfo, Normalisation, normalise
from slp_core.encoders.cache import Rows, row_keys
from slp_core.encoders.checkpoint import LoadedModel, Precision, checked_layer
from slp_core.encoders.minilm import N_LAYERS, MiniLMCheckpoint
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.encoders.usage import Usage
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class TwoCheckpoints:
    """Two sets of weights of MiniLM as one model, whose hidden states stand side by side.

    Parameters
    ----------
    first, second
    n_above
        How many layers more are read of the second.
    """

    first: MiniLMCheckpoint
    second: MiniLMCheckpoint
    n_above: int = 0

    @property
    def width(self) -> int:
        """How long its vectors are."""
        return self.first.width + self.second.width

    def usage(self) -> Usage:
        """As of MiniLM, which both are."""
        return self.first.usage()

    def digest(self) -> str:
        """Name both contents, in their order, and how their layers differ."""
        above = f", {self.n_above} layers above" if self.n_above else ""
        return f"{self.first.digest()} beside {self.second.digest()}{above}"

    def load(self, layer: int | None, precision: Precision) -> LoadedModel:
        """Read the first up to `layer`, or all of it, and the second `n_above` layers further."""
        return _load(self, self.digest(), layer, precision)


class SideBySideEncoder(TransformerEncoder):
    """Vectors of two encoders, each of unit length, side by side and divided by √2.

    So the whole has unit length too, and the cosine of two rows is the mean of their cosines under
    the two encoders.

    Parameters
    ----------
    first, second
        Of MiniLM's kind, with the same pooling, token limit and precision, each with its cache or
        without one. Where their layers differ, the second's is above the first's.
    """

    def __init__(
        self,
        first: TransformerEncoder,
        second: TransformerEncoder,
        *,
        info: EncoderInfo,
        normalisation: Normalisation,
    ) -> None:
        assert isinstance(first.checkpoint, MiniLMCheckpoint)
        assert isinstance(second.checkpoint, MiniLMCheckpoint)
        below, above = (N_LAYERS if part.layer is None else part.layer for part in (first, second))
        super().__init__(
            TwoCheckpoints(first.checkpoint, second.checkpoint, above - below),
            info=info,
            normalisation=normalisation,
            layer=first.layer,
            pooling=first.pooling,
            max_tokens=first.max_tokens,
            precision=first.precision,
        )
        self.parts = (first, second)

    def _vectors(
        self,
        examples: Examples,
        progress: ProgressCallback,
        cancelled: CancelledCallback,
        made: Rows | None = None,
        numbers: Sequence[int] | None = None,
    ) -> NDArray[np.float32]:
        n = len(examples)
        unknown = [set(part._unknown(examples)) for part in self.parts]
        unknown_to_both = unknown[0] & unknown[1]
        halves: tuple[Rows | None, Rows | None] = (None, None)
        n_found = (2 * n - len(unknown[0]) - len(unknown[1])) // 2
        if unknown_to_both:
            computed = sorted(unknown_to_both)
            rows = self.compute(
                examples.take(computed),
                lambda part: progress(replace(part, done=n_found + part.done, total=n)),
                cancelled,
                computed if numbers is None else [numbers[row] for row in computed],
            )
            # Each text once, in the order in which `compute` gives its rows.
            keys = row_keys(self.identity(), examples)
            first_of = {keys[row]: row for row in sorted(unknown_to_both, reverse=True)}
            halves = self._halves(examples.take(sorted(first_of.values())), rows)
        first, second = self.parts
        n_second = n - len(unknown[1] - unknown_to_both)

        def first_told(part: Progress) -> None:
            progress(replace(part, done=(part.done + n_second) // 2))

        def second_told(part: Progress) -> None:
            progress(replace(part, done=(n + part.done) // 2))

        x = (
            first._vectors(examples, first_told, cancelled, halves[0], numbers),
            second._vectors(examples, second_told, cancelled, halves[1], numbers),
        )
        self.notes = first.notes
        self.n_truncated, self.n_windowed = first.n_truncated, first.n_windowed
        return np.hstack([normalise(part, "l2") for part in x]) / np.float32(np.sqrt(2))

    def _unknown(self, examples: Examples) -> list[int]:
        return sorted(set[int]().union(*(part._unknown(examples) for part in self.parts)))

    def _keep(self, examples: Examples, rows: Rows) -> None:
        for part, half in zip(self.parts, self._halves(examples, rows), strict=True):
            part._keep(examples, half)

    def _halves(self, examples: Examples, rows: Rows) -> tuple[Rows, Rows]:
        """What each part would have computed of these examples, under its own keys."""
        first, second = (
            Rows.of(row_keys(part.identity(), examples), list(rows.notes), vectors)
            for part, vectors in zip(self.parts, np.hsplit(rows.vectors, 2), strict=True)
        )
        return first, second


@lru_cache(maxsize=4)
def _load(
    checkpoints: TwoCheckpoints, _digest: str, layer: int | None, precision: Precision
) -> LoadedModel:
    import torch

    from slp_core.encoders.bert import Bert

    both = (checkpoints.first, checkpoints.second)
    layer = checked_layer(layer, N_LAYERS, "MiniLM")
    layers = layer, layer + checkpoints.n_above
    models = [
        checkpoint.load(up_to, precision) for checkpoint, up_to in zip(both, layers, strict=True)
    ]
    first, second = (model.hidden_states for model in models)
    assert isinstance(first, Bert)
    assert isinstance(second, Bert)
    unchanged = _n_shared(name for checkpoint in both for name in checkpoint.changes())
    shared = None if unchanged is None else min(unchanged, *layers)

    def hidden_states(ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        if shared is None:
            states = first(ids, types, mask), second(ids, types, mask)
        else:
            below = first.through(first.embedded(ids, types), mask, stop=shared)
            states = first.through(below, mask, shared), second.through(below, mask, shared)
        return torch.cat(states, dim=-1)

    return replace(
        models[0],
        hidden_states=hidden_states,
        hidden_size=sum(model.hidden_size for model in models),
    )


def _n_shared(changed: Iterable[str]) -> int | None:
    """How many layers lie below all tensors with these names; None where embeddings are changed."""
    layers = []
    for name in changed:
        match name.split("."):
            case ["embeddings", *_]:
                return None
            case ["encoder", "layer", number, *_]:
                layers.append(int(number))
    return min(layers, default=None)
