"""Fitting: DeepSLP against a textbook PyTorch loop of Algorithm 1, and constraintSLP's time."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from benchmarks.row import Row
from benchmarks.timing import in_turns, row
from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, shot_influence

CLASSES, SHOTS, DIMENSION = 13, 16, 384


def run() -> list[Row]:
    X, y = support_set()
    paper, full = DeepSLPClassifier(preset="paper").fit(X, y), DeepSLPClassifier().fit(X, y)
    of_paper, of_full = "per-line PyTorch, as in the paper", "per-line PyTorch"
    regression = "scikit-learn's LogisticRegression"
    seconds = in_turns(
        {
            "paper": lambda: DeepSLPClassifier(preset="paper").fit(X, y),
            of_paper: lambda: textbook_deep_slp(paper, X, y, learning_rate=5e-2, batch=12),
            "full": lambda: DeepSLPClassifier().fit(X, y),
            of_full: lambda: textbook_deep_slp(full, X, y, learning_rate=1e-3, batch=len(X)),
            regression: lambda: LogisticRegression(max_iter=1000).fit(X, y),
            "constraint": lambda: ConstraintSLPClassifier().fit(X, y),
        }
    )
    data = *support_set(3, 16), *support_set(3, 87)
    influence = {
        f"influence of 48 shots on 261 examples, {name}": partial(shot_influence, model, *data)
        for name, model in (
            ("constraintSLP", ConstraintSLPClassifier()),
            ("DeepSLP", DeepSLPClassifier()),
        )
    }
    seconds |= in_turns(influence)
    shape = f"{CLASSES} classes × {SHOTS} shots, {DIMENSION}-d"
    deep = f"DeepSLP fit by default, {shape}"
    return [
        row(f"DeepSLP fit as in the paper, {shape}", seconds, "paper", of_paper, "≥ 10×"),
        row(deep, seconds, "full", of_full),
        row(deep, seconds, "full", regression),
        row(f"constraintSLP fit, {shape}", seconds, "constraint", None, "≤ 0.1 s"),
        *(row(what, seconds, what, None, "≤ 2 s") for what in influence),
    ]


def support_set(classes: int = CLASSES, shots: int = SHOTS) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(classes), shots)
    X = 0.5 * rng.normal(size=(classes, DIMENSION))[y] + rng.normal(size=(len(y), DIMENSION))
    return X / np.linalg.norm(X, axis=1, keepdims=True), y


def textbook_deep_slp(
    model: DeepSLPClassifier, X: np.ndarray, y: np.ndarray, learning_rate: float, batch: int
) -> None:
    """Algorithm 1 as one would write it: line by line, two linear modules, autograd, AdamW."""
    inputs, targets = torch.tensor(X, dtype=torch.float32), torch.tensor(y)
    epochs = np.isfinite(model.history_["loss"]).sum(axis=0)
    for prototypes, n_epochs in zip(model.prototypes_, epochs, strict=True):
        left, right = torch.tensor(prototypes, dtype=torch.float32)
        heads = [torch.nn.Linear(X.shape[1], len(model.classes_)) for _ in range(2)]
        optimisers = [torch.optim.AdamW(head.parameters(), lr=learning_rate) for head in heads]
        for _ in range(n_epochs):
            for rows in torch.randperm(len(inputs)).split(batch):
                x = inputs[rows]
                d_1, d_2 = (x - left).norm(dim=1), (x - right).norm(dim=1)
                s = heads[0](x) / d_1[:, None] + heads[1](x) / d_2[:, None]
                loss = torch.nn.functional.cross_entropy(s, targets[rows], reduction="none")
                shares = (d_2 / (d_1 + d_2) * loss).mean(), (d_1 / (d_1 + d_2) * loss).mean()
                for head, share in zip(heads, shares, strict=True):
                    parameters = list(head.parameters())
                    gradients = torch.autograd.grad(share, parameters, retain_graph=True)
                    for parameter, gradient in zip(parameters, gradients, strict=True):
                        parameter.grad = gradient
                for optimiser in optimisers:
                    optimiser.step()
