"""Teach: edits have the effects that the library computes, and a task can be built from nothing."""

import json
import threading

import numpy as np
import pytest
from driving import (
    charts,
    chosen,
    fitted,
    link,
    open_page,
    press,
    said,
    shown,
    type_texts,
    until,
    widget,
)

import slp_core as slp
from pages.session import settings
from pages.session.code import script
from pages.session.files import WORKSPACE
from pages.session.workspace import Workspace
from slp_core.data import typed_shots
from slp_core.data.own_examples import CLASSES, IDEAS, TITLE, OwnExamples
from slp_core.data.typed_shots import typed_beside
from slp_core.encoders import Encoder
from slp_core.evaluation.draws import arrays_of
from slp_core.evaluation.shot_experiments import experiment
from slp_core.evaluation.shot_search import best_swap
from slp_core.evaluation.text import experiment_text, swap_text
from slp_core.explain.misleading import misleading_shots
from slp_core.explain.shots import read_shots
from slp_core.explain.text import check_label_text, misleading_text
from slp_core.methods.table import METHODS

CATS = ["I love my cat.", "My kitten sleeps all day.", "The cat purrs on my lap."]
SPACE = ["The rocket flew to the moon.", "Astronauts walk in space.", "We orbit the earth."]


def influence_is_there(app):
    return until(app, lambda: "Removing one changes" in said(app))


def accuracy_without(removed, method="nearest_centroid", shots=4):
    here = fitted(METHODS[method].make(), shots=shots)
    episode = here.episode.edited(remove=removed)
    names = np.array(here.dataset.classes)
    model = METHODS[method].make().fit(here.X[episode.support], names[episode.y_support])
    return model.score(here.X[episode.query], names[episode.y_query])


def test_an_edit_is_what_the_library_says_and_is_undone_and_done_again():
    app = open_page("teach", folded=True, shots=4, method="Nearest centroid")
    influence_is_there(app)
    here = fitted(slp.NearestCentroidClassifier(), shots=4)
    names = np.array(here.dataset.classes)
    rows, X = here.episode, here.X
    given = (X[rows.support], names[rows.y_support], X[rows.query], names[rows.y_query])
    found = read_shots(slp.NearestCentroidClassifier(), *given)
    worst = int(rows.support[found.order[0]])
    whole, without = accuracy_without([]), accuracy_without([worst])
    change = int(found.changed[found.order[0]].sum())
    assert f"learnt: accuracy {whole:.1%}" in shown(app)
    assert f" → {found.accuracy_without[found.order[0]]:.1%}, {change:,} prediction" in shown(app)
    bars = [v for d in app.dataframe for v in d.value["influence"]]
    assert np.allclose(sorted(bars), sorted(100 * found.influence))

    assert f"With it in the query set: {without:.1%}." in shown(app)

    press(app, "Remove")
    assert chosen(app, "edits").removed == (worst,)
    points = 100 * (without - whole)
    sign = "−" if points < 0 else "+"
    assert f"accuracy {without:.1%} (last edit: {sign}{abs(points):.1f} points)" in shown(app)
    press(app, "Undo")
    assert f"accuracy {whole:.1%} (last edit: " in shown(app)
    assert "edits" not in link(app)
    press(app, "Redo")
    assert link(app)["edits"] == f"r{worst}"
    assert f"accuracy {without:.1%} (last edit: " in shown(app)
    widget(app.selectbox, "method").set_value("DeepSLP").run()
    assert "last edit" not in shown(app)  # another method is no edit


def test_a_shot_is_relabelled_and_added_and_the_last_of_its_class_stays():
    app = open_page("teach", folded=True, shots=1, method="Nearest centroid", point=None)
    here = fitted(slp.NearestCentroidClassifier(), shots=1)
    row = int(here.episode.support[0])
    app.session_state[settings.POINT.key] = row
    app.run()
    press(app, "Remove")
    assert [e.value for e in app.error]
    press(app, "Add one")
    edits, y = chosen(app, "edits"), here.dataset.y
    (added,) = edits.added
    k = y[added]
    names = here.dataset.classes
    rows = np.flatnonzero(y == k)
    assert added in rows[slp.select_shots(here.X[rows], y[rows], 2)]
    label = next(s for s in app.selectbox if s.label == "Label")
    label.set_value(names[1]).run()
    assert not app.error
    assert chosen(app, "edits").relabelled == ((added, 1),)


