"""The state of Learn's stage, which is a dataset too."""

from __future__ import annotations

from pages.session import settings
from slp_core.lessons.stage import OPENING, Stage, read_stage


def shown_stage() -> Stage:
    return read_stage(settings.STAGE.value) or OPENING
