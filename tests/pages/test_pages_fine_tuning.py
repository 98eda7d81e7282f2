"""MetaSLP as the sidebar's method: fine-tuned in the background, beside DeepSLP on its encoder."""

from dataclasses import replace

import numpy as np
from driving import open_page, said, shown, told_aside, until, widget

from pages.shell import fine_tuning
from slp_core.methods.meta_slp import MetaSLPClassifier

ENCODER = "metaslp-reptile-minilm-l4"


def test_meta_slp_is_fine_tuned_and_the_page_shows_deep_slp_on_its_encoder(few_tweets, monkeypatch):
    few = replace(fine_tuning.META_SLP, fixed=(("steps", 2),))
    monkeypatch.setattr(fine_tuning, "META_SLP", few)
    app = open_page(folded=True, shots=4, **few_tweets)
    widget(app.selectbox, "method").select("MetaSLP").run()
    until(app, lambda: "MetaSLP, fine-tuned" in said(app))
    text = shown(app)
    assert widget(app.selectbox, "encoder").value == "MetaSLP (Reptile) on MiniLM, layer 4"
    dataset = few_tweets["uploads"]["Few tweets"]
    episode = dataset.draw(4, 0)
    model = MetaSLPClassifier(encoder=ENCODER, steps=2)
    model.fit(dataset.examples.take(episode.support), episode.y_support)
    predicted = model.predict(dataset.examples.take(episode.query))
    accuracy = np.mean(predicted == episode.y_query)
    (note,) = told_aside(app)  # above the headline, and in no other place
    assert f"MetaSLP, fine-tuned: accuracy **{accuracy:.1%}**" in note
    assert text.count(f"accuracy **{accuracy:.1%}**") == 1
    here = app.session_state["workspace"].predictions
    assert f"accuracy **{np.mean(here.true == here.predicted):.1%}** (support set 0" in text


def test_where_no_encoder_can_be_trained_it_says_so():
    app = open_page(
        folded=True, dataset="Product reviews", encoder="TF-IDF and SVD", method="MetaSLP"
    )
    assert "has no layers that can be trained" in shown(app)
    app = open_page(folded=True, dataset="Wine")
    assert "MetaSLP" not in widget(app.selectbox, "method").options
