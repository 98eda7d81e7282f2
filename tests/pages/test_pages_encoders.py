"""The Encoders page, run without a browser."""

import tempfile
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import streamlit as st
from driving import charts, figures, fitted, link, open_page, press, shown, until, vectors, widget

import slp_core as slp
from pages.encoders import checkpoints
from pages.session.available_encoders import titles_by_name
from pages.session.jobs import job_pool
from slp_core.data import Examples
from slp_core.diagnostics.encoders import encoder_change, nearest_rows
from slp_core.diagnostics.text import change_text, cut_text, moves_text, neighbours_text
from slp_core.encoders.export import can_be_exported
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR
from slp_core.encoders.uploaded import unpack_checkpoint
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.markdown import literal
from slp_core.meta.text import outer_step_text, step_text

BEFORE, AFTER = "minilm-l4", "metaslp-mean3-minilm-l4"
SINGLE = "protonet-mean-minilm-l6"


def opened(*parts, **settings):
    unfolded = [f"open_{part}" for part in ("training", "neighbours", *parts)]
    app = open_page("encoders", unfolded=unfolded, **settings)
    shown(app)
    assert "meta-training" in charts(app)  # stands with the cards, at the page's end
    return app


def titles(*encoders):
    return tuple(slp.load_encoder(name).info.title for name in encoders)


def change_of(name, before=BEFORE, after=AFTER):
    """What the library makes of both encoders, with nearest centroid on draw 0 of 16 shots."""
    both = [fitted(slp.NearestCentroidClassifier(), name, encoder=e) for e in (before, after)]
    dataset = both[0].dataset
    correct = tuple(~data.predictions("").wrong for data in both)
    spaces = tuple(data.X for data in both)
    spreads = (
        accuracy_over_draws(slp.NearestCentroidClassifier, dataset, X, 16, range(10))
        for X in spaces
    )
    over_draws = tuple(spread.to_numpy() for spread in spreads)
    return encoder_change(
        titles(before, after), dataset.classes, spaces, dataset.y, correct, over_draws
    )


def neighbours_of(name, row, typed=None):
    """The neighbours of a row, or of a typed example, under both encoders."""
    dataset, _ = vectors(name)
    episode = dataset.draw(16, 0)
    spaces = [vectors(name, encoder)[1] for encoder in (BEFORE, AFTER)]
    if typed is None:
        at = [X[row] for X in spaces]
    else:
        at = [slp.load_encoder(each).encode_like(dataset, typed)[0] for each in (BEFORE, AFTER)]
    among = (episode.support, episode.query)
    row = row if typed is None else None
    lists = [nearest_rows(x, X, among, 5, row)[0] for x, X in zip(at, spaces, strict=True)]
    true = None if row is None else int(dataset.y[row])
    return neighbours_text(dataset.classes, dataset.y, lists, true)


def has_arrows(chart):
    markers = [trace.get("marker", {}) for trace in chart[0]["data"]]
    return any(marker.get("angleref") == "previous" for marker in markers)


@pytest.mark.parametrize(
    ("title", "name", "fields"),
    [
        ("Restaurant queries", "restaurant", 2),
        ("Entailment pairs", "entailment", 2),
    ],
)
def test_texts_pairs_and_spans_open_alive(title, name, fields):
    app = opened(dataset=title)
    text = shown(app)
    change = change_of(name)
    assert app.subheader[0].value == change_text(change)
    assert moves_text(change) in text
    assert has_arrows(charts(app)["moves"])
    typed = [box.value for box in app.text_input if box.label != "Folder or hub name"]
    assert len(typed) == fields
    episode = slp.load_dataset(name).draw(16, 0)
    row = episode.query[change.gained[0] if len(change.gained) else 0]
    assert typed[0] == slp.load_dataset(name).examples.texts[row]
    assert neighbours_of(name, row) in text
    assert f"**Example {row}**" in text
    for each in (BEFORE, AFTER):  # the card of what is chosen
        assert literal(slp.load_encoder(each).info.description) in text


def test_accuracy_is_counted_over_the_draws():
    app = opened("accuracy", dataset="Disaster or not")
    until(app, lambda: "accuracy by shots" in charts(app))
    sentence = charts(app)["accuracy by shots"][1]
    assert sentence in shown(app)
    after, before = titles(AFTER, BEFORE)
    rest = sentence.replace(after, "").replace(before, "")
    wins, losses, ties, points = figures(rest)  # three methods, five numbers of shots
    assert int(wins) + int(losses) + int(ties) == 15
    assert 0 < abs(float(points.replace("−", "-"))) < 100


def test_it_opens_on_the_movement_alone():
    app = open_page("encoders", folded=True)
    shown(app)
    assert app.subheader[0].value == change_text(change_of("airline"))
    assert list(charts(app)) == ["moves"]


def test_numbers_are_told_so_and_cards_are_shown_all_the_same():
    app = opened("cards", "episode", dataset="Wine")
    assert "numbers" in app.subheader[0].value
    assert not {"Before", "After"} & {box.label for box in app.selectbox}
    assert not {"moves", "episode"} & set(charts(app))
    text = shown(app)
    for info in slp.list_encoders():
        assert f"**{info.title}**" in text


