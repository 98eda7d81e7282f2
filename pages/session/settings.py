"""Every setting of a session in one table: key, type, default, and whether the URL carries it.

A setting has a key of its own in ``st.session_state``, and a widget is a view of it: the widget's
key carries a version, which is another one whenever code has chosen something else than the widget
shows. So what a slow browser still says of the old widget is nothing. A setting whose key is not
there stands as the page opens, which may depend on the data.

What defines a view is in the URL (:mod:`pages.session.address`). What is not: uploads and files,
which are their browser's own; what a session has seen, and runs; and what only hands something on
from one run to the next.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import streamlit as st

from pages.session.cache import BoundedStore
from slp_core.data import FewShotDataset
from slp_core.data.edits import NONE, Edits
from slp_core.data.own_examples import OwnExamples
from slp_core.encoders.choice import Combine
from slp_core.lessons.lesson import Progress
from slp_core.lessons.stage import OPENING, Stage, read_stage

if TYPE_CHECKING:
    from slp_core.methods.edited_prototypes import EditedPrototypes

T = TypeVar("T")

_DIGITS = 12  # of a number in a URL; more count nothing here
_HUGE = 1e15
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")  # of surrogates: JSON can say it, and no text has it
LONGEST = 2_000  # characters of a text or of numbers in a URL


class View(NamedTuple):
    """A widget's state: its version, its first value, and the values shown now and before."""

    version: int
    first: Any
    shown: Any
    previous: Any = None


def view(
    name: str, shown: T, then: Callable[[T], object], read: Callable[[Any], T] | None = None
) -> dict[str, Any]:
    """Arguments that make a widget show a value; a new widget if code changed it."""
    views = VIEWS.of_this_visit()
    before = views.setdefault(name, View(0, shown, shown))
    if before.shown != shown:
        views[name] = View(before.version + 1, shown, shown, before.shown)
    version = views[name].version
    key = f"{name} {version}"
    if read is None and key not in st.session_state:
        st.session_state[key] = shown

    def changed() -> None:
        if key not in st.session_state:  # a widget that has gone meanwhile
            return
        value: T = st.session_state[key] if read is None else read(st.session_state[key])
        now = views[name]
        if now.version == version:
            if value == now.shown:  # Streamlit had forgotten the widget: nobody has touched it
                return
            views[name] = now._replace(shown=value)
        elif now.version > version + 1 or value == now.previous:
            return  # a browser that is late says what it showed before
        then(value)

    return {"key": key, "on_change": changed}


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One choice or stored value; ``reads`` and ``writes`` convert it from and to the URL."""

    key: str
    kind: type
    default: T
    url: bool = True
    reads: Callable[[str], T | None] | None = None
    writes: Callable[[T], str] | None = None

    @property
    def value(self) -> T:
        """The current choice, or the opening value."""
        if self.key in st.session_state:
            chosen: T = st.session_state[self.key]
            return chosen
        opening: T = st.session_state.get(OPENINGS.key, {}).get(self.key, self.default)
        return opening

    def of_this_visit(self) -> T:
        """The value itself, to be modified: a dictionary is this session's own."""
        own: T = st.session_state.setdefault(self.key, self.kind())
        return own

    @property
    def is_set(self) -> bool:
        return self.key in st.session_state

    @property
    def was_read(self) -> bool:
        """Whether the URL was just read, which may have named it; true once."""
        read = READ.value
        READ.set(read - {self.key})
        return self.key in read

    def set(self, value: T) -> None:
        """Choose; only before its widget is drawn, or in a callback."""
        st.session_state[self.key] = value
        CHOSEN_FOR.of_this_visit().pop(self.key, None)
        REFUSED.of_this_visit().pop(self.key, None)

    def clear(self) -> None:
        st.session_state.pop(self.key, None)

    def keep_for(self, content: str) -> None:
        """Clear what was chosen for other content; what was set since is for what comes."""
        chosen_for = CHOSEN_FOR.of_this_visit()
        if chosen_for.get(self.key, content) != content:
            self.clear()
        chosen_for[self.key] = content

    def shows(self, opening: T | None = None, among: Container[Any] | None = None) -> T:
        """The value to show if it is ``among`` the available ones; others are cleared."""
        openings, shown = OPENINGS.of_this_visit(), SHOWN.of_this_visit()
        if opening is None:
            opening = openings[self.key] if self.key in shown else self.default
        openings[self.key] = opening
        if among is not None and self.is_set:
            self._fit(among)
        if self.url:
            shown[self.key] = self
        return self.value

    def bound(
        self,
        opening: T | None = None,
        options: Sequence[Any] | None = None,
        within: tuple[float, float] | None = None,
        then: Callable[[], object] | None = None,
        opens: str | None = "index",
    ) -> dict[str, Any]:
        """Arguments that make a widget a view of it; ``opens`` gives its own opening value."""
        among = Range(*within) if within is not None else options
        shown = self.shows(opening, among)
        opening = OPENINGS.value[self.key]

        def choose(value: T) -> None:
            if among is not None and not _fits(value, among):
                # By a browser that was late to hear of other options: a new widget tells it.
                views = VIEWS.of_this_visit()
                views[self.key] = View(views[self.key].version + 1, shown, shown, value)
                return
            if value == opening:
                self.clear()
            else:
                self.set(value)
            if then is not None:
                then()

        bound = view(self.key, shown, choose)
        if options is not None:
            bound["options"] = options
        if within is not None:
            bound["min_value"], bound["max_value"] = map(self.kind, within)
        if opens == "index" and options is not None:
            bound["index"] = list(options).index(shown) if shown in options else None
        elif opens is not None:
            bound["value" if opens == "index" else opens] = shown
        return bound

    def read(self, texts: Sequence[str]) -> T | None:
        """The value of one or several URL texts; None if invalid."""
        value: Any
        if self.reads is not None:
            return self.reads(texts[-1])
        if self.kind is list:
            value = [text for text in texts if text]
        elif self.kind is bool:
            value = {"true": True, "false": False}.get(texts[-1].lower())
        elif self.kind in (int, float):
            value = _number(texts[-1], self.kind)
        else:
            value = texts[-1]
        return value

    def write(self, value: T) -> str | list[str]:
        if self.writes is not None:
            return self.writes(value)
        if isinstance(value, list | tuple):
            return list(map(str, value)) or ""
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _fit(self, among: Container[Any]) -> None:
        value: Any = self.value
        if isinstance(value, list):
            fitting: Any = [each for each in value if each in among]
            if fitting != value:
                self.set(fitting)
        elif not _fits(value, among):
            self.clear()


