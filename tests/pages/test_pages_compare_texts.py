"""Methods that train the encoder, on the Compare page, run without a browser."""

import json
import time
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from driving import (
    charts,
    computing,
    figures,
    labels,
    open_page,
    press,
    said,
    table_with,
    told_aside,
    until,
)
from streamlit.testing.v1 import AppTest

import slp_core as slp
from pages.compare import systems
from pages.session.methods import ON_TEXTS, refusal
from pages.session.workspace import Workspace
from slp_core.errors import Cancelled, SLPError
from slp_core.evaluation.comparison import rank
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.evaluation.method_runs import DrawRun, MethodRuns, vector_runs
from slp_core.evaluation.results import Scores
from slp_core.evaluation.text import ranking_text
from slp_core.methods import table as methods_table
from slp_core.methods.protocols import Parameters
from slp_core.methods.setfit import SetFitClassifier
from slp_core.methods.table import METHODS

ONE = {"dataset": "Airline tweets", "shots": 1, "compared": ["Nearest centroid"]}


def methods(app):
    tables = [d.value for d in app.dataframe if "trainable" in map(str, d.value.columns)]
    return tables[0].set_index("method") if tables else {}


@pytest.mark.usefixtures("two_epochs")
def test_a_trained_encoder_joins_the_others_on_its_draws_and_the_sidebars(few_tweets):
    tuned = "Fine-tuned encoder"
    app = open_page(
        "compare",
        **ONE | few_tweets,
        draw=3,
        trained=[tuned],
        trained_draws=1,
        method_a="Nearest centroid",
        method_b=tuned,
    )
    until(app, lambda: tuned in getattr(methods(app), "index", ()))
    until(app, lambda: methods(app).loc[tuned, "support sets"] == 2)
    until(app, lambda: "accuracy by shots" in charts(app))
    dataset = few_tweets["uploads"]["Few tweets"]
    own = []
    for draw in (0, 3):
        episode = dataset.draw(1, draw)
        model = slp.FineTunedClassifier(encoder="minilm-l4", epochs=2)
        model.fit(dataset.examples.take(episode.support), episode.y_support)
        predicted = model.predict(dataset.examples.take(episode.query))
        own.append((predicted == episode.y_query).mean())
    table = methods(app)
    assert table["support sets"].to_dict() == {"Nearest centroid": 2, tuned: 2}
    lines, _ = charts(app)["accuracy by shots"]
    (line,) = [t for t in lines["data"] if t.get("name") == "Nearest centroid"]
    over = [int(figures(spread)[-1]) for _, spread in line["customdata"]]
    assert over == [2, *[10] * (len(over) - 1)]  # at the other numbers of shots it stands alone
    X = slp.load_encoder("minilm-l4").encode(dataset)
    centroids = accuracy_over_draws(slp.NearestCentroidClassifier, dataset, X, 1, (0, 3))
    assert table.loc["Nearest centroid", "accuracy"] == pytest.approx(centroids.mean())
    assert table.loc[tuned, "accuracy"] == pytest.approx(np.mean(own), abs=0.02)
    assert table.loc[tuned, "trainable"] == model.n_trained_
    text = said(app)
    effort = ON_TEXTS[tuned].effort
    assert effort.startswith(tuned)
    (trained,) = [c.value for c in app.caption if effort in c.value]
    assert figures(trained) == ["0", "3", "2"]  # draws and epochs
    assert "2 support sets" in app.subheader[0].value
    difference = charts(app)["paired differences"][1]
    assert "2 support sets" in difference
    assert difference in text
    assert difference.startswith("Nearest centroid − fine-tuned encoder: ")
    assert any(
        figures(m.value) == ["3"] for m in app.markdown if m.value.startswith("**On support set")
    )
    assert {"confusion A", "confusion B"} <= set(charts(app))
    (offer,) = [note for note in told_aside(app) if tuned in note]
    assert figures(offer) == ["8"]  # more trainings
    assert "Train with every number of shots" in labels(app)
    names = ("Fine-tuned encoder", "MiniLM, layer 4", "constraintSLP")
    assert any(all(name in c.value for name in names) for c in app.caption)  # as Explain has it


@pytest.mark.parametrize(
    ("settings", "method", "why"),
    [
        ({"dataset": "Wine"}, "MetaSLP", "Wine"),
        (
            {"dataset": "Airline tweets", "encoder": "TF-IDF and SVD"},
            "Fine-tuned encoder",
            "TF-IDF and SVD",
        ),
        ({"dataset": "Airline tweets"}, "LoRA", '`pip install "slp-explorer[extra]"`'),
    ],
)
def test_what_cannot_be_trained_is_told_and_left_out(settings, method, why, monkeypatch):
    monkeypatch.setattr(methods_table, "find_spec", lambda name: None)
    app = open_page("compare", shots=1, compared=["Nearest centroid"], trained=[method], **settings)
    until(app, lambda: len(methods(app)))
    (told,) = [note for note in told_aside(app) if method in note]
    assert why in told
    assert methods(app).index.tolist() == ["Nearest centroid"]
    until(app, lambda: "Cancel" not in labels(app))  # no training that goes on


