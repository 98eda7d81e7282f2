"""Downloads run as they are, state their origin, and are named after it."""

import html
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import numpy as np
import openpyxl
import plotly.graph_objects as go
import pytest
from driving import labels, open_page, press, until

import slp_core as slp
from pages.compare.systems import vector_systems
from pages.session import files
from pages.session.code import fit_again
from pages.session.files import file_name, full_origin, origin, origin_text, with_origin
from pages.session.workspace import Workspace, bundled_dataset, encoder
from pages.shell import report
from pages.widgets.chart import _page
from slp_core.data.edits import Edits
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR
from slp_core.evaluation.draws import arrays_of
from slp_core.markdown import unmarked, without_terms
from slp_core.methods.base import LineClassifier
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.table import METHODS
from slp_core.methods.training import record, train
from slp_core.report.parts import made_report

TODAY, NOON = "2026-01-31", datetime(2026, 1, 31, 12)
TEXTS = [f"{a} {b} is {c}" for a in ("the", "a") for b in ("cat", "dog", "plane") for c in "xyzw"]


@pytest.fixture(autouse=True)
def it_does_not_become_midnight(monkeypatch):
    monkeypatch.setattr(files, "datetime", SimpleNamespace(now=lambda: NOON))


def workspace(dataset, name, method="constraint_slp", shots=4, draw=1, scaled=None, **options):
    made = METHODS[method].base
    fixed = dict(METHODS[method].fixed)
    return Workspace(dataset, encoder(name, scaled), name, shots, draw, made, fixed | options)


def odd_csv(folder):
    """Semicolons, Latin-1, headers that are not guessed, a column that looks like a class."""
    rows = [f"{text} ä;{i % 2};{'gut' if i % 3 else 'schlecht'}" for i, text in enumerate(TEXTS)]
    file = folder / "Umfrage (März).csv"
    file.write_bytes("\n".join(["Äußerung;Gruppe;Gefühl", *rows]).encode("latin-1"))
    return slp.read_dataset(file, kind="text", text="Äußerung", label="Gefühl", split=False)


def second_sheet(folder):
    book = openpyxl.Workbook()
    book.active.append(["nothing", "here"])
    sheet = book.create_sheet("Mess daten")
    sheet.append(["a", "b", "kind"])
    for i, (a, b) in enumerate(np.random.default_rng(0).normal(size=(24, 2)).tolist()):
        sheet.append([a + i % 3, b, "uvw"[i % 3]])
    book.save(folder / "table.xlsx")
    return slp.read_dataset(folder / "table.xlsx", sheet="Mess daten", label="kind")


def airline_file(folder):
    """Called as a bundled dataset is, which it is not; with a phrase and its place."""
    rows = [{"text": text, "mention": text.split()[1], "label": text[-1] in "xy"} for text in TEXTS]
    file = folder / "airline.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return slp.read_dataset(file)


# Every method that has the offer, every kind of data and of encoder; the rest are combinations.
OFFERS = {
    "texts": lambda _: workspace(
        bundled_dataset("airline"), "minilm-l4", "deep_slp_paper", 8, random_state=3
    ),
    "centred texts": lambda _: workspace(
        bundled_dataset("airline"), "minilm-l4", "constraint_slp", scaled="centred_l2"
    ),
    "dimensions": lambda _: workspace(
        bundled_dataset("toy_dimensions", dimension=8), "raw", "constraint_slp_along_line"
    ),
    "checkpoint": lambda _: workspace(
        bundled_dataset("emotions"), "metaslp-reptile-minilm-l4", "deep_slp", epochs=7
    ),
    "numbers": lambda _: workspace(bundled_dataset("iris"), "numeric", "nearest_centroid"),
    "odd csv": lambda folder: workspace(odd_csv(folder), "tfidf-svd", "deep_slp", 2),
    "second sheet": lambda folder: workspace(second_sheet(folder), "numeric", "deep_slp"),
    "a file called airline": lambda folder: workspace(
        airline_file(folder), "minilm-l4", "constraint_slp", 2
    ),
}


