"""A fitted model as a file: a zip of ``model.safetensors`` (numbers) and ``model.json`` (the rest).

Nothing in it is code, and nothing of it is run when it is read. Whether card and numbers fit
together is looked at number by number, by hand: a schema of the card could not tell. Then the model
is asked once.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np

import slp_core
from slp_core.data.archives import open_archive
from slp_core.data.limits import LIMITS, MB
from slp_core.data.tables import as_text
from slp_core.errors import SLPError
from slp_core.lines import Line, LineFit
from slp_core.methods.base import LineClassifier
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier

FORMAT = "fitted soft-label prototypes, version 1"
WEIGHTS, CARD = "model.safetensors", "model.json"
_LARGEST = 1e100  # of its numbers, so that none of its distances is infinite
_LONGEST_CLASS = LIMITS.label_characters

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
        Where the file is something else, incomplete, too large, or does not fit together.
    """
    card, arrays = _read(content, filename)
    kind = _KINDS.get(str(card.get("kind")))
    if card.get("format") != FORMAT or kind is None:
        raise SLPError(f"{filename} was not saved by this program: {CARD} names no model it knows.")
    about = card.get("about", {})
    try:
        _need(isinstance(about, dict), "'about' is no object")
        model = _made(kind, card, arrays)
        _check(model)
    except (SLPError, _Misfit) as error:
        why = str(error).rstrip(".")
        raise SLPError(f"{filename} does not fit together ({why}): save the model again.") from None
    return model, about


