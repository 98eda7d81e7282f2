"""BERT's forward pass (Devlin et al., 2019) without transformers' slow import; 8-bit too."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import safe_open
from torch import Tensor

from slp_core.encoders.checkpoint import Precision

Step = Callable[[Tensor], Tensor]

_WEIGHT_STEPS, _ACTIVATION_STEPS = 127, 63  # on each side of 0
_ZERO = 64  # the unsigned activation step of 0
_LEAST_UNIT = 1e-30  # of a row of zeros

try:  # operators of PyTorch's compiler and torchao; `F.linear` replaces missing ones
    _linear_pointwise = torch.ops.mkldnn._linear_pointwise.default
    _int8_prepack = torch.ops.onednn.qlinear_prepack.default
    _int8_pointwise = torch.ops.onednn.qlinear_pointwise.default
except AttributeError:
    _ONEDNN = False
else:
    _ONEDNN = torch.backends.mkldnn.is_available()


class Bert:
    """The first layers of a folder's BERT; `changes` replace weights, ``"int8"`` rounds them."""

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
        make_linear = _float_linear if precision == "float32" else _int8_linear

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
                        make_linear(*read(f"{at}.attention.output.dense"), may_overwrite=True),
                        norm(f"{at}.attention.output.LayerNorm"),
                        make_linear(*read(f"{at}.intermediate.dense"), gelu=True),
                        make_linear(*read(f"{at}.output.dense"), may_overwrite=True),
                        norm(f"{at}.output.LayerNorm"),
                    )
                )

    def __call__(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Hidden states (B, T, d) of token ids, segments and attention mask (B, T)."""
        x = F.embedding(ids, self._words) + F.embedding(types, self._types)
        x = self._norm(x + self._positions[: ids.shape[1]])
        attended = attention_mask(mask)
        for steps in self._layers:
            x = layer_output(x, lambda each: attention(each, attended, self.n_heads), *steps)
        return x

    def __deepcopy__(self, memo: dict[int, Any]) -> Bert:
        """Weights never change, so copies share them."""
        return self


def attention_mask(mask: Tensor) -> Tensor | None:
    """The additive attention mask of rows (B, T); None without padding."""
    if mask.all():
        return None
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -torch.inf)[:, None, None]


def attention(queries_keys_values: Tensor, attended: Tensor | None, n_heads: int) -> Tensor:
    """Multi-head attention (B, T, d) of queries, keys and values (B, T, 3d)."""
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
    """One layer's output (..., d); `attend` maps (..., 3d) to (..., d), `widen` ends with GELU."""
    x = mix_norm(x + mix(attend(query_key_value(x))))
    return narrow_norm(x + narrow(widen(x)))


def linear(x: Tensor, weight: Tensor, bias: Tensor, *, gelu: bool = False) -> Tensor:
    """A linear map (..., k) of (..., d), then GELU if wanted; by oneDNN where nothing is learnt."""
    plain = torch.is_grad_enabled() or torch.is_autocast_enabled("cpu")
    if plain or not _ONEDNN or x.device.type != "cpu" or x.dtype != torch.float32:
        found = F.linear(x, weight, bias)
        return F.gelu(found) if gelu else found
    then = "gelu" if gelu else "none"
    return _linear_pointwise(x, weight, bias, then, [], "none")


def _float_linear(
    weight: Tensor, bias: Tensor, *, gelu: bool = False, may_overwrite: bool = False
) -> Step:
    return lambda x: linear(x, weight, bias, gelu=gelu)


def _int8_linear(
    weight: Tensor, bias: Tensor, *, gelu: bool = False, may_overwrite: bool = False
) -> Step:
    """A linear map in 8-bit integers, with the operators of torchao's quantised layers.

    Weights are scaled per output channel, activations per token. Activations take 7 bits, so that
    AVX2's 16-bit sums of pairs cannot overflow and every processor gives the same integers.
    Rounding works in place where it may: allocating 6 MB per product would take longer than it.
    """
    half_up = torch.full(weight.shape[1:], _ZERO + 0.5)
    units = (weight.abs().amax(dim=1) / _WEIGHT_STEPS).clamp_min(_LEAST_UNIT)
    rounded = (weight / units[:, None]).round()
    multiply = _onednn_products(rounded, units) if _ONEDNN else _exact_products(rounded, units)

    def linear(x: Tensor) -> Tensor:
        largest = torch.maximum(x.amax(dim=-1, keepdim=True), -x.amin(dim=-1, keepdim=True))
        unit = (largest / _ACTIVATION_STEPS).clamp_min(_LEAST_UNIT)
        # Adding a half and truncating rounds in one pass.
        steps = torch.addcdiv(half_up, x, unit, out=x if may_overwrite else None)
        # Steps are below 128, and PyTorch converts to signed bytes five times as fast.
        steps = steps.to(torch.int8).view(torch.uint8)
        products = multiply(steps)
        found = torch.addcmul(bias, products, unit, out=products)
        return F.gelu(found) if gelu else found

    return linear


def _onednn_products(rounded: Tensor, units: Tensor) -> Step:
    """Products of bytes with integer weights (k, d), scaled by (k,)."""
    packed = _int8_prepack(rounded.to(torch.int8), None)
    offsets = torch.zeros(len(units), dtype=torch.long)
    # No input scale and no bias, which differ per token; no output scale.
    plain: tuple[Any, ...] = (None, 1.0, 0, torch.float32, "none", [], "")
    return lambda steps: _int8_pointwise(steps, 1.0, _ZERO, packed, units, offsets, *plain)


def _exact_products(rounded: Tensor, units: Tensor) -> Step:
    """The same in float32, which is exact for such sums."""
    return lambda steps: F.linear(steps.float() - _ZERO, rounded) * units
