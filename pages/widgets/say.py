"""Error messages on a page, and what was wrong with a form."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session import settings
from pages.session.public import shown
from slp_core.errors import SLPError
from slp_core.markdown import literal


def refuse(why: Exception | str) -> None:
    """Show an error's message: the one place where pages do."""
    st.error(literal(shown(str(why))), icon=":material/error:")


def send(form: str) -> None:
    """In the callback of a form's button: a job that ends runs the page again without the press."""
    settings.SENT.set(form)
    settings.SENT_REFUSED.clear()


def read_sent(form: str, read: Callable[[], None]) -> None:
    """Read a form once it was sent; what is wrong with it is said until one is sent again."""
    if settings.SENT.value == form:
        try:
            read()
        except SLPError as error:
            settings.SENT_REFUSED.set((form, str(error)))
        settings.SENT.clear()
    refuse_sent(form)


def refuse_sent(form: str) -> None:
    of, why = settings.SENT_REFUSED.value
    if of == form:
        refuse(why)
