"""What files that are downloaded are called, and what they say of where they come from."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import streamlit as st

from pages.session.available_encoders import public_name
from pages.session.scripts import versions
from pages.session.workspace import Workspace, encoder
from slp_core.data.typed_shots import typed_text
from slp_core.figures.display import Scope
from slp_core.methods.table import METHODS, Method

if TYPE_CHECKING:
    import pandas as pd

Of: TypeAlias = Workspace | Sequence[Workspace] | None
WORKSPACE = "workspace"  # the key of what the sidebar has settled
_LONGEST = 40  # letters of a name within a file's name
# The parts of what is on the table that content of a scope depends on.
_PARTS: dict[Scope, tuple[str, ...]] = {
    "draw": ("dataset", "typed", "encoder", "shots", "draw", "edits", "method", "options"),
    "draws": ("dataset", "typed", "encoder", "shots", "method", "options"),
    "predictions": ("dataset", "typed", "encoder", "shots", "draw", "edits"),
    "shots": ("dataset", "typed", "encoder", "shots"),
    "data": ("dataset", "typed", "encoder"),
    "": (),
}
_RARE = ("typed", "edits")  # which are said only where there are some


def file_name(what: str, ending: str, scope: Scope = "draw", workspace: Of = None) -> str:
    """A name with the data, the encoder, the draw, the method, its options and the date."""
    parts = [what, *_words(scope, workspace), _today()]
    name = "_".join(re.sub(r"[^\w.+-]+", "-", part).strip("-") for part in parts)
    return f"{name}.{ending}" if ending else name


def origin(scope: Scope = "draw", workspace: Of = None) -> dict[str, Any]:
    """The same as it stands in a file, in JSON types; options may be an empty text."""
    return _shared(_PARTS[scope], workspace) | {"date": _today()}


def numbered(table: pd.DataFrame, workspace: Of = None) -> pd.DataFrame:
    """A table of examples with their rows as the uploaded file numbers them."""
    several = _several(workspace)
    return several[0].dataset.numbered(table) if several else table


def origin_text(scope: Scope, workspace: Of) -> str:
    """What ``origin`` says, in words."""
    known = origin(scope, workspace).items()
    return ", ".join(f"{what} {value}" for what, value in known if value != "")


def scaled_name(workspace: Workspace) -> str:
    """The encoder's, with the vectors' scaling where it is not the encoder's usual one."""
    name, here = public_name(workspace.encoder_name), workspace.encoder.normalisation
    usual = encoder(workspace.encoder_name, None).normalisation
    return name if here == usual else f"{name}+{here}"


def method_name(workspace: Workspace) -> str:
    """The method's, as the command line has it, with what is set otherwise: ``slp n_lines=all``."""
    return f"{_named_method(workspace).name} {_options(workspace)}".rstrip()


def full_origin(workspace: Workspace) -> dict[str, Any]:
    """All that is needed to find the data, the vectors and the versions of a fit again."""
    read_as = workspace.dataset.read_as
    file = {} if read_as is None else {"file": dict(read_as)}
    return origin("draw", workspace) | {
        **file,
        "encoder": public_name(workspace.encoder_name),
        "digest": workspace.dataset.digest,
        "normalisation": workspace.encoder.normalisation,
        "dimensions": int(workspace.X.shape[1]),
        "options": dict(workspace.options),
        "versions": versions(),
    }


def with_origin(content: str, workspace: Workspace) -> str:
    """A JSON object's text with an entry that says where it comes from."""
    entries = json.loads(content) | {"about": full_origin(workspace)}
    return json.dumps(entries, ensure_ascii=False, indent=1)


def _named_method(table: Workspace) -> Method:
    """As the command line has it: a method with other parameters may have a name of its own."""
    for method in METHODS.values():
        if method.base is table.method and method.fixed.items() <= dict(table.options).items():
            return method
    return table.method


def _options(table: Workspace) -> str:
    """What is set otherwise than the method that it is called has it: ``n_lines=all``."""
    method = _named_method(table)
    given = {name: v for name, v in sorted(table.options.items()) if name not in method.fixed}
    usual = method.estimator_class().get_params() if given else {}  # its import takes a while
    return ", ".join(f"{name}={v}" for name, v in given.items() if v != usual[name])


def _words(scope: Scope, workspace: Of) -> list[str]:
    known = origin(scope, workspace)
    said = {"shots": "{}-shots", "draw": "draw-{}"}
    return [
        said.get(part, "{}").format(_shortened(str(known[part])))
        for part in _PARTS[scope]
        if known.get(part, "") != ""
    ]


def _shortened(words: str) -> str:
    """Of long ones the beginning, and what tells them from others that begin alike."""
    if len(words) <= _LONGEST:
        return words
    digest = hashlib.blake2b(words.encode(), digest_size=3).hexdigest()
    return f"{words[: _LONGEST - len(digest) - 1]}-{digest}"


_READ: dict[str, Callable[[Workspace], Any]] = {
    "dataset": lambda workspace: workspace.dataset.title,
    "typed": lambda workspace: typed_text(workspace.dataset),
    "encoder": scaled_name,
    "shots": lambda workspace: workspace.shots,
    "draw": lambda workspace: workspace.draw,
    "edits": lambda workspace: str(workspace.edits),
    "method": lambda workspace: _named_method(workspace).name,
    "options": _options,
}


def _shared(parts: Sequence[str], workspace: Of) -> dict[str, Any]:
    """Those of the parts that all of the workspaces have alike."""
    found = {part: [_READ[part](each) for each in _several(workspace)] for part in parts}
    same = {part: v[0] for part, v in found.items() if v and all(each == v[0] for each in v)}
    return {part: value for part, value in same.items() if part not in _RARE or value}


def _several(workspace: Of) -> Sequence[Workspace]:
    one = st.session_state.get(WORKSPACE) if workspace is None else workspace
    return [one] if isinstance(one, Workspace) else one or ()


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()
