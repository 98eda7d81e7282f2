"""MiniLM's top layers as trainable parameters, over frozen ones that are computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from safetensors import safe_open
from torch import Tensor, nn
from torch.nn.utils import skip_init  # to initialise would draw from the global generator

from slp_core.allowed import Number, check
from slp_core.data.examples import Examples
from slp_core.encoders.batches import TOKENS_PER_BATCH, plan_batches
from slp_core.encoders.bert import Bert, Step, attention, attention_mask, layer_output, linear
from slp_core.encoders.checkpoint import TOKENS
from slp_core.encoders.chunks import in_chunks
from slp_core.encoders.minilm import (
    MAX_TOKENS,
    N_LAYERS,
    MiniLMCheckpoint,
    checked_folder,
    load_tokenizer,
    model_folder,
)
from slp_core.encoders.registry import load_encoder, trainable_part
from slp_core.encoders.tokens import Tokens, pad, tokenise
from slp_core.errors import Cancelled, EncoderError
from slp_core.progress import CancelledCallback

# Names of a layer's parts here and in the weights of a BertModel.
_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "mix_norm": "attention.output.LayerNorm",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "narrow_norm": "output.LayerNorm",
}


@dataclass(frozen=True)
class LowerStates:
    """Inputs of the trainable layers for n rows of different lengths, one after the other."""

    states: Tensor  # (N, d) of the tokens of all rows, without gradient
    weights: Tensor  # (N,) pooling weights, summing to 1 per row or chunk
    lengths: np.ndarray  # (n,) tokens of each row
    vectors: Tensor | None = None  # (n, d) embeddings by the untrained layers, if computed
    chunk_lengths: tuple[tuple[int, ...], ...] | None = None  # tokens of each row's chunks
    origin: str | None = None  # `TrainableLayers.origin`

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: slice | Sequence[int] | np.ndarray) -> LowerStates:
        """Rows by number, in the given order."""
        chosen = np.arange(len(self))[rows]
        lengths, ends = self.lengths[chosen], self.lengths.cumsum()
        before = ends[chosen] - lengths.cumsum()  # of a row's first token, there less here
        tokens = np.arange(lengths.sum()) + before.repeat(lengths)
        return LowerStates(
            torch.as_tensor(self.states[tokens]),
            torch.as_tensor(self.weights[tokens]),
            lengths,
            None if self.vectors is None else torch.as_tensor(self.vectors[chosen]),
            None if self.chunk_lengths is None else tuple(self.chunk_lengths[i] for i in chosen),
            self.origin,
        )

    __getitem__ = take

    def shared(self) -> LowerStates:
        """The same as NumPy's arrays, which processes share as memory maps; `take` undoes it."""
        arrays: dict[str, Any] = {
            name: each.cpu().numpy()
            for name in ("states", "weights", "vectors")
            if (each := getattr(self, name)) is not None
        }
        return replace(self, **arrays)


