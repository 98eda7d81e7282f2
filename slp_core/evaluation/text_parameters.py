"""How many numbers a fitted classifier that trains its encoder has chosen."""

from __future__ import annotations

from typing import Any

from slp_core.errors import SLPError
from slp_core.evaluation.parameters import Parameters, counted


def text_parameters(model: Any) -> Parameters:
    """Count the parameters of a fitted classifier that reads texts.

    The encoder's layers that training could change are counted, with the heads on them. MetaSLP
    has a copy of them for each of its lines, and two heads of K·(d + 1). SetFit trains the word
    embeddings too. What stays as it was in the encoder is neither trainable nor stored.

    Parameters
    ----------
    model : fitted classifier

    Raises
    ------
    SLPError
        The model is of another kind.
    """
    from slp_core.methods import (
        FineTunedClassifier,
        MetaSLPClassifier,
        ProtoNetClassifier,
        SetFitClassifier,
    )

    if isinstance(model, MetaSLPClassifier):
        one, lines = model.adapted_[0], len(model.adapted_)
        layers = sum(p.numel() for p in one.layers.parameters())
        trainable = lines * (layers + one.heads.numel())
        said = (
            f"{counted(lines, 'line')} with a copy of {counted(len(one.layers.blocks), 'layer')} "
            f"and two heads: {lines} × ({layers:,} + {one.heads.numel():,})"
        )
        return Parameters(trainable, trainable + lines * one.prototypes.numel(), said)
    if isinstance(model, FineTunedClassifier):
        head = sum(p.numel() for p in model.head_.parameters())
        trained = counted(len(model.layers_.blocks), "layer")
        what = f"rank {model.rank} in {trained}" if hasattr(model, "rank") else trained
        said = f"{what}, and a head: {model.n_trained_ - head:,} + {head:,}"
        return Parameters(model.n_trained_, model.n_trained_, said)
    if isinstance(model, ProtoNetClassifier):
        trainable = sum(p.numel() for p in model.layers_.parameters())
        trained, kept = counted(len(model.layers_.blocks), "layer"), model.centroids_
        said = f"{trained}; keeps {counted(len(kept), 'centroid')} of {kept.shape[1]:,} numbers"
        return Parameters(trainable, trainable + kept.numel(), said)
    if isinstance(model, SetFitClassifier):
        body = sum(
            p.numel()
            for name, p in model.model_.model_body.named_parameters()
            if p.requires_grad and ".pooler." not in name  # vectors are means: nothing reaches it
        )
        head = model.model_.model_head.coef_.size + model.model_.model_head.intercept_.size
        said = f"the encoder with its word embeddings, and a head: {body:,} + {head:,}"
        return Parameters(body + head, body + head, said)
    raise SLPError(f"Nothing is known of the parameters of {type(model).__name__}.")
