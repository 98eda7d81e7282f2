"""A fitted model as a file: a zip of ``model.safetensors`` (numbers) and ``model.json`` (the rest).

Nothing in it is code, and nothing of it is run when it is read. Whether card and numbers fit
together is looked at number by number, by hand: a schema of the card could not tell. Then the model
is asked once. Files from before ``line_fit_`` and ``history_`` were kept are still read: a model
from one answers as it did, and lacks these two.
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
from slp_core.data.table import as_text
from slp_core.errors import SLPError
from slp_core.lines import FINDERS, Line, LineFit
from slp_core.methods.base import LARGEST_KEPT, LineClassifier
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier

FORMAT = "fitted soft-label prototypes, version 1"
WEIGHTS, CARD = "model.safetensors", "model.json"
_MOST_BYTES = {CARD: LIMITS.card_bytes, WEIGHTS: LIMITS.weights_bytes}
_LONGEST_CLASS = LIMITS.label_characters

_KINDS: dict[str, type[LineClassifier]] = {
    kind.__name__: kind
    for kind in (ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier)
}
_ARRAYS = ("centroids_", "soft_labels_", "slack_", "coef_", "intercept_", "_offset")
_HISTORY = ("loss", "learning_rate")
_NUMBERS = ("spread_", "scale_", "_floor", "n_features_in_")
_PLAIN = (np.generic, int, float, str, type(None))
# Of classes that are numbers; "object" also of texts. Others, such as dates, JSON has no word for.
_CLASS_DTYPES = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
_CLASS_DTYPES |= {"bool", "float16", "float32", "float64", "object"}


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
        For another kind of model, or one that :func:`load_model` would refuse: what is saved can
        be loaded.
    """
    from safetensors.numpy import load, save

    kind = type(model).__name__
    if _KINDS.get(kind) is not type(model):
        raise SLPError(f"{kind} cannot be saved: only {', '.join(_KINDS)} can.")
    state = vars(model)
    arrays = {name: np.ascontiguousarray(state[name]) for name in _ARRAYS if name in state}
    for number, line in enumerate(model.lines_):
        arrays[f"line {number} positions"] = np.ascontiguousarray(line.positions)
        arrays[f"line {number} offsets"] = np.ascontiguousarray(line.offsets)
    for name, history in state.get("history_", {}).items():
        arrays[f"history {name}"] = np.ascontiguousarray(history)
    parameters = model.get_params()
    parameters.pop("callback", None)
    for name, value in parameters.items():
        if not isinstance(value, _PLAIN):
            raise SLPError(
                f"{kind} cannot be saved with a {type(value).__name__} as its {name}: give it a "
                "number or None, and fit the model again."
            )
    card: dict[str, Any] = {
        "format": FORMAT,
        "kind": kind,
        "slp_core": slp_core.__version__,
        "parameters": parameters,
        "classes": model.classes_.tolist(),
        "class_dtype": model.classes_.dtype.name,
        "lines": [{"classes": line.classes, "length": line.length} for line in model.lines_],
        "numbers": {name: state[name] for name in _NUMBERS if name in state},
        "about": about,
    }
    if "line_fit_" in state:
        fit = state["line_fit_"]
        card["line_fit"] = {"method": fit.method, "tolerance": float(fit.tolerance)}
    if "feature_names_in_" in state:
        card["feature_names"] = state["feature_names_in_"].tolist()
    weights = save(arrays)
    try:
        _classes(card["classes"], card["class_dtype"])  # before JSON, which fails at a date, say
        raw_card = json.dumps(card, indent=1, default=_plain)
        for name, content in ((CARD, raw_card.encode()), (WEIGHTS, weights)):
            most = _MOST_BYTES[name]
            _need(len(content) <= most, f"{name} would have more than {most // MB} MB")
        _restored(type(model), json.loads(raw_card), load(weights))
    except (SLPError, _Misfit) as error:
        why = str(error).rstrip(".")
        raise SLPError(
            f"{kind} cannot be saved, since it could not be loaded again ({why}): change that and "
            "fit it again."
        ) from None
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(CARD, raw_card)
        package.writestr(WEIGHTS, weights)
    return file.getvalue()


def _plain(value: Any) -> Any:
    """What JSON has no word for: NumPy's numbers are Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise SLPError(f"{value!r} is neither a number nor a text, nor a list or a dict of these")


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

    Notes
    -----
    A model from a file of an earlier version of this program, which did not keep them, has no
    ``line_fit_`` and no ``history_``.
    """
    card, arrays = _read(content, filename)
    kind = _KINDS.get(str(card.get("kind")))
    if card.get("format") != FORMAT or kind is None:
        raise SLPError(f"{filename} was not saved by this program: {CARD} names no model it knows.")
    about = card.get("about", {})
    try:
        _need(isinstance(about, dict), "'about' is no object")
        model = _restored(kind, card, arrays)
    except (SLPError, _Misfit) as error:
        why = str(error).rstrip(".")
        raise SLPError(f"{filename} does not fit together ({why}): save the model again.") from None
    return model, about


