"""What code has chosen while a browser still shows what was there before.

With every click a browser says where all widgets stand. Somebody who clicks on before the page has
answered the last click has it say again what code has changed meanwhile: a second "Draw again"
would lead to the same draw, and the way to another page back to the data before an upload. What is
only said again, and was said too early to be an answer, gives way to what code has chosen. And what
code had chosen, said with a click by a browser that has heard of it late, gives way to what
somebody has chosen meanwhile.

So does what a browser says whose connection broke off and is there again. The answer that would
have told it what code has chosen may be lost: it is told once more.
"""

from __future__ import annotations

from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import user_key_from_element_id
from streamlit.runtime.state.session_state import WStates


class State(SessionState):
    """What is chosen on a tab, by somebody or by code."""

    def __init__(self) -> None:
        super().__init__()
        self._set_by_code: set[str] = set()  # keys of widgets
        self._is_unknown = False  # whether the browser knows of what code has chosen

    def tell_again(self) -> None:
        """Have runs tell the browser what code has chosen, where that still holds."""
        self._is_unknown = True

    def told(self) -> None:
        """A run of the whole page came to its end."""
        self._is_unknown = False

    def on_script_will_rerun(
        self, fresh_widget_states: WidgetStates | None, **options: Any
    ) -> None:
        """Take what the browser says, and have the run tell it what it may not know of."""
        self._set_by_code |= {key for key in self._new_session_state if key in self._key_id_mapper}
        untold = {key: self[key] for key in self._set_by_code if self._is_unknown and key in self}
        if fresh_widget_states is not None:
            here = [each for each in fresh_widget_states.widgets if not self._is_succeeded(each.id)]
            fresh_widget_states = WidgetStates(widgets=here)
        super().on_script_will_rerun(fresh_widget_states, **options)
        for key, value in untold.items():
            if self[key] == value:
                self._new_session_state[key] = value

    def _is_succeeded(self, widget: str) -> bool:
        """Whether a widget's key is by now that of another, on a page that was drawn since.

        What would be done about it would read of the other.
        """
        key = user_key_from_element_id(widget)
        return key is not None and self._key_id_mapper.get_id_from_key(key, widget) != widget


class Said:
    """What a browser has said of its widgets.

    Parameters
    ----------
    state : SessionState
        Of its tab.
    """

    def __init__(self, state: SessionState):
        self._state = state
        self._said: dict[str, WidgetState] = {}
        self._chosen: dict[str, WidgetState] = {}  # by code, of which the browser is not yet known
        # By code, over which somebody has chosen something else before they can have heard of it
        self._passed_over: dict[str, list[WidgetState]] = {}

    def heard(self, states: WidgetStates, early: bool, begun: bool = True) -> WidgetStates:
        """What holds of what the browser says.

        Parameters
        ----------
        states : WidgetStates
        early : bool
            Whether the browser cannot have drawn yet what came of what it said before.
        begun : bool
            Whether a run has begun with what it said before.
        """
        chosen, passed_over = (self._chosen, self._passed_over) if early else ({}, {})
        holds, self._chosen, self._passed_over = WidgetStates(), {}, passed_over
        touched = {state.id for state in states.widgets if self._is_touched(state)}
        for state in states.widgets:
            ours, said = None, self._said.get(state.id)
            by_code = self._set_by_code(state.id) if early else None
            if early and state == said:
                ours = (by_code if begun else None) or chosen.get(state.id)
            elif early and touched - {state.id} and state in passed_over.get(state.id, ()):
                ours = said  # the answer that says what code had chosen came only now
            elif early and said and by_code and state != by_code:
                passed_over.setdefault(state.id, []).append(by_code)
            if ours is not None:
                self._chosen[state.id] = ours
            holds.widgets.append(state if ours is None else ours)
        self._said = {state.id: state for state in states.widgets}
        return holds

    def is_touched(self, states: WidgetStates) -> bool:
        """Whether something was clicked, or stands otherwise than the browser said last."""
        return any(map(self._is_touched, states.widgets))

    def now(self, states: WidgetStates) -> None:
        """What it says without having been touched: it knows by now of what it shows."""
        self._said |= {state.id: state for state in states.widgets}

    def _is_touched(self, state: WidgetState) -> bool:
        is_click = (state.WhichOneof("value") or "").endswith("trigger_value")
        return is_click or self._said.get(state.id, state) != state

    def _set_by_code(self, widget: str) -> WidgetState | None:
        """Where code has set a widget in the last run, as a browser would say it."""
        key = self._state._key_id_mapper.id_key_mapping.get(widget)
        values: dict[str, Any] = self._state._new_session_state
        metadata = self._state._new_widget_state.widget_metadata.get(widget)
        if key is None or key not in values or metadata is None:
            return None
        states = WStates()
        states.set_widget_metadata(metadata)
        states.set_from_value(widget, values[key])
        try:
            return states.get_serialized(widget)
        except (LookupError, TypeError, ValueError):
            return None  # of an option that the widget did not have when it was drawn last


class Way:
    """The page that a browser is on its way to, and those that it may show until it is there."""

    def __init__(self) -> None:
        self._left: set[str] = set()
        self._to = ClientState()

    def hold(self, asked: ClientState, drawn: str, early: bool, touched: bool) -> None:
        """Have a click on a page that was left not lead back to it.

        Parameters
        ----------
        asked : ClientState
            What the browser asks for.
        drawn : str
            The hash of the page that was drawn last.
        early : bool
            Whether the browser cannot have drawn yet what it asked for before.
        touched : bool
            Whether something was clicked on the page that it shows.
        """
        page = asked.page_script_hash
        if not early or (touched and page == self._to.page_script_hash):  # it is there
            self._left.clear()
        if touched and page in self._left:
            asked.page_script_hash = self._to.page_script_hash
            asked.query_string, asked.fragment_id = self._to.query_string, ""
        elif page != drawn and not touched:
            self._left.add(drawn)
            self._left -= {page}
            self._to.CopyFrom(asked)
