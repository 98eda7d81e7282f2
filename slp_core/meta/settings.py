"""What a meta-training run depends on, beside its data; two presets for each method."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from slp_core.encoders.checkpoint import LEAST_TOKENS
from slp_core.errors import SLPError

Method = Literal["metaslp-reptile", "metaslp-fomaml", "reptile", "protonet", "leopard"]
Preset = Literal["minilm", "paper"]
METHODS: tuple[Method, ...] = get_args(Method)
PRESETS: tuple[Preset, ...] = get_args(Preset)
_WORDS = {"normalisation": ("l2", "none"), "head_start": ("prototypes", "random")}


@dataclass(frozen=True)
class MetaSettings:
    """Options of a run; `preset_settings` gives whole sets of them."""

    # MetaSLP by Reptile or first-order MAML; Reptile with one plain linear head; ProtoNet; or
    # LEOPARD, by first-order MAML
    method: Method = "metaslp-reptile"
    preset: Preset = "minilm"  # where the values come from
    encoder: str = "minilm-l4"  # what is trained; see `TrainableLayers`
    n_trainable: int = 3  # v: how many of its layers
    # LEOPARD: the lowest so many of these are the same for every task; the inner loop trains those
    # above them
    n_agnostic: int = 1
    # of the vectors that heads and distances see: ``"l2"``, as the encoders give them, or
    # ``"none"``. LEOPARD's are always of unit length
    normalisation: Literal["l2", "none"] = "l2"
    # classes of a task at most: two or, for ProtoNet, more, beside the tasks of two; see
    # `make_tasks`. The other methods' inner loops tell two classes apart
    max_classes: int = 2
    # support examples a class; FOMAML, ProtoNet and LEOPARD draw as many query examples beside
    # them
    shots: int = 10
    # examples of both classes that an inner step's loss is taken on; prototypes stand at the class
    # means of the other support examples. LEOPARD generates its classifier from all
    batch_size: int = 12
    inner_steps: int = 5  # steps of SGD with Nesterov momentum on a task; LEOPARD's have none
    momentum: float = 0.9
    # α: inner learning rates; for FOMAML and LEOPARD those that learning starts from
    encoder_rate: float = 2e-2
    head_rate: float = 5e-3
    # ``"prototypes"``: heads start as the nearest-centroid rule; ``"random"``: Xavier-uniform.
    # LEOPARD: its networks, before meta-training
    head_start: Literal["prototypes", "random"] = "prototypes"
    temperature: float = 2.0  # τ of that rule, and of ProtoNet's softmax of −τ‖x − μ‖²
    tasks_per_step: int = 4  # tasks whose updates an outer step averages
    outer_rate: float = 1e-4  # β of AdamW with AMSGrad at the start and, along a cosine, at the end
    final_outer_rate: float = 1e-5
    # FOMAML and LEOPARD: outer learning rate of the logarithms of the inner rates
    rate_of_rates: float = 0.02
    # after each outer step the layers go back towards the base's weights, by this many times the
    # step's rate of the way; 0: not at all
    pull: float = 0.0
    # validations, and so the checkpoint, see a running mean of the outer steps' weights, of which
    # each step keeps this share; 0: the weights as they are
    averaging: float = 0.0
    steps: int = 60  # outer steps
    max_tokens: int = 64  # token limit
    # outer steps between validations, and without a better one before the run is stopped; it stops
    # at a validation, so that every step taken has been judged
    validate_every: int = 10
    patience: int = 50
    seed: int = 0  # of tasks, examples and heads; 0 or more
    # matrix products of the inner and the outer gradients are rounded to bfloat16, which a GPU
    # does faster; weights and validations stay in float32
    bf16: bool = False

    @property
    def learns_rates(self) -> bool:
        """Whether the inner rates are learnt with the weights."""
        return self.method in ("metaslp-fomaml", "leopard")

    @property
    def uses_query(self) -> bool:
        """Whether the outer loss is taken on examples beside the support set; not by Reptile."""
        return self.learns_rates or self.method == "protonet"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SLPError(f"There is no method {self.method!r}: choose {', '.join(METHODS)}.")
        if self.batch_size % 2 or not 2 <= self.batch_size < 2 * self.shots:
            raise SLPError(
                f"batch_size {self.batch_size} must be even, and below twice the {self.shots} "
                "shots, so that examples are left to place the prototypes."
            )
        if self.max_classes < 2 or (self.max_classes > 2 and self.method != "protonet"):
            raise SLPError(
                f"max_classes must be 2, or more for protonet, not {self.max_classes} for "
                f"{self.method}."
            )
        counts = ("tasks_per_step", "steps", "validate_every", "patience", "n_trainable")
        least = dict.fromkeys((*counts, "inner_steps"), 1) | {"max_tokens": LEAST_TOKENS}
        for name, lowest in least.items():
            if getattr(self, name) < lowest:
                raise SLPError(f"{name} must be at least {lowest}, not {getattr(self, name)}.")
        for name in ("encoder_rate", "head_rate", "outer_rate", "temperature"):
            if not 0 < getattr(self, name) < math.inf:
                raise SLPError(f"{name} must be above 0 and finite, not {getattr(self, name)}.")
        for name in ("averaging", "momentum"):
            if not 0 <= getattr(self, name) < 1:
                raise SLPError(f"{name} must be at least 0 and below 1, not {getattr(self, name)}.")
        highest = max(self.outer_rate, self.final_outer_rate)
        if not 0 <= self.pull * highest <= 1:
            raise SLPError(
                f"pull must be 0 or more, and {1 / highest:.3g} at most at an outer rate of "
                f"{highest:g}, not {self.pull:g}."
            )
        if self.seed < 0:
            raise SLPError(f"seed must be at least 0, not {self.seed}.")
        if not 0 <= self.n_agnostic <= self.n_trainable:
            raise SLPError(
                f"n_agnostic must be 0 to {self.n_trainable}, the trainable layers, not "
                f"{self.n_agnostic}."
            )
        for name in ("final_outer_rate", "rate_of_rates"):
            if not 0 <= getattr(self, name) < math.inf:
                raise SLPError(f"{name} must be 0 or more and finite, not {getattr(self, name)}.")
        for name, words in _WORDS.items():
            if getattr(self, name) not in words:
                raise SLPError(f"{name} must be {' or '.join(words)}, not {getattr(self, name)!r}.")


# Accuracy on the validation sets, MetaSLP by Reptile, from 63.9: heads that start flatter let
# the encoder learn (temperature 1: 72.0 after 20 steps; 2: 70.3; at half the outer rate 2: 69.9,
# 4: 67.3). An outer rate of 2e-4 comes further than 1e-4 but overshoots (72.3 after 20 steps,
# 71.0 after 30); the running mean does not (72.0, 74.9). 4e-4 fell from 74.1 to 68.9 all the same.
# An inner rate of 5e-2 came to 68.3 after 30 steps, 2e-2 to 70.7. L2-normalised vectors have
# gradients seven times smaller than those that the paper's rates were chosen for.
_FAR: dict[str, Any] = {"outer_rate": 2e-4, "averaging": 0.9}
_MINILM: dict[Method, dict[str, Any]] = {
    "metaslp-reptile": {**_FAR, "temperature": 1.0, "steps": 200, "patience": 200},
    "metaslp-fomaml": {**_FAR, "temperature": 1.0, "steps": 160, "patience": 160},
    # One head's vote, where two over distances of about 0.7 come to three times as much.
    "reptile": {**_FAR, "temperature": 3.0, "steps": 100, "patience": 100},
    "protonet": {"temperature": 10.0, "steps": 100, "patience": 100},
    # Of the networks' start, after the five inner steps and from 61.7 before them: both rates 5e-2
    # came to 65.6, both 2e-1 to 61.8, a head rate of 5e-1 to 58.2.
    "leopard": {
        **_FAR,
        "temperature": 3.0,
        "encoder_rate": 5e-2,
        "head_rate": 5e-2,
        "steps": 80,
        "validate_every": 16,
        "patience": 80,
    },
}

# The table of hyperparameters in the paper's appendix. It names neither the tasks of an outer
# step nor the length of its one epoch, nor a token limit; ProtoNet is given Reptile's rates,
# and LEOPARD, of which it has nothing, those of FOMAML.
_PAPER: dict[str, Any] = {
    "preset": "paper",
    "n_trainable": 4,
    "shots": 16,
    "batch_size": 16,
    "encoder_rate": 5e-3,
    "validate_every": 20,
    "normalisation": "none",
    "head_start": "random",
    "steps": 1000,
    "max_tokens": 128,
    "patience": 100,
}
_PAPER_RATES: dict[Method, dict[str, Any]] = {
    "metaslp-reptile": {"outer_rate": 5e-5, "final_outer_rate": 2e-5},
    "metaslp-fomaml": {"outer_rate": 2e-5, "final_outer_rate": 2e-5},
    "reptile": {
        "encoder_rate": 1e-3,
        "head_rate": 1e-3,
        "outer_rate": 1e-5,
        "final_outer_rate": 1e-5,
    },
    "protonet": {"temperature": 1.0, "outer_rate": 1e-5, "final_outer_rate": 1e-5},
    "leopard": {"normalisation": "l2", "outer_rate": 2e-5, "final_outer_rate": 2e-5},
}


def preset_settings(method: Method, preset: Preset = "minilm", **changes: Any) -> MetaSettings:
    """A preset's settings for a method, with `changes` made to them.

    ``"minilm"`` suits the small bundled encoder and a few minutes of a processor; ``"paper"`` has
    the values of the paper, which were chosen for BERT-base.

    Raises
    ------
    SLPError
        There is no such method or preset, or the values do not go together.
    """
    if method not in METHODS:
        raise SLPError(f"There is no method {method!r}: choose one of {', '.join(METHODS)}.")
    if preset not in PRESETS:
        raise SLPError(f"There is no preset {preset!r}: choose one of {', '.join(PRESETS)}.")
    values = _MINILM[method] if preset == "minilm" else _PAPER | _PAPER_RATES[method]
    return replace(MetaSettings(method=method, **values), **changes)