def test_every_encoder_that_a_folder_can_hold_is_handed_out():
    app = opened("cards", dataset="Wine")
    taken = [b for b in app.get("download_button") if b.label == "Download this encoder"]
    infos = [info for info in slp.list_encoders() if can_be_exported(slp.load_encoder(info.name))]
    assert len(taken) == len(infos)
    assert {"minilm-l4", SINGLE} <= {info.name for info in infos}
    made, asked = [], []
    with (
        mock.patch.object(st, "download_button", lambda label, data, *_, **__: made.append(data)),
        mock.patch.object(checkpoints, "zipped_encoder", lambda *what: asked.append(what)),
    ):
        checkpoints.take_away(SINGLE)
        made[0]()
    ((encoder, folder),) = asked
    assert (encoder.info.name, folder) == (SINGLE, SINGLE)


def test_a_meta_trained_encoder_of_the_sidebar_is_what_comes_after():
    app = opened(encoder="ProtoNet on MiniLM, layer 4")
    chosen = {box.label: box.value for box in app.selectbox}
    assert chosen["Before"] == "MiniLM, layer 4"
    assert chosen["After"] == "ProtoNet on MiniLM, layer 4"
    after = change_of("airline", after="protonet-minilm-l4")
    assert app.subheader[0].value == change_text(after)


def test_texts_that_minilm_cannot_read_open_on_two_encoders_that_read_any_script():
    app = open_page("encoders", folded=True)
    next(b for b in app.button if b.label == "Upload a dataset").click().run()
    rows = [f"今天{what}很{how}{i},{how}" for i in "一二三四" for what in "书饭" for how in "好坏"]
    content = "\n".join(["句子,评价", *rows]).encode()
    app.file_uploader(key="upload").upload("评价.csv", content, "text/csv").run()
    press(app, "Use this dataset")
    chosen = {box.label: box.value for box in app.selectbox}
    assert chosen["Before"] == "TF-IDF and SVD"
    assert chosen["After"] == chosen["Encoder"] == "TF-IDF of words and characters"
    assert "moves" in charts(app)
    told = "MiniLM reads English, and 100% of the words"
    assert any(caption.value.startswith(told) for caption in app.caption)
    assert not any(told in caption.value for caption in app.sidebar.caption)


def test_an_encoder_that_has_not_seen_the_data_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("SLP_CACHE_DIR", str(tmp_path))
    key = "after_minilm-l4"
    app = opened(dataset="Disaster or not", normalisation="none")
    widget(app.selectbox, key).set_value("MiniLM, last layer").run()
    assert "“MiniLM, last layer”" in app.subheader[0].value
    assert "“MiniLM, layer 4”" not in app.subheader[0].value
    (offer,) = [b for b in app.button if b.label == "Encode with MiniLM, last layer"]
    assert f"{len(slp.load_dataset('disaster'))} examples" in offer.help
    shown(app)
    assert "moves" not in charts(app)
    assert "meta-training" in charts(app)


def test_the_clicked_row_and_its_neighbours():
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[5])
    app = opened(point=row)
    (box,) = [box for box in app.text_input if box.label == "Text"]
    assert box.value == dataset.examples.texts[row]
    assert neighbours_of("airline", row) in shown(app)


def test_a_typed_sentence_has_neighbours_and_no_class():
    app = opened()
    (box,) = [box for box in app.text_input if box.label == "Text"]
    typed = Examples("text", texts=("the crew were wonderful",))
    near = neighbours_of("airline", None, typed)
    assert "True label" not in near
    assert near not in shown(app)
    box.set_value(typed.texts[0]).run()
    assert near in shown(app)
    assert "was cut" not in shown(app)
    # A link, or the same page loaded anew, has it too, until a point is clicked.
    asked = {"near": link(app)["near"]}
    app = open_page("encoders", asked, folded=True)
    assert near in shown(app)
    (box,) = [box for box in app.text_input if box.label == "Text"]
    box.set_value("late " * 300).run()
    assert cut_text(titles(BEFORE, AFTER)) in shown(app)
    app.session_state["point"] = int(slp.load_dataset("airline").draw(16, 0).query[5])
    app.run()
    assert "near" not in link(app)


def test_an_episode_is_taken_apart_when_it_is_asked_for():
    app = press(opened("episode", dataset="Entailment pairs"), "Run the steps")
    job = job_pool().get(("episode", slp.load_dataset("entailment").digest, (0, 1), 0))
    job.wait(120)
    text, steps = shown(app.run()), job.result
    assert "episode" in charts(app)
    assert step_text(steps, 4) in text
    assert outer_step_text(steps) in text
    assert steps.n_steps == 5
    assert (steps.for_loss[4].size, steps.for_means[4].size) == (12, 8)
    assert steps.settings.tasks_per_step == 4
    assert not np.intersect1d(steps.for_loss[4], steps.for_means[4]).size


def test_an_uploaded_encoder_is_in_every_dropdown_of_the_session(tmp_path):
    files = [
        (path.name, path.read_bytes())
        for path in (CHECKPOINTS_DIR / "reptile-minilm-l4").iterdir()
        if path.suffix in (".json", ".safetensors")
    ]
    folder = tempfile.TemporaryDirectory(dir=tmp_path)
    taken = set(titles_by_name().values())
    unpack_checkpoint(files, Path(folder.name), taken)
    title = "Reptile, plain head on MiniLM, layer 4 (uploaded)"
    app = opened("cards", uploaded_encoders={title: folder})
    assert f"**{title}**" in shown(app)
    assert str(tmp_path) not in shown(app)
    for label in ("Encoder", "Before", "After"):
        options = next(box for box in app.selectbox if box.label == label).options
        assert any(option.endswith(title) for option in options)  # its gain may come first
    assert not any(title in option for option in widget(opened().selectbox, "encoder").options)
