"""The Train page, run without a browser."""

from unittest import mock

import numpy as np
import pytest
from driving import charts, figures, fitted, link, open_page, press, shown, told_aside, until

import slp_core as slp
from slp_core.errors import SLPError
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.evaluation.saved_model import evaluate_saved_model
from slp_core.evaluation.text import saved_model_text
from slp_core.markdown import without_terms
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.model_files import model_from_bytes, model_to_bytes
from slp_core.views.text import fidelity_text


def files(app):
    return [download.label for download in app.get("download_button")]


def train(query=(), *parts, **settings):
    unfolded = [f"open_{part}" for part in ("training_log", *parts)]
    app = open_page("train", query=query, unfolded=unfolded, **settings)
    return until(app, lambda: "Training log (JSON)" in files(app))


def test_a_first_visit_shows_deep_slp_from_random_start_and_leaves_other_pages_alone():
    app = train()
    paper, near, flat = (
        fitted(model).predictions("")
        for model in (
            slp.DeepSLPClassifier(preset="paper", random_state=0),
            slp.NearestCentroidClassifier(),
            slp.LogisticRegressionClassifier(),
        )
    )
    said = app.subheader[0].value
    assert said.startswith("DeepSLP, random start as in the paper: ")
    assert figures(said)[1:] == [
        *(f"{paper.accuracy:.1%}", "25", f"{near.accuracy:.1%}", f"{flat.accuracy:.1%}"),
    ]
    data = fitted(slp.DeepSLPClassifier(preset="paper", random_state=0))
    query = data.episode.query
    held = slp.held_out_fidelity(data.model, data.X, "centroid_plane", "offset", query)
    assert without_terms(fidelity_text(held)) in shown(app)
    (line,) = [c.value for c in app.caption if "· **DeepSLP**\u00a0·" in c.value]
    assert f"**{paper.accuracy:.1%}**" in line
    assert not {"method", "preset", "run_preset"} & set(link(app))
    app = open_page("explore", folded=True)
    assert any("· **constraintSLP**\u00a0·" in c.value for c in app.caption)


@pytest.mark.parametrize(
    ("query", "start"),
    [
        ({"method": "DeepSLP"}, "nearest-centroid start"),
        ({"method": "DeepSLP", "preset": "as in the paper"}, "random start as in the paper"),
        ({"run_preset": "prototype-initialised"}, "nearest-centroid start"),
        ({"run_preset": "custom", "run_epochs": "7"}, "nearest-centroid start"),
    ],
)
def test_old_links_train_what_they_did(query, start):
    app = train(query, dataset="A, B and C")
    assert app.subheader[0].value.startswith(f"DeepSLP, {start}: ")
    assert {key: value for key, value in link(app).items() if key in query} == query


def test_constraint_slp_shows_its_linear_programme():
    app = open_page("train", unfolded=["open_training_log"], method="constraintSLP")
    shown(app)
    data = fitted(slp.ConstraintSLPClassifier())
    hard = EditedPrototypes.of(data.model, [[[0, 1, 0], [0, 0, 1]]]).classifier()
    assert data.model.lines_[0].classes == (1, 0, 2)
    truth = np.array(data.dataset.classes)[data.episode.y_query]
    accuracies = [f"{np.mean(m.predict(data.query) == truth):.1%}" for m in (hard, data.model)]
    assert figures(app.subheader[0].value) == accuracies
    assert files(app).count("Model (safetensors + JSON)") == 1
    app = open_page("train", folded=True, method="constraintSLP", dataset="Disaster or not")
    assert "all soft labels are hard" in app.subheader[0].value


@pytest.mark.parametrize("title", ["Emotions", "Wine"])
def test_other_data(title):
    app = train(dataset=title, method="DeepSLP", shots=4)
    deep = fitted(slp.DeepSLPClassifier(), title, shots=4)
    assert figures(app.subheader[0].value)[1:3] == [f"{deep.predictions('').accuracy:.1%}", "60"]
    assert files(app).count("Model (safetensors + JSON)") == 1


def test_another_setting_is_trained_at_once_and_stands_beside_the_first():
    app = train((), "compare_runs", method="DeepSLP", draw=3)
    app.session_state["run_preset"] = "custom"
    app.session_state["run_epochs"] = 7
    until(app.run(), lambda: any("after 7 epochs" in each.value for each in app.subheader))
    beside = next(s for s in app.selectbox if s.label == "Compare with")
    assert len(beside.options) == 2
    assert "two runs" not in charts(app)
    beside.select(beside.options[1]).run()
    shown(app)
    assert "two runs" in charts(app)


