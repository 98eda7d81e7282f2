"""A card for each encoder, and the training curves of the meta-trained ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session.available_encoders import available_encoders, public_name
from pages.session.files import file_name
from pages.session.public import limits
from pages.widgets.chart import rows_height, show
from pages.widgets.download import download
from pages.widgets.say import say
from slp_core.encoders.cards import EncoderCard, read_encoder_card
from slp_core.encoders.export import can_be_exported, zipped_encoder
from slp_core.encoders.text import data_text, origin_text, size_text, training_texts
from slp_core.figures.meta_training import MetaCurvesDisplay, curves_of
from slp_core.markdown import literal

_WHAT = "A .zip file with weights, tokenizer and card, for sentence-transformers and transformers."
DATA_COLUMNS = ("title", "licence", "rows", "use", "tasks")


def training_curves() -> None:
    """Validation accuracy and loss during meta-training."""
    curves = curves_of(card.meta for card in _described() if card.meta is not None)
    if not curves:
        st.caption("None of the encoders here was meta-trained.")
        return
    display = MetaCurvesDisplay(curves)
    show(display)
    more = (
        " Rings mark the outer step whose weights were used. Validation accuracy is that of "
        "nearest centroid or, for LEOPARD, of its own adapted classifier. Losses of different "
        "methods are on different scales."
    )
    say(display.sentence(), st.caption, after=more)


def cards() -> None:
    """A card for each encoder."""
    columns = st.columns(2, gap="medium")
    for i, card in enumerate(_described()):
        with columns[i % 2], st.container(border=True):
            _card(card)


def _described() -> list[EncoderCard]:
    return [read_encoder_card(info.name) for info in available_encoders()]


def _card(card: EncoderCard) -> None:
    st.markdown(f"**{literal(card.info.title)}**  \n`{public_name(card.info.name)}`")
    st.markdown(literal(card.info.description))
    say(size_text(card), st.caption)
    take_away(card.info.name)
    if card.meta is None:
        return
    with st.expander("How it was made", key=f"card {card.info.name}", on_change="rerun") as fold:
        if fold.open:
            _made(card, card.meta)


def take_away(name: str) -> None:
    """Download the encoder as a folder that other programs load."""
    encoder = slp.load_encoder(name)
    if not can_be_exported(encoder):
        return
    called = public_name(name)
    export(
        "Download this encoder",
        lambda: zipped_encoder(encoder, called),
        file_name(called, "zip", ""),
        f"folder {name}",
        instead=f"On your own computer: `python -m slp_core export-encoder {called} FOLDER`.",
    )


def _made(card: EncoderCard, meta: dict[str, Any]) -> None:
    """What the checkpoint's card says."""
    for text in training_texts(card):
        say(text)
    st.markdown("Settings")
    settings = meta.get("settings", {})
    st.dataframe(
        {"setting": list(settings), "value": [str(value) for value in settings.values()]},
        hide_index=True,
        height=rows_height(len(settings), 220),
    )
    data = meta.get("data", [])
    if data:
        say(data_text(card))
        st.dataframe(
            {column: [each.get(column) for each in data] for column in DATA_COLUMNS},
            hide_index=True,
            height=260,
        )
    if "data_note" in meta:
        st.caption(literal(meta["data_note"]))
    say(origin_text(card), st.caption)


def export(
    label: str,
    made: Callable[[], bytes],
    file: str,
    key: str,
    *,
    takes: str = "It takes a moment.",
    instead: str = "",
) -> None:
    """A download of a folder in a .zip file, made on demand."""
    if limits():
        st.button(
            label,
            disabled=True,
            key=key,
            icon=":material/download:",
            help=f"This public server offers no weights. {instead}",
        )
        return
    download(
        label,
        made,
        file,
        key=key,
        help=f"{_WHAT} {takes}",
    )
