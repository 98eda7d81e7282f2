"""A teacher's link asks first: before the guess nothing that the server sends gives the answer."""

import re
from dataclasses import replace

import pytest
from driving import charts, labels, open_page, press, said, shown

from pages.session.workspace import Workspace
from slp_core.explain import CAUSES

DATA = {"dataset": "A, B and C"}


def sent(app):
    """Everything that the server sends, as it is sent, but for the number of the run."""

    def protos(block):
        for child in block.children.values():
            if hasattr(child, "children"):
                yield from protos(child)
            elif getattr(child, "proto", None) is not None:
                message = child.proto.SerializeToString(deterministic=True)
                yield re.sub(rb'"run": ?[0-9]+', b"", message)

    return [message for root in app._tree.children.values() for message in protos(root)]


def swapped(predicted, true):
    """Two examples of one class predicted differently, and the predictions with theirs exchanged.

    Accuracy and the confusion matrix stay what they are: only whose prediction is which differs.
    """
    for i in range(len(true)):
        for j in range(i + 1, len(true)):
            if true[i] == true[j] and predicted[i] != predicted[j]:
                other = predicted.copy()
                other[[i, j]] = predicted[[j, i]]
                return i, other
    raise AssertionError("no two such examples")


@pytest.mark.parametrize("folder", ["explore", "explain"])
def test_before_the_guess_nothing_sent_depends_on_the_prediction(folder, monkeypatch):
    usual = Workspace.predictions.func
    seen = {}
    monkeypatch.setattr(
        Workspace,
        "predictions",
        property(lambda self: seen.setdefault(self.model_key, usual(self))),
    )
    open_page("learn", folded=True, **DATA)
    ((key, predictions),) = seen.items()
    place, other = swapped(predictions.predicted, predictions.true)
    app = open_page(folder, {"ask": "prediction", "point": "0"}, folded=True, **DATA)
    workspace = app.session_state["workspace"]
    row = str(int(workspace.episode.query[place]))
    asked = {"ask": "answer", "point": row}
    before = sent(open_page(folder, asked, folded=True, **DATA))
    seen[key] = replace(predictions, predicted=other)
    monkeypatch.setattr(
        Workspace,
        "reading",
        lambda self, row, usual=Workspace.reading: replace(
            usual(self, row), predicted=int(other[place])
        ),
    )
    app = open_page(folder, asked, folded=True, **DATA)
    assert sent(app) == before
    assert set(charts(app)) == {"question"}
    assert "predicted" not in str(charts(app)["question"])
    text = shown(app)
    assert "Which class does constraintSLP predict?" in text
    assert not any(word in text for word in ("redicted", "isclassified", "Cause"))
    assert not app.dataframe
    assert not app.get("download_button")
    (guess,) = app.radio
    guess.set_value(guess.options[int(other[place])]).run()
    assert "**Correct**" in said(app)


def test_the_cause_is_asked_after_the_prediction_and_then_the_page_opens():
    app = open_page("explain", {"ask": "answer,cause"}, folded=True)
    (guess,) = app.radio
    guess.set_value(guess.options[0]).run()
    assert "what is the cause?" in shown(app)
    ((figure, _),) = charts(app).values()
    assert "yaxis4" not in figure["layout"]  # after projection, which tells two causes apart
    (guess,) = app.radio
    assert len(guess.options) == len(CAUSES) - 1  # one is of methods without lines
    guess.set_value(guess.options[0]).run()
    text = shown(app)
    assert "**Correct answer**: " in text
    assert "causes" in charts(app)
    press(app, "Next question")
    assert set(charts(app)) == {"question"}
    assert "Next question" not in labels(app)
    (guess,) = app.radio
    guess.set_value(guess.options[0]).run()
    assert "causes" in charts(app)  # this example is classified correctly: it has no cause
    assert app.get("popover")[0].proto.popover.label != "Examples"
    press(app, "Stop asking")
    assert app.get("popover")[0].proto.popover.label == "Examples"


def test_causes_alone_are_asked_of_errors_alone():
    app = open_page("explain", {"ask": "cause"}, folded=True)
    for _ in range(2):
        (guess,) = app.radio
        guess.set_value(guess.options[0]).run()
        press(app, "Next question")
    assert "what is the cause?" in shown(app)


def test_a_method_without_lines_asks_too_and_other_pages_do_not():
    app = open_page("explore", {"ask": "answer"}, folded=True, method="Nearest centroid")
    assert "Which class does nearest centroid predict?" in shown(app)
    assert len(app.radio) == 1
    app = open_page("learn", {"ask": "answer"}, folded=True)
    assert "drag a centroid" in shown(app)