def test_a_failed_run_is_said_and_can_be_tried_again():
    app = train(method="DeepSLP", dataset="A, B and C")
    with mock.patch("pages.widgets.training.train", side_effect=SLPError("Not today.")):
        app.session_state["run_preset"] = "custom"
        app.session_state["run_epochs"] = 33
        until(app.run(), lambda: [w.value for w in app.warning] == ["Not today."])
    press(app, "Try again")
    until(app, lambda: any("after 33 epochs" in each.value for each in app.subheader))


def test_a_link_to_an_epoch_opens_it():
    app = train({"epoch": "4", "pace": "5 epochs a second"})
    assert "The address asks" not in shown(app)


def test_one_number_for_the_sidebars_method():
    app = train(method="DeepSLP", dataset="A, B and C", preset="as in the paper")
    deep = fitted(slp.DeepSLPClassifier(preset="paper", random_state=0), "A, B and C")
    accuracy = f"{deep.predictions('').accuracy:.1%}"
    assert accuracy in figures(app.subheader[0].value)
    until(app, lambda: any(f"accuracy **{accuracy}** (" in c.value for c in app.caption))
    assert not any("with other hyperparameters" in c.value for c in app.caption)
    app.session_state["run_preset"] = "custom"
    app.run()
    app.session_state["run_epochs"] = 1
    app.session_state["open_training_log"] = False
    until(app.run(), lambda: any("with other hyperparameters" in c.value for c in app.caption))


@pytest.mark.parametrize(
    ("folder", "method", "other"),
    [
        ("train", "Nearest centroid", "DeepSLP"),
        ("ensemble", "Nearest centroid", "DeepSLP"),
        ("explain", "Logistic regression", "constraintSLP"),
        ("soft_labels", "Logistic regression", "constraintSLP"),
    ],
)
def test_line_and_headline_are_of_the_method_that_a_page_shows(folder, method, other):
    app = open_page(folder, {"method": method}, unfolded=["open_training_log"])
    until(app, lambda: app.subheader)
    (line,) = [c.value for c in app.caption if "[shots](#word-shots) ·" in c.value]
    (why,) = told_aside(app)
    assert f"**{other}**" in line
    assert method not in line
    assert (method in why, why.endswith(f"This page shows {other}.")) == (True, True)
    if folder != "explain":  # whose headline counts errors
        here = figures(line.split("accuracy")[1])[0]
        assert {here, f"{float(here[:-1]):.0f}%"} & set(figures(app.subheader[0].value))
    assert not any("with other hyperparameters" in c.value for c in app.caption)


def test_draws_and_seeds_are_fitted_on_request():
    app = train((), "draws_and_seeds", dataset="A, B and C", shots=4, method="DeepSLP")
    press(app, "Train on 10 support sets × 1 seed")
    until(app, lambda: "draws and seeds" in charts(app))
    data = fitted(slp.DeepSLPClassifier(), "toy_abc", shots=4)
    spread = accuracy_over_draws(
        lambda seed: slp.DeepSLPClassifier(random_state=seed),
        *(data.dataset, data.X, 4, range(10)),
        seeds=range(1),
    )
    ends = (spread.mean(), spread.std(ddof=0), spread.min(), spread.max())
    mean, *apart = (f"{share:.1%}" for share in ends)
    assert [mean, "10", *apart] in [figures(caption.value) for caption in app.caption]


def test_a_downloaded_model_is_brought_back():
    app = train((), "saved_model", dataset="A, B and C", shots=4)
    data = fitted(slp.ConstraintSLPClassifier(), "toy_abc", shots=4)
    file = model_to_bytes(data.model, dataset="A, B and C", draw=0)
    app.file_uploader[0].upload("model.zip", file, "application/zip").run()
    loaded = evaluate_saved_model(*model_from_bytes(file, "model.zip"), data.episode, data.X)
    judged = saved_model_text(loaded)
    assert f"{data.predictions('').accuracy:.1%}" in figures(judged)
    assert judged in shown(app)


def test_no_fragment_of_a_page_is_left_to_run_where_the_page_cannot_be_drawn(monkeypatch):
    app = train()
    live = dict(app._fragment_storage._fragments)
    refuses = mock.Mock(side_effect=SLPError("These data cannot be had: choose others."))
    monkeypatch.setattr("pages.shell.frame.sidebar", refuses)
    app.run()
    assert [error.value for error in app.error] == ["These data cannot be had: choose others."]
    assert live
    assert not app._fragment_storage._fragments
