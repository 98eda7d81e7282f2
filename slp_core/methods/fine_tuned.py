"""Baselines that fine-tune the encoder with a linear head; word embeddings are frozen."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import skip_init

from slp_core.allowed import Count, CountOrZero, NotNegative
from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.errors import missing
from slp_core.methods.protocols import Parameters
from slp_core.methods.text_classifier import TunedClassifier, size_of, warmed_up
from slp_core.sentences import count


@dataclass(kw_only=True, eq=False, repr=False)
class FineTunedClassifier(TunedClassifier):
    """An encoder with a linear head, both trained on the support set.

    Parameters
    ----------
    encoder : str
        The initial encoder.
    n_trainable : int, optional
        Layers to train, from the top; None for all.
    epochs : int
    learning_rate : float
        Of the encoder's layers, with warm-up over the first tenth of the steps and decay to 0.
    head_rate : float
        Of the head.
    batch_size : int
    weight_decay : float
        Of AdamW.
    max_tokens : int
        Longer texts are truncated; in chunks, after the chunk that reaches the limit.
    device : {"cpu", "cuda", "mps", "auto"}
        Where it is trained; ``"auto"`` is ``"cuda"`` where there is one.
    random_state : int
        Draws the batches and the initial head.
    progress, cancelled : callable, optional
        As in :class:`~slp_core.methods.meta_slp.MetaSLPClassifier`.

    Attributes
    ----------
    classes_ : (K,) array
    layers_ : TrainableLayers
    head_ : torch.nn.Linear
    n_trained_ : int
        Trainable parameters.
    history_ : tuple of float
        Mean cross-entropy of each epoch.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.FineTunedClassifier(n_trainable=1, epochs=1)
    >>> model.fit(["good", "fine", "bad", "poor"], [1, 1, 0, 0]).predict_proba(["nice"]).shape
    (1, 2)
    """

    epochs: CountOrZero = 20
    learning_rate: NotNegative = 1e-4
    head_rate: NotNegative = 1e-2
    batch_size: Count = 8
    weight_decay: NotNegative = 0.01

    def parameter_count(self) -> Parameters:
        """The trained layers, or the additions to them, and the head."""
        head = size_of(self.head_)
        description = f"{self._changed()}, and a head: {self.n_trained_ - head:,} + {head:,}"
        return Parameters(self.n_trained_, self.n_trained_, description)

    def _changed(self) -> str:
        return count(len(self.layers_.blocks), "layer")

    def _learn(self, states: LowerStates, codes: np.ndarray) -> None:
        rng = np.random.default_rng(self.random_state)
        self.layers_ = copy.deepcopy(self._start_layers())
        self._prepare(self.layers_)
        self.head_ = skip_init(nn.Linear, self.layers_.hidden_size, len(self.classes_))
        bound = (6.0 / (self.head_.in_features + self.head_.out_features)) ** 0.5
        weight = rng.uniform(-bound, bound, self.head_.weight.shape)
        with torch.no_grad():
            self.head_.weight.copy_(torch.from_numpy(weight))
            self.head_.bias.zero_()
        self.head_.to(self.layers_.device)
        trained = [p for p in self.layers_.parameters() if p.requires_grad]
        self.n_trained_ = sum(p.numel() for p in [*trained, *self.head_.parameters()])
        optimiser = torch.optim.AdamW(
            [
                {"params": trained, "lr": self.learning_rate},
                {"params": list(self.head_.parameters()), "lr": self.head_rate},
            ],
            weight_decay=self.weight_decay,
        )
        y = torch.from_numpy(codes).to(self.layers_.device)
        firsts = range(0, len(codes), self.batch_size)
        orders = [rng.permutation(len(codes)) for _ in range(self.epochs)]
        batches = [order[first : first + self.batch_size] for order in orders for first in firsts]
        losses = self._descend(
            optimiser,
            warmed_up(optimiser, len(batches)),
            batches,
            lambda rows: F.cross_entropy(self._logits(states, rows), y[rows]),
        )
        sums = [loss * len(rows) for loss, rows in zip(losses, batches, strict=True)]
        n = len(firsts)
        self.history_ = tuple(sum(sums[i : i + n]) / len(codes) for i in range(0, len(sums), n))

    def _prepare(self, layers: TrainableLayers) -> None:
        """Freeze or add parameters before training."""

    def _logits(self, states: LowerStates, rows: np.ndarray) -> torch.Tensor:
        return self.head_(F.normalize(self.layers_.vectors(states, rows), dim=1) * _LENGTH)

    def _scores(self, states: LowerStates) -> torch.Tensor:
        return self.head_(F.normalize(self.layers_.all_vectors(states), dim=1) * _LENGTH)


@dataclass(kw_only=True, eq=False, repr=False)
class LoRAClassifier(FineTunedClassifier):
    """Low-rank adaptation (Hu et al., 2022): W + BA beside a frozen W, and a linear head.

    Parameters
    ----------
    rank : int
        Of BA, in the query and value projections of every trained layer; the paper's is 2.
    alpha : int
        BA is multiplied by alpha / rank.
    encoder, n_trainable, epochs, learning_rate, head_rate, batch_size, weight_decay, max_tokens, \
device, random_state, progress, cancelled
        As in :class:`FineTunedClassifier`.

    Examples
    --------
    >>> import slp_core as slp
    >>> slp.LoRAClassifier(epochs=5).get_params()["epochs"]
    5
    """

    learning_rate: NotNegative = 5e-3
    rank: Count = 2
    alpha: Count = 8

    def _changed(self) -> str:
        return f"rank {self.rank} in {super()._changed()}"

    def _prepare(self, layers: TrainableLayers) -> None:
        try:
            from peft import LoraConfig, inject_adapter_in_model
            from peft.tuners.lora import LoraLayer
        except ImportError:
            raise missing("LoRA", "peft", "extra") from None
        layers.requires_grad_(False)
        config = LoraConfig(
            r=self.rank, lora_alpha=self.alpha, target_modules=["query", "value"], bias="none"
        )
        # On the meta device: peft would draw from the global generator.
        with torch.device("meta"):
            inject_adapter_in_model(config, layers)
        generator = torch.Generator().manual_seed(self.random_state)
        for module in layers.modules():
            if isinstance(module, LoraLayer):
                _start(module, generator)
        layers.to(layers.device)


def _start(adapter: Any, generator: torch.Generator) -> None:
    """Initialise A and B as peft does: it draws both, then A again, and B becomes 0."""
    for part in (adapter.lora_A, adapter.lora_B):
        part.to_empty(device="cpu")
    (a,), (b,) = adapter.lora_A.parameters(), adapter.lora_B.parameters()
    for drawn in (a, b, a):
        nn.init.kaiming_uniform_(drawn, a=math.sqrt(5), generator=generator)
    nn.init.zeros_(b)


# MiniLM was trained with cosines times 20; on unit vectors a head would need as large weights.
_LENGTH = 20.0
