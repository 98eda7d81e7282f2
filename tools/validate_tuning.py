"""How much of a long text MetaSLP is to read: ``python -m tools.validate_tuning DATA``.

DATA is the folder that encoders are meta-trained from. On its validation sets, MetaSLP is tuned on
whole texts and by passage, up to several limits of tokens, beside DeepSLP on the vectors of the
same tokens: 8 shots, five draws, as many query rows a class as `tools.validate_side_by_side` has.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from slp_core import DeepSLPClassifier
from slp_core.encoders.base import normalise
from slp_core.encoders.trainable import LowerStates
from slp_core.meta.episodes import VALIDATION, read_sources
from slp_core.methods.meta_slp import MetaSLPClassifier
from tools.validate_side_by_side import QUERY, chosen_rows

NAME, SHOTS, DRAWS = "metaslp-mean-minilm-l4", 8, 5
LIMITS = (("", 256), ("passages-", 256), ("passages-", 1024))


def judged(states: LowerStates, shape: tuple[int, ...], name: str) -> tuple[float, float]:
    """DeepSLP's and MetaSLP's accuracy on the rows (K, n) of a set, in percent."""
    assert states.vectors is not None
    x = normalise(states.vectors.numpy(), "l2")
    numbers = np.arange(len(states)).reshape(shape)
    query, supports = np.split(numbers, [QUERY], axis=1)
    true, right = np.repeat(np.arange(shape[0]), QUERY), []
    for draw in range(DRAWS):
        support = supports[:, draw * SHOTS : (draw + 1) * SHOTS].ravel()
        y = np.repeat(np.arange(shape[0]), SHOTS)
        deep = DeepSLPClassifier().fit(x[support], y).predict(x[query.ravel()])
        tuned = MetaSLPClassifier(encoder=name).fit(states.take(support), y)
        answers = tuned.predict(states.take(query.ravel()))
        right.append([(deep == true).mean(), (answers == true).mean()])
    both = 100 * np.mean(right, axis=0)
    return float(both[0]), float(both[1])


def main(folder: Path) -> None:
    """Print a row for each way of reading: DeepSLP's and MetaSLP's accuracy on every set."""
    sources = read_sources(folder, VALIDATION)
    titles = [source.name.removeprefix("validation_") for source in sources]
    print("|", " | ".join(["read, tokens", *titles, "mean"]), "|")
    print("|" + "---|" * (len(titles) + 2))
    for way, limit in LIMITS:
        model, found = MetaSLPClassifier(encoder=f"{way}{NAME}", max_tokens=limit), []
        for source in sources:
            rows = chosen_rows(source)[:, : QUERY + DRAWS * SHOTS]
            states = model.lower_states(source.examples.take(rows.ravel()))
            found.append(judged(states, rows.shape, model.encoder))
        cells = [f"{deep:.1f}, {tuned:.1f}" for deep, tuned in [*found, np.mean(found, axis=0)]]
        print("|", " | ".join([f"{way or 'whole'}, {limit}", *cells]), "|", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
