"""Parts of pages that draw themselves again by the clock: they say nothing, and get in no way.

Streamlit has the browser ask for such a run, every third of a second where a training is watched.

- The browser says with it where every widget stands. What code has just chosen, such as the upload
  that somebody uses from now on, a busy browser has not drawn yet: it says what stood there before,
  Streamlit takes that for a choice, and the upload is gone from the page. Here such a run leaves
  all widgets as they are: whoever does touch one asks for a run of their own.
- The browser asks whether or not it was answered. Where a class watches its trainings, a server
  would do nothing else: no page would be sent, so that none would stop asking. Here a part rests
  longer than its last run took, and the longer the more parts there are on all tabs.

A browser that was away for minutes, or whose server was started anew, still shows a page of which
the server knows nothing. Streamlit waits for a click and does not do what it was for; one in a part
of the page it drops, and so the next ones. Here such a browser is had to ask for its page at once,
as if for a part by the clock.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import ScriptRunnerEvent, script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
    _coalesce_widget_states,
)
from streamlit.runtime.session_manager import SessionClient
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.shell.late import Said, State, Way
from pages.shell.outbox import Outbox

MOST = 25.0  # runs by the clock a second, of all tabs together
REST = 3.0  # times as long as its last run took, waiting for others included, does a part rest
_LONGEST_REST = 6.0  # seconds
_GONE = 3.0  # seconds after which a part that no browser asks for is not there any more
_ON_THE_WAY = 1.0  # seconds that an answer may take from here to the eye
_LOST = 30.0  # seconds after which a run that was asked for is taken to have been dropped
_TOGETHER = 0.06  # seconds that what a run has drawn waits for what comes next
_UNTIL_ASKED = 0.1  # seconds after which a browser that has come back asks for its page, and again
_LARGE = 20_000  # bytes of what is sent at once: a figure, which takes the browser long to draw


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


@dataclass
class Look:
    """The last run of a part by the clock.

    Attributes
    ----------
    asked : float
        When the browser asked for it, in seconds.
    ended : float, optional
        When what it asked for was drawn.
    """

    asked: float
    ended: float | None = None

    def is_over(self, now: float, parts: int) -> bool:
        """Whether the part has rested, as one of so many that are looked at."""
        if self.ended is None:
            return now - self.asked > _LOST
        rest = max(REST * (self.ended - self.asked), parts / MOST)
        return now - self.ended >= min(rest, _LONGEST_REST)


class Session(AppSession):
    """A browser's tab, whose parts by the clock are drawn as often as there is time for it."""

    # When browsers last asked for a part, by tab and part
    _asked: ClassVar[dict[tuple[int, str], float]] = {}

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self._session_state: State = State()
        self._looks: dict[str, Look] = {}
        self._said, self._way = Said(self.session_state), Way()
        self._answered: float | None = 0.0  # when the last click was; None where it was not yet
        self._sending: asyncio.TimerHandle | None = None
        self._browser_queue = Outbox()
        self._has_begun = False

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Have the page or a part of it run, unless that is by the clock and there is no time."""
        if client_state:
            client_state.ClearField("cached_message_hashes")  # the outbox knows better
            if not self._has_begun:  # so that there are no parts yet
                client_state.fragment_id, client_state.is_auto_rerun = "", False
            self._has_begun = True
        if client_state and client_state.is_auto_rerun:
            self._said.now(client_state.widget_states)
            part, now = client_state.fragment_id, time.monotonic()
            if not self._is_to_be_drawn(part, now):
                return
            self._looks[part] = Look(now)
        elif client_state:
            early = self._answered is None or time.monotonic() - self._answered < _ON_THE_WAY
            waiting = self._waiting()
            asked = waiting and waiting.widget_states
            begun = not (asked and asked.widgets)
            touched = self._said.is_touched(client_state.widget_states)
            self._way.hold(client_state, self.page_script_hash, early, touched)
            states = self._said.heard(client_state.widget_states, early, begun)
            if waiting is not None:  # else a click that nothing has seen yet would be lost
                states = _coalesce_widget_states(waiting.widget_states, states) or states
            client_state.widget_states.CopyFrom(states)
            self._answered = None
        self._run(client_state)

    def have_page_asked_for(self) -> None:
        """Tell a browser that shows what an earlier session drew to ask for its page.

        It asks by the clock, until a run of the page ends that, and says where its widgets stand.
        """
        ask = ForwardMsg()
        ask.auto_rerun.interval, ask.auto_rerun.fragment_id = _UNTIL_ASKED, "page"
        self._event_loop.call_soon(self._enqueue_forward_msg, ask)  # when it is known whose it is

    def register_file_watchers(self) -> None:
        """Called for a new tab, and for one that connects again: what it was sent may be lost."""
        super().register_file_watchers()
        if not isinstance(self._browser_queue, Outbox):  # a new one
            return
        self._browser_queue.begin_again()
        self._answered = None
        self._event_loop.call_soon(self._show_again)  # as soon as it is known whose tab this is

    def _show_again(self) -> None:
        """Draw the page as it is; by now nothing comes of the run that the break cut short."""
        self._session_state.tell_again()
        self._run(self._client_state)  # of the last run: nothing was clicked

    def _run(self, client_state: ClientState | None) -> None:
        """Run a page at once, and a part of it when what was drawn last is on its way."""
        if client_state and client_state.fragment_id and self._is_stopping():
            self._event_loop.call_later(_TOGETHER, self._run, client_state)
        else:
            super().request_rerun(client_state)

    def _enqueue_forward_msg(self, msg: ForwardMsg) -> None:
        """Send what a run draws in few pieces: with each, a browser goes through the page."""
        if self._state != AppSessionState.APP_IS_RUNNING or msg.ByteSize() > _LARGE:
            super()._enqueue_forward_msg(msg)
            return
        self._browser_queue.enqueue(msg)
        if self._sending is None:
            self._sending = self._event_loop.call_later(_TOGETHER, self._send)

    def _send(self) -> None:
        self._sending = None
        if self._message_enqueued_callback:
            self._message_enqueued_callback()

    def _waiting(self) -> RerunData | None:
        """What was asked for and no thread has had the time to begin."""
        runner = self._scriptrunner
        if runner is None or runner._requests._state != ScriptRequestType.RERUN:
            return None
        return runner._requests._rerun_data

    def _is_stopping(self) -> bool:
        """Whether a part that ran now would have what was drawn last thrown away unsent.

        It would need another runner, and Streamlit listens to one at a time.
        """
        runner = self._scriptrunner
        return runner is not None and runner._requests._state == ScriptRequestType.STOP

    def _is_to_be_drawn(self, part: str, now: float) -> bool:
        if not self.has_fragment(part):
            self._looks.pop(part, None)
            return False
        if self._is_stopping():
            return False
        self._asked[id(self), part] = now
        for key in [key for key, asked in self._asked.items() if now - asked > _GONE]:
            del self._asked[key]
        return part not in self._looks or self._looks[part].is_over(now, len(self._asked))

    def _handle_scriptrunner_event_on_event_loop(
        self, sender: Any, event: ScriptRunnerEvent, *args: Any, **about: Any
    ) -> None:
        if event == ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS and sender is self._scriptrunner:
            self._session_state.told()
        super()._handle_scriptrunner_event_on_event_loop(sender, event, *args, **about)
        if event == ScriptRunnerEvent.SHUTDOWN and self._scriptrunner is None:
            now = time.monotonic()
            if self._answered is None:
                self._answered = now
            for look in self._looks.values():
                look.ended = look.ended or now


def _is_of_page(asked: RerunData) -> bool:
    return not asked.fragment_id_queue


def tame_ticks() -> None:
    """Have every session of this process take its runs by the clock so, and none stay unknown."""
    script_runner.ScriptRequests = Requests  # type: ignore[misc]
    websocket_session_manager.AppSession = Session  # type: ignore[misc]
    connect = WebsocketSessionManager.connect_session

    def connect_and_ask(
        self: WebsocketSessionManager,
        client: SessionClient,
        script_data: ScriptData,
        user_info: dict[str, Any],
        existing_session_id: str | None = None,
        session_id_override: str | None = None,
    ) -> str:
        before, key = existing_session_id, session_id_override
        known = connect(self, client, script_data, user_info, before, key)
        if before not in (None, known):
            self._active_session_info_by_id[known].session.have_page_asked_for()  # type: ignore
        return known

    WebsocketSessionManager.connect_session = connect_and_ask  # type: ignore[method-assign]
