"""Rooms of a lecture: their limits, one choice per browser, and what phones receive and when."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from driving import fitted, labels, open_page, press, shown
from streamlit.runtime.context import ContextProxy

from pages.session.browser import COOKIE
from pages.session.lectures import packed
from pages.session.rooms import LETTERS, RoomError, Rooms, all_rooms
from slp_core import ConstraintSLPClassifier
from slp_core.sentences import class_names

POLL = "Which?", ("a", "b", "c")
CORRECT = ((1, "correct"),), "Because."


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def of(clock):
    """Rooms, and one of them with a question."""
    rooms = Rooms(clock=clock)
    return rooms, rooms.open(*POLL)


def test_a_browser_has_one_choice_which_it_can_change_until_it_is_revealed(of):
    _, room = of
    for browser, choice in (("x", 0), ("y", 0), ("x", 2)):
        room.choose(browser, 1, choice)
    assert room.counts() == (1, 0, 1)
    seen, chosen = room.enter("x")
    assert (chosen, seen.revealed, seen.why) == (2, False, "")
    room.reveal(*CORRECT)
    with pytest.raises(RoomError, match="This question is closed"):
        room.choose("y", 1, 1)
    assert room.counts() == (1, 0, 1)
    seen, _ = room.enter("x")
    assert (seen.marks, seen.why) == CORRECT
    room.ask(*POLL)
    assert room.counts() == (0, 0, 0)
    assert room.enter("x")[1] is None
    assert not room.question.revealed
    with pytest.raises(RoomError, match="This question is closed"):
        room.choose("x", 1, 1)  # a late phone, of the question before


def test_a_room_that_is_closed_takes_no_choice_and_has_no_code(of):
    rooms, room = of
    room.choose("x", 1, 0)
    room.close()
    assert not room.is_open
    with pytest.raises(RoomError, match="This question is closed"):
        room.choose("x", 1, 0)
    with pytest.raises(RoomError, match="no room with this code"):
        rooms.find(room.code, "x", "")


def test_rooms_phones_and_time_are_bounded(of, clock, monkeypatch):
    rooms, room = of
    for number in range(500):
        room.enter(f"{number}")
    with pytest.raises(RoomError, match="This room is full: it has 500 phones"):
        room.enter("one more")
    assert room.enter("8")
    codes = {rooms.open(*POLL).code for _ in range(199)}
    assert len(codes) == 199
    with pytest.raises(RoomError, match="This server has 200 open rooms"):
        rooms.open(*POLL)
    clock.now = 7200.0
    assert not room.is_open
    assert rooms.open(*POLL)


def test_codes_are_four_letters_and_begin_with_the_servers_own():
    first, second = Rooms("bcd"), Rooms()
    assert all(re.fullmatch(f"[BCD][{LETTERS}]{{3}}", first.open(*POLL).code) for _ in range(50))
    assert not set("AEIOUY") & set("".join(second.open(*POLL).code for _ in range(50)))


def test_who_guesses_codes_is_stopped_and_who_is_in_goes_on(of, clock):
    rooms, room = of
    rooms.find(room.code, "in", "hall").enter("in")
    for _ in range(20):
        with pytest.raises(RoomError, match="no room with this code"):
            rooms.find("AAAA", "x", "hall")
    with pytest.raises(RoomError, match="Too many wrong codes"):
        rooms.find(room.code, "x", "hall")
    assert rooms.find(room.code, "in", "hall") is room
    assert rooms.find(room.code, "x", "elsewhere") is room
    clock.now = 60.0
    assert rooms.find(room.code, "x", "hall") is room


def test_no_choice_is_lost_where_all_choose_at_once(of):
    rooms, room = of

    def choose(number):
        for turn in range(20):
            rooms.find(room.code, f"{number}", "").choose(f"{number}", 1, (number + turn) % 3)
            room.enter(f"{number}")
            assert sum(room.counts()) <= 120

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(choose, range(120)))
    assert room.counts() == (40, 40, 40)


OURS = """title = "Ours"
[[scenes]]
title = "Written"
link = "one_prediction"
sentence = "A sentence."
question = "<b>Does</b> it change?"
choices = ["Yes", "No_no_"]
correct = "No_no_"
why = "It is *the* reason."
[[scenes]]
title = "Of classes"
link = "explain?dataset=Iris flowers&shots=4&method=constraintSLP&point=100"
sentence = "A sentence."
question = "Which class is predicted?"
choices = "classes"
"""


@pytest.fixture
def cookies(monkeypatch):
    cookies = {COOKIE: "teacher"}
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda self: cookies))
    monkeypatch.setattr(ContextProxy, "ip_address", None)
    all_rooms.clear()
    return cookies


def sent(app):
    """All that a browser was sent, as text."""
    assert not app.exception, app.exception
    return "\n".join(str(getattr(each, "proto", "")) for each in app.main)


def code_in(app):
    return next(each.value for each in app.header if re.fullmatch("[A-Z]{4}", each.value))


def phone(cookies, name, code):
    cookies[COOKIE] = name
    return open_page("", query={"room": code})


def test_a_room_is_asked_and_nothing_tells_before_it_is_revealed(cookies):
    teacher = open_page("learn", query={"lecture": packed(OURS.encode())}, folded=True)
    press(teacher, "Ask the room")
    code = code_in(teacher)
    students = [phone(cookies, name, code.lower()) for name in ("x", "y")]
    for student in students:
        assert labels(student) == ["Yes", r"No\_no\_"]
        assert "reason" not in sent(student)
        assert "correct" not in sent(student).lower()
    cookies[COOKIE] = "x"
    press(students[0], "Yes")
    assert "You can change it" in shown(students[0])
    cookies[COOKIE] = "teacher"
    teacher.run()
    assert "Yes: **1**" in sent(teacher)
    assert "1 response" in sent(teacher)
    assert "reason" not in sent(teacher)
    press(teacher, "Reveal")
    assert "✓ correct" in sent(teacher)
    assert r"It is \*the\* reason." in shown(teacher)
    cookies[COOKIE] = "y"
    press(students[1], r"No\_no\_")  # which had not heard of it: too late
    assert "You did not choose." in shown(students[1])
    assert r"Correct: **No\_no\_**" in shown(students[1])
    cookies[COOKIE] = "teacher"
    assert "Yes: **1**" in sent(teacher.run())
    press(teacher, "Close the room")
    cookies[COOKIE] = "x"
    assert "The room has been closed." in students[0].run().title[0].value
    assert "There is no room with this code" in phone(cookies, "z", code).title[0].value
    del cookies[COOKIE]
    assert "allow cookies" in open_page("", query={"room": code}).title[0].value


def test_what_is_predicted_is_revealed_with_the_true_label_and_why(cookies):
    query = {"lecture": packed(OURS.encode()), "scene": "2"}
    teacher = open_page("learn", query=query, folded=True)
    there = fitted(ConstraintSLPClassifier(), "iris", 4)
    names = class_names(there.dataset.classes)
    reading = there.reading(100)
    press(teacher, "Ask the room")
    student = phone(cookies, "x", code_in(teacher))
    assert [label.split(" ")[1] for label in labels(student)] == list(there.dataset.classes)
    for app in (teacher, student):
        assert "Predicted" not in sent(app)
        assert "; true label" not in sent(app)
    cookies[COOKIE] = "teacher"
    press(teacher, "Reveal")
    assert f"Predicted {names[reading.predicted]}; true label {names[reading.true]}" in shown(
        teacher
    )
    assert reading.predicted != reading.true
    assert sent(teacher).count("✓") == sent(teacher).count("✓ prediction") == 1
    assert "· true label" in sent(teacher)
    assert teacher.text[0].value == there.dataset.describe(100)
    cookies[COOKIE] = "x"
    student.run()
    assert f"Predicted {names[reading.predicted]}" in shown(student)
