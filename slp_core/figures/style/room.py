"""Room for the labels of axes, known before a chart is drawn.

plotly.js draws a whole chart, sees that the labels of its axes need more room than the margins are,
and draws all of it again. Where the margins have that room from the start, it is drawn once. What
is reckoned here is a little more than the labels take; where it is less, as in a font of wide
letters, plotly.js makes the room as before.
"""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

# Widths of Source Sans' letters, in its size: those of its file, rounded up.
_WIDTHS = {
    0.28: " ',.:;ij|Il",
    0.35: "!f()-[]{}/\\rt▸",
    0.43: "*?sz",
    0.5: '"#$+0123456789<=>FJLY^_cekvxy~−',
    0.55: "VXagAESTZ`hnou",
    0.6: "CPRbdpqBK",
    0.68: "&DGNUHOQ",
    0.75: "wM",
    0.85: "%@mW",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHERS, _WIDE = 0.68, 1.0  # marks of classes and most alphabets; Chinese, Japanese, Korean
_LINE = 1.3  # lines are so high, in the size of their letters
_TICKS, _TITLE = 12, 13  # sizes of letters where an axis does not say
_OUTSIDE = 5  # px of a tick that points outside
_MOST_TICKS = 10  # that an axis has where it does not say
_PAD = 12  # px beside the labels, or the least margin
_NEAR = 1  # px between an axis and its labels
_NUMBER = "0.00"  # stands for those of an axis without a range
_TAG = re.compile(r"<[^>]*>")
_BREAK = re.compile(r"<br\s*/?>")


def margins_with_room(layout: Mapping[str, Any]) -> dict[str, Any]:
    """The margins of a layout, wide enough for the labels of its left and lower axes."""
    margin = dict(layout["margin"])
    left, below = _depths(layout, "y"), _depths(layout, "x")
    grown = {side for side, depths in (("l", left), ("b", below)) if depths}
    pad = min([_PAD, *(margin[side] for side in "lrtb" if side not in grown)])
    if left:
        margin["l"] = max(margin["l"], math.ceil(pad + max(left)))
    if below:
        margin["b"] = max(margin["b"], math.ceil(pad + max(below)))
    return margin


def text_width(text: str, size: float) -> float:
    """Pixels that the longest line of a text takes, markup left out, or a few more."""
    lines = (html.unescape(_TAG.sub("", line)) for line in _BREAK.split(text))
    return size * max(sum(map(_letter_width, unicodedata.normalize("NFC", line))) for line in lines)


def _letter_width(letter: str) -> float:
    plain = unicodedata.normalize("NFD", letter)[0]  # without its accent
    if plain in _WIDTH:
        return _WIDTH[plain]
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0.0
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _OTHERS


def _depths(layout: Mapping[str, Any], letter: str) -> list[float]:
    """Pixels that each axis at the edge takes of the margin; ``letter`` is x or y."""
    return [
        _depth(axis, letter)
        for name, axis in layout.items()
        if name.startswith(f"{letter}axis")
        and axis.get("automargin")
        and axis.get("visible", True)
        and axis.get("side", "left") in ("left", "bottom")
        and _starts_at_edge(layout, axis, "x" if letter == "y" else "y")
    ]


def _starts_at_edge(layout: Mapping[str, Any], axis: Mapping[str, Any], other: str) -> bool:
    anchor = axis.get("anchor", other)
    crossing = layout.get(f"{other}axis{anchor[1:]}", {})
    return float(crossing.get("domain", (0, 1))[0]) == 0


def _depth(axis: Mapping[str, Any], letter: str) -> float:
    title = axis.get("title") or {}
    depth = 0.0
    if title.get("text") is not None:
        depth += title.get("font", {}).get("size", _TITLE) + (title.get("standoff") or 0)
    if not axis.get("showticklabels", True):
        return depth
    size = (axis.get("tickfont") or {}).get("size", _TICKS)
    labels = [str(label) for label in _labels(axis)]
    wide = max((text_width(label, size) for label in labels), default=0.0)
    high = max((len(_BREAK.split(label)) for label in labels), default=0) * _LINE * size
    angle = math.radians(axis.get("tickangle") or 0)
    across, along = (high, wide) if letter == "x" else (wide, high)
    depth += abs(math.cos(angle)) * across + abs(math.sin(angle)) * along
    depth += _NEAR + (axis.get("ticklabelstandoff") or 0)
    return depth + (axis.get("ticklen", _OUTSIDE) if axis.get("ticks") == "outside" else 0)


def _labels(axis: Mapping[str, Any]) -> Iterable[str]:
    """What stands at the ticks, or is as long."""
    for names in ("ticktext", "categoryarray"):
        if axis.get(names) is not None:
            return axis[names]
    if "%" in (axis.get("tickformat") or ""):
        return ["100%"]
    ends = axis.get("range")
    if ends is None or not all(isinstance(end, (int, float)) for end in ends):
        return [_NUMBER]
    span = abs(ends[1] - ends[0])
    step = max(span / (axis.get("nticks") or _MOST_TICKS), 1e-12)
    decimals = max(0, -math.floor(math.log10(_rounded_up(step)) + 1e-9))
    return [f"{end:.{decimals}f}".replace("-", "−") for end in ends]


def _rounded_up(step: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= step * (1 - 1e-9))
