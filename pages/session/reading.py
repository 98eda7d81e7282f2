"""Whatever a visitor hands in is read apart from the server, and no longer than it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Kind
from slp_core.data.look import FileLook, ReadingOptions, look_at, read_uploaded, sheets_of
from slp_core.data.parsing import read_apart
from slp_core.errors import SLPError

Result = TypeVar("Result")


def read_handed_in(
    function: Callable[..., Result], *args: Any, name: str, **options: Any
) -> Result:
    """Call a reader of :mod:`slp_core` on a file that was handed in."""
    return read_apart(function, *args, name=name, cancelled=_look_up, **options)


def _look_up() -> bool:
    """Let Streamlit end this run, which it does where its state is looked at."""
    return "a run that nobody waits for ends here" in st.session_state


@dataclass
class HandedIn:
    """A file under the upload panel: each question about it is looked up once."""

    file_id: str  # what Streamlit knows the upload by
    name: str
    data: bytes
    _results: dict[Any, Any] = field(default_factory=dict)

    def sheets(self) -> tuple[tuple[str, ...], str | None]:
        """The sheets of a workbook, and the one to begin with; of other files none."""
        if not self.name.lower().endswith(".xlsx"):
            return (), None
        return self._ask(sheets_of)

    def look(self, options: ReadingOptions, kind: Kind | None = None, **told: str) -> FileLook:
        """Its table, or that of a sheet; and which column holds what, some by role being known."""
        return self._ask(look_at, options, kind, told)

    def dataset(self, options: ReadingOptions, columns: dict[str, Any]) -> FewShotDataset:
        return self._ask(read_uploaded, options, columns)

    def _ask(self, function: Callable[..., Result], *args: Any) -> Result:
        question = function, repr(args)
        if question not in self._results:
            if function is read_uploaded:  # one dataset is enough to keep
                self._results = {k: v for k, v in self._results.items() if k[0] is not function}
            try:
                result: Any = read_handed_in(function, self.data, self.name, *args, name=self.name)
            except SLPError as error:
                result = error
            self._results[question] = result
        result = self._results[question]
        if isinstance(result, SLPError):
            raise result
        found: Result = result
        return found
