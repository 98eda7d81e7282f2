"""What a line's points are answered with their own distances, and with those along the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.profile import LineProfile
from slp_core.explain.voting import weighed
from slp_core.facts import Facts, Stated, fact
from slp_core.lines import vote_at


@dataclass(frozen=True, eq=False)
class HalfPlane(Stated):
    """The p points of a line under one of the two kinds of distance."""

    line: int
    along_line: bool
    as_it_votes: bool
    w: np.ndarray  # (p,)
    answered: np.ndarray  # (p,)
    n_right: int

    @property
    def title(self) -> str:
        """Which distances, and whose."""
        what = "along the line" if self.along_line else "of the points themselves"
        return f"{'As it votes' if self.as_it_votes else 'If it voted otherwise'}: distances {what}"

    def facts(self) -> Facts:
        """How many points are answered rightly."""
        line, n = self.line + 1, len(self.w)
        if not n:
            return (fact("half_plane.nobody", "No query point asks line {line}.", line=line),)
        is_or_be = "are" if self.as_it_votes else "would be"
        if n == 1:
            is_or_be = ("is" if self.as_it_votes else "would be") + ("" if self.n_right else " not")
            template = "The one point that asks line {line} " + is_or_be + " answered right."
        else:
            is_or_be = "is" if self.as_it_votes and self.n_right == 1 else is_or_be
            template = "{right:,} of the {n:,} points that ask line {line} " + is_or_be
            template += " answered right."
        counts = {"line": line, "n": n, "right": self.n_right, "along_line": self.along_line}
        if self.as_it_votes:
            return (fact("half_plane.right", template, **counts),)
        return (fact("half_plane.would_be_right", template, **counts),)


def half_planes(
    profile: LineProfile, along_line: bool, true: np.ndarray, predicted: np.ndarray
) -> tuple[HalfPlane, ...]:
    """A line's points as the method votes, and as it would with the other distances."""
    if profile.line.length == 0:
        return ()
    planes = [(along_line, profile.w, predicted)]
    if not along_line:
        planes.append((True, profile.along, profile.predicted_along))
    elif profile.soft_labels is not None:
        w = vote_at(profile.t, profile.r, profile.line.length, False)
        labels = np.broadcast_to(profile.soft_labels, (len(w), *profile.soft_labels.shape))
        planes.append((False, w, weighed(labels, w).argmax(axis=1)))
    return tuple(
        HalfPlane(
            profile.number, along, along == along_line, w, answered, int((answered == true).sum())
        )
        for along, w, answered in planes
    )
