"""The lessons, in the order in which they build on each other."""

from __future__ import annotations

from slp_core.lessons import (
    deep_slp,
    dimensions,
    ensemble,
    lines,
    meta_slp,
    soft_label,
    theorem1,
    theorem2,
    toy_example,
)
from slp_core.lessons.lesson import Lesson

LESSONS: dict[str, Lesson] = {
    module.LESSON.name: module.LESSON
    for module in (
        soft_label,
        toy_example,
        lines,
        theorem1,
        theorem2,
        dimensions,
        deep_slp,
        ensemble,
        meta_slp,
    )
}

SHORT_PATH = ("soft_label", "dimensions", "deep_slp")
"""Three lessons of about a minute each, to begin with."""
