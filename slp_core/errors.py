"""Errors for users: each message is one plain sentence that says what to correct."""

import re

LONGEST_MESSAGE = 600
"""Characters; what is longer quotes somebody's data at length."""
_TAIL = 200  # of them that are kept of its end, which says what to mend
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class SLPError(ValueError):
    """Base of every error that the caller can correct; its text can be shown as it is.

    Parameters
    ----------
    message : str
        Names from somebody's file stand in it as they are: what no screen can show of them is
        taken out here, and of too long a message the middle.

    Examples
    --------
    >>> import slp_core as slp
    >>> try:
    ...     slp.find_lines([[0.0, 1.0]], method="straight")
    ... except slp.SLPError as error:
    ...     print(error)
    method must be 'recursive_regression', 'brute_force' or 'attraction', not 'straight'.
    """

    def __init__(self, message: object = ""):
        super().__init__(one_sentence(str(message)))


class DatasetError(SLPError):
    """A file, folder or table that cannot be read as a few-shot dataset.

    Parameters
    ----------
    message : str
    form : str, optional
        The same for whoever chooses columns in a form, and knows no arguments of functions.

    Examples
    --------
    >>> import io
    >>> import slp_core as slp
    >>> try:
    ...     slp.read_dataset(io.BytesIO(b""), "empty.csv")
    ... except slp.DatasetError as error:
    ...     print("empty.csv" in str(error))
    True
    """

    def __init__(self, message: str, form: str | None = None):
        super().__init__(message)
        self.form = one_sentence(form or message)


class EncoderError(SLPError):
    """An encoder that is unavailable, or that does not fit the data.

    Examples
    --------
    >>> import slp_core as slp
    >>> try:
    ...     slp.load_encoder("minilm")
    ... except slp.EncoderError as error:
    ...     print("did you mean" in str(error))
    True
    """


def missing(what: str, package: str, extra: str) -> SLPError:
    """The error of a package that comes with an extra of ours, and is not installed."""
    return SLPError(f"{what} needs the package {package}: {install(extra)}.")


def install(extra: str) -> str:
    return f'pip install "slp-explorer[{extra}]"'


class Cancelled(Exception):
    """Raised in a long computation after its ``cancelled()`` callback returned True."""


def one_sentence(message: str) -> str:
    """A message on one line, of at most `LONGEST_MESSAGE` characters."""
    shown = _UNSHOWABLE.sub(" ", message)
    if len(shown) <= LONGEST_MESSAGE:
        return shown
    return f"{shown[: LONGEST_MESSAGE - _TAIL - 3]} … {shown[-_TAIL:]}"