def _read(content: bytes, filename: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    from safetensors.numpy import load

    what = f"a saved model, a .zip with {CARD} and {WEIGHTS}"
    unpacked = sum(_MOST_BYTES.values())
    with open_archive(content, filename, what=what, unpacked=unpacked) as package:
        for name, limit in _MOST_BYTES.items():
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


def _restored(
    kind: type[LineClassifier], card: dict[str, Any], arrays: dict[str, np.ndarray]
) -> LineClassifier:
    """The model, asked once; it minds the order of columns where it was fitted on named ones."""
    model = _made(kind, card, arrays)
    _check(model)  # of an array, so before it knows any names
    names = card.get("feature_names")
    if names is not None:
        _need(
            isinstance(names, list) and len(names) == model.n_features_in_,
            "not every column has a name",
        )
        _need(all(map(_is_column_name, names)), "the name of a column is no text, or too long")
        model.feature_names_in_ = np.array(names, dtype=object)
    return model


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
    classes = _classes(card.get("classes"), card.get("class_dtype"))
    numbers = card.get("numbers")
    _need(isinstance(numbers, dict), "it has no numbers")
    assert isinstance(numbers, dict)
    d = numbers.get("n_features_in_")
    _need(
        _is_whole(d, LIMITS.dimensions + 1) and d,
        f"'n_features_in_' is no number of dimensions up to {LIMITS.dimensions}",
    )
    assert isinstance(d, int)
    for name in {"spread_", "_floor", *({"scale_"} if kind is DeepSLPClassifier else ())}:
        _need(
            _is_number(numbers.get(name)) and numbers[name] > 0,
            f"{name!r} is not from 0 to {LARGEST_KEPT:g}",
        )
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
    if kind is not NearestCentroidClassifier and "line_fit" in card:
        model.line_fit_ = _line_fit(card["line_fit"], fit)
    if isinstance(model, DeepSLPClassifier) and any(f"history {n}" in arrays for n in _HISTORY):
        model.history_ = _history(arrays, len(fit))
    return model


def _line_fit(entry: Any, lines: tuple[Line, ...]) -> LineFit:
    """What the search for the lines came to."""
    _need(isinstance(entry, dict), "'line_fit' is no object")
    method, tolerance = entry.get("method"), entry.get("tolerance")
    _need(isinstance(method, str) and method in FINDERS, "the lines' method is none that it knows")
    sound = isinstance(tolerance, float) and 0 <= tolerance < np.inf
    _need(sound, "the lines' tolerance is no number from 0")
    return LineFit(lines, method, tolerance)


def _history(arrays: dict[str, np.ndarray], n_lines: int) -> dict[str, np.ndarray]:
    """Losses and learning rates by epoch."""
    rates = arrays.get("history learning_rate")
    epochs = rates.size if rates is not None else 0
    shapes = {"loss": (epochs, n_lines), "learning_rate": (epochs,)}
    return {name: _array(arrays, f"history {name}", shapes[name]) for name in _HISTORY}


def _shapes(kind: type[LineClassifier], n_lines: int, k: int, d: int) -> dict[str, tuple[int, ...]]:
    if kind is DeepSLPClassifier:
        heads = {"coef_": (n_lines, 2, k, d), "intercept_": (n_lines, 2, k), "_offset": (d,)}
        return {"centroids_": (k, d), **heads}
    slack = {"slack_": (n_lines,)} if kind is ConstraintSLPClassifier else {}
    return {"centroids_": (k, d), "soft_labels_": (n_lines, 2, k), **slack}


def _classes(names: Any, dtype: Any) -> np.ndarray:
    """The classes of a card; those of old files have no `dtype`."""
    _need(isinstance(names, list) and names, "it has no classes")
    _need(len(names) <= LIMITS.classes, f"it has more than {LIMITS.classes} classes")
    texts = all(isinstance(name, str) for name in names)
    alike = texts or all(isinstance(name, bool) for name in names) or all(map(_is_number, names))
    _need(alike, "classes are not all texts, all numbers or all truth values")
    if texts:
        short = all(len(name) <= _LONGEST_CLASS for name in names)
        _need(short, f"the name of a class has more than {_LONGEST_CLASS} characters")
        _need(all(name == as_text(name) for name in names), "the name of a class is no text")
    _need(names == sorted(set(names)), "classes are not in order")
    if dtype is None or (texts and dtype != "object"):
        return np.array(names)
    _need(isinstance(dtype, str) and dtype in _CLASS_DTYPES, "classes are of an unknown type")
    try:
        classes = np.array(names, dtype=dtype)
    except OverflowError:
        raise _Misfit(f"a class is too large for the type {dtype}") from None
    _need(classes.tolist() == names, f"the type {dtype} cannot hold every class")
    return classes


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
    if name == "history loss":
        barred = ~np.isfinite(array)  # of a line that had finished, or gone astray
    _need((barred | (np.abs(array) < LARGEST_KEPT)).all(), f"{name!r} holds what is no number")
    if name == "soft_labels_":
        shares = (array >= 0).all() and np.allclose(array.sum(axis=2), 1, rtol=0, atol=1e-6)
        _need(shares, "soft labels do not sum to 1")
    return array


def _is_whole(value: Any, below: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _is_column_name(value: Any) -> bool:
    return (
        isinstance(value, str) and len(value) <= LIMITS.name_characters and value == as_text(value)
    )


def _is_number(value: Any) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and abs(value) < LARGEST_KEPT


def _check(model: LineClassifier) -> None:
    """Ask the model once, so that one that gives no answers is refused here."""
    k = len(model.classes_)
    with np.errstate(all="ignore"):
        answer = model.predict_proba(model.centroids_)
    _need(answer.shape == (k, k) and np.isfinite(answer).all(), "it gives no probabilities")
