"""A part of a page that draws itself again says nothing of the widgets.

Streamlit has the browser ask for such a run, and the browser says with it where every widget
stands. What code has just chosen, such as the upload that somebody uses from now on, a busy browser
has not drawn yet: it would say what stood there before, Streamlit would take that for a choice, and
the upload would be gone from the page. Whoever does touch a widget asks for a run of their own.
"""

from __future__ import annotations

from dataclasses import replace

from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)


class Requests(ScriptRequests):
    """What a session is asked to run, of which runs by the clock leave widgets as they are."""

    def request_rerun(self, new_data: RerunData) -> bool:
        """Note what is to be run next; False where nothing will be, any more."""
        if new_data.is_auto_rerun:
            with self._lock:
                if self._state == ScriptRequestType.RERUN and _is_of_page(self._rerun_data):
                    return True  # which draws the part as well, and may be of another page
            # None stands for what the server knows already
            new_data = replace(new_data, widget_states=None)
        return super().request_rerun(new_data)


def _is_of_page(asked: RerunData) -> bool:
    return not asked.fragment_id_queue


def leave_widgets_to_people() -> None:
    """Have every session of this process take its requests so."""
    script_runner.ScriptRequests = Requests  # type: ignore[misc]
