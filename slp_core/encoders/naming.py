"""What encoders are called in sentences."""

from __future__ import annotations

from slp_core.markdown import named

_LONGEST = 80  # characters: uploads differ from what they came from at their titles' ends


class EncoderName(str):
    """An encoder's title in a sentence: in quotes, and never interpreted."""

    def __format__(self, spec: str) -> str:
        return named(str(self), _LONGEST)
