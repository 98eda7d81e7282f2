"""Lessons: what they say, the workspace they set, and what is asked and answered by computation."""
