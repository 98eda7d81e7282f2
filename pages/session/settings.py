"""Every setting of a visit in one table: key, type, default, and whether the address carries it.

Widgets are bound to their setting by key; one with ``url`` is read from the address on the first
visit and written back when it changes, so that a view can be sent to somebody.
"""

from __future__ import annotations

from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

from pages.session.cache import BoundedStore
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

    def bound(self) -> dict[str, Any]:
        """Arguments that tie a widget to this setting."""
        if self.url:
            return {"key": self.key, "bind": "query-params"}
        return {"key": self.key, "persist_state": "session"}

    @property
    def value(self) -> T:
        """What is chosen now."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: T) -> None:
        """Choose; only before the widget is drawn, or in a callback."""
        st.session_state[self.key] = value


# The sidebar
DATASET = Setting("dataset", str, "Airline tweets")
DIMENSION = Setting("dimension", int, 16)
ENCODER = Setting("encoder", str, "MiniLM, layer 4")
HUB_MODEL = Setting("model", str, "")
NORMALISATION = Setting("normalisation", str, "unit length")
SHOTS = Setting("shots", int, 16)
DRAW = Setting("draw", int, 0)
METHOD = Setting("method", str, "constraintSLP")
UPLOADING = Setting("uploading", bool, False, url=False)
PARSED_UPLOAD: Setting[Any] = Setting("parsed_upload", object, None, url=False)
MISSING = Setting("missing_dataset", str, "", url=False)  # that the address asked for
UPLOADS: Setting[dict[str, FewShotDataset]] = Setting("uploads", dict, {}, url=False)
# Title -> the folder that a checkpoint was written to, which goes when the session does.
UPLOADED_ENCODERS: Setting[dict[str, TemporaryDirectory[str]]] = Setting(
    "uploaded_encoders", dict, {}, url=False
)

# The chosen point: a row of the dataset, which the address carries by ``selection``, the data it is
# a row of, and what was wrong with the address; or an example that was typed, with its data's key
POINT: Setting[int | None] = Setting("point", int, None, url=False)
POINT_DATA = Setting("point_data", str, "", url=False)
POINT_NUMBER: Setting[int | None] = Setting("point_number", int, None, url=False)
POINT_REFUSED: Setting[Facts] = Setting("point_refused", tuple, (), url=False)
MARKED_ROWS: Setting[tuple[str, frozenset[int]]] = Setting(
    "marked_rows", tuple, ("", frozenset()), url=False
)  # of the table that was clicked last
ADDRESS_READ = Setting("address_read", bool, False, url=False)
TYPED_EXAMPLE: Setting[tuple[str, Examples] | None] = Setting("own_example", tuple, None, url=False)

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

# Train
RUN_PRESET = Setting("run_preset", str, "prototype-initialised")
EPOCH = Setting("epoch", int, 0)
PACE = Setting("pace", str, "20 epochs a second")
SEEN_RUNS: Setting[dict[str, str]] = Setting("seen_runs", dict, {}, url=False)  # key -> title
FIRST_RUN = Setting("first_run", bool, True, url=False)  # one starts by itself, to show it alive

# Explain: what is stacked, the filter of errors as it is and as it was, its model, the line on show
STACKED = Setting("stacked", str, "by class")
ERROR_CAUSE: Setting[str | None] = Setting("explain_cause", str, None, url=False)
ERROR_CLASS: Setting[str | None] = Setting("explain_class", str, None, url=False)
ERROR_LINE: Setting[int | None] = Setting("explain_at_line", int, None, url=False)
ERROR_MARGIN = Setting("explain_margin", float, 0.0, url=False)
ERRORS_ORDER = Setting("errors_sorted", str, "surest first")
FILTER_SEEN = Setting("explain_filter_seen", str, "", url=False)
FILTERED_MODEL = Setting("explain_filtered", str, "", url=False)
EXPLAINED_LINE = Setting("explain_line", int, 0, url=False)
LINE_FOLLOWED: Setting[tuple[Any, ...]] = Setting("explain_followed", tuple, (), url=False)
ZOOM = Setting("zoom", bool, False)

# Soft labels: what stands beside them; edited ones by model, and the slider that was moved last
BESIDE_DRAW = Setting("other_draw", str, "the same")
BESIDE_ENCODER = Setting("other_encoder", str, "the same")
EDITED: Setting[BoundedStore[str, EditedPrototypes] | None] = Setting(
    "hand_made", BoundedStore, None, url=False
)
EDITED_FILE = Setting("hand_made_file", object, None, url=False)
EDITED_REFUSED = Setting("hand_made_refused", str, "", url=False)
EDITED_LINE = Setting("hand_made_line", int, 0, url=False)
EDITED_MOVED = Setting("hand_made_moved", str, "", url=False)
EDITED_UNDONE = Setting("hand_made_taken_back", int, 0, url=False)  # how often, for new sliders

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
SESSION = Setting("session", str, "", url=False)  # names this visit among those that wait for one
TRAINING_SHOWN: Setting[Any] = Setting("training_shown", object, None, url=False)  # a job's key
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

# Learn: the lesson on show and its step, which the address carries by ``lessons``; what was on the
# table before, by setting; how far each lesson has come, which the browser keeps
LESSON = Setting("lesson", str, "", url=False)
LESSON_STEP = Setting("step", int, 0, url=False)
LESSON_WRITTEN: Setting[tuple[str, ...]] = Setting("lesson_written", tuple, (), url=False)
STEP_CHOICE = Setting("step_choice", int, 0, url=False)
BEFORE_LESSON: Setting[dict[str, Any]] = Setting("before_lesson", dict, {}, url=False)
PROGRESS: Setting[dict[str, Progress]] = Setting("progress", dict, {}, url=False)
SHARE_LENT = Setting("share_lent", float, 0.2, url=False)
TO_LEFT = Setting("to_left", float, 1.0, url=False)
TO_RIGHT = Setting("to_right", float, 4.0, url=False)
PLACES = tuple(
    Setting(f"place_{name}", float, place, url=False)
    for name, place in zip(THREE, THREE_PLACES, strict=True)
)

# A teacher's link, which the address carries by ``teaching``: what it hides and asks, what of it
# means nothing, and what was guessed; and the panel that makes one
TEACHING_READ = Setting("teaching_read", bool, False, url=False)
HIDDEN: Setting[tuple[str, ...]] = Setting("hide", tuple, (), url=False)
ASKED: Setting[tuple[str, ...]] = Setting("ask", tuple, (), url=False)
LINK_REFUSED: Setting[Facts] = Setting("link_refused", tuple, (), url=False)
GUESSES: Setting[BoundedStore[str, str] | None] = Setting("guesses", BoundedStore, None, url=False)
LINK_TO = Setting("link_to", str, "", url=False)
LINK_HIDES: Setting[list[str]] = Setting("link_hides", list, [], url=False)
LINK_ASKS: Setting[list[str]] = Setting("link_asks", list, [], url=False)

# Encoders
EPISODE_WANTED = Setting("episode_wanted", bool, False, url=False)  # no training unasked


def setting_of(what: str, *among: str) -> Setting[str]:
    """A choice whose alternatives depend on what else is there, and so has a key for each of that.

    One that names a folder or an upload is nobody else's, and stays out of the address.
    """
    key = "_".join([what, *among])
    return Setting(key, str, "", url=":" not in key)
