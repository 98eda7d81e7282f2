"""The Train page, run without a browser."""

import pytest
from driving import open_page, shown, until

import slp_core as slp
from slp_core.evaluation.draws import arrays_of
from slp_core.methods.saved import save_model


def train(**settings):
    return open_page("train", **({"pace": "as fast as it goes"} | settings))


def until_done(app):
    return until(app, lambda: "After" in shown(app) and "Pause" not in labels(app))


def labels(app):
    return [button.label for button in app.button]


def test_a_first_visit_shows_a_run_that_ends_by_itself():
    app = until_done(train())
    assert "After 60 of 60 epochs on 48 support points DeepSLP answers" in shown(app)
    assert "constraintSLP**, the sidebar's method, has no epochs" in shown(app)
    files = [d.label for d in app.get("download_button")]
    assert files.count("Model (safetensors + JSON)") == 2
    assert "Record (JSON)" in files
    assert "Reset" in labels(app)


@pytest.mark.parametrize("title", ["Emotions", "Disaster or not", "Wine", "A, B and C"])
def test_other_data(title):
    app = until_done(train(dataset=title, method="DeepSLP", shots=4))
    assert "epochs on" in shown(app)


def test_a_second_run_waits_for_start_and_stands_beside_the_first():
    app = until_done(train(method="DeepSLP", draw=3))
    app.session_state["run_preset"] = "custom"
    app.session_state["run_epochs"] = 7
    app.run()
    assert "Press Start to train with these settings." in shown(app)
    next(b for b in app.button if b.label == "Start").click().run()
    until_done(app)
    assert "After 7 of 7 epochs" in shown(app)
    beside = next(s for s in app.selectbox if s.label == "Beside an earlier run")
    assert len(beside.options) >= 2
    beside.select(beside.options[1]).run()
    assert "of the query points, each of its own data." in shown(app)


def test_lessons_are_one_click_away():
    app = until_done(train(method="DeepSLP"))
    assert "Does it matter" not in shown(app)


def test_draws_and_seeds_are_fitted_on_request():
    app = until_done(train(dataset="A, B and C", shots=4))
    next(b for b in app.button if b.label == "Train on 10 draws from 3 seeds").click().run()
    until(app, lambda: "over 30 fits: 10 draws, 3 seeds." in shown(app))


def test_a_downloaded_model_is_brought_back():
    app = until_done(train(dataset="A, B and C", shots=4))
    dataset = slp.load_dataset("toy_abc")
    data = arrays_of(dataset.draw(4, 0), slp.load_encoder("raw").encode(dataset))
    model = slp.ConstraintSLPClassifier().fit(data.X_support, data.y_support)
    file = save_model(model, dataset="A, B and C", draw=0)
    app.file_uploader[0].upload("model.zip", file, "application/zip").run()
    right = model.score(data.X_query, data.y_query)
    assert f"lines from A, B and C, draw 0: {right:.1%} of the" in shown(app)
