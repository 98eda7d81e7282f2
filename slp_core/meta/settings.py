"""Settings of meta-training, with two presets for each method."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias, get_args

from slp_core.allowed import (
    BELOW_1,
    Count,
    CountOrZero,
    NotNegative,
    Number,
    Positive,
    check,
    check_options,
)
from slp_core.encoders.checkpoint import TokenLimit
from slp_core.errors import SLPError

Method = Literal["metaslp-reptile", "metaslp-fomaml", "reptile", "protonet", "leopard"]
Preset = Literal["minilm", "paper"]
METHODS: tuple[Method, ...] = get_args(Method)
PRESETS: tuple[Preset, ...] = get_args(Preset)
_Below1: TypeAlias = Annotated[float, Number(0, BELOW_1)]


@dataclass(frozen=True)
class MetaSettings:
    """Options of a run; see `preset_settings`."""

    method: Method = "metaslp-reptile"  # "reptile" has one plain linear head
    preset: Preset = "minilm"  # the source of the values
    encoder: str = "minilm-l4"  # the encoder to train
    n_trainable: Count = 3  # v, the number of trained layers
    n_agnostic: CountOrZero = 1  # LEOPARD: the lowest of these are shared by all tasks
    normalisation: Literal["l2", "none"] = "l2"  # of embeddings; LEOPARD's are always "l2"
    max_classes: Count = 2  # per task; more than 2 for ProtoNet only, see `make_tasks`
    shots: Count = 10  # support examples per class, and as many query examples
    batch_size: Count = 12  # support examples for an inner step's loss; the others give the means
    inner_steps: Count = 5  # of SGD with Nesterov momentum (LEOPARD: without momentum)
    momentum: _Below1 = 0.9
    # α: inner learning rates; FOMAML and LEOPARD learn them from these
    encoder_rate: Positive = 2e-2
    head_rate: Positive = 5e-3
    # initial heads (LEOPARD: networks): the nearest-centroid rule, or Xavier-uniform
    head_start: Literal["prototypes", "random"] = "prototypes"
    temperature: Positive = 2.0  # τ of that rule, and of ProtoNet's softmax of −τ‖x − μ‖²
    tasks_per_step: Count = 4  # averaged in an outer step
    outer_rate: Positive = 1e-4  # β of AdamW with AMSGrad, decayed along a cosine
    final_outer_rate: NotNegative = 1e-5
    rate_of_rates: NotNegative = 0.02  # FOMAML, LEOPARD: outer rate of the inner rates' logarithms
    pull: NotNegative = 0.0  # share of the way back to the base's weights after a step, per rate
    averaging: _Below1 = 0.0  # decay of the running mean of weights that is validated; 0: none
    steps: Count = 60  # outer steps
    max_tokens: TokenLimit = 64  # token limit
    validate_every: Count = 10  # outer steps between validations
    patience: Count = 50  # outer steps without improvement before the run stops, at a validation
    seed: CountOrZero = 0
    bf16: bool = False  # bfloat16 products in training, faster on a GPU

    @property
    def learns_rates(self) -> bool:
        """Whether the inner rates are learnt."""
        return self.method in ("metaslp-fomaml", "leopard")

    @property
    def uses_query(self) -> bool:
        """Whether the outer loss is taken on query examples; not by Reptile."""
        return self.learns_rates or self.method == "protonet"

    def __post_init__(self) -> None:
        if self.batch_size % 2 or not 2 <= self.batch_size < 2 * self.shots:
            raise SLPError(
                f"batch_size {self.batch_size} must be even, below twice the {self.shots} shots, "
                "so that examples remain for the prototypes."
            )
        if self.max_classes < 2 or (self.max_classes > 2 and self.method != "protonet"):
            raise SLPError(
                f"max_classes must be 2, or more for protonet, not {self.max_classes} for "
                f"{self.method}."
            )
        highest = max(self.outer_rate, self.final_outer_rate)
        check_options(asdict(self), MetaSettings)
        check("n_agnostic", self.n_agnostic, [Number(0, self.n_trainable, whole=True)])
        check("pull", self.pull, [Number(0, 1 / (highest or 1))])


# On the validation sets an outer rate of 2e-4 overshoots unless averaged, and 4e-4 even so.
# L2-normalised embeddings have gradients seven times smaller than those of the paper's rates.
_FAR: dict[str, Any] = {"outer_rate": 2e-4, "averaging": 0.9}
_MINILM: dict[Method, dict[str, Any]] = {
    "metaslp-reptile": {**_FAR, "temperature": 1.0, "steps": 200, "patience": 200},
    "metaslp-fomaml": {**_FAR, "temperature": 1.0, "steps": 160, "patience": 160},
    # One head instead of two over distances of about 0.7: a third of the logits.
    "reptile": {**_FAR, "temperature": 3.0, "steps": 100, "patience": 100},
    "protonet": {"temperature": 10.0, "steps": 100, "patience": 100},
    # Initial networks, 61.7 before the inner steps: both rates 5e-2: 65.6, both 2e-1: 61.8.
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

# The paper's table of hyperparameters. It lacks tasks per outer step, the number of steps and a
# token limit; ProtoNet has Reptile's rates here, and LEOPARD those of FOMAML.
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
    """A preset's settings for a method, with changes; ``paper`` has values chosen for BERT-base."""
    values = _MINILM[method] if preset == "minilm" else _PAPER | _PAPER_RATES[method]
    return replace(MetaSettings(method=method, **values), **changes)