def test_a_task_is_typed_from_nothing_and_predicts():
    app = open_page("teach", folded=True, dataset=TITLE, method="Nearest centroid")
    assert "Type an example of each class" in shown(app)
    type_texts(app, "class 1", CATS[0])
    type_texts(app, "class 1", *CATS, confirmed=0)  # by a browser that was not told of the first
    assert "class 1" in link(app)["own"]
    type_texts(app, "class 2", *SPACE)
    until(app, lambda: app.text_input and "decide what is learnt" in said(app))
    influence_is_there(app)
    tried = next(t for t in app.text_input if t.label == "Try your own text")
    tried.set_value("A dog and a cat play.").run()
    assert "**Your text.** Predicted ●\N{NO-BREAK SPACE}“class 1”." in shown(app)

    encoder = slp.load_encoder("minilm-l4")
    X, y = encoder.encode(CATS + SPACE), np.repeat(["class 1", "class 2"], 3)
    left = [
        slp.NearestCentroidClassifier().fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0]
        for i in range(6)
    ]
    assert f"leave-one-out accuracy {np.mean(left == y):.1%}" in shown(app)

    name = next(t for t in app.text_input if t.value == "class 2")
    name.set_value("space").run()
    assert list(json.loads(link(app)["own"])) == ["class 1", "space"]
    press(app, "Undo")
    assert list(json.loads(link(app)["own"])) == ["class 1", "class 2"]
    query = {"own": link(app)["own"], "dataset": TITLE}
    spaced = {"own": json.dumps(json.loads(query["own"]), indent=1), "dataset": TITLE}
    assert "The link asks" not in said(open_page("teach", spaced, folded=True))
    for folder in ("explore", "explain", "ensemble"):
        assert "no query set" in shown(open_page(folder, query, folded=True))


def test_a_shot_is_typed_beside_those_of_a_dataset_and_travels():
    app = open_page("teach", folded=True, shots=4, method="Nearest centroid")
    base = slp.load_dataset("airline")
    names, encoder = base.classes, slp.load_encoder("minilm-l4")

    def accuracy(own):
        dataset = typed_beside(base, OwnExamples.of(own))
        X, episode = encoder.encode(dataset), dataset.draw(4, 0)
        labels = np.array(dataset.classes)
        model = slp.NearestCentroidClassifier().fit(X[episode.support], labels[episode.y_support])
        return f"accuracy {model.score(X[episode.query], labels[episode.y_query]):.1%}"

    one = {names[-1]: ["Best flight of my life, thank you!", "So kind, so quick."]}
    type_texts(app, names[-1], *one[names[-1]])
    until(app, lambda: accuracy(one) in shown(app))
    assert json.loads(link(app)["typed_shots"]) == one
    assert "2 typed" in said(app)
    next(t for t in app.text_input if t.label == "Name" and not t.value).set_value("bags").run()
    two = one | {"bags": ["Where is my suitcase?", "My bag never arrived."]}
    type_texts(app, "bags", *two["bags"])
    until(app, lambda: accuracy(two) in shown(app))
    spaced = json.dumps(json.loads(link(app)["typed_shots"]), indent=1)  # by whoever wrote it
    query = {"typed_shots": spaced, "shots": "4", "method": "Nearest centroid"}
    press(app, "Undo")
    until(app, lambda: accuracy(one) in shown(app))

    again = open_page("teach", query, folded=True)
    until(again, lambda: accuracy(two) in shown(again))
    assert "The link asks" not in said(again)
    again.session_state[settings.POINT.key] = len(base) + 2
    again.run()
    press(again, "Remove")
    assert json.loads(link(again)["typed_shots"])["bags"] == two["bags"][1:]
    code = script(again.session_state[WORKSPACE], "Teach")
    source = next(line for line in code.splitlines() if line.startswith("dataset = "))
    assert len(eval(source.removeprefix("dataset = "), vars(typed_shots) | {"slp": slp})) == 312
    query = {"dataset": "Iris flowers", "typed_shots": '{"setosa":["no"]}'}
    assert "typed_shots" not in link(open_page("explore", query, folded=True))


