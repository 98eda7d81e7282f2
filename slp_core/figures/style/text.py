"""Words in figures: wrapped, shortened, escaped for Plotly's markup, and placed apart."""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from slp_core.markdown import beginning, isolated
from slp_core.markdown import shortened as both_ends

WIDTH, LINES = 48, 4
LETTER = 0.6  # of its size that a letter takes across, about: letters are counted, never measured
HOVERED = 80  # letters of a class name in the hover of a point; that of its centroid has it whole


@lru_cache(maxsize=20_000)
def wrapped(text: str, width: int = WIDTH, lines: int = LINES) -> str:
    """Text as lines of at most ``width`` characters with ``<br>`` between, shortened with "…"."""
    words = " ".join(text[: 2 * width * lines].split())
    done = textwrap.wrap(words, width, break_on_hyphens=False)
    if len(done) > lines or len(text) > 2 * width * lines:
        done = done[:lines]
        done[-1] = done[-1][: width - 1].rstrip() + "…"
    return "<br>".join(html.escape(part, quote=False) for part in done)


def example_hover(true: str, predicted: str, text: str = "", more: str = "") -> str:
    """What a mark of an example says: its classes, ``more``, and its text if it has one."""
    head = f"true label <b>{true}</b>{predicted and f', predicted <b>{predicted}</b>'}{more}"
    return f"{head}<br>{wrapped(text)}" if text else head


def letters(label: str) -> int:
    """How many letters the longest line of a label has, without its markup."""
    lines = re.sub("<(?!br)[^>]*>", "", label).split("<br>")
    return max(len(html.unescape(line)) for line in lines)


def shortened(name: str, length: int = 18) -> str:
    """A name that fits a label on one line, markup and templates made harmless."""
    return _harmless(beginning(name, length))


def labels_of(classes: Sequence[str], length: int = 18) -> tuple[str, ...]:
    """Names of classes as labels: `shortened`, and distinct where their beginnings are alike."""
    return tuple(map(_harmless, _told_apart(tuple(classes), length)))


@lru_cache(maxsize=256)
def _told_apart(names: tuple[str, ...], length: int) -> tuple[str, ...]:
    """A distinct form of each name: its beginning, both its ends, or its number with it."""
    lines = [" ".join(name.split()) for name in names]
    labels = {line: beginning(line, length) for line in lines}
    number = {line: f"… ({place + 1})" for place, line in enumerate(labels)}
    for shorten in (
        lambda line: both_ends(line, length),
        lambda line: line[: length - len(number[line])] + number[line],
    ):
        count = Counter(labels.values())
        labels = {
            line: text if count[text] == 1 else shorten(line) for line, text in labels.items()
        }
    return tuple(labels[line] for line in lines)


@lru_cache(maxsize=4_096)
def _harmless(label: str) -> str:
    return html.escape(isolated(label), quote=False).replace("%{", "&#37;{")


def shares(
    soft_label: np.ndarray, classes: Sequence[str], write: Callable[[str], str] = str
) -> str:
    """Shares of a soft label from the largest down, those under half a percent left out."""
    order = np.argsort(-soft_label, kind="stable")
    shown = [k for k in order if soft_label[k] >= 0.005]
    names = _told_apart(tuple(classes), 40)
    return ", ".join(f"“{write(names[k])}” {soft_label[k]:.2f}" for k in shown)


_LINE_HEIGHT = 1.35  # of the font size
_SIDES = np.array(
    [(0, -1), (0, 1), (1, 0), (-1, 0), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]
)


def place_names(
    points: np.ndarray,
    names: Sequence[str],
    unit: float,
    font: float,
    radius: float,
    beneath: np.ndarray,
    frame: np.ndarray | tuple[float, float] = (-np.inf, np.inf),
) -> list[tuple[int, float, float]]:
    """Shifts in pixels for names beside their marks, where the fewest points are beneath.

    A name leaves the ``frame``, from its lower to its upper corner, only where it must.
    """
    marks, beneath = points * unit, beneath * unit
    boxes = np.column_stack([marks - 0.7 * radius, marks + 0.7 * radius])
    placed: list[tuple[int, float, float]] = []
    for index, (name, mark) in enumerate(zip(names, marks, strict=True)):
        size = np.array([LETTER * font * letters(name) + 4, _LINE_HEIGHT * font])
        shifts = _SIDES * (radius + size / 2)
        low, high = mark + shifts - size / 2, mark + shifts + size / 2
        free = ~_within(low, high, boxes[:, :2], boxes[:, 2:]).any(axis=1)
        if free.any():
            covered = _within(low, high, beneath, beneath).sum(axis=1)
            out = ((low < frame[0] * unit) | (high > frame[1] * unit)).any(axis=1)
            most = len(beneath) + 1
            best = int(np.where(free, covered + most * out, 2 * most).argmin())
            boxes = np.vstack([boxes, [*low[best], *high[best]]])
            placed.append((index, *shifts[best].tolist()))
    return placed


def _within(
    low: np.ndarray, high: np.ndarray, other_low: np.ndarray, other_high: np.ndarray
) -> np.ndarray:
    """(s, n) whether each of s boxes meets each of n others, by their corners."""
    apart = (low[:, None] >= other_high) | (other_low >= high[:, None])
    return np.logical_not(apart.any(axis=2))
