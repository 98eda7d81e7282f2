"""Every setting of a visit in one table: key, type, default, and whether the address carries it.

Widgets are bound to their setting by key; one with ``url`` is read from the address on the first
visit and written back when it changes, so that a view can be sent to somebody. What defines a view
is in the address. What is not: uploads and files, which are their browser's own; what a session has
seen, runs and folds that are open; and what only hands something on from one run to the next.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

from pages.session.cache import BoundedStore
from pages.session.links import ASKABLE, HIDEABLE, known_words
from slp_core.data import Examples, FewShotDataset
from slp_core.facts import Facts
from slp_core.lessons.progress import Progress
from slp_core.lessons.toys import THREE, THREE_PLACES

if TYPE_CHECKING:
    from slp_core.methods.edited_prototypes import EditedPrototypes

T = TypeVar("T")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One thing that is chosen or remembered in a visit.

    Attributes
    ----------
    key : str
        In ``st.session_state``, and in the URL.
    kind : type
    default : T
    url : bool
    """

    key: str
    kind: type
    default: T
    url: bool = True

    def bound(self, opening: T | None = None) -> dict[str, Any]:
        """Arguments that tie a widget to this setting.

        Parameters
        ----------
        opening : T, optional
            What the widget begins with, where that is not the default but depends on the data: a
            link need not name it.
        """
        if self.url:
            DRAWN.value[self.key] = self.default if opening is None else opening
            if self.key not in UNREADABLE.value:
                return {"key": self.key, "bind": "query-params"}
        return {"key": self.key, "persist_state": "session"}

    @property
    def value(self) -> T:
        """What is chosen now."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: T) -> None:
        """Choose; only before the widget is drawn, or in a callback."""
        if self.url:
            tell(self.key, value)
        else:
            st.session_state[self.key] = value


def tell(key: str, value: Any) -> None:
    """Choose for a setting by its key, and remember for a run or two that code chose."""
    st.session_state[key] = value
    TOLD.set(TOLD.value | {key: value})


@dataclass(frozen=True)
class Kept(Setting[T]):
    """A setting in the address that no widget is bound to: see :mod:`pages.session.address`.

    A widget of such a setting may be absent while the setting counts, or may say more than the
    address should: how many errors there are of a cause.

    Attributes
    ----------
    read : callable
        What a text in an address means; None where it means nothing.
    write : callable
        A value as that text.
    """

    read: Callable[[str], T | None] = lambda text: None
    write: Callable[[T], str] = str

    def bound(self, opening: T | None = None) -> dict[str, Any]:
        """Arguments that tie a widget to this setting."""
        return {"key": self.key, "persist_state": "session"}


_DIGITS = 9  # of a number in an address; more count nothing here
_HUGE = 1e15
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")  # of surrogates: JSON can say it, and no text has it
LONGEST = 2_000  # characters of a text or of numbers in an address


def _number_from_one(text: str) -> int | None:
    """A place counted from 0, which addresses and pages count from 1."""
    return int(text) - 1 if re.fullmatch(rf"[1-9][0-9]{{0,{_DIGITS}}}", text) else None


def _from_one(place: int | None) -> str:
    return "" if place is None else str(place + 1)


def _share(text: str) -> float | None:
    """A number from 0 to 1 with at most two decimals, as sliders have them."""
    return float(text) if re.fullmatch(r"0(\.[0-9]{1,2})?|1(\.00?)?", text) else None


def _word(text: str) -> str | None:
    return text if 0 < len(text) <= LONGEST and not _HALF_A_PAIR.search(text) else None


def is_unbounded(text: str) -> bool:
    """Whether a text of an address is a number that no setting can have, and no widget can read."""
    try:
        return not abs(float(text)) < _HUGE
    except ValueError:
        return False


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(rf"[0-9]{{1,{_DIGITS}}}", text) else None


def _known(words: Mapping[str, Any]) -> Callable[[str], tuple[str, ...] | None]:
    """What reads those of some words that stand in a text, between commas."""
    return lambda text: known_words(text, words) or None


def _flag(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text)


def _parts(text: str) -> list[Any] | None:
    """A list of texts or of numbers, in JSON."""
    if len(text) > LONGEST:
        return None
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(parts, list) or not parts:
        return None
    if all(isinstance(part, str) for part in parts):
        return None if any(map(_HALF_A_PAIR.search, parts)) else parts
    return parts if all(map(_is_number, parts)) else None


def _entries(text: str) -> list[list[float]] | None:
    """Rows of numbers, in JSON."""
    if len(text) > LONGEST:
        return None
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    good = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    return rows if good and all(_is_number(each) for row in rows for each in row) else None


def _is_number(part: object) -> bool:
    """Whether it is a finite one: JSON as Python reads it has others."""
    return isinstance(part, int | float) and not isinstance(part, bool) and abs(part) < _HUGE


def _as_json(parts: list[Any] | None) -> str:
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


# Who visits, which a session finds out once
VISIT: Setting[Any] = Setting("visit", object, None, url=False)

# The address that a visit began with, by key; which of its kept settings were read; what it asked
# for that could not be had; what the widgets of this page that the address carries open with, by
# key; what says the code for the page; and the link to the view as it is
ASKED: Setting[dict[str, list[str]] | None] = Setting("address_asked", dict, None, url=False)
READ: Setting[frozenset[str]] = Setting("address_kept_read", frozenset, frozenset(), url=False)
REFUSED: Setting[Facts] = Setting("address_refused", tuple, (), url=False)
DRAWN: Setting[dict[str, Any]] = Setting("address_drawn", dict, {}, url=False)
DRAWN_ON = Setting("address_drawn_on", str, "", url=False)  # the page that this was
# What code chose, by key: since the last run began, and before that in the run before
TOLD: Setting[dict[str, Any]] = Setting("address_told", dict, {}, url=False)
TOLD_BEFORE: Setting[dict[str, Any]] = Setting("address_told_before", dict, {}, url=False)
CODE: Setting[tuple[Callable[[], str], Any] | None] = Setting(
    "code_of_page", object, None, url=False
)
LINK = Setting("address_link", str, "", url=False)
# Keys of it whose values Streamlit cannot read: their widgets stay unbound, for this visit or, the
# name of a dataset that is not here, until another is chosen
UNREADABLE: Setting[frozenset[str]] = Setting(
    "address_unreadable", frozenset, frozenset(), url=False
)

# The sidebar
DATASET = Setting("dataset", str, "Airline tweets")
DIMENSION = Setting("dimension", int, 16)
ENCODER = Setting("encoder", str, "MiniLM, layer 4")
HUB_MODEL = Setting("model", str, "")
NORMALISATION = Setting("normalisation", str, "unit length")
SHOTS = Setting("shots", int, 16)
DRAW = Setting("draw", int, 0)
# From which draw, as the browser had it, to which *Draw again* led last, while that is on show
DREW: Setting[tuple[int, int] | None] = Setting("drew", tuple, None, url=False)
METHOD = Setting("method", str, "constraintSLP")
UPLOADING = Setting("uploading", bool, False, url=False)
PARSED_UPLOAD: Setting[Any] = Setting("parsed_upload", object, None, url=False)
MISSING = Setting("missing_dataset", str, "", url=False)  # that the address asked for
FORGOTTEN = Setting("forgotten_dataset", str, "", url=False)  # an upload, by whoever brought it
UPLOADS: Setting[dict[str, FewShotDataset]] = Setting("uploads", dict, {}, url=False)
# Title -> the folder that a checkpoint was written to, which goes when the session does.
UPLOADED_ENCODERS: Setting[dict[str, TemporaryDirectory[str]]] = Setting(
    "uploaded_encoders", dict, {}, url=False
)

# Of widgets that are made anew, by name: how often they were, and what they show (``renewed``)
RENEWED: Setting[dict[str, tuple[int, tuple[Any, str]]]] = Setting("renewed", dict, {}, url=False)

# The chosen point: a row of the dataset, which the address carries by ``selection``, the data it is
# a row of, and what was wrong with the address; or an example that was typed, with its data's key
POINT: Kept[int | None] = Kept("point", int, None)  # read in words of its own
POINT_DATA = Setting("point_data", str, "", url=False)
POINT_REFUSED: Setting[Facts] = Setting("point_refused", tuple, (), url=False)
MARKED_ROWS: Setting[tuple[str, frozenset[int]]] = Setting(
    "marked_rows", tuple, ("", frozenset()), url=False
)  # of the table that was clicked last
ADDRESS_READ = Setting("address_read", bool, False, url=False)
TYPED_EXAMPLE: Setting[tuple[str, Examples] | None] = Setting("own_example", tuple, None, url=False)
TYPED: Kept[list[Any] | None] = Kept("typed", list, None, read=_parts, write=_as_json)

# Pictures of the space
PROJECTION = Setting("projection", str, "PCA")
LANDSCAPE = Setting("landscape", str, "slice")
NEIGHBOURS = Setting("neighbours", int, 15)
MIN_DIST = Setting("min_dist", float, 0.1)
DECISION_MIN_DIST = Setting("decision_min_dist", float, 0.3)
PERPLEXITY = Setting("perplexity", int, 30)
METRIC = Setting("metric", str, "straight")
MIX = Setting("mix", float, 0.5)
SHADE = Setting("shade", str, "lead")
LAYERS: Setting[list[str]] = Setting("layers", list, [])
COMPARISON = Setting("comparison", str, "side by side")

# Explore: whether a visitor is greeted; None before that is settled
GREETED: Setting[bool | None] = Setting("greeted", bool, None, url=False)

# Train
RUN_PRESET = Setting("run_preset", str, "prototype-initialised")
EPOCH = Setting("epoch", int, 0)
LAST_EPOCH = "the last"  # what 0 stands for
PACE = Setting("pace", str, "20 epochs a second")
FIRST_RUN = Setting("first_run", bool, True, url=False)  # one starts by itself, to show it alive

# Explain: what is stacked, the filter of errors as it is and as it was, its model, the line on show
STACKED = Setting("stacked", str, "by class")
ERROR_CAUSE: Kept[str | None] = Kept("explain_cause", str, None, read=_word)
ERROR_CLASS: Kept[str | None] = Kept("explain_class", str, None, read=_word)
ERROR_LINE: Kept[int | None] = Kept(
    "explain_at_line", int, None, read=_number_from_one, write=_from_one
)
ERROR_MARGIN = Kept("explain_margin", float, 0.0, read=_share)
ERRORS_ORDER = Setting("errors_sorted", str, "surest first")
WHOLE_TABLE = Setting("whole_table", bool, False)
FILTER_SEEN = Setting("explain_filter_seen", str, "", url=False)
FILTERED_MODEL = Setting("explain_filtered", str, "", url=False)
EXPLAINED_LINE = Kept("explain_line", int, 0, read=_number_from_one, write=_from_one)
LINE_FOLLOWED: Setting[tuple[Any, ...]] = Setting("explain_followed", tuple, (), url=False)
ZOOM = Setting("zoom", bool, False)

# Soft labels: what stands beside them; edited ones by model, and the slider that was moved last
BESIDE_DRAW = Setting("other_draw", str, "the same")
BESIDE_ENCODER = Setting("other_encoder", str, "the same")
EDITED: Setting[BoundedStore[str, EditedPrototypes] | None] = Setting(
    "hand_made", BoundedStore, None, url=False
)
# Of each soft label that was changed: its line, its end, then classes with their shares
EDITED_SHARES: Kept[list[list[float]] | None] = Kept(
    "hand_made_shares", list, None, read=_entries, write=_as_json
)
EDITED_FILE = Setting("hand_made_file", object, None, url=False)
EDITED_REFUSED = Setting("hand_made_refused", str, "", url=False)
EDITED_LINE = Kept("hand_made_line", int, 0, read=_number_from_one, write=_from_one)
EDITED_MOVED = Setting("hand_made_moved", str, "", url=False)
EDITED_UNDONE = Setting("hand_made_taken_back", int, 0, url=False)  # how often, for new sliders

# Ensemble
TEMPERATURE = Setting("temperature", str, "softmax(z)")
OVER = Setting("over", str, "w")
ELSEWHERE = Setting("elsewhere", str, "")
SINGLE = Setting("single", str, "Logistic regression")
SINGLE_TRAINED: Setting[frozenset[str]] = Setting(  # what somebody has asked to train it on
    "single_trained", frozenset, frozenset(), url=False
)

# Compare
COMPARE_VIEW = Setting("compare", str, "on these data")
COMPARED: Setting[list[str]] = Setting("compared", list, [])
COMPARED_ENCODERS: Setting[list[str]] = Setting("compared_encoders", list, [])
TRAINED: Setting[list[str]] = Setting("trained", list, [])
TRAINED_DRAWS = Setting("trained_draws", int, 3)
TRAINING_SHOWN: Setting[Any] = Setting("training_shown", object, None, url=False)  # jobs' keys
COMPARED_DRAWS = Setting("compared_draws", str, "the draws that all have")
METHOD_A = Setting("method_a", str, "")
METHOD_B = Setting("method_b", str, "")
LEAVING = Setting("leave_for_explain", bool, False, url=False)
# What Compare has changed the sidebar's method from, and to; what the sidebar calls that
METHOD_LEFT: Setting[tuple[str, str, str]] = Setting("method_left", tuple, ("",) * 3, url=False)
OUR_METHOD = Setting("our_method", str, "DeepSLP")
AGAINST = Setting("against", str, "its counterpart")
OUR_ENCODER = Setting("our_encoder", str, "")
SYSTEMS: Setting[list[str]] = Setting("systems", list, [])
LEOPARD_TASK: Setting[FewShotDataset | None] = Setting(
    "leopard_task", FewShotDataset, None, url=False
)
LEOPARD_RUNS: Setting[Any] = Setting("leopard_asked", object, None, url=False)

SHOW_CONTROLS = Setting("show_controls", bool, False)  # where a narrow window folds them

# Parts of pages that are folded away until somebody asks for them
OPEN_MAP = Setting("open_map", bool, False)
OPEN_THEOREM2 = Setting("open_theorem2", bool, False)
OPEN_EXAMPLES = Setting("open_examples", bool, False)
OPEN_DIMENSIONS = Setting("open_dimensions", bool, False)
OPEN_LABEL_DRAWS = Setting("open_label_draws", bool, False)
OPEN_THEOREM1 = Setting("open_theorem1", bool, False)
OPEN_CHANGED = Setting("open_changed", bool, False)
OPEN_PARTS = Setting("open_parts", bool, False)
OPEN_BY_CLASS = Setting("open_by_class", bool, False)
OPEN_ELSEWHERE = Setting("open_elsewhere", bool, False)
OPEN_POINTS = Setting("open_points", bool, False)
OPEN_COSTS = Setting("open_costs", bool, False)
OPEN_EVERYWHERE = Setting("open_everywhere", bool, False)
OPEN_TUNING = Setting("open_tuning", bool, False)
OPEN_EPISODE = Setting("open_episode", bool, False)
OPEN_CHECKPOINT = Setting("open_checkpoint", bool, False)
OPEN_TRAINING = Setting("open_training", bool, False)
OPEN_CARDS = Setting("open_cards", bool, False)
OPEN_TEACHERS = Setting("open_teachers", bool, False)

# Learn: the lesson on show and its step; what was on the
# table before, by setting; how far each lesson has come, which the browser keeps
LESSON = Kept("lesson", str, "", read=_word)
LESSON_STEP = Kept("step", int, 0, read=_whole)
LESSON_WRITTEN: Setting[tuple[tuple[str, str], ...]] = Setting(
    "lesson_written", tuple, (), url=False
)
BEFORE_LESSON: Setting[dict[str, Any]] = Setting("before_lesson", dict, {}, url=False)
PROGRESS: Setting[dict[str, Progress]] = Setting("progress", dict, {}, url=False)
SHARE_LENT = Setting("share_lent", float, 0.2, url=False)
TO_LEFT = Setting("to_left", float, 1.0, url=False)
TO_RIGHT = Setting("to_right", float, 4.0, url=False)
PLACES = tuple(
    Setting(f"place_{name}", float, place, url=False)
    for name, place in zip(THREE, THREE_PLACES, strict=True)
)

# A teacher's link: what it hides and asks, and what was guessed; and the panel that makes one
HIDDEN: Kept[tuple[str, ...]] = Kept("hide", tuple, (), read=_known(HIDEABLE), write=",".join)
QUESTIONS: Kept[tuple[str, ...]] = Kept("ask", tuple, (), read=_known(ASKABLE), write=",".join)
GUESSES: Setting[BoundedStore[str, str] | None] = Setting("guesses", BoundedStore, None, url=False)
LINK_TO = Setting("link_to", str, "", url=False)
LINK_HIDES: Setting[list[str]] = Setting("link_hides", list, [], url=False)
LINK_ASKS: Setting[list[str]] = Setting("link_asks", list, [], url=False)

# Encoders: a sentence of one's own whose neighbours are shown
NEAR: Kept[list[Any] | None] = Kept("near", list, None, read=_parts, write=_as_json)
# No training unasked: a link to the steps of an episode asks for them, some seconds of it
EPISODE_WANTED = Kept("episode_steps", bool, False, read=_flag, write=lambda on: str(on).lower())


CHOICES_AMONG = frozenset(
    {"beside", "before", "after", "plane", "arrows", "episode", "varying", "prototype"}
)
"""What :func:`setting_of` is asked for: the beginnings of its keys."""


def setting_of(what: str, *among: str) -> Setting[str]:
    """A choice whose alternatives depend on what else is there, and so has a key for each of that.

    One that names a folder or an upload is nobody else's, and stays out of the address.
    """
    assert what in CHOICES_AMONG, what
    key = "_".join([what, *among])
    return Setting(key, str, "", url=":" not in key)


def in_address() -> dict[str, Setting[Any]]:
    """Every setting of the table that the address carries, by key."""
    every = (each for each in globals().values() if isinstance(each, Setting))
    return {each.key: each for each in every if each.url}