class Range(NamedTuple):
    least: float
    greatest: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.least <= value <= self.greatest


def _fits(value: Any, among: Container[Any]) -> bool:
    if isinstance(value, list):
        return all(each in among for each in value)
    return value is None or value in among


def _number(text: str, kind: type) -> Any:
    """A finite number of a kind, since widgets cannot show others."""
    try:
        number = float(text)
    except ValueError:
        return None
    if not abs(number) < _HUGE or (kind is int and not number.is_integer()):
        return None
    return kind(number)


def _number_from_one(text: str) -> int | None:
    """An index that URLs and pages count from 1."""
    return int(text) - 1 if re.fullmatch(rf"[1-9][0-9]{{0,{_DIGITS}}}", text) else None


def _from_one(place: int | None) -> str:
    return "" if place is None else str(place + 1)


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(rf"[0-9]{{1,{_DIGITS}}}", text) else None


def _parts(text: str) -> list[Any] | None:
    """A list of texts or of numbers, in JSON."""
    parts = _list(text)
    if not parts:
        return None
    if all(isinstance(part, str) for part in parts):
        return None if any(map(_HALF_A_PAIR.search, parts)) else parts
    return parts if all(map(_is_number, parts)) else None


def _entries(text: str) -> list[list[float]] | None:
    rows = _list(text)
    good = rows is not None and all(isinstance(row, list) for row in rows)
    return rows if good and all(_is_number(each) for row in rows or () for each in row) else None


def _stage(text: str) -> str | None:
    return text if len(text) <= LONGEST and read_stage(text) is not None else None


