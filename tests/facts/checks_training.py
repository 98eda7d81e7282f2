"""What Train says: of a run while it goes and when it has ended, and of experiments with it."""

import numpy as np
from facts_book import Saying, check, near, subject

from pages.session.training_text import (
    ended_facts,
    headline_facts,
    other_settings_facts,
    spread_facts,
    spread_offer_facts,
    without_epochs_facts,
)
from slp_core.evaluation.draws import Spread
from slp_core.figures.training import ends_facts
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.methods.training import train, uses_seed


def deep_options(rng):
    """Of a DeepSLP that nobody waits for."""
    return {
        "preset": str(rng.choice(["prototype", "paper"])),
        "init": [None, "prototype", "xavier"][rng.integers(3)],
        "loss_scaling": str(rng.choice(["per_example", "batch", "none"])),
        "train_on": str(rng.choice(["all", "line"])),
        "epochs": int(rng.integers(1, 7)),
        "batch_size": [None, 0, 3][rng.integers(3)],
        "learning_rate": [None, 0.05][rng.integers(2)],
    }


def arrays(case):
    names = np.array(case.classes)
    return case.support, names[case.y_support], case.X, names[case.true]


@subject
def training(case):
    if case.seed % 8:
        return
    rng = np.random.default_rng(case.seed)
    options = deep_options(rng)
    run = train(DeepSLPClassifier(**options), *arrays(case))
    n, m = len(case.support), len(case.X)
    context = {"options": options, "run": run}
    references = {"nearest": share(case.nearest == case.true)} if m else {}
    yield Saying(headline_facts(run, n, m, references), context)
    yield Saying(ended_facts(run), context)
    accuracies = {"this run": float(run.curves.query[-1]), ":smile:": references.get("nearest", 0)}
    if not m:
        accuracies[":smile:"] = float("nan")
    yield Saying(ends_facts(accuracies, bool(rng.integers(2))), context)
    yield Saying(other_settings_facts(share(case.predicted == case.true), m), context)
    yield Saying(without_epochs_facts("It", share(case.predicted == case.true), m), context)
    used = uses_seed(DeepSLPClassifier(**options), *arrays(case)[:2])
    seeds = 3 if used else 1
    draws = tuple(range(int(rng.integers(1, 5))))
    spread = Spread(draws * seeds, rng.integers(0, 5, len(draws) * seeds) / 4)
    yield Saying(spread_facts(spread, seeds, used), context | {"spread": spread, "used": used})
    yield Saying(spread_offer_facts(len(draws), seeds, used), context | {"spread": spread})


def share(flags):
    flags = list(map(bool, flags))
    return sum(flags) / len(flags) if flags else float("nan")


def fit(case, options, **more):
    return DeepSLPClassifier(**options | more).fit(*arrays(case)[:2])


def assert_accuracy(model, case, said):
    """A share of right answers; where two classes tie for one either is accepted."""
    sure = possible = 0
    rows = model.predict_proba(case.X)
    for row, true in zip(rows, case.true, strict=True):
        best = row.max()
        among = [c for c in range(len(row)) if row[c] >= best - 1e-9]
        sure += among == [true]
        possible += true in among
    assert sure / len(rows) - 1e-9 <= said <= possible / len(rows) + 1e-9


@check("run.accuracy")
def _(fact, case, options, run, **_):
    assert fact["epochs"] == options["epochs"] == run.epochs
    assert (fact["n"], fact["m"]) == (len(case.support), len(case.X))
    assert_accuracy(fit(case, options), case, fact["accuracy"])
    assert bool(fact["others"].items) == ("{others}" in fact.template)


@check("run.reference")
def _(fact, case, **_):
    assert fact["method"] == "nearest"
    assert near(fact["accuracy"], share(case.nearest == case.true))


@check("run.loss")
def _(fact, case, options, **_):
    assert fact["epochs"] == options["epochs"]
    assert not len(case.X)
    losses = fit(case, options).history_["loss"][-1]
    assert near(fact["loss"], float(np.mean(losses[~np.isnan(losses)])))


@check("run.took")
def _(fact, case, options, run, **_):
    assert fact["epochs"] == options["epochs"]
    assert fact["seconds"] == run.seconds > 0
    assert (" epoch took" in fact.template) == (options["epochs"] == 1)


@check("run.sidebar", "run.without_epochs")
def _(fact, case, **_):
    assert fact["m"] == len(case.X) > 0
    assert near(fact["accuracy"], share(case.predicted == case.true))


@check("run.spread")
def _(fact, case, spread, used, **_):
    values = [float(value) for value in spread.accuracy]
    mean = sum(values) / len(values)
    assert near(fact["mean"], mean)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    assert near(fact["deviation"], 100 * variance**0.5, 1e-7)
    assert fact["fits"] == len(values) == fact["draws"] * fact["seeds"]
    assert fact["draws"] == len(set(spread.draws))
    assert ("seeds" in fact.template) == used


@check("run.no_seed")
def _(fact, case, options, **_):
    one, other = (fit(case, options, random_state=seed) for seed in (0, 7))
    assert np.array_equal(one.coef_, other.coef_)


@check("run.spread_offer")
def _(fact, case, spread, **_):
    assert fact["draws"] * fact["seeds"] == len(spread.accuracy)
    assert ("{seeds" in fact.template) == (fact["seeds"] > 1)


@check("run.thinned")
def _(fact, case, data, **_):
    assert len(data["points"]) == fact["drawn"] < fact["n"]


@check("runs.ends", "runs.no_query")
def _(fact, case, **_):
    assert bool(len(case.X)) == (fact.kind == "runs.ends")
    if len(case.X):
        assert [end["run"] for end in fact["ends"].items] == ["this run", ":smile:"]
        assert fact["same_points"] == ("its own" not in fact.template)


@check("runs.end")
def _(fact, case, options, run, **_):
    if fact["run"] == "this run":
        assert_accuracy(fit(case, options), case, fact["accuracy"])
    else:
        assert near(fact["accuracy"], share(case.nearest == case.true))