# Each script in a namespace of its own: importing the library takes longer than all that they do.
RUNNER = """
import contextlib, io, json, runpy, sys, traceback

printed, scripts = {}, sys.argv[1:]
for script in scripts:
    sys.argv = [script]
    with contextlib.redirect_stdout(io.StringIO()) as told:
        try:
            runpy.run_path(script, run_name="__main__")
        except Exception:
            traceback.print_exc(file=sys.stdout)
    printed[script] = told.getvalue().splitlines()
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def fitted_again(tmp_path_factory):
    """The table of each offer, with what its code prints."""
    tables, scripts = {}, {}
    for offer, make in OFFERS.items():
        folder = tmp_path_factory.mktemp("offer")
        tables[offer] = table = make(folder)
        scripts[offer] = folder / file_name("fit-again", "py", workspace=table)
        scripts[offer].write_text(fit_again(table, table.model), encoding="utf-8")
    printed = run(list(scripts.values()))
    return {offer: (tables[offer], printed[str(script)]) for offer, script in scripts.items()}


@pytest.mark.parametrize("offer", OFFERS)
def test_downloaded_code_runs_from_any_folder_and_fits_the_same(offer, fitted_again):
    table, printed = fitted_again[offer]
    assert printed == [
        f"query examples: {len(table.episode.query)}",
        f"accuracy: {table.predictions.accuracy}",
        "the same data: True",
        "the same to the last bit: True",
    ]


def test_every_method_with_the_offer_is_among_those():
    used = {
        name
        for name, method in METHODS.items()
        if method.reads == "vectors" and issubclass(method.estimator_class, LineClassifier)
    }
    with_file = {file_name("", "", workspace=OFFERS[each](None)) for each in list(OFFERS)[:5]}
    for name in used:
        assert any(f"_{name}_" in each for each in with_file), name


def test_files_are_called_after_what_they_are_of():
    table = workspace(bundled_dataset("toy_abc"), "raw", "constraint_slp_along_line", draw=3)
    for scope, name in {
        "draw": f"errors_A-B-and-C_raw_4-shots_support-set-3_constraint_slp_along_line_{TODAY}.csv",
        "draws": f"errors_A-B-and-C_raw_4-shots_constraint_slp_along_line_{TODAY}.csv",
        "data": f"errors_A-B-and-C_raw_{TODAY}.csv",
        "": f"errors_{TODAY}.csv",
    }.items():
        assert file_name("errors", "csv", scope, table) == name
    edited = replace(table, edits=Edits(removed=(3,)))
    assert "_support-set-3_r3_constraint_slp" in file_name("errors", "csv", workspace=edited)
    assert full_origin(edited)["edits"] == "r3"
    about = origin("draw", table)
    assert "edits" not in about
    assert (about["shots"], about["support set"], about["date"]) == (4, 3, TODAY)
    assert full_origin(table)["draw"] == 3  # as files that are opened again have it
    uploaded = replace(table, encoder_name=f"meta:{CHECKPOINTS_DIR / 'metaslp-mean3-minilm-l4'}")
    assert origin("data", uploaded)["encoder"] == "uploaded+none"
    assert "metaslp" not in file_name("run", "json", workspace=uploaded)


@pytest.mark.parametrize(
    ("name", "scaled", "called"),
    [
        ("minilm-l4", "l2", "minilm-l4"),
        ("minilm-l4", "none", "minilm-l4+none"),
        ("numeric", None, "numeric"),
    ],
)
def test_files_say_how_vectors_are_scaled_where_it_is_not_as_usual(name, scaled, called):
    dataset = bundled_dataset("iris" if name == "numeric" else "airline")
    table = workspace(dataset, name, scaled=scaled)
    assert origin("shots", table)["encoder"] == called
    assert f"_{called}_4-shots_" in file_name("runs", "csv", "shots", table)


FOUR = {"assignment": "prototype", "line_method": "attraction", "n_lines": "all"}


@pytest.mark.parametrize(
    ("method", "options", "told", "named"),
    [
        ("constraint_slp", {"n_lines": "half", "tolerance": 0.1}, "", ""),
        ("constraint_slp", {"n_lines": "all"}, "n_lines=all", "_n_lines-all"),
        ("constraint_slp_along_line", {"n_lines": 1}, "n_lines=1", "_n_lines-1"),
        ("deep_slp_paper", {"random_state": 3}, "random_state=3", "_random_state-3"),
    ],
)
def test_files_say_which_options_are_not_the_methods_own(method, options, told, named):
    table = workspace(bundled_dataset("toy_abc"), "raw", method, **options)
    assert f"_{method}{named}_{TODAY}" in file_name("errors", "csv", workspace=table)
    assert origin("draws", table)["options"] == told
    assert full_origin(table)["options"].items() >= options.items()
    page = _page(go.Figure(), {}, origin_text("draw", table), "").decode()
    assert f"method {method}, {f'options {told}, ' if told else ''}date" in page


def test_long_names_that_begin_alike_are_told_apart():
    tables = [
        workspace(bundled_dataset("toy_abc"), "raw", **FOUR, tolerance=tolerance)
        for tolerance in (0.02, 0.5)
    ]
    names = {file_name("errors", "csv", workspace=table) for table in tables}
    assert len(names) == 2
    assert max(map(len, names)) < 120


def test_a_report_compares_what_the_page_does_and_says_how_vectors_are_scaled(monkeypatch):
    made = []

    def making(*given):
        made.append(made_report(*given))
        return made[-1]

    monkeypatch.setattr(report, "made_report", making)
    asked = {
        "dataset": "Product reviews", "shots": 2, "normalisation": "none",
        "compared": ["Nearest centroid", "1-nearest neighbour"],
        "compared_encoders": ["MetaSLP (Reptile) on MiniLM, layer 4"],
    }  # fmt: skip
    app = open_page("compare", folded=True, share=True, **asked)
    until(app, lambda: "Product reviews" in app.subheader[0].value)
    until(press(app, "Make the report"), lambda: made)
    words = html.unescape(" ".join(made[0][: made[0].index("application/json")].split()))
    table = words[words.index("Accuracy, parameters and fit time") :]
    for method in ("Nearest centroid", "1-nearest neighbour"):
        for through in ("MiniLM, layer 4", "MetaSLP (Reptile) on MiniLM, layer 4"):
            assert f"{method} ({through})" in re.sub("<.*?>", "", table)
    assert unmarked(app.subheader[0].value) in re.sub("<.*?>", "", words)
    assert "<dt>normalisation</dt><dd>none</dd>" in words


def test_the_report_of_explore_has_its_example_and_its_held_out_fidelity(monkeypatch):
    made = []

    def making(subject, *given):
        made.append((subject, made_report(subject, *given)))
        return made[-1][1]

    monkeypatch.setattr(report, "made_report", making)
    app = open_page("explore", folded=True, share=True, projection="PCA")
    shown_row = app.session_state["point_shown"]
    until(press(app, "Make the report"), lambda: made)
    ((subject, page),) = made
    assert subject.row == shown_row
    assert f"<h2>Example {shown_row}</h2>" in page
    assert "Methods compared" not in page
    workspace_ = app.session_state["workspace"]
    judged = workspace_.start_judging()
    until(app, lambda: judged.ready)
    held_out = judged.result["pca", "plane"]
    assert f"{held_out.overall:.0%}" in subject.map_text


INVITATION = " Change a soft label to move the regions."


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("teach", {}),
        ("train", {}),
        ("train", {"method": "constraintSLP"}),
        ("explain", {"method": "Nearest centroid"}),  # the page shows constraintSLP
        ("soft_labels", {"hand_made_shares": [[0, 0, 0, 0.2]]}),
        ("ensemble", {"method": "Nearest centroid"}),  # and here DeepSLP
        ("compare", {"compare": "beside the paper"}),
        ("encoders", {}),
    ],
)
def test_a_report_says_what_its_page_says(page, asked, monkeypatch):
    made = []

    def making(*given):
        made.append(made_report(*given))
        return made[-1]

    monkeypatch.setattr(report, "made_report", making)
    app = open_page(page, folded=True, share=True, shots=4, **asked)
    until(app, lambda: "Make the report" in labels(app) and app.subheader)
    until(press(app, "Make the report"), lambda: made)
    text = re.sub("<.*?>", "", made[0][: made[0].index("application/json")])
    words = html.unescape(" ".join(text.split()))
    sentence = " ".join(unmarked(without_terms(app.subheader[0].value)).split())
    assert sentence.removesuffix(INVITATION) in words
    assert INVITATION not in words  # nothing moves on paper
    figures = {"train": 3, "ensemble": 3}  # with the landscape; with the selected example's bars
    assert made[0].count("<figure") == figures.get(page, made[0].count("<figure"))
    assert ("Newly correct: " in words) == (page == "encoders")


def test_the_record_says_where_it_comes_from_and_has_no_null():
    table = workspace(bundled_dataset("toy_abc"), "raw", "deep_slp")
    data = arrays_of(table.episode, table.X)
    made = json.loads(json.dumps(record(train(table.model, *data), **full_origin(table))))
    assert {"dataset", "digest", "encoder", "normalisation", "shots", "draw"} <= made.keys()
    assert (made["encoder"], made["normalisation"]) == ("raw", "none")
    assert None not in [*made.values(), *made["settings"].values(), *made["options"].values()]


def test_prototypes_with_their_origin_read_as_before():
    table = workspace(bundled_dataset("toy_abc"), "raw")
    edited = EditedPrototypes.of(table.model, table.model.soft_labels_)
    text = with_origin(edited.to_json(), table)
    assert json.loads(text)["about"]["draw"] == 1
    again = EditedPrototypes.from_json(text)
    assert again.to_json() == edited.to_json()


def run(scripts):
    """What scripts print in a process where nothing is on the way to the library."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, *map(str, scripts)],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_results_say_what_the_sidebar_sets_of_a_method():
    table = workspace(slp.load_dataset("wine"), "numeric", assignment="prototype", n_lines=1)
    found = vector_systems(table, [METHODS["constraint_slp"], METHODS["deep_slp"]], [])
    assert [each.file_name for each in found] == [
        "constraint_slp assignment=prototype, n_lines=1",
        "deep_slp assignment=prototype, n_lines=1",
    ]


def test_of_several_encoders_only_what_they_share_is_named():
    data = slp.load_dataset("airline")
    two = [workspace(data, "minilm-l4"), workspace(data, "tfidf-svd")]
    assert file_name("runs", "csv", "data", two) == f"runs_Airline-tweets_{TODAY}.csv"
    assert origin("shots", two) == {"dataset": data.title, "shots": 4, "date": TODAY}
    assert origin("data", two[:1]) == origin("data", two[0])