def endless(seen, done=0):
    """Stands in for training: after some draws it goes on until it is stopped, and notes that."""

    def run(make, dataset, shots, draws, most_query, progress, cancelled):
        for draw in draws[:done]:
            true = dataset.draw(shots, draw).y_query
            scores = Scores(1.0, 1.0, 0.0, len(true), 0.1)
            yield draw, DrawRun(scores, true, true, None), None
        progress(draws[0], 0.5)
        while not cancelled():
            time.sleep(0.01)
        seen.append((shots, draws[0]))
        raise Cancelled

    return run


def once(there):
    """Wait until something holds, without another run of the page."""
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        time.sleep(0.01)


def begun():
    """Nothing stands in a queue: what is cancelled there leaves no trace."""
    return all(job.future.running() for job in computing())


def test_training_leaves_the_others_in_sight_and_stops_when_it_is_told_to(monkeypatch):
    seen = []
    monkeypatch.setattr(systems, "text_runs", endless(seen))
    app = open_page("compare", **ONE, trained=["SetFit"])
    until(app, lambda: len(methods(app)))
    assert methods(app).index.tolist() == ["Nearest centroid"]
    once(begun)
    press(app, "Cancel")
    until(app, lambda: bool(app.warning))
    assert "SetFit" in app.warning[0].value
    assert figures(app.warning[0].value) == ["0", "1"]  # draw and shots
    assert "Go on" in labels(app)  # cancelled, not failed
    once(lambda: seen == [(1, 0)])


def own_runs(monkeypatch):
    kept = defaultdict(dict)
    monkeypatch.setattr(systems, "_runs_of", kept.__getitem__)


def test_a_training_that_is_cancelled_leaves_what_was_done_and_decides_nothing(monkeypatch):
    monkeypatch.setattr(systems, "text_runs", endless([], done=1))
    own_runs(monkeypatch)  # other tests train in earnest
    app = open_page("compare", **ONE | {"shots": 2}, trained=["SetFit"], trained_draws=3)
    until(app, lambda: "SetFit" in getattr(methods(app), "index", ()))
    press(app, "Cancel")
    until(app, lambda: bool(app.warning))
    assert methods(app)["support sets"].to_dict() == {"Nearest centroid": 10, "SetFit": 1}
    dataset = slp.load_dataset("airline")
    X = slp.load_encoder("minilm-l4").encode(dataset)
    alone = MethodRuns(
        2, dict(vector_runs(slp.NearestCentroidClassifier, dataset, X, 2, range(10)))
    )
    ranking = rank({"Nearest centroid": alone}, "Airline tweets", 2)
    assert app.subheader[0].value == ranking_text(ranking)
    (left_out,) = [
        c.value for c in app.caption if c.value.endswith("SetFit (1 of 3 support sets).")
    ]
    assert figures(left_out) == ["1", "3"]


def waiting():
    """A page that waits for a training."""
    import streamlit as st

    from pages.compare.systems import (
        follow_training,
        offer_other_shots,
        text_systems,
    )
    from pages.session.workspace import Workspace, bundled_dataset, encoder
    from slp_core.methods.table import METHODS

    dataset, seen_by, method = bundled_dataset("airline"), "minilm-l4", METHODS["one_nn"]
    own = Workspace(dataset, encoder(seen_by, None), seen_by, 2, 0, method, {})
    trained, _ = text_systems(own, st.session_state["wanted"], [], 1, None)
    follow_training(trained, st.session_state["at"])
    if trained:
        offer_other_shots(trained, st.session_state["at"])


def test_what_nobody_waits_for_any_more_stops_and_begins_anew_for_who_comes_back(monkeypatch):
    seen = []
    monkeypatch.setattr(systems, "text_runs", endless(seen))
    app = AppTest.from_function(waiting, default_timeout=240)

    def want(shots, *methods):
        app.session_state["wanted"], app.session_state["at"] = list(methods), shots
        app.run()
        assert not app.exception, app.exception
        assert not app.warning
        once(begun)

    want(2, "SetFit")
    want(2, "SetFit")
    assert seen == []
    want(4, "SetFit")
    once(lambda: seen == [(2, 0)])
    want(2, "SetFit")
    once(lambda: seen == [(2, 0), (4, 0)])
    want(2)
    once(lambda: seen == [(2, 0), (4, 0), (2, 0)])
    want(2, "SetFit")
    press(app, "Train with every number of shots")
    once(begun)
    want(2)
    once(lambda: sorted(seen[3:]) == [(1, 0), (2, 0)])


