"""The errors that users meet: each message is one plain sentence saying what to mend."""

LONGEST = 600  # characters of a message


def bounded(message: str) -> str:
    """A message that a person can read: a long one without its middle, where names stand."""
    if len(message) <= LONGEST:
        return message
    half = LONGEST // 2 - 2
    return f"{message[:half]} … {message[-half:]}"


class SLPError(ValueError):
    """Base of every error that is the caller's to mend; its text can be shown as it is.

    However long the names are that the message repeats, it is at most 600 characters long.
    """

    def __init__(self, message: str = ""):
        super().__init__(bounded(message))


class DatasetError(SLPError):
    """A file, folder or table that cannot be read as a few-shot dataset.

    Parameters
    ----------
    message : str
    form : str, optional
        The same for whoever chooses columns in a form, and knows no arguments of functions.
    """

    def __init__(self, message: str, form: str | None = None):
        super().__init__(message)
        self.form = bounded(form or message)


class EncoderError(SLPError):
    """An encoder that cannot be had, or that does not fit the data."""


class Cancelled(Exception):
    """Raised out of a long computation after its ``cancelled()`` callback returned True."""
