"""An inner loop as it went, step by step: what is shown of it, without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.encoders import list_encoders
from slp_core.facts import EncoderName, Fact, Facts, Stated, fact
from slp_core.meta.settings import MetaSettings

_HARDLY = 5e-4  # of a distance: 0.0 % to the digit that is said


@dataclass(frozen=True, eq=False)
class EpisodeSteps(Stated):
    """Inner-loop adaptation of a copy of the encoder to one two-class task."""

    classes: tuple[str, str]
    rows: np.ndarray  # (2, shots) of the dataset; a line for each class
    # (steps + 1, 2·shots, d) of the support set, before the first step and after each; first class
    # first
    vectors: np.ndarray
    # (steps, 2, ...) support examples, counted from 0 to 2·shots − 1, that give a step's loss, and
    # those whose class means are its prototypes
    for_loss: np.ndarray
    for_means: np.ndarray
    losses: np.ndarray  # (steps,) before each step
    # how far the copy's weights went in the end: in the mean, and the furthest
    weights_moved: tuple[float, float]
    settings: MetaSettings

    @property
    def n_steps(self) -> int:
        """Inner steps taken."""
        return len(self.losses)

    @property
    def labels(self) -> np.ndarray:
        """(2·shots,) 0 or 1: the class of each support example."""
        return np.repeat([0, 1], self.rows.shape[1])

    def prototypes(self, step: int, after: bool = False) -> np.ndarray:
        """(2, d) prototypes of a step, counted from 0, where they were before or are after it."""
        return np.asarray(self.vectors[step + after][self.for_means[step]].mean(axis=1))

    def own_and_other(self, step: int, after: bool = False) -> tuple[float, float]:
        """Mean distance of a step's loss examples from their own prototype, and from the other."""
        chosen = self.for_loss[step]
        x, prototypes = self.vectors[step + after], self.prototypes(step, after)
        own, other = (
            np.concatenate(
                [np.linalg.norm(x[chosen[k]] - prototypes[side], axis=1) for k, side in pairs]
            ).mean()
            for pairs in (((0, 0), (1, 1)), ((0, 1), (1, 0)))
        )
        return float(own), float(other)

    def facts(self) -> Facts:
        """What each step did."""
        return tuple(each for step in range(self.n_steps) for each in self.step_facts(step))

    def setting_facts(self) -> Facts:
        """What was trained, and on how many examples."""
        template = (
            "A copy of {encoder}, its top {layers:,} layers trained on {shots:,} examples of each "
            "class."
        )
        if self.settings.n_trainable == 1:
            template = template.replace("its top {layers:,} layers", "its top layer")
        titles = {info.name: info.title for info in list_encoders()}
        name, shots = self.settings.encoder, self.rows.shape[1]
        encoder, layers = EncoderName(titles.get(name, name)), self.settings.n_trainable
        return (fact("episode.copy", template, encoder=encoder, layers=layers, shots=shots),)

    def step_facts(self, step: int) -> Facts:
        """What a step did, counted from 0."""
        n_loss, n_means = self.for_loss[step].size, self.for_means[step].size
        (own, other), (new_own, new_other) = (self.own_and_other(step, a) for a in (False, True))
        template = (
            "Step {number:,} of {steps:,}: loss {loss:.2f}; examples pulled: {pulled:,}, "
            "prototypes stand on the other {placing:,}; own prototypes {own}, the others {other}."
        )
        values = {
            "number": step + 1,
            "steps": self.n_steps,
            "loss": float(self.losses[step]),
            "pulled": n_loss,
            "placing": n_means,
        }
        went = {"own": _went("own", own, new_own), "other": _went("other", other, new_other)}
        return (fact("episode.step", template, **values, **went),)

    def outer_facts(self) -> Facts:
        """What Reptile makes of where the copy ended."""
        (mean, furthest), rate = self.weights_moved, self.settings.outer_rate
        template = (
            "Outer step: the copy's weights have gone {mean:.1e} each in the mean, the furthest "
            "{furthest:.1e}."
        )
        way = fact("episode.way", template, mean=mean, furthest=furthest)
        copies = "{copies:,} such copies" if self.settings.tasks_per_step > 1 else "one such copy"
        template = (
            "Reptile takes the mean way of " + copies + ", and moves the encoder along it: with "
            "AdamW no weight by more than about the outer rate, {rate:.0e}. Copy and heads are "
            "thrown away."
        )
        tasks = self.settings.tasks_per_step
        return way, fact("episode.outer", template, copies=tasks, rate=rate)

    def table(self) -> pd.DataFrame:
        """One row a step: its loss, and distances from own and other prototype before and after."""
        rows = []
        for step in range(self.n_steps):
            before, after = self.own_and_other(step), self.own_and_other(step, after=True)
            rows.append(
                {
                    "step": step + 1,
                    "loss": self.losses[step],
                    "own, before": before[0],
                    "own, after": after[0],
                    "other, before": before[1],
                    "other, after": after[1],
                }
            )
        return pd.DataFrame(rows)

    def plane(self) -> np.ndarray:
        """(d, 2) axes to draw it on.

        The first runs through the class means as they end, the second is the first principal
        component of all vectors at right angles to it.
        """
        ends = [self.vectors[-1][self.labels == k].mean(axis=0) for k in (0, 1)]
        first = _unit(ends[1] - ends[0])
        every = self.vectors.reshape(-1, self.vectors.shape[2]).astype(np.float64)
        every = every - every.mean(axis=0)
        rest = every - np.outer(every @ first, first)
        second = np.linalg.svd(rest, full_matrices=False)[2][0]
        return np.column_stack([first, second])


def _went(which: str, old: float, new: float) -> Fact:
    """How a mean distance changed: of ``which`` prototypes, "own" or "other"."""
    values = {"which": which, "old": old, "new": new}
    if old == 0:
        words = "are still at no distance" if new == 0 else "went from nothing to {new:.2g} away"
        return fact("episode.from_nothing", words, **values)
    share = new / old - 1
    if abs(share) < _HARDLY:
        return fact("episode.hardly", "hardly moved", **values)
    words = "came {share:.1%} nearer" if share < 0 else "went {share:.1%} further"
    return fact("episode.went", words, **values, share=abs(share))


def _unit(v: np.ndarray) -> np.ndarray:
    length = float(np.linalg.norm(v))
    if length > 0:
        return v.astype(np.float64) / length
    return np.eye(len(v))[0]
