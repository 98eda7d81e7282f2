"""Why a method answered as it did: in numbers, and in sentences computed from them."""

from slp_core.explain.answers import Answers, PointReading, read_answers, read_point

__all__ = ["Answers", "PointReading", "read_answers", "read_point"]
