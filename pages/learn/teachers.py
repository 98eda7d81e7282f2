"""For teachers: links that open a lesson or page, hide controls and ask questions; lectures."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

import streamlit as st

from pages.session import settings
from pages.session.lectures import OWN, packed, wrong_with
from pages.session.lectures import begin as start
from pages.session.lessons import PAGE, address_of
from pages.shell.navigation import HOME, PAGES, app_address
from pages.shell.teaching import ASKABLE, HIDEABLE
from pages.widgets.chart import download
from pages.widgets.say import refuse
from slp_core.errors import SLPError
from slp_core.lessons.lecture import FILES, read_lecture
from slp_core.lessons.table import LESSONS

_FOLD = settings.fold("teachers")


def for_teachers() -> None:
    fold = st.expander(
        "For teachers: links and lectures",
        icon=":material/link:",
        **_FOLD.bound(opens="expanded"),
    )
    if not fold.open:  # the field to copy from is drawn by a large script
        return
    with fold:
        targets = {f"Lesson: {lesson.title}": name for name, lesson in LESSONS.items()}
        pages = {f"Page: {title}": page[0] for title, page in PAGES.items() if page[0] != PAGE}
        left, middle, right = st.columns(3, gap="medium")
        target = left.selectbox(
            "It opens",
            help="A page opens with the current settings.",
            **settings.LINK_TO.bound(next(iter(targets)), options=[*targets, *pages]),
        )
        hidden = middle.multiselect(
            "It hides",
            format_func=lambda name: HIDEABLE[name][0],
            help="Hidden controls keep their settings. This is no lock: anyone can change the URL.",
            **settings.LINK_HIDES.bound(options=list(HIDEABLE), opens="default"),
        )
        asked = right.multiselect(
            "It asks first",
            format_func=ASKABLE.__getitem__,
            help="Explore and Explain first show one example alone, to be guessed.",
            **settings.LINK_ASKS.bound(options=list(ASKABLE), opens="default"),
        )
        st.code(_link(targets.get(target), pages.get(target), hidden, asked), language=None)
        st.caption(
            "Whoever opens it has their own session: nobody else sees their uploads or changes."
        )
        _lecture()


def _lecture() -> None:
    name, file = next(iter(FILES.items()))
    st.markdown("**A lecture: scenes shown large, one at a time, by arrow keys or a clicker**")
    uploaded = st.file_uploader(
        "Your own lecture",
        type="toml",
        key="lecture file",
        help="Download the lecture, change its scenes in a text editor, and upload it here.",
    )
    if uploaded is not None:
        file = uploaded.getvalue()
        try:
            read_lecture(file, wrong_with)
        except SLPError as error:
            refuse(error)
            return
        name = packed(file)
    with st.container(horizontal=True):
        if st.button("Start lecture", icon=":material/slideshow:", on_click=start, args=(name,)):
            st.rerun()  # the whole page
        download("Download lecture", file, "lecture.toml")
    if len(name) > settings.LONGEST:
        st.caption("This lecture is too long for a link: share the file.")
    else:
        st.code(f"{app_address()}/{PAGE}?{settings.LECTURE.key}={name}", language=None)


def _link(lesson: str | None, page: str | None, hidden: list[str], asked: list[str]) -> str:
    words: dict[str, str | list[str]] = {}
    if lesson is not None:
        words |= address_of(LESSONS[lesson])
    else:
        now = parse_qs(settings.LINK.value or "")
        words |= {key: value for key, value in now.items() if key not in (*OWN, _FOLD.key)}
    words |= {settings.HIDDEN.key: hidden, settings.QUESTIONS.key: asked}
    folder = PAGE if lesson is not None else "" if page == HOME else page
    query = urlencode(words, doseq=True)
    return f"{app_address()}/{folder}{'?' if query else ''}{query}"
