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
