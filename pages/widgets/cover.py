"""A page is not drawn before what a teacher's link asks was guessed (pages/shell/question.py)."""


def told(*_: object) -> bool:
    """Nothing is left to ask."""
    return True


def is_revealed(*_: object) -> bool:
    """Nothing is left to ask."""
    return True


def guess_first(*_: object) -> None:
    """Nothing is left to ask."""
