"""Words in figures: wrapped, shortened, and harmless to Plotly's markup."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from slp_core.markdown import isolated

WIDTH, LINES = 48, 4
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


def shortened(name: str, length: int = 18) -> str:
    """A class name that fits a label on one line, markup and templates made harmless."""
    return html.escape(isolated(_cut(name, length)), quote=False).replace("%{", "&#37;{")


def labels_of(classes: Sequence[str], length: int = 18) -> tuple[str, ...]:
    """Names of classes as labels: `shortened`, and told apart where their beginnings are alike.

    Of long names that would be cut to the same letters, what they begin with in common is left out.
    """
    return _labels(tuple(classes), length)


@lru_cache(maxsize=256)
def _labels(classes: tuple[str, ...], length: int) -> tuple[str, ...]:
    lines = _told_apart([" ".join(name.split()) for name in classes], length)
    return tuple(shortened(line, length) for line in lines)


def _told_apart(lines: Sequence[str], length: int) -> list[str]:
    alike: dict[str, set[str]] = {}
    for line in lines:
        alike.setdefault(_cut(line, length), set()).add(line)
    tails: dict[str, str] = {}
    for several in filter(lambda group: len(group) > 1, alike.values()):
        ordered = sorted(several)
        first, last = ordered[0], ordered[-1]  # which have least in common
        differ = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
        same = next(differ, len(first))
        # From the word on in which they begin to differ, if it is not a very long one, or before,
        # where they end so soon that there is room for more.
        word = ordered[0].rfind(" ", 0, same) + 1
        start = word if same - word < length // 2 else same - 2
        room = min(map(len, ordered)) - length + 1
        start = min(start, max(room, same - length // 2))
        if start > 0:
            ends = [line[start:] for line in ordered]
            told = _told_apart(ends, length - 1)
            for line, end, tail in zip(ordered, ends, told, strict=True):
                tails[line] = f"…{end}" if tail == end else tail
    return [tails.get(line, line) for line in lines]


def _cut(name: str, length: int) -> str:
    line = " ".join(name.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def shares(
    soft_label: np.ndarray, classes: Sequence[str], write: Callable[[str], str] = str
) -> str:
    """Shares of a soft label from the largest down, those under half a percent left out.

    Classes in quotes, of which one may be called 5; longer than 40 letters they are cut, and then
    written by ``write``.
    """
    order = np.argsort(-soft_label, kind="stable")
    shown = [k for k in order if soft_label[k] >= 0.005]
    return ", ".join(f"“{write(_cut(classes[k], 40))}” {soft_label[k]:.2f}" for k in shown)
