"""Lessons: what they say, the workspace they set, and questions with computed solutions."""
