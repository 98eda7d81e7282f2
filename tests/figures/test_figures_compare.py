"""The Compare page's figures show the runs that they are given."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from slp_core.evaluation.comparison import agreement, class_f1, paired_difference
from slp_core.evaluation.method_runs import DrawRun, MethodRuns
from slp_core.evaluation.paper import compare, encoder_title, method_title, our_results
from slp_core.evaluation.results import Scores
from slp_core.figures.compare_draws import DrawsDisplay, PairedDisplay, RunsDisplay
from slp_core.figures.compare_methods import AgreementDisplay, ClassF1Display, ShotsDisplay
from slp_core.figures.compare_paper import AgainstPaperDisplay
from slp_core.figures.style.theme import DARK, LIGHT, class_style

NAMES = ("A <b>", "Nearest centroid", "1-NN")
STYLES = {name: i for i, name in enumerate(NAMES)}


def made(shots=4, n=5, m=12, seed=0):
    """Three methods' runs, the last without the last draw."""
    rng = np.random.default_rng(seed)
    found = {}
    for name in NAMES:
        each = {}
        for draw in range(n - (name == "1-NN")):
            true, predicted = rng.integers(0, 3, m), rng.integers(0, 3, m)
            scores = Scores(float((true == predicted).mean()), 0.5, 1.0, m, 0.1)
            each[draw] = DrawRun(scores, true, predicted, None)
        found[name] = MethodRuns(shots, each)
    return found