def _list(text: str) -> list[Any] | None:
    try:
        found = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _is_number(part: object) -> bool:
    """Whether it is a finite number: Python's JSON reads others too."""
    return isinstance(part, int | float) and not isinstance(part, bool) and abs(part) < _HUGE


def _as_json(parts: list[Any] | None) -> str:
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


VISIT = Setting("visit", str, "", url=False)  # who visits, which a session finds out once

# Widgets by name; and what the page opens with and which settings it shows, by key
VIEWS: Setting[dict[str, View]] = Setting("views", dict, {}, url=False)
OPENINGS: Setting[dict[str, Any]] = Setting("openings", dict, {}, url=False)
SHOWN: Setting[dict[str, Setting[Any]]] = Setting("shown", dict, {}, url=False)
# The data or the model that a setting was chosen for, by key
CHOSEN_FOR: Setting[dict[str, str]] = Setting("chosen_for", dict, {}, url=False)

# What the URL that the visit began with asks for and is not judged yet; what is said of what could
# not be had, by key, until something else is chosen; of which settings a URL was read, and what
# depends on them has not looked
REQUESTED: Setting[dict[str, list[str]] | None] = Setting("address_asked", dict, None, url=False)
REFUSED: Setting[dict[str, str]] = Setting("address_refused", dict, {}, url=False)
READ: Setting[frozenset[str]] = Setting("address_read", frozenset, frozenset(), url=False)
# The page that runs; the query that opens the view as it is, and the page that it was written for;
# what writes it where only a fragment runs; what says the code for the page
PAGE = Setting("page", str, "", url=False)
BACK = Setting("address_back", str, "", url=False)  # which step back was read last
LINK: Setting[str | None] = Setting("address_link", str, None, url=False)
LINK_PAGE = Setting("address_page", str, "", url=False)
# The form that was sent last, until it is read; the form of the page that was refused, and why
SENT = Setting("sent", str, "", url=False)
SENT_REFUSED: Setting[tuple[str, str]] = Setting("sent_refused", tuple, ("", ""), url=False)
WRITE_AT_ONCE: Setting[Callable[[], None] | None] = Setting("write", object, None, url=False)
CODE: Setting[tuple[Callable[[], str], Any] | None] = Setting(
    "code_of_page", object, None, url=False
)
REPORTED: Setting[tuple[str, Callable[[], Any]] | None] = Setting(
    "reported_of_page", object, None, url=False
)

# The sidebar
DATASET = Setting("dataset", str, "Airline tweets")
DIMENSION = Setting("dimension", int, 16)
ENCODER = Setting("encoder", str, "MiniLM, layer 4")
COMBINES: dict[str, Combine | None] = {
    "none": None,
    "concatenated": "concatenated",
    "support-weighted": "weighted",
}
COMBINE = Setting("combine", str, "none")
CHUNKS = Setting("chunks", bool, False)
HUB_MODEL = Setting("model", str, "")
NORMALISATION = Setting("normalisation", str, "L2")
SHOTS = Setting("shots", int, 16)
DRAW = Setting("draw", int, 0)
EDITS: Setting[Edits] = Setting("edits", Edits, NONE, reads=Edits.read, writes=str)
# What is typed as a dataset
TWO_CLASSES = OwnExamples.of({"class 1": (), "class 2": ()})
OWN: Setting[OwnExamples] = Setting(
    "own", OwnExamples, TWO_CLASSES, reads=OwnExamples.read, writes=str
)
# What is typed beside the shots of another dataset
TYPED_SHOTS: Setting[OwnExamples] = Setting(
    "typed_shots", OwnExamples, OwnExamples(), reads=OwnExamples.read, writes=str
)
# What edits can be undone for; which, and which were: settings and where they
# stood; what was wrong with the last
EDITING = Setting("editing", str, "", url=False)
DONE: Setting[tuple[Any, ...]] = Setting("done", tuple, (), url=False)
UNDONE: Setting[tuple[Any, ...]] = Setting("undone", tuple, (), url=False)
EDIT_REFUSED = Setting("edit_refused", str, "", url=False)
# The number of the last text that each field of Teach has sent and that was added
TAKEN: Setting[dict[str, int]] = Setting("typed_taken", dict, {}, url=False)
METHOD = Setting("method", str, "constraintSLP")
UPLOADING = Setting("uploading", str, "", url=False)  # the page that the panel was opened on
UPLOAD_READ: Setting[dict[Any, Any]] = Setting("upload_read", dict, {}, url=False)  # by question
MISSING = Setting("missing_dataset", str, "", url=False)  # that the address asked for
# Title -> the folder that a checkpoint was written to, which goes when the session does.
UPLOADED_ENCODERS: Setting[dict[str, TemporaryDirectory[str]]] = Setting(
    "uploaded_encoders", dict, {}, url=False
)

