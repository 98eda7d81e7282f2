"""What a page offers to share: code that computes what it shows, and its part of a report.

The code is a short script, by the library's public surface alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import slp_core as slp
from pages.session import settings
from pages.session.files import today
from pages.session.public import is_public
from pages.session.workspace import Workspace
from slp_core.data.typed_shots import base_of, typed_text
from slp_core.encoders.choice import EncoderChoice
from slp_core.sentences import count

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from slp_core.data import Episode
    from slp_core.report.subject import Part

HOME = Path(slp.__file__).resolve().parents[1]

_TEMPLATE = '''"""{what}

{about}
Run it with the Python that SLP Explorer runs with.
"""

import sys
{imports}
import numpy as np

try:
    import slp_core as slp
except ModuleNotFoundError:  # not installed: it is where SLP Explorer is
    sys.path.insert(0, {home!r})
    import slp_core as slp
{paths}
dataset = {dataset}
encoder = slp.load_encoder({encoder}, normalisation={normalisation!r})
labels = np.array(dataset.classes)


def fit(model, draw, encoder=encoder):
    """The model, fitted on a support set; the vectors and classes of its query set."""
    episode = dataset.draw(shots={shots}, draw=draw)
{edited}    X = encoder.encode(dataset, support=episode.support)
    model.fit(X[episode.support], labels[episode.y_support])
    return model, X[episode.query], labels[episode.y_query]


model, X, y = fit({model}, draw={draw})
predicted = model.predict(X) if len(y) else y
accuracy = float((predicted == y).mean()) if len(y) else None
numbers = {{"query examples": len(y), "accuracy": accuracy}}
{body}
for name, value in numbers.items():
    print(f"{{name}}: {{value}}")
'''

_EDITED = """    if draw == {draw}:  # its shots were edited
        episode = episode.edited({edits})
"""

_FILE = """
# The file that was uploaded: write here where it is, unless it is beside this script.
file = Path(__file__).with_name({name!r})
"""

_CHECKPOINT = """
# An encoder was uploaded: write where its folder is now, after "meta:".
"""

_SAME = """
import hashlib

learnt = [np.ascontiguousarray(getattr(model, name)).tobytes() for name in {arrays}]
digest = hashlib.blake2b(b"".join(learnt), digest_size=16).hexdigest()
numbers["the same data"] = dataset.digest == {data_digest!r}
numbers["the same to the last bit"] = digest == {digest!r}
"""

_OWN = "from slp_core.data.own_examples import OwnExamples\n"
_LEARNT = ("coef_", "intercept_", "soft_labels_", "centroids_")


def offer_code(code: Callable[[], str], of: Workspace) -> None:
    """Register the page's code, which is written once the page is drawn, and its workspace."""
    settings.CODE.set((code, of))


def offer_report(key: str, make: Callable[[], Sequence[Part]]) -> None:
    """Register the page's sentences, figures and tables, made on demand; a key that names them."""
    settings.REPORTED.set((key, make))


def script(workspace: Workspace, page: str, body: str = "") -> str:
    """A script that fits the workspace's method, then does the rest of the page."""
    model = workspace.method.make(**workspace.options)
    what = f"{page}: the numbers of this page, computed again."
    return view_code(workspace, model, what, body)


def view_code(workspace: Workspace, model: Any, what: str, body: str = "") -> str:
    """A script that fits a model like this one; ``body`` adds to ``numbers`` what a page shows."""
    data, name = base_of(workspace.dataset), workspace.encoder_name
    read, dataset = _dataset_code(workspace)
    encoder = encoder_code(name)
    called = data.name if data.read_as is None else data.title
    shown = "an uploaded encoder" if name.startswith("meta:") else name
    shots = f"{count(workspace.shots, 'shot')} per class"
    about = f"{called}, {shown}, {shots}, support set {workspace.draw}."
    edits = edits_code(workspace.episode)
    return _TEMPLATE.format(
        what=what,
        about=about.replace("\\", "/").replace('"', "'"),
        imports=("from pathlib import Path\n" if "Path" in read else "") + _own_import(model),
        home="the folder of SLP Explorer" if is_public() else str(HOME),
        paths=read + (_CHECKPOINT if "'meta:" in encoder + body else ""),
        dataset=dataset,
        encoder=encoder,
        normalisation=None if data.kind == "numeric" else workspace.encoder.normalisation,
        shots=workspace.shots,
        draw=workspace.draw,
        edited=_EDITED.format(draw=workspace.draw, edits=edits) if edits else "",
        model=model_code(model),
        body=f"\n{body.strip()}\n" if body else "",
    )


