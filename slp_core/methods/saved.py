"""A fitted model as a file: a zip of ``model.safetensors`` (numbers) and ``model.json`` (the rest).

Nothing in it is code, and nothing of it is run when it is read. Whether card and numbers fit
together is found out by asking the model, which a schema of the card could not tell.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np

import slp_core
from slp_core.errors import SLPError
from slp_core.lines import Line, LineFit
from slp_core.methods.base import LineClassifier
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier

FORMAT = "fitted soft-label prototypes, version 1"
WEIGHTS, CARD = "model.safetensors", "model.json"
LARGEST = 400_000_000  # bytes, unpacked

_KINDS: dict[str, type[LineClassifier]] = {
    kind.__name__: kind
    for kind in (ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier)
}
_ARRAYS = ("centroids_", "soft_labels_", "slack_", "coef_", "intercept_", "_offset")
_NUMBERS = ("spread_", "scale_", "_floor", "n_features_in_")


def save_model(model: LineClassifier, **about: Any) -> bytes:
    """The bytes of a file from which :func:`load_model` makes the same model.

    Parameters
    ----------
    model : fitted ConstraintSLPClassifier, DeepSLPClassifier or NearestCentroidClassifier
    **about
        JSON types that say where it comes from.

    Raises
    ------
    SLPError
        For another kind of model.
    """
    from safetensors.numpy import save

    kind = type(model).__name__
    if _KINDS.get(kind) is not type(model):
        raise SLPError(f"{kind} cannot be saved: only {', '.join(_KINDS)} can.")
    state = vars(model)
    arrays = {name: np.ascontiguousarray(state[name]) for name in _ARRAYS if name in state}
    for number, line in enumerate(model.lines_):
        arrays[f"line {number} positions"] = np.ascontiguousarray(line.positions)
        arrays[f"line {number} offsets"] = np.ascontiguousarray(line.offsets)
    parameters = model.get_params()
    parameters.pop("callback", None)
    card = {
        "format": FORMAT,
        "kind": kind,
        "slp_core": slp_core.__version__,
        "parameters": parameters,
        "classes": model.classes_.tolist(),
        "lines": [{"classes": line.classes, "length": line.length} for line in model.lines_],
        "numbers": {name: state[name] for name in _NUMBERS if name in state},
        "about": about,
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(CARD, json.dumps(card, indent=1))
        package.writestr(WEIGHTS, save(arrays))
    return file.getvalue()


def load_model(content: bytes, filename: str = "The file") -> tuple[LineClassifier, dict[str, Any]]:
    """The fitted model in a file of :func:`save_model`, and what was said about it.

    Parameters
    ----------
    content : bytes
    filename : str
        For messages.

    Raises
    ------
    SLPError
        Where the file is something else, incomplete, or does not fit together.
    """
    card, arrays = _read(content, filename)
    kind = _KINDS.get(card.get("kind", ""))
    if card.get("format") != FORMAT or kind is None:
        raise SLPError(f"{filename} was not saved by this program: {CARD} names no model it knows.")
    try:
        model = kind(**card["parameters"])
        model.classes_ = np.array(card["classes"])
        for name, value in card["numbers"].items():
            if name in _NUMBERS:
                setattr(model, name, value)
        for name in _ARRAYS:
            if name in arrays:
                setattr(model, name, arrays[name])
        lines = tuple(
            Line(
                tuple(int(c) for c in entry["classes"]),
                arrays[f"line {number} positions"],
                arrays[f"line {number} offsets"],
                float(entry["length"]),
            )
            for number, entry in enumerate(card["lines"])
        )
        model._set_lines(LineFit(lines, "saved", 0.0))
        _check(model)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise SLPError(
            f"{filename} does not fit together ({error}): save the model once more."
        ) from error
    return model, card.get("about", {})


def _read(content: bytes, filename: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            if sum(entry.file_size for entry in package.infolist()) > LARGEST:
                raise SLPError(f"{filename} unpacks to more than {LARGEST // 10**6} MB.")
            card = json.loads(package.read(CARD))
            arrays = load(package.read(WEIGHTS))
    except (zipfile.BadZipFile, KeyError, ValueError, SafetensorError) as error:
        raise SLPError(
            f"{filename} is no saved model: a zip with {CARD} and {WEIGHTS} is wanted."
        ) from error
    if not isinstance(card, dict):
        raise SLPError(f"{filename} is no saved model: {CARD} holds no object.")
    return card, arrays


def _check(model: LineClassifier) -> None:
    """Ask the model once, so that a file that does not fit together is refused here."""
    k, d = model.centroids_.shape
    if k != len(model.classes_) or d != model.n_features_in_:
        raise ValueError("centroids and classes differ in number")
    answer = model.predict_proba(model.centroids_)
    if answer.shape != (k, k) or not np.isfinite(answer).all():
        raise ValueError("it gives no probabilities")
