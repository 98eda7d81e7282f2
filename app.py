"""SLP Explorer: look inside few-shot classifiers made of soft-label prototypes.

The app's own script stands in a folder of its own: beside a folder called ``pages``, Streamlit
would take the first visitor's address for that of a script there, and say that it found none.
"""

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from pages.session.browser import BrowserCookie
from pages.session.sizes import share_heaps
from pages.shell import counters, fonts
from pages.shell.at_once import send_at_once
from pages.shell.downloads import keep_downloads
from pages.shell.guard import Guard
from pages.shell.imports import SCRIPT, steady_imports
from pages.shell.looks import Looks, scripts
from pages.shell.navigation import HOME, to_home
from pages.shell.packed import Packed
from pages.shell.paths import below
from pages.shell.rehearsal import running
from pages.shell.threads import one_thread_a_product
from pages.shell.ticks import tame_ticks

one_thread_a_product()
share_heaps()
steady_imports()
tame_ticks()
keep_downloads()
send_at_once()
app = st.App(
    SCRIPT,
    lifespan=running,
    routes=[
        Route(below(counters.PATH), counters.counters),
        Route(below(fonts.PATH), fonts.font),
        Route(below(f"/{HOME}"), to_home),
    ],
    middleware=[
        Middleware(Guard, head=scripts()),
        Middleware(BrowserCookie),
        Middleware(Looks),
        Middleware(Packed),
    ],
)
