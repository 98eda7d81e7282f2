"""One line of the benchmark: our time, a named peer's in the same run, and the goal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """``seconds`` (or of ``unit``) of ours and of the peer, for the same work on one machine."""

    what: str
    seconds: float
    peer: str | None
    peer_seconds: float | None
    goal: str
    unit: str = "s"

    def __str__(self) -> str:
        if self.peer is None or self.peer_seconds is None:
            return f"{self.what}: {self.seconds:.3g} {self.unit}{self._goal}"
        ratio = self.peer_seconds / self.seconds
        return (
            f"{self.what}: {self.seconds:.3g} {self.unit}, "
            f"{self.peer} {self.peer_seconds:.3g} {self.unit} = {ratio:.3g}×{self._goal}"
        )

    @property
    def _goal(self) -> str:
        return f"  (goal {self.goal})" if self.goal else ""
