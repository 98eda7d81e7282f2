"""What a line's points are answered with their own distances, and with those along the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands
from slp_core.explain.profile import LineProfile
from slp_core.lines import vote_at


@dataclass(frozen=True, eq=False)
class HalfPlane:
    """The p points of a line under one of the two kinds of distance.

    Attributes
    ----------
    along_line : bool
        Whether distances are taken along the line.
    as_it_votes : bool
        Whether the method itself takes them so.
    w : (p,) array
        The left prototype's share of the vote with these distances.
    answered : (p,) int array
    n_right : int
        Points that are answered rightly.
    """

    along_line: bool
    as_it_votes: bool
    w: np.ndarray
    answered: np.ndarray
    n_right: int

    @property
    def title(self) -> str:
        """Which distances, and whose."""
        what = "along the line" if self.along_line else "of the points themselves"
        return f"{'As it votes' if self.as_it_votes else 'If it voted otherwise'}: distances {what}"

    def sentence(self) -> str:
        """How many points are answered rightly."""
        if not len(self.w):
            return "No query point asks this line."
        are = ("is" if self.n_right == 1 else "are") if self.as_it_votes else "would be"
        return (
            f"{self.n_right:,} of the {len(self.w):,} points that ask this line {are} answered "
            "right."
        )


def half_planes(
    profile: LineProfile, bands: Bands, along_line: bool, true: np.ndarray, predicted: np.ndarray
) -> tuple[HalfPlane, ...]:
    """A line's points as the method votes, and as it would with the other distances.

    Parameters
    ----------
    profile : LineProfile
        Of a line with p points.
    bands : Bands
        Of the line; where soft labels depend on the point, at any one of interest.
    along_line : bool
        Whether the method takes distances along the line.
    true, predicted : (p,) int arrays
        The points' classes, and what the method answers.

    Returns
    -------
    tuple of HalfPlane
        The method's own first; none for a line of no length. What soft labels that depend on the
        point would give each point at its own distances, a line knows only along the line.
    """
    if profile.line.length == 0:
        return ()
    planes = [(along_line, profile.w, predicted)]
    if not along_line:
        planes.append((True, profile.along, profile.answered_along))
    elif profile.soft_labels is not None:
        w = vote_at(profile.t, profile.r, profile.line.length, False)
        planes.append((False, w, bands.winners_at(w)))
    return tuple(
        HalfPlane(along, along == along_line, w, answered, int((answered == true).sum()))
        for along, w, answered in planes
    )
