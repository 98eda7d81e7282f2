"""The encoders available in this session, its own uploads included."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.old_links import THROUGH
from pages.session.public import may_download
from pages.session.workspace import Workspace
from slp_core.data import FewShotDataset
from slp_core.encoders import EncoderInfo
from slp_core.encoders.cards import EncoderCard, cards_by_group
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.hub import is_here
from slp_core.encoders.meta_checkpoint import CARD_FILE
from slp_core.encoders.registry import (
    HUB_PREFIX,
    RECOMMENDED,
    hub_encoders,
    unlisted_encoders,
)

QUICK, MANY = "minilm-l4-int8", 5_000
"""The encoder that uploads of more than so many texts open with."""
MANY_TEXTS = (
    "With this many texts, vectors are computed in 8-bit arithmetic: faster and less precise. "
    "Choose *MiniLM, layer 4* for full precision."
)


def available_encoders() -> tuple[EncoderInfo, ...]:
    """Bundled, downloaded and uploaded encoders."""
    folders = [Path(folder.name) for folder in settings.UPLOADED_ENCODERS.value.values()]
    found = slp.list_encoders([folder for folder in folders if (folder / CARD_FILE).is_file()])
    here = (info for info in _hub() if is_here(info.name.removeprefix(HUB_PREFIX)))
    return (*found, *here)


def _hub() -> tuple[EncoderInfo, ...]:
    """Hub models that may be used here."""
    return tuple(info for info in hub_encoders() if may_download(info.name))


def opening_encoder(dataset: FewShotDataset) -> str:
    """The encoder that a dataset opens with; for many texts, the fast one."""
    usual = dataset.default_encoder
    return QUICK if usual == "minilm-l4" and len(dataset) > MANY else usual


def encoders_for(kind: str, *titles: str) -> dict[str, str]:
    """Titles and names of the listed encoders for a kind of data, and of others by title."""
    listed, others = available_encoders(), unlisted_encoders()
    loadable = {
        choice.titled(info.title): str(choice)
        for info in (*others, *listed)
        if kind in info.kinds
        for choice in EncoderChoice(info.name).variants()
        if (not choice.combine or "combine" in info.options)
        and (not choice.chunks or "chunks" in info.options)
    }
    every = (*(info.title for info in listed), *titles)
    return {title: loadable[title] for title in every if title in loadable}


def single_encoders(kind: str, usual: str) -> dict[str, str]:
    """The sidebar's encoders, without options, with the hub's and those set or linked to."""
    every = encoders_for(kind, titles_by_name()[usual], settings.ENCODER.value)
    every |= {info.title: info.name for info in _hub() if kind in info.kinds}
    return {title: name for title, name in every.items() if EncoderChoice.of(name).name == name}


def titles_by_name() -> dict[str, str]:
    return {info.name: info.title for info in (*unlisted_encoders(), *available_encoders())}


def other_encoders(workspace: Workspace, shown: settings.Setting[Any]) -> dict[str, str]:
    """Titles and names of the other encoders for these data, and of those that a setting has."""
    asked = shown.value if isinstance(shown.value, list) else [shown.value]
    if RECOMMENDED.name in (titles := titles_by_name()):
        asked = [*asked, RECOMMENDED.titled(titles[RECOMMENDED.name])]
    asked = [title.removeprefix(THROUGH) for title in asked]
    return {
        title: name
        for title, name in encoders_for(workspace.dataset.kind, *asked).items()
        if name != workspace.encoder_name
    }


@st.cache_resource(max_entries=16, show_spinner=False)
def entries_of(names: tuple[str, ...]) -> dict[str, EncoderCard]:
    """The cards of these encoders by title, group by group."""
    cards = cards_by_group([slp.load_encoder(name).info for name in names])
    return {card.info.title: card for card in cards}


def public_name(name: str) -> str:
    """An encoder's name without the server's path to an upload."""
    choice = EncoderChoice.of(name)
    return str(replace(choice, name="uploaded")) if name.startswith("meta:") else name
