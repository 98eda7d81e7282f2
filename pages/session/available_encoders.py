"""The encoders that this browser session can choose from, its own uploads included."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import slp_core as slp
from pages.session import settings
from pages.session.workspace import Workspace
from slp_core.data import FewShotDataset
from slp_core.encoders import EncoderInfo
from slp_core.encoders.meta_checkpoint import CARD_FILE

QUICK, MANY = "minilm-l4-int8", 5_000
"""The encoder that uploads of more than so many texts open with."""
MANY_TEXTS = (
    "Of so many texts, vectors are computed in 8-bit arithmetic, which is quicker and less exact: "
    "choose *MiniLM, layer 4* for full precision."
)


def available_encoders() -> tuple[EncoderInfo, ...]:
    """Those that came with the app, and the checkpoints uploaded in this session.

    An upload whose folder somebody has removed from the server's disk is not among them any more.
    """
    folders = [Path(folder.name) for folder in _uploaded().values()]
    return slp.list_encoders([folder for folder in folders if (folder / CARD_FILE).is_file()])


def opening_encoder(dataset: FewShotDataset) -> str:
    """The name of the encoder that a dataset is first seen with: of many texts, the quick one."""
    usual = dataset.default_encoder
    return QUICK if usual == "minilm-l4" and len(dataset) > MANY else usual


def encoders_for(kind: str) -> dict[str, str]:
    """Titles and names of those that take a kind of data."""
    return {info.title: info.name for info in available_encoders() if kind in info.kinds}


def other_encoders(workspace: Workspace) -> dict[str, str]:
    """Titles and names of those that take these data, but the workspace's own."""
    return {
        title: name
        for title, name in encoders_for(workspace.dataset.kind).items()
        if name != workspace.encoder_name
    }


def add_uploaded(title: str, folder: TemporaryDirectory[str]) -> None:
    """From now on the checkpoint in a folder is among them."""
    settings.UPLOADED_ENCODERS.set(_uploaded() | {title: folder})


def public_name(name: str) -> str:
    """What to call an encoder by: not by where on the server an upload lies."""
    return "uploaded" if name.startswith("meta:") else name


def _uploaded() -> dict[str, TemporaryDirectory[str]]:
    return settings.UPLOADED_ENCODERS.value or {}
