"""A forward pass of BERT (Devlin et al., 2019) up to the hidden layer that is wanted, no further.

The same arithmetic as transformers' ``BertModel`` in evaluation mode, on the same weights; a test
holds the two together. It spares the import of transformers, which takes longer than encoding a
few hundred short texts, and its linear layers can be run on 8-bit integers.
"""

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
_ZERO = 64  # what stands for 0 among the activations' steps, which have no sign
_LEAST_UNIT = 1e-30  # of a row of zeros
_WORDS = "embeddings.word_embeddings.weight"

try:  # What PyTorch's compiler and torchao call; where they are not, `F.linear` does the same.
    _linear_pointwise = torch.ops.mkldnn._linear_pointwise.default
    _int8_prepack = torch.ops.onednn.qlinear_prepack.default
    _int8_pointwise = torch.ops.onednn.qlinear_pointwise.default
except AttributeError:
    _ONEDNN = False
else:
    _ONEDNN = torch.backends.mkldnn.is_available()


class Bert:
    """The first `n_layers` layers of the BERT in a folder (``config.json``, ``model.safetensors``).

    Weights are named as by a bare ``BertModel``; tensors in `changes` take the place of theirs.
    ``"int8"`` rounds the linear layers' weights by output channel once, and activations by token.
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
        make_linear = _float_linear if precision == "float32" else _int8_linear

        # A file stays in memory as long as one tensor is a part of it. Words are looked up in
        # theirs, which is another one than the layers', so that 8-bit layers leave nothing of it.
        path = folder / "model.safetensors"
        with (
            safe_open(path, framework="pt", device=device) as words,
            safe_open(path, framework="pt", device=device) as others,
        ):

            def tensor(name: str) -> Tensor:
                if name in changes:
                    return changes[name].to(device)
                if name == _WORDS:
                    return words.get_tensor(name)
                found = others.get_tensor(name)
                return found.clone() if found.dim() == 1 else found

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
    """What a layer adds to the scores of rows (B, T) with padding; None where there is none."""
    if mask.all():
        return None
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -torch.inf)[:, None, None]


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
    `widen` ends with GELU. `mix` and `narrow` may write over what they are given.
    """
    x = mix_norm(x + mix(attend(query_key_value(x))))
    return narrow_norm(x + narrow(widen(x)))


def linear(x: Tensor, weight: Tensor, bias: Tensor, *, gelu: bool = False) -> Tensor:
    """A linear map (..., k) of (..., d), and GELU if that comes next; differentiable.

    Where no gradient is asked for, by oneDNN: it has all of a processor's instructions everywhere.
    The library behind ``F.linear`` has those of AVX-512 on its maker's processors only, and takes
    twice as long on others that have them.
    """
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
    """A linear map in 8-bit integers: what torchao's quantised linear layers run on, called here.

    Weights have a unit an output channel, and activations one a token, so that a row's result does
    not depend on the rows beside it. Activations take 7 of the 8 bits: a processor without
    instructions for whole 8-bit products (AVX2) adds pairs of them in 16 bits, and with 7 no sum
    is cut off there. So integers are the same on every processor.

    A product of the widest layer is 6 MB: where each step of rounding takes as much anew, the
    system is asked for memory at every product, which takes longer than the product.
    """
    half_up = torch.full(weight.shape[1:], _ZERO + 0.5)
    units = (weight.abs().amax(dim=1) / _WEIGHT_STEPS).clamp_min(_LEAST_UNIT)
    rounded = (weight / units[:, None]).round()
    multiply = _onednn_products(rounded, units) if _ONEDNN else _exact_products(rounded, units)

    def linear(x: Tensor) -> Tensor:
        largest = torch.maximum(x.amax(dim=-1, keepdim=True), -x.amin(dim=-1, keepdim=True))
        unit = (largest / _ACTIVATION_STEPS).clamp_min(_LEAST_UNIT)
        # Bytes are what is before the point: so with a half more they are rounded, in one pass.
        steps = torch.addcdiv(half_up, x, unit, out=x if may_overwrite else None)
        # All steps are below 128: PyTorch turns numbers into signed bytes five times as fast.
        steps = steps.to(torch.int8).view(torch.uint8)
        products = multiply(steps)
        found = torch.addcmul(bias, products, unit, out=products)
        return F.gelu(found) if gelu else found

    return linear


def _onednn_products(rounded: Tensor, units: Tensor) -> Step:
    """Products of bytes with whole-numbered weights (k, d), in units (k,)."""
    packed = _int8_prepack(rounded.to(torch.int8), None)
    offsets = torch.zeros(len(units), dtype=torch.long)
    # No unit of the input and no bias, for they differ by token; and the output as it is.
    plain: tuple[Any, ...] = (None, 1.0, 0, torch.float32, "none", [], "")
    return lambda steps: _int8_pointwise(steps, 1.0, _ZERO, packed, units, offsets, *plain)


def _exact_products(rounded: Tensor, units: Tensor) -> Step:
    """The same in float32, in which sums of so many whole numbers are exact."""
    return lambda steps: F.linear(steps.float() - _ZERO, rounded) * units
