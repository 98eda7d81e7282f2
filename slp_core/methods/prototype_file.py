"""The file of prototypes made by hand, read entry by entry.

It is JSON: class centroids, the classes of each line from left to right, and the soft labels at its
two ends, whose prototypes are the centroids of the classes there. It is checked by hand: what may
be wrong is how entries go together, each told in a sentence, not their types.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform

from slp_core.data.limits import LIMITS, MB
from slp_core.data.table import as_text
from slp_core.errors import SLPError
from slp_core.lines import Line, project_on_segments
from slp_core.methods.base import LARGEST_KEPT

FORMAT = "soft-label prototypes, version 1"
SIDES = ("left", "right")
FITTED_ON = ("shots", "draw")
_LONGEST_FILE = 30 * MB  # of as many classes and coordinates as are allowed, with all digits
_MOST_DRAWS = 2**31
_TOLERANCE = 1e-6  # by which a soft label may miss a sum of 1
_ROUNDING = 1e-12  # of places on a line, as a share of how far its centroids are from the origin


def read_content(text: str | bytes, filename: str) -> Mapping[str, Any]:
    """The object that a file holds.

    Raises
    ------
    SLPError
        The file is too large, no JSON, of another kind, or gives a name twice.
    """
    if len(text) > _LONGEST_FILE:
        raise SLPError(
            f"{filename} is larger than {_LONGEST_FILE // MB} MB: give fewer classes, or "
            "coordinates with fewer digits."
        )

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        entries = dict(pairs)
        if len(entries) < len(pairs):
            (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
            raise SLPError(f"{filename} gives {twice!r} twice in one place: take one of them out.")
        return entries

    if isinstance(text, str):
        text = text.removeprefix("\ufeff")  # as the decoder itself does with bytes
    try:
        content = json.loads(text, object_pairs_hook=unique)
    except SLPError:
        raise
    except (ValueError, RecursionError) as error:
        raise SLPError(f"{filename} is not JSON: {error}.") from None
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise SLPError(
            f'{filename} holds no hand-made prototypes: its "format" must be "{FORMAT}".'
        )
    return content


def read_centroids(entry: Any, filename: str) -> tuple[tuple[str, ...], np.ndarray]:
    """Classes in the order of texts, and their centroids (K, d).

    Raises
    ------
    SLPError
        Names the class to mend.
    """
    if not isinstance(entry, Mapping) or not entry:
        raise SLPError(f'{filename} needs "centroids": for each class the list of its coordinates.')
    if len(entry) > LIMITS.classes:
        raise SLPError(
            f'{filename} has {len(entry):,} "centroids", more than {LIMITS.classes} classes: give '
            "fewer."
        )
    classes = tuple(sorted(entry))
    if long := [name for name in classes if len(name) > LIMITS.label_characters]:
        raise SLPError(
            f'{filename}: the class "{long[0][:20]} …" has a name of more than '
            f"{LIMITS.label_characters} characters: shorten it."
        )
    if odd := [name for name in classes if name != as_text(name)]:
        raise SLPError(f"{filename}: the class {odd[0]!r} has a name that is no text: change it.")
    rows = [_numbers(entry[name]) for name in classes]
    for name, row in zip(classes, rows, strict=True):
        if row is None or not len(row):
            raise SLPError(f'{filename}: the centroid of "{name}" is not a list of finite numbers.')
        if rows[0] is not None and len(row) != len(rows[0]):
            raise SLPError(
                f'{filename}: the centroid of "{name}" has {len(row)} coordinates, and that of '
                f'"{classes[0]}" {len(rows[0])}: give all the same number.'
            )
        if row is not None and len(row) > LIMITS.dimensions:
            raise SLPError(
                f'{filename}: the centroid of "{name}" has more than {LIMITS.dimensions:,} '
                "coordinates: give fewer."
            )
        check_centroid(row, f'{filename}: the centroid of "{name}"')
    return classes, np.array(rows)


def read_lines(
    entries: Any, classes: tuple[str, ...], centroids: np.ndarray, filename: str
) -> tuple[tuple[Line, ...], np.ndarray]:
    """Lines, each in the order that is given, and their soft labels (L, 2, K).

    Raises
    ------
    SLPError
        Names the line to mend.
    """
    if not isinstance(entries, list) or not all(isinstance(e, Mapping) for e in entries):
        raise SLPError(f'{filename} needs "lines": a list with an entry for each line.')
    if len(entries) > len(classes):
        raise SLPError(
            f"{filename} has {len(entries):,} lines for {len(classes):,} classes: a class is on "
            "one line."
        )
    index = {name: i for i, name in enumerate(classes)}
    seen: dict[str, int] = {}
    lines = []
    soft_labels = np.zeros((len(entries), 2, len(classes)))
    for number, entry in enumerate(entries, start=1):
        names = entry.get("classes")
        if not isinstance(names, list) or not names:
            raise SLPError(f'{filename}: line {number} needs "classes", from left to right.')
        for name in names:
            if not isinstance(name, str) or name not in index:
                raise SLPError(f"{filename}: line {number} names {name!r}, which has no centroid.")
            if name in seen:
                raise SLPError(
                    f"{filename}: {name!r} is on line {seen[name]} and again on line {number}: a "
                    "class is on one line."
                )
            seen[name] = number
        members = [index[name] for name in names]
        line = _line_in_order(members, centroids)
        if line is None:
            found = [classes[c] for c in Line.through(members, centroids).classes]
            raise SLPError(
                f"{filename}: line {number} lists its classes as {', '.join(names)}, but by their "
                f"centroids they stand as {', '.join(found)}."
            )
        lines.append(line)
        for side, name in enumerate(SIDES):
            soft_labels[number - 1, side] = _read_soft_label(
                entry.get(name), index, f"{filename}: the {name} soft label of line {number}"
            )
    if missing := [name for name in classes if name not in seen]:
        raise SLPError(f"{filename}: {missing[0]!r} has a centroid and is on no line.")
    return tuple(lines), soft_labels


def _line_in_order(members: list[int], centroids: np.ndarray) -> Line | None:
    """The line of classes that stand as listed; None where they do not.

    Of the two ends the class that comes first is the left one, as on every line. What distances
    leave open the list says: which of several furthest pairs the ends are, and in what order
    classes at one place stand.
    """
    points = centroids[members]
    rounding = _ROUNDING * float(np.linalg.norm(points, axis=1).max())
    between = squareform(pdist(points))
    length = float(between[0, -1])
    t, offset = project_on_segments(points, points[:1], points[-1:])
    positions, offsets = np.clip(t[:, 0], 0.0, length), offset[:, 0]
    positions[0], positions[-1] = 0.0, length
    offsets[[0, -1]] = 0.0
    furthest = members[0] <= members[-1] and length >= between.max() - rounding
    if not furthest or np.diff(positions).min(initial=0.0) < -rounding:
        return None
    return Line(tuple(members), np.maximum.accumulate(positions), offsets, length)


def _read_soft_label(entry: Any, index: Mapping[str, int], what: str) -> np.ndarray:
    if not isinstance(entry, Mapping):
        raise SLPError(f"{what} is missing: give the share of each class.")
    label = np.zeros(len(index))
    for name, share in entry.items():
        if name not in index:
            raise SLPError(f"{what} names {name!r}, which has no centroid.")
        value = _numbers([share])
        if value is None:
            raise SLPError(f"{what} gives {name!r} {share!r}, which is not a number.")
        label[index[name]] = value[0]
    check_soft_label(label, what)
    total = label.sum()
    # What was written down to the last digit comes back to the last digit.
    return label if abs(total - 1) < 1e-12 else label / total


def check_soft_label(label: np.ndarray, what: str) -> None:
    """Refuse shares that are negative, not finite, or do not sum to 1."""
    if not np.isfinite(label).all() or label.min() < 0:
        raise SLPError(f"{what} has a share that is negative or not finite.")
    if abs(label.sum() - 1) > _TOLERANCE:
        raise SLPError(f"{what} sums to {label.sum():.6g}, and must sum to 1.")


def check_centroid(centroid: np.ndarray, what: str) -> None:
    """Refuse a coordinate that is too large for the squares of distances."""
    if not (np.abs(centroid) < LARGEST_KEPT).all():
        raise SLPError(
            f"{what} has a coordinate that is not below {LARGEST_KEPT:g} in size: give the "
            "centroids in another unit."
        )


def _numbers(values: Any) -> np.ndarray | None:
    """A list of finite numbers as an array; None for anything else."""
    usable = isinstance(values, list) and all(
        isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < 1e300 for v in values
    )
    return np.array(values, dtype=np.float64) if usable else None


def read_fitted_on(entry: Any, filename: str) -> tuple[int, int] | None:
    """Shots and draw of the support set; None where the file says nothing.

    Raises
    ------
    SLPError
    """
    if entry is None:
        return None
    numbers = [entry.get(name) for name in FITTED_ON] if isinstance(entry, Mapping) else [None] * 2
    shots, draw = (n if type(n) is int and 0 <= n < _MOST_DRAWS else None for n in numbers)
    if shots is None or draw is None:
        raise SLPError(
            f'{filename}: "fitted on" must be like {{"shots": 4, "draw": 0}}: correct it, or take '
            "it out."
        )
    return shots, draw


def read_choice(
    content: Mapping[str, Any], name: str, allowed: tuple[str, ...], filename: str
) -> str:
    """One of the allowed words: the first where the file says nothing."""
    value = content.get(name, allowed[0])
    if value not in allowed:
        raise SLPError(f'{filename}: "{name}" must be {" or ".join(allowed)}, not {value!r}.')
    return value
