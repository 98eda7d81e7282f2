"""A line's predictions with full distances, and with distances projected onto the line."""

from __future__ import annotations

from dataclasses import replace

from slp_core.explain.places import weighed
from slp_core.explain.profile import LineProfile
from slp_core.lines import weight_at


def half_planes(profile: LineProfile, along_line: bool) -> dict[bool, LineProfile]:
    """A line with the method's own distances, projected or not, and with the others."""
    if profile.line.length == 0:
        return {}
    each, planes = profile.examples, {along_line: profile}
    if not along_line:
        projected = each.assign(w=each["along"], predicted=each["predicted_along"])
        planes[True] = replace(profile, examples=projected)
    elif profile.soft_labels is not None:
        w = weight_at(each["t"].to_numpy(), each["r"].to_numpy(), profile.line.length)
        full = each.assign(w=w, predicted=weighed(profile.soft_labels, w).argmax(axis=1))
        planes[False] = replace(profile, examples=full)
    return planes
