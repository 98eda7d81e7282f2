"""Lessons: their texts, their workspaces, and questions with computed solutions."""