def fit_again(workspace: Workspace, model: BaseEstimator) -> str:
    """A script that fits the model again and says whether it came out the same to the last bit."""
    arrays = tuple(name for name in _LEARNT if name in vars(model))
    learnt = b"".join(getattr(model, name).tobytes() for name in arrays)
    digest = hashlib.blake2b(learnt, digest_size=16).hexdigest()
    body = _SAME.format(arrays=arrays, data_digest=workspace.dataset.digest, digest=digest)
    what = f"Fits {type(model).__name__} as it was fitted in SLP Explorer on {today()}."
    return view_code(workspace, model, what, body)


def edits_code(episode: Episode) -> str:
    """The arguments of ``Episode.edited``; nothing for a draw as it is."""
    edits, names = episode.edits, episode.dataset.classes
    relabel = {row: names[k] for row, k in edits.relabelled}
    given = {"remove": list(edits.removed), "add": list(edits.added), "relabel": relabel}
    return ", ".join(f"{name}={value!r}" for name, value in given.items() if value)


def draw_code(episode: Episode) -> str:
    drawn = f"dataset.draw(shots={episode.shots}, draw={episode.draw})"
    edits = edits_code(episode)
    return f"{drawn}.edited({edits})" if edits else drawn


def _own_import(model: BaseEstimator) -> str:
    module = type(model).__module__
    return "" if module.startswith("slp_core.") else f"import {module}\n"


def model_code(model: BaseEstimator) -> str:
    """The call that makes an unfitted model like this one; defaults are left out."""
    usual = type(model)().get_params()
    given = [
        f"{name}={value!r}"
        for name, value in model.get_params().items()
        if name != "callback" and value != usual[name]
    ]
    module = type(model).__module__
    where = "slp" if module.startswith("slp_core.") else module
    return f"{where}.{type(model).__name__}({', '.join(given)})"


def _dataset_code(workspace: Workspace) -> tuple[str, str]:
    """What has to stand before a dataset is read in a script, and the call that reads it."""
    data, typed = base_of(workspace.dataset), typed_text(workspace.dataset)
    before, source = "", ""
    if data.read_as is None:
        source = f"slp.load_dataset({_arguments(repr(data.name), _bundled_options(workspace))})"
    elif "own" in data.read_as:
        before, source = _OWN, f"OwnExamples.read({data.read_as['own']!r}).dataset()"
    else:
        before = _FILE.format(name=data.read_as["filename"])
        source = f"slp.read_dataset({_arguments('file', data.read_as)})"
    if typed:  # as JSON
        before += f"{_OWN}from slp_core.data.typed_shots import typed_beside\n"
        source = f"typed_beside({source}, OwnExamples.read({typed!r}))"
    return before, source


def _arguments(first: str, named: Mapping[str, Any]) -> str:
    return ", ".join([first, *(f"{key}={value!r}" for key, value in named.items())])


def _bundled_options(workspace: Workspace) -> dict[str, Any]:
    data = base_of(workspace.dataset)
    own = {info.name: info.options for info in slp.list_datasets()}.get(data.name, ())
    given: dict[str, Any] = {"dimension": workspace.X.shape[1]} if "dimension" in own else {}
    if "centroids" in own:
        stage = settings.shown_stage()
        given |= {"centroids": stage.places, "noise": stage.noise}
    return given


def encoder_code(name: str) -> str:
    """An encoder's name as Python has it, with the whole path of a folder."""
    choice = EncoderChoice.of(name)
    source, _, folder = choice.name.partition(":")
    if source in ("meta", "hf") and Path(folder).expanduser().is_dir():
        choice = replace(choice, name=f"{source}:{Path(folder).expanduser().resolve()}")
    return repr(str(choice))