# The chosen point: a row of the dataset, which the address carries by ``selection``, and another
# one below it; or an example that was typed
POINT: Setting[int | None] = Setting("point", int, None, reads=_whole)
POINT_SHOWN: Setting[int | None] = Setting("point_shown", int, None, url=False)
SECOND: Setting[int | None] = Setting("second", int, None, reads=_whole)
TYPED: Setting[list[Any] | None] = Setting("typed", list, None, reads=_parts, writes=_as_json)

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

# Teach: the text that is tried, the accuracy before the last edit, and what an experiment did
TRIED = Setting("try", str, "")
TAUGHT: Setting[tuple[Any, ...]] = Setting("taught", tuple, (), url=False)
EXPERIMENT: Setting[tuple[Edits, str] | None] = Setting("experiment", tuple, None, url=False)

# Train
RUN_PRESET = Setting("run_preset", str, "")
EPOCH = Setting("epoch", int, 0)  # at which the run stands
LAST_EPOCH = "the last"  # what 0 stands for
PACE = Setting("pace", str, "5 epochs a second")  # that the player opens at
# Of the player: run and page, the frame at which it opened, and whether it then played
RUN_OPENED: Setting[tuple[Any, ...]] = Setting("run_opened", tuple, (), url=False)
SEEN_RUNS: Setting[dict[str, Any]] = Setting("seen_runs", dict, {}, url=False)  # curves, by key

# Explain: what is stacked, the filter of errors as it is and as it was, the line on show
STACKED = Setting("stacked", str, "by class")
ERROR_CAUSE: Setting[str | None] = Setting("explain_cause", str, None)
ERROR_CLASS: Setting[str | None] = Setting("explain_class", str, None)
ERROR_LINE: Setting[int | None] = Setting(
    "explain_at_line", int, None, reads=_number_from_one, writes=_from_one
)
ERROR_MARGIN = Setting("explain_margin", float, 0.0)
ERRORS_ORDER = Setting("errors_sorted", str, "most confident first")
FILTER_SEEN = Setting("explain_filter_seen", str, "", url=False)
EXPLAINED_LINE = Setting("explain_line", int, 0, reads=_number_from_one, writes=_from_one)
ZOOM = Setting("zoom", bool, False)

# Soft labels: what stands beside them; edited ones by model
BESIDE_DRAW = Setting("other_draw", str, "the same")
BESIDE_ENCODER = Setting("other_encoder", str, "the same")
EDITED: Setting[BoundedStore[str, EditedPrototypes] | None] = Setting(
    "hand_made", BoundedStore, None, url=False
)
# Of each soft label that was changed: its line, its end, then classes with their shares
EDITED_SHARES: Setting[list[list[float]] | None] = Setting(
    "hand_made_shares", list, None, reads=_entries, writes=_as_json
)
EDITED_FILE = Setting("hand_made_file", object, None, url=False)
EDITED_LINE = Setting("hand_made_line", int, 0, reads=_number_from_one, writes=_from_one)

# Ensemble
TEMPERATURE = Setting("temperature", str, "softmax(z)")
OVER = Setting("over", str, "w")
ELSEWHERE = Setting("elsewhere", str, "")
SINGLE = Setting("single", str, "Logistic regression")

