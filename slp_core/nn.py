"""Soft-label prototypes as a layer of PyTorch networks."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from slp_core.methods.protocols import ConstantSoftLabels, HasLines


class SoftLabelPrototypes(nn.Module):
    """Lines with a linear head at each end, whose class scores are the logits (equation 1).

    For a point x on its line, s(x) = u · (z_left(x) / d_left + z_right(x) / d_right), where
    z = W x + b, d are the distances of x from the line's two prototypes, and u is their unit. The
    result is differentiable in the heads, the points and the prototypes, twice too; the choice of
    the line is not. Everything may have leading dimensions, one for each episode: E below.

    Parameters
    ----------
    prototypes : Tensor (E, L, 2, d)
        The left and the right end of each line; a buffer, through which gradients pass.
    n_classes : int
        K.
    unit : float or Tensor (E)
        u, in the unit of the points.
    floor : float or Tensor (E)
        The smallest distance that a score is divided by, in the unit of the points; above 0.
    assignment : {"segment", "prototype"}
        Assigns a point to the line of the nearest segment or of the nearest prototype.
    distance : {"euclidean", "along_line"}
        Distances of the point itself, or of its projection onto the line.

    Attributes
    ----------
    weight : Parameter (E, L, 2, K, d)
    bias : Parameter (E, L, 2, K)
        The heads; they start Xavier-uniform and at 0. −∞ excludes a class from a line.

    References
    ----------
    Algorithm 1 of Singh, Shutova and Yannakoudakis, "Learning New Tasks from a Few Examples with
    Soft-Label Prototypes".

    Examples
    --------
    >>> import numpy as np, torch, slp_core as slp
    >>> X, y = np.array([[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]]), ["A", "B", "C"]
    >>> model = slp.DeepSLPClassifier().fit(X, y)
    >>> layer = slp.nn.SoftLabelPrototypes.of(model)
    >>> points = torch.tensor([[-6.0, 1.0], [4.0, 3.0]], dtype=torch.float64, requires_grad=True)
    >>> logits = layer(points)
    >>> np.allclose(logits.detach(), model.influence(points.detach()), atol=1e-5)
    True
    >>> logits.logsumexp(dim=1).sum().backward()
    >>> points.grad.shape
    torch.Size([2, 2])
    """

    prototypes: Tensor
    unit: Tensor
    floor: Tensor

    def __init__(
        self,
        prototypes: Tensor,
        n_classes: int,
        *,
        unit: float | Tensor = 1.0,
        floor: float | Tensor = 1e-2,
        assignment: Literal["segment", "prototype"] = "segment",
        distance: Literal["euclidean", "along_line"] = "euclidean",
    ) -> None:
        super().__init__()
        self.assignment, self.distance = assignment, distance
        self.register_buffer("prototypes", prototypes)
        for name, value in (("unit", unit), ("floor", floor)):
            self.register_buffer(name, torch.as_tensor(value).to(prototypes))
        d = prototypes.shape[-1]
        bound = math.sqrt(6.0 / (d + n_classes))
        heads = prototypes.new_empty(*prototypes.shape[:-1], n_classes, d)
        self.weight = nn.Parameter(heads.uniform_(-bound, bound))
        self.bias = nn.Parameter(prototypes.new_zeros(*prototypes.shape[:-1], n_classes))

    @classmethod
    def of(cls, *models: HasLines) -> SoftLabelPrototypes:
        """The layer of a fitted model with lines, in float64; of several, one episode each.

        Its output is the model's ``influence``. constraintSLP's soft labels become biases.

        Parameters
        ----------
        *models
            Fitted classifiers with the same numbers of lines, classes and dimensions, and the same
            ``assignment`` and ``distance``.
        """
        first = models[0]
        if not all(isinstance(model, HasLines) for model in models):
            raise TypeError("Models without lines have no prototypes: give one with lines_.")
        shapes = {(m.prototypes_.shape, len(m.classes_), m.assignment, m.distance) for m in models}
        if len(shapes) > 1:
            raise ValueError(
                "The models differ in their numbers of lines, classes or dimensions, or in their "
                "assignment or distance: make a layer of each."
            )

        def stacked(values: list[np.ndarray]) -> Tensor:
            return torch.from_numpy(values[0] if len(models) == 1 else np.stack(values))

        options: Any = {"assignment": first.assignment, "distance": first.distance}
        layer = cls(
            stacked([model.prototypes_ for model in models]),
            len(first.classes_),
            unit=stacked([np.array(model.distance_unit) for model in models]),
            floor=stacked([np.array(model.distance_floor) for model in models]),
            **options,
        )
        with torch.no_grad():
            heads = [_heads(model) for model in models]
            layer.weight.copy_(stacked([weight for weight, _ in heads]))
            layer.bias.copy_(stacked([bias for _, bias in heads]))
        return layer

    def forward(self, x: Tensor) -> Tensor:
        """Logits (E, m, K) of points x (E, m, d), by the line of each."""
        scores, line = self.scores(x), self.lines(x)
        at = line[..., None, None].expand(*scores.shape[:-2], 1, scores.shape[-1])
        return scores.gather(-2, at).squeeze(-2)

    def scores(self, x: Tensor) -> Tensor:
        """Logits (E, m, L, K) of points x (E, m, d) by each line: training on all examples."""
        excluded = self.bias.isneginf()
        bias = self.bias.masked_fill(excluded, 0.0)  # an infinite one would have no gradient
        z = torch.einsum("...lskd,...md->...mlsk", self.weight, x) + bias.unsqueeze(-4)
        nearness = self.unit[..., None, None, None, None] / self._distances(x)[..., None]
        scores = (z * nearness).sum(dim=-2)
        return scores.masked_fill(excluded.any(dim=-2).unsqueeze(-3), -torch.inf)

    @torch.no_grad()
    def lines(self, x: Tensor) -> Tensor:
        """(E, m) the line that each point x (E, m, d) is assigned to; ties go to the first."""
        if self.assignment == "prototype":
            return self._to_ends(x).amin(dim=-1).argmin(dim=-1)
        left, axis, _, t = self._along(x)
        return (x[..., None, :] - left - t[..., None] * axis).norm(dim=-1).argmin(dim=-1)

    def _distances(self, x: Tensor) -> Tensor:
        """(E, m, L, 2) distances that scores are divided by."""
        floor = self.floor[..., None, None, None]
        if self.distance == "along_line":
            _, _, length, t = self._along(x)
            return torch.stack([t, length - t], dim=-1).maximum(floor)
        # The floor is taken of squares: a root has no derivative at 0.
        return self._to_ends(x, squared=True).maximum(floor.square()).sqrt()

    def _to_ends(self, x: Tensor, squared: bool = False) -> Tensor:
        """(E, m, L, 2) distances from the prototypes."""
        away = (x[..., None, None, :] - self.prototypes.unsqueeze(-4)).square().sum(dim=-1)
        return away if squared else away.sqrt()

    def _along(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Left ends and axes (E, 1, L, d), lengths (E, 1, L), and feet (E, m, L) on segments."""
        left, right = self.prototypes.unsqueeze(-4).unbind(dim=-2)
        length = (right - left).square().sum(dim=-1)
        length = torch.where(length > 0, length, 1.0).sqrt() * (length > 0)
        axis = (right - left) / torch.where(length > 0, length, 1.0)[..., None]
        t = ((x[..., None, :] - left) * axis).sum(dim=-1)
        return left, axis, length, t.clamp_min(0.0).minimum(length)


def _heads(model: HasLines) -> tuple[np.ndarray, np.ndarray]:
    """Weights (L, 2, K, d) and biases (L, 2, K)."""
    if isinstance(model, ConstantSoftLabels):
        bias = model.soft_labels_
        return np.zeros((*bias.shape, model.prototypes_.shape[-1])), bias
    heads: tuple[np.ndarray, np.ndarray] = (model.coef_, model.intercept_)  # type: ignore[attr-defined]
    return heads
