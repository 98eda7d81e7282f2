"""Accuracy under two encoders, over the draws of every number of shots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from slp_core.encoders import Vectors
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.evaluation.wording import Points
from slp_core.facts import ClassName, EncoderName, Facts, Stated, fact

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset
    from slp_core.encoders import Encoder
    from slp_core.methods.table import Method

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class AccuracyByShots(Stated):
    """Accuracy of methods, or on datasets, under two encoders, draw by draw."""

    names: tuple[str, str]  # what the encoders are called, before and after
    # of each method and number of shots; NaN on a draw that leaves no query point
    accuracy: Mapping[tuple[str, int], np.ndarray]
    what: Literal["method", "dataset"] = "method"  # what is told apart beside the number of shots

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        before: Mapping[tuple[str, int], np.ndarray],
        after: Mapping[tuple[str, int], np.ndarray],
    ) -> AccuracyByShots:
        """Out of what `accuracy_by_shots` gives for either encoder."""
        return cls(names, {key: np.stack([before[key], after[key]]) for key in before})

    def table(self) -> pd.DataFrame:
        """Mean and standard deviation over the draws, one row a method or dataset and shots.

        Standard deviations are those of the population (ddof 0), as in the paper. ``better on``
        counts the draws on which the encoder after has the higher accuracy.
        """
        rows = []
        for (name, shots), values in self.accuracy.items():
            judged = values[:, ~np.isnan(values).any(axis=0)]
            if not judged.shape[1]:
                continue
            (old, new), (old_std, new_std) = judged.mean(axis=1), judged.std(axis=1)
            rows.append(
                {
                    self.what: name,
                    "shots": shots,
                    "before": old,
                    "± before": old_std,
                    "after": new,
                    "± after": new_std,
                    "difference": new - old,
                    "better on": int((judged[1] > judged[0]).sum()),
                    "draws": judged.shape[1],
                }
            )
        return pd.DataFrame(rows)

    def facts(self) -> Facts:
        """In how many settings the encoder after is ahead, and by how much in the mean."""
        table = self.table()
        if not len(table):
            none = fact("encoder_accuracy.none", "No draw leaves a query point to judge.")
            return (none,)
        difference = table["difference"].to_numpy()
        ahead, behind = (int((way * difference > _ROUNDING).sum()) for way in (1, -1))
        points = float(100 * difference.mean())
        before, after = map(EncoderName, self.names)
        told = {"before": before, "after": after, "ahead": ahead, "behind": behind}
        template = "{after} is ahead of {before} in {ahead:,} of {settings:,} settings of {what} "
        if len(table) == 1:
            template = template.replace("settings of {what}", "setting of {what}")
        template += "and shots, and behind in {behind:,}; its mean is "
        if abs(points) <= 100 * _ROUNDING:
            template += "as high."
        else:
            template += "{points} " + ("higher." if points > 0 else "lower.")
        higher = int(np.sign(points)) if abs(points) > 100 * _ROUNDING else 0
        told |= {"settings": len(table), "what": self.what, "points": Points(abs(points))}
        return (fact("encoder_accuracy.ahead", template, higher=higher, **told),)

    def extremes_facts(self) -> Facts:
        """Where the encoder after gains most, and where it loses most, if it does either."""
        table = self.table()
        if not len(table):
            return ()
        difference = table["difference"].to_numpy()
        best, worst = table.iloc[int(difference.argmax())], table.iloc[int(difference.argmin())]
        gain, loss = 100 * float(best["difference"]), -100 * float(worst["difference"])
        where = ", is on {name} (shots: {shots:,})."

        def told(row: Any, points: float) -> dict[str, Any]:
            name, shots = ClassName(row[self.what]), int(row["shots"])
            return {"points": Points(points), "name": name, "shots": shots}

        if gain > 100 * _ROUNDING:
            template = "The largest gain, {points}" + where
            first = fact("encoder_accuracy.gain", template, **told(best, gain))
        else:
            template = "There is no gain anywhere."
            first = fact("encoder_accuracy.no_gain", template, settings=len(table))
        if loss > 100 * _ROUNDING:
            template = "The largest loss, {points}" + where
            second = fact("encoder_accuracy.loss", template, **told(worst, loss))
        else:
            template = "There is no loss anywhere."
            second = fact("encoder_accuracy.no_loss", template, settings=len(table))
        return first, second


def accuracy_by_shots(
    methods: Sequence[Method],
    dataset: FewShotDataset,
    X: Vectors,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[tuple[str, int], np.ndarray]:
    """Judge methods, as they are made by default, on every draw of every number of shots."""
    accuracy = {}
    pairs = [(method, shots) for shots in dataset.shots_available for method in methods]
    for done, (method, shots) in enumerate(pairs):
        progress(done, len(pairs))
        draws = dataset.available_draws(shots)
        spread = accuracy_over_draws(method.make, dataset, X, shots, draws, cancelled)
        accuracy[method.title, shots] = spread.accuracy
    return accuracy


def accuracy_by_dataset(
    method: Method,
    datasets: Sequence[FewShotDataset],
    encoders: tuple[Encoder, Encoder],
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> AccuracyByShots:
    """Judge a method on each dataset, by its title, that both encoders have in their cache."""
    accuracy = {}
    for done, dataset in enumerate(datasets):
        progress(done, len(datasets))
        if all(encoder.is_cached(dataset) for encoder in encoders):
            before, after = (
                accuracy_by_shots(
                    [method], dataset, encoder.encode_for_draws(dataset), cancelled=cancelled
                )
                for encoder in encoders
            )
            for (_, shots), values in before.items():
                pair = np.stack([values, after[method.title, shots]])
                accuracy[dataset.title, shots] = pair
    titles = (encoders[0].info.title, encoders[1].info.title)
    return AccuracyByShots(titles, accuracy, "dataset")
