"""Upload of a checkpoint made by ``meta-train``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import add_uploaded, titles_by_name
from pages.session.reading import read_handed_in
from pages.widgets.say import refuse, say
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.text import size_text, training_texts
from slp_core.encoders.uploaded import latest, unpack_checkpoint
from slp_core.errors import SLPError
from slp_core.sentences import EncoderName


def upload(beside: str) -> None:
    """Ask for the files of a checkpoint, then add it to the dropdowns."""
    st.markdown(
        "Upload the output of `python -m slp_core meta-train`: `card.json` and "
        "`model.safetensors`, or a .zip of both. The encoder is then on every page of this browser "
        "session."
    )
    uploaded = settings.UPLOADED_ENCODERS.value or {}
    added = " ".join(Path(folder.name).name for folder in uploaded.values())
    files = st.file_uploader(
        "Files",
        type=["zip", "json", "safetensors"],
        accept_multiple_files=True,
        label_visibility="collapsed",
        key=f"checkpoint {added}",  # empty again once a checkpoint was added
    )
    if not files:
        return
    folder = tempfile.TemporaryDirectory(prefix="slp-checkpoint-")
    try:
        with st.spinner("Checking …"):
            titles = set(titles_by_name().values()) - set(uploaded)
            path = Path(folder.name)
            given = latest([(file.name, file.getvalue()) for file in files])
            name = ", ".join(name for name, _ in given)
            read_handed_in(unpack_checkpoint, given, path, titles, name=name)
            card = read_encoder_card(f"meta:{path}")
    except SLPError as error:
        refuse(error)
        return
    st.success(f"{EncoderName(card.info.title)} fits.", icon=":material/check:")
    say(" ".join((*training_texts(card), size_text(card))))
    if st.button("Use this encoder", type="primary", icon=":material/check:"):
        add_uploaded(card.info.title, folder)
        settings.setting_of("after", beside).set(card.info.title)
        st.rerun()  # the whole page: it is in the sidebar too
