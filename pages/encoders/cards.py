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
    fold = st.expander("How it was made", key=f"card {card.info.name}", on_change="rerun")
    if fold.open:
        with fold:
            _made(card, card.meta)


def _made(card: EncoderCard, meta: dict[str, Any]) -> None:
    """What the checkpoint's own card says."""
    st.markdown(card.validation_sentence())
    if way := card.interpolation_sentence():
        st.markdown(way)
    sets = meta["validation"].get("sets", {})
    if sets:
        st.markdown("After: " + ", ".join(f"{name} {share:.1%}" for name, share in sets.items()))
    sample = meta.get("sample")
    if sample:
        st.markdown(
            f"On *{sample.get('dataset')}*, nearest centroid, {sample['shots']} shots, "
            f"{sample['draws']} draws: {sample['before']:.1%} before, {sample['accuracy']:.1%} "
            "after."
        )
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
    made = [
        f"{meta['minutes']} minutes" if "minutes" in meta else "",
        meta.get("machine", ""),
        f"code version `{meta['code_version']}`" if "code_version" in meta else "",
        f"weights SHA-256 `{meta['weights_sha256'][:16]}…`",
    ]
    st.caption(" · ".join(part for part in made if part))
