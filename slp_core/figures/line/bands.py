"""The strip over w in brief, as it follows soft labels that are edited by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.bands import interval, winning_bands
from slp_core.explain.text import bands_text
from slp_core.figures.line.strip import WStripDisplay
from slp_core.figures.style.parts import scatter
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, class_style
from slp_core.sentences import count


@dataclass(frozen=True, eq=False)
class BandsDisplay(WStripDisplay):
    """Class scores over w and the examples; scores before an edit are dotted."""

    name = "bands"
    brief = True
    before: np.ndarray | None = None  # (2, K)

    @property
    def _before(self) -> np.ndarray:
        return self.soft_labels if self.before is None else self.before

    @property
    def _changed(self) -> np.ndarray:
        """The classes whose scores are dotted."""
        return np.flatnonzero(np.abs(self._before - self.soft_labels).max(axis=0) > 1e-9)

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        figure = super().figure(theme)
        before = self._before
        for k in self._changed.tolist():  # a straight line: soft label B at w = 0, A at w = 1
            look = {"color": class_style(k, theme).color, "width": 1.6, "dash": "dot"}
            name = labels_of(self.profile.classes, 40)[k]
            hover = {"hovertemplate": f"<b>{name}</b> before: %{{y:.3f}}<extra></extra>"}
            line = scatter([0.0, 1.0], before[::-1, k], "lines", line=look, showlegend=False)
            figure.add_traces([line | hover])
        return figure

    def table(self) -> pd.DataFrame:
        bands = winning_bands(*self.soft_labels)
        left, right = self.soft_labels[:, list(bands.classes)]
        names = [self.profile.classes[c] for c in bands.classes]
        ends = {"from": bands.edges[:-1], "to": bands.edges[1:]}
        return pd.DataFrame({"class": names, **ends, "A": left, "B": right})

    def sentence(self) -> str:
        w, bands = self.profile.examples["w"], winning_bands(*self.soft_labels)
        text = f"{bands_text(bands, self.profile.classes)} {count(len(w), 'query example')}"
        text += ": w from {} to {}.".format(*interval(w.min(), w.max())) if len(w) else "."
        return f"{text} Dotted: as fitted." if len(self._changed) else text
