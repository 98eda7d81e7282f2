"""A small picture of each cause of errors: what stands where when it happens."""

from __future__ import annotations

from urllib.parse import quote

from slp_core.figures.style.theme import Theme, class_style

_SIZE = (72, 48)
_RADIUS = 5


def cause_picture(kind: str, theme: Theme) -> str:
    """A data URL: the true class is a circle, another class a square, the example a ring."""
    true, other = (class_style(k, theme).color for k in (0, 1))
    shapes = _PICTURES[kind].format(text=theme.text, true=true, other=other, muted=theme.muted)
    width, height = _SIZE
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" fill="none" stroke-width="1.6">{shapes}</svg>'
    )
    return f"data:image/svg+xml,{quote(svg)}"


def _line(x1: float, y1: float, x2: float, y2: float, color: str, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="3 3"' if dashed else ""
    return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{{{color}}}"{dash}/>'


def _circle(x: float, y: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{{true}}"/>'


def _square(x: float, y: float) -> str:
    a, side = _RADIUS - 0.5, 2 * _RADIUS - 1
    return f'<rect x="{x - a}" y="{y - a}" width="{side}" height="{side}" fill="{{other}}"/>'


def _example(x: float, y: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{_RADIUS - 1}" stroke="{{true}}" stroke-width="2.4"/>'


_PICTURES = {
    "embedding": _line(44, 24, 62, 24, "muted", True)
    + _circle(10, 24)
    + _square(62, 24)
    + _example(42, 24),
    "line": _line(8, 12, 64, 12, "text")
    + _line(8, 40, 64, 40, "text")
    + _line(36, 22, 36, 12, "muted", True)
    + _square(8, 12)
    + _square(64, 12)
    + _circle(36, 40)
    + _example(36, 23),
    "concentration": _line(8, 42, 64, 42, "text")
    + _line(26, 8, 8, 42, "muted", True)
    + _line(26, 8, 64, 42, "muted", True)
    + _circle(8, 42)
    + _square(36, 42)
    + _square(64, 42)
    + _example(26, 8),
    "off_line": _line(8, 40, 64, 40, "text")
    + _line(36, 18, 36, 40, "muted", True)
    + _square(8, 40)
    + _square(64, 40)
    + _circle(36, 16)
    + _example(48, 20),
    "rule": _line(30, 4, 24, 44, "muted", True)
    + _circle(14, 24)
    + _square(58, 24)
    + _example(35, 24),
}