def test_cards_stay_while_what_is_typed_beside_a_dataset_is_encoded(monkeypatch):
    gate = threading.Event()
    monkeypatch.setattr(Workspace, "encoded", property(lambda self: gate.is_set()))
    monkeypatch.setattr(Encoder, "encode_for_draws", lambda *_, **__: gate.wait(60))
    query = {"typed_shots": '{"negative":["They lost my bag."]}', "shots": "4"}
    app = open_page("teach", query, folded=True)
    assert "Encoding 310 examples" in said(app)
    assert any("negative" in m.value and m.value.endswith("5 shots") for m in app.markdown)
    assert "The examples you give decide what is learnt." in said(app)
    gate.set()


def test_rows_of_numbers_are_typed_beside_those_of_a_table():
    app = open_page(
        "teach", {"dataset": "Iris flowers", "shots": "4"}, True, method="Nearest centroid"
    )
    influence_is_there(app)
    type_texts(app, "setosa", "5.1 3.5 1.4")
    assert "A row of this dataset has 4 numbers: sepal length" in app.error[0].value
    type_texts(app, "setosa", "5.1, 3.5, 1.4, 0.2\n6 3 5 2")
    assert json.loads(link(app)["typed_shots"]) == {"setosa": ["5.1, 3.5, 1.4, 0.2", "6 3 5 2"]}
    assert "2 typed" in said(app)
    assert any("sepal length (cm)" in v for d in app.dataframe for v in d.value["example"])
    base, own = slp.load_dataset("iris"), OwnExamples.read(link(app)["typed_shots"])
    dataset = typed_beside(base, own)
    X = slp.load_encoder("numeric").encode(dataset)
    episode, names = dataset.draw(4, 0), np.array(dataset.classes)
    model = slp.NearestCentroidClassifier().fit(X[episode.support], names[episode.y_support])
    accuracy = model.score(X[episode.query], names[episode.y_query])
    until(app, lambda: f"accuracy {accuracy:.1%}" in shown(app))


def test_a_shot_is_swapped_for_the_one_that_helps_most_and_a_doubtful_label_is_mended():
    app = open_page("teach", folded=True, open_swap=True, shots=4, method="Nearest centroid")
    here = fitted(slp.NearestCentroidClassifier(), shots=4)
    influence_is_there(app)
    names = np.array(here.dataset.classes)
    rows, X = here.episode, here.X
    given = (X[rows.support], names[rows.y_support], X[rows.query], names[rows.y_query])
    found = read_shots(slp.NearestCentroidClassifier(), *given)
    worst = int(rows.support[found.order[0]])
    search = best_swap(slp.NearestCentroidClassifier(), X, rows, worst)
    until(app, lambda: swap_text(search) in said(app))
    press(app, "Swap for this one")
    edits = chosen(app, "edits")
    assert (edits.removed, edits.added) == ((worst,), (search.best,))
    press(app, "Undo")

    press(app, "A wrong label")  # which the other examples contradict
    ((row, k),) = chosen(app, "edits").relabelled
    table = slp.doubtful_labels(X, rows.with_edits(chosen(app, "edits")).labels)
    suggested = dict(zip(table["row"].tolist(), table["suggested"].tolist(), strict=True))[row]
    until(app, lambda: check_label_text(tuple(names), suggested) in said(app))
    assert any(f"({suggested}?) " in v for d in app.dataframe for v in d.value["example"])
    press(app, "Relabel")
    assert chosen(app, "edits").labels(here.dataset.y, np.array([row]))[0] != k


