"""Names of downloaded files, and the origin that they state."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from importlib.metadata import version
from platform import python_version
from typing import Any, TypeAlias

import pandas as pd
import streamlit as st

import slp_core
from pages.session.available_encoders import public_name
from pages.session.workspace import Workspace, encoder
from slp_core.data.typed_shots import typed_text
from slp_core.figures.display import Scope
from slp_core.methods.table import METHODS, Method

Of: TypeAlias = Workspace | Sequence[Workspace] | None
WORKSPACE = "workspace"  # the key of what the sidebar has settled
_LONGEST = 40  # letters of a name within a file's name
# The settings that content of a scope depends on.
_PARTS: dict[Scope, tuple[str, ...]] = {
    "draw": ("dataset", "typed", "encoder", "shots", "draw", "edits", "method", "options"),
    "draws": ("dataset", "typed", "encoder", "shots", "method", "options"),
    "predictions": ("dataset", "typed", "encoder", "shots", "draw", "edits"),
    "shots": ("dataset", "typed", "encoder", "shots"),
    "data": ("dataset", "typed", "encoder"),
    "": (),
}
_SAID = {"draw": "support set"}  # on screen and in tables; files that are opened again keep draw
_RARE = ("typed", "edits")  # which are said only where there are some


def file_name(what: str, ending: str, scope: Scope = "draw", workspace: Of = None) -> str:
    """A name made of data, encoder, draw, method, options and date."""
    said = {"shots": "{}-shots", "draw": "support-set-{}"}
    known = _shared(_PARTS[scope], workspace).items()
    words = [said.get(part, "{}").format(_shortened(str(v))) for part, v in known if v != ""]
    parts = [what, *words, today()]
    name = "_".join(re.sub(r"[^\w.+-]+", "-", part).strip("-") for part in parts)
    return f"{name}.{ending}" if ending else name


def origin(scope: Scope = "draw", workspace: Of = None) -> dict[str, Any]:
    """The origin in the words of the screen; options may be an empty text."""
    known = _shared(_PARTS[scope], workspace).items()
    return {_SAID.get(part, part): value for part, value in known} | {"date": today()}


def numbered(table: pd.DataFrame, workspace: Of = None) -> pd.DataFrame:
    """A table of examples with the row numbers of the uploaded file."""
    several = _several(workspace)
    return several[0].dataset.numbered(table) if several else table


def origin_text(scope: Scope, workspace: Of) -> str:
    known = origin(scope, workspace).items()
    return ", ".join(f"{what} {value}" for what, value in known if value != "")


def scaled_name(workspace: Workspace) -> str:
    """The encoder's name, with the scaling of the vectors if it is not the usual one."""
    name, here = public_name(workspace.encoder_name), workspace.encoder.normalisation
    usual = encoder(workspace.encoder_name, None).normalisation
    return name if here == usual else f"{name}+{here}"


def method_name(workspace: Workspace) -> str:
    """The method's command-line name, with options that differ: ``slp n_lines=all``."""
    return f"{named_method(workspace).name} {_options(workspace)}".rstrip()


def full_origin(workspace: Workspace) -> dict[str, Any]:
    """The origin in JSON types."""
    read_as = workspace.dataset.read_as
    file = {} if read_as is None else {"file": dict(read_as)}
    return _shared(_PARTS["draw"], workspace) | {
        "date": today(),
        **file,
        "encoder": public_name(workspace.encoder_name),
        "digest": workspace.dataset.digest,
        "normalisation": workspace.encoder.normalisation,
        "dimensions": int(workspace.X.shape[1]),
        "options": dict(workspace.options),
        "versions": versions(),
    }


def with_origin(content: str, workspace: Workspace) -> str:
    entries = json.loads(content) | {"about": full_origin(workspace)}
    return json.dumps(entries, ensure_ascii=False, indent=1)


def named_method(table: Workspace) -> Method:
    """The method, or the variant whose parameters these are."""
    for method in METHODS.values():
        if method.base is table.method and method.fixed.items() <= dict(table.options).items():
            return method
    return table.method


def _options(table: Workspace) -> str:
    """Options that differ from the named method's: ``n_lines=all``."""
    method = named_method(table)
    given = {name: v for name, v in sorted(table.options.items()) if name not in method.fixed}
    usual = method.estimator_class().get_params() if given else {}  # its import takes a while
    return ", ".join(f"{name}={v}" for name, v in given.items() if v != usual[name])


def _shortened(words: str) -> str:
    """Shorten long names, keeping them distinct."""
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
    "method": lambda workspace: named_method(workspace).name,
    "options": _options,
}


def _shared(parts: Sequence[str], workspace: Of) -> dict[str, Any]:
    """The parts that all workspaces share."""
    found = {part: [_READ[part](each) for each in _several(workspace)] for part in parts}
    same = {part: v[0] for part, v in found.items() if v and all(each == v[0] for each in v)}
    return {part: value for part, value in same.items() if part not in _RARE or value}


def _several(workspace: Of) -> Sequence[Workspace]:
    one = st.session_state.get(WORKSPACE) if workspace is None else workspace
    return [one] if isinstance(one, Workspace) else one or ()


def today() -> str:
    return datetime.now().astimezone().date().isoformat()


def versions() -> dict[str, str]:
    """Versions of what decides the last bit, by name."""
    libraries = ("numpy", "scipy", "scikit-learn")
    own = {"python": python_version(), "slp_core": slp_core.__version__}
    return own | {name: version(name) for name in libraries}