class TrainableLayers(nn.Module):
    """The top layers of a MiniLM encoder, differentiable, over a frozen lower part.

    >>> examples = Examples(kind="text", texts=("a good film", "a bad one", "good"))
    >>> layers, head = TrainableLayers("minilm-l4", n_trainable=3), nn.Linear(384, 2)
    >>> states = layers.lower_states(examples)                     # once, no gradient
    >>> vectors = layers.vectors(states, [0, 1])                   # (b, 384), differentiable
    >>> F.cross_entropy(head(vectors), torch.tensor([0, 1])).backward()
    >>> all(weight.grad is not None for weight in layers.parameters())
    True

    Embeddings are means over the tokens, not normalised; untrained, they equal those of
    ``load_encoder(name, normalisation="none")``. There is no dropout.

    ``copy.deepcopy`` copies the parameters (7 MB per layer) and shares the frozen part. A pickle
    holds the parameters and refers to the bundled weights. `blocks` holds the layers from the
    bottom up, each with the parts named in ``_PARTS``, which LoRA can replace.
    """

    def __init__(self, name: str, n_trainable: int = 3, device: str = "cpu") -> None:
        super().__init__()
        encoder = load_encoder(name)
        self.by_chunk = encoder.chunks
        part = trainable_part(encoder)
        if part is None:
            raise EncoderError(
                f"Encoder {encoder.info.name!r} has no trainable layers: choose 'minilm-l4', "
                "'minilm-l6' or a meta-trained encoder."
            )
        top = N_LAYERS if part.layer is None else part.layer
        what = f"n_trainable of {encoder.info.name!r}"
        check(what, n_trainable, [Number(0, top, whole=True)], EncoderError)
        self.pooling = part.usage.pooling
        self.max_tokens = part.usage.max_tokens
        self.n_frozen = top - n_trainable
        self.origin = f"{part.checkpoint.digest()} {self.n_frozen} {self.pooling} {self.by_chunk}"
        assert isinstance(part.checkpoint, MiniLMCheckpoint)
        changes = part.checkpoint.changes()
        # Changed weights of frozen layers.
        self._lower_changes = {
            name: tensor for name, tensor in changes.items() if _layer_of(name) < self.n_frozen
        }
        self._lower = _LowerLayers(self.n_frozen, self._lower_changes, device)
        self.hidden_size = self._lower.hidden_size
        self.blocks = nn.ModuleList()
        with safe_open(model_folder() / "model.safetensors", framework="pt") as weights:
            for i in range(self.n_frozen, top):
                tensors = {
                    f"{part}.{kind}": changes.get(name, weights.get_tensor(name))
                    for part, kind, name in _names(i)
                }
                self.blocks.append(_Block(tensors, self._lower.eps))
        self.to(device)

    @property
    def device(self) -> str:
        return self._lower.device

    def lower_states(
        self,
        examples: Examples,
        max_tokens: int | None = None,
        cancelled: CancelledCallback | None = None,
    ) -> LowerStates:
        """Hidden states of n rows below the trainable layers; in chunks, each has `max_tokens`."""
        if examples.kind == "numeric":
            raise EncoderError("Layers are trained on texts, and the data is a table of numbers.")
        if not len(examples):
            raise EncoderError("There are no rows to encode.")
        check("max_tokens", max_tokens, [TOKENS, None], EncoderError)
        limit = min(max_tokens or self.max_tokens, MAX_TOKENS)
        tokenizer = load_tokenizer(model_folder())
        starts = np.arange(len(examples))
        if self.by_chunk:
            examples, starts = in_chunks(examples)
        rows = tokenise(tokenizer, examples, self.pooling, limit)
        if self.by_chunk and max_tokens is not None:
            rows, starts = _first_chunks(rows, starts, limit)
        lengths = np.array([len(row.ids) for row in rows])
        order = np.argsort(-lengths, kind="stable").tolist()
        # One array for all rows: thousands of small ones would fragment memory.
        ends = np.cumsum(lengths)
        all_states = torch.empty(int(ends[-1]), self.hidden_size, device=self.device)
        all_weights = torch.empty(int(ends[-1]), device=self.device)
        places = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
        for chosen in plan_batches(lengths.tolist(), order, TOKENS_PER_BATCH):
            if cancelled is not None and cancelled():
                raise Cancelled
            ids, types, mask, shares = pad([rows[i] for i in chosen], self.device)
            with torch.no_grad():
                hidden = self._lower(ids, types, mask)
            for at, i in enumerate(chosen):
                all_states[places[i]] = hidden[at, : lengths[i]]
                all_weights[places[i]] = shares[at, : lengths[i]]
        chunk_lengths = None
        if self.by_chunk:
            chunk_lengths = tuple(tuple(part.tolist()) for part in np.split(lengths, starts[1:]))
            lengths = np.add.reduceat(lengths, starts)
        return LowerStates(all_states, all_weights, lengths, None, chunk_lengths, self.origin)

    def vectors(
        self, states: LowerStates, rows: Sequence[int] | np.ndarray | None = None
    ) -> Tensor:
        """Pooled embeddings (b, d) of rows (default: all), as one batch; differentiable.

        In chunks, each row has the mean of its chunks' unit embeddings.
        """
        chosen = states if rows is None else states.take(rows)
        chunks, device = chosen.chunk_lengths, chosen.states.device
        tokens = [n for each in chunks for n in each] if chunks else chosen.lengths.tolist()
        n, length = len(tokens), max(tokens)
        mask = torch.arange(length, device=device) < torch.tensor(tokens, device=device)[:, None]
        places = mask.flatten().nonzero()[:, 0]
        attended = attention_mask(mask)

        def attend(x: Tensor) -> Tensor:
            padded = x.new_zeros(n * length, x.shape[1]).index_copy(0, places, x)
            heads = attention(padded.view(n, length, -1), attended, self._lower.n_heads)
            return heads.flatten(0, 1)[places]

        x = chosen.states
        for block in self.blocks:
            x = block(x, attend)
        pooled = x.new_zeros(n, x.shape[1])
        pooled = pooled.index_add(0, places // length, x * chosen.weights[:, None])
        if not chunks:
            return pooled
        counts = torch.tensor([len(each) for each in chunks], device=device)
        texts = torch.arange(len(counts), device=device).repeat_interleave(counts)
        sums = pooled.new_zeros(len(counts), pooled.shape[1])
        return sums.index_add(0, texts, F.normalize(pooled, dim=1)) / counts[:, None]

    def all_vectors(
        self, states: LowerStates, cancelled: CancelledCallback | None = None
    ) -> Tensor:
        """Embeddings (n, d) of all rows, without gradient, in batches of similar length."""
        lengths = states.lengths.tolist()
        order = sorted(range(len(states)), key=lambda i: -lengths[i])
        out = torch.empty(len(states), self.hidden_size, device=self.device)
        with torch.no_grad():
            for rows in plan_batches(lengths, order, TOKENS_PER_BATCH):
                if cancelled is not None and cancelled():
                    raise Cancelled
                out[rows] = self.vectors(states, rows)
        return out

    def changed(self) -> dict[str, Tensor]:
        """Tensors that differ from the bundled MiniLM's, by name; float32 copies on the CPU."""
        out = dict(self._lower_changes)
        with safe_open(model_folder() / "model.safetensors", framework="pt") as weights:
            for i, block in enumerate(self.blocks, self.n_frozen):
                own = block.state_dict()
                for part, kind, name in _names(i):
                    tensor = own[f"{part}.{kind}"].detach().cpu()
                    if not torch.equal(tensor, weights.get_tensor(name)):
                        out[name] = tensor.clone()
        return out


def _first_chunks(
    rows: Sequence[Tokens], starts: np.ndarray, limit: int
) -> tuple[list[Tokens], np.ndarray]:
    """The chunks of each text up to `limit` tokens, and their starts."""
    lengths = np.array([len(row.ids) for row in rows])
    before = lengths.cumsum() - lengths
    kept = before - np.repeat(before[starts], np.diff(starts, append=len(rows))) < limit
    return list(compress(rows, kept)), (kept.cumsum() - kept)[starts]


class _LowerLayers(Bert):
    """MiniLM's layers below the trainable ones."""

    def __init__(self, n_layers: int, changes: Mapping[str, Tensor], device: str) -> None:
        super().__init__(checked_folder(), n_layers, changes=changes, device=device)
        self._made_of = n_layers, changes, device

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments: the weights are bundled."""
        return _LowerLayers, self._made_of


class _Linear(nn.Linear):
    def forward(self, input: Tensor) -> Tensor:
        return linear(input, self.weight, self.bias)


class _Block(nn.Module):
    """One trainable layer of BERT."""

    def __init__(self, tensors: dict[str, Tensor], eps: float) -> None:
        super().__init__()
        for part in _PARTS:
            weight = tensors[f"{part}.weight"]
            if part.endswith("norm"):
                self.add_module(part, nn.LayerNorm(weight.shape[0], eps=eps))
            else:
                self.add_module(part, skip_init(_Linear, weight.shape[1], weight.shape[0]))
        self.load_state_dict(tensors)

    def forward(self, x: Tensor, attend: Step) -> Tensor:
        query, key, value, mix, mix_norm, widen, narrow, narrow_norm = self.children()
        return layer_output(
            x,
            attend,
            lambda each: torch.cat([query(each), key(each), value(each)], dim=-1),
            mix,
            mix_norm,
            lambda each: F.gelu(widen(each)),
            narrow,
            narrow_norm,
        )


def _names(layer: int) -> list[tuple[str, str, str]]:
    """Part, ``weight`` or ``bias``, and name in the weights file of each tensor of a layer."""
    return [
        (part, kind, f"encoder.layer.{layer}.{path}.{kind}")
        for part, path in _PARTS.items()
        for kind in ("weight", "bias")
    ]


def _layer_of(name: str) -> int:
    """The layer of a tensor; -1 for the embeddings."""
    return int(name.split(".")[2]) if name.startswith("encoder.layer.") else -1
