"""The Ensemble page, run without a browser."""

import re

import pytest
from driving import (
    charts,
    figures,
    fitted,
    open_page,
    press,
    shown,
    table_with,
    told_aside,
    until,
    vectors,
)

import slp_core as slp
from pages.session.methods import ON_VECTORS
from slp_core.diagnostics import calibration, ensemble_diagnostics, out_of_distribution
from slp_core.facts import said
from slp_core.figures.calibration import EntropyDisplay
from slp_core.markdown import unmarked


def ensemble_page(**settings):
    app = open_page("ensemble", **settings)
    until(app, lambda: "nll" in charts(app))
    return shown(app), app


def diagnostics(model, name="airline", temperature="none", **settings):
    data = fitted(model, name, **settings)
    true = [data.dataset.classes[k] for k in data.episode.y_query]
    return data, ensemble_diagnostics(data.model, data.query, true, temperature)


@pytest.mark.parametrize("method", list(ON_VECTORS))
def test_every_method_has_its_page_or_is_told_why_not(method):
    _, app = ensemble_page(method=method)
    lines = method in ("constraintSLP", "DeepSLP")
    model = ON_VECTORS[method].make() if lines else slp.ConstraintSLPClassifier()
    assert app.subheader[0].value == diagnostics(model)[1].sentence()
    assert [method in note for note in told_aside(app)] == [True] * (not lines)


def test_draws_decompositions_calibration_and_strangers():
    text, app = ensemble_page(method="DeepSLP", temperature="softmax(z / distance)")
    data, read = diagnostics(slp.DeepSLPClassifier(), temperature="distance")
    answers = data.answers("DeepSLP")
    drawn = charts(app)
    assert app.subheader[0].value == read.sentence()
    assert re.search(r"\b(\d|10) of 10\b", drawn["nll"][1])
    assert re.search(r"\b(\d|10) of 10\b", drawn["uncertainty"][1])
    assert not read.is_mixture
    assert all(said(facts) in text for facts in read.identity_facts())
    assert calibration(answers.probability, answers.true).sentence() in text
    assert drawn["entropies"][1] in unmarked(text)
    row = data.episode.query[read.most_diverse]
    assert f"**Query point {row}** " in text  # and why this one
    assert said(read.point_facts(read.most_diverse)) in text
    assert said(read.help_facts()) in text
    parts = table_with(app, "left over")
    assert parts["left over"].iloc[1:].abs().max() < 1e-6


def test_no_point_is_said_to_differ_most_where_all_differ_as_much():
    text, _ = ensemble_page()
    data, read = diagnostics(slp.ConstraintSLPClassifier())
    row, m = data.episode.query[0], len(read.jsd)
    reason = f"the first, as the two disagree equally at all {m:,} points"
    assert f"**Query point {row}** – {reason}" in text.splitlines()
    assert "disagree most" not in text


def test_the_single_model_can_be_a_fine_tuned_encoder():
    app = open_page("ensemble", shots=1, single="Fine-tuned encoder")
    assert "nll" not in charts(app)  # a link trains nothing
    press(app, "Train it on 3 draws")
    until(app, lambda: "nll" in charts(app))
    assert re.search(r"\bfine-tuned encoder\b.*\b[0-3] of 3\b", charts(app)["uncertainty"][1])
    (effort,) = [c.value for c in app.caption if c.value.startswith("3 draws")]
    assert "fine-tuned encoder" in effort
    assert len(figures(effort)) > len(figures("3 draws of 1 shot"))  # for so many epochs
    text, app = ensemble_page(dataset="Wine", single="Fine-tuned encoder")
    (effort,) = [c.value for c in app.caption if c.value.startswith("10 draws")]
    assert "logistic regression" in effort
    assert "fine-tuned" not in text


def test_a_clicked_point_is_read():
    data, read = diagnostics(slp.ConstraintSLPClassifier())
    row = int(data.episode.query[7])
    text, app = ensemble_page(point=row)
    assert f"**Query point {row}**" in text.splitlines()  # without a reason
    assert said(read.point_facts(7)) in text
    assert data.dataset.examples.texts[row] in [t.value for t in app.text]


def test_strangers_are_seen_as_this_draw_has_its_encoder():
    name = "metaslp-mean3-minilm-l4+weighted+chunks"
    encoder = slp.load_encoder(name)
    title = slp.load_encoder("metaslp-mean3-minilm-l4").info.title
    options = {"combine": "support-weighted", "chunks": True}
    text, app = ensemble_page(dataset="Disaster or not", encoder=title, **options)
    data = fitted(slp.ConstraintSLPClassifier(), "disaster", encoder=name)
    (title,) = [box.value for box in app.selectbox if box.label.startswith("Texts")]
    strangers, _ = vectors(title, name)
    here = encoder.encode_for_draws(data.dataset)
    x = here.place(strangers.examples, data.episode.support)
    found = out_of_distribution(*(data.model.predict_proba(rows) for rows in (data.query, x)))
    assert said(EntropyDisplay(found, (data.dataset.title, title)).facts()) in unmarked(text)
    assert said(here.facts(data.episode.support)) in unmarked(text)


def test_an_encoder_fitted_on_the_whole_table_sees_no_strangers():
    encoder = slp.load_encoder("tfidf-svd")
    text, app = ensemble_page(dataset="Disaster or not", encoder=encoder.info.title)
    assert "texts of another have no place in it" in text
    assert not [box for box in app.selectbox if box.label.startswith("Texts")]


@pytest.mark.parametrize("title", ["Emotions", "Disaster or not", "Wine", "A, B and C"])
def test_other_data(title):
    _, app = ensemble_page(dataset=title)
    assert app.subheader[0].value == diagnostics(slp.ConstraintSLPClassifier(), title)[1].sentence()
    numbers = title in ("Wine", "A, B and C")
    others = [box for box in app.selectbox if box.label.startswith("Texts")]
    assert len(others) == (not numbers)  # whose texts do not belong
    assert ("entropies" in charts(app)) == (not numbers)
