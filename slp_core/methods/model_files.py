"""Model files without code: fitted classifiers as .zip, edited soft labels as JSON."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

import slp_core
from slp_core.data.archives import open_archive
from slp_core.data.limits import LIMITS, MB
from slp_core.data.table import as_text
from slp_core.errors import SLPError
from slp_core.lines import Line, LineFit, scaled_tolerance
from slp_core.methods.base import LineClassifier
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier

MODEL_FORMAT = "fitted soft-label prototypes, version 1"
SOFT_LABEL_FORMAT = "soft-label prototypes, version 1"
CARD, WEIGHTS = "model.json", "model.safetensors"
SIDES, FITTED_ON = ("left", "right"), ("shots", "draw")

_MOST_BYTES = {CARD: LIMITS.card_bytes, WEIGHTS: LIMITS.weights_bytes}
_LONGEST_JSON = 30 * MB  # enough for the largest number of classes and dimensions
_DAMAGE = SLPError, AttributeError, KeyError, IndexError, OverflowError, TypeError, ValueError
_LARGEST = 1e100  # bound of all numbers, so that distances are finite

# Arrays of each model with their shapes: K classes, d features, L lines, 2 ends, E epochs.
_LINES = {"centroids_": "Kd"}
_ARRAYS: dict[type[LineClassifier], dict[str, str]] = {
    NearestCentroidClassifier: _LINES | {"soft_labels_": "L2K"},
    ConstraintSLPClassifier: _LINES | {"soft_labels_": "L2K", "slack_": "L"},
    DeepSLPClassifier: _LINES | {"coef_": "L2Kd", "intercept_": "L2K"},
}
_HISTORY = {"loss": "EL", "learning_rate": "E"}
_KINDS = {kind.__name__: kind for kind in _ARRAYS}


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
            package.writestr(CARD, json.dumps(card, indent=1, default=_plain))
            package.writestr(WEIGHTS, save({n: np.ascontiguousarray(a) for n, a in arrays.items()}))
        model_from_bytes(file.getvalue(), "the new file")
    except SLPError as error:
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
        card = _json(raw_card, MODEL_FORMAT)
        return _model(card, arrays), dict(card.get("about", {}))
    except _DAMAGE as error:
        why = f"{CARD} lacks {error}" if type(error) is KeyError else str(error).rstrip(".")
        raise SLPError(f"{filename} is inconsistent ({why}): save the model again.") from None


def _model(card: dict[str, Any], arrays: dict[str, np.ndarray]) -> LineClassifier:
    """The model of a card and arrays, neither of which is trusted."""
    kind = _KINDS[_choice(card, "kind", tuple(_KINDS))]
    parameters = dict(card["parameters"])
    _need("callback" not in parameters, "callbacks cannot be saved")
    model = kind(**parameters)
    model._check_parameters()
    model.classes_ = _classes(card["classes"], card.get("class_dtype"))
    names, orders = list(map(str, model.classes_)), [line["classes"] for line in card["lines"]]
    d = arrays["centroids_"].shape[-1]
    _need(d <= LIMITS.dimensions, f"vectors have more than {LIMITS.dimensions:,} dimensions")
    sizes = {"K": len(names), "d": d, "L": len(orders), "2": 2}
    for name, lengths in _ARRAYS[kind].items():
        setattr(model, name, _array(arrays, name, [sizes[length] for length in lengths]))
    if "history loss" in arrays:
        sizes["E"] = len(arrays["history loss"])
        model.history_ = {
            name: _array(arrays, f"history {name}", [sizes[length] for length in lengths])
            for name, lengths in _HISTORY.items()
        }
    check_numbers(names, model.centroids_, getattr(model, "soft_labels_", ()))
    spread = card["numbers"]["spread_"]
    _need(0 < spread < _LARGEST, "the spread of its support set is not a positive number")
    model._set_units(float(spread), d)
    lines = _lines(orders, names, model.centroids_)
    if kind is not NearestCentroidClassifier:
        tolerance = scaled_tolerance(model.centroids_, model.tolerance, model.tolerance_scale)
        model.line_fit_ = LineFit(lines, tolerance)
    model._set_lines(lines)
    with np.errstate(all="ignore"):
        _need(
            np.isfinite(model.predict_proba(model.centroids_)).all(),
            "its probabilities are not finite",
        )
    if columns := card.get("feature_names"):
        _need(
            type(columns) is list and len(columns) == d,
            "the number of column names is not that of columns",
        )
        for name in columns:
            _check_name(name, "column", LIMITS.name_characters)
        model.feature_names_in_ = np.array(columns, dtype=object)
    return model


def _classes(names: Any, dtype: Any) -> np.ndarray:
    """The classes of a card with their type, which files of early versions lack."""
    kinds = {type(name) for name in names}
    alike = kinds in ({str}, {bool}) or kinds <= {int, float}
    _need(alike, "classes are not all texts, all numbers or all truth values")
    if kinds == {str}:
        check_classes(names)
    classes = np.array(names, dtype=None if kinds == {str} and dtype != "object" else dtype)
    _need(classes.dtype.kind in "biufOU", "classes are of an unknown type")
    sound = 0 < len(names) <= LIMITS.classes and classes.tolist() == names == sorted(set(names))
    _need(sound, f"there are not 1 to {LIMITS.classes} sorted classes of the type {dtype}")
    return classes


def _array(arrays: dict[str, np.ndarray], name: str, shape: list[int]) -> np.ndarray:
    array = arrays.get(name, np.empty(0))
    _need(list(array.shape) == shape, f"{name!r} is not of shape {shape}")
    _need(array.dtype == np.float64, f"{name!r} is not of 64-bit numbers")
    sound = np.abs(array) < _LARGEST
    if name == "intercept_":
        sound |= array == -np.inf  # excludes a class from a line
    if name == "history loss":
        sound |= ~np.isfinite(array)  # NaN for finished lines
    _need(sound.all(), f"{name!r} contains non-finite values")
    return array


def soft_labels_from_json(text: str | bytes, filename: str) -> dict[str, Any]:
    """The fields of EditedPrototypes in a file; SLPError names the wrong entry."""
    try:
        if len(text) > _LONGEST_JSON:
            raise SLPError(f"It is larger than {_LONGEST_JSON // MB} MB.")
        return _soft_label_fields(_json(text, SOFT_LABEL_FORMAT))
    except SLPError as error:
        raise SLPError(f"{filename}: {str(error).rstrip('.')}.") from None


def _soft_label_fields(content: dict[str, Any]) -> dict[str, Any]:
    entry: Any = content.get("centroids")
    lines: Any = content.get("lines")
    _need(entry and isinstance(entry, dict), 'It needs "centroids": a list for each class.')
    classes = tuple(sorted(entry))
    rows = [_numbers(entry[name], f'The centroid of "{name}"') for name in classes]
    for name, row in zip(classes, rows, strict=True):
        _need(
            0 < len(row) == len(rows[0]) <= LIMITS.dimensions,
            f'The centroid of "{name}" has {len(row)} coordinates, and that of "{classes[0]}" '
            f"{len(rows[0])}: give all the same number, at most {LIMITS.dimensions:,}.",
        )
    objects = isinstance(lines, list) and all(isinstance(line, dict) for line in lines)
    _need(objects, 'It needs "lines": a list with an entry for each line.')
    check_classes(classes)
    _need(len(lines) <= len(classes), f"It has {len(lines)} lines for {len(classes)} classes.")
    index = {name: i for i, name in enumerate(classes)}
    orders, soft_labels = [], np.zeros((len(lines), 2, len(classes)))
    for number, line in enumerate(lines, start=1):
        names = line.get("classes")
        _need(isinstance(names, list) and names, f'Line {number} needs "classes", in their order.')
        orders.append(_indices(names, index, f"Line {number}"))
        for side, name in enumerate(SIDES):
            what, shares = f"The {name} soft label of line {number}", line.get(name)
            _need(isinstance(shares, dict), f"{what} is missing: give the share of each class.")
            label = soft_labels[number - 1, side]
            label[_indices(shares, index, what)] = _numbers(list(shares.values()), what)
    centroids = np.array(rows)
    check_numbers(classes, centroids, soft_labels)
    total = soft_labels.sum(axis=2, keepdims=True)
    fitted_on = content.get("fitted on")
    if fitted_on is not None:
        fitted_on = tuple(fitted_on.get(n) for n in FITTED_ON) if type(fitted_on) is dict else ()
        whole = bool(fitted_on) and all(_is_whole(n, 2**31) for n in fitted_on)
        _need(
            whole, '"fitted on" must be like {"shots": 4, "draw": 0}: correct it, or take it out.'
        )
    return {
        "classes": classes,
        "centroids": centroids,
        "lines": _lines(orders, classes, centroids),
        # Sums of 1 up to rounding stay as written.
        "soft_labels": np.where(abs(total - 1) < 1e-12, soft_labels, soft_labels / total),
        "assignment": _choice(content, "assignment", ("segment", "prototype")),
        "distance": _choice(content, "distance", ("euclidean", "along_line")),
        "encoder": str(content.get("encoder", "")),
        "dataset": str(content.get("dataset", "")),
        "fitted_on": fitted_on,
    }


def _json(text: str | bytes, kind: str) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for name, times in Counter(name for name, _ in pairs).items():
            _need(times == 1, f"It has the entry {name!r} twice: remove one.")
        return dict(pairs)

    if isinstance(text, str):
        text = text.removeprefix("\ufeff")  # as the decoder does for bytes
    try:
        content = json.loads(text, object_pairs_hook=unique)
    except SLPError:
        raise
    except (ValueError, RecursionError) as error:
        raise SLPError(f"It is not JSON: {error}.") from None
    known = isinstance(content, dict) and content.get("format") == kind
    _need(known, f'It is not a file of this program: its "format" must be "{kind}".')
    found: dict[str, Any] = content
    return found


def check_classes(names: Sequence[Any]) -> None:
    """Raise for invalid class names, or too many."""
    _need(
        0 < len(names) <= LIMITS.classes,
        f"It has {len(names):,}, not 1 to {LIMITS.classes} classes",
    )
    for name in names:
        _check_name(name, "class", LIMITS.label_characters)


def check_numbers(classes: Sequence[str], centroids: np.ndarray, soft_labels: Any) -> None:
    """Raise for centroids that are too large, or soft labels that do not sum to 1."""
    for name, centroid in zip(classes, centroids, strict=True):
        _need(
            (np.abs(centroid) < _LARGEST).all(),
            f'The centroid of "{name}" has a coordinate that is not below {_LARGEST:g} in size: '
            "rescale the centroids.",
        )
    for number, pair in enumerate(soft_labels, start=1):
        for side, label in zip(SIDES, pair, strict=True):
            check_soft_label(label, f"The {side} soft label of line {number}")


def check_soft_label(label: np.ndarray, what: str) -> None:
    """Raise for a soft label with negative or non-finite shares, or another sum than 1."""
    sound = np.isfinite(label).all() and label.min() >= 0
    _need(sound, f"{what} has a share that is negative or not finite.")
    _need(abs(label.sum() - 1) <= 1e-6, f"{what} sums to {label.sum():.6g}, and must sum to 1.")


def _lines(orders: list[Any], classes: Sequence[str], centroids: np.ndarray) -> tuple[Line, ...]:
    """The lines through classes (by index, from end to end); each class is on exactly one."""
    lines, seen = [], dict[int, int]()
    for number, order in enumerate(orders, start=1):
        whole = isinstance(order, list) and all(_is_whole(c, len(classes)) for c in order)
        _need(whole and order, f"Line {number} has no classes.")
        for c in order:
            _need(
                c not in seen,
                f"{classes[c]!r} is on line {seen.get(c)} and again on line {number}.",
            )
            seen[c] = number
        line = Line.in_order(order, centroids)
        if line is None:
            names, found = (
                ", ".join(classes[c] for c in members)
                for members in (order, Line.through(order, centroids).classes)
            )
            raise SLPError(
                f"Line {number} lists its classes as {names}, but the order of their centroids is "
                f"{found}."
            )
        lines.append(line)
    for c, name in enumerate(classes):
        _need(c in seen, f"{name!r} has a centroid but is on no line.")
    return tuple(lines)


def _need(fits: object, why: str) -> None:
    if not fits:
        raise SLPError(why)


def _is_whole(value: Any, below: int) -> bool:
    return type(value) is int and 0 <= value < below


def _check_name(name: Any, what: str, longest: int) -> None:
    sound = isinstance(name, str) and name == as_text(name)
    _need(sound, f"the name of the {what} {name!r:.50} is not a text")
    _need(len(name) <= longest, f"the {what} {name[:20]!r} … has more than {longest} characters")


def _numbers(values: Any, what: str) -> np.ndarray:
    _need(isinstance(values, list), f"{what} is not a list of finite numbers.")
    for value in values:
        number = type(value) in (int, float) and abs(value) < 1e300
        _need(number, f"{what} has {value!r}, which is not a finite number.")
    return np.array(values, dtype=np.float64)


def _indices(names: Iterable[Any], index: dict[str, int], what: str) -> list[int]:
    for name in names:
        known = isinstance(name, str) and name in index
        _need(known, f"{what} names {name!r}, which has no centroid.")
    return [index[name] for name in names]


def _choice(content: dict[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    value: str = content.get(name, allowed[0])
    _need(value in allowed, f'"{name}" must be {" or ".join(allowed)}, not {value!r}.')
    return value


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    kind = type(value).__name__
    raise SLPError(f"a {kind} is not a number, a text, a list or a dict")
