"""Python that fits a model again, to the last bit."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import slp_core
from slp_core.evaluation.wording import Count

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

HOME = Path(slp_core.__file__).resolve().parents[1]

# In every script: it finds the library, installed or not.
IMPORTED = """
try:
    import slp_core as slp
except ModuleNotFoundError:  # not installed: it is where SLP Explorer is
    sys.path.insert(0, {home!r})
    import slp_core as slp
"""

_TEMPLATE = (
    '''"""Fits {kind} as it was fitted in SLP Explorer{when}.

{about}

Run it from any folder, with the Python that SLP Explorer runs with.
"""

import hashlib
import sys
{imports}
import numpy as np
'''
    + IMPORTED
    + """{paths}
dataset = {dataset}
episode = dataset.draw(shots={shots}, draw={draw})
encoder = slp.load_encoder({encoder}, normalisation={normalisation!r})
X = encoder.encode(dataset, support=episode.support)
labels = np.array(dataset.classes)

model = slp.{kind}(
{parameters})
model.fit(X[episode.support], labels[episode.y_support])

accuracy = model.score(X[episode.query], labels[episode.y_query]) if len(episode.query) else None
digest = hashlib.blake2b(
    b"".join(np.ascontiguousarray(getattr(model, name)).tobytes() for name in {arrays}),
    digest_size=16,
).hexdigest()
print("the same data:", dataset.digest == {data_digest!r})
print("accuracy on the query points:", accuracy)
print("the same to the last bit:", digest == {digest!r})
"""
)

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


def reproduce(
    model: BaseEstimator,
    *,
    dataset: str,
    shots: int,
    draw: int,
    encoder: str,
    normalisation: str | None,
    data_digest: str,
    dataset_options: Mapping[str, Any] | None = None,
    read_as: Mapping[str, Any] | None = None,
    when: str = "",
    stop_after: int | None = None,
    home: str = str(HOME),
) -> str:
    """A script that fits the model again and says whether it came out the same.

    It runs from any folder, and asks for a file or a folder that was uploaded if it is not there.
    """
    parameters = {k: v for k, v in model.get_params().items() if k != "callback"}
    given = [f"    {name}={value!r},\n" for name, value in parameters.items()]
    if stop_after is not None:
        given.append(f"    callback=lambda epoch, state: epoch == {stop_after},\n")
    paths, source = dataset_code(dataset, dataset_options, read_as)
    more, named = encoder_code(encoder, from_file=read_as is not None)
    paths += more
    return _TEMPLATE.format(
        kind=type(model).__name__,
        when=f" on {when}" if when else "",
        about=about_code(dataset, encoder, shots, draw),
        imports="from pathlib import Path\n" if paths else "",
        home=home,
        paths=paths,
        dataset=source,
        shots=shots,
        draw=draw,
        encoder=named,
        normalisation=normalisation,
        parameters="".join(given),
        arrays=fitted_arrays(model),
        data_digest=data_digest,
        digest=fitted_digest(model),
    )


def about_code(dataset: str, encoder: str, shots: int, draw: int) -> str:
    """What a script says that it is of, as it may stand in a docstring."""
    shown = "an uploaded encoder" if encoder.startswith("meta:") else encoder
    about = f"{dataset}, {shown}, {Count(shots, 'shot')} a class, draw {draw}."
    return about.replace("\\", "/").replace('"', "'")


def dataset_code(
    name: str, options: Mapping[str, Any] | None, read_as: Mapping[str, Any] | None
) -> tuple[str, str]:
    """What has to stand before a dataset is read in a script, and the call that reads it."""
    if read_as is None:
        return "", f"slp.load_dataset({_call(name, options)})"
    return _FILE.format(name=read_as["filename"]), f"slp.read_dataset(file, {_call(None, read_as)})"


def encoder_code(name: str, from_file: bool) -> tuple[str, str]:
    """What has to stand before an encoder is loaded in a script, and its name as Python has it."""
    if name.startswith("meta:"):
        folder = str(Path(name.removeprefix("meta:")).expanduser().resolve())
        usage, least = ("FILE ", 2) if from_file else ("", 1)
        return _CHECKPOINT.format(folder=folder, usage=usage, least=least), 'f"meta:{folder}"'
    if name.startswith("hf:") and Path(name.removeprefix("hf:")).expanduser().is_dir():
        return "", repr(f"hf:{Path(name.removeprefix('hf:')).expanduser().resolve()}")
    return "", repr(name)


def _call(first: str | None, options: Mapping[str, Any] | None) -> str:
    """The arguments of a call, as they are written."""
    given = [f"{name}={value!r}" for name, value in (options or {}).items()]
    return ", ".join(given if first is None else [repr(first), *given])


def versions() -> dict[str, str]:
    """Versions of what decides the last bit, by name."""
    import scipy
    import sklearn

    return {
        "python": platform.python_version(),
        "slp_core": slp_core.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def fitted_arrays(model: BaseEstimator) -> tuple[str, ...]:
    """The attributes that hold what was learnt."""
    names = ("coef_", "intercept_", "soft_labels_", "centroids_")
    return tuple(name for name in names if name in vars(model))


def fitted_digest(model: BaseEstimator) -> str:
    """A digest of what was learnt, bit by bit."""
    parts = [np.ascontiguousarray(getattr(model, name)).tobytes() for name in fitted_arrays(model)]
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()
