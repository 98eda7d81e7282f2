"""The Train page, run without a browser."""

from unittest import mock

import pytest
from driving import charts, figures, fitted, open_page, press, shown, until

import slp_core as slp
from slp_core.errors import SLPError
from slp_core.evaluation.draws import accuracy_over_draws_and_seeds
from slp_core.evaluation.saved_model import evaluate_saved_model
from slp_core.methods.model_files import model_from_bytes, model_to_bytes


def files(app):
    return [download.label for download in app.get("download_button")]


def train(query=(), **settings):
    app = open_page("train", query=query, **settings)
    return until(app, lambda: "Record (JSON)" in files(app))


def test_a_first_visit_shows_a_run_that_ends_by_itself():
    app = train()
    deep, near, flat, solved = (
        fitted(model).answers("")
        for model in (
            slp.DeepSLPClassifier(),
            slp.NearestCentroidClassifier(),
            slp.LogisticRegressionClassifier(),
            slp.ConstraintSLPClassifier(),
        )
    )
    support, m = len(fitted(slp.ConstraintSLPClassifier()).episode.support), str(len(deep.true))
    assert figures(app.subheader[0].value) == [
        *("60", str(support), f"{deep.accuracy:.1%}", m),
        *(f"{each.accuracy:.1%}" for each in (near, flat)),
    ]
    (other,) = [m.value for m in app.markdown if m.value.startswith("**constraintSLP**")]
    assert figures(other) == [f"{solved.accuracy:.1%}", m]  # of the sidebar, without epochs
    assert files(app).count("Model (safetensors + JSON)") == 2


@pytest.mark.parametrize("title", ["Emotions", "Disaster or not", "Wine", "A, B and C"])
def test_other_data(title):
    app = train(dataset=title, method="DeepSLP", shots=4)
    deep = fitted(slp.DeepSLPClassifier(), title, shots=4)
    _, *counts = figures(app.subheader[0].value)
    right = f"{deep.answers('').accuracy:.1%}"
    assert counts[:3] == [str(len(deep.episode.support)), right, f"{len(deep.query):,}"]
    assert files(app).count("Model (safetensors + JSON)") == 1


def test_another_setting_is_trained_at_once_and_stands_beside_the_first():
    app = train(method="DeepSLP", draw=3)
    app.session_state["run_preset"] = "custom"
    app.session_state["run_epochs"] = 7
    until(app.run(), lambda: figures(app.subheader[0].value)[:1] == ["7"])
    beside = next(s for s in app.selectbox if s.label == "Beside an earlier run")
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
    until(app, lambda: figures(app.subheader[0].value)[:1] == ["33"])


def test_a_link_to_an_epoch_opens_it():
    app = train({"epoch": "4", "pace": "5 epochs a second"})
    assert "The address asks" not in shown(app)


def test_one_preset_and_one_number_for_the_sidebars_method():
    app = train(method="DeepSLP", dataset="Emotions", preset="as in the paper")
    assert [box.label for box in app.selectbox].count("Preset") == 1
    deep = fitted(slp.DeepSLPClassifier(preset="paper"), "Emotions")
    right = f"{deep.answers('').accuracy:.1%}"
    assert right in figures(app.subheader[0].value)
    assert any(right in figures(m.value) for m in app.markdown if "query points" in m.value)
    told = [c.value for c in app.caption]
    assert not any("The strip at the top" in each for each in told)
    app.session_state["run_preset"] = "custom"
    app.run()
    app.session_state["run_epochs"] = 1
    until(app.run(), lambda: any("The strip at the top" in c.value for c in app.caption))
    (told,) = [c.value for c in app.caption if "The strip at the top" in c.value]
    assert figures(told)[0] == right


def test_draws_and_seeds_are_fitted_on_request():
    app = train(dataset="A, B and C", shots=4)
    press(app, "Train on 10 draws")  # nothing is left to a seed
    until(app, lambda: "draws and seeds" in charts(app))
    data = fitted(slp.DeepSLPClassifier(), "toy_abc", shots=4)
    spread = accuracy_over_draws_and_seeds(
        lambda seed: slp.DeepSLPClassifier(random_state=seed),
        *(data.dataset, data.X, 4, range(10), range(1)),
    )
    expected = [f"{spread.mean:.1%}", f"{100 * spread.std:.1f}", "10", "10"]
    assert expected in [figures(caption.value) for caption in app.caption]


def test_a_downloaded_model_is_brought_back():
    app = train(dataset="A, B and C", shots=4)
    data = fitted(slp.ConstraintSLPClassifier(), "toy_abc", shots=4)
    file = model_to_bytes(data.model, dataset="A, B and C", draw=0)
    app.file_uploader[0].upload("model.zip", file, "application/zip").run()
    judged = evaluate_saved_model(
        *model_from_bytes(file, "model.zip"), data.episode, data.X
    ).sentence()
    assert f"{data.answers('').accuracy:.1%}" in figures(judged)
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