def test_the_numbers_counted_of_a_method_are_of_the_first_of_its_draws(monkeypatch):
    def run(make, dataset, shots, draws, most_query, progress, cancelled):
        for draw in draws:
            scores, nothing = Scores(1.0, 1.0, 0.0, 0, 0.1), np.empty(0, dtype=int)
            lines = Parameters(draw, draw, "")
            yield draw, DrawRun(scores, nothing, nothing, lines), None

    monkeypatch.setattr(systems, "text_runs", run)
    own_runs(monkeypatch)
    seen_by = "minilm-l4"
    dataset, method = slp.load_dataset("airline"), METHODS["one_nn"]
    own = Workspace(dataset, slp.load_encoder(seen_by), seen_by, 2, 5, method, {})
    system = systems.TextSystem(
        "MetaSLP", METHODS["meta_slp"], own, seen_by, "m", most_draws=3, most_query=None
    )
    found = system.run(2, lambda what, done: None, lambda: False)
    for each in (found, system.runs_so_far(2)):
        assert each.draws == (0, 1, 2, 5)  # the sidebar's was run first
        assert each.parameters.trainable == 0


def why_not(title, encoder):
    dataset = slp.load_dataset("airline")
    here = SimpleNamespace(dataset=dataset, encoder=slp.load_encoder(encoder), shots=4)
    return refusal(ON_TEXTS[title], here)


def test_leopard_runs_on_its_own_encoder_alone():
    for encoder in ("minilm-l4", "protonet-minilm-l4"):
        assert "needs an encoder that was meta-trained by it" in why_not("LEOPARD", encoder)
    assert why_not("LEOPARD", "leopard-minilm-l4") == ""
    assert why_not("LEOPARD", "passages-leopard-minilm-l4") == ""
    assert "no layers that can be trained" in why_not("LEOPARD", "tfidf-svd")


def test_all_but_setfit_can_be_trained_by_passage():
    for title in ON_TEXTS.keys() - {"LEOPARD", "SetFit"}:
        assert why_not(title, "passages-metaslp-mean-minilm-l4") == ""
    assert "SetFit reads whole texts" in why_not("SetFit", "passages-minilm-l4")
    with pytest.raises(SLPError, match="SetFit does not work with chunks"):
        SetFitClassifier(encoder="passages-minilm-l4").fit(["rain", "sun"], ["wet", "dry"])


@pytest.fixture
def task_folder(tmp_path):
    """One of LEOPARD's: two classes, 4 shots, two draws."""

    def rows(n, start):
        words = {"bad": "awful", "good": "great"}
        return [
            {"sentence1": f"row {start + i} is {word}", "label": label}
            for i in range(n)
            for label, word in words.items()
        ]

    folder = tmp_path / "airline"
    folder.mkdir()
    (folder / "airline_eval.json").write_text(json.dumps(rows(6, 0)))
    for draw in range(2):
        content = json.dumps(rows(4, 100 * (draw + 1)))
        (folder / f"airline_train_{draw}_4.json").write_text(content)
    return folder


def test_a_task_that_is_run_or_read_anew_stops_what_ran_before(task_folder, monkeypatch):
    seen = []
    monkeypatch.setattr(systems, "text_runs", endless(seen))
    app = open_page("compare", compare="beside the paper")
    app.text_input(key="leopard path").input(str(task_folder))
    press(app, "Read it")
    app.multiselect(key="leopard methods").set_value([])
    for asked in (["SetFit"], ["Fine-tuned encoder"]):
        app.multiselect(key="leopard trained").set_value(asked)
        press(app, "Run")
        once(begun)
    once(lambda: seen == [(4, 0)])
    press(app, "Run")  # the same again goes on
    assert seen == [(4, 0)]
    press(app, "Read it")
    once(lambda: len(seen) == 2)


@pytest.mark.usefixtures("two_epochs")
def test_trained_encoders_are_set_beside_their_counterpart(task_folder):
    folder = task_folder
    app = open_page("compare", compare="beside the paper")
    app.text_input(key="leopard path").input(str(folder))
    press(app, "Read it")
    app.multiselect(key="leopard methods").set_value([])
    app.multiselect(key="leopard trained").set_value(["Fine-tuned encoder"])
    press(app, "Run")
    until(app, lambda: any("outcome" in d.value.columns for d in app.dataframe))
    (row,) = table_with(app, "outcome").to_dict("records")
    assert (row["method"], row["the paper's"]) == ("Fine-tuned encoder", "BERT fine-tuned")
    assert row["n"] == 2
    dataset = slp.read_leopard(folder)

    class OnTexts(slp.FineTunedClassifier):
        """Takes row numbers for rows."""

        def lower_states(self, X):
            X = dataset.examples.take(X[:, 0]) if isinstance(X, np.ndarray) else X
            return super().lower_states(X)

    numbers = np.arange(len(dataset))[:, None]
    ours = 100 * accuracy_over_draws(lambda: OnTexts(epochs=2), dataset, numbers, 4, (0, 1))
    assert row["ours"] == f"{ours.mean():.1f} ± {ours.std(ddof=0):.1f}"
    assert any(ON_TEXTS["Fine-tuned encoder"].effort in c.value for c in app.caption)