def test_nothing_typed_leads_other_pages_to_teach_and_bounds_are_said():
    app = open_page("explain", folded=True, dataset=TITLE)
    assert "Type an example for each of two classes first." in shown(app)
    app = open_page("teach", folded=True, dataset=TITLE)
    type_texts(app, "class 1", "x" * 2_001)
    assert "An example has 1 to 2,000 characters" in app.error[0].value
    many = {f"c{k}": [] for k in range(CLASSES)}
    app = open_page("teach", {"dataset": TITLE, "own": json.dumps(many)}, folded=True)
    next(t for t in app.text_input if t.label == "Name" and not t.value).set_value("one more").run()
    assert f"at most {CLASSES} classes" in app.error[0].value


def test_an_experiment_edits_and_says_what_to_watch_and_the_misleading_shot_is_removed():
    app = open_page("teach", folded=True, open_misleading=True, method="Nearest centroid", shots=2)
    here = fitted(slp.NearestCentroidClassifier(), shots=2)
    wrong = experiment("wrong label", here.episode, here.X)
    press(app, "A wrong label")
    assert chosen(app, "edits") == wrong.edits
    assert experiment_text(wrong) in "\n".join(c.value for c in app.caption)
    press(app, "Undo")
    assert "watch what" not in shown(app)
    for key in ("edit shots outlier", "edit shots wrong label"):  # before the page is drawn again
        app.button(key=key).click()
    app.run()
    quick = chosen(app, "edits")
    assert all([quick.added, quick.relabelled])
    press(press(app, "Undo"), "Undo")
    assert not chosen(app, "edits")
    data = arrays_of(here.episode, here.X)
    found = misleading_shots(slp.NearestCentroidClassifier(), "Nearest centroid", *data)
    until(app, lambda: misleading_text(found) in "\n".join(m.value for m in app.markdown))
    removal = found.revealing or found.gaining
    rows = tuple(sorted(here.episode.support[list(removal.shots)].tolist()))
    next(b for b in app.button if b.key == "edit shots misleading").click().run()
    assert chosen(app, "edits").removed == rows


@pytest.fixture
def choosy(monkeypatch):
    """The nearest centroid refuses a class of one example."""
    fit = slp.NearestCentroidClassifier.fit

    def choosy_fit(self, X, y):
        if np.unique(y, return_counts=True)[1].min() < 2:
            raise slp.SLPError("Two examples of each class are needed.")
        return fit(self, X, y)

    monkeypatch.setattr(slp.NearestCentroidClassifier, "fit", choosy_fit)


def test_what_a_method_refuses_is_mended_where_it_was_typed(choosy):
    own = OwnExamples.of({"cat": CATS[:2], "space": SPACE[:1]})
    app = open_page(
        "teach", {"dataset": TITLE, "own": str(own)}, folded=True, method="Nearest centroid"
    )
    until(app, lambda: app.error)
    assert [e.value for e in app.error] == ["Two examples of each class are needed."]
    assert [sorted(d.value["example"]) for d in app.dataframe] == [CATS[:2], SPACE[:1]]
    type_texts(app, "space", *SPACE[1:])
    until(app, lambda: charts(app))
    press(app, "Undo")
    assert app.error
    press(app, "Redo")
    assert charts(app)


def test_what_a_method_refuses_of_a_dataset_is_mended_by_its_cards(choosy):
    app = open_page(
        "teach", folded=True, shots=1, method="Nearest centroid", dataset="Iris flowers"
    )
    names = slp.load_dataset("iris").classes
    assert "Two examples of each class are needed." in app.error[0].value
    assert len(app.dataframe) == len(names)
    for k in range(len(names)):
        next(b for b in app.button if b.key == f"edit shots add {k}").click().run()
    assert "decide what is learnt: accuracy" in shown(app)
    first = chosen(app, "edits").added[0]
    press(app, "Undo")
    app.session_state[settings.POINT.key] = first
    app.run()
    assert app.error
    press(app, "Remove")
    assert first not in chosen(app, "edits").added


@pytest.mark.parametrize("own", IDEAS.values(), ids=IDEAS)
def test_ideas_are_learnt(own):
    X = slp.load_encoder("minilm-l4").encode([text for text, _ in own.rows])
    found = read_shots(slp.NearestCentroidClassifier(), X, [name for _, name in own.rows])
    assert found.whole_accuracy >= 0.75
