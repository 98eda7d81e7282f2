"""The Compare page, run without a browser."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from driving import open_page, said, until

import slp_core as slp
from pages.compare import contestants
from slp_core.errors import Cancelled
from slp_core.evaluation import compare
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.evaluation.stored import our_results, outcome_counts
from slp_core.markdown import unmarked

MAKE = {
    "constraintSLP": slp.ConstraintSLPClassifier,
    "DeepSLP": slp.DeepSLPClassifier,
    "Nearest centroid": slp.NearestCentroidClassifier,
    "Logistic regression": slp.LogisticRegressionClassifier,
}


def compare_page(text, **settings):
    app = open_page("compare", **settings)
    return until(app, lambda: text in said(app))


def table_with(app, column):
    return next(d.value for d in app.dataframe if column in map(str, d.value.columns))


def vectors(name):
    dataset = slp.load_dataset(name)
    return dataset, slp.load_encoder(dataset.default_encoder).encode(dataset)


@pytest.mark.parametrize(
    ("name", "title", "shots"), [("airline", "Airline tweets", 16), ("wine", "Wine", 4)]
)
def test_accuracies_and_the_sentence_are_those_of_the_draws(name, title, shots):
    app = compare_page("Mean over 10 draws; the band", dataset=title, shots=shots)
    dataset, X = vectors(name)
    accuracy = pd.DataFrame(
        {
            m: accuracy_over_draws(make, dataset, X, shots, range(10)).accuracy
            for m, make in MAKE.items()
        }
    )
    table = table_with(app, "trainable").set_index("method")
    assert (table["draws"] == 10).all()
    np.testing.assert_allclose(table["accuracy"], accuracy.mean()[table.index])
    np.testing.assert_allclose(table["± accuracy"], accuracy.std(ddof=0)[table.index])
    d, K = X.shape[1], len(dataset.classes)
    assert table.loc["Logistic regression", "trainable"] == K * d + K
    best = accuracy.mean().idxmax()
    said = f"{best} is best on {title} at {shots} shots: {accuracy[best].mean():.1%} ± "
    assert app.subheader[0].value.startswith(said)
    assert "over 10 draws" in app.subheader[0].value


def test_the_points_that_a_wins_are_those_the_two_models_differ_on():
    app = compare_page(
        "Who answers alike on draw 3",
        draw=3,
        compared=["Nearest centroid", "constraintSLP, along the line", "1-nearest neighbour"],
        method_a="1-nearest neighbour",
        method_b="constraintSLP, along the line",
    )
    dataset, X = vectors("airline")
    episode = dataset.draw(16, 3)
    y = np.array(dataset.classes)[dataset.y]
    a, b = (
        model.fit(X[episode.support], y[episode.support]).predict(X[episode.query])
        for model in (
            slp.OneNearestNeighbourClassifier(),
            slp.ConstraintSLPClassifier(distance="along_line"),
        )
    )
    true = y[episode.query]
    won = (a == true) & (b != true)
    table = table_with(app, "A")
    assert table["row"].tolist() == episode.query[won].tolist()
    assert table["B"].tolist() == b[won].tolist()
    assert table["text"].iloc[0] == dataset.examples.texts[table["row"].iloc[0]]
    lost = ((b == true) & (a != true)).sum()
    text = said(app)
    assert (
        f"only 1-nearest neighbour is right on {won.sum()} and only constraintSLP, along the line "
        f"on {lost}." in text
    )
    assert f"The {won.sum()} query points on which 1-nearest neighbour is right" in text


def test_a_method_that_draws_lots_is_given_a_seed():
    app = compare_page(
        "Mean over 10 draws", dataset="Wine", shots=2, compared=["DeepSLP, as in the paper"]
    )
    dataset, X = vectors("wine")
    same = accuracy_over_draws(
        lambda: slp.DeepSLPClassifier(preset="paper", random_state=0), dataset, X, 2, range(10)
    )
    assert table_with(app, "trainable")["accuracy"].tolist() == [same.mean]


def test_more_encoders_are_set_beside_or_asked_for():
    app = compare_page(
        "Who answers alike",
        compared=["Nearest centroid"],
        compared_encoders=["TF-IDF and SVD", "MiniLM, last layer"],
        encoder="MiniLM, layer 4",
    )
    table = table_with(app, "trainable")
    assert table["method"].tolist()[:2] == [
        "Nearest centroid (MiniLM, layer 4)",
        "Nearest centroid (TF-IDF and SVD)",
    ]
    asked = [b.label for b in app.button if b.label.startswith("Encode with")]
    assert len(table) + len(asked) == 3


def test_one_method_or_none_is_told():
    app = compare_page("Mean over 10 draws; the band", dataset="Wine", compared=["DeepSLP"])
    assert "Choose a second method" in said(app)
    assert app.subheader[0].value.startswith("DeepSLP on Wine at 16 shots: ")
    app = compare_page("Choose the methods to compare.", dataset="Wine", compared=[])
    assert not app.dataframe


def test_the_paper_has_48_settings_and_wins_are_counted():
    app = compare_page("Run it yourself", compare="beside the paper")
    counts = outcome_counts(compare(our_results().summary)).set_index("method")
    deep = counts[counts["encoder"] == "minilm-l4"].loc["deep_slp"]
    wins = table_with(app, "wins")
    wins = wins[wins["encoder"].str.startswith("MiniLM, layer 4")].set_index("method")
    assert wins.loc["DeepSLP", ["wins", "losses", "ties"]].tolist() == [
        deep["wins"],
        deep["losses"],
        deep["ties"],
    ]
    assert f"{deep['settings']} settings that we ran" in app.subheader[0].value
    assert "our DeepSLP on MiniLM, layer 4 (4 layers, 19M parameters) is" in app.subheader[0].value
    table = next(d.value for d in app.dataframe if d.value.columns.nlevels == 2)
    assert len(table) == 48
    assert {
        "paper: BERT-base (12 layers, 110M parameters)",
        "ours: MiniLM, layer 4 (4 layers, 19M parameters)",
    } <= {encoder for encoder, _ in table.columns}


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
    return folder


def test_a_leopard_folder_is_run_beside_the_paper(tmp_path):
    app = compare_page("Run it yourself", compare="beside the paper")
    app.text_input(key="leopard path").input(str(tmp_path))
    press(app, "Read it")
    assert "no file named <task>_eval.json" in unmarked(app.error[0].value)

    app.text_input(key="leopard path").input(str(write_task(tmp_path / "airline")))
    press(app, "Read it")
    assert "draws: 2 of 4 shots" in said(app)
    app.selectbox(key="leopard encoder").select("TF-IDF and SVD")
    app.multiselect(key="leopard methods").select("Logistic regression")
    press(app, "Run")
    until(app, lambda: any("outcome" in d.value.columns for d in app.dataframe))
    table = table_with(app, "outcome").set_index("method")
    assert (table["n"] == 2).all()
    assert table.loc["DeepSLP", "paper"] == "51.0 ± 4.9"
    assert table.loc["Nearest centroid", "paper"] == "44.2 ± 10.8"  # ProtoNet
    assert table.loc["Logistic regression", "paper"] == "–"
    dataset = slp.read_leopard(tmp_path / "airline")
    X = slp.load_encoder("tfidf-svd").encode(dataset)
    ours = 100 * accuracy_over_draws(slp.DeepSLPClassifier, dataset, X, 4, (0, 1)).accuracy
    assert table.loc["DeepSLP", "ours"] == f"{ours.mean():.1f} ± {ours.std():.1f}"
    assert table.loc["DeepSLP", "outcome"] == ("win" if ours.mean() > 51 else "loss")


def test_uploaded_files_are_read_and_a_bad_one_is_told(tmp_path):
    files = [
        (path.name, path.read_bytes(), "application/json")
        for path in sorted(write_task(tmp_path / "airline").iterdir())
    ]
    app = compare_page("Run it yourself", compare="beside the paper")
    press(app, "Read it")
    assert "Give the path of a folder, or upload" in app.error[0].value
    app.file_uploader(key="leopard files").set_value(files[1:])
    press(app, "Read it")
    assert unmarked(app.error[0].value).startswith("The upload has no file named <task>_eval.json")
    app.file_uploader(key="leopard files").set_value(files)
    press(app, "Read it")
    assert "**Airline (LEOPARD)**: 32 rows, 2 classes; draws: 2 of 4 shots." in said(app)


def test_a_comparison_that_is_cancelled_says_so_and_can_go_on(monkeypatch):
    def endless(*args):
        *_, cancelled, _ = args
        while not cancelled():
            time.sleep(0.01)
        raise Cancelled

    with monkeypatch.context() as patch:
        patch.setattr(contestants, "run_method", endless)
        app = compare_page(
            "Running 1 method over", dataset="Wine", encoder="Raw numbers", compared=["DeepSLP"]
        )
        press(app, "Cancel")
        until(app, lambda: bool(app.warning))
        assert "was cancelled" in app.warning[0].value
    press(app, "Go on")
    until(app, lambda: app.subheader[0].value.startswith("DeepSLP on Wine at 16 shots"))
    assert not app.warning
    assert table_with(app, "trainable")["draws"].tolist() == [10]


def press(app, label):
    next(b for b in app.button if b.label == label).click().run()
    assert not app.exception, app.exception
