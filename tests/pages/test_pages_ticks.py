"""What a browser asks for by the clock, and what it says before it knows better."""

from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import ScriptRunnerEvent, script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.shell import ticks
from pages.shell.late import Said, State, Way


def test_what_runs_by_the_clock_leaves_widgets_and_the_page_as_they_are():
    by_clock = {"fragment_id": "part", "is_auto_rerun": True, "page_script_hash": "left"}
    stale = WidgetStates(widgets=[WidgetState(id="dataset", string_value="Airline tweets")])
    fresh = WidgetStates(widgets=[WidgetState(id="dataset", string_value="Weather")])

    asked = ticks.Requests()
    assert asked.request_rerun(RerunData(widget_states=stale, **by_clock))
    first = asked.on_scriptrunner_ready().rerun_data
    assert (first.widget_states, first.fragment_id_queue) == (None, ["part"])

    touched = RerunData(widget_states=fresh, fragment_id="touched")
    assert asked.request_rerun(touched)
    assert asked.request_rerun(RerunData(widget_states=stale, **by_clock))
    both = asked.on_scriptrunner_ready().rerun_data
    assert (both.widget_states, both.fragment_id_queue) == (fresh, ["touched", "part"])

    assert asked.request_rerun(RerunData(widget_states=fresh, page_script_hash="opened"))
    assert asked.request_rerun(RerunData(widget_states=stale, **by_clock))
    page = asked.on_scriptrunner_ready().rerun_data
    assert (page.widget_states, page.page_script_hash) == (fresh, "opened")
    assert not page.fragment_id_queue

    asked.request_stop()
    assert not asked.request_rerun(RerunData(widget_states=stale, **by_clock))


