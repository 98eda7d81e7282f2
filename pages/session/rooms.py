"""Rooms of lectures: the question that is open, what phones chose, and what was revealed.

They are in the memory of this process, for two hours at most. A room knows a browser by a digest
that no other room shares, and what is correct only once the teacher has revealed it.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import streamlit as st

from pages.session.cache import BoundedStore
from slp_core.errors import SLPError

ROOM = "room"  # in the URL, before a code
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # that make no words, and are not taken for one another
LETTERS_VARIABLE = "SLP_ROOM_LETTERS"  # of several servers, what this one's codes begin with
LENGTH = 4
MOST_ROOMS, MOST_PHONES = 200, 500
SECONDS_OPEN = 2 * 3600.0
MOST_WRONG, WRONG_SECONDS = 20, 60.0  # codes from one address, and the time in which they count
_MOST_CALLERS = 1_000

NO_SUCH_ROOM = "There is no room with this code: it may be mistyped, or the room has been closed."
TOO_MANY_WRONG = "Too many wrong codes came from this network: wait a minute."
NO_LONGER = "This question is closed."


class RoomError(SLPError):
    """What a room refuses."""


@dataclass(frozen=True)
class Question:
    """What phones receive; ``number`` counts the room's questions."""

    number: int
    text: str
    choices: tuple[str, ...]
    marks: tuple[tuple[int, str], ...] = ()  # once revealed: choices that are, say, "correct"
    why: str = ""  # Markdown

    @property
    def revealed(self) -> bool:
        return bool(self.marks)


@dataclass(eq=False)
class Room:
    """Whoever holds it is its teacher; phones have its code alone."""

    code: str
    opened: float
    question: Question
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    phones: dict[bytes, int | None] = field(default_factory=dict)  # what each chose


class Rooms:
    def __init__(self, letters: str = "", clock: Callable[[], float] = time.monotonic):
        self._first = "".join(each for each in LETTERS if each in letters.upper()) or LETTERS
        self._clock, self._lock = clock, threading.Lock()
        self._rooms: dict[str, Room] = {}
        self._salt = secrets.token_bytes(16)
        self._wrong = BoundedStore[bytes, tuple[float, int]](_MOST_CALLERS)

    def open(self, text: str, choices: tuple[str, ...]) -> Room:
        """A new room and its first question."""
        with self._lock:
            now = self._clock()
            self._rooms = {c: r for c, r in self._rooms.items() if now - r.opened < SECONDS_OPEN}
            if len(self._rooms) >= MOST_ROOMS:
                raise RoomError(f"This server has {MOST_ROOMS} open rooms: try again later.")
            while (code := self._code()) in self._rooms:
                pass
            room = self._rooms[code] = Room(code, now, Question(1, text, choices))
            return room

    def _code(self) -> str:
        rest = (secrets.choice(LETTERS) for _ in range(LENGTH - 1))
        return "".join((secrets.choice(self._first), *rest))

    def close(self, room: Room) -> None:
        """End a room, if it is still there."""
        with self._lock:
            if self._room(room.code) is room:
                del self._rooms[room.code]

    def is_open(self, room: Room) -> bool:
        with self._lock:
            return self._room(room.code) is room

    def ask(self, room: Room, text: str, choices: tuple[str, ...]) -> None:
        """Put the next question; what was chosen before is forgotten."""
        with self._lock:
            room.question = Question(room.question.number + 1, text, choices)
            room.phones = dict.fromkeys(room.phones)

    def reveal(self, room: Room, marks: tuple[tuple[int, str], ...], why: str) -> None:
        """Tell what is correct; nothing is chosen from then on."""
        with self._lock:
            room.question = replace(room.question, marks=marks, why=why)

    def counts(self, room: Room) -> tuple[int, ...]:
        """How many phones chose each choice; nothing where the room is closed."""
        with self._lock:
            if self._room(room.code) is not room:
                return ()
            chosen = Counter(room.phones.values())
            return tuple(chosen[i] for i in range(len(room.question.choices)))

    def look(self, code: str, browser: str, address: str) -> tuple[Question, int | None]:
        """What a phone sees and has chosen, which is in the room from then on."""
        with self._lock:
            room = self._called(code, browser, address)
            return room.question, room.phones[self._enter(room, browser)]

    def question(self, code: str) -> Question | None:
        """A room's question; None where the room is closed."""
        with self._lock:
            room = self._room(code)
            return None if room is None else room.question

    def choose(self, code: str, browser: str, number: int, choice: int) -> None:
        """What a phone chooses, or chooses instead, for the question of that number."""
        with self._lock:
            room = self._room(code)
            if room is None:
                raise RoomError(NO_SUCH_ROOM)
            if room.question.number != number or room.question.revealed:
                raise RoomError(NO_LONGER)
            if not 0 <= choice < len(room.question.choices):
                raise RoomError("There is no such choice.")
            room.phones[self._enter(room, browser)] = choice

    def _enter(self, room: Room, browser: str) -> bytes:
        """A phone's name in a room, in which it is from then on."""
        name = _digest(room.salt, browser)
        if name not in room.phones:
            if len(room.phones) >= MOST_PHONES:
                raise RoomError(f"This room is full: it has {MOST_PHONES} phones.")
            room.phones[name] = None
        return name

    def _room(self, code: str) -> Room | None:
        room = self._rooms.get(code)
        if room is not None and self._clock() - room.opened >= SECONDS_OPEN:
            del self._rooms[code]
            return None
        return room

    def _called(self, code: str, browser: str, address: str) -> Room:
        """The room of a code; who has given many wrong ones hears no more of any other room."""
        room, caller, now = self._room(code), _digest(self._salt, address), self._clock()
        if room is not None and _digest(room.salt, browser) in room.phones:
            return room
        since, wrong = self._wrong.get(caller, (now, 0))
        if now - since >= WRONG_SECONDS:
            since, wrong = now, 0
        if wrong >= MOST_WRONG:
            raise RoomError(TOO_MANY_WRONG)
        if room is None:
            self._wrong.put(caller, (since, wrong + 1))
            raise RoomError(NO_SUCH_ROOM)
        return room


def _digest(salt: bytes, text: str) -> bytes:
    return blake2b(text.encode(), key=salt, digest_size=16).digest()


@st.cache_resource(show_spinner=False)
def all_rooms() -> Rooms:
    return Rooms(os.environ.get(LETTERS_VARIABLE, ""))
