"""Checkpoints: their cards and curves, an upload, and fine-tuning on the support set."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.available_encoders import available_encoders, public_name, titles_by_name
from pages.session.files import file_name
from pages.session.jobs import LONG, Job, job_pool
from pages.session.methods import training_refusal
from pages.session.public import is_public
from pages.session.reading import read_handed_in
from pages.session.workspace import Workspace
from pages.widgets.chart import download, show
from pages.widgets.job_progress import offered
from pages.widgets.say import refuse
from slp_core.encoders.cards import EncoderCard, read_encoder_card
from slp_core.encoders.export import can_be_exported, zipped_encoder
from slp_core.encoders.readme import how_it_was_made
from slp_core.encoders.text import size_text, training_texts
from slp_core.encoders.uploaded import latest, unpack_checkpoint
from slp_core.errors import SLPError
from slp_core.evaluation.meta_testing import MetaTest, meta_test, zipped_tuned_encoder
from slp_core.evaluation.text import tuning_text
from slp_core.figures.meta_training import MetaCurvesDisplay, TuningDisplay
from slp_core.markdown import literal
from slp_core.methods.table import METHODS
from slp_core.sentences import EncoderName

_WHAT = "A .zip file with weights, tokenizer and card, for sentence-transformers and transformers."
SHOWN = 200  # changed predictions in the table
TABLES = 400  # pixels


def training_curves() -> None:
    cards = [card.meta for card in _described() if card.meta and card.meta["curve"]]
    if not cards:
        st.caption("None of the encoders here was meta-trained.")
        return
    display = MetaCurvesDisplay(cards)
    show(display)
    more = (
        " Rings mark the outer step whose weights were used. Validation accuracy is that of "
        "nearest centroid or, for LEOPARD, of its own adapted classifier. Losses of different "
        "methods are on different scales."
    )
    st.caption(f"{display.sentence()}{more}")


def cards() -> None:
    columns = st.columns(2, gap="medium")
    for i, card in enumerate(_described()):
        with columns[i % 2], st.container(border=True):
            _card(card)


def _described() -> list[EncoderCard]:
    return [read_encoder_card(info.name) for info in available_encoders()]


def _card(card: EncoderCard) -> None:
    st.markdown(f"**{literal(card.info.title)}**  \n`{public_name(card.info.name)}`")
    st.markdown(literal(card.info.description))
    st.caption(size_text(card))
    take_away(card.info.name)
    if card.meta is None:
        return
    with st.expander("How it was made", key=f"card {card.info.name}", on_change="rerun") as fold:
        if fold.open:
            for text in training_texts(card):
                st.markdown(text)
            st.container(height=TABLES).markdown(how_it_was_made(card, card.meta))


def take_away(name: str) -> None:
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


def export(
    label: str,
    made: Callable[[], bytes],
    file: str,
    key: str,
    *,
    takes: str = "It takes a moment.",
    instead: str = "",
) -> None:
    if is_public():
        tip = f"This public server offers no weights. {instead}"
        st.button(label, disabled=True, key=key, icon=":material/download:", help=tip)
    else:
        download(label, made, file, key=key, help=f"{_WHAT} {takes}")


def upload(beside: str) -> None:
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
    st.markdown(" ".join((*training_texts(card), size_text(card))))
    if st.button("Use this encoder", type="primary", icon=":material/check:"):
        settings.UPLOADED_ENCODERS.set(uploaded | {card.info.title: folder})
        settings.setting_of("after", beside).set(card.info.title)
        st.rerun()  # the whole page: it is in the sidebar too


def tune_here(workspace: Workspace) -> None:
    name = EncoderName(workspace.encoder.info.title)
    st.markdown(
        f"Fine-tune {name} on this support set, the last step of MetaSLP. For each line, a copy of "
        "the top three layers and the two heads take ten steps of gradient descent."
    )
    if why := training_refusal(workspace):
        refuse(why)
        return
    episode, encoder = workspace.episode, workspace.encoder_name

    def work(job: Job) -> MetaTest:
        return meta_test(episode, encoder, progress=job.report, cancelled=job.cancelled)

    key = ("meta-test", encoder, workspace.dataset.digest, workspace.shots, workspace.draw)
    job = job_pool().job(key, f"Tuning {workspace.encoder.info.title}", work, LONG)
    found = offered(job, "Fine-tune", type="primary", icon=":material/model_training:")
    if found is not None:
        _tuned(workspace, found)


def _tuned(workspace: Workspace, result: MetaTest) -> None:
    st.markdown(tuning_text(result))
    left, right = st.columns([5, 7], gap="large")
    display = TuningDisplay(result)
    with left:
        show(display)
        st.caption(display.sentence())
    with right:
        table = result.difference.named(result.difference.disagree).head(SHOWN).copy()
        if len(table):
            table["text"] = [workspace.texts[row] for row in table.pop("row")]
            st.dataframe(table, hide_index=True, height=280)
            st.caption(f"Changed predictions, {SHOWN} at most.")
    _take_away_tuned(workspace, result)


def _take_away_tuned(workspace: Workspace, result: MetaTest) -> None:
    name, episode = workspace.encoder_name, workspace.episode
    if not can_be_exported(slp.load_encoder(name, normalisation="l2")):
        return
    line, tuned_by = 0, workspace.with_method(METHODS["meta_slp"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(result.lines) > 1:
            line = st.selectbox(
                "Line",
                range(len(result.lines)),
                format_func=result.lines.__getitem__,
                width=260,
                help="A copy is fine-tuned for each line.",
            )
        called = f"{public_name(name)}-tuned"
        export(
            "Download the fine-tuned encoder",
            lambda: zipped_tuned_encoder(episode, name, line, called),
            file_name(f"{called}-line-{line}", "zip", "draw", tuned_by),
            "tuned folder",
            takes="It is fine-tuned again, which takes as long as before.",
            instead="Fine-tune it on your own computer.",
        )
