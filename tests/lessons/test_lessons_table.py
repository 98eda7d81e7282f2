"""Lessons as data: what they set exists, and the choices that they call correct are correct."""

import re
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import slp_core as slp
from pages.learn.views import VIEWS
from pages.session.lectures import PICTURES
from pages.session.lessons import read_progress as read
from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.encoders import list_encoders, vectors_on
from slp_core.evaluation.draws import arrays_of
from slp_core.lessons.questions import QuestionContext
from slp_core.lessons.table import LESSONS, SHORT_PATH
from slp_core.methods.table import METHODS

SETUPS = [
    (f"{lesson.name} {number}", setup)
    for lesson in LESSONS.values()
    for number, step in enumerate(lesson.steps)
    for setup in (step.setup, *step.tries.values())
]


def fitted(setup):
    dataset = slp.load_dataset(setup.dataset)
    X = slp.load_encoder(setup.encoder or dataset.default_encoder).encode_for_draws(dataset)
    episode = dataset.draw(setup.shots, setup.draw)
    data = arrays_of(episode, vectors_on(X, episode.support))
    return data, METHODS[setup.method].make(**setup.options).fit(data.X_support, data.y_support)


@cache
def workspace(name):
    """What the question of a lesson stands on: its last step's workspace."""
    return fitted(LESSONS[name].steps[-1].setup)


def context(name):
    data, model = workspace(name)
    true = np.searchsorted(model.classes_, data.y_query)
    predicted = model.predict_proba(data.X_query).argmax(axis=1)
    nearest = [np.linalg.norm(model.centroids_ - x, axis=1).argmin() for x in data.X_query]
    jsd = None
    if name == "ensemble":
        jsd = ensemble_diagnostics(model, data.X_query, data.y_query, "none").jsd
    return QuestionContext(model, data.X_query, true, predicted, np.array(nearest), jsd)


def at_half(model):
    """Predictions of a line's soft labels where both prototypes are equally far."""
    return [int(np.argmax(left + right)) for left, right in model.soft_labels_]


def place_on_line(model, c):
    order = model.lines_[0].classes
    return 0 if c == order[0] else 2 if c == order[-1] else 1


def soft_label():
    _, model = workspace("soft_label")
    return {1: 1}.get(place_on_line(model, at_half(model)[0]), 0)


def toy_example():
    midway = 0.75  # between blue at 0 and green at 1.5; yellow is at 3
    blue, green = 0.6 / midway, 0.4 / midway + 0.4 / (3 - midway)
    return 1 if blue > green else 2


def lines():
    """The model was told which rule to follow."""
    _, model = workspace("lines")
    return {"segment": 0, "prototype": 1}[model.assignment]


def theorem1():
    _, model = workspace("theorem1")
    order = model.lines_[0].classes
    return int(np.argmin([model.soft_labels_[0][0][c] for c in order]))


def theorem2():
    """A point above the left end, further and further away."""
    _, model = workspace("theorem2")
    left, right = model.prototypes_[0]
    across = np.array([-(right - left)[1], (right - left)[0]])
    for far in (1e3, 1e5):
        (answer,) = model.predict_proba((left + far * across)[None]).argmax(axis=1)
    return place_on_line(model, int(answer))


def dimensions():
    data, model = workspace("dimensions")
    answers = model.predict_proba(data.X_query).argmax(axis=1)
    half = sum(answer == at_half(model)[0] for answer in answers)
    nearest = sum(
        answer == np.linalg.norm(model.centroids_ - x, axis=1).argmin()
        for answer, x in zip(answers, data.X_query, strict=True)
    )
    assert abs(half - nearest) > 2 * np.sqrt(half + nearest)  # not by chance
    return int(half > nearest)


def deep_slp():
    data, model = workspace("deep_slp")
    logits = model.logits(data.X_query)  # each point's own, of its line
    return int(len({int(np.argmax(left + right)) for left, right in logits}) > 1)


def ensemble():
    data, model = workspace("ensemble")
    read_ = ensemble_diagnostics(model, data.X_query, data.y_query, "none")
    answers = model.classes_[model.predict_proba(data.X_query).argmax(axis=1)]
    order = sorted(range(len(answers)), key=lambda i: read_.jsd[i])
    cut = len(order) // 2
    low, high = (
        float(np.mean([answers[i] == data.y_query[i] for i in half]))
        for half in (order[:cut], order[cut:])
    )
    error = np.sqrt(low * (1 - low) / cut + high * (1 - high) / (len(order) - cut))
    assert abs(high - low) > 2 * error  # the lesson grades nothing within noise
    return int(high > low)


BY_FORCE = {f.__name__: f for f in (
    soft_label, toy_example, lines, theorem1, theorem2, dimensions, deep_slp, ensemble,
)}  # fmt: skip


@pytest.mark.parametrize("name", BY_FORCE)
def test_the_correct_choice_is_correct(name):
    question = LESSONS[name].question
    found = question.answer(context(name))
    assert found.correct == BY_FORCE[name]()
    assert 0 <= found.correct < len(question.choices)
    assert found.evidence


def test_an_episode_places_its_prototypes_on_other_examples():
    """That a recorded one does is tested in ``tests/meta``."""
    steps = SimpleNamespace(for_loss=np.array([[[0], [4]]]), for_means=np.array([[[1], [5]]]))
    here = QuestionContext(*(None,) * 5, episode=steps)
    assert LESSONS["meta_slp"].question.answer(here).correct == 1
    assert LESSONS["meta_slp"].question.answer(QuestionContext(*(None,) * 5)) is None


@pytest.mark.parametrize(("where", "setup"), SETUPS)
def test_what_a_step_sets_exists(where, setup):
    info = {info.name: info for info in slp.list_datasets()}[setup.dataset]
    dataset = slp.load_dataset(setup.dataset)
    assert setup.shots in dataset.shots_available
    assert setup.draw in dataset.available_draws(setup.shots)
    if setup.encoder:
        kinds = {each.name: each.kinds for each in list_encoders()}
        assert info.kind in kinds[setup.encoder]
    method = METHODS[setup.method]
    choices = {o.parameter: list(o.choices.values()) for o in (*method.main, *method.more)}
    for parameter, value in setup.options.items():
        assert value in choices[parameter]


def test_words_and_views_are_all_there():
    assert len(LESSONS) == 9
    assert set(SHORT_PATH) < set(LESSONS)
    seen = set()
    for lesson in LESSONS.values():
        assert re.fullmatch(r"[a-z0-9_]+", lesson.name)
        for step in lesson.steps:
            assert step.text
            assert step.views
            seen |= set(step.views)
        assert len(lesson.question.choices) >= 3
        assert all(reply.endswith(".") for reply in lesson.question.choices.values())
    assert seen | set(PICTURES.values()) == set(VIEWS)  # a lecture has some of its own


@pytest.mark.parametrize(
    "kept",
    ["", "x", "a.1.2..0", "lines.9.99.9.1", "lines.1.1.1", "lines.-1.0..0", "~~~", "é" * 5000],
)
def test_whatever_a_browser_kept_is_read_without_harm(kept):
    for progress in read(kept, {"lines": 3}).values():
        assert 0 <= progress.step <= progress.furthest <= 3


def test_what_the_last_lesson_shows_is_a_gain_and_a_loss():
    def accuracy(setup):
        data, model = fitted(setup)
        return model.score(data.X_query, data.y_query)

    tries = LESSONS["meta_slp"].steps[0].tries
    reviews, reviews_after, intents, intents_after = map(accuracy, tries.values())
    assert reviews_after > reviews
    assert intents_after < intents
