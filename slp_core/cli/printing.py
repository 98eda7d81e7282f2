"""Output of commands: progress, notes and tables."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slp_core.progress import Progress


class ProgressLine:
    """Progress on standard error: one line rewritten on a terminal, else a line every 10 s."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._shown = time.monotonic()
        self._width = 0

    def __call__(self, label: str, state: Progress) -> None:
        """Show the progress of ``label``, at most every 0.1 s or 10 s."""
        now = time.monotonic()
        if now - self._shown < (0.1 if self._terminal else 10.0) and state.done < state.total:
            return
        self._shown = now
        left = "" if state.seconds_left is None else f", {state.seconds_left:.0f} s left"
        line = f"{label} {state.done}/{state.total}{left}"
        if self._terminal:
            print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the rewritten line."""
        if self._width:
            print(file=sys.stderr)


def fetch(encoder: str) -> None:
    """Download the model of an encoder's name that is not here, after saying its size."""
    from slp_core.encoders.choice import EncoderChoice
    from slp_core.encoders.hub import download, download_megabytes, is_here
    from slp_core.encoders.registry import HUB_PREFIX

    name = EncoderChoice.of(encoder).name
    model = name.removeprefix(HUB_PREFIX)
    if model in ("", name) or is_here(model):
        return
    note(f"{model} is downloaded once from the Hugging Face hub: {download_megabytes(model):,} MB.")
    progress = ProgressLine()
    download(model, lambda state: progress(f"{model}: downloading, MB", state))
    progress.end()


def note(line: str) -> None:
    print(line, file=sys.stderr)


def print_table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print aligned columns; the last one may be long."""
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        )
