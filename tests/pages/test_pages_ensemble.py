"""The Ensemble page, run without a browser."""

import re
from itertools import islice

import pytest
from driving import (
    charts,
    figures,
    fitted,
    link,
    open_page,
    press,
    shown,
    table_with,
    until,
    vectors,
    widget,
)

import slp_core as slp
from pages.session import methods
from slp_core.diagnostics.calibration import calibration, out_of_distribution
from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.diagnostics.text import (
    calibration_text,
    confidence_text,
    disagreement_text,
    ensemble_text,
    example_text,
    identity_texts,
    most_diverse_text,
    nll_text,
)
from slp_core.encoders.combine import shares_on
from slp_core.encoders.text import shares_text
from slp_core.errors import Cancelled
from slp_core.figures.calibration import EntropyDisplay
from slp_core.markdown import unmarked, without_terms
from slp_core.methods.table import METHODS


def ensemble_page(**settings):
    app = open_page("ensemble", **settings)
    until(app, lambda: "nll" in charts(app))
    return shown(app), app


def diagnostics(model, name="airline", temperature="none", **settings):
    data = fitted(model, name, **settings)
    true = [data.dataset.classes[k] for k in data.episode.y_query]
    return data, ensemble_diagnostics(data.model, data.query, true, temperature)


RANDOM = METHODS["deep_slp_paper"].make()


def test_it_opens_on_two_members_from_random_start_and_leaves_the_method_alone():
    app = open_page("ensemble", folded=True)
    text = shown(app)
    data, read = diagnostics(RANDOM)
    assert app.subheader[0].value == ensemble_text(read, "DeepSLP from random start")
    assert list(charts(app)) == ["confidence", "distributions", "reliability", "selective accuracy"]
    row = data.episode.query[read.most_diverse]
    assert f"**Example {row}**{most_diverse_text(read)}" in text.splitlines()
    assert without_terms(confidence_text(read)) in text
    found = calibration(data.model.predict_proba(data.query), data.episode.y_query)
    assert without_terms(calibration_text(found)) in text
    assert widget(app.selectbox, "method").value == "DeepSLP"
    assert not {"method", "preset"} & set(link(app))

    widget(app.selectbox, "method").set_value("constraintSLP").run()
    read = diagnostics(slp.ConstraintSLPClassifier())[1]
    assert app.subheader[0].value == ensemble_text(read, "constraintSLP")
    assert link(app)["method"] == "constraintSLP"


@pytest.mark.parametrize("method", ["DeepSLP", "Nearest centroid", "Logistic regression"])
def test_a_method_that_was_chosen_is_shown_where_it_has_members(method):
    app = open_page("ensemble", {"method": method}, folded=True)
    text = shown(app)
    model, title = (slp.DeepSLPClassifier(), method)
    if method != "DeepSLP":
        model, title = RANDOM, "DeepSLP from random start"
        assert re.search(rf"{method} does not combine two prototypes", text)
    assert app.subheader[0].value == ensemble_text(diagnostics(model)[1], title)


def test_support_sets_decompositions_and_out_of_distribution_texts():
    text, app = ensemble_page(method="DeepSLP", temperature="softmax(z / distance)")
    _, read = diagnostics(slp.DeepSLPClassifier(), temperature="distance")
    drawn = charts(app)
    assert app.subheader[0].value == ensemble_text(read, "DeepSLP")
    assert re.search(r"\b(\d|10) of 10\b", drawn["nll"][1])
    assert re.search(r"\b(\d|10) of 10\b", drawn["uncertainty"][1])
    for sentence in (*identity_texts(read), disagreement_text(read), nll_text(read)):
        assert without_terms(sentence) in text
    assert drawn["entropies"][1] in unmarked(text)
    parts = table_with(app, "residual")
    assert parts["residual"].iloc[1:].abs().max() < 1e-6


@pytest.mark.usefixtures("two_epochs")
def test_the_single_model_can_be_a_fine_tuned_encoder(few_tweets, monkeypatch):
    text_runs, asked = methods.text_runs, []

    def stopped_once(make, dataset, shots, numbers, *watched):
        asked.append(numbers)
        yield from islice(text_runs(make, dataset, shots, numbers, *watched), len(asked) + 1)
        if len(asked) == 1:
            raise Cancelled

    monkeypatch.setattr(methods, "text_runs", stopped_once)
    app = open_page("ensemble", shots=1, single="Fine-tuned encoder", **few_tweets)
    assert "nll" not in charts(app)  # a link trains nothing
    press(app, "Train on 3 support sets")
    until(app, lambda: any(button.label == "Go on" for button in app.button))
    press(app, "Go on")
    until(app, lambda: "nll" in charts(app))
    assert asked == [[0, 1, 2], [2]]
    assert re.search(r"\bfine-tuned encoder\b.*\b[0-3] of 3\b", charts(app)["uncertainty"][1])
    (effort,) = [c.value for c in app.caption if c.value.startswith("3 support sets")]
    assert "fine-tuned encoder" in effort
    assert len(figures(effort)) > len(figures("3 support sets of 1 shot"))  # for so many epochs
    text, app = ensemble_page(dataset="Wine", single="Fine-tuned encoder")
    (effort,) = [c.value for c in app.caption if c.value.startswith("10 support sets")]
    assert "logistic regression" in effort
    assert "fine-tuned" not in text


def test_a_clicked_point_is_read():
    data, read = diagnostics(RANDOM)
    row = int(data.episode.query[7])
    app = open_page("ensemble", point=row, folded=True)
    text = shown(app)
    assert f"**Example {row}**" in text.splitlines()  # without a reason
    assert example_text(read, 7) in text
    assert data.dataset.examples.texts[row] in [t.value for t in app.text]


def test_strangers_are_seen_as_this_draw_has_its_encoder():
    name = "metaslp-mean3-minilm-l4+weighted+chunks"
    encoder = slp.load_encoder(name)
    title = slp.load_encoder("metaslp-mean3-minilm-l4").info.title
    options = {"combine": "support-weighted", "chunks": True}
    text, app = ensemble_page(
        dataset="Disaster or not", encoder=title, method="constraintSLP", **options
    )
    data = fitted(slp.ConstraintSLPClassifier(), "disaster", encoder=name)
    (title,) = [box.value for box in app.selectbox if box.label.startswith("Out-of")]
    strangers, _ = vectors(title, name)
    here = encoder.encode_for_draws(data.dataset)
    x = here.place(strangers.examples, data.episode.support)
    found = out_of_distribution(*(data.model.predict_proba(rows) for rows in (data.query, x)))
    assert unmarked(EntropyDisplay(found, (data.dataset.title, title)).sentence()) in unmarked(text)
    weights = shares_text(shares_on(here, data.episode.support), encoder.titles)
    assert unmarked(weights) in unmarked(text)


@pytest.mark.parametrize("title", ["Emotions", "Wine"])
def test_other_data(title):
    _, app = ensemble_page(dataset=title, shots=2)
    read = diagnostics(METHODS["deep_slp_paper"].make(), title, shots=2)[1]
    assert app.subheader[0].value == ensemble_text(read, "DeepSLP from random start")
    numbers = title == "Wine"
    others = [box for box in app.selectbox if box.label.startswith("Out-of")]
    assert len(others) == (not numbers)
    assert ("entropies" in charts(app)) == (not numbers)
