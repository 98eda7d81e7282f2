"""Python that fits a model again, to the last bit."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

import slp_core

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

_TEMPLATE = '''"""Fits {kind} as it was fitted in SLP Explorer."""

import hashlib

import numpy as np
import slp_core as slp

dataset = {dataset}
episode = dataset.draw(shots={shots}, draw={draw})
X = slp.load_encoder({encoder!r}, normalisation={normalisation!r}).encode(
    dataset, support=episode.support
)
labels = np.array(dataset.classes)

model = slp.{kind}(
{parameters})
model.fit(X[episode.support], labels[episode.y_support])

accuracy = model.score(X[episode.query], labels[episode.y_query]) if len(episode.query) else None
digest = hashlib.blake2b(
    b"".join(np.ascontiguousarray(getattr(model, name)).tobytes() for name in {arrays}),
    digest_size=16,
).hexdigest()
print("accuracy", accuracy)
print("the same to the last bit:", digest == {digest!r})
'''


def reproduce(
    model: BaseEstimator,
    *,
    dataset: str,
    shots: int,
    draw: int,
    encoder: str,
    normalisation: str | None,
    dataset_options: Mapping[str, Any] | None = None,
    file: bool = False,
) -> str:
    """A script that fits the model again and says whether it came out the same.

    Parameters
    ----------
    model : fitted classifier
        With constant soft labels, heads or centroids.
    dataset : str
        A bundled dataset's name, or the name of the file it was read from.
    shots, draw : int
    encoder : str
    normalisation : str or None
    dataset_options : mapping, optional
        Of a bundled dataset.
    file : bool
        Whether ``dataset`` names a file.
    """
    parameters = {k: v for k, v in model.get_params().items() if k != "callback"}
    given = "".join(f", {name}={value!r}" for name, value in (dataset_options or {}).items())
    arrays = fitted_arrays(model)
    return _TEMPLATE.format(
        kind=type(model).__name__,
        dataset=f"slp.read_dataset({dataset!r})"
        if file
        else f"slp.load_dataset({dataset!r}{given})",
        shots=shots,
        draw=draw,
        encoder=encoder,
        normalisation=normalisation,
        parameters="".join(f"    {name}={value!r},\n" for name, value in parameters.items()),
        arrays=arrays,
        digest=fitted_digest(model),
    )


def versions() -> dict[str, str]:
    """Versions of what decides the last bit, by name."""
    import scipy
    import sklearn

    return {
        "python": platform.python_version(),
        "slp_core": slp_core.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def fitted_arrays(model: BaseEstimator) -> tuple[str, ...]:
    """The attributes that hold what was learnt."""
    names = ("coef_", "intercept_", "soft_labels_", "centroids_")
    return tuple(name for name in names if name in vars(model))


def fitted_digest(model: BaseEstimator) -> str:
    """A digest of what was learnt, bit by bit."""
    parts = [np.ascontiguousarray(getattr(model, name)).tobytes() for name in fitted_arrays(model)]
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()
