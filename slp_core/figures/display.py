"""A result and everything that shows it, in one object: figure, table and words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.style.ring import Spot
from slp_core.figures.style.theme import LIGHT, Theme

Scope: TypeAlias = Literal["draw", "draws", "predictions", "shots", "data", ""]
"""What some content depends on: one draw and method, all draws of a method, one draw whatever the
method, one number of shots whatever draw and method, the data and their encoder alone, or none of
what is on the table."""


@dataclass(frozen=True, eq=False)
class Display(ABC):
    """Base of the displays: frozen dataclasses of a result and the options of its drawing."""

    name: ClassVar[str]
    scope: ClassVar[Scope] = "draw"
    key: str = field(default="", kw_only=True)

    @abstractmethod
    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Draw it."""

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Where the chosen point stands, if one is chosen and this shows it."""
        return ()

    def thinned_text(self) -> str:
        """That not all points are drawn, where that is so; it stands below the figure."""
        return ""

    @abstractmethod
    def sentence(self) -> str:
        """What the figure shows, in Markdown: its alternative text."""

    @abstractmethod
    def table(self) -> pd.DataFrame:
        """The same content in rows."""
