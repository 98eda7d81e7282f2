"""Whatever a visitor hands in is read apart from the server, and no longer than it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.session import settings
from slp_core.data.look import read_uploaded
from slp_core.data.parsing import read_apart
from slp_core.errors import SLPError

Result = TypeVar("Result")


def read_handed_in(
    function: Callable[..., Result], *args: Any, name: str, **options: Any
) -> Result:
    """Call a reader of :mod:`slp_core` on a file that was handed in."""
    return read_apart(function, *args, name=name, cancelled=_look_up, **options)


def _look_up() -> bool:
    """Let Streamlit end this run, which it does where its state is looked at."""
    return "a run that nobody waits for ends here" in st.session_state


def found_in(file: Any, function: Callable[..., Result], *args: Any) -> Result:
    """What a reader finds in the file under the upload panel; each question is asked once."""
    found = settings.UPLOAD_READ.of_this_visit()
    question = file.file_id, function, repr(args)
    if question not in found:
        for other in list(found):  # of another file; and one dataset is enough to keep
            if other[0] != file.file_id or other[1] is function is read_uploaded:
                del found[other]
        try:
            found[question] = read_handed_in(
                function, file.getvalue(), file.name, *args, name=file.name
            )
        except SLPError as error:
            found[question] = error
    result: Result | SLPError = found[question]
    if isinstance(result, SLPError):
        raise result
    return result
