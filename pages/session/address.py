"""What the address asks for, and what is written there of settings that no widget is bound to.

Streamlit reads and writes those that a widget is bound to. A :class:`~pages.session.settings.Kept`
one is read once in a visit, by :func:`take`, and written by :func:`keep` wherever it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.session import settings
from pages.session.settings import Kept, is_unbounded
from pages.session.url_requests import refused_facts, unknown_facts
from slp_core.facts import Facts
from slp_core.methods.table import METHODS

T = TypeVar("T")

RUN = "run_"  # before the keys of options that Train has beside the sidebar's


def read_address(page: str) -> None:
    """Remember what the visit's address asks for, before any widget of a run is drawn.

    Parameters
    ----------
    page : str
        That the run will draw.
    """
    _choose_again()
    _say_again(settings.DRAWN_ON.value == page)
    settings.DRAWN_ON.set(page)
    settings.DRAWN.set({})
    if settings.ASKED.value is None:
        asked = {key: st.query_params.get_all(key) for key in st.query_params}
        settings.ASKED.set(asked)
        settings.UNREADABLE.set(
            frozenset(key for key, values in asked.items() if any(map(is_unbounded, values)))
        )


def _say_again(same_page: bool) -> None:
    """Where the address does not say what is chosen, have Streamlit write it with the next widget.

    Streamlit writes what code has chosen in the run that does so. If that run ends before its
    widget, or a busy browser asks for the next one by the address that it had before, and gets that
    back with the next change of it, the choice would never be there. Nor would it where another
    page is asked for before the browser has tied this one's widgets to its address: it would open
    with an empty one, and its widgets on what they show at first. What is set anew is written.

    Parameters
    ----------
    same_page : bool
        Or another, to which an address may have led that says something else.
    """
    for key, opening in settings.DRAWN.value.items():
        value = st.session_state.get(key, opening)
        written = [] if value is None or value == opening else _written(value)
        wanted = written if isinstance(written, list) else [written]
        said = st.query_params.get_all(key)
        if said and not same_page:
            continue
        if key not in settings.UNREADABLE.value and not _say_the_same(said, wanted):
            settings.tell(key, value)


def _choose_again() -> None:
    """Tell the browser what was chosen in it since code had chosen something else.

    It may have been told of code's choice only after its own, and would show that. Where Back or
    Forward leads the address chooses.
    """
    told = settings.TOLD_BEFORE.value | settings.TOLD.value
    settings.TOLD_BEFORE.set(settings.TOLD.value)
    settings.TOLD.set({})
    if went_back():
        return
    for key, value in told.items():
        now = st.session_state.get(key, value)
        # A text in the place of a number was chosen from a list that has gone.
        if key in settings.DRAWN.value and now != value and isinstance(now, type(value)):
            settings.tell(key, now)


def _say_the_same(texts: list[str], others: list[str]) -> bool:
    """Whether texts of an address are equal, numbers by their value: browsers write 1 for 1.0."""
    if texts == others:
        return True
    try:
        return list(map(float, texts)) == list(map(float, others))
    except ValueError:
        return False


def ask_by_title(titles: Collection[str], by_name: Mapping[str, str]) -> None:
    """Write a dataset's title into an address that has the library's name of it.

    Whoever writes a link by hand knows that one, from the library and its commands.

    Parameters
    ----------
    titles : collection of str
        That can be chosen.
    by_name : mapping
        Those of datasets that came with the app, by such names.
    """
    asked = st.query_params.get(settings.DATASET.key, "")
    if asked not in titles and asked in by_name:
        st.query_params[settings.DATASET.key] = by_name[asked]
        st.rerun()  # which reads the address again


def look_for_missing(titles: Collection[str]) -> None:
    """Note a dataset that the address asks for and that is not here, or is here no more.

    Streamlit would take what it cannot offer out of the address, and a tab that is connected anew
    would not know what it had asked for. So it stays there until something else is chosen.

    Parameters
    ----------
    titles : collection of str
        That can be chosen.
    """
    gone = settings.DATASET.value
    if gone not in titles:
        settings.DATASET.set(settings.DATASET.default)
        settings.POINT.set(None)
    asked = st.query_params.get(settings.DATASET.key, "")
    if asked != settings.FORGOTTEN.value:  # until then the address still says it
        settings.FORGOTTEN.set("")
    here = {"", *titles, settings.FORGOTTEN.value}
    missing = next((title for title in (asked, gone) if title not in here), "")
    if missing:
        settings.MISSING.set(missing)
        settings.UNREADABLE.set(settings.UNREADABLE.value | {settings.DATASET.key})


def miss_no_more() -> None:
    """Something else was chosen than the dataset that is missing, or the notice was closed."""
    if not settings.MISSING.value:
        return
    settings.MISSING.set("")
    settings.UNREADABLE.set(settings.UNREADABLE.value - {settings.DATASET.key})
    if settings.DATASET.key in st.query_params:
        del st.query_params[settings.DATASET.key]
    settings.DATASET.set(settings.DATASET.value)  # so that it is written


def take(setting: Kept[T], fits: Callable[[T], bool] = lambda value: True) -> bool:
    """Set a setting to what the address asks for, and say whether it was.

    Once in a visit, and again when Back or Forward leads to an address: where that does not name
    the setting, it stands as it opens, unless it says more than an address does.

    Parameters
    ----------
    setting : Kept
    fits : callable
        Whether a value can be had here.
    """
    back = went_back()
    if setting.key in settings.READ.value and not back:
        return False
    settings.READ.set(settings.READ.value | {setting.key})
    first = (settings.ASKED.value or {}).get(setting.key, [])
    asked = st.query_params.get_all(setting.key) if back else first
    value = setting.read(asked[-1]) if asked else None
    if value is not None and fits(value):
        setting.set(value)
        return True
    if back and _is_told(setting):
        setting.set(setting.default)
    return False


def keep(setting: Kept[T], counts: bool = True, also_default: bool = False) -> None:
    """Have the address say where a setting stands, if it counts and is not at its default."""
    told = counts and (also_default or setting.value != setting.default)
    said = setting.write(setting.value) if told and _is_told(setting) else None
    if said is None:
        if setting.key in st.query_params:
            del st.query_params[setting.key]
    elif st.query_params.get(setting.key) != said:
        st.query_params[setting.key] = said


def _is_told(setting: Kept[Any]) -> bool:
    """Whether an address can say where a setting stands."""
    return len(setting.write(setting.value)) <= settings.LONGEST


def went_back() -> bool:
    """Whether the browser's Back or Forward asked for this run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def link() -> str:
    """The query of an address that opens the view as it is now: all but what it opens with anyway.

    The browser's own address may lag behind a setting that was changed by code.
    """
    asked: list[tuple[str, Any]] = []
    for key, opening in settings.DRAWN.value.items():
        value = st.session_state.get(key, opening)
        if value != opening and value is not None:
            asked.append((key, _written(value)))
    kept = (each for each in settings.in_address().values() if isinstance(each, Kept))
    asked += [(each.key, st.query_params[each.key]) for each in kept if each.key in st.query_params]
    return urlencode(asked, doseq=True)


