"""A forward pass of BERT (Devlin et al., 2019) up to the hidden layer that is wanted, no further.

The same arithmetic as transformers' ``BertModel`` in evaluation mode, on the same weights; a test
holds the two together. It spares the import of transformers, which takes longer than encoding a
few hundred short texts, and its linear layers can be run on 8-bit integers.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import safe_open
from torch import Tensor

from slp_core.encoders.checkpoint import Precision
from slp_core.errors import EncoderError

Step = Callable[[Tensor], Tensor]


class Bert:
    """The first `n_layers` layers of the BERT in a folder (``config.json``, ``model.safetensors``).

    Parameters
    ----------
    folder
        Holds weights named as by a bare ``BertModel``.
    n_layers
        How many layers to compute; 0 stops at the embeddings.
    precision
        Of the linear layers. ``"int8"`` rounds weights per output channel once, and activations
        per batch, to 8 bits.
    changes
        Tensors, by name, that take the place of the folder's.
    device
        Where the weights are kept and the arithmetic is done.
    """

    def __init__(
        self,
        folder: Path,
        n_layers: int,
        precision: Precision = "float32",
        changes: Mapping[str, Tensor] | None = None,
        device: str = "cpu",
    ) -> None:
        changes = changes or {}
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.hidden_size: int = config["hidden_size"]
        self.n_heads: int = config["num_attention_heads"]
        self.eps: float = config["layer_norm_eps"]
        self.device = device
        make_linear = _linear if precision == "float32" else _int8_linear

        with safe_open(folder / "model.safetensors", framework="pt", device=device) as weights:

            def tensor(name: str) -> Tensor:
                return changes[name].to(device) if name in changes else weights.get_tensor(name)

            def read(name: str) -> tuple[Tensor, Tensor]:
                return tensor(f"{name}.weight"), tensor(f"{name}.bias")

            def norm(name: str) -> Step:
                weight, bias = read(name)
                return lambda x: F.layer_norm(x, (self.hidden_size,), weight, bias, self.eps)

            self._words, self._positions, self._types = (
                tensor(f"embeddings.{table}_embeddings.weight")
                for table in ("word", "position", "token_type")
            )
            self._norm = norm("embeddings.LayerNorm")
            self._layers = []
            for i in range(n_layers):
                at = f"encoder.layer.{i}"
                heads = [read(f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
                query_key_value = tuple(torch.cat(parts) for parts in zip(*heads, strict=True))
                self._layers.append(
                    (
                        make_linear(*query_key_value),
                        make_linear(*read(f"{at}.attention.output.dense")),
                        norm(f"{at}.attention.output.LayerNorm"),
                        make_linear(*read(f"{at}.intermediate.dense")),
                        make_linear(*read(f"{at}.output.dense")),
                        norm(f"{at}.output.LayerNorm"),
                    )
                )

    def __call__(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Hidden states (B, T, d) of token ids (B, T), their segments, and which are no padding."""
        x = F.embedding(ids, self._words) + F.embedding(types, self._types)
        x = self._norm(x + self._positions[: ids.shape[1]])
        attended = attention_mask(mask)
        for steps in self._layers:
            x = layer_output(x, lambda each: attention(each, attended, self.n_heads), *steps)
        return x

    def __deepcopy__(self, memo: dict[int, Any]) -> Bert:
        """Its weights never change, so copies of whatever holds it share it."""
        return self


def attention_mask(mask: Tensor) -> Tensor | None:
    """What a layer takes for rows (B, T) with padding; None where there is none."""
    return None if mask.all() else mask[:, None, None, :]


def attention(queries_keys_values: Tensor, attended: Tensor | None, n_heads: int) -> Tensor:
    """What the tokens of rows (B, T, 3d) gather from each other: (B, T, d)."""
    n, length, _ = queries_keys_values.shape
    split = queries_keys_values.view(n, length, 3, n_heads, -1)
    query, key, value = split.permute(2, 0, 3, 1, 4)  # (B, heads, T, d / heads) each
    heads = F.scaled_dot_product_attention(query, key, value, attn_mask=attended)
    return heads.transpose(1, 2).reshape(n, length, -1)


def layer_output(
    x: Tensor,
    attend: Step,
    query_key_value: Step,
    mix: Step,
    mix_norm: Step,
    widen: Step,
    narrow: Step,
    narrow_norm: Step,
) -> Tensor:
    """One layer's states (..., d) from those below it; differentiable if its steps are.

    `attend` makes (..., d) of queries, keys and values (..., 3d): all else is token by token.
    """
    x = mix_norm(x + mix(attend(query_key_value(x))))
    return narrow_norm(x + narrow(F.gelu(widen(x))))


def _linear(weight: Tensor, bias: Tensor) -> Step:
    return lambda x: F.linear(x, weight, bias)


def _int8_linear(weight: Tensor, bias: Tensor) -> Step:
    if torch.backends.quantized.engine == "none":
        raise EncoderError("This PyTorch has no 8-bit arithmetic: leave precision at 'float32'.")
    scales = weight.abs().amax(dim=1) / 127
    with warnings.catch_warnings():
        # PyTorch means to drop these tensors some day; its version is pinned.
        warnings.filterwarnings("ignore", message=".*deprecated.*", category=UserWarning)
        rounded = torch.quantize_per_channel(
            weight, scales.double(), torch.zeros(len(scales), dtype=torch.long), 0, torch.qint8
        )
    packed = torch.ops.quantized.linear_prepack(rounded, bias)
    return lambda x: torch.ops.quantized.linear_dynamic(x, packed)
