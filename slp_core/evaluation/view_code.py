"""Short scripts that compute again what a page shows, by the library's public surface alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from slp_core.evaluation.reproduce import HOME, IMPORTED, about_code, dataset_code, encoder_code

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

_TEMPLATE = (
    '''"""{page}: the numbers of this page of SLP Explorer, computed again.

{about}
Run it with the Python that SLP Explorer runs with.
"""

import sys
{imports}
import numpy as np
'''
    + IMPORTED
    + '''{paths}
dataset = {dataset}
encoder = slp.load_encoder({encoder}, normalisation={normalisation!r})
labels = np.array(dataset.classes)


def fit(model, draw, encoder=encoder):
    """The model, fitted on a draw's support set; the vectors and classes of its query points."""
    episode = dataset.draw(shots={shots}, draw=draw)
    X = encoder.encode(dataset, support=episode.support)
    model.fit(X[episode.support], labels[episode.y_support])
    return model, X[episode.query], labels[episode.y_query]


model, X, y = fit({model}, draw={draw})
answers = model.predict(X)
numbers = {{"query points": len(y), "right": float((answers == y).mean())}}
{body}
for name, value in numbers.items():
    print(f"{{name}}: {{value}}")
'''
)


def view_code(
    model: BaseEstimator,
    body: str = "",
    *,
    page: str,
    dataset: str,
    shots: int,
    draw: int,
    encoder: str,
    normalisation: str | None,
    dataset_options: Mapping[str, Any] | None = None,
    read_as: Mapping[str, Any] | None = None,
    callback: str = "",
    home: str = str(HOME),
) -> str:
    """A script that fits the model of a view and computes the view's numbers."""
    paths, source = dataset_code(dataset, dataset_options, read_as)
    more, named = encoder_code(encoder, from_file=read_as is not None)
    paths += more
    return _TEMPLATE.format(
        page=page,
        about=about_code(dataset, encoder, shots, draw),
        imports="from pathlib import Path\n" if paths else "",
        home=home,
        paths=paths,
        dataset=source,
        encoder=named,
        normalisation=normalisation,
        shots=shots,
        draw=draw,
        model=model_code(model, callback),
        body=f"\n{body.strip()}\n" if body else "",
    )


def model_code(model: BaseEstimator, callback: str = "") -> str:
    """The call that makes an unfitted model like this one; defaults are left out."""
    usual = type(model)().get_params()
    given = [
        f"{name}={value!r}"
        for name, value in model.get_params().items()
        if name != "callback" and value != usual[name]
    ]
    if callback:
        given.append(f"callback={callback}")
    return f"slp.{type(model).__name__}({', '.join(given)})"
