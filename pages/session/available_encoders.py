"""The encoders that this browser session can choose from, its own uploads included."""

from __future__ import annotations

import tempfile
from pathlib import Path

import slp_core as slp
from pages.session.settings import Setting
from slp_core.encoders import EncoderInfo

# Title -> the folder that the checkpoint was written to, which goes when the session does.
UPLOADED = Setting("uploaded_encoders", dict, {}, url=False)


def available_encoders() -> tuple[EncoderInfo, ...]:
    """Those that came with the app, and the checkpoints uploaded in this session."""
    return slp.list_encoders([Path(folder.name) for folder in _uploaded().values()])


def keep_uploaded(title: str, folder: tempfile.TemporaryDirectory[str]) -> None:
    """From now on the checkpoint in a folder is among them."""
    UPLOADED.set(_uploaded() | {title: folder})


def chosen_encoder(when: str, own: str) -> Setting:
    """What is chosen before or after on the Encoders page, for an encoder of the sidebar.

    An upload or a folder is nobody else's, and so stays out of the address.
    """
    return Setting(f"{when}_{own}", str, "", url=":" not in own)


def public_name(name: str) -> str:
    """What to call an encoder by: not by where on the server an upload lies."""
    return "uploaded" if name.startswith("meta:") else name


def _uploaded() -> dict[str, tempfile.TemporaryDirectory[str]]:
    return UPLOADED.value or {}
