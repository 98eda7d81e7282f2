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
from dataclasses import dataclass, replace
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


class Room:
    """Whoever holds it is its teacher; phones have its code alone."""

    def __init__(self, code: str, question: Question, clock: Callable[[], float]):
        self.code, self.question = code, question
        self._clock, self._until = clock, clock() + SECONDS_OPEN
        self._lock, self._salt = threading.Lock(), secrets.token_bytes(16)
        self._phones: dict[bytes, int | None] = {}  # what each chose

    @property
    def is_open(self) -> bool:
        return self._clock() < self._until

    def close(self) -> None:
        self._until = self._clock()

    def ask(self, text: str, choices: tuple[str, ...]) -> None:
        """Put the next question; what was chosen before is forgotten."""
        with self._lock:
            self.question = Question(self.question.number + 1, text, choices)
            self._phones = dict.fromkeys(self._phones)

    def reveal(self, marks: tuple[tuple[int, str], ...], why: str) -> None:
        """Tell what is correct; nothing is chosen from then on."""
        with self._lock:
            self.question = replace(self.question, marks=marks, why=why)

    def counts(self) -> tuple[int, ...]:
        """How many phones chose each choice."""
        with self._lock:
            chosen = Counter(self._phones.values())
            return tuple(chosen[i] for i in range(len(self.question.choices)))

    def has(self, browser: str) -> bool:
        return _digest(self._salt, browser) in self._phones

    def enter(self, browser: str) -> tuple[Question, int | None]:
        """What a phone sees and has chosen, which is in the room from then on."""
        with self._lock:
            if not self.has(browser) and len(self._phones) >= MOST_PHONES:
                raise RoomError(f"This room is full: it has {MOST_PHONES} phones.")
            return self.question, self._phones.setdefault(_digest(self._salt, browser), None)

    def choose(self, browser: str, number: int, choice: int) -> None:
        """What a phone chooses, or chooses instead, for the question of that number."""
        with self._lock:
            question = self.question
            if not self.is_open or question.number != number or question.revealed:
                raise RoomError("This question is closed.")
            self._phones[_digest(self._salt, browser)] = choice


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
            self._rooms = {code: room for code, room in self._rooms.items() if room.is_open}
            if len(self._rooms) >= MOST_ROOMS:
                raise RoomError(f"This server has {MOST_ROOMS} open rooms: try again later.")
            while (code := self._code()) in self._rooms:
                pass
            room = self._rooms[code] = Room(code, Question(1, text, choices), self._clock)
            return room

    def _code(self) -> str:
        rest = (secrets.choice(LETTERS) for _ in range(LENGTH - 1))
        return "".join((secrets.choice(self._first), *rest))

    def find(self, code: str, browser: str, address: str) -> Room:
        """The room of a code; who has given many wrong ones hears no more of any other room."""
        with self._lock:
            room, caller, now = self._rooms.get(code), _digest(self._salt, address), self._clock()
            if room is not None and not room.is_open:
                room = None
            if room is not None and room.has(browser):
                return room
            since, wrong = self._wrong.get(caller, (now, 0))
            if now - since >= WRONG_SECONDS:
                since, wrong = now, 0
            if wrong >= MOST_WRONG:
                raise RoomError("Too many wrong codes came from this network: wait a minute.")
            if room is None:
                self._wrong.put(caller, (since, wrong + 1))
                raise RoomError(NO_SUCH_ROOM)
            return room


def _digest(salt: bytes, text: str) -> bytes:
    return blake2b(text.encode(), key=salt, digest_size=16).digest()


@st.cache_resource(show_spinner=False)
def all_rooms() -> Rooms:
    return Rooms(os.environ.get(LETTERS_VARIABLE, ""))
