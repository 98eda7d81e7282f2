"""Files without code: fitted classifiers as .zip, edited soft labels as JSON."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, get_args

import numpy as np

import slp_core
from slp_core.allowed import ABOVE_0, COUNT_OR_ZERO, NOT_NEGATIVE, Number
from slp_core.data.archives import open_archive
from slp_core.data.limits import LIMITS, MB
from slp_core.entries import Text, read_entries, written
from slp_core.errors import SLPError
from slp_core.lines import Line, LineFit, scaled_tolerance
from slp_core.methods.base import Assignment, Distance, LineClassifier
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier

MODEL_FORMAT = "fitted soft-label prototypes, version 1"
SOFT_LABEL_FORMAT = "soft-label prototypes, version 1"
CARD, WEIGHTS = "model.json", "model.safetensors"
SIDES = ("left", "right")

_MOST_BYTES = {CARD: LIMITS.card_bytes, WEIGHTS: LIMITS.weights_bytes}
_LARGEST = 1e100  # bound of all numbers, so that distances are finite
_NAME = Text(LIMITS.label_characters)

# Arrays of each model with their shapes: K classes, d features, L lines, 2 ends, E epochs.
_ARRAYS: dict[type[LineClassifier], dict[str, str]] = {
    NearestCentroidClassifier: {"centroids_": "Kd", "soft_labels_": "L2K"},
    ConstraintSLPClassifier: {"centroids_": "Kd", "soft_labels_": "L2K", "slack_": "L"},
    DeepSLPClassifier: {"centroids_": "Kd", "coef_": "L2Kd", "intercept_": "L2K"},
}
_HISTORY = {"loss": "EL", "learning_rate": "E"}
_KINDS = {kind.__name__: kind for kind in _ARRAYS}

# What the JSON of a saved model holds, and that of edited soft labels (slp_core/entries.py).
_CARD_ENTRIES: dict[str, Any] = {
    "format": MODEL_FORMAT,
    "kind": (*_KINDS,),
    "parameters": dict,
    "classes": [(_NAME, bool, Number(-_LARGEST, _LARGEST))],
    "class_dtype?": str,  # early versions lack it, and the names of features
    "lines": [{"classes": [COUNT_OR_ZERO]}],
    "numbers": {"spread_": Number(ABOVE_0, _LARGEST)},
    "feature_names?": [Text(LIMITS.name_characters)],
    "about?": dict,
}
SOFT_LABEL_ENTRIES: dict[str, Any] = {
    "format": SOFT_LABEL_FORMAT,
    "dataset?": str,
    "encoder?": str,
    "fitted on?": dict.fromkeys(("shots", "draw"), Number(0, 2**31, whole=True)),
    "assignment?": get_args(Assignment),
    "distance?": get_args(Distance),
    "lines": [{"classes": [_NAME], "left": {_NAME: NOT_NEGATIVE}, "right": {_NAME: NOT_NEGATIVE}}],
    "centroids": {_NAME: [Number(-_LARGEST, _LARGEST)]},
}


def save_model(model: LineClassifier, path: str | PathLike[str], **about: Any) -> None:
    """Write a fitted model to a file that :func:`load_model` reads.

    Parameters
    ----------
    model : fitted ConstraintSLPClassifier, DeepSLPClassifier or NearestCentroidClassifier
    path : str or path
        A .zip of JSON and safetensors; an existing file is overwritten.
    **about
        JSON values that describe the model.

    Raises
    ------
    SLPError
        For another kind of model, or one that could not be loaded again.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import slp_core as slp
    >>> model = slp.ConstraintSLPClassifier().fit([[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "model.zip")
    ...     slp.save_model(model, path)
    ...     slp.load_model(path).predict([[4, 1]]).tolist()
    ['B']
    """
    Path(path).write_bytes(model_to_bytes(model, **about))


def load_model(path: str | PathLike[str]) -> LineClassifier:
    """Load a fitted model from a file of :func:`save_model`.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    ConstraintSLPClassifier, DeepSLPClassifier or NearestCentroidClassifier
        Fitted; without ``history_`` if the file is from an early version.

    Raises
    ------
    SLPError
        The file is not a model, or is incomplete, too large or inconsistent.
    OSError
        It cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import slp_core as slp
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "model.zip")
    ...     slp.save_model(slp.NearestCentroidClassifier().fit([[0], [2]], ["a", "b"]), path)
    ...     slp.load_model(path).centroids_.tolist()
    [[0.0], [2.0]]
    """
    return model_from_bytes(Path(path).read_bytes(), Path(path).name)[0]


def model_to_bytes(model: LineClassifier, **about: Any) -> bytes:
    """The content of a file of :func:`save_model`, after checking that it can be loaded."""
    from safetensors.numpy import save

    kind = type(model)
    if kind not in _ARRAYS:
        raise SLPError(f"{kind.__name__} cannot be saved: only {', '.join(_KINDS)} can.")
    arrays = {name: getattr(model, name) for name in _ARRAYS[kind]}
    for name, history in getattr(model, "history_", {}).items():
        arrays[f"history {name}"] = history
    card = {
        "format": MODEL_FORMAT,
        "kind": kind.__name__,
        "slp_core": slp_core.__version__,
        "parameters": {k: v for k, v in model.get_params().items() if k != "callback"},
        "classes": model.classes_.tolist(),
        "class_dtype": model.classes_.dtype.name,
        "lines": [{"classes": line.classes} for line in model.lines_],
        "numbers": {"spread_": model.spread_},
        "feature_names": getattr(model, "feature_names_in_", np.empty(0)).tolist(),
        "about": about,
    }
    file = io.BytesIO()
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr(CARD, written(card))
            package.writestr(WEIGHTS, save({n: np.ascontiguousarray(a) for n, a in arrays.items()}))
        model_from_bytes(file.getvalue(), "the new file")
    except ValueError as error:  # also of texts that are none
        raise SLPError(
            f"{kind.__name__} cannot be saved because it could not be loaded again: {error}"
        ) from None
    return file.getvalue()


def model_from_bytes(
    content: bytes, filename: str = "The file"
) -> tuple[LineClassifier, dict[str, Any]]:
    """The fitted model in a file's content, and its description."""
    from safetensors.numpy import load

    what, unpacked = f"a saved model, a .zip with {CARD} and {WEIGHTS}", sum(_MOST_BYTES.values())
    with open_archive(content, filename, what=what, unpacked=unpacked) as package:
        for name, limit in _MOST_BYTES.items():
            if name not in package.namelist():
                raise SLPError(f"{filename} is not a saved model: it lacks {name}.")
            if package.getinfo(name).file_size > limit:
                raise SLPError(f"{filename}: {name} unpacks to more than {limit // MB} MB.")
        raw_card, weights = package.read(CARD), package.read(WEIGHTS)
    try:
        arrays = load(weights)
    except Exception as error:  # of several types
        raise SLPError(f"{filename}: {WEIGHTS} is damaged: save the model again.") from error
    try:
        card = read_entries(raw_card, _CARD_ENTRIES)
        return _model(card, arrays), card.get("about") or {}
    except (ValueError, TypeError, OverflowError) as error:
        why = str(error).rstrip(".")
        raise SLPError(f"{filename} is inconsistent ({why}): save the model again.") from None


def _model(card: dict[str, Any], arrays: dict[str, np.ndarray]) -> LineClassifier:
    """The model of a card with known entries, and of arrays, neither of which is trusted."""
    kind = _KINDS[card["kind"]]
    model: LineClassifier = kind().set_params(**card["parameters"])
    model._check_parameters()
    names, orders = card["classes"], [line["classes"] for line in card["lines"]]
    model.classes_ = _classes(names, card.get("class_dtype"))
    sizes = {"K": len(names), "L": len(orders), "2": 2}
    for name, shape in _ARRAYS[kind].items():
        setattr(model, name, _array(arrays, name, shape, sizes))
    check_sizes(*model.centroids_.shape)
    if "history loss" in arrays:
        model.history_ = {
            name: _array(arrays, f"history {name}", shape, sizes)
            for name, shape in _HISTORY.items()
        }
    check_soft_labels(getattr(model, "soft_labels_", np.empty((0, 2, 1))))
    model._set_units(float(card["numbers"]["spread_"]), model.centroids_.shape[1])
    lines = lines_through(orders, range(len(names)), model.centroids_)
    if kind is not NearestCentroidClassifier:
        tolerance = scaled_tolerance(model.centroids_, model.tolerance, model.tolerance_scale)
        model.line_fit_ = LineFit(lines, tolerance)
    model._set_lines(lines)
    with np.errstate(all="ignore"):
        if not np.isfinite(model.predict_proba(model.centroids_)).all():
            raise SLPError("its probabilities are not finite")
    if columns := card.get("feature_names"):
        if len(columns) != model.n_features_in_:
            raise SLPError("the number of column names is not that of columns")
        model.feature_names_in_ = np.array(columns, dtype=object)
    return model


def _classes(names: list[Any], dtype: str | None) -> np.ndarray:
    """The classes of a card with their type, which files of early versions lack."""
    texts = all(isinstance(name, str) for name in names)
    classes = np.array(names, dtype=None if texts and dtype != "object" else dtype)
    alike = len({type(name) for name in names}) == 1 and classes.dtype.kind in "biufOU"
    if not alike or not classes.tolist() == names == sorted(set(names)):
        raise SLPError(f"the classes are not sorted, distinct and of the type {dtype}")
    return classes


def _array(
    arrays: dict[str, np.ndarray], name: str, shape: str, sizes: dict[str, int]
) -> np.ndarray:
    """An array of a shape in letters, whose sizes are known or learnt from it."""
    array = arrays.get(name, np.empty(()))
    for letter, size in zip(shape, array.shape, strict=False):
        sizes.setdefault(letter, size)
    expected = tuple(sizes.get(letter) for letter in shape)
    if array.shape != expected or array.dtype != np.float64:
        raise SLPError(f"{name!r} is not of 64-bit numbers of shape {expected}")
    sound = np.abs(array) < _LARGEST
    if name == "intercept_":
        sound |= array == -np.inf  # excludes a class from a line
    if name == "history loss":
        sound |= ~np.isfinite(array)  # NaN for finished lines
    if not sound.all():
        raise SLPError(f"{name!r} contains non-finite values")
    return array


def check_sizes(n_classes: int, n_features: int) -> None:
    if not (0 < n_classes <= LIMITS.classes and 0 < n_features <= LIMITS.dimensions):
        raise SLPError(
            f"It has {n_classes:,} classes with centroids of {n_features:,} numbers, and must have "
            f"1 to {LIMITS.classes} classes and 1 to {LIMITS.dimensions:,} numbers."
        )


def check_soft_labels(soft_labels: np.ndarray) -> None:
    """Raise unless each of (L, 2, K) soft labels is a distribution."""
    least, total = soft_labels.min(axis=2), soft_labels.sum(axis=2)
    for line, side in np.argwhere(~((least >= 0) & (abs(total - 1) <= 1e-6))):
        raise SLPError(
            f"The {SIDES[side]} soft label of line {line + 1} sums to {total[line, side]:.6g}, and "
            f"its least share is {least[line, side]:.6g}: shares are at least 0 and sum to 1."
        )


def lines_through(
    orders: list[list[Any]], names: Iterable[Any], centroids: np.ndarray
) -> tuple[Line, ...]:
    """The lines through named classes, from end to end; each class is on exactly one."""
    index = {name: c for c, name in enumerate(names)}
    times = Counter(name for order in orders for name in order)
    for name in {**times, **index}:
        if name not in index:
            raise SLPError(f"The lines name {name!r}, which has no centroid.")
        if times[name] != 1:
            raise SLPError(f"The lines name {name!r} {times[name]} times, not once.")
    lines = []
    for number, order in enumerate(orders, start=1):
        if not order:
            raise SLPError(f"Line {number} has no classes.")
        members = [index[name] for name in order]
        line = Line.in_order(members, centroids)
        if line is None:
            named, found = list(index), Line.through(members, centroids).classes
            raise SLPError(
                f"Line {number} lists its classes as {', '.join(map(str, order))}, but the order "
                f"of their centroids is {', '.join(str(named[c]) for c in found)}."
            )
        lines.append(line)
    return tuple(lines)
