"""Short scripts that compute again what a page shows, by the library's public surface alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import TYPE_CHECKING, Any

import slp_core
from slp_core.encoders.choice import EncoderChoice
from slp_core.sentences import count

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from slp_core.data import Episode

HOME = Path(slp_core.__file__).resolve().parents[1]

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
# The file that was uploaded: beside this script, or where the first argument says.
file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / {name!r}
if not file.is_file():
    sys.exit(f"Put {{file.name}} beside this script, or say where it is: python SCRIPT FILE")
"""

_CHECKPOINT = """
# The encoder that was uploaded: its folder, where it was or where the last argument says.
folder = Path(sys.argv[-1] if len(sys.argv) > {least} else {folder!r})
if not folder.is_dir():
    sys.exit("The uploaded encoder is gone: say where its folder is: python SCRIPT {usage}FOLDER")
"""

_SAME = """
import hashlib

learnt = [np.ascontiguousarray(getattr(model, name)).tobytes() for name in {arrays}]
digest = hashlib.blake2b(b"".join(learnt), digest_size=16).hexdigest()
numbers["the same data"] = dataset.digest == {data_digest!r}
numbers["the same to the last bit"] = digest == {digest!r}
"""


_LEARNT = ("coef_", "intercept_", "soft_labels_", "centroids_")


def view_code(
    model: BaseEstimator,
    body: str = "",
    *,
    what: str,
    dataset: str,
    shots: int,
    draw: int,
    encoder: str,
    normalisation: str | None,
    edits: str = "",
    dataset_options: Mapping[str, Any] | None = None,
    read_as: Mapping[str, Any] | None = None,
    typed: str = "",
    home: str = str(HOME),
) -> str:
    """A script that fits a model like this one; ``body`` adds to ``numbers`` what a page shows."""
    paths, source = _dataset_code(dataset, dataset_options, read_as)
    if typed:  # as JSON
        paths += (
            "from slp_core.data.own_examples import OwnExamples\n"
            "from slp_core.data.typed_shots import typed_beside\n"
        )
        source = f"typed_beside({source}, OwnExamples.read({typed!r}))"
    more, named = encoder_code(encoder, from_file=read_as is not None)
    paths += more
    shown = "an uploaded encoder" if encoder.startswith("meta:") else encoder
    about = f"{dataset}, {shown}, {count(shots, 'shot')} per class, support set {draw}."
    return _TEMPLATE.format(
        what=what,
        about=about.replace("\\", "/").replace('"', "'"),
        imports=("from pathlib import Path\n" if paths else "") + _own_import(model),
        home=home,
        paths=paths,
        dataset=source,
        encoder=named,
        normalisation=normalisation,
        shots=shots,
        draw=draw,
        edited=_EDITED.format(draw=draw, edits=edits) if edits else "",
        model=model_code(model),
        body=f"\n{body.strip()}\n" if body else "",
    )


def fit_again(
    model: BaseEstimator,
    *,
    data_digest: str,
    when: str,
    **source: Any,
) -> str:
    """A script that fits the model again and says whether it came out the same to the last bit."""
    arrays = tuple(name for name in _LEARNT if name in vars(model))
    learnt = b"".join(getattr(model, name).tobytes() for name in arrays)
    digest = hashlib.blake2b(learnt, digest_size=16).hexdigest()
    body = _SAME.format(arrays=arrays, data_digest=data_digest, digest=digest)
    what = f"Fits {type(model).__name__} as it was fitted in SLP Explorer on {when}."
    return view_code(model, body, what=what, **source)


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


def _dataset_code(
    name: str, options: Mapping[str, Any] | None, read_as: Mapping[str, Any] | None
) -> tuple[str, str]:
    """What has to stand before a dataset is read in a script, and the call that reads it."""
    if read_as is not None and "own" in read_as:
        own = "from slp_core.data.own_examples import OwnExamples\n"
        return own, f"OwnExamples.read({read_as['own']!r}).dataset()"
    given = [f"{key}={value!r}" for key, value in (read_as or options or {}).items()]
    if read_as is None:
        return "", f"slp.load_dataset({', '.join([repr(name), *given])})"
    return _FILE.format(name=read_as["filename"]), f"slp.read_dataset(file, {', '.join(given)})"


def encoder_code(name: str, from_file: bool) -> tuple[str, str]:
    """What has to stand before an encoder is loaded in a script, and its name as Python has it."""
    if name.startswith("meta:"):
        choice = EncoderChoice.of(name)
        folder = str(Path(choice.name.removeprefix("meta:")).expanduser().resolve())
        usage, least = ("FILE ", 2) if from_file else ("", 1)
        named = replace(choice, name="meta:{folder}")
        return _CHECKPOINT.format(folder=folder, usage=usage, least=least), f'f"{named}"'
    if name.startswith("hf:") and Path(name.removeprefix("hf:")).expanduser().is_dir():
        return "", repr(f"hf:{Path(name.removeprefix('hf:')).expanduser().resolve()}")
    return "", repr(name)


def versions() -> dict[str, str]:
    """Versions of what decides the last bit, by name."""
    libraries = ("numpy", "scipy", "scikit-learn")
    own = {"python": python_version(), "slp_core": slp_core.__version__}
    return own | {name: version(name) for name in libraries}
