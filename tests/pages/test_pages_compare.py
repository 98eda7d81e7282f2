"""The Compare page, run without a browser."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from driving import (
    charts,
    figures,
    fitted,
    labels,
    open_page,
    press,
    said,
    saved_as,
    shown,
    table_with,
    told_aside,
    until,
    vectors,
    widget,
)

import slp_core as slp
from pages.compare import systems
from pages.session import settings as session_settings
from pages.session.text import method_set_text
from slp_core.data.edits import Edits
from slp_core.errors import Cancelled, SLPError
from slp_core.evaluation.comparison import rank
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.evaluation.method_runs import MethodRuns, vector_runs
from slp_core.evaluation.paper import compare, compare_methods, our_results, outcome_counts
from slp_core.evaluation.text import published_text, ranking_text
from slp_core.explain.difference import Difference, mcnemar_text, won_text
from slp_core.markdown import unmarked

MAKE = {
    "constraintSLP": slp.ConstraintSLPClassifier,
    "DeepSLP": slp.DeepSLPClassifier,
    "Nearest centroid": slp.NearestCentroidClassifier,
    "Logistic regression": slp.LogisticRegressionClassifier,
}


def compare_page(**settings):
    """All methods have run, with this number of shots."""
    app = open_page("compare", unfolded=["open_points", "open_costs"], **settings)
    return until(app, lambda: "runs" in charts(app))


def paper_page():
    app = open_page("compare", compare="beside the paper")
    return until(app, lambda: "leopard path" in [box.key for box in app.text_input])


def test_accuracies_are_those_of_the_draws_and_the_sentence_is_that_of_the_ranking():
    app = open_page("compare", dataset="Iris flowers", shots=4)
    until(app, lambda: "accuracy by shots" in charts(app))
    dataset, X = vectors("iris")
    runs = {
        m: MethodRuns(4, dict(vector_runs(make, dataset, X, 4, range(10))))
        for m, make in MAKE.items()
    }
    accuracy = pd.DataFrame({m: run.accuracy for m, run in runs.items()})
    table = table_with(app, "trainable").set_index("method")
    assert (table["support sets"] == 10).all()
    np.testing.assert_allclose(table["accuracy"], accuracy.mean()[table.index])
    np.testing.assert_allclose(table["± accuracy"], accuracy.std(ddof=0)[table.index])
    d, K = dataset.examples.features.shape[1], len(dataset.classes)
    assert table.loc["Logistic regression", "trainable"] == K * d + K
    ranking = rank(runs, "Iris flowers", 4)
    assert ranking.draws == tuple(range(10))
    assert accuracy.mean()[ranking.names[0]] == accuracy.mean().max()
    assert app.subheader[0].value == ranking_text(ranking)
    widget(app.selectbox, "method_a").select("constraintSLP").run()
    assert ("paired differences" in charts(app), "agreement" in charts(app)) == (False, True)


def test_the_examples_that_a_wins_are_those_on_which_only_a_is_correct():
    app = compare_page(
        draw=3,
        compared=[
            "Nearest centroid",
            "constraintSLP, projected onto the line",
            "1-nearest neighbour",
        ],
        method_a="1-nearest neighbour",
        method_b="constraintSLP, projected onto the line",
    )
    models = slp.OneNearestNeighbourClassifier(), slp.ConstraintSLPClassifier(distance="along_line")
    data = [fitted(model, draw=3) for model in models]
    dataset, episode = data[0].dataset, data[0].episode
    a, b = (each.model.predict(each.query) for each in data)
    true = np.array(dataset.classes)[episode.y_query]
    won, names = (
        (a == true) & (b != true),
        ("1-nearest neighbour", "constraintSLP, projected onto the line"),
    )
    table = table_with(app, names[1])
    assert table["row"].tolist() == episode.query[won].tolist()
    assert table[names[1]].tolist() == b[won].tolist()
    assert table["text"].iloc[0] == dataset.examples.texts[table["row"].iloc[0]]
    text = said(app)
    split = Difference.of(names, dataset.classes, episode.query, true, a, b)
    assert mcnemar_text(split) in text
    assert f"**{won_text(split)}**" in text
    files = saved_as(app)  # named after the method shown, not the sidebar's
    assert "_one_nn_" in files["confusion A"]
    assert "_constraint_slp_along_line_" in files["confusion B"]
    assert "_16-shots_support-set-3_" in files["agreement"]
    assert "_16-shots_" in files["paired differences"]
    assert "draw" not in files["paired differences"]
    first, other = int(episode.support[0]), int(episode.query[0])
    app.session_state["edits"] = Edits(removed=(first,), added=(other,))
    app.run()
    assert "Support sets as drawn, without your edits." in said(app)
    assert table_with(app, names[1])["row"].tolist() == table["row"].tolist()


def test_explain_says_that_the_method_was_set_until_another_is_chosen():
    app = open_page("explain", method="DeepSLP", method_left=("1-NN", "DeepSLP", "DeepSLP"))
    shown(app)
    told = method_set_text("1-NN", "DeepSLP")
    assert [note for note in told_aside(app) if told in note]
    widget(app.selectbox, "method").select("constraintSLP").run()
    assert told not in shown(app)


def test_a_stochastic_method_is_given_a_seed():
    app = compare_page(dataset="Wine", shots=2, compared=["DeepSLP, as in the paper"])
    dataset, X = vectors("wine")
    same = accuracy_over_draws(
        lambda: slp.DeepSLPClassifier(preset="paper", random_state=0), dataset, X, 2, range(10)
    )
    assert table_with(app, "trainable")["accuracy"].tolist() == [same.mean()]


def test_more_encoders_are_set_beside_or_asked_for():
    app = compare_page(
        compared=["Nearest centroid"],
        compared_encoders=["TF-IDF and SVD", "MiniLM, last layer"],
        encoder="MiniLM, layer 4",
    )
    table = table_with(app, "trainable")
    assert table["method"].tolist()[:2] == [
        "Nearest centroid (MiniLM, layer 4)",
        "Nearest centroid (TF-IDF and SVD)",
    ]
    asked = [label for label in labels(app) if label.startswith("Encode with")]
    assert len(table) + len(asked) == 3
    of_two = [name for name in saved_as(app).values() if not name.startswith("confusion")]
    assert not [name for name in of_two if "minilm" in name]  # they are of TF-IDF as well
    through = open_page("compare", compared=["Nearest centroid"], encoder="MiniLM, layer 4")
    assert all("minilm-l4" in name for name in saved_as(through).values())


def test_one_method_or_none_is_told():
    app = compare_page(dataset="Wine", compared=["DeepSLP"])
    shown(app)
    assert len(told_aside(app)) == 1
    assert not {"paired differences", "agreement"} & set(charts(app))
    runs = {
        "DeepSLP": MethodRuns(
            16, dict(vector_runs(slp.DeepSLPClassifier, *vectors("wine"), 16, range(10)))
        )
    }
    assert app.subheader[0].value == ranking_text(rank(runs, "Wine", 16))
    app = open_page("compare", dataset="Wine", compared=[])
    shown(app)
    (told,) = app.subheader
    assert not figures(told.value)
    assert not app.dataframe
    assert not charts(app)
    assert "Cancel" not in labels(app)


def test_beside_the_paper_stands_one_method_until_others_are_asked_for():
    app = paper_page()
    counts = outcome_counts(compare(our_results().summary)).set_index(["encoder", "method"])
    outcomes = ["wins", "losses", "ties"]
    deep = counts.loc[("minilm-l4", "deep_slp")]
    wins = table_with(app, "wins")
    assert wins[["method", *outcomes]].values.tolist() == [["DeepSLP", *deep[outcomes]]]
    main = "method == 'deep_slp' and encoder == 'minilm-l4'"
    comparison = compare(our_results().summary.query(main))
    assert app.subheader[0].value == published_text(comparison, True)
    table = all_settings(app)
    assert len(table) == 48
    assert {encoder for encoder, _ in table.columns} == {
        "paper: BERT-base (12 layers, 110M parameters)",
        "ours: MiniLM, layer 4 (4 layers, 19M parameters)",
    }

    widget(app.selectbox, "our_method").select("MetaSLP").run()
    shown(app)
    meta = counts.xs("meta_slp", level="method")
    wins = table_with(app, "wins")
    assert sorted(wins[outcomes].values.tolist()) == sorted(meta[outcomes].values.tolist())
    widget(app.selectbox, "our_method").select("every one").run()
    widget(app.selectbox, "our_encoder").select("every one").run()
    shown(app)
    wins = table_with(app, "wins")
    assert len(wins) == len(counts)
    assert wins["encoder"].is_monotonic_increasing  # an encoder's rows stand together
    ours = [column for column in all_settings(app).columns if column[0].startswith("ours")]
    summary = our_results().summary
    assert len(ours) == len(summary[["encoder", "method"]].drop_duplicates())


def computed_again(app):
    """What the code for the view computes of the published results."""
    script, names = app.session_state[session_settings.CODE.key][0](), {"numbers": {}}
    body = script[script.index("from slp_core.evaluation") : script.rindex("\nfor name, value")]
    exec(body, names)
    return [list(each.values())[:3] for each in names["numbers"].values()]


@pytest.mark.parametrize(
    "chosen",
    [{}, {"our_method": "every one"}, {"against": "MetaSLP-Reptile"}, {"same_encoder": True}],
)
def test_the_code_for_published_results_is_of_what_is_chosen(chosen):
    app = open_page("compare", compare="beside the paper", unfolded=["open_outcomes"], **chosen)
    shown(app)
    outcomes = table_with(app, "wins")[["wins", "losses", "ties"]].values.tolist()
    assert sorted(computed_again(app)) == sorted(outcomes)


def test_the_same_encoder_only_compares_two_of_our_methods():
    app = open_page("compare", compare="beside the paper", same_encoder=True, folded=True)
    shown(app)
    rows = our_results().summary.query("encoder == 'minilm-l4'")
    comparison = compare_methods(rows.query("method in ('deep_slp', 'lora')"), "lora")
    widget(app.selectbox, "other_method").select("LoRA").run()
    assert app.subheader[0].value == published_text(comparison, False)
    assert "against the paper" in charts(app)
    assert not app.dataframe  # what is folded is not computed


def all_settings(app):
    return next(d.value for d in app.dataframe if d.value.columns.nlevels == 2)


def write_task(folder):
    words = {"bad": ["awful", "broken", "late"], "good": ["fine", "great", "kind"]}

    def rows(n, start):
        return [
            {"sentence1": f"row {start + i} {words[label][i % 3]} thing", "label": label}
            for i in range(n)
            for label in words
        ]

    folder.mkdir()
    (folder / "airline_eval.json").write_text(json.dumps(rows(8, 0)))
    for draw in range(2):
        content = json.dumps(rows(4, 100 * (draw + 1)))
        (folder / f"airline_train_{draw}_4.json").write_text(content)
    for draw, n in enumerate((8, 0)):  # LEOPARD's files have draws without rows
        content = json.dumps(rows(n, 500))
        (folder / f"airline_train_{draw}_8.json").write_text(content)
    return folder


def refused(folder):
    """What the library says of a folder that is no task."""
    with pytest.raises(SLPError) as told:
        slp.read_leopard(folder)
    return str(told.value)


def read_task(app):
    """The numbers of rows and classes of the task, and of draws and shots, twice."""
    (told,) = [m.value for m in app.markdown if "Airline (LEOPARD)" in m.value]
    return figures(told)


def test_a_leopard_folder_is_run_beside_the_paper(tmp_path):
    app = paper_page()
    app.text_input(key="leopard path").input(str(tmp_path))
    press(app, "Read it")
    assert unmarked(app.error[0].value) == refused(tmp_path)

    app.text_input(key="leopard path").input(str(write_task(tmp_path / "airline")))
    press(app, "Read it")
    assert read_task(app) == ["48", "2", "2", "4", "1", "8"]
    app.selectbox(key="leopard encoder").select("TF-IDF of words and characters")
    app.multiselect(key="leopard methods").select("Logistic regression")
    press(app, "Run")
    until(app, lambda: any("outcome" in d.value.columns for d in app.dataframe))
    table = table_with(app, "outcome").set_index("method")
    assert set(zip(table["shots"], table["n"], strict=True)) == {(4, 2), (8, 1)}
    table = table[table["shots"] == 4]
    assert table.loc["DeepSLP", "paper"] == "51.0 ± 4.9"
    assert table.loc["Nearest centroid", "paper"] == "44.2 ± 10.8"  # ProtoNet
    assert table.loc["Logistic regression", "paper"] == "–"
    dataset = slp.read_leopard(tmp_path / "airline")
    X = slp.load_encoder("tfidf-char").encode(dataset)
    ours = 100 * accuracy_over_draws(slp.DeepSLPClassifier, dataset, X, 4, (0, 1))
    assert table.loc["DeepSLP", "ours"] == f"{ours.mean():.1f} ± {ours.std(ddof=0):.1f}"
    assert table.loc["DeepSLP", "outcome"] == ("win" if ours.mean() > 51 else "loss")


def test_uploaded_files_are_read_and_a_bad_one_is_told(tmp_path):
    folder = write_task(tmp_path / "airline")
    files = [
        (path.name, path.read_bytes(), "application/json") for path in sorted(folder.iterdir())
    ]
    app = paper_page()
    press(app, "Read it")
    assert len(app.error) == 1  # nothing was given
    app.file_uploader(key="leopard files").set_value(files[1:])
    press(app, "Read it")
    (folder / files[0][0]).unlink()
    told = refused(folder).replace(str(folder), "The upload")
    assert told.startswith("The upload")
    assert unmarked(app.error[0].value) == told
    app.file_uploader(key="leopard files").set_value(files)
    press(app, "Read it")
    assert not app.error
    assert read_task(app) == ["48", "2", "2", "4", "1", "8"]


def test_a_comparison_that_is_cancelled_says_so_and_can_go_on(monkeypatch):
    def endless(*args):
        *_, cancelled, _ = args
        while not cancelled():
            time.sleep(0.01)
        raise Cancelled

    with monkeypatch.context() as patch:
        patch.setattr(systems, "vector_runs", endless)
        app = open_page("compare", dataset="Wine", encoder="Raw numbers", compared=["DeepSLP"])
        until(app, lambda: "Cancel" in labels(app))
        press(app, "Cancel")
        until(app, lambda: bool(app.warning))
        assert len(app.warning) == 1
        assert {"Go on"} == {"Go on", "Try again"} & set(labels(app))  # stopped, not failed
        assert "runs" not in charts(app)
    press(app, "Go on")
    until(app, lambda: "runs" in charts(app))
    runs = MethodRuns(
        16, dict(vector_runs(slp.DeepSLPClassifier, *vectors("wine", "raw"), 16, range(10)))
    )
    assert app.subheader[0].value == ranking_text(rank({"DeepSLP": runs}, "Wine", 16))
    assert not app.warning
    assert table_with(app, "trainable")["support sets"].tolist() == [10]


def test_a_leopard_folder_is_read_apart_from_the_server(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("pages.compare.published.read_leopard", lambda *_: pytest.fail("read here"))
    monkeypatch.setattr(
        "pages.session.reading.read_apart",
        lambda function, *args, name, cancelled: asked.append((args, name)) or some_task(),
    )
    app = paper_page()
    app.text_input(key="leopard path").input(str(tmp_path))
    press(app, "Read it")
    assert asked == [((tmp_path,), str(tmp_path))]


def some_task():
    return slp.load_dataset("airline")
