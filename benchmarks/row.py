"""One line of the benchmark's table: our time, a named peer's or a limit's in the same run."""

from __future__ import annotations

from dataclasses import dataclass

HEADER = "| what | ours | peer or limit | ratio (least to most) | goal |\n|---|---|---|---|---|"


@dataclass(frozen=True)
class Row:
    """``seconds`` of ours and of the peer, for the same work on the same machine.

    Parameters
    ----------
    what
    seconds
        Ours: the median of the repeats.
    peer
        Its name; None where there is none.
    peer_seconds
        The peer's median.
    goal
    spread
        The least and the greatest ratio among the repeats, peer's seconds over ours.
    unit
        Of what is called seconds, where it is something else.
    """

    what: str
    seconds: float
    peer: str | None
    peer_seconds: float | None
    goal: str
    spread: tuple[float, float] | None = None
    unit: str = "s"

    def __str__(self) -> str:
        ours = f"| {self.what} | {self.seconds:.3g} {self.unit} |"
        if self.peer is None or self.peer_seconds is None:
            return f"{ours} | | {self.goal} |"
        ratio = f"{self.peer_seconds / self.seconds:.3g}×"
        if self.spread is not None:
            ratio += f" ({self.spread[0]:.3g} to {self.spread[1]:.3g})"
        return f"{ours} {self.peer}: {self.peer_seconds:.3g} {self.unit} | {ratio} | {self.goal} |"