def _written(value: Any) -> Any:
    """A widget's value as Streamlit writes it."""
    if isinstance(value, list | tuple):
        return list(map(str, value)) or ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def judge_address() -> None:
    """Note what the address asked for and did not get.

    What belongs to another page, or to a part of this one that is not there yet, is not judged.
    """
    asked, refused = settings.ASKED.value or {}, settings.REFUSED.value
    known, left = _known(), {}
    for key, values in asked.items():
        told = _judged(key, values, known)
        if told is None:
            left[key] = values
        else:
            refused = (*refused, *told)
    settings.ASKED.set(left)
    settings.REFUSED.set(refused)


def _known() -> dict[str, settings.Setting[Any]]:
    """Settings by what addresses call them, those of methods among them."""
    options = {
        option.url_key
        for method in METHODS.values()
        for option in (*method.main, *method.more, *method.training)
    }
    names = {name: settings.Setting(name, str, "") for name in options}
    runs = {f"{RUN}{name}": settings.Setting(f"{RUN}{name}", str, "") for name in options}
    return settings.in_address() | names | runs


def _judged(key: str, values: list[str], known: dict[str, settings.Setting[Any]]) -> Facts | None:
    """What is to be told of a key; None while that cannot be known."""
    setting = known.get(key)
    what, _, among = key.partition("_")
    if setting is None and not (what in settings.CHOICES_AMONG and among):
        return unknown_facts(key, values)
    if setting in (settings.DATASET, settings.POINT):
        return ()  # told in words of their own
    if isinstance(setting, Kept):
        if key not in settings.READ.value:
            return None
        # A line by its number from 1, as in the address; a typed example as its parts
        here = setting.value
        return refused_facts(key, values, None if here is None else setting.write(here))
    if key not in st.session_state:
        return None
    value = st.session_state[key]
    shown = settings.LAST_EPOCH if (setting, value) == (settings.EPOCH, 0) else ""
    return refused_facts(key, values, value, shown)