@pytest.fixture
def session(monkeypatch):
    """A session with the parts "watch" and "bar", that notes what it is asked to run."""
    asked, clock = [], SimpleNamespace(now=100.0)

    def take(session, client_state):
        asked.append(client_state.fragment_id if client_state else None)
        session._scriptrunner = SimpleNamespace(_requests=ticks.Requests())

    def handle(session, sender, event):
        session._scriptrunner = None

    monkeypatch.setattr(AppSession, "request_rerun", take)
    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", handle)
    monkeypatch.setattr(AppSession, "__init__", lambda session: None)
    monkeypatch.setattr(AppSession, "session_state", State())
    monkeypatch.setattr(ticks.time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(ticks.Session, "_asked", {})
    session = ticks.Session()
    session._scriptrunner, session._state = None, AppSessionState.SHUTDOWN_REQUESTED
    session._has_begun, session._client_state = True, ClientState()
    session.has_fragment = {"watch", "bar"}.__contains__

    def tick(part, at):
        clock.now, before = at, len(asked)
        session.request_rerun(ClientState(fragment_id=part, is_auto_rerun=True))
        return len(asked) > before

    def drawn(at):
        clock.now = at
        session._handle_scriptrunner_event_on_event_loop(None, ScriptRunnerEvent.SHUTDOWN)

    return SimpleNamespace(tick=tick, drawn=drawn, asked=asked, it=session)


def test_a_part_rests_longer_than_its_last_run_took(session):
    assert session.tick("watch", at=0.0)
    assert not session.tick("watch", at=0.3)  # not drawn yet
    assert session.tick("bar", at=0.4)  # another part is not held up
    session.drawn(at=1.0)
    assert not session.tick("watch", at=1.0 + ticks.REST * 1.0 - 0.01)
    assert session.tick("bar", at=1.0 + ticks.REST * 0.6 + 0.01)
    session.drawn(at=3.0)
    assert session.tick("watch", at=4.01)


def test_a_part_that_was_dropped_or_took_long_is_drawn_again_all_the_same(session):
    assert session.tick("watch", at=0.0)
    assert session.tick("watch", at=31.0)
    session.drawn(at=60.0)
    assert session.tick("watch", at=67.0)


def test_what_was_drawn_is_sent_before_the_clock_has_it_drawn_again(session):
    assert session.tick("watch", at=0.0)
    session.it._scriptrunner._requests.request_stop()
    assert not session.tick("bar", at=0.1)
    session.drawn(at=0.2)
    assert session.tick("bar", at=0.3)


def test_a_click_in_a_part_waits_for_the_run_before_it_to_be_sent(session):
    timers = []
    session.it._event_loop = SimpleNamespace(call_later=lambda _, *then: timers.append(then))
    session.it.request_rerun(None)
    session.it._scriptrunner._requests.request_stop()
    session.it.request_rerun(ClientState(fragment_id="watch"))
    assert session.asked == [None]
    for stopped in (False, True):
        if stopped:
            session.drawn(at=0.2)
        again, click = timers.pop()
        again(click)
        assert session.asked == [None, "watch"][: 1 + stopped]
    assert not timers


def test_the_more_parts_are_looked_at_the_longer_each_of_them_rests(session):
    parts = [f"part {i}" for i in range(100)]
    session.it.has_fragment = parts.__contains__
    assert all(session.tick(part, at=0.0) for part in parts)
    session.drawn(at=0.0)
    assert not any(session.tick(part, at=100 / ticks.MOST - 1.5) for part in parts)
    assert all(session.tick(part, at=100 / ticks.MOST) for part in parts)
    session.drawn(at=5.0)
    assert session.tick("part 0", at=9.0)  # nobody asks for the others any more
    session.drawn(at=9.01)
    assert session.tick("part 0", at=9.06)


def test_only_the_clock_waits(session):
    assert not session.tick("gone", at=0.0)
    for state in (None, ClientState(), ClientState(fragment_id="watch")):
        for _ in range(2):
            session.it.request_rerun(state)
    assert session.asked == [None, None, "", "", "watch", "watch"]


@pytest.fixture
def browser():
    """Says where its widgets stand, of which code has set some."""
    state = SessionState()
    for key in ("dataset", "draw"):
        state._key_id_mapper[key] = f"id of {key}"
        state._new_widget_state.set_widget_metadata(
            WidgetMetadata(f"id of {key}", lambda value: value, lambda value: value, "string_value")
        )
    said = Said(state)

    def says(early=True, begun=True, **values):
        states = [WidgetState(id=f"id of {key}", string_value=v) for key, v in values.items()]
        heard = said.heard(WidgetStates(widgets=states), early, begun)
        return {each.id.removeprefix("id of "): each.string_value for each in heard.widgets}

    return SimpleNamespace(says=says, said=said, set_by_code=state._new_session_state)


def test_what_is_said_again_too_early_gives_way_to_what_code_has_chosen(browser):
    before = {"dataset": "Airline tweets", "draw": "0"}
    assert browser.says(**before) == before
    browser.set_by_code["dataset"] = "Weather"
    assert browser.says(**before) == {"dataset": "Weather", "draw": "0"}
    browser.set_by_code.clear()  # as the next run does
    browser.set_by_code["draw"] = "1"
    assert browser.says(**before) == {"dataset": "Weather", "draw": "1"}
    browser.set_by_code.clear()
    assert browser.says(**before | {"draw": "5"}) == {"dataset": "Weather", "draw": "5"}
    assert browser.says(**before, early=False) == before


def test_what_somebody_has_changed_holds(browser):
    before = {"dataset": "Airline tweets", "draw": "0"}
    browser.set_by_code["draw"] = "1"
    assert browser.says(**before) == before  # was not said before
    assert browser.says(**before | {"draw": "2"})["draw"] == "2"
    assert browser.says(**before | {"draw": "2"}, begun=False)["draw"] == "2"
    seen = WidgetStates(widgets=[WidgetState(id="id of draw", string_value="1")])
    browser.said.now(seen)
    assert browser.says(**before | {"draw": "2"})["draw"] == "2"


@pytest.mark.parametrize(
    ("late", "early", "holds"),
    [
        ({"dataset": "Toy", "draw": "1"}, True, "Wine"),
        ({"dataset": "Toy", "draw": "0"}, True, "Toy"),  # nothing but that was touched
        ({"dataset": "Toy", "draw": "1"}, False, "Toy"),
        ({"dataset": "Weather", "draw": "1"}, True, "Weather"),
    ],
)
def test_what_code_had_chosen_gives_way_to_what_was_chosen_before_it_came(
    browser, late, early, holds
):
    before = {"dataset": "Airline tweets", "draw": "0"}
    browser.says(**before)
    browser.set_by_code["dataset"] = "Toy"
    assert browser.says(**before | {"dataset": "Wine"})["dataset"] == "Wine"
    browser.set_by_code["dataset"] = "Wine"  # told again
    assert browser.says(**late, early=early) == late | {"dataset": holds}
    browser.set_by_code.clear()  # as the next run does
    assert browser.says(**late)["dataset"] == holds


def test_what_code_has_chosen_holds_when_it_is_heard_of_with_a_click(browser):
    browser.says(dataset="Airline tweets", draw="0")
    browser.set_by_code["dataset"] = "Weather"
    for draw in ("1", "2"):
        assert browser.says(dataset="Weather", draw=draw) == {"dataset": "Weather", "draw": draw}


def test_what_code_has_chosen_and_a_widget_cannot_say_is_left(browser):
    assert browser.says(draw="0") == {"draw": "0"}
    browser.set_by_code["draw"] = 1  # no string
    assert browser.says(draw="0") == {"draw": "0"}


def test_a_click_on_a_page_that_was_left_does_not_lead_back_to_it():
    way = Way()

    def leads_to(page, drawn="explore", early=True, touched=True):
        asked = ClientState(page_script_hash=page, query_string=f"of {page}", fragment_id="part")
        way.hold(asked, drawn, early, touched)
        assert asked.query_string == f"of {asked.page_script_hash}"
        assert asked.fragment_id == ("part" if asked.page_script_hash == page else "")
        return asked.page_script_hash

    assert leads_to("explore") == "explore"
    assert leads_to("explain", touched=False) == "explain"
    assert leads_to("explore") == "explain"  # which is not drawn yet
    assert leads_to("explore", drawn="explain") == "explain"  # and is on its way to the browser
    assert leads_to("labels", drawn="explain", touched=False) == "labels"
    assert leads_to("explore", drawn="explain") == leads_to("explain", drawn="labels") == "labels"
    assert leads_to("explore", drawn="labels", touched=False) == "explore"  # somebody goes back
    assert leads_to("labels", drawn="explore") == leads_to("explain", drawn="labels") == "explore"
    assert leads_to("labels", drawn="explore", touched=False) == "labels"
    assert leads_to("labels", drawn="labels") == "labels"  # it is there, and a button leads back
    assert leads_to("explore", drawn="explore") == "explore"
    assert leads_to("explain", drawn="explore", early=False) == "explain"  # a button led there
    assert leads_to("explore", drawn="explain") == "explore"  # and another back


def test_a_link_and_a_click_before_its_page_is_there_lead_to_the_page(session):
    it, click = session.it, WidgetState(id="draw", trigger_value=True)
    number = WidgetState(id="number", int_value=1)
    it._client_state = ClientState(page_script_hash="explore")

    def ask(page, *states):
        asked = ClientState(page_script_hash=page, widget_states=WidgetStates(widgets=states))
        it.request_rerun(asked)
        return asked.page_script_hash

    assert [ask("explore", number), ask("explain", number)] == ["explore", "explain"]
    assert ask("explore", number, click) == "explain"
    assert ask("explore", WidgetState(id="number", int_value=2)) == "explain"
    assert ask("explore", WidgetState(id="number", int_value=2)) == "explore"  # its link


def test_what_a_left_page_says_of_a_field_that_another_page_has_too_is_nothing():
    """Both pages have a field of one key, which by now stands for that of the other page."""
    left, here, without_key = (f"$$ID-{of}" for of in ("explore-point", "explain-point", "a-None"))
    state = State()
    state._key_id_mapper["point"] = left
    state._key_id_mapper["point"] = here
    said = [WidgetState(id=each, int_value=7) for each in (left, here, without_key)]
    state.on_script_will_rerun(WidgetStates(widgets=said))
    assert set(state._new_widget_state.states) == {here, without_key}


def test_a_click_that_no_thread_has_seen_yet_is_not_lost_to_the_next(session):
    click = WidgetState(id="use", trigger_value=True)
    other = WidgetState(id="draw", string_value="1")
    session.it.request_rerun(ClientState(widget_states=WidgetStates(widgets=[click])))
    session.it._scriptrunner._requests.request_rerun(
        RerunData(widget_states=WidgetStates(widgets=[click]))
    )
    both = ClientState(widget_states=WidgetStates(widgets=[other]))
    session.it.request_rerun(both)
    assert {state.id for state in both.widget_states.widgets} == {"use", "draw"}


def test_what_code_chose_holds_though_a_run_by_the_clock_waits(session):
    state = session.it._session_state
    state._key_id_mapper["draw"] = "id of draw"
    state._new_widget_state.set_widget_metadata(
        WidgetMetadata("id of draw", lambda value: value, lambda value: value, "string_value")
    )
    session.it._said = Said(state)

    def click():
        states = WidgetStates(widgets=[WidgetState(id="id of draw", string_value="0")])
        asked = ClientState(widget_states=states)
        session.it.request_rerun(asked)
        return asked.widget_states.widgets[0].string_value

    assert click() == "0"
    state._new_session_state["draw"] = "1"
    session.it._scriptrunner._requests.request_rerun(RerunData(is_auto_rerun=True))
    assert click() == "1"


def test_what_a_run_draws_is_sent_in_few_pieces(session, monkeypatch):
    it, queue, sent, timers = session.it, session.it._browser_queue, [], []
    it._message_enqueued_callback = lambda: sent.append(len(queue.flush()))
    it._event_loop = SimpleNamespace(call_later=lambda seconds, then: timers.append(then) or then)
    monkeypatch.setattr(it, "_state", AppSessionState.APP_IS_RUNNING)

    def draw(place, length=1):
        message = ForwardMsg()
        message.metadata.delta_path.append(place)
        message.delta.new_element.markdown.body = length * "a"
        it._enqueue_forward_msg(message)

    for place in range(3):
        draw(place)
    assert (sent, len(timers)) == ([], 1)
    timers.pop()()
    assert sent == [3]
    draw(0)
    draw(1, length=100_000)  # with what was before it
    assert sent == [3, 2]
    draw(2)
    monkeypatch.setattr(it, "_state", AppSessionState.APP_NOT_RUNNING)
    draw(3)  # nothing comes after it
    assert sent == [3, 2, 2]


def test_a_tab_that_connects_again_is_shown_the_page_as_it_is(session, monkeypatch):
    it, told = session.it, []
    monkeypatch.setattr(AppSession, "register_file_watchers", lambda session: None)
    monkeypatch.setattr(it._session_state, "tell_again", lambda: told.append(True))
    it._client_state = ClientState(page_script_hash="explain", query_string="draw=1")
    asked, later = [], []
    monkeypatch.setattr(it, "_run", asked.append)
    it._event_loop = SimpleNamespace(call_soon=lambda run, *then: later.append((run, then)))
    it._browser_queue.enqueue(ForwardMsg(delta={"fragment_id": "half a page"}))
    it.register_file_watchers()
    assert it._browser_queue.is_empty()
    assert (told, asked) == ([], [])  # its cookies are not known yet
    for run, then in later:
        run(*then)
    assert told == [True]
    assert asked == [ClientState(page_script_hash="explain", query_string="draw=1")]


def test_a_browser_that_shows_what_no_session_knows_asks_for_its_page(session, monkeypatch):
    it, later, sent = session.it, [], []
    it._event_loop = SimpleNamespace(call_soon=lambda run, *then: later.append((run, then)))
    monkeypatch.setattr(AppSession, "_enqueue_forward_msg", lambda _, msg: sent.append(msg))
    monkeypatch.setattr(it, "_has_begun", False)

    manager = SimpleNamespace(_active_session_info_by_id={"new": SimpleNamespace(session=it)})

    def connect(manager, client, script_data, user_info, before=None, key=None):
        return "known" if before == "known" else "new"

    monkeypatch.setattr(WebsocketSessionManager, "connect_session", connect)
    monkeypatch.setattr(script_runner, "ScriptRequests", ScriptRequests)
    monkeypatch.setattr(websocket_session_manager, "AppSession", AppSession)
    ticks.tame_ticks()
    for before in (None, "known"):  # a first visit, and a connection that broke off
        WebsocketSessionManager.connect_session(manager, None, None, {}, before)
        assert not later
    WebsocketSessionManager.connect_session(manager, None, None, {}, "of another server")
    ((run, then),) = later
    run(*then)
    (ask,) = sent
    assert ask.auto_rerun.interval > 0  # a browser heeds no other

    def by_clock():
        part = ask.auto_rerun.fragment_id
        return ClientState(fragment_id=part, is_auto_rerun=True, page_script_hash="explain")

    page = by_clock()
    it.request_rerun(page)
    assert (page.fragment_id, page.is_auto_rerun, page.page_script_hash) == ("", False, "explain")
    it.request_rerun(by_clock())  # until the page is there
    assert session.asked == [""]


def test_a_browser_is_told_once_more_what_code_has_chosen():
    def begin(*states):
        browser = WidgetStates(widgets=states) if states else None
        state.on_script_will_rerun(browser)
        return {key: state._new_session_state.get(key) for key in ("draw", "method")}

    def says(draw):
        return WidgetState(id="id of draw", string_value=draw)

    state = State()
    for key in ("draw", "method"):
        state._key_id_mapper[key] = f"id of {key}"
        state._new_widget_state.set_widget_metadata(
            WidgetMetadata(f"id of {key}", lambda value: value, lambda value: value, "string_value")
        )
    begin(says("0"), WidgetState(id="id of method", string_value="DeepSLP"))
    state._new_session_state["draw"] = "1"
    assert begin(says("1")) == {"draw": None, "method": None}
    state.tell_again()
    assert begin(says("2")) == {"draw": None, "method": None}  # somebody chose another
    for _ in range(2):  # the first is cut short
        assert begin() == {"draw": "2", "method": None}  # its owner has chosen the method
    state.told()
    assert begin() == {"draw": None, "method": None}
