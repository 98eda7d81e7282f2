"""The sidebar that every page shares: dataset, encoder, support set and method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.available_encoders import (
    MANY_TEXTS,
    entries_of,
    opening_encoder,
    single_encoders,
)
from pages.session.methods import ON_VECTORS, OPENINGS, trained_on_less
from pages.session.public import NO_FOLDERS, is_public
from pages.session.support_edits import (
    chosen_edits,
    is_own,
    own_examples,
    remember_of,
    undo_edits,
    with_typed_shots,
)
from pages.session.uploads import MINUTES_KEPT, forget_upload, uploads, use_upload
from pages.session.workspace import Workspace, bundled_dataset, encoder
from pages.shell.fine_tuning import META_SLP, choose_encoder, fine_tuning, is_fine_tuned
from pages.shell.hub import downloaded
from pages.widgets.pickers import option_widget
from pages.widgets.say import refuse
from slp_core.data import FewShotDataset
from slp_core.data.edits import NONE, Edits
from slp_core.data.own_examples import TITLE
from slp_core.data.remarks import edits_text, not_english
from slp_core.data.toys import MAX_DIMENSION, MIN_DIMENSION
from slp_core.data.typed_shots import base_of
from slp_core.encoders import Encoder, Normalisation
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.chunks import SHORT
from slp_core.encoders.registry import HUB_PREFIX
from slp_core.encoders.text import caption_text, list_label
from slp_core.methods.table import METHODS, Method
from slp_core.own_parts import broken_parts

OTHER = "another model …"
READ_ENGLISH = ("Pretrained", "Meta-trained", "Uploaded")  # groups of encoders made from MiniLM
NORMALISATIONS: dict[str, Normalisation] = {
    "L2": "l2",
    "centred, L2": "centred_l2",
    "none": "none",
}


def sidebar() -> Workspace | None:
    """Draw the sidebar; returns the workspace, or None before there are data."""
    with st.sidebar:
        st.markdown("### :material/scatter_plot: SLP Explorer")
        dataset = _dataset()
        if dataset is None:
            return None
        own = is_own(dataset)  # of which all is the support set
        if not own:
            dataset = with_typed_shots(dataset)
        name, chosen = _encoder(dataset)
        shots, draw, edits = (dataset.max_shots, 0, NONE) if own else _episode(dataset)
        method, options = _method(dataset)
        for why in broken_parts():
            refuse(why)
        workspace = Workspace(dataset, chosen, name, shots, draw, method, options, edits)
        if is_fine_tuned():
            fine_tuning(workspace)
    return workspace


def _dataset() -> FewShotDataset | None:
    infos = {info.title: info for info in slp.list_datasets()}
    own = {title: dataset for title, dataset in uploads().items() if title != TITLE}
    options = [TITLE, *infos, *own]
    _look_for_missing(options, {info.name: title for title, info in infos.items()})
    title = st.selectbox(
        "Dataset",
        help="Texts written for this app, tables from scikit-learn, toy data, "
        "your uploads, and what you type on the page Teach.",
        **settings.DATASET.bound(options=options, then=_another),
    )
    st.button(
        "Upload a dataset",
        icon=":material/upload_file:",
        key="upload button",
        width="stretch",
        on_click=settings.UPLOADING.set,
        args=(settings.PAGE.value,),
    )
    if title in own:
        use_upload(title)
        st.caption(own[title].counts_text())
        st.button(
            "Delete this upload",
            icon=":material/delete:",
            key="forget upload",
            type="tertiary",
            on_click=_forget,
            args=(title,),
            help="Otherwise the server keeps it in memory, for this browser alone, until "
            f"{MINUTES_KEPT} minutes after the last tab was closed.",
        )
        return own[title]
    if title == TITLE:
        remember_of(TITLE)
        st.caption("Typed by you on the page Teach.")
        return own_examples().dataset()
    info = infos[title]
    st.caption(info.description)
    if "dimension" not in info.options:
        return bundled_dataset(info.name)
    dimension = st.select_slider(
        "Dimensions",
        help="The more dimensions, the more similar the distances to both prototypes. In the end "
        "constraintSLP predicts only the middle class.",
        **settings.DIMENSION.bound(
            options=[MIN_DIMENSION, 4, 8, 16, 32, 64, 128, 256, MAX_DIMENSION],
            opens="value",
        ),
    )
    if "centroids" not in info.options:
        return bundled_dataset(info.name, dimension=dimension)
    settings.STAGE.shows()
    stage = settings.shown_stage()
    return bundled_dataset(
        info.name, dimension=dimension, centroids=stage.places, noise=stage.noise
    )


def _look_for_missing(titles: Sequence[str], by_name: Mapping[str, str]) -> None:
    """Record a missing dataset, so that the URL keeps naming it, and open another."""
    requested = settings.DATASET.value
    if requested in titles:
        return
    settings.DATASET.clear()
    if requested in by_name:
        settings.DATASET.set(by_name[requested])
        return
    settings.POINT.clear()
    settings.MISSING.set(requested)


def _another() -> None:
    settings.POINT.clear()
    settings.MISSING.clear()


def _forget(title: str) -> None:
    forget_upload(title)
    settings.DATASET.clear()
    _another()


def _encoder(dataset: FewShotDataset) -> tuple[str, Encoder]:
    usual = opening_encoder(dataset)
    fitting = single_encoders(dataset.kind, usual)
    entries = entries_of(tuple(fitting.values()))
    texts = dataset.kind != "numeric"
    public = is_public()
    titles = [*entries, OTHER] if texts and not public else list(entries)
    opening = list(fitting)[list(fitting.values()).index(usual)]
    refused = public and (settings.HUB_MODEL.is_set or settings.ENCODER.value == OTHER)
    title = st.selectbox(
        "Encoder",
        help="The network that turns a text into a vector: pretrained; meta-trained, with the "
        "points of accuracy gained; others. ★: recommended.",
        format_func=lambda title: list_label(entries[title]) if title in entries else title,
        **settings.ENCODER.bound(opening, options=titles),
    )
    if title in entries:
        st.caption(caption_text(entries[title]))
    if usual != dataset.default_encoder and title == opening:
        st.caption(f":material/info: {MANY_TEXTS}")
    if refused:
        st.caption(f":material/info: {NO_FOLDERS}")
    if dataset.language.remarkable and title in entries and entries[title].group in READ_ENGLISH:
        st.caption(f":material/info: {not_english(dataset.title, dataset.language)}")
    if title == OTHER:
        folder = st.text_input(
            "Folder or hub name",
            placeholder="bert-base-uncased",
            help="A folder with a BERT-like model (config.json, tokenizer, safetensors), or its "
            "name on the Hugging Face hub where there is a connection.",
            **settings.HUB_MODEL.bound(),
        )
        name = f"{HUB_PREFIX}{folder.strip()}" if folder.strip() else usual
    else:
        name = fitting[title]
    if name.startswith(HUB_PREFIX) and not downloaded(name.removeprefix(HUB_PREFIX)):
        name = usual
    name = str(_with_options(name))
    normalisation = None
    if texts:
        chosen = st.selectbox(
            "Normalisation",
            help="L2: vectors of length 1. Centred: the mean of all vectors, query set included, "
            "is subtracted first.",
            **settings.NORMALISATION.bound(options=list(NORMALISATIONS)),
        )
        normalisation = NORMALISATIONS[chosen]
    return name, encoder(name, normalisation)


def _with_options(name: str) -> EncoderChoice:
    """Options of an encoder: combined with the base, and in chunks, where possible."""
    options = slp.load_encoder(name).info.options
    combine, chunks = None, False
    if "combine" in options:
        label = st.selectbox(
            "Combine with MiniLM",
            help="Concatenated: both vectors, with equal weight. Support-weighted: the encoder "
            "that separates the classes of the support set better has more weight.",
            **settings.COMBINE.bound(options=list(settings.COMBINES)),
        )
        combine = settings.COMBINES[label]
    if "chunks" in options:
        chunks = st.checkbox(
            "Long texts in chunks",
            help=f"A text of more than {SHORT} characters becomes the mean of its chunks instead "
            "of being truncated. Pairs and mentions are not split.",
            **settings.CHUNKS.bound(),
        )
    return EncoderChoice(name, combine, chunks)


def _episode(dataset: FewShotDataset) -> tuple[int, int, Edits]:
    available = list(dataset.shots_available)
    marked = dataset.marked_shots
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        shots = st.selectbox(
            "Shots per class",
            format_func=lambda n: f"{n} (all)" if n == marked else str(n),
            help="Support examples per class."
            + (f" With {marked} it is the support set given in the data." if marked else ""),
            **settings.SHOTS.bound(dataset.opening_shots, options=available),
        )
    draws = dataset.available_draws(shots)
    with right:
        draw = _draw(draws)
    st.button(
        "Resample",
        icon=":material/shuffle:",
        key="draw again",
        width="stretch",
        on_click=_next_draw,
        args=(draws,),
        help="Another support set of the same size.",
    )
    if repeated := dataset.repeated_draws(shots):
        st.caption(repeated)
    edits = chosen_edits(dataset, shots, draw)
    typed = len(dataset) - len(base_of(dataset))
    if edits or typed:
        st.caption(edits_text(edits, typed))
        st.button(
            "Undo all edits",
            icon=":material/undo:",
            key="undo edits",
            type="tertiary",
            on_click=undo_edits,
        )
    return shots, draw, edits


def _draw(draws: tuple[int, ...]) -> int:
    explained = "The number of the random support set."
    if draws == tuple(range(draws[0], draws[-1] + 1)):
        bound = settings.DRAW.bound(draws[0], within=(draws[0], draws[-1]))
        return int(st.number_input("Support set", help=explained, **bound))
    # A number would step onto support sets that are left out
    bound = settings.DRAW.bound(draws[0], options=draws)
    return st.selectbox("Support set", help=explained, **bound)


def _next_draw(draws: tuple[int, ...]) -> None:
    now = settings.DRAW.value
    settings.DRAW.set(next((d for d in draws if d > now), draws[0]))


def _method(dataset: FewShotDataset) -> tuple[Method, dict[str, Any]]:
    further = [] if dataset.kind == "numeric" else [META_SLP.title]
    titles = [*ON_VECTORS, *further]
    chosen = settings.METHOD.is_set and settings.METHOD.value in titles
    page = OPENINGS.get(settings.PAGE.value, {})
    opening = {} if chosen else page
    n_classes = len(dataset.classes)
    # Once chosen it is always in the address, as the page's own opening is another method's.
    usual = "" if page and chosen else page.get("method")
    if usual is None and is_own(dataset):
        usual = METHODS["deep_slp"].title  # which learns any three classes
    title = st.selectbox(
        "Method",
        help="The classifier that is fitted on the support set.",
        **settings.METHOD.bound(usual, options=titles, then=choose_encoder),
    )
    if title == META_SLP.title:
        return METHODS["deep_slp"], METHODS["deep_slp"].opening(n_classes)
    method = ON_VECTORS[title]
    with st.container(key="method options"):
        st.caption(method.sentence)
        options = {
            option.parameter: option_widget(option, opening=opening.get(option.short_name))
            for option in method.main
        }
        if method.more:
            with st.expander("More options"):
                options |= {
                    option.parameter: option_widget(option, opening=option.opening(n_classes))
                    for option in method.more
                }
        if less := trained_on_less(method, options, n_classes):
            st.caption(f":material/info: {less}")
    return method, options