def markers(figure):
    return [t for t in figure.data if t.type == "scatter" and t.mode == "markers"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_run_is_a_mark_and_each_draw_a_thread(theme):
    runs = made()
    display = RunsDisplay(runs, STYLES)
    figure = display.figure(theme)
    order = sorted(runs, key=lambda name: -runs[name].accuracy.mean())
    for row, (trace, name) in enumerate(zip(markers(figure), order, strict=True)):
        found = runs[name]
        np.testing.assert_allclose(trace.x, 100 * found.accuracy, rtol=1e-6)
        np.testing.assert_array_equal(trace.customdata, found.draws)
        assert (np.abs(np.array(trace.y) - row) < 0.5).all()
        assert trace.marker.color == class_style(STYLES[name], theme).color
        mean, std = 100 * found.accuracy.mean(), 100 * found.accuracy.std()
        assert f"<b>{mean:.1f}%</b> ± {std:.1f}" in figure.layout.yaxis.ticktext[row]
    threads = figure.data[0]
    assert np.isnan(threads.x).sum() == 5
    assert np.isfinite(threads.x).sum() == 5 + 5 + 4
    low, high = figure.layout.xaxis.range
    assert low < min(100 * f.accuracy.min() for f in runs.values())
    assert high > max(100 * f.accuracy.max() for f in runs.values())
    assert "A &lt;b&gt;" in figure.layout.yaxis.ticktext[order.index("A <b>")]
    assert len(display.table()) == 14
    assert {"support set", "accuracy"} <= {*display.table()} - {"draw"}
    one = RunsDisplay(made(n=2), STYLES).figure(theme)  # 1-NN has one draw, and so no deviation
    labels = one.layout.yaxis.ticktext
    assert [label.split("<")[0] for label in labels if "±" not in label] == ["1-NN"]
    assert len([shape for shape in one.layout.shapes if shape.type == "rect"]) == 2


def test_a_pairs_marks_are_its_differences():
    runs = made()
    found = paired_difference(NAMES[0], NAMES[2], runs[NAMES[0]], runs[NAMES[2]])
    figure = PairedDisplay(found).figure()
    shown = {y: x for t in figure.data for x, y in zip(t.x, t.y, strict=True)}
    assert shown == pytest.approx(dict(enumerate(100 * found.difference)), rel=1e-5)
    band = next(s for s in figure.layout.shapes if s.type == "rect")
    assert (band.x0, band.x1) == pytest.approx([100 * end for end in found.ends])
    table = PairedDisplay(found).table()
    np.testing.assert_array_equal(table["difference"], found.difference)
    assert set(zip(table["A"], table["B"], strict=True)) == {(found.a, found.b)}
    level = replace(found, difference=np.array([0.2, 0.0, -1e-17, -0.1]))
    ahead, behind, neither = PairedDisplay(level).figure().data
    assert [list(t.y) for t in (ahead, behind, neither)] == [[0], [3], [1, 2]]
    assert len({t.marker.color for t in (ahead, behind, neither)}) == 3
    gaps = MethodRuns(4, dict(zip((0, 2, 7, 8, 9), runs[NAMES[0]].by_draw.values(), strict=True)))
    figure = PairedDisplay(paired_difference("A", "B", gaps, gaps)).figure()
    assert list(figure.layout.yaxis.ticktext) == ["0", "2", "7", "8", "9"]
    one = paired_difference("A", "B", made(n=2)[NAMES[2]], made(n=2, seed=1)[NAMES[2]])
    assert not [s for s in PairedDisplay(one).figure().layout.shapes if s.type == "rect"]


def test_lines_by_shots_pass_through_the_means():
    series = {name: [made(n)[name] for n in (1, 4, 16)] for name in NAMES}
    display = ShotsDisplay(series, STYLES)
    figure = display.figure()
    lines = [t for t in figure.data if t.mode == "lines+markers"]
    for line, name in zip(lines, NAMES, strict=True):
        np.testing.assert_allclose(
            line.y, [100 * f.accuracy.mean() for f in series[name]], rtol=1e-6
        )
    assert list(figure.layout.xaxis.ticktext) == ["1", "4", "16"]
    table = display.table()
    assert table["support sets"].tolist() == [5, 5, 5, 5, 5, 5, 4, 4, 4]
    assert display.caption().startswith("Mean ± SD over 4 to 5 support sets. ")
    assert {t.line.dash for t in lines} == {"solid"}
    series[NAMES[0]] = series[NAMES[0]][1:2]
    alone = ShotsDisplay({NAMES[0]: series[NAMES[0]]}, STYLES)
    for shown in (ShotsDisplay(series, STYLES), alone):
        first, *_ = shown.figure().data
        std = 100 * series[NAMES[0]][0].accuracy.std()
        np.testing.assert_allclose(first.error_y.array, [std])


def perfect(shots, right=(1.0, 1.0, 0.6)):
    """Of every method the same runs, nearly all right."""
    nothing = np.empty(0, dtype=int)
    each = [DrawRun(Scores(a, a, 1.0, 5, 0.1), nothing, nothing, None) for a in right]
    return dict.fromkeys(NAMES, MethodRuns(shots, dict(enumerate(each))))


def test_nothing_is_drawn_beyond_all_or_nothing_and_level_methods_stand_apart():
    bars = RunsDisplay(perfect(4), STYLES)
    bands = [s for s in bars.figure().layout.shapes if s.type == "rect"]
    assert [s.x1 for s in bands] == [100, 100, 100]
    for shots in ((4,), (1, 4)):
        series = {name: [perfect(n)[name] for n in shots] for name in NAMES}
        figure = ShotsDisplay(series, STYLES).figure()
        *others, low, high = [*(t.y for t in figure.data if t.fill), *figure.layout.yaxis.range]
        assert low < 80
        assert 100 < high < 102
        assert all(max(y) == 100 for y in others)
        lines = [t for t in figure.data if t.mode == "lines+markers"]
        assert len({t.x[0] for t in lines}) == 3
        assert [t.line.dash for t in lines] == ["solid", "dash", "dash"]
        ends = [t.y + t.error_y.array for t in lines if t.error_y.array is not None]
        assert np.max(ends, initial=0) <= 100.001
    same = ShotsDisplay({"1-NN": [perfect(4, (1.0, 1.0))["1-NN"]]}, STYLES).figure()
    assert same.layout.yaxis.range[1] < 100.2
    f1 = {"1-NN": np.array([[1.0, 0.0], [1.0, 0.0], [0.6, 0.4]])}
    (marks,) = ClassF1Display(f1, ["x", "y"], STYLES).figure().data
    assert (marks.x + marks.error_x.array).max() <= 1.0001
    assert (marks.x - marks.error_x.arrayminus).min() >= -0.0001
    spread = DrawsDisplay(pd.Series([1.0, 1.0, 0.6]))
    band = next(s for s in spread.figure().layout.shapes if s.type == "rect")
    assert band.y1 == 100


def test_f1_and_agreement_are_shown_as_counted():
    runs = made()
    f1 = {name: class_f1(found, 3) for name, found in runs.items()}
    display = ClassF1Display(f1, ["x", "y", "z"], STYLES)
    figure = display.figure()
    for trace, values in zip(figure.data, f1.values(), strict=True):
        np.testing.assert_allclose(trace.x, values.mean(axis=0), rtol=1e-6)
        mean, std = values.mean(axis=0), values.std(axis=0)
        np.testing.assert_allclose(trace.error_x.array, np.minimum(std, 1 - mean))
        np.testing.assert_allclose(trace.error_x.arrayminus, np.minimum(std, mean))
    assert len(display.table()) == 9
    same = agreement([found.by_draw[2].predicted for found in runs.values()])
    agreeing = AgreementDisplay(same, NAMES)
    heat = agreeing.figure().data[0]
    assert f">{same[0, 1]:.0%}<" in heat.text[0][1]
    assert np.isnan(np.diag(heat.z)).all()
    table = agreeing.table()
    assert table["same_prediction"].tolist() == [same[0, 1], same[0, 2], same[1, 2]]


def test_ours_are_set_against_the_papers_setting_by_setting():
    comparison = compare(our_results().summary)
    names = list(comparison["method"].unique())
    display = AgainstPaperDisplay(comparison)
    figure = display.figure()
    marks = [t for t in figure.data if not np.isnan(t.x[0])]
    for trace, name in zip(marks, names, strict=True):
        rows = comparison[comparison["method"] == name]
        np.testing.assert_allclose(trace.x, rows["paper_mean"], rtol=1e-6)
        np.testing.assert_allclose(trace.y, rows["accuracy_mean"], rtol=1e-6)
        of_task = dict(zip(rows["task"], trace.marker.symbol, strict=True))
        assert [of_task[task] for task in rows["task"]] == list(trace.marker.symbol)
        assert len(set(of_task.values())) == rows["task"].nunique()
        for told, encoder in zip(trace.hovertext, rows["encoder"], strict=True):
            assert f"on {encoder_title(encoder)}<br>the paper's " in told
    keys = [t.name for t in figure.data if np.isnan(t.x[0])]
    assert set(keys) == {*map(method_title, names), *comparison["task"]}
    alone = comparison[comparison["method"] == names[0]]
    figure = AgainstPaperDisplay(alone).figure()
    assert {t.name for t in figure.data if np.isnan(t.x[0])} == set(alone["task"])
    assert len(display.table()) == len(comparison)


def test_figures_say_what_they_show():
    runs = {name: run.only((0, 1)) for name, run in made(n=2).items() if name != "1-NN"}
    a, b = (f"{run.accuracy.mean():.1%}" for run in runs.values())
    assert RunsDisplay(runs, STYLES).sentence() in {
        f"Mean accuracy over 2 support sets: A \\<b> {a} and nearest centroid {b}.",
        f"Mean accuracy over 2 support sets: nearest centroid {b} and A \\<b> {a}.",
    }
    assert RunsDisplay(runs, STYLES).caption() == (
        "One dot per support set. Mean ± SD over 2 support sets. Lines join the same support set."
    )
    shots = ShotsDisplay({name: [perfect(4)[name]] for name in NAMES[:2]}, STYLES)
    assert shots.sentence() == "Mean accuracy of 2 methods; shots per class: 4."
    assert shots.caption() == (
        "Mean ± SD over 3 support sets. Dashed: nearest centroid coincides with A \\<b>."
    )
    alike = ShotsDisplay({name: [perfect(4)["1-NN"]] for name in "pqr"}, {})
    assert alike.caption().endswith("Dashed: q and r coincide with p.")
    f1 = {"A": np.array([[0.2, 0.4], [0.4, 0.4]]), "B": np.array([[1.0, 0.5]])}
    assert ClassF1Display(f1, ["x", "y"], STYLES).sentence() == (
        "Mean F1 of 2 classes by 2 methods: 0.30 to 1.00."
    )
    same = np.array([[1, 0.5, 0.999], [0.5, 1, 0.7], [0.999, 0.7, 1]])
    assert AgreementDisplay(same, NAMES).sentence() == (
        "Any two of 3 methods make the same prediction on 50% to 99.9% of the query examples."
    )
    comparison = compare(our_results().summary.query("method == 'deep_slp'"))
    wins = (comparison["outcome"] == "win").sum()
    shown = AgainstPaperDisplay(comparison).sentence()
    assert shown.startswith("Our accuracy against the paper's in 18 settings, ")
    assert f"above the diagonal ours is higher: {wins} wins, " in shown
