"""The script of every run: page config, navigation, frame."""

from pathlib import Path

import streamlit as st

from pages.session.rooms import ROOM
from pages.shell.looks import scripts, style
from pages.shell.phone import phone


def explorer() -> None:
    # A phone in a room does not wait for these
    from pages.session import settings
    from pages.session.lessons import PAGE
    from pages.shell.frame import after_page, after_question, current_workspace, frame
    from pages.shell.navigation import HOME, navigation, script
    from pages.shell.teaching import questions_on

    page = navigation()
    st.set_page_config(page_title=f"{page.title} – SLP Explorer")
    folder = page.url_path or HOME
    if settings.LECTURE.key in st.query_params and folder != PAGE:  # /?lecture=… is short to write
        st.switch_page(script(PAGE), query_params=st.query_params.to_dict())
    if places := frame(folder):
        asks = False
        if asked := questions_on(folder):
            from pages.shell.question import asks_first  # on demand: figures, which few links need

            asks = asks_first(asked, current_workspace())
        if asks:
            after_question(folder)
        else:
            page.run()
            after_page(places)
    scripts()


# Before the navigation, or the browser would fetch the page's icon from a server of fonts.
st.set_page_config(
    page_icon=str(Path(__file__).with_name("icon.svg")),
    layout="wide",
    menu_items={"About": "Look inside few-shot classifiers made of soft-label prototypes."},
)
style()
if ROOM in st.query_params:
    phone(st.query_params[ROOM])
else:
    explorer()