# Compare
COMPARE_VIEW = Setting("compare", str, "on these data")
COMPARED: Setting[list[str]] = Setting("compared", list, [])
COMPARED_ENCODERS: Setting[list[str]] = Setting("compared_encoders", list, [])
TRAINED: Setting[list[str]] = Setting("trained", list, [])
TRAINED_DRAWS = Setting("trained_draws", int, 3)
TRAINING_SHOWN: Setting[Any] = Setting("training_shown", object, None, url=False)  # jobs' keys
METHOD_A = Setting("method_a", str, "")
METHOD_B = Setting("method_b", str, "")
LEAVING = Setting("leave_for_explain", bool, False, url=False)
# What Compare has changed the sidebar's method from, and to; what the sidebar calls that
METHOD_LEFT: Setting[tuple[str, str, str]] = Setting("method_left", tuple, ("",) * 3, url=False)
OUR_METHOD = Setting("our_method", str, "DeepSLP")
AGAINST = Setting("against", str, "its counterpart")
OUR_ENCODER = Setting("our_encoder", str, "")
SYSTEMS: Setting[list[str]] = Setting("systems", list, [])
SAME_ENCODER = Setting("same_encoder", bool, False)
OTHER = Setting("other_method", str, "")
LEOPARD_TASK: Setting[FewShotDataset | None] = Setting(
    "leopard_task", FewShotDataset, None, url=False
)
LEOPARD_RUNS: Setting[Any] = Setting("leopard_asked", object, None, url=False)

FOLDED = "open_"  # before the name of a part of a page that is folded away until somebody asks


def shown_stage() -> Stage:
    """The state of Learn's stage, which is a dataset too."""
    return read_stage(STAGE.value) or OPENING


def fold(name: str) -> Setting[bool]:
    return Setting(f"{FOLDED}{name}", bool, False)


# Learn: the lesson on show and its step; the query of the view before it; how far each lesson has
# come, which the browser keeps
LESSON = Setting("lesson", str, "")
LESSON_STEP = Setting("step", int, 0, reads=_whole)
# The lecture on show, by its name or packed into letters, and its scene
LECTURE = Setting("lecture", str, "")
SCENE = Setting("scene", int, 0, reads=_number_from_one, writes=lambda scene: str(scene + 1))
# The scenes of it in which what is correct has been revealed
REVEALED: Setting[tuple[int, ...]] = Setting("revealed", tuple, (), url=False)
BEFORE_LESSON = Setting("before_lesson", str, "", url=False)
PROGRESS: Setting[dict[str, Progress]] = Setting("progress", dict, {}, url=False)
# The stage of Learn, which is a dataset too: JSON that slp_core.lessons.stage reads; "" as it opens
STAGE = Setting("stage", str, "", reads=_stage)
OPENS_STAGE = Setting("stage_opens", bool, False, url=False)  # Explore is to show it

# A teacher's link: what it hides and asks, and what was guessed; and the panel that makes one
HIDDEN: Setting[list[str]] = Setting("hide", list, [])
QUESTIONS: Setting[list[str]] = Setting("ask", list, [])
GUESSES: Setting[Any] = Setting("guesses", object, None, url=False)
REPORT_OF = Setting("report_of", str, "This page", url=False)
LINK_TO = Setting("link_to", str, "", url=False)
LINK_HIDES: Setting[list[str]] = Setting("link_hides", list, [], url=False)
LINK_ASKS: Setting[list[str]] = Setting("link_asks", list, [], url=False)

# Encoders: a sentence of one's own whose neighbours are shown
NEAR: Setting[list[Any] | None] = Setting("near", list, None, reads=_parts, writes=_as_json)
# No training unasked: a link to the steps of an episode asks for them, some seconds of it
EPISODE_WANTED = Setting("episode_steps", bool, False)


CHOICES_AMONG = frozenset(
    {"beside", "before", "after", "plane", "arrows", "episode", "varying", "prototype"}
)
"""What :func:`setting_of` is asked for: the beginnings of its keys."""


def setting_of(what: str, *among: str) -> Setting[str]:
    """A choice whose alternatives depend on others, with a key for each case."""
    assert what in CHOICES_AMONG, what
    key = "_".join([what, *among])
    return Setting(key, str, "", url=":" not in key)


def in_address() -> dict[str, Setting[Any]]:
    """Every setting of the table that the URL carries, by key."""
    every = (each for each in globals().values() if isinstance(each, Setting))
    return {each.key: each for each in every if each.url}
