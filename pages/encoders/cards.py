"""Every encoder's card, and how the meta-trained ones were trained."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session.available_encoders import available_encoders, public_name
from pages.widgets.chart import show
from slp_core.encoders.cards import EncoderCard, read_encoder_card
from slp_core.figures.encoder_curves import MetaCurve, MetaCurvesDisplay

DATA_COLUMNS = ("title", "licence", "rows", "use", "tasks")


def cards() -> None:
    """The curves of the meta-trained encoders, then a card for each encoder."""
    infos = available_encoders()
    described = [read_encoder_card(info.name) for info in infos]
    curves = [MetaCurve.of(card.meta) for card in described if card.meta is not None]
    if curves:
        st.markdown("**How meta-training went**")
        display = MetaCurvesDisplay(curves)
        show(display)
        st.caption(
            f"{display.sentence()} Rings: the weights that were kept; some were then "
            "taken part of the way back to the base's, as their cards say. Losses are taken on "
            "differently scaled heads, so compare a curve with itself."
        )
        st.divider()
    st.markdown("**The encoders**")
    columns = st.columns(2, gap="medium")
    for i, card in enumerate(described):
        with columns[i % 2], st.container(border=True):
            _card(card)


def _card(card: EncoderCard) -> None:
    st.markdown(f"**{card.info.title}**  \n`{public_name(card.info.name)}`")
    st.markdown(card.info.description)
    st.caption(f"For {', '.join(card.info.kinds)} data. {card.size_sentence()}")
    if card.meta is None:
        return
    with st.expander("How it was made", key=f"card {card.info.name}", on_change="rerun") as fold:
        if fold.open:
            _made(card, card.meta)


def _made(card: EncoderCard, meta: dict[str, Any]) -> None:
    """What the checkpoint's own card says."""
    for sentence in card.accuracy_sentences():
        st.markdown(sentence)
    st.markdown("Settings")
    settings = meta.get("settings", {})
    st.dataframe(
        {"setting": list(settings), "value": [str(value) for value in settings.values()]},
        hide_index=True,
        height=220,
    )
    data = meta.get("data", [])
    if data:
        st.markdown(f"Data: {len(data)} sets, {sum(each['rows'] for each in data):,} rows")
        st.dataframe(
            {column: [each.get(column) for each in data] for column in DATA_COLUMNS},
            hide_index=True,
            height=260,
        )
    if "data_note" in meta:
        st.caption(meta["data_note"])
    st.caption(card.origin())