def _read(content: bytes, filename: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    from safetensors.numpy import load

    what = f"a saved model, a .zip with {CARD} and {WEIGHTS}"
    limits = {CARD: LIMITS.card_bytes, WEIGHTS: LIMITS.weights_bytes}
    with open_archive(content, filename, what=what, unpacked=sum(limits.values())) as package:
        for name, limit in limits.items():
            if name not in package.namelist():
                raise SLPError(f"{filename} is no saved model: it lacks {name}.")
            if package.getinfo(name).file_size > limit:
                raise SLPError(f"{filename}: {name} unpacks to more than {limit // MB} MB.")
        raw_card, weights = package.read(CARD), package.read(WEIGHTS)
    try:
        card = json.loads(raw_card)
    except (ValueError, RecursionError) as error:
        raise SLPError(f"{filename}: {CARD} is not JSON: save the model again.") from error
    if not isinstance(card, dict):
        raise SLPError(f"{filename} is no saved model: {CARD} holds no object.")
    try:
        arrays = load(weights)
    except Exception as error:  # a kind of its own, and others for types that NumPy has not
        raise SLPError(
            f"{filename}: {WEIGHTS} is damaged or of another kind: save the model again."
        ) from error
    return card, arrays


class _Misfit(Exception):
    """Card and numbers do not go together."""


def _need(fits: object, what: str) -> None:
    if not fits:
        raise _Misfit(what)


def _made(
    kind: type[LineClassifier], card: dict[str, Any], arrays: dict[str, np.ndarray]
) -> LineClassifier:
    """The model that card and numbers tell of, every one of them being looked at."""
    parameters, lines = card.get("parameters"), card.get("lines")
    _need(isinstance(parameters, dict), "it has no parameters")
    assert isinstance(parameters, dict)
    odd = sorted(set(parameters) - set(kind._get_param_names()) | {"callback"} & set(parameters))
    _need(not odd, f"{kind.__name__} has no parameter {', '.join(odd)}")
    model = kind(**parameters)
    model._check_parameters()
    seed = parameters.get("random_state")
    _need(seed is None or _is_whole(seed, 2**32), "'random_state' is no whole number")
    classes = _classes(card.get("classes"))
    numbers = card.get("numbers")
    _need(isinstance(numbers, dict), "it has no numbers")
    assert isinstance(numbers, dict)
    d = numbers.get("n_features_in_")
    _need(_is_whole(d, LIMITS.dimensions + 1) and d, "'n_features_in_' is no number of dimensions")
    assert isinstance(d, int)
    for name in {"spread_", "_floor", *({"scale_"} if kind is DeepSLPClassifier else ())}:
        _need(_is_number(numbers.get(name)) and numbers[name] > 0, f"{name!r} is not above 0")
    _need(isinstance(lines, list) and 0 < len(lines) <= len(classes), "it has no lines")
    assert isinstance(lines, list)
    model.classes_ = classes
    for name in set(_NUMBERS) & set(numbers):
        setattr(model, name, numbers[name])
    for name, shape in _shapes(kind, len(lines), len(classes), d).items():
        setattr(model, name, _array(arrays, name, shape))
    fit = tuple(_line(number, entry, arrays, len(classes)) for number, entry in enumerate(lines))
    on_lines = sorted(c for line in fit for c in line.classes)
    _need(on_lines == list(range(len(classes))), "not every class is on one line")
    model._set_lines(LineFit(fit, "saved", 0.0))
    return model


def _shapes(kind: type[LineClassifier], n_lines: int, k: int, d: int) -> dict[str, tuple[int, ...]]:
    if kind is DeepSLPClassifier:
        heads = {"coef_": (n_lines, 2, k, d), "intercept_": (n_lines, 2, k), "_offset": (d,)}
        return {"centroids_": (k, d), **heads}
    slack = {"slack_": (n_lines,)} if kind is ConstraintSLPClassifier else {}
    return {"centroids_": (k, d), "soft_labels_": (n_lines, 2, k), **slack}


def _classes(names: Any) -> np.ndarray:
    _need(isinstance(names, list) and 0 < len(names) <= LIMITS.classes, "it has no classes")
    texts = all(isinstance(name, str) and 0 < len(name) <= _LONGEST_CLASS for name in names)
    _need(texts or all(map(_is_number, names)), "a class is neither a text nor a number")
    _need(names == sorted(set(names)), "classes are not in order")
    if texts:
        _need(all(name == as_text(name) for name in names), "the name of a class is no text")
    return np.array(names)


def _line(number: int, entry: Any, arrays: dict[str, np.ndarray], k: int) -> Line:
    what = f"line {number + 1}"
    _need(isinstance(entry, dict), f"{what} is no object")
    classes, length = entry.get("classes"), entry.get("length")
    _need(
        isinstance(classes, list)
        and 0 < len(classes) <= k
        and all(_is_whole(c, k) for c in classes),
        f"{what} has no classes",
    )
    _need(_is_number(length) and length >= 0, f"{what} has no length")
    positions, offsets = (
        _array(arrays, f"line {number} {what}", (len(classes),))
        for what in ("positions", "offsets")
    )
    in_order = (np.diff(positions) >= 0).all() and (np.abs(positions) <= length * (1 + 1e-9)).all()
    _need(in_order and positions.min() >= 0, f"{what} has positions beyond its ends")
    return Line(tuple(classes), positions, offsets, float(length))


def _array(arrays: dict[str, np.ndarray], name: str, shape: tuple[int, ...]) -> np.ndarray:
    array = arrays.get(name)
    _need(array is not None and array.shape == shape, f"{name!r} is not of shape {shape}")
    assert array is not None
    _need(array.dtype == np.float64, f"{name!r} is not of 64-bit numbers")
    barred = array == -np.inf if name == "intercept_" else np.zeros(shape, dtype=bool)
    _need((barred | (np.abs(array) < _LARGEST)).all(), f"{name!r} holds what is no number")
    if name == "soft_labels_":
        shares = (array >= 0).all() and np.allclose(array.sum(axis=2), 1, rtol=0, atol=1e-6)
        _need(shares, "soft labels do not sum to 1")
    return array


def _is_whole(value: Any, below: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _is_number(value: Any) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and abs(value) < _LARGEST


def _check(model: LineClassifier) -> None:
    """Ask the model once, so that one that gives no answers is refused here."""
    k = len(model.classes_)
    with np.errstate(all="ignore"):
        answer = model.predict_proba(model.centroids_)
    _need(answer.shape == (k, k) and np.isfinite(answer).all(), "it gives no probabilities")
