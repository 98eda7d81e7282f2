"""The URL: which view it requests, and writing the current view to it.

It is read when a visit begins, where Back or Forward leads, and by a link from one page to another;
any other run follows a choice, and a slow browser may still say the URL of before it. It is written
when a page is drawn: a step to go back from where something was chosen on the same page. What is
folded or not is no step: it is written with the next one, or when the whole page is drawn.
"""

from __future__ import annotations

from functools import cache
from itertools import count
from pathlib import Path
from time import time_ns
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

import streamlit as st

from pages.session import settings
from pages.session.component import component
from pages.session.files import WORKSPACE
from pages.session.old_links import current_names
from pages.session.settings import Setting
from pages.session.text import refused_text, unknown_text
from slp_core.methods.options import Choice, Option
from slp_core.methods.table import METHODS

BACK = "back"  # in the query, by address.js: when Back or Forward led there
OF_LONG_AGO = ("whole_table", "show_controls")  # what links may name and the page shows anyway
RUN = "run_"  # before the keys of options that Train has beside the sidebar's
_component = component(__file__, "address")
_count = count(time_ns() // 10**6)  # a server that starts anew must not count as the last one


def read_url(page: str) -> dict[str, list[str]] | None:
    """What the URL requests, by key, if a page run is to read it; at its beginning."""
    requested = {key: st.query_params.get_all(key) for key in st.query_params}
    mark = "".join(requested.pop(BACK, ()))
    back = mark not in ("", settings.BACK.value)  # a browser may say again what was read before
    requested = current_names(requested)
    first, moved = settings.REQUESTED.value is None, settings.PAGE.value != page
    shown = settings.SHOWN.value
    settings.SHOWN.set({})
    settings.PAGE.set(page)
    settings.WRITE_AT_ONCE.set(None)
    if first:
        settings.REQUESTED.set(dict(requested))
    if moved:  # the fields of its forms are empty again
        settings.SENT_REFUSED.clear()
    if back:  # what it does not name stands as the page opens
        settings.BACK.set(mark)
        settings.LINK_PAGE.set("")  # no further step
        for setting in shown.values():
            stays = setting.key in requested or setting.key.startswith(settings.FOLDED)
            if not stays and _is_short(setting):
                setting.clear()
        settings.READ.set(frozenset(shown))
    return requested if first or back or (moved and requested) else None


def apply_url(requested: dict[str, list[str]]) -> None:
    for key, texts in requested.items():
        setting = known(key)
        value = None if setting is None else setting.read(texts)
        if setting is not None and value is not None:
            setting.set(value)
    settings.READ.set(settings.READ.value | frozenset(requested))


def _query(drawn: bool = True) -> str:
    """The query that opens the current view: all settings that differ from the opening."""
    openings, shown = settings.OPENINGS.value, settings.SHOWN.value
    values = {key: (setting, setting.value) for key, setting in shown.items()}
    requested: dict[str, str | list[str]] = {
        key: setting.write(value)
        for key, (setting, value) in values.items()
        if value is not None and value != openings[key] and _is_short(setting)
    }
    if settings.MISSING.value:  # a tab that is connected anew asks for it again
        requested[settings.DATASET.key] = settings.MISSING.value
    if not drawn:  # what only the page shows stays as it was
        others = (key for key in st.query_params if key not in (BACK, *shown))
        requested |= {key: st.query_params.get_all(key) for key in others}
    return urlencode(requested, doseq=True)


def write_address(page: str, drawn: bool = True) -> None:
    """Write the current view to the URL, now that a page is drawn or still loading."""
    now, before = _query(drawn), settings.LINK.value
    steps = before is not None and settings.LINK_PAGE.value == page and _is_step(before, now)
    settings.LINK.set(now)
    settings.LINK_PAGE.set(page if drawn else "")  # what is written then is the same step
    settings.WRITE_AT_ONCE.set(_write_again if drawn else None)
    if steps:
        _push(now)
    # Its data are others each time: it looks at the address only then.
    data = {"query": None if steps else now, "run": next(_count)}
    _component(key="address", data=data, height="content")


def leave_for(script: str, **changed: str) -> None:
    """Open another page; Back leads to this one with its present query and what is changed."""
    here: dict[str, Any] = {key: st.query_params.get_all(key) for key in st.query_params}
    here.pop(BACK, None)
    settings.PAGE.set(Path(script).parent.name)  # which reads nothing of that address
    st.switch_page(script, query_params=here | changed)


def _write_again() -> None:
    now = _query()
    if _is_step(settings.LINK.value or "", now):
        settings.LINK.set(now)
        _push(now)


def _is_step(before: str, now: str) -> bool:
    """Whether Back is to lead from one query to the other."""
    old, new = (
        [each for each in parse_qsl(query, True) if not each[0].startswith(settings.FOLDED)]
        for query in (before, now)
    )
    return old != new


def _push(query: str) -> None:
    st.query_params.from_dict(parse_qs(query, keep_blank_values=True))


def _is_short(setting: Setting[Any]) -> bool:
    return len("".join(setting.write(setting.value))) <= settings.LONGEST


def note_refused() -> None:
    """Record what the first URL requested and did not get."""
    refused, left = settings.REFUSED.of_this_visit(), {}
    for key, texts in (settings.REQUESTED.value or {}).items():
        setting = known(key)
        if key in OF_LONG_AGO:
            continue
        if setting is None:
            refused[key] = unknown_text(key, texts)
        elif key in settings.SHOWN.value:
            if text := _refused(setting, texts):
                refused[key] = text
        else:
            left[key] = texts
    settings.REQUESTED.set(left)


def _refused(setting: Setting[Any], texts: list[str]) -> str:
    if setting is settings.DATASET:  # which has a text of its own
        return ""
    if setting is settings.POINT and settings.MISSING.value:  # of that dataset
        return ""
    value, read = setting.value, setting.read(texts)
    if texts[-1] == "" if value is None else read == value:  # however it is written
        return ""
    if (setting, value) == (settings.EPOCH, 0):
        value = settings.LAST_EPOCH
    elif value is not None:
        value = setting.write(value)
    workspace = st.session_state.get(WORKSPACE)
    last = None
    if setting in (settings.POINT, settings.SECOND) and workspace is not None:
        last = len(workspace.dataset) - 1
    return refused_text(setting.key, texts, value, last)


def option_setting(option: Option, prefix: str = "") -> Setting[Any]:
    """The setting of a method's option; with a prefix, that of a page beside the sidebar's."""
    first = (
        next(iter(option.choices)) if isinstance(option, Choice) else option.kind(option.default)
    )
    return Setting(f"{prefix}{option.short_name}", type(first), first)


def known(key: str) -> Setting[Any] | None:
    what, _, among = key.partition("_")
    if what in settings.CHOICES_AMONG and among and ":" not in among:
        return settings.setting_of(what, among)
    if key.startswith(settings.FOLDED):
        return Setting(key, bool, False)
    return _in_table().get(key)


@cache
def _in_table() -> dict[str, Setting[Any]]:
    options = [
        option
        for method in METHODS.values()
        for option in (*method.main, *method.more, *method.training)
    ]
    every = (option_setting(option, prefix) for option in options for prefix in ("", RUN))
    return {each.key: each for each in every} | settings.in_address()
