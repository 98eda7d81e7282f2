"""The current lecture: its scenes are links; the URL carries its name or its content."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import parse_qs, unquote, urlsplit

import slp_core as slp
from pages.session import lessons, settings
from pages.session.address import apply_url, known
from pages.session.lessons import clear_workspace, leave, remember
from pages.session.old_links import current_names
from slp_core.lessons.lecture import FILES, MOST_BYTES, Lecture, LectureError, Scene, read_lecture
from slp_core.lessons.table import LESSONS
from slp_core.methods.table import METHODS
from slp_core.sentences import listed

PICTURES = {
    "explore": "large map",
    "explain": "strip",
    "train": "training",
    "soft_labels": "editor",
    "ensemble": "divergence",
    "learn": "shared",
    "shared": "shared",
    "one_prediction": "one prediction",
    "three_to_move": "three to move",
    "dimensions": "dimensions",
    "bands": "bands",
    "local_labels": "local labels",
    "members": "members",
    "episode": "episode",
}
"""The view of a lesson that a link opens, by the link's page or the view's own name."""
# What is Learn's own or a teacher's link's, and no part of a view
OWN = {
    each.key
    for each in (
        settings.LECTURE,
        settings.SCENE,
        settings.LESSON,
        settings.LESSON_STEP,
        settings.HIDDEN,
        settings.QUESTIONS,
    )
}


def current_lecture() -> Lecture | None:
    return lecture_of(settings.LECTURE.value) if settings.LECTURE.value else None


@lru_cache(maxsize=32)
def lecture_of(asked: str) -> Lecture | None:
    """The app's lecture of that name, or one decoded from what `packed` made."""
    try:
        return read_lecture(FILES[asked] if asked in FILES else _unpacked(asked), wrong_with)
    except LectureError:
        return None


def packed(file: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(file, 9)).decode().rstrip("=")


def _unpacked(text: str) -> bytes:
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return zlib.decompressobj().decompress(data, MOST_BYTES + 1)
    except (ValueError, zlib.error):
        return b""


def picture_of(scene: Scene) -> str:
    return PICTURES[_parts(scene.link)[0]]


def wrong_with(link: str) -> str:
    """Why a link opens no scene; empty if it does."""
    picture, requested = _parts(link)
    if picture not in PICTURES:
        return f"there is no picture “{picture}”; choose one of {listed(list(PICTURES))}."
    available = {
        settings.DATASET.key: {n for i in slp.list_datasets() for n in (i.title, i.name)},
        settings.ENCODER.key: {info.title for info in slp.list_encoders()},
        settings.METHOD.key: {method.title for method in METHODS.values()},
    }
    for key, texts in requested.items():
        setting = known(key)
        if setting is None:
            return f"there is no setting “{key}”; copy the link from Share."
        value = setting.read(texts)
        if value is None or value not in available.get(key, {value}):
            return f"“{key}” cannot be “{texts[-1]}” in a lecture."
    return ""


def _parts(link: str) -> tuple[str, Mapping[str, list[str]]]:
    """The view and the settings of a link, which may be a full URL of the app."""
    whole = link.startswith(("http://", "https://"))
    try:
        parts = urlsplit(link if whole else f"//app/{link}", allow_fragments=False)
    except ValueError:  # of no host
        return link, {}
    picture = unquote(parts.path).strip("/").rsplit("/", 1)[-1] or "explore"
    requested = current_names(parse_qs(parts.query, keep_blank_values=True))
    return picture, {key: texts for key, texts in requested.items() if key not in OWN}


def read_learn(requested: Mapping[str, list[str]]) -> None:
    """Open the lesson or the lecture that Learn's URL requests, before its other settings apply."""
    (*_, asked) = requested.get(settings.LECTURE.key, [""])
    (*_, name) = requested.get(settings.LESSON.key, [""])
    if asked and lecture_of(asked) is not None:
        begin(asked, settings.SCENE.read(requested.get(settings.SCENE.key, [""])) or 0)
    elif name in LESSONS:
        step = settings.LESSON_STEP.read(requested.get(settings.LESSON_STEP.key, [""]))
        lessons.begin(name, step)
    else:
        leave()  # to the lessons, where Back leads


def say_learn() -> None:
    """Have Learn's URL name its lesson or lecture, and the first step too: Back may lead to it."""
    if current_lecture() is None:
        settings.LECTURE.clear()
    if settings.LECTURE.shows():
        settings.SCENE.shows(opening=-1)
    if name := settings.LESSON.shows(among=LESSONS):
        settings.LESSON_STEP.set(min(settings.LESSON_STEP.value, lessons.LENGTHS[name]))
        settings.LESSON_STEP.shows(opening=-1)


def begin(asked: str, scene: int = 0) -> None:
    """Start a lecture; the settings before it are stored."""
    remember()
    settings.LESSON.clear()
    settings.LECTURE.set(asked)
    settings.REVEALED.clear()
    go(scene)


def go(scene: int) -> None:
    """Go to a scene, and apply its link; only before the page is drawn, or in a callback."""
    lecture = current_lecture()
    if lecture is None:  # somebody went on after they had left it, and before the page was drawn
        return
    at = max(0, min(scene, len(lecture.scenes) - 1))
    clear_workspace()
    for setting in settings.SHOWN.value.values():
        if setting.key not in OWN:
            setting.clear()
    apply_url(dict(_parts(lecture.scenes[at].link)[1]))
    settings.SCENE.set(at)
