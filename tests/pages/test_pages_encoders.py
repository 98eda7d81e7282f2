"""The Encoders page, run without a browser."""

import tempfile
from pathlib import Path

import pytest
from driving import open_page, shown, until

import slp_core as slp
from pages.session.jobs import job_pool
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR
from slp_core.encoders.uploaded import unpack_checkpoint


def opened(text="The encoders", **settings):
    app = open_page("encoders", **settings)
    return until(app, lambda: text in shown(app))


@pytest.mark.parametrize(
    ("title", "name", "fields"),
    [
        ("Airline tweets", "airline", 1),
        ("Restaurant queries", "restaurant", 2),
        ("Entailment pairs", "entailment", 2),
    ],
)
def test_texts_pairs_and_spans_open_alive(title, name, fields):
    app = opened(dataset=title)
    text = shown(app)
    assert "nearest centroid gets" in app.subheader[0].value
    assert "measured in their own spread" in app.subheader[0].value
    assert "under *MiniLM, layer 4*" in app.subheader[0].value
    assert "An arrow runs from" in text
    typed = [box.value for box in app.text_input if box.label != "Folder or hub name"]
    assert len(typed) == fields
    examples = slp.load_dataset(name).examples
    assert typed[0] in examples.texts
    assert "of the 5 nearest" in text


def test_accuracy_is_counted_over_the_draws():
    text = shown(opened("settings of method and shots", dataset="Airline tweets"))
    assert "is ahead of MiniLM, layer 4 in" in text
    assert "of 15 settings" in text


def test_numbers_are_told_so_and_cards_are_shown_all_the_same():
    app = opened(dataset="Wine")
    assert "this dataset is numbers" in app.subheader[0].value
    text = shown(app)
    for info in slp.list_encoders():
        assert f"**{info.title}**" in text
    assert "validates best" in text


def test_a_meta_trained_encoder_of_the_sidebar_is_what_comes_after():
    app = opened(encoder="ProtoNet on MiniLM, layer 4")
    assert app.subheader[0].value.startswith("Under *ProtoNet on MiniLM, layer 4*")
    assert "under *MiniLM, layer 4*" in app.subheader[0].value


def test_an_encoder_that_has_not_seen_the_data_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("SLP_CACHE_DIR", str(tmp_path))
    key = "after_minilm-l4"
    app = opened(dataset="Disaster or not", normalisation="as they come")
    app.selectbox(key).set_value("MiniLM, last layer").run()
    assert app.subheader[0].value == "*MiniLM, last layer* has not seen these data."
    (offer,) = [b for b in app.button if b.label == "Encode with MiniLM, last layer"]
    assert f"{len(slp.load_dataset('disaster'))} examples" in offer.help
    assert "validates best" in shown(app)


def test_the_clicked_row_and_its_neighbours():
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[5])
    app = opened(point=row)
    (box,) = [box for box in app.text_input if box.label == "Sentence"]
    assert box.value == dataset.examples.texts[row]
    assert f"It is *{dataset.labels[row]}*" in shown(app)


def test_a_typed_sentence_has_neighbours_and_no_class():
    app = opened("of the 5 nearest")
    (box,) = [box for box in app.text_input if box.label == "Sentence"]
    box.set_value("the crew were wonderful").run()
    (text,) = [m.value for m in app.markdown if "of the 5 nearest" in m.value]
    assert "It is" not in text
    assert "under *MiniLM, layer 4*" in text


def test_an_episode_is_taken_apart_when_it_is_asked_for():
    app = opened(dataset="Entailment pairs")
    (button,) = [b for b in app.button if b.label == "Take the steps"]
    button.click().run()
    job = job_pool().get(("episode", slp.load_dataset("entailment").digest, (0, 1), 0))
    job.wait(120)
    text = shown(app.run())
    assert "Step 5 of 5: loss" in text
    assert "12 examples pulled, prototypes stand on the other 8" in text
    assert "Reptile takes the mean way of 4 such copies" in text


def test_an_uploaded_encoder_is_in_every_dropdown_of_the_session(tmp_path):
    files = [
        (path.name, path.read_bytes())
        for path in (CHECKPOINTS_DIR / "reptile-minilm-l4").iterdir()
        if path.suffix in (".json", ".safetensors")
    ]
    folder = tempfile.TemporaryDirectory(dir=tmp_path)
    titles = {info.title for info in slp.list_encoders()}
    unpack_checkpoint(files, Path(folder.name), titles)
    title = "Reptile, plain head on MiniLM, layer 4 (uploaded)"
    app = opened(uploaded_encoders={title: folder})
    assert f"**{title}**" in shown(app)
    assert str(tmp_path) not in shown(app)
    for label in ("Encoder", "Before", "After"):
        assert title in next(box for box in app.selectbox if box.label == label).options
    assert title not in opened().selectbox("encoder").options
