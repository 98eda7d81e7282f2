"""The stage of Learn as it is set, which is a dataset too."""

from __future__ import annotations

from pages.session import settings
from slp_core.lessons.stage import OPENING, Stage, read_stage


def shown_stage() -> Stage:
    """As the visitor left it, or as Learn opens."""
    return read_stage(settings.STAGE.value) or OPENING
